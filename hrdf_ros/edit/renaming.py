# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rename links, joints, coordinates and frames, also where XML of other programs names them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, Optional, TypeVar, Union

from hrdf_ros.edit.arguments import require_name
from hrdf_ros.edit.raw_blocks import Names, Notes, PartKey, RawNames, with_parts
from hrdf_ros.edit.records import is_the_world, scoped, within
from hrdf_ros.model import Body, Constraint, Frame, Joint, Model
from hrdf_ros.model.consistency import require_consistent
from hrdf_ros.names import unknown_name

Kind = Literal['link', 'joint', 'coordinate', 'frame']
_DELIMITER = '::'
_Owner = Union[Body, Joint]
_Named = Union[Body, Joint, Frame]
_Item = TypeVar('_Item', Body, Joint, Frame, Constraint)


class Renames(NamedTuple):
    """
    New names by the old ones, for each kind of item.

    ``declared`` has the names that XML of other programs gives to things of its own, by kind.
    """

    links: Mapping[str, str]
    joints: Mapping[str, str]
    coordinates: Mapping[str, str]
    frames: Mapping[str, str]
    configurations: Mapping[str, str] = MappingProxyType({})
    constraints: Mapping[str, str] = MappingProxyType({})
    declared: Mapping[str, Mapping[str, str]] = MappingProxyType({})


def rename(model: Model, names: Mapping[str, str], *, kind: Optional[Kind] = None) -> Model:
    """
    Return the Model with other names of links, joints, coordinates and frames.

    A joint and the coordinate of its name change together, and so do a link and its frame. A name
    that a link and a joint share means both, unless ``kind`` says which. An item of a nested model
    stays in it: ``arm/tool`` becomes ``arm/hand`` for the new name ``hand``, too. The XML of other
    programs follows. Names may be swapped; a name that exists twice afterwards raises
    InconsistentModelError. A world and the models in it keep their names: a ValueError says so.
    """
    found: dict[Kind, dict[str, str]] = defaultdict(dict)
    known: dict[Kind, set[str]] = {
        'link': {body.name for body in model.bodies},
        'joint': {joint.name for joint in model.joints},
        'coordinate': {one.name for one in model.coordinates},
        'frame': {frame.name for frame in model.frames}}
    for old, changed in names.items():
        require_name(changed)
        if not any(old in known[each] for each in known if kind in (None, each)):
            every = sorted(set().union(*(known[each] for each in known if kind in (None, each))))
            raise unknown_name(kind or 'link, joint or frame', old, every)
        new = _within_its_model(model, old, changed)
        for each in _kinds(model, known, old, kind):
            found[each][old] = new
    for frame in model.frames:
        if frame.name in found['frame']:
            require_own_frame(frame)
    for index, body in enumerate(model.bodies):
        if body.name in found['link'] and is_the_world(model, index):
            raise ValueError(f'{body.name!r} is the world itself, which keeps its name')
    notes = Notes()
    gearboxes = {
        frame.name: found['frame'][frame.name] for frame in model.frames
        if frame.kind == 'joint' and frame.name in found['frame']}
    result = renamed(model, Renames(
        found['link'], found['joint'], found['coordinate'], found['frame'],
        constraints=gearboxes), notes, home=model)
    notes.warn('these words in XML for other programs equal an old name, and may mean it')
    given = {found['link'][old] for old in found['link']}
    result = result._replace(bodies=tuple(
        body._replace(source_name=body.source_name or body.name) if body.name in given else body
        for body in result.bodies))
    require_consistent(result)
    return result


def _kinds(
    model: Model, known: Mapping[Kind, set[str]], name: str, kind: Optional[Kind],
) -> set[Kind]:
    """
    Return the kinds of items of a name that change: all, or ``kind`` and its companions.

    A frame goes with the link of its name, or with the joint if it is the frame of a joint; a
    coordinate goes with its joint.
    """
    if kind is None:
        return {each for each in known if name in known[each]}
    groups: list[tuple[Kind, ...]] = [('link', 'frame'), ('joint', 'coordinate')]
    if any(frame.name == name and frame.kind == 'joint' for frame in model.frames):
        groups = [('joint', 'coordinate', 'frame')]
    for owner, *companions in groups:
        if kind in (owner, *companions) and name in known[owner]:
            return {each for each in (owner, *companions) if name in known[each]}
    return {kind}


def _within_its_model(model: Model, old: str, new: str) -> str:
    """Return a new name that begins, as the old one, with the models, link or joint around it."""
    around = within(model, old)[0]
    start = f'{around}/' if around else ''
    part = next((frame for frame in model.frames if frame.name == old and frame.held_by), None)
    if part is not None:
        start = old.removesuffix(part.source_name.rpartition(_DELIMITER)[2])
    other = within(model, new)[0]
    if other not in ('', around):
        raise ValueError(f'{old!r} cannot become {new!r}: it is not in the model {other!r}')
    return new if new.startswith(start) else start + new


def require_own_frame(frame: Frame) -> None:
    """Raise a ValueError for a frame that is a whole model."""
    if frame.kind == 'model':
        raise ValueError(
            f'{frame.name!r} is a whole model; name the links, joints and frames in it instead')


def renamed(model: Model, names: Renames, notes: Notes, *, home: Model) -> Model:
    """
    Return the Model with new names in its records and in the XML of other programs.

    ``home`` is the Model that the records will be in; new names may begin with its nested models.
    """
    bodies = [_with_name(body, names.links, home) for body in model.bodies]
    joints = [_with_name(joint, names.joints, home) for joint in model.joints]
    frames, parts = _with_frame_names(model, names, [*bodies, *joints], home)
    constraints = [_with_name(each, names.constraints, home) for each in model.constraints]
    raw = _raw_names(model, names, (bodies, joints, frames), home)
    return model._replace(
        bodies=tuple(body._replace(extensions=raw.renamed(
            with_parts(body.extensions, parts.get(old.source_name, {})), notes,
            owner=scope_of(old))) for old, body in zip(model.bodies, bodies)),
        joints=tuple(joint._replace(extensions=raw.renamed(
            with_parts(joint.extensions, parts.get(old.source_name, {})), notes,
            owner=scope_of(old))) for old, joint in zip(model.joints, joints)),
        coordinates=tuple(
            one._replace(name=names.coordinates.get(one.name, one.name))
            for one in model.coordinates),
        frames=tuple(frames),
        constraints=tuple(constraints),
        configurations=tuple(
            each._replace(name=names.configurations.get(each.name, each.name))
            for each in model.configurations),
        root=names.frames.get(model.root, model.root),
        extensions=raw.renamed(with_parts(model.extensions, parts.get('', {})), notes))


def _raw_names(
    model: Model, names: Renames,
    new: tuple[Sequence[Body], Sequence[Joint], Sequence[Frame]], home: Model,
) -> RawNames:
    """Return the names that change in the XML of other programs."""
    is_nested = model.conventions.nested_names
    bodies, joints, frames = new
    changes: dict[str, list[tuple[_Named, _Named]]] = {
        'link': [*zip(model.bodies, bodies)], 'joint': [*zip(model.joints, joints)],
        'frame': [  # a site of MJCF may have the name of a body
            (a, b) for a, b in zip(model.frames, frames) if is_nested or a.kind != 'link']}
    others = {
        **names.declared, 'equality': names.constraints, 'coordinate': names.coordinates}
    of_robot = {
        kind: {a.name if is_nested else a.source_name: b.name
               for a, b in found if a.name != b.name} for kind, found in changes.items()}
    of_file = {
        kind: {a.source_name: b.source_name
               for a, b in found if a.source_name != b.source_name}
        for kind, found in changes.items()}
    coordinates = {
        scoped(model, old): f'{scoped(model, old).rpartition(_DELIMITER)[0]}{_DELIMITER}'
        f'{within(home, new)[1]}' for old, new in names.coordinates.items()}
    return RawNames(
        model.name, Names(renamed={**others, **of_robot}),
        Names(renamed={**others, **of_file, 'coordinate': coordinates}) if is_nested else None)


def _with_frame_names(
    model: Model, names: Renames, owners: Sequence[_Owner], home: Model,
) -> tuple[list[Frame], Mapping[str, Mapping[PartKey, str]]]:
    """
    Return the frames with new names, and the new names of parts by the source name of their owner.

    A part, such as a sensor, is named after the link or joint that it is in.
    """
    old: list[_Owner] = [*model.bodies, *model.joints]
    changed = {item.source_name: new for item, new in zip(old, owners)}
    starts = {item.source_name: f'{item.name}/' for item in old}
    frames: list[Frame] = []
    parts: dict[str, dict[PartKey, str]] = defaultdict(dict)
    for frame in model.frames:
        around, _, own = frame.source_name.rpartition(_DELIMITER)
        if not frame.held_by:
            frames.append(_with_name(frame, names.frames, home))
            continue
        new = names.frames.get(frame.name, frame.name)
        owner, path, local, before = changed.get(around), '', new, frame.name
        if owner is not None:
            before = frame.name.removeprefix(starts[around])
            local = new.removeprefix(f'{owner.name}/').removeprefix(starts[around])
            new, path = f'{owner.name}/{local}', f'{owner.source_name}{_DELIMITER}'
        if local != before:
            parts[around][frame.kind, own] = local
            own = local
        frames.append(frame._replace(name=new, source_name=f'{path}{own}'))
    return frames, parts


def scope_of(record: _Named) -> str:
    """Return the source name of the model that a record is in."""
    return record.source_name.rpartition(_DELIMITER)[0]


def _with_name(record: _Item, names: Mapping[str, str], home: Model) -> _Item:
    """Return a record with its new name, which also replaces the last part of its source name."""
    new = names.get(record.name)
    if new is None:
        return record
    if not record.source_name:
        return record._replace(name=new)
    scope, separator, _ = record.source_name.rpartition(_DELIMITER)
    return record._replace(
        name=new, source_name=f'{scope}{separator}{within(home, new)[1]}')
