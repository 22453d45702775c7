# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A live node in a process of its own, and a client that listens and asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
import os
from pathlib import Path
import re
import signal
import subprocess
import sys
import threading
import time
from typing import Any

from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from hrdf_ros_interfaces.srv import LookupFrame
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.srv import SetParameters
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

START = 'import sys; from hrdf_ros.node import main; sys.exit(main())'
# as deep as tf2 listens, since every node of a domain is heard on /tf_static
LATCHED = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
TIMEOUT = 200.0
"""The seconds that a test waits for anything: what comes late on a busy machine has not failed."""
DISCOVERY = 20.0
"""The seconds in which the first answer to a client arrives, unless the answer is lost."""
ARM = """<robot version="1.4.0">
  <actuator type="X5-4" tag="base"/>
  <link type="X5" extension="0.3" twist="pi/2"/>
  <actuator type="X5-4" tag="elbow"/>
  <end-effector tag="tool" output_trans="0 0 0.1"/>
</robot>
"""
BROKEN = ARM.replace('X5-4" tag="elbow"', 'X5-44" tag="elbow"')
URDF = """<robot name="slide"><link name="rail"/><link name="cart"/><link name="copy"/>
<link name="flag"/>
<joint name="s" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="m" type="prismatic"><parent link="rail"/><child link="copy"/><axis xyz="1 0 0"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/>
<mimic joint="s" multiplier="-2" offset="0.5"/></joint>
<joint name="f" type="fixed"><parent link="cart"/><child link="flag"/>
<origin xyz="0 0 1"/></joint></robot>"""


class RunningNode:
    """The node in a process of its own."""

    def __init__(
        self, domain: int, arguments: Sequence[str], log: Path, program: str = START,
    ) -> None:
        self.log_file = log
        self._stream = log.open('wb')
        self.process = subprocess.Popen(
            [sys.executable, '-c', program, *arguments], stdout=self._stream,
            stderr=subprocess.STDOUT, env={**os.environ, 'ROS_DOMAIN_ID': str(domain)})

    @property
    def log(self) -> str:
        return self.log_file.read_text(errors='replace')

    def end(self, by: signal.Signals = signal.SIGINT) -> int:
        """Send a signal and return the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(by)
        try:
            return self.process.wait(TIMEOUT)
        finally:
            self.process.kill()
            self._stream.close()


class Client:
    """A node that calls services, and that listens to all topics unless told not to."""

    def __init__(self, domain: int, listening: bool = True) -> None:
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.node = rclpy.create_node('client', context=self.context)
        self.received: dict[str, list[Any]] = {}
        self._executor = SingleThreadedExecutor(context=self.context)
        self._executor.add_node(self.node)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()
        self._clients: dict[str, Any] = {}
        self.joint_states = self.node.create_publisher(JointState, '/joint_states', 50)
        if not listening:
            return
        self.listen('/tf', TFMessage, QoSProfile(depth=1000))
        self.listen('/tf_static', TFMessage, LATCHED)
        self.listen('/robot_description', String, LATCHED)
        self.listen('/diagnostics', DiagnosticArray, QoSProfile(depth=100))

    def _spin(self) -> None:
        while not self._ended.is_set():
            self._executor.spin_once(0.1)

    def listen(self, topic: str, kind: Any, qos: QoSProfile) -> list[Any]:
        """Collect the messages of a topic."""
        messages = self.received.setdefault(topic, [])
        self.node.create_subscription(kind, topic, messages.append, qos)
        return messages

    def wait_for(self, condition: Callable[[], Any], what: str) -> Any:
        """Wait until a condition holds; return its value."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            value = condition()
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f'waited {TIMEOUT} s in vain for {what}')

    def wait_for_message(self, topic: str) -> Any:
        """Return the newest message of a topic, once there is one."""
        self.wait_for(lambda: self.received[topic], topic)
        return self.received[topic][-1]

    def ask(self, kind: Any, request: Any = None, node: str = '/hrdf_ros', **fields: Any) -> Any:
        """
        Call a service of a node; return the future of its response.

        The kind of a service gives its name; for Trigger it is ``reload``.
        """
        name = f'{node}/{_service(kind)}'
        if name not in self._clients:
            self._clients[name] = self.node.create_client(
                kind, name, qos_profile=QoSProfile(depth=1000))
            assert self._clients[name].wait_for_service(TIMEOUT), f'no service {name}'
        return self._clients[name].call_async(request or kind.Request(**fields))

    def answer(self, pending: Any, timeout: float = TIMEOUT) -> Any:
        """Return the response of a service, once it has arrived."""
        assert self._is_answered(pending, timeout), 'no answer from a service'
        return pending.result()

    def begin(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """
        Make a call of an action in the thread that receives its answer; return its future.

        From any other thread, the answer may arrive before rclpy 7 knows that somebody waits for
        it.
        """
        return self.answer(self._executor.create_task(call, *arguments))

    @staticmethod
    def _is_answered(pending: Any, timeout: float) -> bool:
        done = threading.Event()
        pending.add_done_callback(lambda _: done.set())
        return done.wait(timeout)

    def call(
        self, kind: Any, node: str = '/hrdf_ros', timeout: float = TIMEOUT, **fields: Any,
    ) -> Any:
        """
        Call a service and return its response.

        A new client asks a second time: the middleware drops an answer for a client that the
        service has not discovered yet, which takes long on a busy machine.
        """
        is_new = f'{node}/{_service(kind)}' not in self._clients
        pending = self.ask(kind, node=node, **fields)
        if is_new and not self._is_answered(pending, DISCOVERY):
            pending = self.ask(kind, node=node, **fields)
        return self.answer(pending, timeout)

    def lookup(self, frame: str, **fields: Any) -> LookupFrame.Response:
        """Ask the node where a frame is."""
        return self.call(LookupFrame, frame=frame, **fields)

    def set_parameter(self, name: str, value: Any) -> Any:
        """Set a parameter of the node and return the result."""
        message: ParameterMessage = Parameter(name, value=value).to_parameter_msg()
        return self.call(SetParameters, parameters=[message]).results[0]

    def wait_for_node(self) -> None:
        """Wait until the node hears joint states."""
        self.wait_for(
            lambda: self.joint_states.get_subscription_count() > 0
            and self.node.count_publishers('/tf') > 0, 'the node')

    def move(self, positions: Mapping[str, float], stamp: float = 0.0) -> JointState:
        """Publish a joint state; without a stamp it has the current time."""
        message = joint_state(positions, stamp)
        if not stamp:
            message.header.stamp = self.node.get_clock().now().to_msg()
        self.joint_states.publish(message)
        return message

    def move_until_heard(self, positions: Mapping[str, float]) -> dict[str, Any]:
        """
        Publish joint states until the transforms of one arrive; return these by child frame.

        The wait for an answer grows each time, so that in the end no answer is still on its way.
        """
        before = len(self.received['/tf'])
        patience = 0.0

        def heard() -> bool:
            nonlocal patience
            stamp = self.move(positions).header.stamp
            time.sleep(0.06)  # longer than the period of publish_frequency
            end = time.monotonic() + patience
            patience += 0.03
            while not (found := self._has_heard(stamp)) and time.monotonic() < end:
                time.sleep(0.005)
            return found

        self.wait_for(heard, '/tf')
        return {
            transform.child_frame_id: transform
            for message in self.received['/tf'][before:] for transform in message.transforms}

    def _has_heard(self, stamp: Time) -> bool:
        return any(
            transform.header.stamp == stamp
            for message in self.received['/tf'][-5:] for transform in message.transforms)

    def statuses(self, level: bytes) -> list[str]:
        """Return the messages and values of the diagnostics of a level."""
        return [
            f'{status.message} {[value.value for value in status.values]}'
            for message in self.received['/diagnostics'] for status in message.status
            if status.level == level]

    def end(self) -> None:
        self._ended.set()
        self._thread.join(TIMEOUT)
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


def _service(kind: Any) -> str:
    """Return the name of a service by its kind: ``lookup_frame`` for LookupFrame."""
    words = re.sub('(?<=[a-z])(?=[A-Z])', '_', kind.__name__).lower()
    return 'reload' if words == 'trigger' else words


def joint_state(positions: Mapping[str, float], stamp: float = 0.0) -> JointState:
    """Return a JointState; the stamp is in seconds."""
    message = JointState(name=list(positions), position=[float(v) for v in positions.values()])
    message.header.stamp.sec = int(stamp)
    message.header.stamp.nanosec = round((stamp - int(stamp)) * 1e9)
    return message
