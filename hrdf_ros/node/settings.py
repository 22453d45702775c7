# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The node's parameters: their types, defaults, descriptions and accepted values."""

from collections.abc import Mapping, Sequence
import os
from typing import Any, NamedTuple

from hrdf_ros.diagnostics import printable
from hrdf_ros.limits import parse_limit, ResourceLimits
from hrdf_ros.model import FRAME_KINDS
from hrdf_ros.readers.api import NAMINGS, Options
from hrdf_ros.resolve import Packages

PACKAGE = 'package://'
"""The prefix of URIs of files in packages."""
_FREQUENCIES = 1e-6, 1e6
"""
The bounds of ``publish_frequency`` in Hz, unless it is 0; its period must be a representable
number of nanoseconds.
"""
_DAY = 86_400.0
"""The upper bound of ``history_duration`` and ``request_timeout``: a day, in seconds."""


class Settings(NamedTuple):
    """The values of the parameters, with their defaults."""

    model: str = ''
    robot_description: str = ''
    use_robot_description_topic: bool = False
    path: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    model_name: str = ''
    naming: str = 'default'
    joint_names: tuple[str, ...] = ()
    frame_prefix: str = ''
    publish_frequency: float = 20.0
    ignore_timestamp: bool = False
    publish_frames: str = 'bodies'
    publish_initial: bool = False
    history_duration: float = 10.0
    watch: bool = False
    allowed_roots: tuple[str, ...] = ()
    urdf_extra: str = ''
    root_link: str = ''
    rviz_compatible: bool = False
    actuated_joints: tuple[str, ...] = ()
    xacro_arguments: tuple[str, ...] = ()
    resource_limits: tuple[str, ...] = ()
    request_timeout: float = 30.0
    isolation: str = 'process'
    robots: str = ''

    @property
    def is_described(self) -> bool:
        """Whether the parameters describe a robot; otherwise the topic describes it."""
        return bool(self.model or self.robot_description)

    @property
    def package_directories(self) -> dict[str, str]:
        """The directories in ``packages`` by package name."""
        return dict(entry.split('=', 1) for entry in self.packages)

    @property
    def xacro_values(self) -> dict[str, str]:
        """The values in ``xacro_arguments`` by the argument's name."""
        return dict(entry.split(':=', 1) for entry in self.xacro_arguments)

    @property
    def limits(self) -> ResourceLimits:
        """The resource limits of every load."""
        return ResourceLimits(**dict(map(parse_limit, self.resource_limits)))

    @property
    def load_options(self) -> Options:
        """The options with which descriptions are loaded."""
        return Options(
            path=self.path, packages=self.package_directories,
            model_name=self.model_name or None, naming=self.naming,
            joint_names=self.joint_names, limits=self.limits,
            xacro_arguments=self.xacro_values)

    @property
    def file(self) -> str:
        """The path of ``model``; a ``package://`` URI is resolved if its package is known."""
        if not self.model.startswith(PACKAGE):
            return os.path.expanduser(self.model)
        from urllib.parse import unquote  # it takes 2 ms, and few models are such URIs
        package, _, below = self.model.removeprefix(PACKAGE).partition('/')
        share = Packages(self.package_directories, os.environ, roots=None).share(package)
        return self.model if share is None else os.path.join(share, unquote(below))


DESCRIPTIONS = {
    'model': 'path or package:// URI of the robot file, in any format, or a .cfg.yaml of HEBI',
    'robot_description':
        'the robot as text; of it and model the last one set counts; reads as what is published',
    'use_robot_description_topic':
        'take the robot from the topic robot_description and publish nothing there',
    'path': 'directories for model:// and plain URIs',
    'packages': 'directories of packages as NAME=DIR, ahead of the ament index',
    'model_name': 'the name of one model of a world',
    'naming': 'default, or hebi for the names of hebi_description',
    'joint_names': 'names of the coordinates in their order',
    'frame_prefix': 'prefix of every frame name',
    'publish_frequency': 'maximum rate of /tf in Hz, 0 for every message',
    'ignore_timestamp': 'publish regardless of the stamps of joint_states',
    'publish_frames':
        'frames on TF and in the URDF: bodies, all, or kinds to add such as output,sensor',
    'publish_initial':
        'show unreported floating, planar and ball joints at their initial pose',
    'history_duration': 'how long joint states are kept for lookups, in seconds',
    'watch': 'reload when a file of the model changes',
    'allowed_roots': 'more directories that validate and convert may read',
    'urdf_extra': 'path of a file with blocks to merge into robot_description',
    'root_link': 'name of a massless link to add above a root link with inertia',
    'rviz_compatible':
        'publish a URDF as version 1.0, files that RViz cannot resolve by file://',
    'actuated_joints':
        'actuated coordinates of closed loops; default: those reported, nearest to the root',
    'xacro_arguments': 'arguments of a xacro file as NAME:=VALUE',
    'resource_limits': 'resource limits of a load as NAME=NUMBER, see docs/security.md',
    'request_timeout': 'seconds that a load, validate or convert may wait and run',
    'isolation': 'process: a worker process reads files and texts; none: the node does',
    'robots': 'a YAML file with the robots of a fleet, which this process serves',
}
"""The description of each parameter, for ``ros2 param describe`` and the launch files."""
READ_ONLY = frozenset(('isolation', 'robots', 'use_robot_description_topic'))
"""The parameters that are only read at the start."""
RELOADING = frozenset(Settings._fields) - READ_ONLY - {
    'publish_frequency', 'ignore_timestamp', 'publish_initial', 'watch', 'allowed_roots',
    'request_timeout'}
"""The parameters whose change loads the description again."""


class BadSetting(ValueError):
    """A parameter has an invalid value; the message has its name and the reason."""


def changed(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Return the settings with these values; an invalid value raises BadSetting."""
    known = {name: value for name, value in values.items() if name in Settings._fields}
    for name, value in known.items():
        known[name] = _fitting(name, value, getattr(settings, name))
    new = settings._replace(**known)
    for fits, message in (
        (new.naming in NAMINGS, 'naming must be default or hebi'),
        (new.publish_frames in ('bodies', 'all')
         or all(kind in FRAME_KINDS for kind in new.publish_frames.split(',')),
         f"publish_frames must be bodies, all, or some of {','.join(FRAME_KINDS)}"),
        (new.publish_frequency == 0.0
         or _FREQUENCIES[0] <= new.publish_frequency <= _FREQUENCIES[1],
         'publish_frequency must be 0, or from {:f} to {:.0f}'.format(*_FREQUENCIES)),
        (0.0 <= new.history_duration <= _DAY, f'history_duration must be from 0 to {_DAY:.0f}'),
        (0.0 < new.request_timeout <= _DAY,
         f'request_timeout must be more than 0 and at most {_DAY:.0f}'),
        (new.isolation in ('process', 'none'), 'isolation must be process or none'),
        (all('=' in entry for entry in new.packages), 'packages must be a list of NAME=DIR'),
        (all(entry.partition(':=')[0].isidentifier() and ':=' in entry
             for entry in new.xacro_arguments), 'xacro_arguments must be a list of NAME:=VALUE'),
        (not new.urdf_extra or os.path.isfile(new.urdf_extra),
         f'urdf_extra: the file {new.urdf_extra} does not exist'),
    ):
        _require(fits, message)
    try:
        limits = new.limits
    except ValueError as error:
        raise BadSetting(f'resource_limits: {error}') from None
    for name in ('frame_prefix', 'root_link'):
        text: str = getattr(new, name)
        _require(
            len(text) <= limits.name_length,
            f'{name} must have at most {limits.name_length} characters')
        _require(
            printable(text) == text, f'{name} must have no line breaks or control characters')
    return new


def typed(name: str, text: str) -> Any:
    """Return the value of a parameter that is given as text."""
    default = Settings._field_defaults.get(name)
    if isinstance(default, bool):
        return {'true': True, 'false': False}.get(text.lower(), text)
    try:
        return float(text) if isinstance(default, float) else text
    except ValueError:
        return text


def _fitting(name: str, value: Any, present: Any) -> Any:
    """Return a value in the type of its setting; lists lose their empty entries."""
    if isinstance(present, float) and type(value) is int:
        return float(value)
    if not isinstance(present, tuple):
        _require(isinstance(value, type(present)), f'{name} must be a {type(present).__name__}')
        return value
    is_list = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    _require(
        is_list and all(isinstance(entry, str) for entry in value),
        f'{name} must be a list of strings')
    return tuple(entry for entry in value if entry)


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise BadSetting(message)
