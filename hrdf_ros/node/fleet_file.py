# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The file of a fleet: the robots that one process serves.

    robots:
      - {namespace: left, model: arm.hrdf, prefix: left/}
      - {namespace: right, model: arm.hrdf, prefix: right/, publish_frequency: 50}

``prefix`` is the parameter frame_prefix; every other parameter of the node may follow. Relative
paths begin at the file's directory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import os
import re
from typing import Any, NamedTuple, Optional

from hrdf_ros.diagnostics import printable
from hrdf_ros.file_reader import open_regular
from hrdf_ros.node.settings import BadSetting, changed, Settings
from hrdf_ros.node.shared import FleetError
from hrdf_ros.node.texts import listed
from hrdf_ros.parsing.suggestions import closest
import yaml

_MAX_BYTES = 1 << 20
_MAX_ROBOTS = 1000
_MAX_VALUES = 100_000
"""Values of all robots together: with aliases a short file can have any number of them."""
_MAX_ERRORS = 20
_NAMESPACE = re.compile(r'/?[A-Za-z]\w*(/[A-Za-z]\w*)*', re.ASCII)
_OF_THE_PROCESS = ('isolation', 'robots')
_KEYS = ('namespace', 'prefix', *(
    name for name in Settings._fields if name not in ('frame_prefix', *_OF_THE_PROCESS)))
_PATHS = ('model', 'urdf_extra')
_LISTS_OF_PATHS = ('path', 'allowed_roots')


class FleetRobot(NamedTuple):
    """A robot of a fleet: its namespace, and the parameters that it is given."""

    namespace: str
    parameters: dict[str, Any]

    @property
    def prefix(self) -> str:
        """The prefix of its frames."""
        return str(self.parameters.get('frame_prefix', ''))


def read_fleet(file: str) -> tuple[FleetRobot, ...]:
    """Return the robots of a file; raise FleetError with the place of each error."""
    reader = _Reader(file)
    robots = reader.robots()
    if reader.errors:
        more = len(reader.errors) - _MAX_ERRORS
        lines = reader.errors[:_MAX_ERRORS] + ([f'and {more} more errors'] if more > 0 else [])
        raise FleetError('\n'.join(lines))
    return robots


def shared_prefixes(robots: Sequence[FleetRobot]) -> str:
    """Say which robots have the same prefix, so that TF cannot tell their frames; '' if none."""
    by_prefix: dict[str, list[str]] = {}
    for robot in robots:
        by_prefix.setdefault(robot.prefix, []).append(robot.namespace)
    return '; '.join(
        f"the robots {listed(namespaces)} have the same prefix '{printable(prefix)}'"
        for prefix, namespaces in by_prefix.items() if len(namespaces) > 1)


class _Reader:
    """Turns YAML nodes, which know their place, into robots."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._directory = os.path.dirname(os.path.abspath(file))
        self._values = 0
        self.errors: list[str] = []

    def robots(self) -> tuple[FleetRobot, ...]:
        """Return all robots without errors."""
        root = self._root()
        if root is None:
            return ()
        entries = self._entries(root)
        if entries is None:
            return ()
        robots, seen = [], dict[str, int]()
        for entry in entries:
            if self._values > _MAX_VALUES:
                break
            robot = self._robot(entry)
            if robot is None:
                continue
            name = robot.namespace.strip('/')
            if name in seen:
                self._error(entry, f"duplicate namespace '{name}', first on line {seen[name]}")
            seen.setdefault(name, entry.start_mark.line + 1)
            robots.append(robot)
        return tuple(robots)

    def _root(self) -> Optional[yaml.Node]:
        """Return what the file contains, None with an error."""
        try:
            with open_regular(self._file) as stream:
                data = stream.read(_MAX_BYTES + 1)
            if len(data) > _MAX_BYTES:
                raise FleetError(f'the file is larger than {_MAX_BYTES} bytes')
            root: Optional[yaml.Node] = yaml.compose(data, yaml.SafeLoader)
        except OSError as error:
            raise FleetError(f'{self._file}: {error.strerror}') from None
        except FleetError as error:
            raise FleetError(f'{self._file}: {error}') from None
        except yaml.MarkedYAMLError as error:
            place = error.problem_mark or error.context_mark
            self._error(place, f'not YAML: {error.problem or error.context}')
            return None
        except (yaml.YAMLError, RecursionError, ValueError) as error:
            raise FleetError(f'{self._file}: not YAML: {printable(str(error))}') from None
        if root is None:
            raise FleetError(f"{self._file}: the file is empty; it must have a list 'robots'")
        return root

    def _entries(self, root: yaml.Node) -> Optional[list[yaml.Node]]:
        """Return the entries of ``robots``."""
        entries = None
        for key, value in self._items(root, 'the file must be a mapping with the key robots'):
            if key.value != 'robots':
                self._unknown(key, ('robots',))
            elif not isinstance(value, yaml.SequenceNode) or not value.value:
                self._error(value, 'robots must be a list with at least one robot')
            else:
                entries = value.value
        if entries is None and not self.errors:
            self._error(root, "there is no list 'robots'")
        if entries is not None and len(entries) > _MAX_ROBOTS:
            self._error(entries[_MAX_ROBOTS], f'there are more than {_MAX_ROBOTS} robots')
            return None
        return entries

    def _robot(self, entry: yaml.Node) -> Optional[FleetRobot]:
        """Return the robot of an entry, None with an error."""
        before = len(self.errors)
        values: dict[str, Any] = {}
        for key, value in self._items(entry, 'a robot must be a mapping with a namespace'):
            name = key.value
            if name in _OF_THE_PROCESS:
                self._error(key, f"'{name}' is for all robots: set it as a parameter")
            elif name not in _KEYS:
                self._unknown(key, _KEYS)
            else:
                values[name] = self._value(name, value)
        if len(self.errors) > before:
            return None
        namespace = values.pop('namespace', None)
        if not isinstance(namespace, str) or not _NAMESPACE.fullmatch(namespace):
            self._error(entry, 'a robot requires a namespace of letters, digits, _ and /'
                        + ('' if namespace is None else f", not '{printable(str(namespace))}'"))
            return None
        if 'prefix' in values:
            values['frame_prefix'] = values.pop('prefix')
        self._check(entry, values)
        return None if len(self.errors) > before else FleetRobot(namespace, values)

    def _check(self, entry: yaml.Node, values: dict[str, Any]) -> None:
        """Report values that the node would refuse; a missing file is its robot's affair."""
        given = {name: value for name, value in values.items() if name != 'urdf_extra'}
        try:
            changed(Settings(), given)
        except BadSetting as error:
            self._error(entry, str(error))

    def _value(self, name: str, node: yaml.Node) -> Any:
        """Return a value: a scalar or a list of them; paths begin at the file's directory."""
        if isinstance(node, yaml.SequenceNode):
            self._values += len(node.value)
            if self._values > _MAX_VALUES:
                self._error(node, f'the robots have more than {_MAX_VALUES} values')
                return ()
            if not all(isinstance(each, yaml.ScalarNode) for each in node.value):
                self._error(node, f'{name} must be a list of scalars')
                return ()
            found = [self._scalar(name, each) for each in node.value]
            return [self._path(each) for each in found] if name in _LISTS_OF_PATHS else found
        value = self._scalar(name, node)
        return self._path(value) if name in _PATHS else value

    def _scalar(self, name: str, node: yaml.Node) -> Any:
        """Return a scalar; numbers that stand where a text belongs are kept as written."""
        if not isinstance(node, yaml.ScalarNode):
            self._error(node, f'{name} must not be a mapping')
            return ''
        if not isinstance(getattr(Settings(), name, ''), (bool, float)):
            return node.value
        try:
            return yaml.SafeLoader('').construct_object(node)
        except (yaml.YAMLError, AttributeError, LookupError, ValueError):  # !!bool foo, !!int _
            self._error(node, f"{name}: '{printable(node.value)}' is not a value")
            return None

    def _path(self, path: str) -> str:
        if not path or '://' in path or '\0' in path:
            return path
        return os.path.join(self._directory, os.path.expanduser(path))

    def _items(
        self, node: yaml.Node, otherwise: str,
    ) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
        """Yield keys and values of a mapping."""
        if not isinstance(node, yaml.MappingNode):
            self._error(node, otherwise)
            return
        seen: set[str] = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._error(key, 'a key must be a word')
            elif key.value in seen:
                self._error(key, f"duplicate '{printable(key.value)}'")
            else:
                seen.add(key.value)
                yield key, value

    def _unknown(self, key: yaml.ScalarNode, known: Sequence[str]) -> None:
        name = 'prefix' if key.value == 'frame_prefix' else closest(key.value, known)
        hint = '' if name is None else f"; did you mean '{name}'?"
        self._error(key, f"unknown key '{printable(key.value)}'{hint}")

    def _error(self, place: Any, message: str) -> None:
        """Note an error at a node or mark."""
        mark = getattr(place, 'start_mark', place)
        where = '' if mark is None else f':{mark.line + 1}:{mark.column + 1}'
        self.errors.append(f'{self._file}{where}: error: {message}')
