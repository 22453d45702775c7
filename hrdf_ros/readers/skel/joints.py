# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joint types: the motions of each, and the coordinates that they move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import math
from typing import Literal, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Coordinate, CoordinateKind, Motion
from hrdf_ros.parsing import skel
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import AXES, cross, dot, normalized, Vector, X_AXIS, Y_AXIS, Z_AXIS
from hrdf_ros.readers.schema import TypedElement

_AXES = {'x': X_AXIS, 'y': Y_AXIS, 'z': Z_AXIS}
_UNIT_TOLERANCE = 1e-6
_DEFAULT_PITCH = 0.1
"""The pitch of a screw without ``<axis>``."""
_PLANES = {'xy': (X_AXIS, Y_AXIS), 'yz': (Y_AXIS, Z_AXIS), 'zx': (Z_AXIS, X_AXIS)}


class JointDofs(NamedTuple):
    """
    The degrees of freedom of a joint.

    ``coordinates`` are the suffixes of their names and their kinds; the motions read them by
    their position in it. ``axis_elements`` tells that ``<axis>``, ``<axis2>``, ``<axis3>`` hold
    limits and dynamics of the first, second, third coordinate.
    """

    coordinates: tuple[tuple[str, CoordinateKind], ...] = ()
    motions: tuple[Motion, ...] = ()
    axis_elements: bool = True


def _screw(element: TypedElement, report: Report) -> JointDofs:
    """Return a rotation with ``pitch`` meters along the axis for each turn."""
    _report_extension(element, report)
    axis = element.child('axis')
    pitch = _DEFAULT_PITCH if axis is None else axis.number('pitch')
    motion = _moved(element, report, 'revolute', 0, 'axis', Z_AXIS)
    if motion.scale == 0.0:
        report.add(
            codes.AXIS_ZERO, 'the axis of a screw is zero', element.value_location('axis/xyz'),
            severity='error')
    screw = motion._replace(kind='screw', scale=pitch / (2.0 * math.pi))
    return JointDofs((('', 'angle'),), (screw,))


def _universal(element: TypedElement, report: Report) -> JointDofs:
    return JointDofs(
        (('_1', 'angle'), ('_2', 'angle')),
        (_moved(element, report, 'revolute', 0, 'axis', X_AXIS),
         _moved(element, report, 'revolute', 1, 'axis2', Y_AXIS)))


def _ball(element: TypedElement, report: Report) -> JointDofs:
    return JointDofs(
        (('_x', 'angle'), ('_y', 'angle'), ('_z', 'angle')),
        (Motion('rotation_vector', X_AXIS, (0, 1, 2)),), axis_elements=False)


def _euler(element: TypedElement, report: Report) -> JointDofs:
    order = element.string('axis_order')
    return JointDofs(
        tuple((f'_{letter}', 'angle') for letter in order),
        tuple(Motion('revolute', _AXES[letter], (at,)) for at, letter in enumerate(order)))


def _planar(element: TypedElement, report: Report) -> JointDofs:
    plane = _plane(element, report)
    normal = cross(plane.motions[0].axis, plane.motions[1].axis)
    scale = plane.motions[0].scale * plane.motions[1].scale
    turn = Motion('revolute', normal if scale else Z_AXIS, (2,), scale)
    return JointDofs((*plane.coordinates, ('_rot', 'angle')), (*plane.motions, turn))


def _translational2d(element: TypedElement, report: Report) -> JointDofs:
    _report_extension(element, report)
    return _plane(element, report)


def free() -> JointDofs:
    """Return the six coordinates of a free joint, the rotation first."""
    return JointDofs(
        tuple((f'_rot_{letter}', 'angle') for letter in 'xyz')
        + tuple((f'_pos_{letter}', 'length') for letter in 'xyz'),
        tuple(Motion('prismatic', axis, (3 + at,)) for at, axis in enumerate(AXES))
        + (Motion('rotation_vector', X_AXIS, (0, 1, 2)),), axis_elements=False)


JOINT_TYPES: dict[str, Callable[[TypedElement, Report], JointDofs]] = {
    'weld': lambda element, report: JointDofs(axis_elements=False),
    'revolute': lambda element, report: JointDofs(
        (('', 'angle'),), (_moved(element, report, 'revolute', 0, 'axis', Z_AXIS),)),
    'prismatic': lambda element, report: JointDofs(
        (('', 'length'),), (_moved(element, report, 'prismatic', 0, 'axis', Z_AXIS),)),
    'universal': _universal,
    'ball': _ball,
    'euler': _euler,
    'translational': lambda element, report: JointDofs(
        (('_x', 'length'), ('_y', 'length'), ('_z', 'length')),
        tuple(Motion('prismatic', axis, (at,)) for at, axis in enumerate(AXES))),
    'planar': _planar,
    'free': lambda element, report: free(),
    'screw': _screw,
    'translational2d': _translational2d,
}


def _report_extension(element: TypedElement, report: Report) -> None:
    report.add(
        codes.SKEL_EXTENSION_JOINT,
        f"DART refuses joints of type '{element.get('type')}' and loses those after it",
        element.attribute_location('type'))


# ---- axes

def _moved(
    joint: TypedElement, report: Report, kind: Literal['revolute', 'prismatic'], coordinate: int,
    tag: str, default: Vector,
) -> Motion:
    """Return a motion about the axis that the joint's child element ``tag`` gives."""
    element = joint.child(tag)
    if element is None:
        report.add(
            codes.AXIS_MISSING, f'<joint> has no <{tag}>; DART uses {default}', joint.location)
        return Motion(kind, default, (coordinate,))
    vector = element.vector3('xyz')
    axis = normalized(vector)
    if axis is None:
        return Motion(kind, default, (coordinate,), _zero_axis(element, report))
    if joint.get('type') == 'universal' and abs(math.hypot(*vector) - 1.0) > _UNIT_TOLERANCE:
        report.add(
            codes.AXIS_NOT_UNIT, f'<{tag}> has length {math.hypot(*vector)!r} and is normalized; '
            'DART gives such a universal joint a different motion', element.locate('xyz'))
    return Motion(kind, axis, (coordinate,))


def _zero_axis(element: TypedElement, report: Report) -> float:
    """Report an axis without direction; its coordinate moves nothing, for which scale 0 stands."""
    report.add(
        codes.AXIS_ZERO, f'<{element.tag}> has no direction; its coordinate moves nothing',
        element.value_location('xyz'))
    return 0.0


def _plane(joint: TypedElement, report: Report) -> JointDofs:
    """Read ``<plane>``: two directions to move in, the second made orthogonal to the first."""
    plane = joint.child('plane')
    word = 'xy' if plane is None else plane.string('type')
    if plane is not None and word == 'arbitrary':
        first, second = _arbitrary_plane(plane, report)
        names = ('_1', '_2')
    else:
        axes = _PLANES[word]
        first, second = (Motion('prismatic', axis, (at,)) for at, axis in enumerate(axes))
        names = (f'_{word[0]}', f'_{word[1]}')
    return JointDofs(((names[0], 'length'), (names[1], 'length')), (first, second))


def _arbitrary_plane(plane: TypedElement, report: Report) -> tuple[Motion, Motion]:
    vectors: list[Vector] = []
    for tag, default in (('translation_axis1', X_AXIS), ('translation_axis2', Y_AXIS)):
        element = plane.child(tag)
        vectors.append(default if element is None else element.vector3('xyz'))
    first = normalized(vectors[0])
    second = vectors[1] if first is None else _across(vectors[1], first)
    moved = []
    for at, axis in enumerate((first, normalized(second))):
        scale = 1.0 if axis is not None else _zero_axis(plane, report)
        moved.append(Motion('prismatic', axis or X_AXIS, (at,), scale))
    return moved[0], moved[1]


def _across(vector: Vector, unit: Vector) -> Vector:
    """Return the part of a vector that is orthogonal to a unit vector."""
    along = dot(vector, unit)
    x, y, z = (a - along * b for a, b in zip(vector, unit))
    if math.hypot(x, y, z) <= 1e-12 * math.hypot(*vector):
        return 0.0, 0.0, 0.0
    return x, y, z


_AXIS_TAGS = ('axis', 'axis2', 'axis3')
_FORCES = {
    'effort': 'write <dof><force .../></dof>', 'velocity': 'write <dof><velocity .../></dof>'}
_MISSPELLED = {
    'sprint_rest_position': 'write <spring_rest_position>',
    'sprint_stiffness': 'write <spring_stiffness>'}
"""Elements that the format's text has and DART does not read, and how to write them."""


def read_coordinates(
    joint: TypedElement, found: list[Coordinate], has_axes: bool, report: Report,
) -> list[Coordinate]:
    """Return the coordinates of a joint with the limits and dynamics that it gives."""
    parts = {part.tag: part for part in reversed(joint.children)}
    if has_axes:
        for at, tag in enumerate(_AXIS_TAGS[:len(found)]):
            if tag in parts:
                found[at] = _with_axis(parts[tag], found[at], report)
    if 'init_pos' in parts:
        found = [
            at._replace(initial_position=value)
            for at, value in zip(found, parts['init_pos'].numbers())]
    if 'init_vel' in parts:
        found = [
            at._replace(initial_velocity=value)
            for at, value in zip(found, parts['init_vel'].numbers())]
    for dof in joint.all('dof') if 'dof' in parts else ():
        at_dof = _dof_index(dof, len(found), report)
        if at_dof is not None:
            found[at_dof] = _with_dof(dof, found[at_dof], report)
    return found


# ---- <axis>

def _with_axis(axis: TypedElement, found: Coordinate, report: Report) -> Coordinate:
    parts = {part.tag: part for part in reversed(axis.children)}
    if 'damping' in parts:
        found = found._replace(damping=_not_negative(axis, 'damping', 0.0, report))
    dynamics, limit = parts.get('dynamics'), parts.get('limit')
    if dynamics is not None:
        found = _with_dynamics(dynamics, _with_misspelled(dynamics, found, report), report)
    return found if limit is None else _with_limit(limit, found, report)


def _with_limit(limit: TypedElement, found: Coordinate, report: Report) -> Coordinate:
    """Read ``<limit>``; DART leaves out the text's ``<effort>`` and ``<velocity>``."""
    _report_spec_over_dart(limit, _FORCES, report)
    return found._replace(
        lower=limit.number('lower', found.lower),
        upper=limit.number('upper', found.upper),
        effort=abs(limit.number('effort', found.effort)),
        velocity=abs(limit.number('velocity', found.velocity)))


def _with_dynamics(element: TypedElement, found: Coordinate, report: Report) -> Coordinate:
    """Read damping, friction and spring; a negative value counts as 0, as for DART."""
    return found._replace(
        damping=_not_negative(element, 'damping', found.damping, report),
        friction=_not_negative(element, 'friction', found.friction, report),
        spring_stiffness=_not_negative(
            element, 'spring_stiffness', found.spring_stiffness, report),
        spring_reference=element.number('spring_rest_position', found.spring_reference))


def _not_negative(element: TypedElement, tag: str, inherited: float, report: Report) -> float:
    value = element.number(tag, inherited)
    if value < 0.0:
        report.add(
            codes.SKEL_NEGATIVE_DYNAMICS, f'<{tag}> is negative; DART uses 0',
            element.locate(tag))
    return max(value, 0.0)


def _with_misspelled(element: TypedElement, found: Coordinate, report: Report) -> Coordinate:
    """Read the ``sprint_...`` elements that the format's text lists."""
    rest, stiffness = _MISSPELLED
    if not element.has(rest) and not element.has(stiffness):
        return found
    _report_spec_over_dart(element, _MISSPELLED, report)
    return found._replace(
        spring_stiffness=_not_negative(element, stiffness, found.spring_stiffness, report),
        spring_reference=element.number(rest, found.spring_reference))


def _report_spec_over_dart(
    parent: TypedElement, hints: Mapping[str, str], report: Report,
) -> None:
    for element in parent.children:
        if element.tag in hints:
            report.add(
                codes.SKEL_SPEC_OVER_DART,
                f"<{element.tag}> is read as the format's text has it; DART does not read it",
                element.location, hint=hints[element.tag])


# ---- <dof>

def _dof_index(dof: TypedElement, count: int, report: Report) -> Optional[int]:
    """Return which coordinate a ``<dof>`` is about, None for one that DART discards."""
    text = dof.get('local_index')
    if text is None and count == 1:
        return 0
    index = -1 if text is None else _leading_integer(text)
    if index is not None and index < -1:
        report.add(
            codes.BAD_VALUE,
            f'a local_index of {index} makes DART crash',
            dof.attribute_location('local_index'),
        )
        return None
    if index is None or not 0 <= index < count:
        report.add(
            codes.SKEL_DOF_DISCARDED, 'the <dof> is not read: its joint has '
            f'{count} coordinates, and its local_index is {text or "missing"}',
            dof.attribute_location('local_index', 0))
        return None
    return index


def _leading_integer(text: str) -> Optional[int]:
    """Return the number with which a text begins, without its fraction."""
    try:
        return int(skel.number(text).values[0])
    except ValueSyntaxError:
        return None


def _with_dof(dof: TypedElement, found: Coordinate, report: Report) -> Coordinate:
    found = _with_dynamics(
        dof, found._replace(name=dof.string('name') or found.name, location=dof.location), report)
    position, velocity, force = dof.child('position'), dof.child('velocity'), dof.child('force')
    if position is not None:
        found = found._replace(
            lower=position.number('lower', found.lower),
            upper=position.number('upper', found.upper),
            initial_position=position.number('initial', found.initial_position))
    if velocity is not None:
        found = found._replace(
            velocity=_magnitude(velocity, found.velocity, report),
            initial_velocity=velocity.number('initial', found.initial_velocity))
    if force is not None:
        found = found._replace(effort=_magnitude(force, found.effort, report))
    return found


def _magnitude(element: TypedElement, inherited: float, report: Report) -> float:
    """Return the greatest magnitude between ``lower`` and ``upper``."""
    lower, upper = element.number('lower', -inherited), element.number('upper', inherited)
    if -lower != upper:
        report.add(
            codes.SKEL_ONE_SIDED_LIMIT,
            f'of the limits {lower!r} and {upper!r} of <{element.tag}> only the greater '
            'magnitude is preserved',
            element.locate('lower' if 'lower' in element.attributes else 'upper'))
    return max(abs(lower), abs(upper))
