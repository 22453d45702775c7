# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf doctor`` on real systems: broken ones, each by one fault, and healthy ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
import threading
import time

from builtin_interfaces.msg import Time
from hrdf_ros import load
from hrdf_ros.doctor import judge
from hrdf_ros.node.examination import examine
from hrdf_ros.node.tf2 import transform_message
from hrdf_ros.pose import IDENTITY, Pose, translation
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

URDF = """<robot name="r"><link name="base"/><link name="arm"/><link name="tool"/>
<joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="flange" type="fixed"><parent link="arm"/><child link="tool"/>
<origin xyz="0 0 0.5"/></joint></robot>"""
LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
BEST_EFFORT = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
FLANGE = ('arm', 'tool', translation(0.0, 0.0, 0.5))
SECONDS = 3.0


class System:
    """Nodes as drivers and robot_state_publishers are, in a thread that repeats what they send."""

    def __init__(self, domain: int) -> None:
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain)
        self._executor = SingleThreadedExecutor(context=self.context)
        self._nodes: list[Node] = []
        self._sent: list[Callable[[], None]] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def node(self, name: str, namespace: str = '') -> Node:
        """Return a new node."""
        node = rclpy.create_node(name, context=self.context, namespace=namespace)
        self._nodes.append(node)
        return node

    def describe(self, text: str = URDF, name: str = 'rsp', namespace: str = '') -> Node:
        """Add a node that publishes a description and listens to joint states."""
        node = self.node(name, namespace)
        node.create_publisher(String, 'robot_description', LATCHED).publish(String(data=text))
        node.create_subscription(JointState, 'joint_states', lambda _: None, BEST_EFFORT)
        return node

    def drive(
        self, names: Sequence[str] = ('elbow',), value: float = 0.5, namespace: str = '',
        offset: float = 0.0, qos: QoSProfile = QoSProfile(depth=10), stamp: float | None = None,
    ) -> None:
        """Add a driver; its clock is ``offset`` seconds ahead, or gives ``stamp``."""
        publisher = self.node('driver', namespace).create_publisher(
            JointState, 'joint_states', qos)
        self._sent.append(lambda: publisher.publish(
            message(names, value, time.time() + offset if stamp is None else stamp)))

    def transform(
        self, name: str = 'base', child: str = 'arm', node: str = 'tf', pose: Pose = IDENTITY,
        offset: float = 0.0,
    ) -> None:
        """Add a node that publishes a moving transform."""
        publisher = self.node(node).create_publisher(TFMessage, '/tf', 10)
        self._sent.append(lambda: publisher.publish(TFMessage(transforms=[
            transform_message(name, child, pose, int((time.time() + offset) * 1e9))])))

    def fix(self, parent: str, child: str, pose: Pose, node: str = 'fixed') -> None:
        """Add a node that publishes a fixed transform."""
        publisher = self.node(node).create_publisher(TFMessage, '/tf_static', LATCHED)
        publisher.publish(TFMessage(transforms=[transform_message(parent, child, pose, 0)]))

    def tick(self, seconds: float) -> None:
        """Add a simulation, whose clock stands still."""
        publisher = self.node('simulation').create_publisher(Clock, '/clock', 10)
        self._sent.append(lambda: publisher.publish(Clock(clock=stamp_of(seconds))))

    def healthy(self) -> None:
        """Add a robot, its driver and its transforms."""
        self.describe()
        self.drive()
        self.transform()
        self.fix(*FLANGE)

    def end(self) -> None:
        """Stop the thread and the nodes."""
        self._ended.set()
        self._thread.join(10.0)
        for node in self._nodes:
            node.destroy_node()
        rclpy.shutdown(context=self.context)

    def _run(self) -> None:
        while not self._ended.wait(0.05):
            for send in list(self._sent):
                send()


def stamp_of(seconds: float) -> Time:
    return Time(sec=int(seconds), nanosec=int(seconds % 1.0 * 1e9))


def message(names: Sequence[str], value: float, seconds: float) -> JointState:
    found = JointState(name=list(names), position=[value] * len(names))
    found.header.stamp = stamp_of(seconds)
    return found


@pytest.fixture
def system(domain: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[System]:
    """Return a system in the domain of the test."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    system = System(domain)
    yield system
    system.end()


def no_description(system: System) -> None:
    system.drive()
    system.transform()


def two_descriptions(system: System) -> None:
    system.healthy()
    system.describe(name='other')


def no_driver(system: System) -> None:
    system.describe()
    system.fix(*FLANGE)


def another_namespace(system: System) -> None:
    system.describe()
    system.drive(namespace='/left')
    system.fix(*FLANGE)


def misspelled_joint(system: System) -> None:
    system.describe()
    system.drive(('elbo',))
    system.fix(*FLANGE)


def degrees(system: System) -> None:
    system.describe()
    system.drive(value=30.0)
    system.transform()
    system.fix(*FLANGE)


def slow_clock(system: System) -> None:
    system.describe()
    system.drive(offset=-60.0)
    system.transform(offset=-60.0)
    system.fix(*FLANGE)


def fast_clock(system: System) -> None:
    system.describe()
    system.drive(offset=60.0)
    system.transform(offset=60.0)
    system.fix(*FLANGE)


def wall_clock_in_simulation(system: System) -> None:
    system.tick(12.5)
    system.healthy()


def two_publishers(system: System) -> None:
    system.healthy()
    system.transform(node='other')


def two_parents(system: System) -> None:
    system.healthy()
    system.transform(name='map', node='other')


def old_flange(system: System) -> None:
    system.describe()
    system.drive()
    system.transform()
    system.fix('arm', 'tool', translation(0.0, 0.0, 0.6))


def camera_without_prefix(system: System) -> None:
    system.describe()
    system.drive()
    system.transform('left/base', 'left/arm')
    system.fix('left/arm', 'left/tool', translation(0.0, 0.0, 0.5))
    system.fix('tool', 'camera', IDENTITY, 'camera')


def reliable_listener(system: System) -> None:
    system.describe()
    system.drive(qos=BEST_EFFORT)
    system.transform()
    system.fix(*FLANGE)
    system.node('plot').create_subscription(JointState, 'joint_states', lambda _: None, 10)


@pytest.mark.parametrize(('break_it', 'rules'), [
    (no_description, {'no-description'}),
    (two_descriptions, {'several-descriptions'}),
    (no_driver, {'no-joint-states'}),
    (another_namespace, {'other-topic'}),
    (misspelled_joint, {'unknown-joint', 'joint-not-reported'}),
    (degrees, {'outside-limits'}),
    (slow_clock, {'past'}),
    (fast_clock, {'future'}),
    (wall_clock_in_simulation, {'other-clock'}),
    (two_publishers, {'transform-twice'}),
    (two_parents, {'several-parents'}),
    (old_flange, {'static-differs'}),
    (camera_without_prefix, {'prefix'}),
    (reliable_listener, {'qos'}),
])
def test_a_broken_system(
    system: System, break_it: Callable[[System], None], rules: set[str],
) -> None:
    """The finding is the fault that was made, and no other."""
    break_it(system)
    assert {finding.rule for finding in judge(examine(SECONDS, []), load)} == rules


def simulated(system: System) -> None:
    system.tick(12.5)
    system.describe()
    system.drive(stamp=12.5)
    system.fix('base', 'arm', IDENTITY)
    system.fix(*FLANGE, 'other')


def with_a_map(system: System) -> None:
    system.healthy()
    system.transform('map', 'odom', 'localization', offset=1.0)
    system.fix('odom', 'base', IDENTITY, 'odometry')


@pytest.mark.parametrize('make', [System.healthy, simulated, with_a_map])
def test_a_healthy_system(system: System, make: Callable[[System], None]) -> None:
    """Nothing is wrong."""
    make(system)
    assert judge(examine(SECONDS, []), load) == []


def test_our_node_is_healthy(
    domain: int, start: Callable[..., object], arm: object, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The node with all joints moving, and a prefix."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    start(str(arm), '--animate', frame_prefix='left/')
    findings = []
    for _ in range(5):  # the node may take longer to start than the doctor looks
        findings = judge(examine(SECONDS, []), load)
        if not findings:
            return
    assert findings == []
