# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A model in a configuration: positions of all coordinates and poses of all frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, pi
from typing import NamedTuple, Optional
from warnings import catch_warnings, simplefilter

from hrdf_ros import codes
from hrdf_ros.cli.output import CommandError, unknown, UsageError, warn
from hrdf_ros.cli.positions import Positions
from hrdf_ros.diagnostics import Report, value_location
from hrdf_ros.kinematics import FullConfiguration, Kinematics
from hrdf_ros.kinematics.configuration_space import LIMIT_SLACK
from hrdf_ros.model import Model
from hrdf_ros.parsing.quantities import Quantity
from hrdf_ros.pose import compose, from_matrix, IDENTITY, inverse, Pose
from hrdf_ros.topology import Topology


class State(NamedTuple):
    """
    A solved configuration.

    ``name`` says which configuration it is if no position was given: ``zero``, the name of a
    configuration in the file such as ``home``, or ``initial`` for other initial positions. It is
    None if positions were given.

    ``positions`` has a value for each coordinate, in radians or meters. ``dependent`` are the
    coordinates that were computed: mimic coordinates, and passive ones of closed loops. ``poses``
    has root_from_frame for each frame of the model, and ``root`` is the name of the frame that
    they are relative to. ``topology`` is the topology of the model.
    """

    name: Optional[str]
    root: str
    positions: tuple[float, ...]
    dependent: frozenset[int]
    poses: tuple[Pose, ...]
    report: Report
    topology: Topology

    @property
    def at(self) -> str:
        """Return the name as it follows a noun, such as `` at home``; '' for given positions."""
        named = {None: '', 'initial': ' at the initial positions'}
        return named.get(self.name, f' at {self.name}')


def solve(model: Model, positions: Positions, origin: Optional[int] = None) -> State:
    """
    Return the state at the positions that the user gives.

    Poses are relative to the frame ``origin``, or to the root of poses if that is None. An unknown
    coordinate raises UsageError.
    """
    kinematics = Kinematics(model)
    quantities = _given(kinematics, positions)
    given = {name: quantity.value for name, quantity in quantities.items()}
    with catch_warnings():
        simplefilter('ignore', RuntimeWarning)  # an overflow is reported below
        vector = kinematics.resolve(given)
        matrices = kinematics.fk(FullConfiguration(vector))
    if not isfinite(float(abs(matrices).max(initial=0.0))):
        if given:
            raise UsageError('the positions are too large: frames would be infinitely far away')
        raise CommandError(
            'frames are infinitely far away: a factor of a coordinate is too large')
    root_from_frames = [
        from_matrix(matrix[:3, 3].tolist(), matrix[:3, :3].ravel().tolist())
        for matrix in matrices]
    _warn_of_turns(model, quantities)
    origin_from_root = IDENTITY if origin is None else inverse(root_from_frames[origin])
    indices = [kinematics.coordinates.index(name) for name in given]
    dependent = frozenset(kinematics.dependent_solver(indices).indices)
    report = _loops(kinematics, given)
    if given:
        _check_limits(model, vector.tolist(), {*indices, *dependent}, report)
    return State(
        name=None if given else kinematics.initial_name,
        root=model.root if origin is None else model.frames[origin].name,
        positions=tuple(vector.tolist()), dependent=dependent,
        poses=tuple(compose(origin_from_root, pose) for pose in root_from_frames), report=report,
        topology=kinematics.topology)


def _given(kinematics: Kinematics, positions: Positions) -> dict[str, Quantity]:
    """Return the positions by name; a position given by name wins over one in the list."""
    names, independent, values = kinematics.coordinates, kinematics.independent, positions.listed
    given: dict[str, Quantity] = {}
    if values is not None:
        if len(values) != len(names):
            names = independent
        if len(values) != len(names):
            raise UsageError(
                f'--positions has {len(values)} numbers for {len(names)} coordinates: '
                f'{", ".join(names) or "none"}')
        free = set(independent)
        given = {name: value for name, value in zip(names, values) if name in free}
    seen: set[str] = set()
    for name, value in positions.named:
        if name not in kinematics.coordinates:
            raise UsageError(unknown('coordinate', name, kinematics.coordinates))
        if name in seen:
            raise UsageError(f"--position gives coordinate '{name}' twice")
        seen.add(name)
        given[name] = value
    kinds = {coordinate.name: coordinate.kind for coordinate in kinematics.model.coordinates}
    for name, quantity in given.items():
        if quantity.kind not in (None, kinds[name]):
            what = 'an angle: give it in deg or rad' if kinds[name] == 'angle' else (
                'a length: give it in m or mm')
            raise UsageError(f"coordinate '{name}' is {what}")
    return given


def _warn_of_turns(model: Model, given: Mapping[str, Quantity]) -> None:
    """Warn about numbers that were probably meant in degrees."""
    for coordinate in model.coordinates:
        value, kind = given.get(coordinate.name, Quantity(0.0))
        if coordinate.kind == 'angle' and kind is None and abs(value) > 2.0 * pi:
            warn(f"coordinate '{coordinate.name}' is at {value:g} radians, more than a full turn; "
                 f'write {coordinate.name}={value:g}deg for degrees, or '
                 f'{coordinate.name}={value:g}rad')


def _loops(kinematics: Kinematics, given: Mapping[str, float]) -> Report:
    """Return a report on the closed loops that are open or singular in this configuration."""
    report = Report()
    for state in kinematics.loop_states(given):
        joints = [kinematics.model.joints[index] for index in state.joints]
        names = ', '.join(f"'{joint.name}'" for joint in joints)
        driven = ', '.join(kinematics.coordinates[index] for index in state.driven)
        hint = (
            f'it is driven by {driven or "no coordinate"}; those given with --position drive it '
            'instead')
        if not state.closed.all():
            report.add(
                codes.LOOP_OPEN, f'the loop through {names} cannot close in this configuration',
                joints[0].location, hint=hint)
        elif state.singular.any():
            report.add(
                codes.LOOP_SINGULAR, f'the loop through {names} is in a singular configuration, '
                'where it may go either way', joints[0].location, hint=hint)
    return report


def _check_limits(
    model: Model, vector: Sequence[float], indices: Iterable[int], report: Report,
) -> None:
    """Report given and computed positions that are outside their limits."""
    for index in sorted(indices):
        coordinate, position = model.coordinates[index], vector[index]
        slack = LIMIT_SLACK * max(1.0, abs(position))
        for limit, beyond in (
                ('lower', coordinate.lower - position), ('upper', position - coordinate.upper)):
            if beyond > slack:
                report.add(
                    codes.POSITION_OUTSIDE_LIMITS,
                    f"coordinate '{coordinate.name}' is at {position!r}, outside of its limit "
                    f'{getattr(coordinate, limit)!r}', value_location(coordinate.location, limit))
