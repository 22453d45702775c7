# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<link>`` elements of SDFormat."""

from __future__ import annotations

import math
from typing import Optional, Union

from hrdf_ros import codes
from hrdf_ros.inertia import Inertia, is_physical
from hrdf_ros.model import Body, Model, NONE
from hrdf_ros.pose import IDENTITY, Pose, relative
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics
from hrdf_ros.writers.sdf.plan import Link
from hrdf_ros.writers.sdf.shapes import pose_element, shape_elements, value
from hrdf_ros.writers.xml import Element, Raw, raw

_MASSLESS = Inertia(0.0)
_TERMS = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')


def link_element(
    link: Link,
    model: Model,
    root_from_model: Pose,
    version: tuple[int, int],
    notes: GroupedDiagnostics,
) -> Element:
    """Return the ``<link>``; without mass it is written so, because SDFormat's default is 1 kg."""
    children: list[Union[Element, Raw]] = [*pose_element(relative(root_from_model, link.pose))]
    body = None if link.body == NONE else model.bodies[link.body]
    children.append(_inertial(body, notes))
    if body is not None:
        children += shape_elements('visual', body.visuals, version, notes)
        children += shape_elements('collision', body.collisions, version, notes)
        children += raw(body.extensions, 'sdf')
    return Element('link', (('name', link.name),), tuple(children))


def _inertial(body: Optional[Body], notes: GroupedDiagnostics) -> Element:
    inertia = _MASSLESS if body is None or body.inertia is None else body.inertia
    if body is not None and not _is_legal(inertia):
        notes.add(
            codes.INERTIA_NOT_REPRESENTABLE,
            'SDFormat refuses inertias that no body can have; of these only the mass is written',
            body.name, inertia.location or body.location)
        mass = inertia.mass if math.isfinite(inertia.mass) else 0.0
        pose = inertia.pose if all(map(math.isfinite, inertia.pose)) else IDENTITY
        inertia = Inertia(max(mass, 0.0), pose)
    tensor = tuple(value(term, getattr(inertia, term)) for term in _TERMS)
    return Element('inertial', (), (
        *pose_element(inertia.pose), value('mass', inertia.mass),
        Element('inertia', (), tensor)))


def _is_legal(inertia: Inertia) -> bool:
    """Tell whether SDFormat accepts an inertia and everybody can read it."""
    return math.isfinite(sum(inertia.pose) + inertia.mass) and is_physical(inertia)
