# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Edits of many records: attach one robot to another, and remove parts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar, Union

from hrdf_ros.edit.arguments import PoseLike
from hrdf_ros.edit.raw_blocks import declared_names, Names, Notes, RawNames, without_part
from hrdf_ros.edit.records import place_of, scoped
from hrdf_ros.edit.renaming import renamed, Renames, require_own_frame, scope_of
from hrdf_ros.model import Body, Frame, Joint, Model, NONE, RawElement
from hrdf_ros.model.consistency import InconsistentModelError, require_consistent
from hrdf_ros.names import unknown_name
from hrdf_ros.topology import span

_DELIMITER = '::'
_Item = TypeVar('_Item', Body, Joint, Frame)
_Holder = TypeVar('_Holder', Model, Body, Joint)


# ---- attach

def attach(
    model: Model, other: Model, *, to: str, pose: PoseLike = None, prefix: str = '',
) -> Model:
    """
    Return the Model with another one on it, held by a fixed joint.

    ``to`` is a link or frame, and ``pose`` is the pose of the other's root link in it. ``prefix``
    is put before the names of the other's links, joints, frames, coordinates and configurations,
    also in XML of other programs, and before those of the actuators, sensors, tendons,
    transmissions and ``<ros2_control>`` there. A name that both Models have raises
    InconsistentModelError. A base that moves freely in its world becomes fixed: the world and its
    joint are left out.
    """
    body, body_from_place = place_of(model, to, pose)
    other, root = _rooted(other)
    if prefix:
        notes = Notes()
        other = renamed(other, _prefixed(other, prefix), notes, home=model)
        notes.warn('these words in XML for other programs equal an old name, and may mean it')
    known: set[object] = {body.location for body in model.bodies}
    known.update(joint.location for joint in model.joints)
    known.update(frame.location for frame in model.frames)
    count, first = len(model.bodies), len(model.coordinates)
    moved = _Moved(
        lambda index: index + count, lambda index: index + len(model.joints),
        lambda index: index + first)
    held = other.bodies[root].name
    within = scoped(model, held).rpartition(_DELIMITER)[0] if '/' in held else ''
    joint_name = f'{held}_mount'
    attached = _shifted(other, moved)
    result = model._replace(
        bodies=(*model.bodies, *(
            _in_model(model, each, known) for each in attached.bodies)),
        joints=(
            *model.joints,
            *(_in_model(model, each, known) for each in attached.joints),
            Joint(
                name=joint_name, source_name=scoped(model, joint_name), type='fixed', parent=body,
                child=root + count, parent_from_joint=body_from_place)),
        coordinates=(*model.coordinates, *attached.coordinates),
        constraints=(*model.constraints, *attached.constraints),
        frames=(*model.frames, *(
            _in_model(model, each, known) for each in attached.frames)),
        configurations=(*model.configurations, *attached.configurations),
        extensions=(*model.extensions, *(
            raw._replace(owner=within) for raw in attached.extensions)))
    require_consistent(result)
    _refuse_declared_twice(model, other)
    return result


def _rooted(other: Model) -> tuple[Model, int]:
    """Return a Model without its world, and the index of the link that carries all others."""
    topology = span(other)
    worlds = {
        index for index in topology.roots
        if other.is_world and other.bodies[index].name == other.root
        or other.conventions.world_is_body}
    tops = [index for index in topology.roots if index not in worlds]
    tops += [index for index in topology.order if topology.parent[index] in worlds]
    if len(tops) != 1:
        names = ', '.join(other.bodies[index].name for index in tops) or 'none'
        raise ValueError(
            f'a model with one root link can be attached; {other.name!r} has {len(tops)}: {names}')
    if not worlds:
        return other, tops[0]
    kept = _without(other, worlds)
    return kept, [body.name for body in kept.bodies].index(other.bodies[tops[0]].name)


def _prefixed(other: Model, prefix: str) -> Renames:
    """Return the renames that put a prefix before the names of all items."""
    return Renames(
        {body.name: prefix + body.name for body in other.bodies},
        {joint.name: prefix + joint.name for joint in other.joints},
        {one.name: prefix + one.name for one in other.coordinates},
        {frame.name: prefix + frame.name for frame in other.frames},
        {each.name: prefix + each.name for each in other.configurations},
        {each.name: prefix + each.name for each in other.constraints},
        {kind: {name: prefix + name for name in names}
         for kind, names in declared_names(_blocks(other)).items()})


def _refuse_declared_twice(model: Model, other: Model) -> None:
    """Refuse XML of other programs in which two things of one kind have one name."""
    own, others = (declared_names(_blocks(each)) for each in (model, other))
    for kind, names in others.items():
        for name in sorted(names & own.get(kind, set())):
            raise InconsistentModelError(
                f'both have a {kind} with the name {name!r} in XML for other programs')


def _blocks(model: Model) -> Iterator[RawElement]:
    """Yield the XML of other programs that a Model, its links and its joints have."""
    yield from model.extensions
    for body in model.bodies:
        yield from body.extensions
    for joint in model.joints:
        yield from joint.extensions


def _in_model(model: Model, record: _Item, known: set[object]) -> _Item:
    """Return a record with a source name that fits the Model, and no location that is known."""
    return record._replace(
        source_name=scoped(model, record.name) if record.source_name else '',
        location=None if record.location in known else record.location)


class _Moved(NamedTuple):
    """The new indices of links, joints and coordinates; NONE for removed ones."""

    body: Callable[[int], int]
    joint: Callable[[int], int]
    coordinate: Callable[[int], int]


def _shifted(model: Model, moved: _Moved) -> Model:
    """Return a Model whose records refer to each other by new indices; scopes stay as they are."""
    return model._replace(
        joints=tuple(joint._replace(
            parent=moved.body(joint.parent), child=moved.body(joint.child),
            motions=tuple(
                motion._replace(coordinates=tuple(map(moved.coordinate, motion.coordinates)))
                for motion in joint.motions)) for joint in model.joints),
        coordinates=tuple(
            one if one.mimic is None else one._replace(
                mimic=one.mimic._replace(leader=moved.coordinate(one.mimic.leader)))
            for one in model.coordinates),
        frames=tuple(frame._replace(body=moved.body(frame.body)) for frame in model.frames),
        constraints=tuple(each._replace(
            joints=tuple(map(moved.joint, each.joints)),
            bodies=tuple(map(moved.body, each.bodies))) for each in model.constraints),
        configurations=tuple(each._replace(positions=tuple(
            (moved.coordinate(index), value) for index, value in each.positions))
            for each in model.configurations))


# ---- remove

def remove(model: Model, name: str) -> Model:
    """
    Return the Model without a link and all that it carries, or without one frame.

    ``name`` is a link, a joint (for the link that it holds) or a frame. The joints, coordinates,
    frames and constraints of removed links are removed, too, and so are XML blocks that name any
    of these.
    A coordinate that mimicked a removed one moves on its own. The root link cannot be removed.
    """
    names = [body.name for body in model.bodies]
    joints = {joint.name: joint.child for joint in model.joints}
    if name not in names and name not in joints:
        return _without_frame(model, name)
    topology = span(model)
    top = names.index(name) if name in names else joints[name]
    if topology.parent[top] == NONE:
        raise InconsistentModelError(f'{name!r} carries the whole robot, so it cannot be removed')
    gone = {top}
    for body in topology.order:
        if topology.parent[body] in gone:
            gone.add(body)
    kept = _without(model, gone)
    require_consistent(kept)
    return kept


def _without_frame(model: Model, name: str) -> Model:
    """Return the Model without a frame that no link or joint has, and without its part."""
    frames = [frame.name for frame in model.frames]
    if name not in frames:
        raise unknown_name('link, joint or frame', name, [
            *(body.name for body in model.bodies), *(joint.name for joint in model.joints),
            *frames])
    index = frames.index(name)
    frame = model.frames[index]
    require_own_frame(frame)
    notes = Notes()
    kept = model._replace(frames=(*model.frames[:index], *model.frames[index + 1:]))
    if frame.held_by:
        around, _, own = frame.source_name.rpartition(_DELIMITER)

        def without(item: _Holder, owner: str) -> _Holder:
            return item if owner != around else item._replace(
                extensions=without_part(item.extensions, (frame.kind, own)))

        kept = without(kept, '')._replace(
            bodies=tuple(without(body, body.source_name) for body in model.bodies),
            joints=tuple(without(joint, joint.source_name) for joint in model.joints))
    kept = _without_blocks(kept, {'frame': [frame]}, (), notes)
    notes.warn('these parts of XML for other programs name what is removed')
    return kept


def _without(model: Model, gone: set[int]) -> Model:
    """Return the Model without some bodies and without all records that refer to them."""
    bodies = _kept_indices(len(model.bodies), gone)
    joints_gone = {
        index for index, joint in enumerate(model.joints)
        if joint.parent in gone or joint.child in gone}
    joints = _kept_indices(len(model.joints), joints_gone)
    used = {
        index for number, joint in enumerate(model.joints) if number not in joints_gone
        for index in joint.coordinates}
    of_joints = {index for joint in model.joints for index in joint.coordinates}
    coordinates_gone = of_joints - used
    coordinates = _kept_indices(len(model.coordinates), coordinates_gone)
    moved = _Moved(
        lambda index: bodies.get(index, NONE), lambda index: joints.get(index, NONE),
        lambda index: coordinates.get(index, NONE))
    owners_gone = {model.bodies[index].source_name for index in gone}
    owners_gone.update(model.joints[index].source_name for index in joints_gone)
    owners_gone.discard('')  # what stands between two joints of a body has no name in the file
    frames_gone = [frame for frame in model.frames if frame.body in gone or owners_gone & {
        frame.source_name if frame.kind == 'joint' else '',
        scope_of(frame) if frame.held_by else ''}]
    notes = Notes()
    kept = model._replace(
        bodies=tuple(model.bodies[index] for index in bodies),
        joints=tuple(model.joints[index] for index in joints),
        coordinates=tuple(
            one if one.mimic is None or one.mimic.leader in coordinates
            else one._replace(mimic=None)
            for one in (model.coordinates[index] for index in coordinates)),
        frames=tuple(frame for frame in model.frames if frame not in frames_gone),
        constraints=tuple(
            each for each in model.constraints
            if joints_gone.isdisjoint(each.joints) and gone.isdisjoint(each.bodies)),
        configurations=tuple(each._replace(positions=tuple(
            (index, value) for index, value in each.positions if index in coordinates))
            for each in model.configurations),
        canonical_body=bodies.get(model.canonical_body, NONE))
    kept = _without_blocks(kept, {
        'link': [model.bodies[index] for index in gone],
        'joint': [model.joints[index] for index in joints_gone], 'frame': frames_gone,
    }, [model.coordinates[index].name for index in coordinates_gone], notes)
    notes.warn('these parts of XML for other programs name what is removed')
    return _without_empty_scopes(_shifted(kept, moved), bodies)


def _without_blocks(
    model: Model, items: Mapping[str, Sequence[Union[Body, Joint, Frame]]],
    coordinates: Sequence[str], notes: Notes,
) -> Model:
    """
    Return the Model without XML of other programs that names a removed item.

    Removed XML may itself have given names to things, such as the actuator of a removed joint. XML
    that refers to one of these, such as a sensor of the actuator, is removed in turn.
    """
    of_file = {
        kind: {item.source_name for item in found} - {''} for kind, found in items.items()}
    of_robot = {kind: {item.name for item in found} for kind, found in items.items()}
    is_nested = model.conventions.nested_names
    removed: Mapping[str, set[str]] = {
        **(of_robot if is_nested else of_file), 'coordinate': set(coordinates)}
    scoped_names = Names({
        **of_file, 'coordinate': {scoped(model, name) for name in coordinates},
    }) if is_nested else None
    while any(removed.values()):
        names = RawNames(model.name, Names(removed), scoped_names)
        before = declared_names(_blocks(model))
        model = model._replace(
            bodies=tuple(body._replace(extensions=names.without(
                body.extensions, notes, owner=scope_of(body))) for body in model.bodies),
            joints=tuple(joint._replace(extensions=names.without(
                joint.extensions, notes, owner=scope_of(joint))) for joint in model.joints),
            extensions=names.without(model.extensions, notes))
        after = declared_names(_blocks(model))
        removed = {kind: declared - after.get(kind, set()) for kind, declared in before.items()}
    return model


def _kept_indices(count: int, gone: set[int]) -> dict[int, int]:
    """Return the new index of each record that stays, by its old index."""
    return {
        index: number for number, index in enumerate(
            index for index in range(count) if index not in gone)}


def _without_empty_scopes(model: Model, bodies: Mapping[int, int]) -> Model:
    """Return the Model with the new indices of its scopes' canonical links, NONE for removed."""
    return model._replace(scopes=tuple(
        scope._replace(canonical_body=bodies.get(scope.canonical_body, NONE))
        for scope in model.scopes))
