# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A fleet: a node for each robot of a YAML file, all in one process.

    robots:
      - {namespace: left, model: arm.hrdf, prefix: left/}
      - {namespace: right, model: arm.hrdf, prefix: right/, publish_frequency: 50}

``prefix`` is the parameter frame_prefix; every other parameter of the node may follow. Relative
paths begin at the file's directory. The robots share the worker. A robot whose description has
errors waits for its reload; the others go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import os
import re
from typing import Any, NamedTuple

from hrdf_ros.diagnostics import printable
from hrdf_ros.file_reader import open_regular
from hrdf_ros.limits import FLEET_BYTES
from hrdf_ros.node.node import FleetRequested, HrdfNode
from hrdf_ros.node.settings import BadSetting, changed, Settings
from hrdf_ros.node.texts import listed, one_line
from hrdf_ros.node.worker import make_worker, Worker
from hrdf_ros.parsing.suggestions import closest
from rclpy.exceptions import ParameterException
from rclpy.logging import get_logger
from rclpy.parameter import Parameter
import yaml

_SHOWN_ERRORS = 20
_NAMESPACE = re.compile(r'/?[A-Za-z]\w*(/[A-Za-z]\w*)*', re.ASCII)
_OF_THE_PROCESS = ('isolation', 'robots')
_KEYS = ('namespace', 'prefix', *(
    name for name in Settings._fields if name not in ('frame_prefix', *_OF_THE_PROCESS)))
_PATHS = ('model', 'urdf_extra', 'path', 'allowed_roots')


class FleetError(BadSetting):
    """A fleet that cannot be started; the message has a line for each error."""


class FleetRobot(NamedTuple):
    """A robot of a fleet: its namespace, and its parameters."""

    namespace: str
    parameters: dict[str, Any]


# ---- the nodes

def start_fleet(request: FleetRequested, started: Worker) -> list[HrdfNode]:
    """Return a node for each robot of a file; raise FleetError if there is none."""
    robots = read_fleet(request.settings.robots)
    logger = get_logger('hrdf_ros')
    warning = shared_prefixes(robots)
    if warning:
        logger.warning(one_line(warning))
    worker, nodes = make_worker(request.settings.isolation, started), []
    for robot in robots:
        try:
            nodes.append(_make_node(robot, request, worker))
        except (BadSetting, ParameterException) as error:
            logger.error(one_line(f'the robot {robot.namespace} is not served: {error}'))
    if not nodes:
        raise FleetError('none of the robots can be served')
    logger.info(f'serving {len(nodes)} of {len(robots)} robots')
    return nodes


def _make_node(robot: FleetRobot, request: FleetRequested, worker: Worker) -> HrdfNode:
    """Return the node of a robot; its defaults are the parameters of the process."""
    name = robot.namespace
    namespace = name if name.startswith('/') else f'{request.namespace.rstrip("/")}/{name}'
    defaults = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in request.settings._asdict().items()
        if key != 'robots' and value != Settings._field_defaults[key]}
    return HrdfNode(
        worker, in_fleet=True, cli_args=['--ros-args', '-r', f'__ns:={namespace}'],
        parameter_overrides=[
            Parameter(key, value=value)
            for key, value in {**defaults, **robot.parameters}.items()])


def shared_prefixes(robots: Sequence[FleetRobot]) -> str:
    """Name the robots with the same prefix, whose frames TF cannot tell apart; '' if none."""
    by_prefix: dict[str, list[str]] = {}
    for robot in robots:
        by_prefix.setdefault(robot.parameters.get('frame_prefix', ''), []).append(robot.namespace)
    return '; '.join(
        f"the robots {listed(namespaces)} have the same prefix '{printable(prefix)}'"
        for prefix, namespaces in by_prefix.items() if len(namespaces) > 1)


# ---- the file

class _Fault(ValueError):
    """An error at a YAML node or mark."""

    def __init__(self, place: Any, message: str) -> None:
        mark = getattr(place, 'start_mark', place)
        where = '' if mark is None else f':{mark.line + 1}:{mark.column + 1}: error'
        super().__init__(f'{where}: {message}')


def read_fleet(file: str) -> list[FleetRobot]:
    """Return the robots of a file; raise FleetError with the first error of each robot."""
    directory = os.path.dirname(os.path.abspath(file))
    robots: dict[str, FleetRobot] = {}
    faults: list[_Fault] = []
    try:
        for entry in _entries(_compose(file)):
            try:
                robot = _robot(entry, directory)
                name = robot.namespace.strip('/')
                if name in robots:
                    raise _Fault(entry, f"duplicate namespace '{name}'")
                robots[name] = robot
            except _Fault as fault:
                faults.append(fault)
    except _Fault as fault:
        faults.append(fault)
    if faults:
        more = len(faults) - _SHOWN_ERRORS
        raise FleetError('\n'.join([
            *(f'{file}{fault}' for fault in faults[:_SHOWN_ERRORS]),
            *([f'and {more} more errors'] if more > 0 else [])]))
    return list(robots.values())


def _compose(file: str) -> yaml.Node:
    """Return the YAML nodes of a file, which know their place."""
    try:
        with open_regular(file) as stream:
            data = stream.read(FLEET_BYTES + 1)
        if len(data) > FLEET_BYTES:
            raise _Fault(None, f'the file is larger than {FLEET_BYTES} bytes')
        root = yaml.compose(data, yaml.SafeLoader)
    except OSError as error:
        raise _Fault(None, str(error.strerror)) from None
    except yaml.MarkedYAMLError as error:
        raise _Fault(error.problem_mark or error.context_mark,
                     f'not YAML: {error.problem or error.context}') from None
    except (yaml.YAMLError, RecursionError) as error:
        raise _Fault(None, f'not YAML: {printable(str(error))}') from None
    if root is None:
        raise _Fault(None, "the file is empty; it must have a list 'robots'")
    return root


def _entries(root: yaml.Node) -> list[yaml.Node]:
    """Return the entries of ``robots``."""
    found = dict(_items(root, ('robots',), 'the file must be a mapping with the key robots'))
    robots = found.get('robots')
    if robots is None:
        raise _Fault(root, "there is no list 'robots'")
    if not isinstance(robots, yaml.SequenceNode) or not robots.value:
        raise _Fault(robots, 'robots must be a list with at least one robot')
    entries: list[yaml.Node] = robots.value
    return entries


def _robot(entry: yaml.Node, directory: str) -> FleetRobot:
    values = {
        name: _value(name, node, directory)
        for name, node in _items(entry, _KEYS, 'a robot must be a mapping with a namespace')}
    namespace = values.pop('namespace', None)
    if not isinstance(namespace, str) or not _NAMESPACE.fullmatch(namespace):
        given = '' if namespace is None else f", not '{printable(str(namespace))}'"
        raise _Fault(entry, f'a robot requires a namespace of letters, digits, _ and /{given}')
    if 'prefix' in values:
        values['frame_prefix'] = values.pop('prefix')
    try:  # a file that does not exist stops its robot only
        changed(Settings(), {**values, 'urdf_extra': ''})
    except BadSetting as error:
        raise _Fault(entry, str(error)) from None
    return FleetRobot(namespace, values)


def _items(
    node: yaml.Node, known: Sequence[str], otherwise: str,
) -> Iterator[tuple[str, yaml.Node]]:
    """Yield the keys and values of a mapping, all keys known and different."""
    if not isinstance(node, yaml.MappingNode):
        raise _Fault(node, otherwise)
    seen: set[str] = set()
    for key, value in node.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else ''
        if name in _OF_THE_PROCESS and name not in known:
            raise _Fault(key, f"'{name}' is for all robots: set it as a parameter")
        if name not in known:
            near = 'prefix' if name == 'frame_prefix' else closest(name, known)
            hint = '' if near is None else f"; did you mean '{near}'?"
            raise _Fault(key, f"unknown key '{printable(name)}'{hint}")
        if name in seen:
            raise _Fault(key, f"duplicate '{name}'")
        seen.add(name)
        yield name, value


def _value(name: str, node: yaml.Node, directory: str) -> Any:
    """Return a scalar or a list of scalars; a number that stands for a text is kept as written."""
    if isinstance(node, yaml.SequenceNode):
        if not all(isinstance(each, yaml.ScalarNode) for each in node.value):
            raise _Fault(node, f'{name} must be a list of scalars')
        return [_value(name, each, directory) for each in node.value]
    if not isinstance(node, yaml.ScalarNode):
        raise _Fault(node, f'{name} must not be a mapping')
    text: str = node.value
    if name in _PATHS and text and '://' not in text and '\0' not in text:
        return os.path.join(directory, os.path.expanduser(text))
    if not isinstance(getattr(Settings(), name, ''), (bool, float)):
        return text
    try:
        return yaml.SafeLoader('').construct_object(node)
    except (yaml.YAMLError, AttributeError, LookupError, ValueError):  # !!bool foo, !!int _
        raise _Fault(node, f"{name}: '{printable(text)}' is not a value") from None
