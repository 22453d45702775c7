# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<link>`` elements of SDFormat."""

from __future__ import annotations

from typing import Union

from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body
from hrdf_ros.pose import Pose, relative
from hrdf_ros.writers.sdf.scoped import local_name
from hrdf_ros.writers.sdf.shapes import pose_element, shape_elements, value
from hrdf_ros.writers.xml import Raw, raw, WrittenElement

_MASSLESS = Inertia(0.0)
_TERMS = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')


def link_element(body: Body, root_from_model: Pose) -> WrittenElement:
    """Return the ``<link>``; without mass it is written so, because SDFormat's default is 1 kg."""
    children: list[Union[WrittenElement, Raw]] = [
        *pose_element(relative(root_from_model, body.pose)),
        _inertial(body.inertia or _MASSLESS), *shape_elements('visual', body.visuals),
        *shape_elements('collision', body.collisions), *raw(body.extensions, 'sdf')]
    return WrittenElement('link', (('name', local_name(body.source_name)),), tuple(children))


def _inertial(inertia: Inertia) -> WrittenElement:
    tensor = tuple([value(term, getattr(inertia, term)) for term in _TERMS])
    return WrittenElement('inertial', (), (
        *pose_element(inertia.pose), value('mass', inertia.mass),
        WrittenElement('inertia', (), tensor)))
