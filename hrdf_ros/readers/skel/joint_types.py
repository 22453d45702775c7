# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joint types: which motions each is made of, and what its coordinates are called."""

from __future__ import annotations

from collections.abc import Callable
import math
from typing import Literal, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.document import XmlElement
from hrdf_ros.model import Motion
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import AXES, cross, dot, normalized, Vector, X_AXIS, Y_AXIS, Z_AXIS
from hrdf_ros.readers.skel.fields import Fields

_AXES = {'x': X_AXIS, 'y': Y_AXIS, 'z': Z_AXIS}
_UNIT_TOLERANCE = 1e-6
_DEFAULT_PITCH = 0.1
_PLANES = {'xy': (X_AXIS, Y_AXIS), 'yz': (Y_AXIS, Z_AXIS), 'zx': (Z_AXIS, X_AXIS)}

Kind = Literal['angle', 'length']


class JointDofs(NamedTuple):
    """
    What a joint lets move.

    ``coordinates`` are the suffixes of their names and their kinds; the motions read them by
    their position in it. ``axis_elements`` tells that ``<axis>``, ``<axis2>``, ``<axis3>`` hold
    limits and dynamics of the first, second, third coordinate.
    """

    coordinates: tuple[tuple[str, Kind], ...] = ()
    motions: tuple[Motion, ...] = ()
    axis_elements: bool = True


def _weld(fields: Fields, node: XmlElement) -> JointDofs:
    return JointDofs(axis_elements=False)


def _revolute(fields: Fields, node: XmlElement) -> JointDofs:
    return JointDofs((('', 'angle'),), (_moved(fields, node, 'revolute', 0, 'axis', Z_AXIS),))


def _prismatic(fields: Fields, node: XmlElement) -> JointDofs:
    return JointDofs((('', 'length'),), (_moved(fields, node, 'prismatic', 0, 'axis', Z_AXIS),))


def _screw(fields: Fields, node: XmlElement) -> JointDofs:
    """Return a rotation with ``pitch`` metres along the axis for each turn."""
    _report_extension(fields, node)
    axis = node.child('axis')
    pitch = _DEFAULT_PITCH if axis is None else fields.number(axis, 'pitch', _DEFAULT_PITCH)
    motion = _moved(fields, node, 'revolute', 0, 'axis', Z_AXIS)
    if motion.scale == 0.0:
        fields.report.add(codes.AXIS_ZERO, 'the axis of a screw is zero',
            node.value_location('axis/xyz'), severity='error')
    screw = motion._replace(kind='screw', scale=pitch / (2.0 * math.pi))
    return JointDofs((('', 'angle'),), (screw,))


def _universal(fields: Fields, node: XmlElement) -> JointDofs:
    return JointDofs(
        (('_1', 'angle'), ('_2', 'angle')),
        (_moved(fields, node, 'revolute', 0, 'axis', X_AXIS),
         _moved(fields, node, 'revolute', 1, 'axis2', Y_AXIS)))


def _ball(fields: Fields, node: XmlElement) -> JointDofs:
    return JointDofs(
        (('_x', 'angle'), ('_y', 'angle'), ('_z', 'angle')),
        (Motion('rotation_vector', X_AXIS, (0, 1, 2)),), axis_elements=False)


def _euler(fields: Fields, node: XmlElement) -> JointDofs:
    order = _euler_order(fields, node)
    return JointDofs(
        tuple((f'_{letter}', 'angle') for letter in order),
        tuple(Motion('revolute', _AXES[letter], (at,)) for at, letter in enumerate(order)))


def _euler_order(fields: Fields, node: XmlElement) -> str:
    order = node.child('axis_order')
    if order is None or not order.text:
        fields.missing(
            node, 'axis_order',
            hint="the format's text says xyz where it is missing; DART refuses")
        return 'xyz'
    word = order.text
    if word in ('xyz', 'zyx'):
        return word
    fields.report.add(
        codes.BAD_VALUE,
        f"'{word.rstrip()}' is no axis order; DART takes xyz",
        order.text_location(),
        hint=did_you_mean(word.strip(), ('xyz', 'zyx')),
        severity='warning',
    )
    return 'xyz'


def _translational(fields: Fields, node: XmlElement) -> JointDofs:
    return JointDofs(
        (('_x', 'length'), ('_y', 'length'), ('_z', 'length')),
        tuple(Motion('prismatic', axis, (at,)) for at, axis in enumerate(AXES)))


def _planar(fields: Fields, node: XmlElement) -> JointDofs:
    plane = _plane(fields, node)
    normal = cross(plane.motions[0].axis, plane.motions[1].axis)
    scale = plane.motions[0].scale * plane.motions[1].scale
    turn = Motion('revolute', normal if scale else Z_AXIS, (2,), scale)
    return JointDofs((*plane.coordinates, ('_rot', 'angle')), (*plane.motions, turn))


def _translational2d(fields: Fields, node: XmlElement) -> JointDofs:
    _report_extension(fields, node)
    return _plane(fields, node)


def _free(fields: Fields, node: XmlElement) -> JointDofs:
    return free()


def free() -> JointDofs:
    """Return what a free joint lets move: six coordinates, those of the rotation first."""
    return JointDofs(
        tuple((f'_rot_{letter}', 'angle') for letter in 'xyz')
        + tuple((f'_pos_{letter}', 'length') for letter in 'xyz'),
        tuple(Motion('prismatic', axis, (3 + at,)) for at, axis in enumerate(AXES))
        + (Motion('rotation_vector', X_AXIS, (0, 1, 2)),), axis_elements=False)


JOINT_TYPES: dict[str, Callable[[Fields, XmlElement], JointDofs]] = {
    'weld': _weld,
    'revolute': _revolute,
    'prismatic': _prismatic,
    'universal': _universal,
    'ball': _ball,
    'euler': _euler,
    'translational': _translational,
    'planar': _planar,
    'free': _free,
    'screw': _screw,
    'translational2d': _translational2d,
}


def _report_extension(fields: Fields, node: XmlElement) -> None:
    fields.report.add(
        codes.SKEL_EXTENSION_JOINT,
        f"DART refuses joints of type '{node.get('type')}' and loses those behind",
        node.attribute_location('type'))


# ---- axes

def _moved(
    fields: Fields, node: XmlElement, kind: Literal['revolute', 'prismatic'], coordinate: int,
    tag: str, default: Vector,
) -> Motion:
    """Return a motion about the axis that the joint's child element ``tag`` gives."""
    element = node.child(tag)
    if element is None:
        fields.report.add(
            codes.AXIS_MISSING, f'<{tag}> is missing; DART takes {default} for it', node.location)
        return Motion(kind, default, (coordinate,))
    vector = fields.required_vector(element, 'xyz', default)
    axis = normalized(vector)
    if axis is None:
        return Motion(kind, default, (coordinate,), _zero_axis(fields, element))
    if node.get('type') == 'universal' and abs(math.hypot(*vector) - 1.0) > _UNIT_TOLERANCE:
        fields.report.add(
            codes.AXIS_NOT_UNIT, f'<{tag}> has length {math.hypot(*vector)!r} and is normalised; '
            'DART gives such a universal joint a different motion', element.value_location('xyz'))
    return Motion(kind, axis, (coordinate,))


def _zero_axis(fields: Fields, element: XmlElement) -> float:
    """Report an axis without direction; its coordinate moves nothing, for which scale 0 stands."""
    fields.report.add(
        codes.AXIS_ZERO, f'<{element.tag}> has no direction; its coordinate moves nothing',
        element.value_location('xyz'))
    return 0.0


def _plane(fields: Fields, node: XmlElement) -> JointDofs:
    """Read ``<plane>``: two directions to move in, the second made orthogonal to the first."""
    plane = node.child('plane')
    word = None if plane is None else plane.get('type')
    if plane is not None and word == 'arbitrary':
        first, second = _arbitrary_plane(fields, plane)
        names = ('_1', '_2')
    else:
        if word not in _PLANES:
            _report_plane(fields, plane or node, word)
            word = 'xy'
        axes = _PLANES[word]
        first, second = (Motion('prismatic', axis, (at,)) for at, axis in enumerate(axes))
        names = (f'_{word[0]}', f'_{word[1]}')
    return JointDofs(((names[0], 'length'), (names[1], 'length')), (first, second))


def _report_plane(fields: Fields, node: XmlElement, word: Optional[str]) -> None:
    if word is None:
        fields.report.add(
            codes.MISSING_ATTRIBUTE,
            'the type of the <plane> is missing; DART takes xy',
            node.location,
            severity='warning',
        )
    else:
        fields.report.add(
            codes.BAD_VALUE,
            f"'{word}' is no type of plane; DART takes xy",
            node.attribute_location('type', 0),
            hint=did_you_mean(word, (*_PLANES, 'arbitrary')),
            severity='warning',
        )


def _arbitrary_plane(fields: Fields, plane: XmlElement) -> tuple[Motion, Motion]:
    vectors: list[Vector] = []
    for tag, default in (('translation_axis1', X_AXIS), ('translation_axis2', Y_AXIS)):
        element = plane.child(tag)
        if element is None:
            fields.missing(plane, tag, hint='DART crashes without it')
        vectors.append(
            default if element is None else fields.required_vector(element, 'xyz', default))
    first = normalized(vectors[0])
    second = vectors[1] if first is None else _across(vectors[1], first)
    moved = []
    for at, axis in enumerate((first, normalized(second))):
        scale = 1.0 if axis is not None else _zero_axis(fields, plane)
        moved.append(Motion('prismatic', axis or X_AXIS, (at,), scale))
    return moved[0], moved[1]


def _across(vector: Vector, unit: Vector) -> Vector:
    """Return the part of a vector that is orthogonal to a unit vector."""
    along = dot(vector, unit)
    x, y, z = (a - along * b for a, b in zip(vector, unit))
    if math.hypot(x, y, z) <= 1e-12 * math.hypot(*vector):
        return 0.0, 0.0, 0.0
    return x, y, z
