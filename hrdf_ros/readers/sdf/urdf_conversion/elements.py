# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Make elements of SDFormat at the places of the records of a URDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Union

from hrdf_ros import model as m
from hrdf_ros.document import SourceRef
from hrdf_ros.parsing.gazebo import shape_name
from hrdf_ros.pose import from_rpy, Pose, to_rpy
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import new_element, numbers, set_child
from hrdf_ros.readers.sdf.urdf_conversion.gazebo import vector_or_zeros
from hrdf_ros.readers.sdf.urdf_conversion.sources import first_children, Place

Content = Union[str, Sequence[TypedElement], Mapping[str, str]]
"""The text of an element, its children, or their texts by tag."""
_BRIGHTNESS = 0.8
"""The share of a material's color that Gazebo shows; libsdformat divides by it."""


def located(
    location: Place, tag: str, content: Content = '', **attributes: str,
) -> TypedElement:
    """Return an element at the place of a record."""
    assert isinstance(location, SourceRef)  # the reader of URDF gives every record its place
    if isinstance(content, Mapping):
        content = [new_element(location, *item) for item in content.items()]
    return new_element(location, tag, content, attributes)


def pose_element(location: Place, pose: Pose, **attributes: str) -> TypedElement:
    """Return a ``<pose>`` as a quaternion, which is exact."""
    return located(
        location, 'pose', numbers(*pose.position, *pose.orientation),
        rotation_format='quat_xyzw', **attributes)


def shape_element(tag: str, shape: m.Shape, link: str, index: int) -> TypedElement:
    """Return a ``<visual>`` or ``<collision>`` of a link, named as libsdformat names it."""
    geometry = shape.geometry
    values = {  # the fields of URDF's shapes are elements of the same names
        field: value if isinstance(value, str) else numbers(
            *(value if isinstance(value, tuple) else (value,)))
        for field, value in zip(geometry._fields, geometry)
        if field in ('size', 'radius', 'length', 'uri', 'scale')}
    if 'uri' in values:
        values['uri'] = values['uri'].replace('package://', 'model://', 1)
    return located(
        shape.location, tag, [
            pose_element(shape.location, shape.pose),
            located(shape.location, 'geometry', [
                located(shape.location, type(geometry).__name__.lower(), values)])],
        name=shape_name(tag, shape.name, link, index))


def add_color(visual: TypedElement, material: m.Material) -> None:
    """Give a visual the color of its material, unless an extension has given it one."""
    look = visual.child('material')
    if look is None:
        visual.children.append(look := new_element(visual, 'material'))
    if look.child('diffuse') is None and look.child('ambient') is None:
        *color, alpha = material.diffuse or (0.0, 0.0, 0.0, 1.0)
        text = numbers(*(min(max(one / _BRIGHTNESS, 0.0), 1.0) for one in color), alpha)
        look.children += [new_element(look, tag, text) for tag in ('diffuse', 'ambient')]


def add_origin(model: TypedElement, root: SourceRef) -> None:
    """Apply the pose of the robot's ``<origin>``, which only libsdformat reads."""
    for origin in first_children({'': root}, 'origin').values():
        pose = from_rpy(*(
            vector_or_zeros(origin.attributes.get(name, '')) for name in ('xyz', 'rpy')))
        set_child(model, new_element(origin, 'pose', numbers(*pose.position, *to_rpy(pose))))
