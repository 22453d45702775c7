# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rules on mass and inertia, and on legal values that are probably mistakes.

Such values are degrees, millimeters and grams instead of radians, meters and kilograms, or limits
between which a joint cannot move. Angles of poses are checked where they are read
(``parsing.errors``), because a pose does not tell how often it turns.
"""

from collections.abc import Callable, Iterator, Sequence
from math import dist, hypot, inf, isfinite, log, pi, sqrt
from typing import Any, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Edit, Fix, Locatable, Report, Rewrite, value_location
from hrdf_ros.inertia import is_plausible, is_positive
from hrdf_ros.listing import listed
from hrdf_ros.model import Body, Coordinate, Model, NONE, shapes
from hrdf_ros.parsing.rewriting import in_meters, in_radians
from hrdf_ros.topology import Topology, zero_poses

THREE_TURNS = 6.0 * pi
"""Three turns in radians; an angle limit beyond this is probably in degrees."""
UNLIMITED = 720.0
"""The angle limit in radians beyond which a joint is meant to be unlimited."""
FAR = 100.0
"""The distance in meters beyond which two frames of one body are implausible."""
HEAVIEST = 1e5
"""The mass in kilograms beyond which a moving body is implausible."""
INFINITE = 1e12
"""The mass in kilograms at or above which a body is meant to be immovable."""
DUST = 1e-3
"""The mass in kilograms below which a tensor is not judged."""
LARGER = 3.0
"""The largest plausible ratio of a radius of gyration to the reach of the body or the robot."""
WIDE_GYRATION = 100.0
"""The radius of gyration in meters beyond which a body is implausible in any robot."""
SMALL = 1e-3
"""The radius of gyration in meters below which a body may be too dense for its shapes."""
LARGE = 0.5
"""The radius of gyration in meters beyond which a body of unknown size is examined."""
INSIDE = 1000.0
"""The largest plausible ratio of the reach of the shapes to a radius of gyration."""
_TOLERANCE = 1e-3
"""The tolerance relative to the trace: files round their tensors to a few digits."""
_MANY = 5
"""The number of diagnostics of one kind above which they are combined into one."""


def check_inertia(model: Model, _: Topology, report: Report) -> None:
    """
    Report negative masses, tensors that no distribution of mass has, and tensors without mass.

    The principal moments must be positive, and none greater than the sum of the other two; the
    zero tensor is legal.
    """
    for body in model.bodies:
        inertia = body.inertia
        if inertia is None:
            continue
        at = inertia.location or body.location
        if inertia.mass < 0.0:
            report.add(
                codes.MASS_NEGATIVE, f"body '{body.name}' has the mass {inertia.mass!r} kg",
                value_location(at, 'mass'))
        if not is_plausible(inertia, _TOLERANCE):
            is_sum = is_positive(inertia, _TOLERANCE)
            broken = 'greater than the sum of the other two' if is_sum else 'negative'
            report.add(
                codes.INERTIA_INVALID, f"the inertia tensor of body '{body.name}' is impossible: "
                f'a principal moment is {broken}', at,
                hint='give the tensor about the center of mass, in kg m^2')
        elif inertia.mass == 0.0 and not inertia.is_zero:
            report.add(
                codes.INERTIA_INVALID,
                f"body '{body.name}' has moments of inertia and the mass 0", at,
                hint='give it its mass in kg, or no inertia')


class _Found(NamedTuple):
    """An item: its name, the rest of the sentence about the item, its place and its fix."""

    name: str
    details: str
    location: Optional[Locatable]
    fix: Optional[Fix] = None
    hint: Optional[str] = None


def _report_items(
    code: Code, what: str, found: Sequence[_Found], report: Report, *, hint: str,
) -> None:
    """
    Report each item by itself, or many in one diagnostic.

    ``hint`` is for items without a hint of their own.
    """
    if len(found) > _MANY:
        names = [one.name for one in found]
        first = found[0]
        verb = 'are' if what.startswith('limits') else 'is'
        report.add(
            code, f'the {what} {listed(names)} {verb} implausible; the first {first.details}',
            first.location, hint=first.hint or hint, subjects=tuple(names))
        return
    for one in found:
        report.add(
            code, f"the {what} '{one.name}' {one.details}", one.location, hint=one.hint or hint,
            fix=one.fix)


# ---- joints that cannot move

def check_immovable(model: Model, _: Topology, report: Report) -> None:
    """Report joints whose limits are one position, and effort and velocity limits of zero."""
    axes = [one for one in single_axes(model) if one.mimic is None]
    _report_items(
        codes.LIMITS_EQUAL, 'limits of joint', [*_equal_limits(axes)], report,
        hint='write type="fixed" where it is to stay, else both limits')
    for field in ('effort', 'velocity'):
        _report_items(
            codes.LIMIT_ZERO, f'{field} limit of joint', [*_zeros(axes, field)], report,
            hint='write what the motor has; simulators and planners take 0 at its word')


def single_axes(model: Model) -> Iterator[Coordinate]:
    """Yield the coordinates of joints with one axis, which have limits in every format."""
    for joint in model.joints:
        if len(joint.motions) == 1 and len(joint.motions[0].coordinates) == 1:
            yield model.coordinates[joint.motions[0].coordinates[0]]


def _equal_limits(coordinates: Sequence[Coordinate]) -> Iterator[_Found]:
    for coordinate in coordinates:
        if coordinate.lower == coordinate.upper and not _is_written_as_fixed(coordinate):
            yield _Found(
                coordinate.name, f'are both {coordinate.lower!r}: it cannot move',
                value_location(coordinate.location, 'lower', 'upper'))


def _is_written_as_fixed(coordinate: Coordinate) -> bool:
    """
    Return whether the file of a coordinate says that its joint is fixed.

    libsdformat makes a fixed joint of a URDF a revolute one without room to move, where
    ``<disableFixedJointLumping>`` says so.
    """
    written = value_location(coordinate.location, 'type')
    return written is not None and bool(
        written.rewritten(lambda text: text if text == 'fixed' else None))


def _zeros(coordinates: Sequence[Coordinate], field: str) -> Iterator[_Found]:
    """Yield the joints that could move but have an effort or velocity limit of 0."""
    for coordinate in coordinates:
        if getattr(coordinate, field) == 0.0 and coordinate.lower != coordinate.upper:
            yield _Found(
                coordinate.name, 'is 0: nothing moves it',
                value_location(coordinate.location, field))


# ---- units

def check_plausibility(model: Model, topology: Topology, report: Report) -> None:
    """Report limits, lengths, masses and tensors that are probably in another unit."""
    for what, hint, find in _KINDS:
        _report_items(
            codes.IMPLAUSIBLE_VALUE, what, [*find(model, topology)], report, hint=hint)


def _rewriting(
    title: str, rewrite: Rewrite, location: Optional[Locatable], *fields: str,
) -> Optional[Fix]:
    """Return a fix, which is a guess, that writes other values for some fields of a record."""
    def edits() -> tuple[Edit, ...]:
        found = [location.of(field).rewritten(rewrite) for field in fields] if location else []
        return tuple(edit for one in found for edit in one)
    return None if location is None else Fix(title, edits, is_safe=False)


def _implausible_limits(model: Model, _: Topology) -> Iterator[_Found]:
    for coordinate in model.coordinates:
        lower, upper = coordinate.lower, coordinate.upper
        if (-UNLIMITED <= lower < -THREE_TURNS or THREE_TURNS < upper <= UNLIMITED) and (
                coordinate.kind == 'angle' and not _are_half_turns(lower, upper)):
            field = 'lower' if -UNLIMITED <= lower < -THREE_TURNS else 'upper'
            yield _Found(
                coordinate.name, f'are {lower!r} and {upper!r} rad, more than three turns',
                value_location(coordinate.location, field), _rewriting(
                    'Convert degrees to radians', in_radians, coordinate.location, 'lower',
                    'upper'))


def _are_half_turns(*limits: float) -> bool:
    """Return whether limits are multiples of pi, as for a joint that makes many turns."""
    half_turns = [limit / pi for limit in limits if isfinite(limit)]
    return all(abs(turns - round(turns)) < 1e-3 for turns in half_turns)


def _implausible_lengths(model: Model, _: Topology) -> Iterator[_Found]:
    """Yield each body with a joint or output far away, along with the farthest of these."""
    places = [
        (frame.body, frame.name, frame.pose, frame.location)
        for frame in model.frames if frame.kind == 'output' and hypot(*frame.pose[:3]) > FAR]
    places += [
        (joint.parent, joint.name, joint.parent_from_joint, joint.location)
        for joint in model.joints if hypot(*joint.parent_from_joint[:3]) > FAR]
    if not places:
        return
    farthest: dict[int, tuple[float, str, Optional[Locatable]]] = {}
    for body, name, pose, location in places:
        distance = hypot(*pose[:3])
        if body != NONE and not model.bodies[body].static and isfinite(distance) and (
                distance > farthest.get(body, (0.0,))[0]):
            farthest[body] = distance, name, location
    for body, (distance, name, location) in farthest.items():
        yield _Found(
            model.bodies[body].name, f"is {distance:g} m, from its frame to '{name}'",
            value_location(location, 'parent_from_joint'), _rewriting(
                'Convert millimeters to meters', in_meters, location, 'parent_from_joint'))


def _implausible_masses(model: Model, _: Topology) -> Iterator[_Found]:
    for body in model.bodies:
        inertia = body.inertia
        if inertia is not None and HEAVIEST < inertia.mass < INFINITE and not body.static:
            yield _Found(
                body.name, f'is {inertia.mass!r} kg',
                value_location(inertia.location or body.location, 'mass'))


def _implausible_tensors(model: Model, topology: Topology) -> Iterator[_Found]:
    """Yield the bodies whose tensor would put their mass outside of their shapes."""
    radii = {
        index: radius for index, body in enumerate(model.bodies)
        if (radius := _radius_of_gyration(body)) is not None}
    reaches = {index: _reach(model.bodies[index]) for index in radii}
    suspects = [
        index for index, radius in radii.items()
        if radius > LARGE or (reach := reaches[index]) and not (
            reach / INSIDE <= radius <= LARGER * reach)]
    joints, robot = _extents(model, topology) if suspects else ({}, 0.0)
    for index in suspects:
        body, radius, reach = model.bodies[index], radii[index], reaches[index]
        inertia = body.inertia
        extent = max(robot if reach is None else reach, joints.get(index, 0.0))
        most = LARGER * extent if extent else WIDE_GYRATION
        least = 0.0 if reach is None else min(extent / INSIDE, SMALL)
        if inertia is None or least <= radius <= most or (
                not is_plausible(inertia, _TOLERANCE)):  # reported as impossible
            continue
        whose = 'the robot reaches' if reach is None else 'its shapes reach'
        size = f'; {whose} {extent:.2g} m' if extent else ''
        yield _Found(
            body.name, f'would be that of {inertia.mass!r} kg at {radius:.3g} m from its '
            f'center{size}', inertia.location,
            hint=_unit_hint(radius, extent) if extent else None)


def _radius_of_gyration(body: Body) -> Optional[float]:
    """
    Return the root mean square distance (m) of a body's mass from its center.

    The result is ``sqrt(trace / (2 mass))``, and None for bodies that do not move, weigh less than
    DUST, or have no tensor in the file.
    """
    inertia = body.inertia
    if inertia is None or inertia.location is None or body.static or not inertia.mass >= DUST:
        return None
    square = (inertia.ixx + inertia.iyy + inertia.izz) / (2.0 * inertia.mass)
    return sqrt(square) if 0.0 < square < inf else None


def _extents(model: Model, topology: Topology) -> tuple[dict[int, float], float]:
    """
    Return how far (m) the joints of each body are from its frame, and the robot's extent (m).

    The extent is the greatest distance of a body from the first root, with all joints at zero.
    """
    joints: dict[int, float] = {}
    for joint in model.joints:
        for body, pose in (
                (joint.parent, joint.parent_from_joint), (joint.child, joint.child_from_joint)):
            joints[body] = max(joints.get(body, 0.0), hypot(*pose[:3]))
    poses = zero_poses(model, topology)
    origin = poses[topology.roots[0]][:3] if topology.roots else (0.0, 0.0, 0.0)
    return joints, max((dist(pose[:3], origin) for pose in poses), default=0.0)


def _unit_hint(radius: float, extent: float) -> Optional[str]:
    """Return a hint that names the unit in which a tensor would fit a body; None if none would."""
    fitting = {
        unit: radius * sqrt(factor) / (_TYPICAL * extent) for unit, factor in _UNITS.items()}
    unit = min(fitting, key=lambda unit: abs(log(fitting[unit])))
    if not 1.0 / LARGER <= fitting[unit] <= LARGER:
        return None
    return f'it would fit in {unit}: multiply the tensor by {_UNITS[unit]:g} for kg m^2'


def _reach(body: Body) -> Optional[float]:
    """Return how far (m) the shapes of a body reach from its frame, None if that is unknown."""
    try:
        reaches = [
            _RADIUS[type(part.geometry)](part.geometry) + hypot(*part.pose[:3])
            for part in (*body.visuals, *body.collisions)]
    except KeyError:
        return None
    return max(0.0, *reaches) if reaches else None


_RADIUS: dict[type, Callable[[Any], float]] = {
    shapes.Box: lambda box: hypot(*box.size) / 2.0,
    shapes.Sphere: lambda sphere: sphere.radius,
    shapes.Cylinder: lambda cylinder: hypot(cylinder.radius, cylinder.length / 2.0),
    shapes.Cone: lambda cone: hypot(cone.radius, cone.length / 2.0),
    shapes.Capsule: lambda capsule: capsule.radius + capsule.length / 2.0,
    shapes.Ellipsoid: lambda ellipsoid: max(ellipsoid.radii)}
"""The radius of a sphere around each simple shape."""
_UNITS = {
    'kg cm^2': 1e-4, 'kg mm^2': 1e-6, 'g cm^2': 1e-7, 'g mm^2': 1e-9}
"""The units in which tensors are given by mistake, in kg m^2."""
_TYPICAL = 0.5
"""The radius of gyration of a typical body, as a fraction of the body's reach."""
_KINDS: tuple[tuple[str, str, Callable[[Model, Topology], Iterator[_Found]]], ...] = (
    ('limits of coordinate', 'angles are in radians: 180 degrees are 3.14159',
     _implausible_limits),
    ('length of body', 'lengths are in meters: 300 mm are 0.3', _implausible_lengths),
    ('mass of body', 'masses are in kilograms: 500 g are 0.5', _implausible_masses),
    ('inertia tensor of body', 'tensors are in kg m^2, about the center of mass',
     _implausible_tensors))
"""The kinds of values that may be in other units: name in messages, hint, and search function."""
