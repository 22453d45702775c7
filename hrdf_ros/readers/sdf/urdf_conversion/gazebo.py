# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Apply the ``<gazebo>`` elements of a URDF to the elements of SDFormat that they are for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
import re
from typing import Optional

from hrdf_ros.diagnostics import Locatable, Report
from hrdf_ros.document import parse, SourceFile, SourceRef
from hrdf_ros.document.tokenizer import end_of_element
from hrdf_ros.listing import listed
from hrdf_ros.model import Body, Model
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.gazebo import (
    is_true,
    LUMPED,
    MATERIALS,
    NOT_CONTENT,
    PLACES,
    read_setting,
    REPLACED,
    shape_name,
)
from hrdf_ros.parsing.sdf import pose
from hrdf_ros.parsing.urdf import vector3
from hrdf_ros.pose import compose, from_rpy, Pose, to_rpy
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import copy_of, new_element, numbers, set_child, set_value

PRESERVE = (
    '<preserveFixedJoint>true</preserveFixedJoint> in a <gazebo reference="JOINT"> keeps one')
"""The hint that says how a link is not lumped."""
Lumped = Mapping[str, tuple[str, Pose]]
"""The lumped links, each with the name of the link that replaces it and its pose in that link."""


def read_extensions(model: Model) -> list[TypedElement]:
    """Return the ``<gazebo>`` elements of a robot, in document order."""
    return [gazebo for gazebo in parsed([
        raw.location for raw in model.extensions
        if raw.tag == 'gazebo' and isinstance(raw.location, SourceRef)]) if gazebo.children]


def parsed(places: Sequence[SourceRef]) -> list[TypedElement]:
    """Return the elements at some places of a URDF, with their places there."""
    if not places:
        return []
    document = places[0].document
    data = document.well_formed
    text = bytearray(b'<r>'.ljust(len(data)))  # the parser has accepted <robot> before them
    for place in places:
        end = end_of_element(data, place.start)
        text[place.start:end] = data[place.start:end]
    root = parse(
        SourceFile('', bytes(text + b'</r>'), limits=document.limits, encoding='utf-8'), Report(),
        TypedElement)
    assert root is not None  # the parser has accepted them before, in a larger document
    for part in root.walk():
        part.document = document
    return root.children


def subject_of(gazebo: TypedElement) -> str:
    """Return the link or joint that a ``<gazebo>`` refers to, '' for the robot."""
    return gazebo.get('reference') or ''


def is_on(gazebo: TypedElement, setting: str) -> bool:
    """Return whether a setting is given and true; the last one given counts."""
    values = [is_true(_value(each)) for each in gazebo.all(setting)]
    return bool(values) and values[-1]


def _value(element: TypedElement) -> str:
    """Return the attribute ``value`` of an element, else its text."""
    return element.attributes.get('value', element.text).strip()


def vector_or_zeros(text: str) -> tuple[float, ...]:
    """Return three numbers, zeros where they are absent or faulty, as libsdformat does."""
    try:
        return vector3(text)
    except ValueSyntaxError:
        return 0.0, 0.0, 0.0


# ---- lumped links

def _follow(element: TypedElement, link: str, lumped: Lumped) -> None:
    """Let the content of an extension refer to the link that replaces a lumped one."""
    if element.tag in ('light', 'projector', 'sensor') and link in lumped:
        _move(element, lumped[link][1])
    elif element.tag == 'plugin':
        _rename_bodies(element, lumped)
    elif element.tag == 'joint':
        for end in element.children:
            if end.tag in ('parent', 'child') and _value(end) in lumped:
                set_value(end, '', lumped[_value(end)][0])


def _move(element: TypedElement, top_from_link: Pose) -> None:
    """Give a light, projector or sensor its pose in the link that replaces its own."""
    written = element.child('pose')
    if written is not None and written.get('relative_to'):
        return
    try:
        moved = compose(top_from_link, pose('' if written is None else written.text))
    except ValueSyntaxError:
        return  # the pose is left as it is, for the schema to report
    set_child(element, new_element(
        element if written is None else written, 'pose', numbers(*moved.position, *to_rpy(moved))))


def _rename_bodies(plugin: TypedElement, lumped: Lumped) -> None:
    """Let a plugin of Gazebo Classic name the replacing link, and adapt the plugin's offset."""
    for tag in ('bodyName', 'frameName'):
        name = plugin.child(tag)
        if name is not None and _value(name) in lumped:
            top, top_from_link = lumped[_value(name)]
            offsets = map(plugin.child, ('xyzOffset', 'rpyOffset'))
            moved = compose(top_from_link, from_rpy(*(
                vector_or_zeros('' if each is None else _value(each)) for each in offsets)))
            for changed, text in (
                    (tag, top), ('xyzOffset', numbers(*moved.position)),
                    ('rpyOffset', numbers(*to_rpy(moved)))):
                set_child(plugin, new_element(name, changed, text))


# ---- shapes

def misplaced(
    extensions: Iterable[TypedElement], links: Sequence[tuple[Body, str]],
) -> Iterator[tuple[str, Optional[Locatable], Optional[str]]]:
    """
    Yield where ``<gazebo>`` does not reach the shapes of its link, or reaches those of another.

    ``links`` are the links of the URDF, each with the name of the link that it is lumped into.
    libsdformat tells the links of shapes by the names that it makes of their own names. The
    results have a message, a place and a hint.
    """
    for tag, field in (('collision', 'collisions'), ('visual', 'visuals')):
        named = {subject_of(each) for each in extensions if _is_for_shapes(each, tag)}
        for link, top in links if named else ():
            reached = [
                (shape, _link_in_name(shape_name(tag, shape.name or link.name, top, 0), tag, top))
                for shape in getattr(link, field)]
            missed = [
                each for each in reached if link.name in named and each[1] != link.name]
            gained = [shape for shape, of in reached if link.name != of == top in named]
            if missed:
                names = listed([shape.name or link.name for shape, _ in missed])
                yield (
                    f"what <gazebo> has for each {tag} of '{link.name}' does not reach {names}",
                    missed[0][0].location,
                    PRESERVE if missed[0][1] == top else f'leave out the name of the {tag}')
            if gained:
                yield (
                    f"what <gazebo> has for each {tag} of '{top}' is for that of '{link.name}', "
                    'too, because its name begins the same', gained[0].location, PRESERVE)


def _is_for_shapes(gazebo: TypedElement, tag: str) -> bool:
    return any(
        bool(each.children) if each.tag == tag else each.tag in PLACES[tag]
        for each in gazebo.children)


def _link_in_name(name: str, tag: str, top: str) -> str:
    """Return the link whose extensions libsdformat gives to a shape of this name."""
    _, lumped, rest = name.partition(LUMPED)
    return rest.rpartition(f'_{tag}')[0] if lumped else top


# ---- into the elements of SDFormat

class ExtensionTable:
    """
    The ``<gazebo>`` elements by the robot, link or joint that they name and that they are for.

    The elements of a lumped link are for the link that replaces it.
    """

    def __init__(self, extensions: Iterable[TypedElement], lumped: Lumped) -> None:
        self._of: dict[str, dict[str, list[TypedElement]]] = {}
        for gazebo in extensions:
            named = subject_of(gazebo)
            subject = lumped[named][0] if named in lumped else named
            self._of.setdefault(subject, {}).setdefault(named, []).append(gazebo)
            for element in gazebo.children:
                _follow(element, named, lumped)

    def extend(self, element: TypedElement, subject: str) -> None:
        """Add the extensions to the ``<model>``, ``<link>`` or ``<joint>`` that they are for."""
        kind = element.tag
        if kind == 'joint' and element.child('axis') is None:
            kind = 'fixed joint'
        for gazebo in self._find(subject, self._of.get(subject, ())):
            _set(element, gazebo, kind)
            element.children += [
                copy_of(each) for each in gazebo.children if each.tag not in NOT_CONTENT]

    def extend_shape(self, shape: TypedElement, link: str) -> None:
        """
        Add the extensions of a link to a ``<visual>`` or ``<collision>``, within the size limit.

        A shape belongs to the link in its name: as in libsdformat, the name of that link and the
        kind of the shape follow ``LUMPED``.
        """
        _, lumped, name = shape.attributes['name'].partition(LUMPED)
        links = {name[:end.start()] for end in re.finditer(f'_{shape.tag}', name)} - {link}
        for gazebo in self._find(link, links if lumped else (link,)):
            content = [each for part in gazebo.all(shape.tag) for each in part.children]
            shape.document.size.items += len(gazebo.children) + sum(
                1 for each in content for _ in each.walk())
            if shape.document.is_full:
                return
            for each in content:
                if each.tag == REPLACED[shape.tag]:
                    set_child(shape, copy_of(each))
                else:
                    shape.children.append(copy_of(each))
            _set(shape, gazebo, shape.tag)

    def _find(self, subject: str, links: Collection[str]) -> list[TypedElement]:
        """Return the extensions for a subject that name one of these links, in file order."""
        named = self._of.get(subject, {})
        return sorted(
            (each for link in links for each in named.get(link, ())),
            key=lambda gazebo: gazebo.start)


def _set(element: TypedElement, gazebo: TypedElement, kind: str) -> None:
    """Apply the settings of an extension to an element."""
    for each in gazebo.children:
        found = read_setting(each.tag, _value(each))
        if found is None:
            continue
        name, text = found
        for path in PLACES[kind].get(name, '').split():
            _set_path(element, path, text, each)
            if name == 'material':
                _set_path(element, 'material/script/uri', MATERIALS, each)


def _set_path(element: TypedElement, path: str, text: str, origin: TypedElement) -> None:
    """Set the text of an element below another one; missing elements on the path are made."""
    *above, last = path.split('/')
    for tag in above:
        below = element.child(tag)
        if below is None:
            element.children.append(below := new_element(origin, tag))
        element = below
    set_child(element, new_element(origin, last, text))
