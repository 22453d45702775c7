# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Upgrade old files: apply the changes between versions to the elements of one file.

The changes are those of libsdformat's ``*.convert`` files: elements that moved or were renamed,
both those that are read and those that are preserved. All other elements mean the same in every
version. A new element has the location of the old one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.formats import sdf_has, Version
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import (
    mark_changed,
    new_element,
    sdf_elements,
    set_value,
    take_attribute,
)

ATTRIBUTE_TO_CHILD = {
    'model': ('static',),
    'link': ('gravity', 'self_collide', 'kinematic'),
    'inertial': ('mass', 'density'),
    'inertia': ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'),
    'collision': ('laser_retro',),
    'visual': ('cast_shadows', 'laser_retro', 'transparency'),
    'box': ('size',),
    'sphere': ('radius',),
    'cylinder': ('radius', 'length'),
    'mesh': ('filename', 'scale'),
    'image': ('filename', 'scale', 'threshold', 'height', 'granularity'),
    'heightmap': ('filename', 'size', 'origin'),
    'plane': ('normal',),
    'axis': ('xyz',),
    'axis2': ('xyz',),
    'dynamics': ('damping', 'friction'),
    'limit': ('lower', 'upper', 'effort', 'velocity', 'cfm', 'erp'),
    'suspension': ('cfm', 'erp'),
    'sensor': ('always_on', 'update_rate', 'visualize', 'topic'),
    'light': ('cast_shadows',),
}
"""The attributes of each element in SDF 1.0 that are child elements since 1.2."""

ATTRIBUTE_TO_TEXT = {
    'origin': 'pose', 'parent': 'link', 'child': 'link', 'ambient': 'rgba', 'diffuse': 'rgba',
    'specular': 'rgba', 'emissive': 'rgba',
}
"""The attribute of each element in SDF 1.0 that is its text since 1.2."""

NEW_TAGS = {
    ('heightmap', 'origin'): 'pos', ('mesh', 'filename'): 'uri', ('heightmap', 'filename'): 'uri',
    ('image', 'filename'): 'uri',
}

_MOVED = (
    ((1, 4), 'world/physics', 'update_rate', 'real_time_update_rate'),
    ((1, 4), 'world/physics', 'ode/solver/dt', 'max_step_size'),
    ((1, 4), 'world/physics', 'bullet/dt', 'max_step_size'),
    ((1, 6), 'world', 'physics/gravity', 'gravity'),
    ((1, 6), 'world', 'physics/magnetic_field', 'magnetic_field'),
)
"""The first version after a move, the element, its child's path before, and its new tag."""

_FLATTENED = ('frame', 'joint', 'link', 'model', 'gripper')
_REFERRING = {
    'pose': 'relative_to', 'frame': 'attached_to', 'xyz': 'expressed_in', 'parent': '',
    'child': '', 'gripper_link': '', 'palm_link': ''}
"""The attribute of each element ('' is its text) that names another element."""


def upgrade(root: TypedElement, version: Version, report: Report) -> None:
    """Bring the elements of a file of this version to the newest one, in place."""
    for newer, step in _STEPS:
        if version < newer:
            step(root)
    for newer, path, old, new in _MOVED:
        if version < newer:
            for element in _at(root, path):
                _move(element, old, new)
    if not sdf_has(version, 'nested_names'):
        _unflatten_worlds(root, report)


def _at(root: TypedElement, path: str) -> list[TypedElement]:
    """Return the elements at a path of tags."""
    level = [root]
    for tag in path.split('/'):
        level = [child for element in level for child in element.all(tag)]
    return level


def _move(element: TypedElement, path: str, tag: str) -> None:
    """Move the element at a path to a child ``tag``, unless there is one already."""
    holder: Optional[TypedElement] = element
    *above, last = path.split('/')
    for step in above:
        holder = holder.child(step) if holder is not None else None
    moved = holder.child(last) if holder is not None else None
    if holder is not None and moved is not None and element.child(tag) is None:
        holder.children.remove(moved)
        moved.tag = tag
        element.children.append(moved)
        mark_changed(holder)
        mark_changed(moved)


def _attributes_to_elements(root: TypedElement) -> None:
    """Turn attributes of SDF 1.0 into the child elements or texts that they are since 1.2."""
    for element in list(sdf_elements(root)):
        for name in ATTRIBUTE_TO_CHILD.get(element.tag, ()):
            if name in element.attributes:
                tag = NEW_TAGS.get((element.tag, name), name)
                element.children.append(
                    new_element(element, tag, take_attribute(element, name)))
        name = ATTRIBUTE_TO_TEXT.get(element.tag, '')
        if name in element.attributes:
            element.text = take_attribute(element, name)
        if element.tag == 'origin':
            element.tag = 'pose'
            mark_changed(element)


def _axes_in_model_frame(root: TypedElement) -> None:
    """Mark axes of files up to 1.4 as given in the model's frame, unless a flag says otherwise."""
    for joint in (*_at(root, 'model/joint'), *_at(root, 'world/model/joint')):
        for axis in (*joint.all('axis'), *joint.all('axis2')):
            if axis.child('use_parent_model_frame') is None:
                axis.children.append(new_element(axis, 'use_parent_model_frame', 'true'))


def _noise_of_imus(root: TypedElement) -> None:
    """Give each axis of an IMU the noise that all its rates or accelerations share up to 1.5."""
    for imu in list(sdf_elements(root)):
        noise = imu.child('noise') if imu.tag == 'imu' else None
        if noise is None:
            continue
        kind = noise.child('type')
        attributes = {'type': 'none' if kind is None else kind.text.strip()}
        imu.children.remove(noise)
        mark_changed(imu)
        for tag, old in (('angular_velocity', 'rate'), ('linear_acceleration', 'accel')):
            values = noise.child(old)
            parts = [] if values is None else values.children
            if imu.child(tag) is None:
                imu.children.append(new_element(noise, tag, [
                    new_element(noise, axis, [new_element(noise, 'noise', [
                        new_element(each, each.tag, each.text) for each in parts], attributes)])
                    for axis in 'xyz']))


def _frame_to_relative_to(root: TypedElement) -> None:
    """Replace ``pose/@frame`` and ``use_parent_model_frame`` (up to 1.6) by newer attributes."""
    for element in sdf_elements(root):
        if element.tag == 'pose' and 'frame' in element.attributes:
            frame = take_attribute(element, 'frame')
            if frame.strip():
                set_value(element, 'relative_to', frame)
        elif element.tag == 'joint':
            for axis in (*element.all('axis'), *element.all('axis2')):
                _use_parent_model_frame(axis)


def _use_parent_model_frame(axis: TypedElement) -> None:
    flag = axis.child('use_parent_model_frame')
    if flag is None:
        return
    axis.children = [child for child in axis.children if child.tag != flag.tag]
    mark_changed(axis)
    if flag.text.strip() in ('true', 'True', 'TRUE', '1'):
        xyz = axis.child('xyz')
        if xyz is None:
            # an empty one is kept, as in libsdformat, which refuses the axis for it
            axis.children.append(xyz := new_element(axis, 'xyz'))
        set_value(xyz, 'expressed_in', '__model__')


# ---- flattened models

def _unflatten_worlds(root: TypedElement, report: Report) -> None:
    """
    Nest flattened models again.

    Until 1.7 libsdformat flattened an included model into its parent: link ``arm::wrist`` and a
    frame ``arm::__model__`` that carries the pose and the canonical link. libsdformat turns that
    back into ``<model name="arm">`` in the models of a world.
    """
    pending = _at(root, 'world/model')[::-1]
    while pending:
        model = pending.pop()
        names = [_name(child) for child in model.children if child.tag in _FLATTENED]
        for name in dict.fromkeys(name.partition('::')[0] for name in names if '::' in name):
            _nest(model, name)
            report.add(
                codes.SDF_MODEL_UNFLATTENED,
                f"the flattened names '{name}::...' become a nested model", model.location)
        pending.extend(model.all('model'))


def _name(element: TypedElement) -> str:
    return element.get('name') or ''


def _nest(model: TypedElement, name: str) -> None:
    """Move the elements with a prefix into a new nested model, the last child."""
    prefix = f'{name}::'
    below = [child for child in model.children if _belongs(child, prefix)]
    nested = new_element(below[0], 'model', attributes={'name': name})
    model.children = [child for child in model.children if not _belongs(child, prefix)]
    model.children.append(nested)
    for child in below:
        _strip(child, prefix)
        if child.tag == 'frame' and _name(child) == '__model__':
            # only the pose of the model's own frame stays
            set_value(nested, 'canonical_link', child.get('attached_to') or '')
            nested.children += child.all('pose')[:1]
        else:
            nested.children.append(child)


def _belongs(child: TypedElement, prefix: str) -> bool:
    """Return whether the name of an element, or a gripper's links, say that it was in a model."""
    if child.tag == 'gripper' and not _name(child).startswith(prefix):
        links = child.all('gripper_link')
        return bool(links) and all(link.text.startswith(prefix) for link in links)
    return child.tag in _FLATTENED and _name(child).startswith(prefix)


def _strip(top: TypedElement, prefix: str) -> None:
    """Strip a prefix from the name of an element and from every reference in it."""
    pairs = [(top, 'name'), *((node, _REFERRING.get(node.tag)) for node in top.walk())]
    for node, attribute in pairs:
        old = node.get(attribute) if attribute else node.text
        if attribute is not None and old is not None and old.startswith(prefix):
            set_value(node, attribute, old.removeprefix(prefix))


_STEPS: tuple[tuple[Version, Callable[[TypedElement], None]], ...] = (
    ((1, 2), _attributes_to_elements),
    ((1, 5), _axes_in_model_frame),
    ((1, 6), _noise_of_imus),
    ((1, 7), _frame_to_relative_to),
)
