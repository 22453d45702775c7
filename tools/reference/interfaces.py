# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The page of topics and services; the interfaces are those of the interface files."""

from __future__ import annotations

from pathlib import Path
import re

from reference.markdown import code, table, text

_INTERFACES = Path(__file__).resolve().parents[2] / 'hrdf_ros_interfaces'
_FIELD = re.compile(r'^(?P<type>\S+)\s+(?P<name>\w+(?:\s*=\s*\S+)?)\s*(?:#\s*(?P<doc>.*))?$')
TOPICS = (
    ('robot_description', 'std_msgs/msg/String', 'published, transient local',
     'the URDF; one that came in goes out byte for byte. If neither `model` nor '
     '`robot_description` is set, or with `use_robot_description_topic`, the node subscribes to '
     'this topic instead'),
    ('/tf', 'tf2_msgs/msg/TFMessage', 'published',
     'the links that `joint_states` moves, with the stamp of the message'),
    ('/tf_static', 'tf2_msgs/msg/TFMessage', 'published, transient local',
     'the links that nothing moves, end effectors included'),
    ('/diagnostics', 'diagnostic_msgs/msg/DiagnosticArray', 'published once a second',
     'diagnostics of the description, unknown joints, limits, loops'),
    ('joint_states', 'sensor_msgs/msg/JointState', 'subscribed, sensor data QoS',
     'positions by the names of the coordinates'),
    ('multi_dof_joint_states', 'sensor_msgs/msg/MultiDOFJointState',
     'subscribed, sensor data QoS', 'ball, planar and free joints by their transform'),
)
OTHER_SERVICES = (
    ('~/reload', 'std_srvs/srv/Trigger',
     'Read the description again; one with errors is rejected and the last valid one stays.'),
)
ACTIONS = (
    ('~/tf2_buffer_server', 'tf2_msgs/action/LookupTransform',
     'Transforms by name or tag, for `tf2_ros.BufferClient`.'),
)
_HEAD = """\
# Topics and services

Generated from the interface files in `hrdf_ros_interfaces`. `~` is the name of the node,
`/hrdf_ros` unless it is started under another one.

## Topics

"""
_QOS = """
The QoS of a topic can be changed with the usual `qos_overrides` parameters.

## Services and actions

"""


def services() -> list[tuple[str, str, str]]:
    """Return name, type and meaning of every service of the node."""
    own = [(f'~/{_snake(file.stem)}', f'hrdf_ros_interfaces/srv/{file.stem}', _summary(file))
           for file in sorted((_INTERFACES / 'srv').glob('*.srv'))]
    return [*own, *OTHER_SERVICES]


def interfaces_page() -> str:
    """Return the page: topics, services, and each interface with its fields."""
    topics = [(code(name), code(kind), way, meaning) for name, kind, way, meaning in TOPICS]
    asked = [(code(name), code(kind), text(meaning))
             for name, kind, meaning in (*services(), *ACTIONS)]
    files = [*sorted((_INTERFACES / 'srv').glob('*.srv')),
             *sorted((_INTERFACES / 'msg').glob('*.msg'))]
    return (_HEAD + table(('topic', 'type', '', ''), topics) + _QOS
            + table(('name', 'type', ''), asked) + '\n'
            + '\n'.join(map(_interface, files)))


def _snake(name: str) -> str:
    return re.sub(r'(?<!^)(?=[A-Z])', '_', name).lower()


def _summary(file: Path) -> str:
    return file.read_text(encoding='utf-8').splitlines()[0].removeprefix('# ')


def _interface(file: Path) -> str:
    """Return the section of one interface file."""
    parts = file.read_text(encoding='utf-8').split('\n---\n')
    titles = ('Request', 'Response') if file.suffix == '.srv' else ('',)
    section = f'## {file.stem}.{file.suffix[1:]}\n\n{text(_summary(file))}\n'
    for title, part in zip(titles, parts):
        section += f'\n**{title}**\n' if title else ''
        section += '\n' + table(('field', 'type', 'means'), _fields(part))
    return section


def _fields(part: str) -> list[tuple[str, str, str]]:
    found = [_FIELD.match(line.strip()) for line in part.splitlines()
             if line.strip() and not line.startswith('#')]
    return [(code(match['name']), code(match['type']), text(match['doc'] or ''))
            for match in found if match is not None]
