# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What tests of other projects use: the fixture ``robot``, and assertions about robots and readers.

pytest imports this plugin in every session where hrdf_ros is installed. So numpy and the
kinematics are only imported when a test uses them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import asin, sqrt
import os
from typing import Any, NamedTuple, Optional, TYPE_CHECKING, Union

from hrdf_ros.listing import and_more
from hrdf_ros.load import load, load_model
from hrdf_ros.model import Model
from hrdf_ros.testing.reader_checks import check_reader
import pytest

if TYPE_CHECKING:
    from hrdf_ros.kinematics import Kinematics
    from hrdf_ros.kinematics.transforms import Array

RobotSource = Union['Kinematics', Model, str, 'os.PathLike[str]']
"""A robot, or the path or text of a description."""

__all__ = ['assert_same_kinematics', 'check_reader', 'robot', 'RobotSource']

_LISTED = 10
"""The most frames that a failed assertion lists; the others are counted."""


class _Difference(NamedTuple):
    """The largest difference between two frames, in meters and radians, and its configuration."""

    frame: str
    position: float
    rotation: float
    configuration: dict[str, float]


@pytest.fixture
def robot(request: pytest.FixtureRequest) -> Callable[..., Kinematics]:
    """
    Load robot descriptions: ``robot('arm.urdf')`` returns its hrdf_ros.Kinematics.

    The path is relative to the file of the test; further arguments are options of hrdf_ros.load.
    A description with errors fails the test with its diagnostics.
    """
    folder = request.path.parent

    def load_robot(path: str | os.PathLike[str], **options: Any) -> Kinematics:
        __tracebackhide__ = True
        result = load(folder / path, **options)
        if result.model is None:
            lines = [
                str(found) if found.hint is None else f'{found}\n  hint: {found.hint}'
                for found in result.report]
            pytest.fail('\n'.join(lines), pytrace=False)
        return _kinematics(result.model)

    return load_robot


def assert_same_kinematics(
    a: RobotSource, b: RobotSource, *,
    frames: Union[Iterable[str], Mapping[str, str], None] = None,
    coordinates: Optional[Mapping[str, str]] = None, relative_to: Optional[str] = None,
    position_tolerance: float = 1e-6, rotation_tolerance: float = 1e-6,
    configurations: int = 20, seed: int = 0,
) -> None:
    """
    Assert that the frames of two robots are at the same poses, however their joints move.

    ``frames`` are names, or a mapping from names in ``a`` to names in ``b``. By default they are
    all names that both have; the frame of a joint only if it carries the same link in both.
    ``coordinates`` maps the names in ``a`` that differ to those in ``b``. Poses are relative to
    the root of each file, or to the frame ``relative_to``. Tolerances are in meters and radians.
    The initial configuration is compared, and random ones within the limits of ``a``.

    An AssertionError names the frames, how far they are apart, and the configuration. Unknown
    names raise KeyError, and a description with errors raises LoadError.
    """
    __tracebackhide__ = True
    first, second = _kinematics(a), _kinematics(b)
    named = _frames(first, second, frames)
    moved = _coordinates(first, second, dict(coordinates or {}))
    origins = (relative_to, None if relative_to is None else named.get(relative_to, relative_to))
    found: dict[str, _Difference] = {}
    for q in _configurations(first, configurations, seed):
        own = {name: q[name] for name in moved}
        other = {moved[name]: value for name, value in own.items()}
        for frame, same in named.items():
            difference = _Difference(frame, *_errors(
                first.pose(frame, own, relative_to=origins[0]),
                second.pose(same, other, relative_to=origins[1])), own)
            if not (difference.position <= position_tolerance
                    and difference.rotation <= rotation_tolerance):
                found[frame] = max(found.get(frame, difference), difference, key=_size)
    if found:
        raise AssertionError(_message(
            found.values(), len(named), position_tolerance, rotation_tolerance))


def _kinematics(robot: RobotSource) -> Kinematics:
    from hrdf_ros.kinematics import Kinematics
    if isinstance(robot, Kinematics):
        return robot
    return Kinematics(robot if isinstance(robot, Model) else load_model(robot))


def _frames(
    a: Kinematics, b: Kinematics, frames: Union[Iterable[str], Mapping[str, str], None],
) -> dict[str, str]:
    """Return the frames to compare: names in ``a`` with their names in ``b``."""
    __tracebackhide__ = True
    if frames is not None:
        named = dict(frames) if isinstance(frames, Mapping) else {name: name for name in frames}
    else:
        named = {name: name for name in a.frames if name in b.frames and (
            'joint' not in (a.frames[name].kind, b.frames[name].kind)
            or _carried(a, name) == _carried(b, name))}
    if not named:
        raise AssertionError(
            f"'{a.model.name}' and '{b.model.name}' have no frame in common; name those that "
            'correspond: frames={...}')
    return named


def _carried(robot: Kinematics, frame: str) -> tuple[str, str]:
    """Return the kind of a frame and the name of the body that it is on."""
    found = robot.frames[frame]
    return found.kind, robot.model.bodies[found.body].name


def _coordinates(a: Kinematics, b: Kinematics, given: dict[str, str]) -> dict[str, str]:
    """Return the independent coordinates of ``a`` with their names in ``b``."""
    __tracebackhide__ = True
    for name, robot in [*((name, a) for name in given), *((name, b) for name in given.values())]:
        if name not in robot.coordinates:
            raise KeyError(f"'{robot.model.name}' has no coordinate '{name}'")
    named = {name: given.get(name, name) for name in a.independent}
    missing = [name for name, other in named.items() if other not in b.coordinates]
    added = [name for name in b.independent if name not in named.values()]
    if missing or added:
        alone = [
            f"only {which} ('{robot.model.name}') has {', '.join(names)}"
            for which, robot, names in (('a', a, missing), ('b', b, added)) if names]
        raise AssertionError(
            f"the coordinates differ: {'; '.join(alone)}\n"
            "give those that correspond: coordinates={'name in a': 'name in b'}")
    return named


def _configurations(robot: Kinematics, count: int, seed: int) -> Iterable[dict[str, float]]:
    from numpy.random import default_rng
    random = default_rng(seed)
    yield dict(zip(robot.coordinates, robot.initial_configuration().tolist()))
    for _ in range(count):
        yield dict(zip(robot.coordinates, robot.random_configuration(random).tolist()))


def _errors(a: Array, b: Array) -> tuple[float, float]:
    """Return the distance (m) and the angle (rad) between two poses, given as 4x4 matrices."""
    from numpy.linalg import norm
    difference = float(norm(a[:3, :3] - b[:3, :3]))
    angle = 2.0 * asin(min(1.0, difference / sqrt(8.0)))
    return float(norm(a[:3, 3] - b[:3, 3])), angle


def _size(difference: _Difference) -> float:
    """Return a number for the size of a difference, rounded to three digits."""
    return float(f'{difference.position + difference.rotation:.3g}')


def _message(
    found: Iterable[_Difference], count: int, position: float, rotation: float,
) -> str:
    worst, *rest = sorted(found, key=_size, reverse=True)
    lines = [
        f'{len(rest) + 1} of {count} frames differ by more than {position:g} m or '
        f'{rotation:g} rad']
    lines += [
        f'  {each.frame}: {each.position:.3g} m, {each.rotation:.3g} rad'
        for each in (worst, *rest[:_LISTED - 1])]
    if len(rest) >= _LISTED:
        lines.append(f'  {and_more(len(rest) - _LISTED + 1)}')
    return '\n'.join([
        *lines, f"the largest difference, of '{worst.frame}', is at", f'  {worst.configuration}'])
