# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Make a robot with one link, and edit one link, joint, frame or configuration at a time."""

from collections.abc import Mapping, Sequence
from enum import Enum
import math
from typing import Any, Final, Literal, Optional, Union

from hrdf_ros import formats
from hrdf_ros.edit.arguments import (
    coordinate_numbers,
    inertia_of,
    number,
    pose_of,
    PoseLike,
    require_name,
    require_order,
    shapes_of,
    unit,
)
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import (
    Body,
    Configuration,
    Coordinate,
    CoordinateKind,
    Frame,
    Joint,
    Mimic,
    Model,
    Motion,
    NONE,
    Shape,
)
from hrdf_ros.model.consistency import require_consistent
from hrdf_ros.names import unknown_name
from hrdf_ros.pose import compose, Pose, X_AXIS
from hrdf_ros.topology import find_frame, with_placed_scopes


class _Keep(Enum):
    """Stands for an argument that was not given."""

    KEEP = 'as it is'


KEEP: Final = _Keep.KEEP
Kept = Literal[_Keep.KEEP]

_MOTION_KINDS: Mapping[str, tuple[Literal['revolute', 'prismatic'], CoordinateKind]] = {
    'revolute': ('revolute', 'angle'), 'continuous': ('revolute', 'angle'),
    'prismatic': ('prismatic', 'length')}


def new(name: str, *, root: str = 'base_link') -> Model:
    """
    Return a robot with one link, which has no mass and no shape.

    >>> from hrdf_ros import edit
    >>> edit.add_link(edit.new('robot'), 'arm', parent='base_link', joint='revolute',
    ...               lower=-1.0, upper=1.0)
    <Model 'robot': urdf 1.0, 2 links, 1 joint, 1 coordinate>
    """
    require_name(name)
    require_name(root)
    return Model(
        name=name, format='urdf', version=formats.DEFAULT_URDF, root=root,
        bodies=(Body(root, root),), frames=(Frame(root, root, 'link', 0),), canonical_body=0,
        conventions=formats.URDF)


def set_link(
    model: Model, name: str, *, inertia: Union[Inertia, None, Kept] = KEEP,
    visuals: Union[Sequence[Shape], Kept] = KEEP,
    collisions: Union[Sequence[Shape], Kept] = KEEP,
) -> Model:
    """
    Return the Model with another inertia, visuals or collisions of a link; see ``Body``.

    Masses are in kg, moments in kg m^2; the poses of shapes and of the inertia are in the link's
    frame. An argument that is not given changes nothing. ``inertia=None`` is a link without mass.
    """
    index = body_index(model, name)
    changes: dict[str, Any] = {}
    if inertia is not KEEP:
        if inertia is not None and is_the_world(model, index):
            raise ValueError(f'{name!r} is the world itself, which has no mass')
        changes['inertia'] = inertia_of(inertia)
    if visuals is not KEEP:
        changes['visuals'] = shapes_of(visuals)
    if collisions is not KEEP:
        changes['collisions'] = shapes_of(collisions)
    return _with_body(model, index, model.bodies[index]._replace(**changes))


def set_joint(
    model: Model, name: str, *, lower: Union[float, Kept] = KEEP, upper: Union[float, Kept] = KEEP,
    velocity: Union[float, Kept] = KEEP, effort: Union[float, Kept] = KEEP,
    acceleration: Union[float, Kept] = KEEP, deceleration: Union[float, Kept] = KEEP,
    jerk: Union[float, Kept] = KEEP, damping: Union[float, Kept] = KEEP,
    friction: Union[float, Kept] = KEEP, initial_position: Union[float, Kept] = KEEP,
    origin: Union[PoseLike, Kept] = KEEP, axis: Union[Sequence[float], Kept] = KEEP,
) -> Model:
    """
    Return the Model with other numbers of a joint, named by itself or by its coordinate.

    ``origin`` is parent_from_joint; ``axis`` is a direction in the joint's frame, of any length
    but zero. Limits are in rad or m, and an infinite one means none; a continuous joint with
    limits becomes revolute.

    In a joint with several coordinates, ``name`` has to be that of a coordinate to set its
    numbers; for the joint's own name a ValueError lists the coordinates. A negative maximum,
    damping or friction raises a ValueError, too.
    """
    numbers = {
        'lower': lower, 'upper': upper, 'velocity': velocity, 'effort': effort,
        'acceleration': acceleration, 'deceleration': deceleration, 'jerk': jerk,
        'damping': damping, 'friction': friction, 'initial_position': initial_position}
    given: dict[str, Any] = coordinate_numbers(
        {key: value for key, value in numbers.items() if value is not KEEP}, name)
    joint_index, coordinate_index = _joint_of(model, name, bool(given))
    if given:
        coordinate = model.coordinates[coordinate_index]._replace(**given)
        require_order(coordinate.lower, coordinate.upper, coordinate.name)
        model = model._replace(
            coordinates=replaced(model.coordinates, coordinate_index, coordinate))
    joint = model.joints[joint_index]
    if joint.type == 'continuous' and any(map(math.isfinite, (
            given.get('lower', -math.inf), given.get('upper', math.inf)))):
        joint = joint._replace(type='revolute')
    if origin is not KEEP:
        joint = joint._replace(parent_from_joint=pose_of(origin))
    if axis is not KEEP:
        if len(joint.motions) != 1:
            raise ValueError(f'the joint {joint.name!r} has {len(joint.motions)} axes, not one')
        joint = joint._replace(motions=(joint.motions[0]._replace(axis=unit(axis)),))
    model = model._replace(joints=replaced(model.joints, joint_index, joint))
    require_consistent(model)
    return with_placed_scopes(model)


def add_link(
    model: Model, name: str, *, parent: str, joint: str = 'fixed', joint_name: str = '',
    pose: PoseLike = None, axis: Sequence[float] = X_AXIS, inertia: Optional[Inertia] = None,
    shapes: Sequence[Shape] = (), lower: float = -math.inf, upper: float = math.inf,
    velocity: float = math.inf, effort: float = math.inf,
    mimic: Optional[tuple[str, float, float]] = None,
) -> Model:
    """
    Return the Model with another link, held by a joint.

    ``parent`` is a link or a frame, and ``pose`` is the pose of the new link and its joint in it.
    In a world, and where models are nested, ``arm/tool`` is a link of the model ``arm``. ``joint``
    is fixed, revolute, continuous or prismatic, about or along ``axis`` in the joint's frame, with
    limits in rad or m. ``joint_name`` is also the name of the coordinate; by default it is
    ``NAME_joint``. ``shapes`` become both visuals and collisions. ``mimic`` is (coordinate,
    multiplier, offset).
    """
    require_name(name)
    source_name = scoped(model, name)
    index = len(model.bodies)
    with_link = model._replace(
        bodies=(*model.bodies, Body(
            name=name, source_name=source_name, inertia=inertia_of(inertia),
            visuals=shapes_of(shapes), collisions=shapes_of(shapes))),
        frames=(*model.frames, Frame(name, source_name, 'link', index)))
    return add_joint(
        with_link, joint_name or f'{name}_joint', parent=parent, child=name, joint=joint,
        pose=pose, axis=axis, lower=lower, upper=upper, velocity=velocity, effort=effort,
        mimic=mimic)


def add_joint(
    model: Model, name: str, *, parent: str, child: str, joint: str = 'revolute',
    pose: PoseLike = None, child_pose: PoseLike = None, axis: Sequence[float] = X_AXIS,
    lower: float = -math.inf, upper: float = math.inf, velocity: float = math.inf,
    effort: float = math.inf, mimic: Optional[tuple[str, float, float]] = None,
) -> Model:
    """
    Return the Model with another joint, which closes a loop between links that others connect.

    ``parent`` and ``child`` are links or frames. ``pose`` is the pose of the joint in ``parent``,
    ``child_pose`` its pose in ``child``. The other arguments are those of ``add_link``.
    """
    if joint != 'fixed' and joint not in _MOTION_KINDS:
        known = ', '.join(('fixed', *_MOTION_KINDS))
        raise ValueError(f'joint is one of {known}, not {joint!r}')
    require_name(name)
    limits: dict[str, Any] = coordinate_numbers(
        {'lower': lower, 'upper': upper, 'velocity': velocity, 'effort': effort}, name)
    require_order(limits['lower'], limits['upper'], name)
    parent_body, parent_from_joint = place_of(model, parent, pose)
    child_body, child_from_joint = place_of(model, child, child_pose)
    if parent_body == child_body:
        raise ValueError(f'{parent!r} and {child!r} are on one link; a joint connects two')
    if is_the_world(model, child_body):
        raise ValueError(f'{child!r} is on the world, which no joint moves; it can be the parent')
    motions: tuple[Motion, ...] = ()
    coordinates = model.coordinates
    if joint != 'fixed':
        kind, quantity = _MOTION_KINDS[joint]
        motions = (Motion(kind, unit(axis), (len(coordinates),)),)
        coordinates = (*coordinates, Coordinate(
            name=name, kind=quantity, mimic=_mimic(model, mimic), **limits))
    model = model._replace(
        coordinates=coordinates,
        joints=(*model.joints, Joint(
            name=name, source_name=scoped(model, name), type=joint, parent=parent_body,
            child=child_body, parent_from_joint=parent_from_joint,
            child_from_joint=child_from_joint, motions=motions)))
    require_consistent(model)
    return with_placed_scopes(model)


def add_frame(model: Model, name: str, *, parent: str, pose: PoseLike = None) -> Model:
    """Return the Model with another frame, whose pose is relative to a link or frame."""
    require_name(name)
    body, body_from_frame = place_of(model, parent, pose)
    model = model._replace(frames=(
        *model.frames, Frame(name, scoped(model, name), 'frame', body, body_from_frame)))
    require_consistent(model)
    return model


def set_configuration(
    model: Model, name: str, positions: Optional[Mapping[str, float]],
) -> Model:
    """
    Return the Model with a named configuration: positions (rad or m) by coordinate name.

    A configuration of this name is replaced; None removes it.
    """
    others = [each for each in model.configurations if each.name != name]
    if positions is None:
        if len(others) == len(model.configurations):
            raise unknown_name(
                'configuration', name, (each.name for each in model.configurations))
        return model._replace(configurations=tuple(others))
    require_name(name)
    values = sorted(
        (coordinate_index(model, coordinate), number(value, f'the position of {coordinate!r}'))
        for coordinate, value in positions.items())
    return model._replace(
        configurations=(*others, Configuration(name, tuple(values))))


# ---- what the functions share

def within(model: Model, name: str) -> tuple[str, str]:
    """
    Return the nested model that a name begins with, '' for none, and the rest of the name.

    ``arm/tool`` is ``tool`` in ``arm`` if there is such a model, and otherwise one name.
    """
    around = max((
        scope.name for scope in model.scopes
        if (model.is_world or scope.parent != NONE) and name.startswith(f'{scope.name}/')),
        key=len, default='')
    return around, name.removeprefix(f'{around}/') if around else name


def scoped(model: Model, name: str) -> str:
    """
    Return the name that an item has in a description with nested names.

    A name that begins with that of a nested model (``arm/tool``) belongs to an item in it.
    """
    if not model.conventions.nested_names:
        return name
    around, own = within(model, name)
    owner = next((scope.source_name for scope in model.scopes if scope.name == around), model.name)
    return f'{owner}::{own}'


def is_the_world(model: Model, index: int) -> bool:
    """Return whether a body is the world of a description that has one."""
    if model.is_world:
        return model.bodies[index].name == model.root
    return model.conventions.world_is_body and index == model.canonical_body


def replaced(records: tuple[Any, ...], index: int, record: Any) -> tuple[Any, ...]:
    """Return records with one of them replaced."""
    return (*records[:index], record, *records[index + 1:])


def body_index(model: Model, name: str) -> int:
    """Return the index of a link; an unknown one raises UnknownNameError."""
    return _index('link', [body.name for body in model.bodies], name)


def coordinate_index(model: Model, name: str) -> int:
    """Return the index of a coordinate; an unknown one raises UnknownNameError."""
    return _index('coordinate', [one.name for one in model.coordinates], name)


def _index(kind: str, names: Sequence[str], name: str) -> int:
    if name not in names:
        raise unknown_name(kind, name, names)
    return names.index(name)


def _with_body(model: Model, index: int, body: Body) -> Model:
    model = model._replace(bodies=replaced(model.bodies, index, body))
    require_consistent(model)
    return model


def _joint_of(model: Model, name: str, needs_coordinate: bool) -> tuple[int, int]:
    """Return the index of a joint, and of the coordinate that is meant, -1 if none is."""
    names = [joint.name for joint in model.joints]
    of_joint = [joint.coordinates for joint in model.joints]
    if name in names:
        joint = names.index(name)
        found = of_joint[joint]
        if needs_coordinate and len(found) != 1:
            listed = ', '.join(model.coordinates[index].name for index in found) or 'none'
            raise ValueError(
                f'the joint {name!r} has {len(found)} coordinates, not one; name the coordinate: '
                f'{listed}')
        return joint, found[0] if len(found) == 1 else -1
    coordinates = [one.name for one in model.coordinates]
    if name in coordinates:
        index = coordinates.index(name)
        owner = next((joint for joint, found in enumerate(of_joint) if index in found), None)
        if owner is not None:
            return owner, index
    raise unknown_name('joint', name, [*names, *coordinates])


def place_of(model: Model, name: str, pose: PoseLike = None) -> tuple[int, Pose]:
    """Return the body that a named frame is on, and body_from_place for a pose in that frame."""
    index = find_frame(model, name)
    if index is None:
        raise unknown_name('link or frame', name, (frame.name for frame in model.frames))
    frame = model.frames[index]
    return frame.body, compose(frame.pose, pose_of(pose))


def _mimic(model: Model, mimic: Optional[tuple[str, float, float]]) -> Optional[Mimic]:
    if mimic is None:
        return None
    leader, multiplier, offset = mimic
    return Mimic(
        coordinate_index(model, leader), number(multiplier, 'the multiplier of a mimic'),
        number(offset, 'the offset of a mimic'))
