# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Check whether the records of a Model fit each other.

Readers make consistent Models. A Model that a program made or changed is checked before it is
written or computed with, so that a wrong index is an error that names the record.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import chain
import math
from typing import Optional
from xml.parsers import expat

from hrdf_ros.model import Body, Constraint, Frame, Joint, Model, NONE, RawElement
from hrdf_ros.model.raw_xml import own_pose, parsed
from hrdf_ros.pose import coincide, compose, IDENTITY, Pose

_WITH_MOTION = (
    'ball', 'continuous', 'euler', 'floating', 'free', 'hinge', 'planar', 'prismatic', 'revolute',
    'revolute2', 'screw', 'slide', 'universal')
"""The types of joints that mean a motion in each format that has them."""
_OF_LINKS = ('link', 'output', 'world')
"""The kinds of frames that a link can have as its own, with its name."""
_UNIT_TOLERANCE = 1e-6
"""The deviation of an axis from unit length that counts as rounding."""


class InconsistentModelError(ValueError):
    """Records of a Model do not fit each other; the text names the first one that does not."""


def require_consistent(model: Model) -> None:
    """
    Raise InconsistentModelError where the records of a Model do not fit each other.

    The check covers indices, names that occur twice, motions and their coordinates, the frames of
    links, joints and sensors, the values of gearboxes, whether raw XML is XML, and whether a
    description that is one tree still has one root link.
    """
    _raise_first(chain(
        _faults(model), _wrong_frames_of_joints(model), _wrong_frames_of_parts(model)))


def require_computable(model: Model) -> None:
    """
    Raise InconsistentModelError like ``require_consistent``, but for joints' and sensors' frames.

    A Model that was lowered for a target has such frames where it has the joints in several parts.
    """
    _raise_first(_faults(model))


def _raise_first(faults: Iterator[str]) -> None:
    fault = next(faults, None)
    if fault is not None:
        raise InconsistentModelError(fault)


def _faults(model: Model) -> Iterator[str]:
    """Yield a message for each record that does not fit the others."""
    yield from _repeated('link', (body.name for body in model.bodies))
    yield from _repeated('joint', (joint.name for joint in model.joints))
    yield from _repeated('coordinate', (one.name for one in model.coordinates))
    yield from _repeated('frame', (frame.name for frame in model.frames))
    yield from _wrong_indices(model)
    for joint in model.joints:
        yield from _wrong_motions(model, joint)
    yield from _wrong_frames_of_links(model)
    for constraint in model.constraints:
        if constraint.kind == 'gearbox':
            yield from _wrong_gearbox(constraint)
    for raw, owner in _raw_elements(model):
        fault = _fault_in_xml(raw.text)
        if fault:
            yield f'the raw <{raw.tag}> of {owner} is no XML element: {fault}'
    if model.conventions.single_root:
        children = {joint.child for joint in model.joints}
        roots = [body for index, body in enumerate(model.bodies) if index not in children]
        if len(roots) != 1:
            yield (f'there are {len(roots)} root links{_named(roots)}; '
                   'a robot has one, and joints lead from it to all others')


def _named(roots: Iterable[Body]) -> str:
    names = ', '.join(repr(body.name) for body in roots)
    return f' ({names})' if names else ''


def _repeated(kind: str, names: Iterable[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f'{count} {kind}s have the name {name!r}'


def _wrong_indices(model: Model) -> Iterator[str]:
    """Yield each index that refers to no record."""
    bodies, joints, coordinates = (
        range(len(records)) for records in (model.bodies, model.joints, model.coordinates))
    for joint in model.joints:
        for role, index in (('parent', joint.parent), ('child', joint.child)):
            if index not in bodies:
                yield f'the {role} of joint {joint.name!r} is no link: index {index}'
    for one in model.coordinates:
        if one.mimic is not None and one.mimic.leader not in coordinates:
            yield (f'coordinate {one.name!r} follows no coordinate: '
                   f'index {one.mimic.leader}')
    for frame in model.frames:
        if frame.body != NONE and frame.body not in bodies:
            yield f'frame {frame.name!r} is on no link: index {frame.body}'
    for constraint in model.constraints:
        if not all(index in joints for index in constraint.joints):
            yield f'constraint {constraint.name!r} relates joints that are not there'
        if not all(index in bodies for index in constraint.bodies):
            yield f'constraint {constraint.name!r} relates links that are not there'
    for index, scope in enumerate(model.scopes):
        if scope.parent != NONE and scope.parent not in range(index):
            yield f'the scope around {scope.name!r} is not there: index {scope.parent}'
        if scope.canonical_body != NONE and scope.canonical_body not in bodies:
            yield f'the canonical link of scope {scope.name!r} is not there'
    for configuration in model.configurations:
        if not all(index in coordinates for index, _ in configuration.positions):
            yield f'configuration {configuration.name!r} has a coordinate that is not there'
    if model.canonical_body != NONE and model.canonical_body not in bodies:
        yield f'the canonical link is not there: index {model.canonical_body}'


def _wrong_motions(model: Model, joint: Joint) -> Iterator[str]:
    """Yield what is wrong with the motions of a joint."""
    if joint.type in _WITH_MOTION and not joint.motions:
        yield f'joint {joint.name!r} is {joint.type} and has no motion'
    for motion in joint.motions:
        expected = 3 if motion.kind == 'rotation_vector' else 1
        if len(motion.coordinates) != expected:
            yield (f'a {motion.kind} of joint {joint.name!r} reads '
                   f'{len(motion.coordinates)} coordinates, not {expected}')
        for index in motion.coordinates:
            if index not in range(len(model.coordinates)):
                yield f'joint {joint.name!r} reads no coordinate: index {index}'
        length = math.hypot(*motion.axis)
        if motion.kind != 'rotation_vector' and not abs(length - 1.0) <= _UNIT_TOLERANCE:
            yield f'the axis of joint {joint.name!r} has the length {length:g}, not 1'


def _wrong_frames_of_links(model: Model) -> Iterator[str]:
    """
    Yield each frame of a link that is not at its link.

    Files have no frames of links and joints of their own, so the place of one would be lost.
    """
    bodies = {body.name: index for index, body in enumerate(model.bodies)}
    for frame in model.frames:
        own = bodies.get(frame.name)
        if own is not None and frame.kind in _OF_LINKS:
            if frame.body != own or frame.pose != IDENTITY:
                yield (f'the frame {frame.name!r} is not on the link of this name with the '
                       'identity pose')
        elif frame.kind == 'link':
            yield (f'the frame {frame.name!r} of a link has no link of this name; edit.rename '
                   'changes both')


def _wrong_frames_of_joints(model: Model) -> Iterator[str]:
    """Yield each frame of a joint, gearbox or nested model that is not that of its owner."""
    joints = {joint.name: joint for joint in model.joints}
    gearboxes = {each.name: each for each in model.constraints if each.kind == 'gearbox'}
    sources = {joint.source_name for joint in model.joints}
    scopes = {scope.source_name: scope.name for scope in model.scopes}
    for frame in model.frames:
        if frame.kind == 'model' and scopes.get(frame.source_name, frame.name) != frame.name:
            yield (f'the frame {frame.name!r} of a model has another name than the model '
                   f'{scopes[frame.source_name]!r}')
        if frame.kind != 'joint':
            continue
        joint, gearbox = joints.get(frame.name), gearboxes.get(frame.name)
        if joint is not None:
            if frame.body != joint.child or not coincide(frame.pose, joint.child_from_joint):
                yield (f'the frame of joint {frame.name!r} is not on its child link at '
                       'child_from_joint')
        elif gearbox is not None:
            if (frame.body,) != gearbox.bodies[1:2]:
                yield f'the frame of gearbox {frame.name!r} is not on its child link'
        elif frame.source_name in sources:
            yield (f'the frame {frame.name!r} of a joint has no joint of this name; edit.rename '
                   'changes both')


def _wrong_frames_of_parts(model: Model) -> Iterator[str]:
    """Yield each frame of a sensor, light or the like that is not that of its element."""
    frames = [frame for frame in model.frames if frame.held_by]
    if not frames:
        return
    owners = [('', NONE, IDENTITY, model.extensions), *(
        (body.source_name, index, IDENTITY, body.extensions)
        for index, body in enumerate(model.bodies)), *(
        (joint.source_name, joint.child, joint.child_from_joint, joint.extensions)
        for joint in model.joints)]
    kinds = {frame.kind for frame in frames}
    places: dict[tuple[str, str, str], tuple[int, Optional[Pose]]] = {}
    for source_name, body, placed, extensions in owners:
        for raw in extensions:
            root = parsed(raw) if raw.tag in kinds else None
            if root is not None:
                own = own_pose(root)
                name = (root.get('name') or raw.tag).replace('::', '/')
                places.setdefault((source_name, raw.tag, name), (
                    body, None if own is None else compose(placed, own)))
    sources = {source_name for source_name, *_ in owners}
    for frame in frames:
        yield from _wrong_part(frame, model, places, sources)


def _wrong_part(
    frame: Frame, model: Model, places: Mapping[tuple[str, str, str], tuple[int, Optional[Pose]]],
    sources: Container[str],
) -> Iterator[str]:
    """
    Yield what is wrong with a frame.

    ``places`` are links (NONE for the world) and poses of elements, by owner, tag and name;
    ``sources`` are the source names of the owners.
    """
    is_nested = model.conventions.nested_names
    separator = '::' if is_nested else '/'
    around, _, local = frame.source_name.rpartition(separator)
    while around not in sources:  # old files have names with separators
        around, _, more = around.rpartition(separator)
        local = f'{more}/{local}'
    found = places.get((around, frame.kind, local))
    if is_nested and (
            found is None or f'/{local}' not in '/' + frame.name.replace('::', '/')):
        yield (f'the frame {frame.name!r} of a {frame.kind} has no <{frame.kind}> of this name; '
               'edit.rename changes both')
    elif found is not None and found[1] is not None and (
            found[0] not in (NONE, frame.body) or not coincide(frame.pose, found[1])):
        yield (f'the frame {frame.name!r} is not where its <{frame.kind}> is, whose own <pose> is '
               'written')


def _wrong_gearbox(gearbox: Constraint) -> Iterator[str]:
    """Yield a wrong number of links, and which axes have only some of their three parts."""
    if len(gearbox.bodies) not in (2, 3):
        yield (f'gearbox {gearbox.name!r} relates {len(gearbox.bodies)} links; it has a parent, a '
               'child and at most one reference link')
    names = {name for name, _ in gearbox.values}
    for axis in ('axis', 'axis2'):
        missing = [name for name in (f'{axis}_{letter}' for letter in 'xyz') if name not in names]
        if missing and len(missing) < len('xyz'):
            yield f'the {axis} of gearbox {gearbox.name!r} lacks {", ".join(missing)}'


# ---- XML of other programs

def _raw_elements(model: Model) -> Iterator[tuple[RawElement, str]]:
    """Yield all raw XML of a Model, each with what messages call the record that has it."""
    for raw in model.extensions:
        yield raw, f'the model {model.name!r}'
    for joint in model.joints:
        for raw in joint.extensions:
            yield raw, f'joint {joint.name!r}'
    for body in model.bodies:
        for raw in body.extensions:
            yield raw, f'link {body.name!r}'
        for shape in (*body.visuals, *body.collisions):
            looks = () if shape.material is None else shape.material.extensions
            for raw in (*shape.extensions, *looks):
                yield raw, f'a shape of link {body.name!r}'


def _fault_in_xml(text: str) -> str:
    """
    Return why a text is not one element, or ''.

    Prefixes need no declaration: raw XML may use those that the document around it declared.
    """
    parser = expat.ParserCreate()
    try:
        parser.Parse(text.encode(errors='replace'), True)
    except expat.ExpatError as error:
        return str(error)
    return ''
