# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The grammar of SDF 1.12: which elements and attributes stand where, and what values they have.

The tables ``schema_*`` list for each element what it may hold, in words:

- ``@name`` an attribute, ``tag`` a child element; ``:type`` behind it is the type of its value,
  or the key of another entry (else the child's own entry, below this one or shared)
- ``!`` marks what must be there: an attribute, or the value of an element if the element is;
  ``!!`` an element whose absence is worth a warning, because nobody means its default
- ``-`` marks a deprecated element
- ``=type`` is the type of the element's own value; ``[0,1]`` are bounds
- ``*`` anything may stand inside, because it belongs to others

As in libsdformat, elements and attributes with a ``:`` in their name belong to others too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import cache
import math
import re
from typing import Optional, Union

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.document import SourceRef, XmlElement
from hrdf_ros.parsing import sdf
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import Pose
from hrdf_ros.readers.sdf.schema_model import MODEL
from hrdf_ros.readers.sdf.schema_sensor import SENSOR
from hrdf_ros.readers.sdf.schema_world import WORLD

Value = Union[str, float, tuple[float, ...]]
Check = Callable[[str, list[int]], Value]

_WORD = re.compile(r'(@?)([^!:-]+)(!{0,2})(-?)(?::(.+))?')
_TYPE = re.compile(r'(\w+)(?:\[(.*),(.*)\])?')


def validate(root: XmlElement, report: Report, entry: str = 'root') -> bool:
    """
    Report every fault in the structure and the values of a file; return whether it has no error.

    What the texts of elements are read as is their ``value`` from then on.

    ``root`` is the ``<sdf>`` element of one file, upgraded to the newest version's names, or what
    another entry of the tables describes.
    """
    return _Validator(report).run(root, entry)


class _Rule:
    """
    What an element may hold; ``children`` is filled when such an element is met.

    ``usual`` are the attributes that need no closer look if none of them is empty; a ``leaf``
    has nothing inside and needs no attributes.
    """

    __slots__ = (
        'key', 'check', 'is_pose', 'required', 'deprecated', 'valued', 'attributes',
        'needed_attributes', 'usual', 'children', 'needed_children', 'open', 'leaf')

    def __init__(self, key: str, required: bool, deprecated: bool) -> None:
        self.key = key
        self.check: Optional[Check] = None
        self.is_pose = False
        self.required = required
        self.deprecated = deprecated
        self.valued = deprecated
        self.attributes: dict[str, Optional[Check]] = {}
        self.needed_attributes: frozenset[str] = frozenset()
        self.usual: Set[str] = frozenset()
        self.children: Optional[dict[str, _Rule]] = None
        self.needed_children: tuple[str, ...] = ()
        self.open = False
        self.leaf = False


class _Rules:
    """
    The rules met so far: reading the whole table would cost more than checking a small file.

    They are the same for every file, so there is one instance. A rule is complete before others
    can see it, because several threads may load files.
    """

    def __init__(self) -> None:
        self._schema = {**MODEL, **SENSOR, **WORLD}
        self._rules: dict[tuple[str, bool, bool], _Rule] = {}

    def rule(self, key: str, required: bool = False, deprecated: bool = False) -> _Rule:
        """Return the rule of a table entry, or of an element that only has a value."""
        found = self._rules.get((key, required, deprecated))
        if found is None:
            found = _Rule(key, required, deprecated)
            self._read_head(found)
            self._rules[key, required, deprecated] = found
        return found

    def _read_head(self, rule: _Rule) -> None:
        """Fill in the value and the attributes."""
        words = self._schema.get(rule.key)
        if words is None:
            rule.children = {}
            rule.leaf = True
            self._set_type(rule, rule.key)
            return
        needed = []
        for word in words.split():
            if word == '*':
                rule.open = True
            elif word[0] == '=':
                self._set_type(rule, word[1:])
            elif word[0] == '@':
                _, name, marks, _, kind = _parts(word)
                rule.attributes[name] = _check(kind) if kind else None
                if marks:
                    needed.append(name)
        rule.needed_attributes = frozenset(needed)
        plain = all(rule.attributes[name] is None for name in needed)
        rule.leaf = not needed and all(word[0] in '@=' for word in words.split())
        rule.usual = rule.needed_attributes if plain else frozenset([''])

    @staticmethod
    def _set_type(rule: _Rule, kind: str) -> None:
        rule.is_pose = kind == 'pose'
        rule.open = kind == 'any'
        rule.check = None if kind in ('pose', 'any') else _check(kind)
        rule.valued = rule.required or rule.is_pose or rule.check is not None

    def children(self, rule: _Rule) -> dict[str, _Rule]:
        """Fill in the children of a rule, and return them."""
        children: dict[str, _Rule] = {}
        needed = []
        for word in self._schema[rule.key].split():
            if word[0] in '@=*':
                continue
            _, tag, marks, deprecated, kind = _parts(word)
            key = kind or self._key(rule.key, tag)
            children[tag] = self.rule(key, marks != '', deprecated != '')
            if marks == '!!':
                needed.append(tag)
        rule.needed_children = tuple(needed)
        rule.children = children
        return children

    def _key(self, parent: str, tag: str) -> str:
        below = f'{parent}/{tag}'
        return below if below in self._schema else tag


@cache
def _rules() -> _Rules:
    return _Rules()


def _parts(word: str) -> tuple[str, str, str, str, Optional[str]]:
    found = _WORD.fullmatch(word)
    assert found is not None
    at, name, marks, deprecated, kind = found.groups()
    return at, name, marks, deprecated, kind


# ---- values

def _check(kind: str) -> Optional[Check]:
    """Return what reads a value of this type, None where any text will do."""
    found = _TYPE.fullmatch(kind)
    assert found is not None
    name, lower, upper = found.groups()
    check = _CHECKS[name]
    if check is None or lower is None:
        return check
    return _bounded(check, float(lower or -math.inf), float(upper or math.inf))


def _bounded(check: Check, lower: float, upper: float) -> Check:
    def bounded(text: str, loose: list[int]) -> Value:
        value = check(text, loose)
        for number in value if isinstance(value, tuple) else (value,):
            if not isinstance(number, str) and (number < lower or number > upper):
                raise ValueSyntaxError(f'{number!r} is not in {lower!r} .. {upper!r}')
        return value
    return bounded


def _boolean(text: str, _: list[int]) -> bool:
    return sdf.boolean(text)


def _vector2(text: str, loose: list[int]) -> tuple[float, ...]:
    return sdf.vector(text, 2, loose)


def _vector3(text: str, loose: list[int]) -> tuple[float, ...]:
    return sdf.vector(text, 3, loose)


def _frame(text: str, _: list[int]) -> str:
    if text.strip() == '__root__':
        raise ValueSyntaxError("'__root__' is reserved and cannot be referred to")
    return text


def _one_of(*known: str) -> Check:
    def one_of(text: str, _: list[int]) -> str:
        word = text.strip()
        if word not in known:
            hint = did_you_mean(word, known)()
            raise ValueSyntaxError(f"'{word}' is unknown" + (f', {hint}' if hint else ''))
        return word
    return one_of


_CHECKS: Mapping[str, Optional[Check]] = {
    'string': None, 'bool': _boolean, 'int': sdf.integer, 'double': sdf.double,
    'vector2': _vector2, 'vector3': _vector3, 'time': _vector2, 'color': sdf.color,
    'frame': _frame,
    'light': _one_of('point', 'spot', 'directional'),
    'emitter': _one_of('point', 'box', 'cylinder', 'ellipsoid'),
    'sensor': _one_of(
        'air_pressure', 'air_speed', 'altimeter', 'boundingbox', 'boundingbox_camera', 'camera',
        'contact', 'custom', 'depth', 'depth_camera', 'force_torque', 'gps', 'gpu_lidar',
        'gpu_ray', 'imu', 'lidar', 'logical_camera', 'magnetometer', 'multicamera', 'navsat',
        'ray', 'rfid', 'rfidtag', 'rgbd', 'rgbd_camera', 'segmentation', 'segmentation_camera',
        'sonar', 'thermal', 'thermal_camera', 'wide_angle_camera', 'wideanglecamera',
        'wireless_receiver', 'wireless_transmitter'),
}


def _pose(node: XmlElement, loose: list[int]) -> Pose:
    """Return a pose, or raise Fault; its attributes say how to read it."""
    if not node.attributes:
        return sdf.pose(node.text, loose=loose)
    form = (node.get('rotation_format') or 'euler_rpy').strip()
    if form not in ('euler_rpy', 'quat_xyzw'):
        raise ValueSyntaxError(
            f"the rotation format '{form}' is neither 'euler_rpy' nor 'quat_xyzw'"
        )
    degrees = (node.get('degrees') or '').strip().lower() in ('true', '1')
    return sdf.pose(node.text, degrees, form == 'quat_xyzw', loose)


# ---- the walk

def _line_and_column(found: Diagnostic) -> tuple[int, int]:
    at = found.resolve()
    return (0, 0) if at is None else (at.line or 0, at.column or 0)


class _Validator:
    """Walks the elements without recursion and reports."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._rules = _rules()
        self._faultless = True

    def run(self, root: XmlElement, entry: str) -> bool:
        """Check an element and everything below it; findings come in document order."""
        first = len(self._report)
        loose: list[int] = []
        pending = [(root, self._rules.rule(entry))]
        pop, push = pending.pop, pending.append
        while pending:
            node, rule = pop()
            attributes = node.attributes
            if attributes:
                if attributes.keys() != rule.usual or not all(map(str.strip, attributes.values())):
                    self._check_attributes(node, rule)
            elif rule.needed_attributes:
                self._check_attributes(node, rule)
            if rule.valued:
                self._check_value(node, rule, loose)
            known = rule.children
            if known is None:
                known = self._rules.children(rule)
            if rule.needed_children:
                self._check_needed(node, rule)
            for child in () if rule.open else node.children:
                below = known.get(child.tag)
                if below is not None:
                    if not below.leaf or child.children or child.attributes:
                        push((child, below))
                    elif below.valued:
                        self._check_value(child, below, loose)
                elif ':' not in child.tag:
                    self._unknown_element(child, rule)
        self._report.diagnostics[first:] = sorted(
            self._report.diagnostics[first:], key=_line_and_column)
        return self._faultless

    def _check_value(self, node: XmlElement, rule: _Rule, loose: list[int]) -> None:
        """Read the text of an element into its value; blank text stands for the default."""
        try:
            if rule.is_pose and (node.text or not rule.required):
                node.value = _pose(node, loose)
            elif node.text:
                if rule.check is not None:
                    node.value = rule.check(node.text, loose)
            elif rule.required:
                raise ValueSyntaxError('the value is missing')
        except ValueSyntaxError as fault:
            self._error(
                codes.BAD_VALUE, f'<{node.tag}>: {fault.message}', node.text_location(fault.index),
                'ELEMENT_INVALID')
        if loose:
            self._passed_over(node.text, node.text_location(loose[0]), loose)
        if rule.deprecated:
            self._report.add(
                codes.DEPRECATED, f'<{node.tag}> is deprecated', node.location,
                reference='ELEMENT_DEPRECATED')

    def _passed_over(self, text: str, location: SourceRef, loose: list[int]) -> None:
        rest = text[loose[0]:].split()[0]
        loose.clear()
        self._report.add(
            codes.TRAILING_CHARACTERS,
            f"'{rest}' is not part of the value and is passed over",
            location,
        )

    def _check_attributes(self, node: XmlElement, rule: _Rule) -> None:
        """Check which attributes an element has, and their values."""
        for name, text in node.attributes.items():
            if name in rule.attributes:
                self._check_attribute(node, rule, name, text)
            elif ':' not in name:
                self._report.add(
                    codes.UNKNOWN_ATTRIBUTE, f"<{node.tag}> has no attribute '{name}'",
                    node.attribute_location(name), hint=did_you_mean(name, rule.attributes),
                    reference='ATTRIBUTE_INCORRECT_TYPE')
        for name in rule.attributes:
            if name in rule.needed_attributes and name not in node.attributes:
                self._error(
                    codes.MISSING_ATTRIBUTE, f"<{node.tag}> needs the attribute '{name}'",
                    node.location, 'ATTRIBUTE_MISSING')

    def _check_attribute(self, node: XmlElement, rule: _Rule, name: str, text: str) -> None:
        check = rule.attributes[name]
        loose: list[int] = []
        try:
            if not text or text.isspace():
                if name in rule.needed_attributes:
                    raise ValueSyntaxError('the value is missing')
            elif check is not None:
                check(text, loose)
        except ValueSyntaxError as fault:
            self._error(
                codes.BAD_VALUE, f"<{node.tag}> attribute '{name}': {fault.message}",
                node.attribute_location(name, fault.index), 'ATTRIBUTE_INVALID')
        if loose:
            self._passed_over(text, node.attribute_location(name, loose[0]), loose)

    def _check_needed(self, node: XmlElement, rule: _Rule) -> None:
        """Check that the elements are there that nobody leaves out on purpose."""
        for tag in rule.needed_children:
            if node.child(tag) is not None:
                continue
            message = f'<{node.tag}> has no <{tag}>'
            if rule.key != 'joint':
                self._report.add(
                    codes.MISSING_ELEMENT,
                    message + ', its default is used',
                    node.location,
                    severity='warning',
                )
            elif (node.get('type') or '').strip() != 'ball':
                self._error(codes.MISSING_ELEMENT, message, node.location, 'ELEMENT_MISSING')

    def _unknown_element(self, node: XmlElement, above: _Rule) -> None:
        self._report.add(
            codes.UNKNOWN_ELEMENT, f'<{node.tag}> is not defined here', node.location,
            hint=did_you_mean(node.tag, above.children or ()),
            reference='ELEMENT_INCORRECT_TYPE')

    def _error(self, code: Code, message: str, location: SourceRef, reference: str) -> None:
        self._faultless = False
        self._report.add(
            code, message, location, severity='error', reference=reference)
