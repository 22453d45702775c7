# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The settings of a file that affect how its elements are read: compiler, plugins, sizes."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import Any, NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.readers.schema import TypedElement


class Compiler(NamedTuple):
    """The settings of all ``<compiler>`` elements together; the last value given counts."""

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
        """One unit of the file's angles, in radians."""
        return math.pi / 180.0 if self.angle == 'degree' else 1.0


class Declared(NamedTuple):
    """The plugins, their instances and the lengths of ``user`` lists that a file declares."""

    plugins: frozenset[str]
    instances: frozenset[str]
    user_sizes: Mapping[str, int]


def read_compiler(root: TypedElement, report: Report) -> Compiler:
    """Return the settings of a file; global coordinates are an error, as in MuJoCo."""
    values: dict[str, Any] = {}
    for element in root.all('compiler'):
        given = {name: value_of(element, name) for name in element.attributes}
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


def value_of(element: TypedElement, name: str) -> Any:
    """Return a value of any type, the text where its type is text."""
    value = element.values.get(name)
    return element.attributes[name] if value is None else value


def declared_in(root: TypedElement) -> Declared:
    """Return what a file declares; the last one of several sizes counts."""
    plugins = [plugin for section in root.all('extension') for plugin in section.all('plugin')]
    sizes: dict[str, int] = {}
    for section in root.all('size'):
        sizes.update((name, value) for name, value in section.values.items()
                     if name.startswith('nuser_') and isinstance(value, int))
    return Declared(
        frozenset(plugin.get('plugin') or '' for plugin in plugins),
        frozenset(one.get('name') or '' for plugin in plugins for one in plugin.all('instance')),
        {name: value for name, value in sizes.items() if value >= 0})
