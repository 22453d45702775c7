# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What clients and publishers should not do to a node, each in a process of its own.

``python -m soak.abuses NAME`` does it until it is killed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
import os
import random
import subprocess
import sys
import threading
import time
from typing import Any

from hrdf_ros_interfaces.srv import Convert, Validate
from inputs import joint_names, urdf_chain
from nodes import Driver
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import QoSProfile
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

NODE = 'hrdf_ros'
_LATEST_END = 2.0
"""Seconds in which a process ends, or is killed."""
_SETTLING = 1.0
"""
Seconds until everyone has discovered a process that the driver knows. Whoever discovers one holds
back what it publishes until Fast DDS has seen the new one's shared memory read, up to 333 ms.
"""


def _abuser(process: int) -> str:
    return f'abuser_{process}'


class Abuser:
    """A ROS node that sends what it should not."""

    def __init__(self) -> None:
        rclpy.init()
        self.node = rclpy.create_node(_abuser(os.getpid()))
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        threading.Thread(target=self._spin, daemon=True).start()

    def _spin(self) -> None:
        with suppress(ExternalShutdownException):
            self._executor.spin()

    def call(self, kind: Any, name: str, make: Callable[[], Any], at_once: int = 1) -> None:
        """Call a service again and again, with some requests at a time."""
        client = self.node.create_client(
            kind, f'/{NODE}/{name}', qos_profile=QoSProfile(depth=100))
        client.wait_for_service(30.0)
        print('abusing', flush=True)
        while rclpy.ok():
            pending = [client.call_async(make()) for _ in range(at_once)]
            end = time.monotonic() + 20.0
            while rclpy.ok() and time.monotonic() < end and not all(
                    future.done() for future in pending):
                time.sleep(0.002)

    def publish(self, rate: float, make: Callable[[], bytes]) -> None:
        """Publish serialized joint states at a rate."""
        publisher = self.node.create_publisher(
            JointState, f'/{NODE}/joint_states', QoSProfile(depth=100))
        while not publisher.get_subscription_count():
            time.sleep(0.05)
        print('abusing', flush=True)
        start = time.perf_counter()
        for index in count():
            if not rclpy.ok():
                return
            publisher.publish(make())
            time.sleep(max(0.0, start + index / rate - time.perf_counter()))


def validate_4_mb(abuser: Abuser) -> None:
    """Have 4 MB of URDF checked."""
    request = Validate.Request(text=urdf_chain(11_500))
    abuser.call(Validate, 'validate', lambda: request)


def convert_4_mb(abuser: Abuser) -> None:
    """Have 4 MB of URDF written as SDFormat."""
    request = Convert.Request(text=urdf_chain(11_500), target='sdf')
    abuser.call(Convert, 'convert', lambda: request)


def a_hundred_small(abuser: Abuser) -> None:
    """Have 100 small texts checked at once."""
    request = Validate.Request(text=urdf_chain(3))
    abuser.call(Validate, 'validate', lambda: request, 100)


def a_million_elements(abuser: Abuser) -> None:
    """Have a text of a million elements checked."""
    request = Validate.Request(text=f'<robot name="r">{"<a/>" * 999_990}</robot>')
    abuser.call(Validate, 'validate', lambda: request)


def forty_of_4_mb(abuser: Abuser) -> None:
    """Have 40 texts of 4 MB checked at once."""
    request = Validate.Request(text=urdf_chain(11_500))
    abuser.call(Validate, 'validate', lambda: request, 40)


def a_text_of_50_mb(abuser: Abuser) -> None:
    """Have one text node of 50 MB checked."""
    request = Validate.Request(text=f'<robot name="r">{"x" * 50_000_000}</robot>')
    abuser.call(Validate, 'validate', lambda: request)


def forty_of_20_mb(abuser: Abuser) -> None:
    """Have 40 texts of 20 MB checked at once."""
    request = Validate.Request(text=f'<robot name="r">{"x" * 20_000_000}</robot>')
    abuser.call(Validate, 'validate', lambda: request, 40)


def a_parameter_of_50_mb(abuser: Abuser) -> None:
    """Set robot_description to one text node of 50 MB."""
    value = ParameterValue(
        type=ParameterType.PARAMETER_STRING,
        string_value=f'<robot name="r">{"x" * 50_000_000}</robot>')
    request = SetParameters.Request(
        parameters=[Parameter(name='robot_description', value=value)])
    abuser.call(SetParameters, 'set_parameters', lambda: request)


def reload(abuser: Abuser) -> None:
    """Reload a robot of 5,000 links."""
    abuser.call(Trigger, 'reload', Trigger.Request)


def new_names(abuser: Abuser) -> None:
    """Publish names that are new in every message, beside a known one, at 1 kHz."""
    number = count()
    known = joint_names(1)
    abuser.publish(1000.0, lambda: bytes(serialize_message(JointState(
        name=[*known, *(f'new_{next(number)}' for _ in range(5))], position=[0.0] * 6))))


def long_name_lists(abuser: Abuser) -> None:
    """Publish 1 MB of names that are new in every message at 20 Hz."""
    number = count()

    def make() -> bytes:
        turn = next(number)
        names = [f'name_{turn}_{index}_{"x" * 30}' for index in range(19_000)]
        return bytes(serialize_message(JointState(name=names, position=[0.0] * len(names))))

    messages = [make() for _ in range(60)]
    abuser.publish(20.0, lambda: messages[next(number) % len(messages)])


def random_bytes(abuser: Abuser) -> None:
    """Publish random bytes at 1 kHz."""
    chance = random.Random(1)
    good = bytes(serialize_message(JointState(name=joint_names(3), position=[0.0] * 3)))

    def make() -> bytes:
        data = bytearray(good)
        for _ in range(chance.randrange(1, 8)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        noise = b'\0\1\0\0' + chance.randbytes(chance.randrange(200))
        return bytes((data, noise, good[:chance.randrange(len(good))])[chance.randrange(3)])

    abuser.publish(1000.0, make)


ABUSES = {function.__name__: function for function in (
    validate_4_mb, convert_4_mb, forty_of_4_mb, a_hundred_small, a_million_elements,
    a_text_of_50_mb, forty_of_20_mb, a_parameter_of_50_mb, reload, new_names,
    long_name_lists, random_bytes)}


@contextmanager
def abused(name: str, driver: Driver) -> Iterator[None]:
    """Have another process abuse the node, as soon as the driver has discovered it."""
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(
            [sys.executable, '-m', 'soak.abuses', name], env=environment,
            stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b'abusing\n', f'{name} did not begin'
            driver.discover(_abuser(process.pid))
            time.sleep(_SETTLING)
            yield
        finally:  # what is killed leaves locks in shared memory, for which others wait
            process.terminate()
            try:
                process.wait(_LATEST_END)
            except subprocess.TimeoutExpired:
                process.kill()


if __name__ == '__main__':
    ABUSES[sys.argv[1]](Abuser())
