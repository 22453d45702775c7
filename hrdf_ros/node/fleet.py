# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A fleet: a node for each robot of a YAML file, all in one process.

    robots:
      - {namespace: left, model: arm.hrdf, prefix: left/}
      - {namespace: right, model: arm.hrdf, prefix: right/, publish_frequency: 50}

``prefix`` is the parameter frame_prefix; every other parameter of the node may follow. Paths are
relative to the file's directory. The robots share the worker. A robot whose description has
errors waits until it is reloaded; the others continue.
"""

from __future__ import annotations

from itertools import groupby
import os
import re
from typing import Any

from hrdf_ros.data_files import parse_yaml
from hrdf_ros.diagnostics import printable, Report
from hrdf_ros.listing import and_more
from hrdf_ros.names import is_namespace
from hrdf_ros.node.log_text import listed, one_line, SHOWN
from hrdf_ros.node.node import HrdfNode
from hrdf_ros.node.settings import BadSetting, changed, READ_ONLY, Settings, typed
from hrdf_ros.node.worker import Worker
from hrdf_ros.parsing.suggestions import suggestion
from hrdf_ros.resolve import Resolver
from rclpy.exceptions import ParameterException
from rclpy.logging import get_logger
from rclpy.parameter import Parameter
import yaml

_KEYS = ('namespace', 'prefix', *(
    name for name in Settings._fields if name not in {'frame_prefix', *READ_ONLY}))
_PATHS = ('model', 'urdf_extra', 'path', 'allowed_roots')
"""The keys whose values are paths."""
_NO_TEXT = re.compile('[\0\ud800-\udfff]')
"""The characters that YAML may have and no parameter."""
Parameters = dict[str, Any]


def start_fleet(process: HrdfNode, worker: Worker) -> list[HrdfNode]:
    """
    Return a node for each robot of a file; raise BadSetting if none can be served.

    ``process`` has the namespace and the default parameters of all robots; it is destroyed here.
    """
    settings, above = process.settings, process.get_namespace().rstrip('/')
    process.destroy_node()
    robots, logger = read_fleet(settings.robots), get_logger('hrdf_ros')
    defaults = {
        key: value for key, value in settings._asdict().items()
        if key != 'robots' and value != Settings._field_defaults[key]}
    names = sorted(robots, key=lambda name: robots[name].get('frame_prefix', ''))
    for prefix, group in groupby(names, lambda name: robots[name].get('frame_prefix', '')):
        if len(alike := list(group)) > 1:
            logger.warning(one_line(f"the robots {listed(alike)} have the same prefix '{prefix}'"))
    nodes = []
    for name, parameters in robots.items():
        namespace = name if name.startswith('/') else f'{above}/{name}'
        try:
            node = HrdfNode(
                worker, cli_args=['--ros-args', '-r', f'__ns:={namespace}'],
                parameter_overrides=[
                    Parameter(key, value=value)
                    for key, value in {**defaults, **parameters}.items()])
            node.start(required=False)
            nodes.append(node)
        except (BadSetting, ParameterException) as error:
            logger.error(one_line(f'the robot {name} is not served: {error}'))
    if not nodes:
        raise BadSetting('none of the robots can be served')
    logger.info(f'serving {len(nodes)} of {len(robots)} robots')
    return nodes


# ---- the file

def read_fleet(file: str) -> dict[str, Parameters]:
    """
    Return the parameters of each robot by namespace.

    If a robot has an error, BadSetting is raised with the first error of each robot.
    """
    report = Report()
    source = Resolver().read(file, report)
    content = None if source is None else parse_yaml(source, report)
    if content is None:
        raise BadSetting(str(report.first_error))
    match content.root:
        case yaml.MappingNode(value=[(yaml.ScalarNode(value='robots'), yaml.SequenceNode(
                value=[_, *_] as entries))]):
            pass
        case _:
            raise BadSetting(f"{file}: the file must have a list 'robots', and nothing else")
    directory = os.path.dirname(os.path.abspath(file))
    robots: dict[str, Parameters] = {}
    names, errors = set[str](), []
    for entry in entries:
        try:
            namespace, parameters = _robot(entry, directory)
            if namespace.strip('/') in names:
                raise BadSetting(f"duplicate namespace '{namespace}'")
            names.add(namespace.strip('/'))
            robots[namespace] = parameters
        except BadSetting as error:
            errors.append(f'{content.locate(entry).resolve()}: error: {error}')
    if errors:
        more = [and_more(len(errors) - SHOWN, 'errors')] if len(errors) > SHOWN else []
        raise BadSetting('\n'.join(errors[:SHOWN] + more))
    return robots


def _robot(entry: yaml.Node, directory: str) -> tuple[str, Parameters]:
    """Return the namespace and the parameters of an entry; a fault raises BadSetting."""
    pairs = entry.value if isinstance(entry, yaml.MappingNode) else []
    if not all(isinstance(key, yaml.ScalarNode) for key, _ in pairs):
        raise BadSetting('a key must be a scalar')
    values = {key.value: node for key, node in pairs}
    for name in values:
        if name not in _KEYS:
            raise BadSetting(f"unknown key '{printable(name)}'{suggestion(name, _KEYS)}")
    if len(values) < len(pairs):
        raise BadSetting('duplicate key')
    given = {
        'frame_prefix' if name == 'prefix' else name: _value(name, node, directory)
        for name, node in values.items()}
    namespace = given.pop('namespace', None)
    if not isinstance(namespace, str) or not is_namespace(namespace):
        raise BadSetting('a robot requires a namespace of letters, digits, _ and /')
    changed(Settings(), {**given, 'urdf_extra': ''})  # a missing file only stops its own robot
    return namespace, given


def _value(name: str, node: yaml.Node, directory: str) -> Any:
    """Return a scalar, or a list of scalars."""
    if isinstance(node, yaml.SequenceNode) and all(
            isinstance(each, yaml.ScalarNode) for each in node.value):
        return [_value(name, each, directory) for each in node.value]
    if not isinstance(node, yaml.ScalarNode):
        raise BadSetting(f'{name} must be a scalar or a list of scalars')
    if _NO_TEXT.search(node.value):
        raise BadSetting(f'{name} has a character that no parameter can have')
    if name in _PATHS and node.value and '://' not in node.value:
        return os.path.join(directory, os.path.expanduser(node.value))
    return typed(name, node.value)
