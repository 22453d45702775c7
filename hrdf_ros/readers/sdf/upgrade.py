# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Old files made new: what changed between versions, applied to the elements of one file.

Only what changes kinematics or moves an element is here; all else means the same in every version
(libsdformat's ``*.convert`` files). An element that is made here stands where the old one stood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.readers.sdf.legacy import rename_attributes
from hrdf_ros.readers.sdf.nodes import made, ours, set_attribute, take_attribute
from hrdf_ros.readers.sdf.unflatten import unflatten
from hrdf_ros.readers.sdf.versions import Version

_TRUE = ('true', 'True', 'TRUE', '1')


def upgrade(sdf: XmlElement, version: Version, report: Report) -> None:
    """Bring the elements of a file of this version to the newest one, in place."""
    for newer, step in _STEPS:
        if version < newer:
            step(sdf, report)


def _axes_in_model_frame(sdf: XmlElement, _: Report) -> None:
    """Until 1.4 axes are seen in the model's frame, unless the file already says otherwise."""
    for model in _models(sdf):
        for axis in _axes(model):
            if axis.child('use_parent_model_frame') is None:
                axis.children.append(made(axis, 'use_parent_model_frame', 'true'))


def _gravity_to_world(sdf: XmlElement, _: Report) -> None:
    """Until 1.5 gravity and the magnetic field belong to the physics, since then to the world."""
    for world in sdf.all('world'):
        physics = world.child('physics')
        for tag in ('gravity', 'magnetic_field'):
            moved = physics.child(tag) if physics is not None else None
            if physics is not None and moved is not None:
                physics.children.remove(moved)
                world.children.append(moved)


def _frame_to_relative_to(sdf: XmlElement, _: Report) -> None:
    """Until 1.6 ``pose/@frame`` and ``use_parent_model_frame`` say what newer attributes say."""
    for node in ours(sdf):
        if node.tag == 'pose' and 'frame' in node.attributes:
            set_attribute(node, 'relative_to', take_attribute(node, 'frame'))
        elif node.tag == 'joint':
            for axis in _axes_of_joint(node):
                _use_parent_model_frame(axis)


def _use_parent_model_frame(axis: XmlElement) -> None:
    flag = axis.child('use_parent_model_frame')
    if flag is None:
        return
    axis.children = [child for child in axis.children if child.tag != flag.tag]
    if flag.text.strip() not in _TRUE:
        return
    xyz = axis.child('xyz')
    if xyz is None:
        # an empty one, as libsdformat makes it, and so refuses the axis
        axis.children.append(xyz := made(axis, 'xyz'))
    set_attribute(xyz, 'expressed_in', '__model__')


def _unflatten_worlds(sdf: XmlElement, report: Report) -> None:
    """Until 1.7 included models could stand flattened, with names such as ``arm::wrist``."""
    for world in sdf.all('world'):
        for model in world.all('model'):
            unflatten(model, report)


def _models(sdf: XmlElement) -> Iterator[XmlElement]:
    yield from sdf.all('model')
    for world in sdf.all('world'):
        yield from world.all('model')


def _axes(model: XmlElement) -> Iterator[XmlElement]:
    for joint in model.all('joint'):
        yield from _axes_of_joint(joint)


def _axes_of_joint(joint: XmlElement) -> Iterator[XmlElement]:
    yield from (child for child in joint.children if child.tag in ('axis', 'axis2'))


_STEPS: tuple[tuple[Version, Callable[[XmlElement, Report], None]], ...] = (
    ((1, 2), rename_attributes),
    ((1, 5), _axes_in_model_frame),
    ((1, 6), _gravity_to_world),
    ((1, 7), _frame_to_relative_to),
    ((1, 8), _unflatten_worlds),
)
