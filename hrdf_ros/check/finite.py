# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules on numbers that are not numbers: NaN and infinity where a finite value is needed."""

from collections.abc import Iterator, Sequence
from math import inf, isfinite, isnan
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report, value_location
from hrdf_ros.inertia import Inertia, is_finite
from hrdf_ros.model import all_finite, Body, Coordinate, Joint, Model, NONE
from hrdf_ros.pose import compose, IDENTITY
from hrdf_ros.topology import Topology, zero_poses

_SAFE = 1e150
_LIMITS = ('lower', 'upper', 'velocity', 'effort')
_INERTIA = ('mass', 'ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')


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
    found = [*_all_bad(model)]
    if not any(bad.spoils for bad in found) and _may_overflow(model):
        found += _overflowing(model, topology)
    for bad in found:
        report.add(
            codes.NOT_FINITE, f'{bad.what} is not a finite number', bad.location,
            severity='error' if bad.spoils else 'warning')


def _all_bad(model: Model) -> Iterator[_Bad]:
    if not _finite(model.pose):
        yield _Bad('the pose of the model', model.location)
    if model.gravity is not None and not _finite(model.gravity):
        yield _Bad('gravity', model.location, False)
    for coordinate in model.coordinates:
        yield from _in_coordinate(coordinate)
    for joint in model.joints:
        yield from _in_joint(joint)
    finite: set[int] = set()
    for body in model.bodies:
        yield from _in_body(body, finite)
    for frame in model.frames:
        if frame.pose is not IDENTITY and not _finite(frame.pose):
            yield _Bad(f"the pose of frame '{frame.name}'", frame.location)
    for scope in model.scopes:
        if not _finite(scope.pose):
            yield _Bad(f"the pose of '{scope.name}'", scope.location)
    for constraint in model.constraints:
        if not _finite([value for _, value in constraint.values]):
            yield _Bad(f"a value of '{constraint.name}'", constraint.location, False)


def _may_overflow(model: Model) -> bool:
    """Tell whether numbers are so large that a sum of all poses may be infinite."""
    poses = [
        *(joint.parent_from_joint for joint in model.joints),
        *(joint.child_from_joint for joint in model.joints),
        *(body.pose for body in model.bodies), *(frame.pose for frame in model.frames)]
    offsets = [
        number for joint in model.joints for motion in joint.motions
        for number in (motion.offset, motion.scale)]
    offsets += [
        number for coordinate in model.coordinates if coordinate.mimic is not None
        for number in coordinate.mimic[1:]]
    largest = max(
        max(map(max, poses), default=0.0), -min(map(min, poses), default=0.0),
        max(offsets, default=0.0), -min(offsets, default=0.0))
    return largest * (len(poses) + len(offsets)) > _SAFE


def _overflowing(model: Model, topology: Topology) -> Iterator[_Bad]:
    """Yield the bodies and frames whose poses add up to infinity, each the first of its branch."""
    try:
        poses = zero_poses(model)
    except ValueError:
        yield _Bad('a coordinate in the zero configuration', model.location)
        return
    finite = [_finite(pose) for pose in poses]
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


def _in_coordinate(coordinate: Coordinate) -> Iterator[_Bad]:
    (
        name,
        _,
        lower,
        upper,
        velocity,
        effort,
        initial_position,
        initial_velocity,
        damping,
        friction,
        stiffness,
        reference,
        mimic,
        location,
    ) = coordinate
    if isnan(lower) or isnan(upper) or isnan(velocity) or isnan(effort):
        bad = next(limit for limit in _LIMITS if isnan(getattr(coordinate, limit)))
        yield _Bad(f"the limit {bad} of coordinate '{name}'", value_location(location, bad), False)
    elif lower == inf or upper == -inf:
        bad = 'lower' if lower == inf else 'upper'
        yield _Bad(
            f"the limit {bad} of coordinate '{name}' (reversed)", value_location(location, bad),
            False)
    if not isfinite(initial_position):
        yield _Bad(f"the initial position of coordinate '{name}'", location)
    if not isfinite(initial_velocity + damping + friction + stiffness + reference):
        yield _Bad(f"a dynamics value of coordinate '{name}'", location, False)
    if mimic is not None and not isfinite(mimic.multiplier + mimic.offset):
        yield _Bad(f"the mimic multiplier or offset of coordinate '{name}'", location)


def _in_joint(joint: Joint) -> Iterator[_Bad]:
    if not (_finite(joint.parent_from_joint) and _finite(joint.child_from_joint)):
        yield _Bad(f"the pose of joint '{joint.name}'", joint.location)
    for motion in joint.motions:
        if not (_finite(motion.axis) and isfinite(motion.scale + motion.offset)):
            yield _Bad(f"the axis, scale or offset of joint '{joint.name}'", joint.location)


def _in_body(body: Body, finite: set[int]) -> Iterator[_Bad]:
    """Yield what is not finite; ``finite`` are the ids of the looks and geometries known to be."""
    if body.pose is not IDENTITY and not _finite(body.pose):
        yield _Bad(f"the pose of body '{body.name}'", body.location)
    if body.inertia is not None:
        if not is_finite(body.inertia):
            yield _Bad(
                f"the inertia of body '{body.name}'",
                value_location(
                    body.inertia.location or body.location, *_not_finite(body.inertia)), False)
    for shape in (*body.visuals, *body.collisions):
        looks = [part for part in (shape.geometry, shape.material) if id(part) not in finite]
        if _finite(shape.pose) and all_finite(*looks):
            finite.update(map(id, looks))
        else:
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
