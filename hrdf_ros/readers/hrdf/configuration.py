# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
HEBI's robot configuration, ``NAME.cfg.yaml`` (HEBI Robot Config 1.1).

It names an HRDF file, the modules of the robot and their gains, and has data of the user, such as
a home position. The Model is that of the HRDF file: its coordinates have the names of the
modules, its configurations are ``home`` and ``ik_seed``. The gains are checked; the driver reads
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
import math
import os
import re
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Severity
from hrdf_ros.data_files import (
    is_scalar,
    kind_of,
    line_location,
    number_of,
    numbers_of,
    parse_xml,
    parse_yaml,
    YamlFile,
)
from hrdf_ros.diagnostics import Hint, Report, Suggestion
from hrdf_ros.document import root_element, SourceFile, SourceRef
from hrdf_ros.model import Configuration, Hardware, Model
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.hrdf.chain_reader import HrdfRobot, read_robot
from hrdf_ros.readers.hrdf.model_builder import build

SUFFIX = '.cfg.yaml'
GAINS_ROOT = 'group_gains'
_KEYS = (
    'version', 'families', 'names', 'hrdf', 'gains', 'feedback_frequency', 'command_lifetime',
    'plugins', 'user_data')
_VERSIONS = ('1.0', '1.1')
_DEFAULT = 'default'
_POSITIONS = {'home_position': 'home', 'ik_seed_pos': 'ik_seed'}
"""Entries of ``user_data`` with a position for each module, and what the Model calls them."""
_IDENTIFIER = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')
_KINDS = {'str': 'a string', 'bool': 'true or false', 'sequence': 'a list', 'mapping': 'a mapping'}
_HINT_OF_HRDF = 'hrdf is the path of an HRDF file, relative to this file'


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of a robot configuration; None with errors, which are in the report."""
    before = len(context.report)
    file = parse_yaml(source, context.report)
    model = None if file is None else _Reader(file, context).read(source.file)
    context.report.sort(before)
    errors = (found.severity == 'error' for found in context.report.diagnostics[before:])
    return None if any(errors) else model


class _Reader:
    """Reads the entries of a configuration; what is wrong with them goes to the report."""

    def __init__(self, file: YamlFile, context: Context) -> None:
        self.file = file
        self.context = context
        self.report = context.report
        self.unknown: list[str] = []
        """The keys of the file that it must not have."""

    def read(self, path: str) -> Optional[Model]:
        """Return the Model, None with an error that leaves nothing to name."""
        if self.file.root is None:
            self.report.add(
                codes.HEBI_CONFIG_VALUE, 'the file is empty', SourceRef(self.file.document, 0))
        if self.file.root is None or not self._is(self.file.root, 'mapping', 'the file'):
            return None
        entries = {
            name: node for name, node in self._items(self.file.root, _KEYS)
            if kind_of(node) != 'null'}
        self._check_version(entries.get('version'))
        names = self._module_names(entries)
        user_data = self._user_data(entries.get('user_data'))
        settings = [*self._settings(entries), *(
            (name, node.value) for name, node in user_data.items() if is_scalar(node))]
        self._check_plugins(entries.get('plugins'))
        self._check_gains(entries.get('gains'), len(names))
        robot = self._read_robot(entries.get('hrdf'))
        if robot is None:
            return None
        count = sum(element.motion is not None for element in robot.elements)
        if names and len(names) != count:
            self._fault(
                entries['names'], f'the number of names is {len(names)}, that of the coordinates '
                f'of {robot.location.document.file} is {count}', codes.JOINT_NAMES_MISMATCH,
                severity='error' if len(names) > count else 'warning')
        if not names or len(names) > count:
            return None
        options = self.context.options
        options = options._replace(joint_names=options.joint_names or names)
        model = build(
            robot, os.path.basename(path)[:-len(SUFFIX)], self.context._replace(options=options))
        return self._with_positions(model, user_data, len(names))._replace(
            hardware=Hardware(path, tuple(settings)))

    # ---- nodes

    def _fault(
        self, node: Any, message: str, code: codes.Code = codes.HEBI_CONFIG_VALUE, *,
        severity: Optional[Severity] = None, hint: Hint = None,
    ) -> None:
        self.report.add(code, message, self.file.locate(node), severity=severity, hint=hint)

    def _is(self, node: Any, kind: str, what: str) -> bool:
        """Return whether a node is of a kind; report where it is not."""
        if kind_of(node) == kind:
            return True
        hint = 'write it in quotes' if kind == 'str' and is_scalar(node) else None
        self._fault(node, f'{what} must be {_KINDS[kind]}', hint=hint)
        return False

    def _items(self, node: Any, known: Sequence[str] = ()) -> Iterator[tuple[str, Any]]:
        """Yield the entries of a mapping once each; report unknown and duplicate keys."""
        seen = set()
        for key, value in node.value:
            if not self._is(key, 'str', 'a key'):
                continue
            name = key.value
            if name in seen:
                self._fault(key, f"duplicate '{name}'", codes.HEBI_CONFIG_KEY)
            elif known and name not in known:
                self.unknown.append(name)
                self._fault(
                    key, f"unknown entry '{name}'", codes.HEBI_CONFIG_KEY, hint=Suggestion(
                        name, lambda name=name: closest(name, known),  # type: ignore[misc]
                        'entries of your own belong to user_data'))
            else:
                yield name, value
            seen.add(name)

    def _strings(self, entries: Mapping[str, Any], key: str) -> list[Any]:
        """Return the nodes of a string, or of a list of strings, that is required."""
        if key not in entries:
            self._miss_entry(key)
            return []
        node = entries[key]
        items = node.value if node.id == 'sequence' else [node]
        if not items:
            self._fault(node, f'{key} is empty')
        return [item for item in items if self._is(item, 'str', f'each of {key}')]

    def _miss_entry(self, key: str) -> None:
        """Report a required entry that is absent, unless its key is misspelled."""
        if closest(key, self.unknown) is None:
            self._fault(
                self.file.root, f"the entry '{key}' is missing", codes.HEBI_CONFIG_KEY)

    # ---- entries

    def _check_version(self, node: Any) -> None:
        if node is None:
            self._fault(
                self.file.root, f'without a version this is read as {_VERSIONS[-1]}',
                codes.MISSING_VERSION)
        elif node.value not in _VERSIONS:
            self._fault(
                node, 'unknown version of a robot configuration', codes.UNKNOWN_VERSION,
                hint=f"one of {', '.join(_VERSIONS)}")

    def _module_names(self, entries: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names of the modules; those in several families are ``FAMILY/NAME``."""
        families, names = self._strings(entries, 'families'), self._strings(entries, 'names')
        if len(families) == 1:
            families *= len(names)
        if len(families) != len(names):
            if families and names:
                self._fault(
                    entries['families'], f'{len(families)} families for {len(names)} names',
                    hint='give one family for all modules, or one for each')
            return ()
        count, modules = Counter(node.value for node in names), set()
        for family, name in zip(families, names):
            module = f'{family.value}/{name.value}'
            if module in modules:
                self._fault(name, f"duplicate module '{module}'", codes.DUPLICATE_NAME)
            if not name.value or not name.value.isprintable():
                self._fault(name, 'a name must have characters, and printable ones only')
            if '"' in name.value:
                self._fault(
                    name, f"the name '{name.value}' has a quotation mark", severity='warning',
                    hint='the other one is missing')
            modules.add(module)
        return tuple(
            name.value if count[name.value] == 1 else f'{family.value}/{name.value}'
            for family, name in zip(families, names))

    def _settings(self, entries: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield the settings of the connection as they are written."""
        for name, unit in (('feedback_frequency', 'Hz'), ('command_lifetime', 's')):
            if name in entries:
                number = number_of(entries[name])
                if number is None or not 0.0 < number < math.inf:
                    self._fault(entries[name], f'{name} must be a number above 0, in {unit}')
                else:
                    yield name, entries[name].value

    def _check_plugins(self, node: Any) -> None:
        if node is None or not self._is(node, 'sequence', 'plugins'):
            return
        for plugin in node.value:
            if not self._is(plugin, 'mapping', 'a plugin'):
                continue
            entries = dict(self._items(plugin))
            for name in ('type', 'name'):
                if name not in entries:
                    self._fault(
                        plugin, f"a plugin requires the entry '{name}'", codes.HEBI_CONFIG_KEY)
                else:
                    self._is(entries[name], 'str', name)
            if 'enabled' in entries:
                self._is(entries['enabled'], 'bool', 'enabled')
            if number_of(entries.get('ramp_time', node)) is None and 'ramp_time' in entries:
                self._fault(entries['ramp_time'], 'ramp_time must be a number, in s')

    def _user_data(self, node: Any) -> dict[str, Any]:
        if node is None or not self._is(node, 'mapping', 'user_data'):
            return {}
        entries = dict(self._items(node))
        for key, _ in node.value:
            if is_scalar(key) and key.value in entries and not _IDENTIFIER.fullmatch(key.value):
                self._fault(
                    key, f"the key '{key.value}' is not of letters, digits and _",
                    severity='warning')
        return entries

    def _with_positions(
        self, model: Model, user_data: Mapping[str, Any], count: int,
    ) -> Model:
        """Return the Model with its named positions; it starts at ``home``."""
        configurations = []
        for key, name in _POSITIONS.items():
            node = user_data.get(key)
            values = None if node is None else numbers_of(node)
            if node is not None and (
                    values is None or len(values) != count or not all(map(math.isfinite, values))):
                self._fault(
                    node, f'{key} must be a list of {count} numbers, one for each name; ignored',
                    severity='warning')
            elif values is not None:
                configurations.append(Configuration(
                    name, tuple(enumerate(values)), self.file.locate(node)))
        coordinates = list(model.coordinates)
        for configuration in configurations:
            for index, value in configuration.positions if configuration.name == 'home' else ():
                coordinates[index] = coordinates[index]._replace(initial_position=value)
        return model._replace(
            coordinates=tuple(coordinates), configurations=tuple(configurations))

    # ---- files

    def _path(self, node: Any) -> str:
        """Return the path that a string names, relative to the file."""
        return os.path.normpath(os.path.join(os.path.dirname(self.file.document.file), node.value))

    def _read_robot(self, node: Any) -> Optional[HrdfRobot]:
        """Return what the HRDF file describes, None with the reason in the report."""
        if node is None:
            self._miss_entry('hrdf')
        if node is None or not self._is(node, 'str', 'hrdf'):
            return None
        location = self.file.locate(node)
        source = self.context.resolver.read(self._path(node), self.report, location)
        if source is None:
            return None
        other = _kind_of_file(source)
        if other not in ('', 'HRDF'):
            self._fault(node, f"'{node.value}' is {other}, not HRDF", hint=_HINT_OF_HRDF)
            return None
        return read_robot(source, self.context)

    def _check_gains(self, node: Any, count: int) -> None:
        """Read the files with gains; what is wrong with them is a warning."""
        if node is None:
            return
        entries = {_DEFAULT: node} if is_scalar(node) else {}
        if not entries and self._is(node, 'mapping', 'gains'):
            entries = dict(self._items(node))
        for name, path in entries.items():
            if not self._is(path, 'str', f'gains of {name}'):
                continue
            found = Report()
            source = self.context.resolver.read(self._path(path), found, self.file.locate(path))
            if source is not None:
                _check_gains_file(source, found, count if name == _DEFAULT else None)
            self.report.extend(found.as_warnings())


def _kind_of_file(source: SourceFile) -> str:
    """Return what a file has instead of HRDF, where that is evident; '' where it is not."""
    if source.file.lower().endswith(('.yaml', '.yml')):
        return 'YAML'
    root = root_element(source)
    tag = '' if root is None else root[0]
    return {GAINS_ROOT: 'a file of gains', 'robot': 'HRDF'}.get(tag, '')


def _check_gains_file(source: SourceFile, report: Report, count: Optional[int]) -> None:
    """Report the first value of gains that has not a number for each module."""
    other = _kind_of_file(source)
    if other in ('YAML', 'HRDF'):
        report.add(codes.HEBI_GAINS, f'this is {other}, not gains', line_location(source, 1, 1))
        return
    root = parse_xml(source, report)
    if root is None:
        return
    if root.tag != GAINS_ROOT:
        report.add(
            codes.HEBI_GAINS, f'the root element is <{root.tag}>, not <{GAINS_ROOT}>',
            line_location(source, root.sourceline))
    for element in root.iter():
        numbers = len((element.text or '').split()) if len(element) == 0 else 0
        count = count or numbers
        if numbers and numbers != count:
            report.add(
                codes.HEBI_GAINS,
                f'<{element.tag}> has {numbers} values, not {count}: one for each module',
                line_location(source, element.sourceline))
            return
