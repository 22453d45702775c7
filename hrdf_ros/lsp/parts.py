# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Facts about the parts of HEBI's component library: mass, torque, speed, interface."""

from __future__ import annotations

import math
from typing import Optional

from hrdf_ros.readers.hrdf import catalog

_RPM = 60.0 / math.tau


def describe(tag: str, name: str) -> Optional[str]:
    """Return a line about a part by the element that it is the type of, None without one."""
    if tag == 'actuator' and name in catalog.ACTUATORS:
        return _actuator(catalog.ACTUATORS[name])
    if tag == 'bracket' and name in catalog.BRACKETS:
        bracket = catalog.BRACKETS[name]
        return f'bracket for {bracket.interface}: mass {bracket.mass:g} kg'
    if tag == 'link' and name in catalog.LINKS:
        return _link(catalog.LINKS[name])
    if tag == 'end-effector' and name in catalog.END_EFFECTORS:
        found = catalog.END_EFFECTORS[name]
        fits = 'anything' if found.interface is None else found.interface
        return f'end effector for {fits}: mass {found.inertia.mass:g} kg'
    return None


def _actuator(found: catalog.Actuator) -> str:
    family = catalog.FAMILIES[found.family]
    return (
        f'actuator with interface {family.interface}: mass {found.mass:g} kg, '
        f'torque {found.effort:g} Nm, speed {found.speed:.4g} rad/s '
        f'({found.speed * _RPM:.3g} rpm), height {family.height:g} m')


def _link(found: catalog.Link) -> str:
    masses = sorted(found.bases.values())
    base = f'{masses[0]:g}' if len(masses) == 1 else f'{masses[0]:g} to {masses[-1]:g}'
    return (
        f'link from interface {found.interface} to {found.output_interface}: mass '
        f'{found.mass_per_meter:g} kg for each meter of extension, and {base} kg by its ends')
