# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``<gazebo>`` blocks: what a Model knows and, of all who read URDF, only Gazebo can use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hrdf_ros.model import Model, RawElement
from hrdf_ros.writers.urdf.joints import SINGLE_AXIS
from hrdf_ros.writers.xml import number, raw, WrittenElement


def gazebo_blocks(model: Model) -> tuple[WrittenElement, ...]:
    """Return the blocks for static models, springs, and plugins and sensors of SDFormat."""
    return (*_model_blocks(model), *_link_blocks(model), *_joint_blocks(model))


def _model_blocks(model: Model) -> Iterator[WrittenElement]:
    if model.static:
        yield WrittenElement('gazebo', (), (WrittenElement('static', text='true'),))
    yield from _wrapped((), model.extensions)


def _link_blocks(model: Model) -> Iterator[WrittenElement]:
    for body in model.bodies:
        yield from _wrapped((('reference', body.name),), body.extensions)


def _joint_blocks(model: Model) -> Iterator[WrittenElement]:
    for joint in model.joints:
        reference = (('reference', joint.name),)
        if joint.type in SINGLE_AXIS:
            coordinate = model.coordinates[joint.motions[0].coordinates[0]]
            if coordinate.spring_stiffness:
                yield WrittenElement('gazebo', reference, (
                    WrittenElement('springStiffness', text=number(coordinate.spring_stiffness)),
                    WrittenElement('springReference', text=number(coordinate.spring_reference))))
        yield from _wrapped(reference, joint.extensions)


def _wrapped(
    reference: tuple[tuple[str, str], ...], extensions: Iterable[RawElement],
) -> Iterator[WrittenElement]:
    """Yield one block around what of an item is SDFormat, if something is."""
    children = raw(extensions, 'sdf')
    if children:
        yield WrittenElement('gazebo', reference, tuple(children))
