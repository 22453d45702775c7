# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on NaN and infinity where a number has to be finite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from math import hypot, inf, isfinite, isnan
from operator import attrgetter
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report, value_location
from hrdf_ros.fields import fields_of, limits_of, noun_of, numbers_of, vectors_of
from hrdf_ros.inertia import combine, is_finite
from hrdf_ros.model import all_finite, Coordinate, Model, NONE, Shape
from hrdf_ros.pose import compose, IDENTITY, Pose
from hrdf_ros.topology import Topology, zero_poses

_MODERATE = 1e90
"""The bound below which the product of a mass and a squared length cannot overflow."""
_AT_ONCE = 1 << 12
"""The number of values that are passed to one call of ``hypot``."""


_Bad = tuple[str, Optional[Locatable], bool]
"""A value that is not finite, its place, and whether poses depend on it."""


def check_finite(model: Model, topology: Topology, report: Report) -> None:
    """
    Report NaN and infinity anywhere in the Model; limits may be infinite, but not NaN.

    Poses also have to be finite in the zero configuration, in which each pose includes those of
    the ancestors. A number on which poses depend is an error. Any other number is a warning, since
    SDFormat accepts NaN limits.
    """
    found = [*_bad_limits(model.coordinates)]
    if not _is_moderate(model):
        found += [bad for item in _items(model) for bad in _in_item(*item)]
        found += _in_parts(model)
        if not any(is_posing for _, _, is_posing in found):
            found += _overflowing(model, topology)
    for what, location, is_posing in found:
        report.add(
            codes.NOT_FINITE, f'{what} is not a finite number', location,
            severity='error' if is_posing else 'warning')


# ---- a fast look at all numbers

def _is_moderate(model: Model) -> bool:
    """Return whether all numbers except limits are finite and small; this takes a few passes."""
    shapes = [shape for body in model.bodies for shape in (*body.visuals, *body.collisions)]
    numbers = chain.from_iterable(chain.from_iterable(_numbers(model, shapes)))
    while part := tuple(islice(numbers, _AT_ONCE)):
        if not hypot(*part) < _MODERATE:
            return False
    looks = {id(part): part for shape in shapes for part in (shape.geometry, shape.material)}
    return all_finite(*looks.values())


def _numbers(model: Model, shapes: Sequence[Shape]) -> Iterator[Iterable[Sequence[float]]]:
    """Yield all numbers of a Model except those of limits, geometries and materials."""
    tables: tuple[Sequence[Any], ...] = (
        (model,), model.bodies, shapes, model.scopes, model.coordinates, model.joints,
        [body.inertia for body in model.bodies if body.inertia is not None],
        [frame for frame in model.frames if frame.pose is not IDENTITY],
        [each.mimic for each in model.coordinates if each.mimic is not None],
        [motion for joint in model.joints for motion in joint.motions])
    for records in filter(None, tables):
        kind = type(records[0])
        for name in vectors_of(kind):
            yield filter(None, map(attrgetter(name), records))
        numbers = numbers_of(kind)
        if numbers:  # attrgetter of one name makes no tuple
            yield map(attrgetter(*numbers, numbers[0]), records)
    yield ([value for _, value in constraint.values] for constraint in model.constraints)
    yield ([value for _, value in each.positions] for each in model.configurations)


# ---- the search for numbers that are not finite

def _items(model: Model) -> Iterator[tuple[Any, str, Optional[Locatable]]]:
    """Yield the records whose numbers have names, each with its name in messages and its place."""
    yield model, 'the model', model.location
    tables: tuple[tuple[str, Sequence[Any]], ...] = (
        ('coordinate ', model.coordinates), ('joint ', model.joints), ('body ', model.bodies),
        ('frame ', model.frames), ('', model.scopes))
    for noun, items in tables:
        for item in items:
            parts = (getattr(item, 'mimic', None), getattr(item, 'inertia', None),
                     *getattr(item, 'motions', ()))
            for record in (item, *filter(None, parts)):
                location = getattr(record, 'location', None) or item.location
                yield record, f"{noun}'{item.name}'", location


def _in_item(record: Any, title: str, location: Optional[Locatable]) -> Iterator[_Bad]:
    kind = type(record)
    for name in (*numbers_of(kind), *vectors_of(kind)):
        value = getattr(record, name)
        if not _finite((value,) if isinstance(value, float) else value or ()):
            field = fields_of(kind)[name]
            yield (
                f'the {noun_of(field)} of {title}', value_location(location, name),
                field.is_posing)


def _in_parts(model: Model) -> Iterator[_Bad]:
    """Yield the shapes, constraints and configurations whose numbers are not all finite."""
    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            if not all_finite(shape.pose, shape.geometry, shape.material):
                yield (
                    f"a shape of body '{body.name}'", shape.location or body.location, False)
    for constraint in model.constraints:
        if not _finite([value for _, value in constraint.values]):
            yield (f"a value of '{constraint.name}'", constraint.location, False)
    for configuration in model.configurations:
        for index, value in configuration.positions:
            if not isfinite(value):
                yield (
                    f"the position of '{model.coordinates[index].name}' in configuration "
                    f"'{configuration.name}'", configuration.location, True)


def _bad_limits(coordinates: Sequence[Coordinate]) -> Iterator[_Bad]:
    """Yield the limits that are NaN, lower limits of inf, and upper limits of -inf."""
    names = limits_of(Coordinate)
    for coordinate, limits in zip(coordinates, map(attrgetter(*names), coordinates)):
        bad = ''
        if any(map(isnan, limits)):
            bad = next(name for name, limit in zip(names, limits) if isnan(limit))
        elif coordinate.lower == inf or coordinate.upper == -inf:
            bad = 'lower' if coordinate.lower == inf else 'upper'
        if bad:
            note = '' if isnan(getattr(coordinate, bad)) else ' (reversed)'
            yield (
                f"the limit {bad} of coordinate '{coordinate.name}'{note}",
                value_location(coordinate.location, bad), False)


def _overflowing(model: Model, topology: Topology) -> Iterator[_Bad]:
    """Yield the first bodies and frames of each branch whose poses add up to infinity."""
    try:
        poses = zero_poses(model, topology)
    except ValueError:
        yield 'a coordinate in the zero configuration', model.location, True
        return
    finite = [_finite(pose) for pose in poses]
    if all(finite):
        yield from _in_total(model, poses)
    for index in topology.order:
        parent = topology.parent[index]
        if not finite[index] and (parent == NONE or finite[parent]):
            joint = topology.joint[index]
            at = model.bodies[index].location if joint == NONE else model.joints[joint].location
            yield f"the pose of body '{model.bodies[index].name}' in the root", at, True
    for frame in model.frames:
        if frame.body != NONE and finite[frame.body]:
            if not _finite(compose(poses[frame.body], frame.pose)):
                yield f"the pose of frame '{frame.name}' in the root", frame.location, True


def _in_total(model: Model, poses: Sequence[Pose]) -> Iterator[_Bad]:
    """Yield a fault if finite masses or inertias add up to infinity."""
    inertias = [
        body.inertia._replace(pose=compose(pose, body.inertia.pose))
        for body, pose in zip(model.bodies, poses)
        if body.inertia is not None and body.inertia.mass > 0.0]
    if all(map(is_finite, inertias)) and inertias and not is_finite(combine(inertias)):
        yield 'the mass or inertia of all bodies together', model.location, False


def _finite(numbers: Sequence[float]) -> bool:
    """
    Return whether all numbers are finite.

    The sum of finite numbers may overflow, so each number is tested if the sum is not finite.
    """
    return isfinite(sum(numbers)) or all(map(isfinite, numbers))
