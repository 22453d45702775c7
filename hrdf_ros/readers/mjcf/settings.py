# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""How a file is to be read: ``<compiler>``, default classes, and elements resolved by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
import math
from typing import Any, NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import Vector
from hrdf_ros.readers.schema import TypedElement

MAIN = 'main'
ACTUATORS = (
    'general', 'motor', 'position', 'velocity', 'intvelocity', 'orientation', 'pid', 'damper',
    'cylinder', 'muscle', 'adhesion', 'dcmotor')
_KINDS = {
    **dict.fromkeys(ACTUATORS, 'actuator'), **dict.fromkeys(('spatial', 'fixed'), 'tendon'),
    **dict.fromkeys(('connect', 'weld', 'flex', 'flexvert', 'flexstrain'), 'equality')}
"""Elements whose defaults are those of another tag: MuJoCo keeps one set for each kind."""


class Compiler(NamedTuple):
    """The settings of all ``<compiler>`` elements together; the last one that is given wins."""

    autolimits: bool = True
    angle: str = 'degree'
    eulerseq: str = 'xyz'
    inertiafromgeom: str = 'auto'
    inertiagrouprange: tuple[int, int] = (0, 5)
    boundmass: float = 0.0
    boundinertia: float = 0.0
    settotalmass: float = -1.0
    balanceinertia: bool = False
    fitaabb: bool = False
    alignfree: bool = False
    conflict: str = 'warning'
    strippath: bool = False
    meshdir: str = ''
    texturedir: str = ''
    assetdir: str = ''

    @property
    def radians(self) -> float:
        """One unit of angle of the file, in radians."""
        return math.pi / 180.0 if self.angle == 'degree' else 1.0


def report_unknown(
    report: Report, kind: str, name: str, known: Iterable[str],
    element: Union[Resolved, TypedElement], attribute: str, severity: Optional[Severity] = None,
) -> None:
    """Report a name that nothing of its kind has."""
    report.add(
        codes.MJCF_NAME_UNKNOWN, f"unknown {kind} '{name}'", element.locate(attribute),
        hint=did_you_mean(name, known), cause=name, severity=severity)


def read_compiler(root: TypedElement, report: Report) -> Compiler:
    """Return the settings of a file; global coordinates are an error, as in MuJoCo."""
    values: dict[str, Any] = {}
    for element in root.all('compiler'):
        if 'assetdir' in element.attributes:
            values.update(
                dict.fromkeys(('meshdir', 'texturedir', 'assetdir'), element.get('assetdir')))
        for name in element.attributes:
            if name in Compiler._fields and name != 'assetdir':
                value = element.values.get(name)
                values[name] = element.get(name) if value is None else value
        if element.get('coordinate') == 'global':
            report.add(
                codes.BAD_VALUE, 'global coordinates are not supported since MuJoCo 2.3.3',
                element.locate('coordinate'))
    compiler = Compiler(**values)
    if len(compiler.eulerseq) != 3 or not set(compiler.eulerseq) <= set('xyzXYZ'):
        for element in root.all('compiler'):
            if 'eulerseq' in element.attributes:
                report.add(
                    codes.BAD_VALUE, f"'{compiler.eulerseq}' is not three of x, y, z, X, Y, Z",
                    element.locate('eulerseq'))
        return compiler._replace(eulerseq='xyz')
    return compiler


class Resolved:
    """
    An element whose absent attributes come from its default classes, the nearest first.

    Getters return the value, or the default that they are given. A list of numbers that is
    shorter than that of the class behind it replaces the first ones only, as in MuJoCo.
    """

    __slots__ = ('element', '_sources')

    def __init__(self, element: TypedElement, defaults: tuple[TypedElement, ...]) -> None:
        self.element = element
        self._sources = (element, *defaults)

    def __contains__(self, name: str) -> bool:
        return any(name in source.attributes for source in self._sources)

    def value(self, name: str, default: Any = None) -> Any:
        """Return a value of any type."""
        for source in self._sources:
            if name in source.attributes:
                value = source.values.get(name)
                return source.attributes[name] if value is None else value
        return default

    def number(self, name: str, default: float = 0.0) -> float:
        """Return one number; of several the first."""
        value = self.value(name, default)
        number: float = value[0] if isinstance(value, tuple) and value else value
        return number if isinstance(number, (int, float)) else default

    def vector3(self, name: str, default: Vector = (0.0, 0.0, 0.0)) -> Vector:
        """Return three numbers."""
        vector: Vector = self.value(name, default)
        return vector

    def numbers(self, name: str, default: tuple[float, ...] = ()) -> tuple[float, ...]:
        """Return several numbers, each from the nearest source that gives it."""
        result = list(default)
        for source in reversed(self._sources):
            if name in source.attributes:
                given = source.values.get(name) or ()
                result[:len(given)] = given
        return tuple(result)

    def locate(self, name: str) -> SourceRef:
        """Return the place of a value, in the default class where that gives it."""
        for source in self._sources:
            if name in source.attributes:
                return source.attribute_location(name, 0)
        return self.element.location

    def items(self) -> Iterator[tuple[str, str]]:
        """Yield the attributes as written, defaults behind the element's own."""
        seen: set[str] = set()
        for source in self._sources:
            for name, text in source.attributes.items():
                if name not in seen and name not in ('class', 'childclass'):
                    seen.add(name)
                    yield name, text


class Classes:
    """The default classes of a file: for each a chain of elements for each kind of element."""

    def __init__(self, root: TypedElement, report: Report) -> None:
        self._report = report
        self._defaults: dict[str, dict[str, tuple[TypedElement, ...]]] = {MAIN: {}}
        for element in root.all('default'):
            name = element.get('class') or MAIN
            if name != MAIN:
                report.add(
                    codes.BAD_VALUE, "the class of a top-level <default> is 'main'",
                    element.locate('class'))
            self._add(MAIN, element, self._defaults[MAIN])

    def _add(
        self, name: str, section: TypedElement, inherited: Mapping[str, tuple[TypedElement, ...]],
    ) -> None:
        """Add a class and those in it; of several elements of a kind the last one is nearest."""
        own = dict(inherited)
        for element in section.children:
            if element.tag != 'default':
                kind = _KINDS.get(element.tag, element.tag)
                own[kind] = (element, *own.get(kind, ()))
        self._defaults[name] = own
        for nested in section.all('default'):
            nested_name = nested.get('class')
            if not nested_name:
                self._report.add(
                    codes.MISSING_ATTRIBUTE, "<default> is missing the required attribute 'class'",
                    nested.location)
            elif nested_name in self._defaults:
                self._report.add(
                    codes.DUPLICATE_NAME, f"duplicate default class '{nested_name}'",
                    nested.locate('class'))
            else:
                self._add(nested_name, nested, own)

    def check(self, elements: Iterable[TypedElement]) -> None:
        """Report every class that elements name and that does not exist."""
        for element in elements:
            for attribute in ('class', 'childclass'):
                name = element.get(attribute)
                if name and name not in self._defaults and element.tag != 'default':
                    report_unknown(
                        self._report, 'default class', name, self._defaults, element, attribute)

    def resolve(self, element: TypedElement, around: str, kind: str = '') -> Resolved:
        """Return an element with the defaults of its class, else those of the class around it."""
        name = element.get('class') or around
        defaults = self._defaults.get(name) or self._defaults[MAIN]
        return Resolved(
            element, defaults.get(kind or _KINDS.get(element.tag, element.tag), ()))
