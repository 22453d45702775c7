# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The arguments of the edit functions; an impossible value raises a ValueError that names it."""

from collections.abc import Mapping, Sequence
import math
from typing import Any, Optional, Union

from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Shape
from hrdf_ros.pose import from_homogeneous, IDENTITY, normalized, Pose, Vector

PoseLike = Union[Pose, Sequence[Sequence[float]], None]
"""A Pose, a homogeneous 4x4 matrix, or None for the identity."""

_MAGNITUDES = frozenset((
    'velocity', 'effort', 'acceleration', 'deceleration', 'jerk', 'damping', 'friction'))
"""The numbers of a coordinate that cannot be negative."""
_MAY_BE_INFINITE = frozenset((
    'lower', 'upper', 'velocity', 'effort', 'acceleration', 'deceleration', 'jerk'))
"""The numbers of a coordinate for which infinity means that there is no limit."""
_LENGTHS = frozenset(('size', 'radius', 'radii', 'length', 'width', 'depth', 'height'))
"""The fields of geometries whose numbers are lengths, which cannot be negative."""


def require_name(name: str) -> None:
    """Raise a ValueError for a text that cannot be a name."""
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise ValueError(f'{name!r} is no name')


def number(value: Any, what: str) -> float:
    """Return a finite number as a float, or raise a ValueError that says ``what`` is not one."""
    try:
        found = float(value)
    except OverflowError:
        raise ValueError(f'{what} is beyond the largest number') from None
    except (TypeError, ValueError):
        raise ValueError(f'{what} is not a number: {value!r}') from None
    if not math.isfinite(found):
        raise ValueError(f"{what} is {'not a number' if math.isnan(found) else 'infinite'}")
    return found


def coordinate_numbers(values: Mapping[str, Any], name: str) -> dict[str, float]:
    """
    Return the fields of a Coordinate as floats; a ValueError names one that makes no sense.

    An infinite limit means none, so ``lower`` is never inf and ``upper`` never -inf.
    """
    found = {}
    for field, value in values.items():
        what = f'the {field.replace("_", " ")} of {name!r}'
        no_limit = -math.inf if field == 'lower' else math.inf
        is_unlimited = field in _MAY_BE_INFINITE and value == no_limit
        found[field] = no_limit if is_unlimited else number(value, what)
        if field in _MAGNITUDES and found[field] < 0.0:
            raise ValueError(f'{what} is {found[field]:g}, which is negative')
    return found


def require_order(lower: float, upper: float, name: str) -> None:
    """Raise a ValueError for a lower limit above the upper one."""
    if lower > upper:
        raise ValueError(f'the lower limit {lower:g} of {name!r} is above the upper {upper:g}')


def pose_of(pose: PoseLike) -> Pose:
    """Return a pose; a matrix or quaternion that is no rotation is a ValueError."""
    if pose is None:
        return IDENTITY
    if not isinstance(pose, Pose):
        return from_homogeneous(pose)
    numbers = [number(one, f'{field} of the pose') for field, one in pose._asdict().items()]
    if abs(math.hypot(*numbers[3:]) - 1.0) > 1e-6:
        raise ValueError('the pose has no unit quaternion')
    return Pose(*numbers)


def unit(axis: Sequence[float]) -> Vector:
    """Return an axis with unit length; one without a direction raises a ValueError."""
    numbers = [number(one, 'a component of the axis') for one in axis]
    if len(numbers) != 3:
        raise ValueError(f'an axis has 3 components, not {len(numbers)}')
    direction = normalized((numbers[0], numbers[1], numbers[2]))
    if direction is None or not all(map(math.isfinite, direction)):
        raise ValueError(f'{tuple(axis)} has no direction, so it is no axis')
    return direction


def inertia_of(inertia: Optional[Inertia]) -> Optional[Inertia]:
    """Return an inertia; numbers that are not finite and a negative mass are ValueErrors."""
    if inertia is None:
        return None
    numbers: dict[str, Any] = {
        field: number(value, f'{field} of the inertia')
        for field, value in inertia._asdict().items() if field not in ('pose', 'location')}
    if numbers['mass'] < 0.0:
        raise ValueError(f"a mass of {numbers['mass']:g} kg is negative")
    return inertia._replace(pose=pose_of(inertia.pose), **numbers)


def shapes_of(shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    """Return shapes; a pose or a size that no shape can have is a ValueError."""
    for shape in shapes:
        pose_of(shape.pose)
        for field, value in shape.geometry._asdict().items():
            what = f'the {field} of a {type(shape.geometry).__name__.lower()}'
            for one in _numbers_in(value):
                if number(one, what) < 0.0 and field in _LENGTHS:
                    raise ValueError(f'{what} is negative')
    return tuple(shapes)


def _numbers_in(value: Any) -> list[Any]:
    """Return the numbers in a field of a geometry."""
    if isinstance(value, (tuple, list)):
        return [one for item in value for one in _numbers_in(item)]
    return [] if value is None or isinstance(value, (str, bool)) else [value]
