# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Systems of rclpy nodes that act as drivers, robot_state_publishers and simulations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import threading
import time
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
from hrdf_ros import load
from hrdf_ros.doctor import Facts, Finding, judge
from hrdf_ros.node.examination import Examination
from hrdf_ros.node.running import RunningSystem
from hrdf_ros.node.tf2 import transform_message
from hrdf_ros.pose import IDENTITY, Pose, translation
import rclpy
from rclpy.node import Node
from rclpy.publisher import Publisher
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
FLANGE = ('arm', 'tool', translation(0.0, 0.0, 0.5))
VOLATILE = QoSProfile(depth=10)
LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
BEST_EFFORT = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)
_PERIOD = 0.02
"""The seconds between two rounds of messages."""
_ROUNDS = 10
"""The fewest messages of each publisher that are judged once all topics are heard."""
_PATIENCE = 200.0
"""The seconds that a test waits for a system."""


class System:
    """Nodes, and a thread that sends their messages again and again."""

    def __init__(self, domain: int) -> None:
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.rounds = 0
        self.endpoints = 0
        self.heard_topics: set[str] = set()
        """The topics whose messages a listener gets that starts now."""
        self._nodes: list[Node] = []
        self._sent: list[Callable[[], None]] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    # ---- nodes

    def node(self, name: str, namespace: str = '') -> Node:
        """Return a new node."""
        node = Node(
            name, context=self.context, namespace=namespace, enable_rosout=False,
            start_parameter_services=False)
        self._nodes.append(node)
        return node

    def publisher(
        self, node: Node, kind: Any, topic: str, qos: QoSProfile = VOLATILE,
        is_heard: bool = True,
    ) -> Publisher:
        """Return a publisher of a node."""
        publisher = node.create_publisher(kind, topic, qos)
        self.endpoints += 1
        if is_heard:
            self.heard_topics.add(publisher.topic_name)
        return publisher

    def listen(self, node: Node, kind: Any, topic: str, qos: QoSProfile = VOLATILE) -> None:
        """Let a node subscribe to a topic."""
        node.create_subscription(kind, topic, lambda _: None, qos)
        self.endpoints += 1

    def repeat(self, send: Callable[[], None]) -> None:
        """Call a function again and again."""
        self._sent.append(send)

    # ---- what robots are made of

    def describe(
        self, text: str = URDF, name: str = 'rsp', namespace: str = '', qos: QoSProfile = LATCHED,
    ) -> None:
        """Add a node that publishes a description and subscribes to joint states."""
        node = self.node(name, namespace)
        is_heard = qos.durability == DurabilityPolicy.TRANSIENT_LOCAL
        self.publisher(node, String, 'robot_description', qos, is_heard).publish(String(data=text))
        self.listen(node, JointState, 'joint_states', BEST_EFFORT)

    def drive(
        self, names: Sequence[str] = ('elbow',), values: Sequence[float] = (0.5,),
        namespace: str = '', name: str = 'driver', qos: QoSProfile = VOLATILE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Add a driver, which stamps its messages by a clock."""
        publisher = self.publisher(self.node(name, namespace), JointState, 'joint_states', qos)

        def send() -> None:
            message = JointState(name=list(names), position=list(values))
            message.header.stamp = stamp_of(clock())
            publisher.publish(message)

        self.repeat(send)

    def transform(
        self, parent: str = 'base', child: str = 'arm', node: str = 'tf', offset: float = 0.0,
        change: Callable[[TransformStamped], None] = lambda _: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Add a node that publishes a moving transform, stamped ``offset`` seconds ahead."""
        publisher = self.publisher(self.node(node), TFMessage, '/tf')

        def send() -> None:
            message = transform_message(parent, child, IDENTITY, int((clock() + offset) * 1e9))
            change(message)
            publisher.publish(TFMessage(transforms=[message]))

        self.repeat(send)

    def fix(
        self, parent: str, child: str, pose: Pose = IDENTITY, node: str = 'fixed',
        qos: QoSProfile = LATCHED,
    ) -> None:
        """Add a node that publishes a fixed transform once."""
        is_heard = qos.durability == DurabilityPolicy.TRANSIENT_LOCAL
        publisher = self.publisher(self.node(node), TFMessage, '/tf_static', qos, is_heard)
        publisher.publish(TFMessage(transforms=[transform_message(parent, child, pose, 0)]))

    def tick(self, clock: Callable[[], float], name: str = 'simulation') -> None:
        """Add a simulation with a clock."""
        publisher = self.publisher(self.node(name), Clock, '/clock', is_heard=False)
        self.repeat(lambda: publisher.publish(Clock(clock=stamp_of(clock()))))

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
        while not self._ended.wait(_PERIOD):
            for send in list(self._sent):
                send()
            self.rounds += 1


def examined(system: System, seconds: float = 0.0) -> list[Finding]:
    """
    Return what the doctor finds.

    It looks until every endpoint is known and every topic is heard, then for some more messages,
    and for some seconds if a fault needs time to show.
    """
    with RunningSystem('hrdf_doctor', []) as running:
        look = _look(running)
        while not _is_complete(system, look()):
            pass
        last, since = system.rounds + _ROUNDS, time.monotonic()
        while system.rounds < last or time.monotonic() < since + seconds:
            look()
        return judge(look(), load)


def wait_until_healthy() -> None:
    """
    Look until nothing is wrong any more, and for some more messages.

    A message that a busy machine delivers late is a finding of one look, so another look begins.
    """
    end = time.monotonic() + _PATIENCE
    with RunningSystem('hrdf_doctor', []) as running:
        while True:
            look = _look(running)
            while judge(look(), load):
                pass
            found = [finding for _ in range(_ROUNDS) for finding in judge(look(), load)]
            if not found:
                return
            assert time.monotonic() < end, found


def _look(running: RunningSystem) -> Callable[[], Facts]:
    """Return a function that looks a little longer, and returns all facts so far."""
    examination = Examination(running)
    end = time.monotonic() + _PATIENCE

    def look() -> Facts:
        assert time.monotonic() < end, f'waited {_PATIENCE} s in vain for the system'
        examination.listen()
        running.wait(_PERIOD)
        return examination.facts(1.0)

    return look


def _is_complete(system: System, facts: Facts) -> bool:
    """Return whether everything is known that a system has."""
    heard = {
        *(each.topic for each in facts.descriptions), *(each.topic for each in facts.joint_states),
        *('/tf_static' if each.is_static else '/tf' for each in facts.transforms),
        *('/tf' for _ in facts.refused)}
    return len(facts.endpoints) >= system.endpoints and system.heard_topics <= heard


def stamp_of(seconds: float) -> Time:
    return Time(sec=int(seconds), nanosec=int(seconds % 1.0 * 1e9))
