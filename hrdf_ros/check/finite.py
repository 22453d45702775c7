# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on numbers that are not numbers: NaN and infinity where a finite value is needed."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from math import hypot, inf, isfinite, isnan
from operator import attrgetter
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report, value_location
from hrdf_ros.inertia import combine, Inertia, is_finite
from hrdf_ros.model import all_finite, Body, Coordinate, Joint, Model, NONE, Shape
from hrdf_ros.pose import compose, IDENTITY, Pose
from hrdf_ros.topology import Topology, zero_poses

_MODERATE = 1e90
"""Numbers below it can be multiplied and added up, as masses are with squares of lengths."""
_AT_ONCE = 1 << 12
_LIMITS = ('lower', 'upper', 'velocity', 'effort')
_INERTIA = ('mass', 'ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_INERTIA_NUMBERS = attrgetter(*_INERTIA)
_POSE, _AXIS = attrgetter('pose'), attrgetter('axis')
_ENDS = attrgetter('parent_from_joint'), attrgetter('child_from_joint')
_SCALE = attrgetter('scale', 'offset')
_DYNAMICS = attrgetter(
    'initial_position', 'initial_velocity', 'damping', 'friction', 'spring_stiffness',
    'spring_reference')
"""The numbers of a coordinate that are no limits, the initial position first."""


class _Bad(NamedTuple):
    """A value that is not finite; ``spoils`` tells that poses cannot be computed with it."""

    what: str
    location: Optional[Locatable]
    spoils: bool = True


def check_finite(model: Model, topology: Topology, report: Report) -> None:
    """
    Find NaN and infinity anywhere in the Model; limits may be infinite, but not NaN.

    Poses are finite in the zero configuration as well, where those of parents add up. It is an
    error where poses come out of it, a warning elsewhere: SDFormat accepts NaN limits.
    """
    found = [bad for coordinate in model.coordinates for bad in _in_limits(coordinate)]
    if not _is_moderate(model):
        found += _all_bad(model)
        if not any(bad.spoils for bad in found):
            found += _overflowing(model, topology)
    for bad in found:
        report.add(
            codes.NOT_FINITE, f'{bad.what} is not a finite number', bad.location,
            severity='error' if bad.spoils else 'warning')


def _is_moderate(model: Model) -> bool:
    """Tell in a few passes whether all numbers but limits are finite, and any sum of them is."""
    shapes = [shape for body in model.bodies for shape in (*body.visuals, *body.collisions)]
    numbers = chain.from_iterable(_number_tuples(model, shapes))
    while part := tuple(islice(numbers, _AT_ONCE)):
        if not hypot(*part) < _MODERATE:
            return False
    looks = {id(part): part for shape in shapes for part in (shape.geometry, shape.material)}
    return all_finite(*looks.values())


def _number_tuples(model: Model, shapes: Sequence[Shape]) -> Iterator[Sequence[float]]:
    """Return all numbers of a Model but those of limits, geometries and materials."""
    motions = [motion for joint in model.joints for motion in joint.motions]
    inertias = [body.inertia for body in model.bodies if body.inertia is not None]
    turned = [frame for frame in model.frames if frame.pose is not IDENTITY]
    mimics = [each.mimic for each in model.coordinates if each.mimic is not None]
    posed = (model.bodies, shapes, inertias, turned, model.scopes)
    return chain(
        (model.pose, model.gravity or ()), *(map(_POSE, records) for records in posed),
        map(_INERTIA_NUMBERS, inertias), map(_DYNAMICS, model.coordinates),
        (mimic[1:] for mimic in mimics), map(_ENDS[0], model.joints), map(_ENDS[1], model.joints),
        map(_AXIS, motions), map(_SCALE, motions),
        ([value for _, value in constraint.values] for constraint in model.constraints))


def _all_bad(model: Model) -> Iterator[_Bad]:
    if not _finite(model.pose):
        yield _Bad('the pose of the model', model.location)
    if model.gravity is not None and not _finite(model.gravity):
        yield _Bad('gravity', model.location, False)
    for coordinate in model.coordinates:
        yield from _in_coordinate(coordinate)
    for joint in model.joints:
        yield from _in_joint(joint)
    for body in model.bodies:
        yield from _in_body(body)
    for frame in model.frames:
        if not _finite(frame.pose):
            yield _Bad(f"the pose of frame '{frame.name}'", frame.location)
    for scope in model.scopes:
        if not _finite(scope.pose):
            yield _Bad(f"the pose of '{scope.name}'", scope.location)
    for constraint in model.constraints:
        if not _finite([value for _, value in constraint.values]):
            yield _Bad(f"a value of '{constraint.name}'", constraint.location, False)


def _overflowing(model: Model, topology: Topology) -> Iterator[_Bad]:
    """Yield the bodies and frames whose poses add up to infinity, each the first of its branch."""
    try:
        poses = zero_poses(model)
    except ValueError:
        yield _Bad('a coordinate in the zero configuration', model.location)
        return
    finite = [_finite(pose) for pose in poses]
    if all(finite):
        yield from _in_total(model, poses)
    for index in topology.order:
        parent = topology.parent[index]
        if not finite[index] and (parent == NONE or finite[parent]):
            joint = topology.joint[index]
            at = model.bodies[index].location if joint == NONE else model.joints[joint].location
            yield _Bad(f"the pose of body '{model.bodies[index].name}' in the root", at)
    for frame in model.frames:
        if frame.body != NONE and finite[frame.body]:
            if not _finite(compose(poses[frame.body], frame.pose)):
                yield _Bad(f"the pose of frame '{frame.name}' in the root", frame.location)


def _in_total(model: Model, poses: Sequence[Pose]) -> Iterator[_Bad]:
    """Yield that finite masses or inertias add up to infinity."""
    inertias = [
        body.inertia._replace(pose=compose(pose, body.inertia.pose))
        for body, pose in zip(model.bodies, poses)
        if body.inertia is not None and body.inertia.mass > 0.0]
    if all(map(is_finite, inertias)) and inertias and not is_finite(combine(inertias)):
        yield _Bad('the mass or inertia of all bodies together', model.location, False)


def _in_limits(coordinate: Coordinate) -> Iterator[_Bad]:
    name, lower, upper = coordinate.name, coordinate.lower, coordinate.upper
    if isnan(lower + coordinate.velocity) or isnan(upper + coordinate.effort):
        for limit in _LIMITS:
            if isnan(getattr(coordinate, limit)):
                yield _Bad(
                    f"the limit {limit} of coordinate '{name}'",
                    value_location(coordinate.location, limit), False)
                return
    if lower == inf or upper == -inf:
        limit = 'lower' if lower == inf else 'upper'
        yield _Bad(
            f"the limit {limit} of coordinate '{name}' (reversed)",
            value_location(coordinate.location, limit), False)


def _in_coordinate(coordinate: Coordinate) -> Iterator[_Bad]:
    name, mimic, location = coordinate.name, coordinate.mimic, coordinate.location
    if not isfinite(coordinate.initial_position):
        yield _Bad(f"the initial position of coordinate '{name}'", location)
    if not _finite(_DYNAMICS(coordinate)[1:]):
        yield _Bad(f"a dynamics value of coordinate '{name}'", location, False)
    if mimic is not None and not _finite(mimic[1:]):
        yield _Bad(f"the mimic multiplier or offset of coordinate '{name}'", location)


def _in_joint(joint: Joint) -> Iterator[_Bad]:
    if not (_finite(joint.parent_from_joint) and _finite(joint.child_from_joint)):
        yield _Bad(f"the pose of joint '{joint.name}'", joint.location)
    for motion in joint.motions:
        if not (_finite(motion.axis) and isfinite(motion.scale + motion.offset)):
            yield _Bad(f"the axis, scale or offset of joint '{joint.name}'", joint.location)


def _in_body(body: Body) -> Iterator[_Bad]:
    if not _finite(body.pose):
        yield _Bad(f"the pose of body '{body.name}'", body.location)
    if body.inertia is not None and not is_finite(body.inertia):
        yield _Bad(
            f"the inertia of body '{body.name}'",
            value_location(
                body.inertia.location or body.location, *_not_finite(body.inertia)), False)
    for shape in (*body.visuals, *body.collisions):
        if not all_finite(shape.pose, shape.geometry, shape.material):
            yield _Bad(
                f"a shape of body '{body.name}'", shape.location or body.location, False)


def _not_finite(inertia: Inertia) -> Iterator[str]:
    """Yield the name of the first number that is not finite, where it has one."""
    for name in _INERTIA:
        if not isfinite(getattr(inertia, name)):
            yield name
            return


def _finite(numbers: Sequence[float]) -> bool:
    """Tell whether all are finite; their sum decides except where finite numbers overflow."""
    return isfinite(sum(numbers)) or all(map(isfinite, numbers))
