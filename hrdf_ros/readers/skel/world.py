# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read a SKEL file: the world, its skeletons, and the Model made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.model import Conventions, Model
from hrdf_ros.names import DART, Names
from hrdf_ros.parsing.suggestions import one_of
from hrdf_ros.pose import Vector
from hrdf_ros.readers.api import Context, Options
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.skel.body import BodyReader
from hrdf_ros.readers.skel.joints import JOINT_TYPES
from hrdf_ros.readers.skel.schema import GRAVITY, SCHEMA, VALUE_PATHS
from hrdf_ros.readers.skel.skeleton import Tables, WORLD


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """
    Return the Model that DART 6.20 makes of a SKEL file.

    Bodies, joints and coordinates are in DART's order of creation after the body ``world``, the
    parent of everything that has no other. All skeletons of a ``<world>`` are read, as in DART;
    where it has none, the first skeleton beside it is read. ``options.model_name`` picks a
    skeleton by name.
    """
    report = context.report
    root = parse(source, report, TypedElement, value_paths=VALUE_PATHS)
    if root is None or not SCHEMA.is_root(root, report):
        return None
    named = _named_skeletons(root, context.options, report)
    chosen = [element for element, _ in named]
    unread = set(_skeletons(root)).difference(chosen)
    for parent in (root, *root.all('world')):
        parent.children = [child for child in parent.children if child not in unread]
    SCHEMA.validate(root, report)
    tables = Tables(BodyReader(report, context.resolver, source.file), len(named) != 1)
    for element, name in named:
        tables.add(element, name)
    if not report.ok:
        return None
    tables.finish()
    return _model(root, tables)


def _model(root: TypedElement, tables: Tables) -> Model:
    world = root.child('world') or root
    return Model(
        name=world.get('name') or WORLD if tables.is_world else tables.scopes[0].name,
        format='skel', version=root.get('version') or '1.0', root=tables.bodies[0].name,
        bodies=tuple(tables.bodies), joints=tuple(tables.joints),
        coordinates=tuple(tables.coordinates), frames=tuple(tables.frames),
        scopes=tuple(tables.scopes), is_world=tables.is_world,
        gravity=_gravity(root), location=world.location,
        conventions=Conventions(joint_types=JOINT_TYPES))


def _gravity(root: TypedElement) -> Optional[Vector]:
    world = root.child('world')
    if world is None:
        return None
    physics = world.child('physics')
    return GRAVITY if physics is None else physics.vector3('gravity')


def _skeletons(root: TypedElement) -> list[TypedElement]:
    """Return all skeletons, those in the world first."""
    world = root.child('world')
    return [*([] if world is None else world.all('skeleton')), *root.all('skeleton')]


def _named_skeletons(
    root: TypedElement, options: Options, report: Report,
) -> list[tuple[TypedElement, str]]:
    """Return the skeletons that are to be read, with their unique names."""
    world = root.child('world')
    inside = [] if world is None else world.all('skeleton')
    beside = root.all('skeleton')
    if world is not None and beside:
        _report_beside(beside, bool(inside), report)
    elif world is None and not beside:
        report.add(
            codes.MISSING_ELEMENT, '<skel> is missing the required element <world> or <skeleton>',
            root.location, cause='<world>')
    for other in beside[1:]:
        report.add(codes.DUPLICATE_ELEMENT, 'duplicate <skeleton>; ignored', other.location)
    names = Names(report, DART)
    named = [
        (element, names.claim(element.get('name') or 'skeleton', location=element.location))
        for element in inside or beside]
    if options.model_name is None:
        return named if inside else named[:1]
    chosen = [(element, name) for element, name in named if name == options.model_name]
    if not chosen and named:
        report.add(
            codes.MODEL_NOT_FOUND, f"there is no skeleton '{options.model_name}'", root.location,
            hint=one_of(options.model_name, [name for _, name in named]))
    return chosen


def _report_beside(elements: Sequence[TypedElement], is_ignored: bool, report: Report) -> None:
    """Warn of skeletons beside the world, which DART reads only if it is asked for a skeleton."""
    hint = 'move it into the <world>'
    if is_ignored:
        for element in elements:
            report.add(
                codes.NO_EFFECT, 'a <skeleton> beside the <world> has no effect: DART reads those '
                'in the world', element.location, hint=hint)
    else:
        report.add(
            codes.SKEL_SPEC_OVER_DART,
            'a <skeleton> beside the <world> is read as the specification says; for DART the '
            'world has none', elements[0].location, hint=hint)
