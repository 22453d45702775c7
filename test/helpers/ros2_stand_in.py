# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A stand-in for the command `ros2`, which a ROS 2 from PyPI does not have.

It does what the pages use, with the output of the real command: `ros2 run`, `service call`, `topic
pub --once`, `topic echo --once` and `param set`; `ros2 launch` starts what hrdf.launch.py starts.
The tests use the real command if it is installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
import json
import os
from pathlib import Path
import sys
import time
from types import ModuleType, SimpleNamespace
from typing import Any

_NODE = 'hrdf_node'
_TIMEOUT = 200.0
"""The seconds that an answer may take."""


def main(words: list[str]) -> int:
    """Do what a command line says; return the exit status."""
    if words[:2] == ['run', 'hrdf_ros']:
        os.execvp(words[2], words[2:])
    if words[:3] == ['launch', 'hrdf_ros', 'hrdf.launch.py']:
        os.execvp(_NODE, [_NODE, '--ros-args', *_launched(words[3:])])
    does = {('service', 'call'): _call, ('topic', 'pub'): _publish, ('topic', 'echo'): _echo,
            ('param', 'set'): _set_parameter}[words[0], words[1]]
    import rclpy
    rclpy.init()
    node = rclpy.create_node('ros2_stand_in')
    try:
        return does(rclpy, node, [word for word in words[2:] if word != '--once'])
    finally:
        node.destroy_node()
        rclpy.shutdown()


def _launched(words: list[str]) -> list[str]:
    """Return the ROS arguments that the launch file gives to the node; launch is not needed."""
    for name in ('launch', 'launch.actions', 'launch_ros', 'launch_ros.actions',
                 'launch_ros.parameter_descriptions'):
        sys.modules[name] = ModuleType(name)
    actions, described = (
        sys.modules[f'launch_ros.{name}'] for name in ('actions', 'parameter_descriptions'))
    vars(sys.modules['launch.actions'])['DeclareLaunchArgument'] = object
    vars(actions)['Node'] = SimpleNamespace
    vars(described)['ParameterValue'] = lambda value, value_type: value
    from hrdf_ros.node.launching import node
    file = Path(__file__).resolve().parents[2] / 'config' / 'hrdf_ros.yaml'
    given = {'namespace': '', 'params_file': str(file), 'use_sim_time': 'false'}
    given.update(word.split(':=', 1) for word in words)
    parameters = node(given).parameters[2]
    return ['--params-file', str(file), *(
        word for name, value in parameters.items()
        for word in ('-p', f'{name}:={json.dumps(value)}'))]


def _type(name: str) -> Any:
    package, kind, interface = name.split('/')
    return getattr(import_module(f'{package}.{kind}'), interface)


def _fill(message: Any, values: Mapping[str, Any]) -> None:
    """Set the fields of a message from YAML's mappings, lists and values."""
    for name, value in values.items():
        present = getattr(message, name)
        if isinstance(value, Mapping):
            _fill(present, value)
        else:
            setattr(message, name, value if isinstance(value, list) else type(present)(value))


def _read(text: str) -> Mapping[str, Any]:
    import yaml
    return yaml.safe_load(text) or {}


def _ask(rclpy: Any, node: Any, kind: Any, name: str, request: Any) -> Any:
    client = node.create_client(kind, name)
    assert client.wait_for_service(_TIMEOUT), f'there is no service {name}'
    future = client.call_async(request)
    rclpy.spin_until_future_complete(node, future, timeout_sec=_TIMEOUT)
    return future.result()


def _call(rclpy: Any, node: Any, words: list[str]) -> int:
    kind = _type(words[1])
    request = kind.Request()
    _fill(request, _read(words[2] if len(words) > 2 else ''))
    print(f'requester: making request: {request!r}\n', flush=True)
    print(f'response:\n{_ask(rclpy, node, kind, words[0], request)!r}\n')
    return 0


def _publish(rclpy: Any, node: Any, words: list[str]) -> int:
    message = _type(words[1])()
    _fill(message, _read(words[2]))
    publisher = node.create_publisher(type(message), words[0], 10)
    end = time.monotonic() + _TIMEOUT
    while not publisher.get_subscription_count() and time.monotonic() < end:
        rclpy.spin_once(node, timeout_sec=0.1)
    print(f'publisher: beginning loop\npublishing #1: {message!r}\n')
    for _ in range(20):  # a subscription may discover the publisher later
        publisher.publish(message)
        time.sleep(0.1)
    return 0


def _echo(rclpy: Any, node: Any, words: list[str]) -> int:
    from rclpy.qos import DurabilityPolicy, QoSProfile
    received: list[Any] = []
    field = words[words.index('--field') + 1] if '--field' in words else ''
    latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    node.create_subscription(_type(words[1]), words[0], received.append, latched)
    end = time.monotonic() + _TIMEOUT
    while not received and time.monotonic() < end:
        rclpy.spin_once(node, timeout_sec=0.1)
    print(getattr(received[0], field) if field else received[0])
    print('---')
    return 0


def _set_parameter(rclpy: Any, node: Any, words: list[str]) -> int:
    from rcl_interfaces.srv import SetParameters
    from rclpy.parameter import Parameter
    import yaml
    name, value = words[1], yaml.safe_load(words[2])
    request = SetParameters.Request(parameters=[Parameter(name, value=value).to_parameter_msg()])
    [result] = _ask(
        rclpy, node, SetParameters, f'{words[0]}/set_parameters', request).results
    print('Set parameter successful' if result.successful
          else f'Setting parameter failed: {result.reason}')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
