# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Simulation settings that a file and the models that it attaches both give."""

from __future__ import annotations

from collections.abc import Iterator
import re
from typing import Any, NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import start_tag
from hrdf_ros.readers.schema import TypedElement

_Key = tuple[str, str]
"""The path and name of an attribute."""


def _rules(path: str, rule: str, names: str) -> dict[_Key, str]:
    return {(path, name): rule for name in names.split()}


_RULES = {
    **_rules('option', 'min', 'timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance '
             'sleep_tolerance'),
    **_rules('option', 'max', 'iterations ls_iterations noslip_iterations ccd_iterations '
             'sdf_iterations sdf_initpoints'),
    **_rules('option', 'error', 'impratio density viscosity o_margin integrator cone jacobian '
             'solver gravity wind magnetic o_solref o_solimp o_friction'),
    **_rules('option', 'union', 'actuatorgroupdisable'),
    **_rules('option/flag', 'disable', 'constraint equality frictionloss limit contact spring '
             'damper gravity clampctrl warmstart filterparent actuation refsafe sensor midphase '
             'eulerdamp autoreset nativeccd island multiccd'),
    **_rules('option/flag', 'enable', 'override energy fwdinv invdiscrete sleep diagexact'),
    **_rules('visual/map', 'min', 'znear'), **_rules('visual/map', 'max', 'zfar'),
    **_rules('visual/global', 'min', 'realtime'),
    **_rules('size', 'max', 'memory njmax nconmax nuserdata nkey nuser_body nuser_jnt nuser_geom '
             'nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor')}
"""How ``merge`` combines two values; flags are enabled or disabled by either file."""
_SWITCHES = ('enable', 'disable')


class Setting(NamedTuple):
    """A value as it is compared, and its text."""

    value: Any
    text: str


class Settings:
    """The settings of one file, ``adopted`` those that it has from models it attaches."""

    def __init__(self, root: TypedElement) -> None:
        self._own: dict[_Key, Setting] = {}
        self._adopted: dict[_Key, Setting] = {}
        for section in root.children:
            for path, element in ((section.tag, section), *(
                    (f'{section.tag}/{child.tag}', child) for child in section.children)):
                for name, text in element.attributes.items():
                    value = _bytes(text) if name == 'memory' else element.values.get(name, text)
                    if (path, name) in _RULES and (path != 'size' or value > 0):
                        self._own[path, name] = Setting(value, text)

    def value(self, path: str, name: str) -> Any:
        """Return a value, None where neither the file nor a model that it attaches gives it."""
        found = self._adopted.get((path, name)) or self._own.get((path, name))
        return None if found is None else found.value

    def attach(
        self, other: Settings, policy: str, element: TypedElement, report: Report,
    ) -> None:
        """Resolve conflicts with an attached model as MuJoCo does."""
        ignored = []
        for key, theirs in {**other._own, **other._adopted}.items():
            ours = self._adopted.get(key) or self._own.get(key)
            rule = _RULES[key]
            if ours is not None and ours.value == theirs.value:
                continue
            if policy == 'merge' and (ours is None or rule != 'error'):
                if rule not in _SWITCHES or theirs.value == rule:
                    self._adopted[key] = theirs if ours is None else _merged(rule, ours, theirs)
            elif rule in _SWITCHES and ours is None or rule == 'union':
                continue  # MuJoCo compares flags only where both files give them
            elif policy == 'warning' or ours is None:
                ignored.append(key[1])
            else:
                report.add(
                    codes.MJCF_NOT_ALLOWED,
                    f"'{key[1]}' is {ours.text} here and {theirs.text} in the attached model",
                    element.location, hint='<compiler conflict="warning"/> keeps that of the file')
        if ignored:
            names = ', '.join(dict.fromkeys(ignored))
            report.add(
                codes.MJCF_PART_IGNORED, f'settings of the attached model are ignored: {names}',
                element.location)

    def sections(self) -> Iterator[tuple[str, str]]:
        """Yield tag and text of the sections that make the adopted settings."""
        for tag in dict.fromkeys(path.partition('/')[0] for path, _ in self._adopted):
            inner = ''.join(
                f'{self._start(path)}/>' for path in dict.fromkeys(
                    path for path, _ in self._adopted if path.startswith(f'{tag}/')))
            yield tag, f'{self._start(tag)}>{inner}</{tag}>' if inner else f'{self._start(tag)}/>'

    def _start(self, path: str) -> str:
        return start_tag(path.rpartition('/')[2], [
            (name, one.text) for (where, name), one in self._adopted.items() if where == path])


def _merged(rule: str, ours: Setting, theirs: Setting) -> Setting:
    if rule == 'union':
        groups = tuple(sorted({*ours.value, *theirs.value}))
        return Setting(groups, ' '.join(map(str, groups)))
    if rule in _SWITCHES:
        return theirs
    return (min if rule == 'min' else max)(ours, theirs)


def _bytes(text: str) -> int:
    """Return a size of memory, which may end with K, M, G, T, P or E; 0 for another text."""
    found = re.fullmatch(r'\s*(\d+)([KMGTPE]?)\s*', text, re.IGNORECASE)
    if found is None:
        return 0
    number, unit = found.groups()
    return int(number) << (10 * ' KMGTPE'.index(unit.upper() or ' '))
