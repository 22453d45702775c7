# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""How a file is to be read, and settings that it and the models that it attaches both give."""

from __future__ import annotations

from collections.abc import Iterator
import math
import re
from typing import Any, NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import start_tag
from hrdf_ros.readers.schema import TypedElement


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


def read_compiler(root: TypedElement, report: Report) -> Compiler:
    """Return the settings of a file; global coordinates are an error, as in MuJoCo."""
    values: dict[str, Any] = {}
    for element in root.all('compiler'):
        given = {name: _value(element, name) for name in element.attributes}
        if 'assetdir' in given:
            values.update(dict.fromkeys(('meshdir', 'texturedir'), given['assetdir']))
        values.update((name, given[name]) for name in Compiler._fields if name in given)
        if given.get('coordinate') == 'global':
            report.add(
                codes.BAD_VALUE, 'global coordinates are not supported since MuJoCo 2.3.3',
                element.locate('coordinate'))
        if len(given.get('eulerseq', 'xyz')) != 3:
            report.add(
                codes.BAD_VALUE, f"'{given['eulerseq']}' is not three of x, y, z, X, Y, Z",
                element.locate('eulerseq'))
    return Compiler(**values)


def _value(element: TypedElement, name: str) -> Any:
    value = element.values.get(name)
    return element.attributes[name] if value is None else value


# ---- settings of attached models

_Key = tuple[str, str]
"""The path and name of an attribute."""
_RULES: dict[_Key, str] = {
    (path, name): rule for path, rule, names in (
        ('option', 'min', 'timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance '
         'sleep_tolerance'),
        ('option', 'max', 'iterations ls_iterations noslip_iterations ccd_iterations '
         'sdf_iterations sdf_initpoints'),
        ('option', 'error', 'impratio density viscosity o_margin integrator cone jacobian solver '
         'gravity wind magnetic o_solref o_solimp o_friction'),
        ('option', 'union', 'actuatorgroupdisable'),
        ('option/flag', 'disable', 'constraint equality frictionloss limit contact spring damper '
         'gravity clampctrl warmstart filterparent actuation refsafe sensor midphase eulerdamp '
         'autoreset nativeccd island multiccd'),
        ('option/flag', 'enable', 'override energy fwdinv invdiscrete sleep diagexact'),
        ('visual/map', 'min', 'znear'), ('visual/map', 'max', 'zfar'),
        ('visual/global', 'min', 'realtime'),
        ('size', 'max', 'memory njmax nconmax nuserdata nkey nuser_body nuser_jnt nuser_geom '
         'nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor'),
    ) for name in names.split()}
"""How ``merge`` combines two values; flags are enabled or disabled by either file."""
_SWITCHES = ('enable', 'disable')


class Settings:
    """The settings of one file, with those that it has adopted from models it attaches."""

    def __init__(self, root: TypedElement) -> None:
        self._all: dict[_Key, Any] = {}
        self._adopted: dict[_Key, Any] = {}
        for section in root.children:
            for path, element in ((section.tag, section), *(
                    (f'{section.tag}/{child.tag}', child) for child in section.children)):
                for name, text in element.attributes.items():
                    value = _bytes(text) if name == 'memory' else _value(element, name)
                    if (path, name) in _RULES and (path != 'size' or value > 0):
                        self._all[path, name] = value

    def value(self, path: str, name: str) -> Any:
        """Return a value, None where neither the file nor a model that it attaches gives it."""
        return self._all.get((path, name))

    def attach(
        self, other: Settings, policy: str, element: TypedElement, report: Report,
    ) -> None:
        """Resolve conflicts with an attached model as MuJoCo does."""
        ignored = []
        for key, theirs in other._all.items():
            ours, rule = self._all.get(key), _RULES[key]
            if ours == theirs:
                continue
            if policy == 'merge' and (ours is None or rule != 'error'):
                if rule not in _SWITCHES or theirs == rule:
                    self._all[key] = self._adopted[key] = (
                        theirs if ours is None else _merged(rule, ours, theirs))
            elif rule in _SWITCHES and ours is None or rule == 'union':
                continue  # MuJoCo compares flags only where both files give them
            elif policy == 'warning' or ours is None:
                ignored.append(key[1])
            else:
                report.add(
                    codes.MJCF_NOT_ALLOWED,
                    f"'{key[1]}' is {_text(ours)} here and {_text(theirs)} in the attached model",
                    element.location, hint='<compiler conflict="warning"/> keeps that of the file')
        if ignored:
            names = ', '.join(dict.fromkeys(ignored))
            report.add(
                codes.MJCF_PART_IGNORED, f'settings of the attached model are ignored: {names}',
                element.location)

    def adopted(self) -> Iterator[tuple[str, str]]:
        """Yield tag and text of sections with the adopted settings."""
        for path in dict.fromkeys(path for path, _ in self._adopted):
            section, _, tag = path.partition('/')
            text = start_tag(tag or section, [
                (name, _text(value)) for (where, name), value in self._adopted.items()
                if where == path]) + '/>'
            yield section, f'<{section}>{text}</{section}>' if tag else text


def _merged(rule: str, ours: Any, theirs: Any) -> Any:
    if rule == 'union':
        return tuple(sorted({*ours, *theirs}))
    return theirs if rule in _SWITCHES else min(ours, theirs) if rule == 'min' else max(
        ours, theirs)


def _text(value: Any) -> str:
    return ' '.join(map(str, value)) if isinstance(value, tuple) else str(value)


def _bytes(text: str) -> int:
    """Return a size of memory, which may end with K, M, G, T, P or E; 0 for another text."""
    found = re.fullmatch(r'\s*(\d+)([KMGTPE]?)\s*', text, re.IGNORECASE)
    return 0 if found is None else int(found[1]) << (
        10 * ' KMGTPE'.index(found[2].upper() or ' '))
