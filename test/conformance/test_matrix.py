# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Anything to anything: every robot is written in every format and read back.

It must stand and move as it did and weigh the same; whatever else differs must be a difference
that a diagnostic of the writer explains. Robots are those of this repository, and the corpora
where they lie beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

from helpers.loading import model_of
from helpers.robots import name_of, read, robots
from helpers.sdf_texts import with_names_of_sdf
from hrdf_ros import load, write_sdf, write_urdf
from hrdf_ros.diagnostics import Report
from hrdf_ros.diff import diff_models, Difference
from hrdf_ros.model import Model
import pytest

WRITERS: dict[str, Callable[[Model], tuple[str, Report]]] = {'urdf': write_urdf, 'sdf': write_sdf}

# SDFormat keeps the name ``world`` for the world, so this robot's body gets another: what has the
# name in both is not to be compared.
OTHER_WORLD = ('46_err_world_named_body.skel', 'sdf')
CASES = [
    (file, target)
    for file, target in product(
        robots('.hrdf', '.sdf', '.world', '.skel', '.urdf', '.xacro'), WRITERS)
    if (file.name, target) != OTHER_WORLD]

ADDED, GONE, CHANGED = 'added', 'gone', 'changed'
LINKS = {'link-added', 'root-added', 'joint-expanded'}
EXPLAINS = {
    # SDFormat names every joint's frame
    ('frame', ADDED): LINKS | {'silently, in sdf'},
    ('frame', GONE): {'frame-not-representable', 'name-changed'},
    ('body', ADDED): LINKS | {'name-changed'},
    ('body', GONE): {'name-changed'},
    ('joint', ADDED): LINKS | {'name-changed'},
    ('joint', GONE): LINKS | {'loop-not-representable', 'name-changed'},
    ('constraint', GONE): {'constraint-not-representable'},
    ('coordinate', ADDED): LINKS | {'joint-floating', 'name-changed'},
    ('coordinate', GONE): {'joint-floating', 'loop-not-representable', 'name-changed'},
    ('parent of joint', CHANGED): LINKS | {'joint-reversed', 'name-changed'},
    ('child of joint', CHANGED): LINKS | {'joint-reversed', 'name-changed'},
    **{
        (what, CHANGED): {'limit-default-used', 'detail-not-representable'}
        for what in ('lower', 'upper', 'velocity', 'effort')
    },
    **{
        (what, CHANGED): {'detail-not-representable'}
        for what in (
            'initial position',
            'acceleration',
            'deceleration',
            'jerk',
            'initial velocity',
            'spring stiffness',
            'spring reference',
        )
    },
    ('mimic', CHANGED): {'mimic-not-representable', 'detail-not-representable'},
}


def is_explained(difference: Difference, codes: set[str]) -> bool:
    """Return whether one of the codes says that such a difference is there."""
    how = ADDED if difference.a == '-' else GONE if difference.b == '-' else CHANGED
    if difference.what == 'mimic':
        how = CHANGED
    return bool(EXPLAINS.get((difference.what, how), set()) & codes)


def is_rule(difference: Difference, model: Model) -> bool:
    """Return whether a difference is one that the rules of names make, which no writer reports."""
    if difference.what == 'joint':
        # joints of one axis are named as their coordinates
        moving = {joint.name for joint in model.joints if joint.motions}
        return difference.name in moving | {item.name for item in model.coordinates}
    if difference.what == 'motion of frame':
        # the joint that has the value of a scaled coordinate moves a leaf
        return difference.name in {
            joint.name for joint in model.joints for motion in joint.motions
            if abs(motion.scale) != 1.0}
    if difference.what == 'type of joint':
        # of an included file of another format
        return difference.a in ('actuator', 'joint')
    # an SDF model without links is read as the world's body
    return difference == Difference('body', 'world', '-', 'present') and not model.bodies


def unexplained(model: Model, target: str) -> list[Difference]:
    """Write, read back, and return the differences that were not reported."""
    text, report = WRITERS[target](model)
    assert report.ok
    loaded = load(text, format=target)
    assert loaded.model is not None, [found.message for found in loaded.report]
    codes = {found.code for found in report} | {f'silently, in {target}'}
    if target == 'sdf':
        model = with_names_of_sdf(model)
    differences = diff_models(model, loaded.model, only=('kinematics', 'inertia'))
    if 'loop-not-representable' in codes:
        # a loop that is cut open moves in another way
        differences = [item for item in differences if item.what != 'motion of frame']
    return [
        item for item in differences
        if not is_explained(item, codes) and not is_rule(item, model)]


@pytest.mark.parametrize(
    ('file', 'target'), CASES, ids=[f'{name_of(file)}-{target}' for file, target in CASES])
def test_differences_in_another_format_were_reported(file: Path, target: str) -> None:
    model = model_of(read(file))._replace(source=None)
    assert unexplained(model, target) == []
