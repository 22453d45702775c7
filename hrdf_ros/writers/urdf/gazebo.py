# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``<gazebo>`` blocks: what a Model knows and, of all who read URDF, only Gazebo can use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hrdf_ros.model import Model, NONE, RawElement
from hrdf_ros.writers.urdf.plan import Plan
from hrdf_ros.writers.xml import Element, number, raw


def gazebo_blocks(model: Model, plan: Plan) -> tuple[Element, ...]:
    """Return the blocks for static models, springs, and plugins and sensors of SDFormat."""
    return (*_model_blocks(model), *_link_blocks(model), *_joint_blocks(model, plan))


def _model_blocks(model: Model) -> Iterator[Element]:
    if model.static or (model.bodies and all(body.static for body in model.bodies)):
        yield Element('gazebo', (), (Element('static', text='true'),))
    yield from _wrapped((), model.extensions)


def _link_blocks(model: Model) -> Iterator[Element]:
    for body in model.bodies:
        yield from _wrapped((('reference', body.name),), body.extensions)


def _joint_blocks(model: Model, plan: Plan) -> Iterator[Element]:
    for edge in plan.joints:
        reference = (('reference', edge.name),)
        if edge.drive is not None and not edge.drive.follows:
            coordinate = model.coordinates[edge.drive.coordinate]
            if coordinate.spring_stiffness:
                yield Element('gazebo', reference, (
                    Element('springStiffness', text=number(coordinate.spring_stiffness)),
                    Element('springReference', text=number(coordinate.spring_reference))))
        if edge.joint != NONE:
            yield from _wrapped(reference, model.joints[edge.joint].extensions)


def _wrapped(
    reference: tuple[tuple[str, str], ...], extensions: Iterable[RawElement],
) -> Iterator[Element]:
    """Yield one block around what of an item is SDFormat, if something is."""
    children = raw(extensions, 'sdf')
    if children:
        yield Element('gazebo', reference, tuple(children))
