# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Old files upgraded: the changes between versions, applied to the elements of one file.

These are the elements that moved or were renamed, interpreted and preserved ones alike; all others
mean the same in every version (libsdformat's ``*.convert`` files). A new element has the location
of the old one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import (
    mark_changed,
    new_element,
    sdf_elements,
    set_attribute,
    set_text,
    take_attribute,
)
from hrdf_ros.readers.sdf.schema.types import Version

_TRUE = ('true', 'True', 'TRUE', '1')

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
"""Element: its attributes in SDF 1.0 that are child elements since 1.2."""

ATTRIBUTE_TO_TEXT = {
    'origin': 'pose', 'parent': 'link', 'child': 'link', 'ambient': 'rgba', 'diffuse': 'rgba',
    'specular': 'rgba', 'emissive': 'rgba',
}
"""Element: its attribute in SDF 1.0 that is its text since 1.2."""

NEW_TAGS = {
    ('heightmap', 'origin'): 'pos', ('mesh', 'filename'): 'uri', ('heightmap', 'filename'): 'uri',
    ('image', 'filename'): 'uri',
}

_FLATTENED = ('frame', 'joint', 'link', 'model', 'gripper')
_REFERRING_TEXTS = ('parent', 'child', 'gripper_link', 'palm_link')
_REFERRING_ATTRIBUTES = {'pose': 'relative_to', 'frame': 'attached_to', 'xyz': 'expressed_in'}


def upgrade(root: TypedElement, version: Version, report: Report) -> None:
    """Bring the elements of a file of this version to the newest one, in place."""
    for newer, step in _STEPS:
        if version < newer:
            step(root, report)


def _attributes_to_elements(root: TypedElement, _: Report) -> None:
    """Until 1.0 attributes hold values that are child elements or texts since 1.2."""
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


def _axes_in_model_frame(root: TypedElement, _: Report) -> None:
    """Until 1.4 axes are in the model's frame, unless the file has a flag already."""
    for model in _models(root):
        for joint in model.all('joint'):
            for axis in _axes(joint):
                if axis.child('use_parent_model_frame') is None:
                    axis.children.append(new_element(axis, 'use_parent_model_frame', 'true'))


def _times_of_physics(root: TypedElement, _: Report) -> None:
    """Until 1.3 each engine has a time step of its own, since 1.4 the physics has one."""
    for world in root.all('world'):
        for physics in world.all('physics'):
            rate = physics.child('update_rate')
            if rate is not None:
                rate.tag = 'real_time_update_rate'
                mark_changed(rate)
            for path in (('ode', 'solver'), ('bullet',)):
                _move_step(physics, path)


def _move_step(physics: TypedElement, path: tuple[str, ...]) -> None:
    """Move the time step of an engine to the physics, unless that has one already."""
    engine: Optional[TypedElement] = physics
    for tag in path:
        engine = engine.child(tag) if engine is not None else None
    step = engine.child('dt') if engine is not None else None
    if engine is not None and step is not None and physics.child('max_step_size') is None:
        engine.children.remove(step)
        mark_changed(engine)
        physics.children.append(new_element(step, 'max_step_size', step.text))


def _noise_of_imus(root: TypedElement, _: Report) -> None:
    """Until 1.5 an IMU has noise of rates and of accelerations, since 1.6 of each axis."""
    for element in [*sdf_elements(root)]:
        noise = element.child('noise') if element.tag == 'imu' else None
        if noise is not None:
            _split_noise(element, noise)


def _split_noise(imu: TypedElement, noise: TypedElement) -> None:
    word = noise.child('type')
    kind = 'none' if word is None else word.text.strip()
    imu.children.remove(noise)
    mark_changed(imu)
    for tag, old in (('angular_velocity', 'rate'), ('linear_acceleration', 'accel')):
        values = noise.child(old)
        if imu.child(tag) is None:
            imu.children.append(new_element(noise, tag, [
                new_element(noise, axis, [new_element(
                    noise, 'noise', [] if values is None else [
                        new_element(each, each.tag, each.text) for each in values.children],
                    {'type': kind})])
                for axis in 'xyz']))


def _gravity_to_world(root: TypedElement, _: Report) -> None:
    """Until 1.5 gravity and the magnetic field belong to the physics, since then to the world."""
    for world in root.all('world'):
        physics = world.child('physics')
        for tag in ('gravity', 'magnetic_field'):
            moved = physics.child(tag) if physics is not None else None
            if physics is not None and moved is not None:
                physics.children.remove(moved)
                mark_changed(physics)
                world.children.append(moved)


def _frame_to_relative_to(root: TypedElement, _: Report) -> None:
    """Until 1.6 ``pose/@frame`` and ``use_parent_model_frame`` stand for newer attributes."""
    for element in sdf_elements(root):
        if element.tag == 'pose' and 'frame' in element.attributes:
            frame = take_attribute(element, 'frame')
            if frame.strip():
                set_attribute(element, 'relative_to', frame)
        elif element.tag == 'joint':
            for axis in _axes(element):
                _use_parent_model_frame(axis)


def _use_parent_model_frame(axis: TypedElement) -> None:
    flag = axis.child('use_parent_model_frame')
    if flag is None:
        return
    axis.children = [child for child in axis.children if child.tag != flag.tag]
    mark_changed(axis)
    if flag.text.strip() not in _TRUE:
        return
    xyz = axis.child('xyz')
    if xyz is None:
        # an empty one, as libsdformat makes it, and so refuses the axis
        axis.children.append(xyz := new_element(axis, 'xyz'))
    set_attribute(xyz, 'expressed_in', '__model__')


def _models(root: TypedElement) -> Iterator[TypedElement]:
    yield from root.all('model')
    for world in root.all('world'):
        yield from world.all('model')


def _axes(joint: TypedElement) -> Iterator[TypedElement]:
    yield from (child for child in joint.children if child.tag in ('axis', 'axis2'))


# ---- flattened models

def _unflatten_worlds(root: TypedElement, report: Report) -> None:
    """
    Nest flattened models again.

    Until 1.7 libsdformat flattened an included model into its parent: link ``arm::wrist`` and a
    frame ``arm::__model__`` that carries the pose and the canonical link. libsdformat turns that
    back into ``<model name="arm">`` in the models of a world.
    """
    pending = [model for world in root.all('world') for model in world.all('model')][::-1]
    while pending:
        node = pending.pop()
        for prefix in _prefixes(node):
            _nest(node, prefix)
            report.add(
                codes.SDF_MODEL_UNFLATTENED,
                f"the flattened names '{prefix}::...' become a nested model", node.location)
        pending.extend(node.all('model'))


def _prefixes(model: TypedElement) -> list[str]:
    """Return the names of the models that were flattened into this one, in document order."""
    names = (_name(child) for child in model.children if child.tag in _FLATTENED)
    return list(dict.fromkeys(name.partition('::')[0] for name in names if '::' in name))


def _name(node: TypedElement) -> str:
    return node.get('name') or ''


def _nest(model: TypedElement, prefix: str) -> None:
    """Move the elements with a prefix into a nested model, which becomes the last child."""
    below = [child for child in model.children if _belongs(child, f'{prefix}::')]
    kept = [child for child in model.children if not _belongs(child, f'{prefix}::')]
    nested = new_element(below[0], 'model', attributes={'name': prefix})
    moved = [_moved(child, f'{prefix}::', nested) for child in below]
    nested.children = [child for child in moved if child is not None]
    model.children = [*kept, nested]


def _belongs(child: TypedElement, prefix: str) -> bool:
    """Return whether an element was in the model: by its name, or a gripper by its links."""
    if child.tag == 'gripper' and not _name(child).startswith(prefix):
        links = child.all('gripper_link')
        return bool(links) and all(link.text.startswith(prefix) for link in links)
    return child.tag in _FLATTENED and _name(child).startswith(prefix)


def _moved(child: TypedElement, prefix: str, nested: TypedElement) -> Optional[TypedElement]:
    """Strip the prefix; the frame of the model itself leaves only its pose behind."""
    _strip(child, prefix)
    if child.tag == 'frame' and child.get('name') == '__model__':
        set_attribute(nested, 'canonical_link', child.get('attached_to') or '')
        return child.child('pose')
    return child


def _strip(top: TypedElement, prefix: str) -> None:
    """Strip a prefix from the name of an element and from every reference in it."""
    _strip_attribute(top, 'name', prefix)
    for node in top.walk():
        attribute = _REFERRING_ATTRIBUTES.get(node.tag)
        if attribute is not None:
            _strip_attribute(node, attribute, prefix)
        elif node.tag in _REFERRING_TEXTS:
            if node.text.startswith(prefix):
                set_text(node, node.text.removeprefix(prefix))


def _strip_attribute(node: TypedElement, attribute: str, prefix: str) -> None:
    value = node.get(attribute)
    if value is not None and value.startswith(prefix):
        set_attribute(node, attribute, value.removeprefix(prefix))


_STEPS: tuple[tuple[Version, Callable[[TypedElement, Report], None]], ...] = (
    ((1, 2), _attributes_to_elements),
    ((1, 4), _times_of_physics),
    ((1, 5), _axes_in_model_frame),
    ((1, 6), _gravity_to_world),
    ((1, 6), _noise_of_imus),
    ((1, 7), _frame_to_relative_to),
    ((1, 8), _unflatten_worlds),
)
