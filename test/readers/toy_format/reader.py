# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A stack of boxes as a Model."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.document import parse, SourceFile
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body, Box, Frame, Joint, Model, Shape
from hrdf_ros.pose import translation
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.schema import TypedElement
from toy_format.schema import SCHEMA


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of a stack, None with errors."""
    root = parse(source, context.report, TypedElement)
    if root is None or not SCHEMA.is_root(root, context.report):
        return None
    version = root.get('version') or '1'
    if not SCHEMA.validate(root, context.report, version=version):
        return None
    boxes = root.all('box')
    bodies = tuple(map(_read_box, boxes))
    joints = tuple(
        Joint(f'{body.name}_joint', f'{body.name}_joint', 'fixed', index, index + 1,
              translation(0.0, 0.0, below.vector3('size')[2]))
        for index, (below, body) in enumerate(zip(boxes, bodies[1:])))
    frames = tuple(
        Frame(body.name, body.name, 'link', index) for index, body in enumerate(bodies))
    return Model('stack', 'toy', version, bodies[0].name, bodies, joints, frames=frames)


def _read_box(box: TypedElement) -> Body:
    name = box.string('name')
    return Body(
        name, name, Inertia(box.number('mass')),
        (Shape(box.string('color'), Box(box.vector3('size'))),), location=box.location)
