# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read HEBI's robot configuration, ``NAME.cfg.yaml`` (HEBI Robot Config 1.1).

The file names an HRDF file, the modules of the robot and their gains, and it has data of the user,
such as a home position. The Model is that of the HRDF file; its coordinates have the names of the
modules, and its configurations are ``home`` and ``ik_seed``. The gains are checked, but only the
driver uses them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
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
from hrdf_ros.document import SourceFile, SourceRef
from hrdf_ros.model import Configuration, Hardware, Model
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.hrdf.chain_reader import HrdfRobot, read_robot
from hrdf_ros.readers.hrdf.model_builder import build

SUFFIX = '.cfg.yaml'
GAINS_ROOT = 'group_gains'
_VERSIONS = ('1.0', '1.1')
_DEFAULT = 'default'
_POSITIONS = {'home_position': 'home', 'ik_seed_pos': 'ik_seed'}
"""The entries of ``user_data`` with a position for each module, and their names in the Model."""
_IDENTIFIER = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')

_KINDS = {
    'str': 'a string', 'bool': 'true or false', 'sequence': 'a list', 'mapping': 'a mapping',
    'seconds': 'a number, in s', 'lifetime': 'a number above 0, in s',
    'frequency': 'a number above 0, in Hz'}
"""The kinds of values, as messages call them; a kind that is not listed accepts any value."""
_ROBOT = {
    'version': '', 'families': 'strings', 'names': 'strings', 'hrdf': 'str', 'gains': '',
    'feedback_frequency': 'frequency', 'command_lifetime': 'lifetime', 'plugins': 'sequence',
    'user_data': 'mapping'}
_PLUGIN = {'type': 'str', 'name': 'str', 'enabled': 'bool', 'ramp_time': 'seconds'}
"""The entries of a file and of a plugin, with the kinds of their values."""


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of a robot configuration, None with errors, which are in the report."""
    before = len(context.report)
    file = parse_yaml(source, context.report)
    model = None if file is None else _Reader(file, context).read(source.file)
    context.report.sort(before)
    errors = (found.severity == 'error' for found in context.report.diagnostics[before:])
    return None if any(errors) else model


class _Reader:
    """Reads the entries of a configuration, and reports their faults."""

    def __init__(self, file: YamlFile, context: Context) -> None:
        self.file = file
        self.context = context
        self.report = context.report

    def read(self, path: str) -> Optional[Model]:
        """Return the Model, None if an error makes the names of the modules unknown."""
        root = self.file.root
        if root is None:
            self.report.add(
                codes.HEBI_CONFIG_VALUE, 'the file is empty', SourceRef(self.file.document, 0))
        if root is None or not self._is(root, 'mapping', 'the file'):
            return None
        entries = self._entries(
            root, _ROBOT, required=('families', 'names', 'hrdf'), is_closed=True)
        self._check_version(entries.get('version'))
        names = self._module_names(entries)
        user_data = self._user_data(entries.get('user_data'))
        settings = [
            (name, node.value)
            for name, node in (
                *((name, entries[name]) for name in ('feedback_frequency', 'command_lifetime')
                  if name in entries), *user_data.items()) if is_scalar(node)]
        for plugin in entries['plugins'].value if 'plugins' in entries else ():
            if self._is(plugin, 'mapping', 'a plugin'):
                self._entries(plugin, _PLUGIN, required=('type', 'name'))
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
        """Return whether a node is of a kind, and report it if not."""
        expected = _KINDS.get(kind)
        if expected is None or kind_of(node) == kind:
            return True
        number = number_of(node) if expected.startswith('a number') else None
        if number is not None and (kind == 'seconds' or 0.0 < number < math.inf):
            return True
        hint = 'write it in quotes' if kind == 'str' and is_scalar(node) else None
        self._fault(node, f'{what} must be {expected}', hint=hint)
        return False

    def _entries(
        self, node: Any, kinds: Mapping[str, str] = {}, required: Collection[str] = (),
        is_closed: bool = False,
    ) -> dict[str, Any]:
        """Return the entries of a mapping whose values are of their kinds; null is no value."""
        found: dict[str, Any] = {}
        names, unknown = set(), []
        for key, value in node.value:
            if not self._is(key, 'str', 'a key'):
                continue
            name = key.value
            if name in names:
                self._fault(key, f"duplicate '{name}'", codes.HEBI_CONFIG_KEY)
            elif is_closed and name not in kinds:
                unknown.append(name)
                self._fault(
                    key, f"unknown entry '{name}'", codes.HEBI_CONFIG_KEY, hint=Suggestion(
                        name, lambda name=name: closest(name, kinds),  # type: ignore[misc]
                        'entries of your own belong to user_data'))
            elif kind_of(value) == 'null':
                continue
            elif self._is(value, kinds.get(name, ''), name):
                found[name] = value
            names.add(name)
        for key in required:
            if key not in names and closest(key, unknown) is None:
                self._fault(node, f"the entry '{key}' is missing", codes.HEBI_CONFIG_KEY)
        return found

    def _strings(self, node: Any, key: str) -> list[Any]:
        """Return the nodes of all strings in a node that is a string or a list of strings."""
        items = [] if node is None else node.value if node.id == 'sequence' else [node]
        if node is not None and not items:
            self._fault(node, f'{key} is empty')
        return [item for item in items if self._is(item, 'str', f'each of {key}')]

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
        families, names = (
            self._strings(entries.get(key), key) for key in ('families', 'names'))
        for what, nodes in (('family', families), ('name', names)):
            for node in nodes:
                if not node.value or not node.value.isprintable():
                    self._fault(node, f'a {what} must have characters, and printable ones only')
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
            if '"' in name.value:
                self._fault(
                    name, f"the name '{name.value}' has a quotation mark", severity='warning',
                    hint='the other one is missing')
            modules.add(module)
        return tuple(
            name.value if count[name.value] == 1 else f'{family.value}/{name.value}'
            for family, name in zip(families, names))

    def _user_data(self, node: Any) -> dict[str, Any]:
        if node is None:
            return {}
        for key, _ in node.value:
            if kind_of(key) == 'str' and not _IDENTIFIER.fullmatch(key.value):
                self._fault(
                    key, f"the key '{key.value}' is not of letters, digits and _",
                    severity='warning')
        return self._entries(node)

    def _with_positions(
        self, model: Model, user_data: Mapping[str, Any], count: int,
    ) -> Model:
        """Return the Model with its named positions; it starts at ``home``."""
        configurations = []
        coordinates = list(model.coordinates)
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
                for index, value in enumerate(values if name == 'home' else ()):
                    coordinates[index] = coordinates[index]._replace(initial_position=value)
        return model._replace(
            coordinates=tuple(coordinates), configurations=tuple(configurations))

    # ---- files

    def _source(self, node: Any, report: Report) -> Optional[SourceFile]:
        """Return the file that a string names, relative to this one."""
        path = os.path.join(os.path.dirname(self.file.document.file), node.value)
        return self.context.resolver.read(
            os.path.normpath(path), report, self.file.locate(node))

    def _read_robot(self, node: Any) -> Optional[HrdfRobot]:
        """Return the robot of the HRDF file, None with the reason in the report."""
        source = None if node is None else self._source(node, self.report)
        return None if source is None else read_robot(source, self.context)

    def _check_gains(self, node: Any, count: int) -> None:
        """Read the files with gains; their faults are warnings."""
        entries = {}
        if node is not None and is_scalar(node):
            entries = {_DEFAULT: node}
        elif node is not None and self._is(node, 'mapping', 'gains'):
            entries = self._entries(node)
        for name, path in entries.items():
            if not self._is(path, 'str', f'gains of {name}'):
                continue
            found = Report()
            source = self._source(path, found)
            if source is not None:
                _check_gains_file(source, found, count if name == _DEFAULT else 0)
            self.report.extend(found.as_warnings())


def _check_gains_file(source: SourceFile, report: Report, count: int) -> None:
    """Report another root element, or the first value without a number for each module."""
    root = parse_xml(source, report)
    faults = [] if root is None or root.tag == GAINS_ROOT else [
        (root, f'the root element is <{root.tag}>, not <{GAINS_ROOT}>')]
    for element in () if root is None else root.iter():
        numbers = len((element.text or '').split()) if len(element) == 0 else 0
        count = count or numbers
        if numbers and numbers != count:
            faults.append((
                element,
                f'<{element.tag}> has {numbers} values, not {count}: one for each module'))
            break
    for element, message in faults:
        report.add(codes.HEBI_GAINS, message, line_location(source, element.sourceline))
