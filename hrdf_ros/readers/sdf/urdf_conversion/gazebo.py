# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The ``<gazebo>`` elements of a URDF: settings and SDFormat for the robot, its links and joints.

A setting has a name of its own (``<mu1>``) and goes to a place in the element of SDFormat that
it is for; anything else is SDFormat already and is copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
import re
from typing import NamedTuple

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, SourceRef
from hrdf_ros.document.places import end_of_element
from hrdf_ros.model import Model
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import copy_of, new_element, set_child

MOST_COPIES = 50_000
"""Elements that the visuals and collisions of a robot are given in all."""
LUMPED = '_fixed_joint_lump__'
_YES = ('true', 'yes', '1')
_NO = ('false', 'no', '0')
_GAZEBO_MATERIALS = 'file://media/materials/scripts/gazebo.material'

_FRICTION, _CONTACT = ('surface', 'friction', 'ode'), ('surface', 'contact', 'ode')
_LIMIT, _DYNAMICS, _ODE = ('physics', 'ode', 'limit'), ('axis', 'dynamics'), ('physics', 'ode')
_Paths = tuple[tuple[str, ...], ...]
_OF_COLLISIONS: Mapping[str, _Paths] = {
    'mu1': ((*_FRICTION, 'mu'),), 'mu2': ((*_FRICTION, 'mu2'),), 'fdir1': ((*_FRICTION, 'fdir1'),),
    'kp': ((*_CONTACT, 'kp'),), 'kd': ((*_CONTACT, 'kd'),),
    'maxVel': ((*_CONTACT, 'max_vel'),), 'minDepth': ((*_CONTACT, 'min_depth'),),
    'laserRetro': (('laser_retro',),), 'maxContacts': (('max_contacts',),),
}
_OF_LINKS: Mapping[str, _Paths] = {
    'turnGravityOff': (('gravity',),), 'selfCollide': (('self_collide',),),
    'dampingFactor': (('velocity_decay', 'linear'), ('velocity_decay', 'angular')),
}
_OF_FIXED_JOINTS: Mapping[str, _Paths] = {
    'stopCfm': ((*_LIMIT, 'cfm'),), 'stopErp': ((*_LIMIT, 'erp'),),
    'fudgeFactor': ((*_ODE, 'fudge_factor'),),
    'provideFeedback': (('physics', 'provide_feedback'),),
    'implicitSpringDamper': ((*_ODE, 'implicit_spring_damper'), (*_ODE, 'cfm_damping')),
}
_OF_JOINTS: Mapping[str, _Paths] = {
    **_OF_FIXED_JOINTS, 'springReference': ((*_DYNAMICS, 'spring_reference'),),
    'springStiffness': ((*_DYNAMICS, 'spring_stiffness'),),
}
_OTHER_NAMES = {'cfmDamping': 'implicitSpringDamper'}
_SWITCHES = ('selfCollide', 'provideFeedback', 'implicitSpringDamper', 'static')
_SETTINGS = frozenset((
    *_OF_COLLISIONS, *_OF_LINKS, *_OF_JOINTS, 'material', 'static', 'canonicalBody',
    'disableFixedJointLumping', 'preserveFixedJoint'))


class TooManyCopies(Exception):
    """Each visual or collision of a link gets a copy of what is said of them: too much in all."""


class CopyLimit:
    """Copies elements, and counts settings, until there are too many."""

    def __init__(self) -> None:
        self._left = MOST_COPIES

    def copy_of(self, element: TypedElement) -> TypedElement:
        """Return a copy; raise TooManyCopies."""
        copied = copy_of(element)
        self.take(sum(1 for _ in copied.walk()))
        return copied

    def take(self, count: int) -> None:
        """Note so many more; raise TooManyCopies."""
        self._left -= count
        if self._left < 0:
            raise TooManyCopies


class Extension(NamedTuple):
    """
    A ``<gazebo>`` element.

    ``link`` is the link that it refers to, or the joint, empty for the robot; ``settings`` are
    its elements with names of their own, the others are SDFormat for the link or joint, or for
    each of a link's collisions or visuals.
    """

    link: str
    settings: Mapping[str, TypedElement]
    content: tuple[TypedElement, ...]
    collisions: tuple[TypedElement, ...]
    visuals: tuple[TypedElement, ...]

    def is_on(self, setting: str) -> bool:
        """Tell whether a setting is there and true."""
        element = self.settings.get(setting)
        return element is not None and value_of(element).lower() in _YES


def read_extensions(model: Model) -> list[Extension]:
    """Return the ``<gazebo>`` elements of a robot, in document order."""
    return [_read(element) for element in parsed([
        raw.location for raw in model.extensions
        if raw.tag == 'gazebo' and isinstance(raw.location, SourceRef)]) if element.children]


def parsed(places: Sequence[SourceRef]) -> list[TypedElement]:
    """Return the elements at some places of a URDF, with their places there."""
    if not places:
        return []
    document = places[0].document
    data = document.well_formed
    texts = [data[place.start:end_of_element(data, place.start)] for place in places]
    source = SourceFile(
        '', b''.join([b'<r>', *texts, b'</r>']), limits=document.limits, encoding='utf-8')
    root = parse(source, Report(), TypedElement)
    assert root is not None  # they were parsed before, in a document that is larger
    offset = len(b'<r>')
    for place, text, element in zip(places, texts, root.children):
        for part in element.walk():
            part.document, part.start = document, part.start - offset + place.start
        offset += len(text)
    return root.children


def _read(gazebo: TypedElement) -> Extension:
    settings, content = {}, []
    inside: dict[str, list[TypedElement]] = {'collision': [], 'visual': []}
    for child in gazebo.children:
        name = _OTHER_NAMES.get(child.tag, child.tag)
        if name in inside:
            inside[name] += child.children
        elif name in _SETTINGS:
            settings[name] = child
        else:
            content.append(child)
    return Extension(
        link=gazebo.get('reference') or '', settings=settings, content=tuple(content),
        collisions=tuple(inside['collision']), visuals=tuple(inside['visual']))


def value_of(element: TypedElement) -> str:
    """Return what an element says in its attribute ``value`` or in its text."""
    value = element.get('value')
    return (element.text if value is None else value).strip()


# ---- what becomes of them

def extend_model(model: TypedElement, extensions: Iterable[Extension]) -> None:
    """Add what is for the robot to its ``<model>``."""
    for extension in extensions:
        static = extension.settings.get('static')
        if static is not None:
            set_child(model, new_element(static, 'static', _switch('static', static)))
        model.children += map(copy_of, extension.content)


def extend_link(link: TypedElement, extensions: Iterable[Extension]) -> None:
    """Add what is for a link to its ``<link>``."""
    for extension in extensions:
        _set(link, extension, _OF_LINKS)
        link.children += map(copy_of, extension.content)


def extend_joint(joint: TypedElement, extensions: Iterable[Extension]) -> None:
    """Add what is for a joint to its ``<joint>``; one without an axis gets none."""
    places = _OF_FIXED_JOINTS if joint.child('axis') is None else _OF_JOINTS
    for extension in extensions:
        _set(joint, extension, places)
        joint.children += map(copy_of, extension.content)


def extend_collision(
    collision: TypedElement, extensions: Iterable[Extension], limit: CopyLimit,
) -> None:
    """Add what is for a collision to it."""
    for extension in extensions:
        _add_content(collision, extension.collisions, limit, 'surface')
        limit.take(len(extension.settings))
        _set(collision, extension, _OF_COLLISIONS)


def extend_visual(
    visual: TypedElement, extensions: Iterable[Extension], limit: CopyLimit,
) -> None:
    """Add what is for a visual to it."""
    for extension in extensions:
        limit.take(len(extension.settings))
        _add_content(visual, extension.visuals, limit, 'material')
        material = extension.settings.get('material')
        if material is not None and value_of(material):
            _set_path(visual, ('material', 'script', 'name'), value_of(material), material)
            _set_path(visual, ('material', 'script', 'uri'), _GAZEBO_MATERIALS, material)


class ShapeExtensions:
    """
    The extensions of a link with all that is lumped into it, by the shapes that they are for.

    A shape belongs to the link that its name says: as in libsdformat, the name has ``LUMPED``,
    the name of that link and the kind of the shape in it somewhere.
    """

    def __init__(self, link: str, extensions: Iterable[Extension]) -> None:
        self._link = link
        self._by_link: dict[str, list[tuple[int, Extension]]] = {}
        for index, extension in enumerate(extensions):
            self._by_link.setdefault(extension.link, []).append((index, extension))

    def of(self, shape: TypedElement) -> list[Extension]:
        """Return those for a visual or collision, in document order."""
        name = shape.attributes['name']
        if LUMPED not in name:
            return [extension for _, extension in self._by_link.get(self._link, ())]
        links = {link for link in self._links_in(name, shape.tag) if link != self._link}
        found = sorted(
            (pair for link in links for pair in self._by_link[link]), key=itemgetter(0))
        return [extension for _, extension in found]

    def _links_in(self, name: str, kind: str) -> Iterator[str]:
        """Yield the links that the name of a shape may mean, by what is fewer."""
        if name.count(LUMPED) * name.count(kind) > len(self._by_link):
            yield from (link for link in self._by_link if f'{LUMPED}{link}_{kind}' in name)
            return
        for begin in re.finditer(f'(?={LUMPED})', name):
            start = begin.end() + len(LUMPED)
            for end in re.finditer(f'_{kind}', name[start:]):
                link = name[start:start + end.start()]
                if link in self._by_link:
                    yield link


def _add_content(
    shape: TypedElement, content: Iterable[TypedElement], limit: CopyLimit, replaced: str,
) -> None:
    """Add elements to a shape; of a kind that it has once the last one stays."""
    last = {element.tag: element for element in content}.get(replaced)
    shape.children += [
        limit.copy_of(element) for element in content if element.tag != replaced]
    if last is not None:
        set_child(shape, limit.copy_of(last))


def _set(element: TypedElement, extension: Extension, places: Mapping[str, _Paths]) -> None:
    """Set what the settings of an extension say about an element."""
    for name, setting in extension.settings.items():
        for path in places.get(name, ()):
            _set_path(element, path, _switch(name, setting), setting)


def _switch(name: str, setting: TypedElement) -> str:
    """Return the value of a setting as SDFormat writes it."""
    value = value_of(setting)
    if name == 'turnGravityOff':
        return 'true' if value.lower() in _NO else 'false'
    if name in _SWITCHES:
        return 'true' if value.lower() in _YES else 'false'
    return value


def _set_path(
    element: TypedElement, path: tuple[str, ...], text: str, origin: TypedElement,
) -> None:
    """Set the text of an element below another one; those on the way are made."""
    for tag in path[:-1]:
        below = element.child(tag)
        if below is None:
            below = new_element(origin, tag)
            element.children.append(below)
        element = below
    set_child(element, new_element(origin, path[-1], text))
