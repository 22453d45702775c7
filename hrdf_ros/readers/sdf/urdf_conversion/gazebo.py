# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The ``<gazebo>`` elements of a URDF: settings and SDFormat for the robot, its links and joints.

A setting has a name of its own (``<mu1>``) and goes to a place in an element of SDFormat; anything
else is SDFormat already and is copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
import re
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, SourceRef
from hrdf_ros.document.tokenizer import end_of_element
from hrdf_ros.model import Model
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.sdf import pose
from hrdf_ros.parsing.urdf import vector3
from hrdf_ros.pose import compose, from_rpy, Pose, to_rpy
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import copy_of, new_element, numbers, set_child, set_text
from hrdf_ros.readers.sdf.urdf_conversion.links import Link

LUMPED = '_fixed_joint_lump__'
_GAZEBO_MATERIALS = 'file://media/materials/scripts/gazebo.material'

_OF_FIXED_JOINTS = {
    'stopCfm': 'physics/ode/limit/cfm', 'stopErp': 'physics/ode/limit/erp',
    'fudgeFactor': 'physics/ode/fudge_factor', 'provideFeedback': 'physics/provide_feedback',
    'implicitSpringDamper': 'physics/ode/implicit_spring_damper physics/ode/cfm_damping',
}
_PLACES: Mapping[str, Mapping[str, str]] = {
    'model': {'static': 'static'},
    'link': {
        'turnGravityOff': 'gravity', 'selfCollide': 'self_collide',
        'dampingFactor': 'velocity_decay/linear velocity_decay/angular',
    },
    'fixed joint': _OF_FIXED_JOINTS,
    'joint': {
        **_OF_FIXED_JOINTS, 'springReference': 'axis/dynamics/spring_reference',
        'springStiffness': 'axis/dynamics/spring_stiffness',
    },
    'collision': {
        'mu1': 'surface/friction/ode/mu', 'mu2': 'surface/friction/ode/mu2',
        'fdir1': 'surface/friction/ode/fdir1', 'kp': 'surface/contact/ode/kp',
        'kd': 'surface/contact/ode/kd', 'maxVel': 'surface/contact/ode/max_vel',
        'minDepth': 'surface/contact/ode/min_depth', 'laserRetro': 'laser_retro',
        'maxContacts': 'max_contacts',
    },
    'visual': {'material': 'material/script/name'},
}
"""The paths at which each setting is written, by the element of SDFormat that it is for."""
_SETTINGS = frozenset((
    *(name for places in _PLACES.values() for name in places), 'canonicalBody',
    'disableFixedJointLumping', 'preserveFixedJoint'))
_OTHER_NAMES = {'cfmDamping': 'implicitSpringDamper'}
_SWITCHES = ('selfCollide', 'provideFeedback', 'implicitSpringDamper', 'static')
_REPLACED = {'collision': 'surface', 'visual': 'material'}
"""The element that a shape has once, so that the last one stays."""


class TooManyElements(Exception):
    """Every visual and collision of a link has a copy of its content: too many in all."""


class Extension(NamedTuple):
    """
    A ``<gazebo>`` element.

    ``link`` is the link or joint that it refers to, empty for the robot; ``settings`` are its
    elements with names of their own, ``content`` is SDFormat for the link or joint, ``of_shapes``
    that for each collision or visual of a link.
    """

    location: SourceRef
    link: str
    settings: Mapping[str, TypedElement]
    content: Sequence[TypedElement]
    of_shapes: Mapping[str, Sequence[TypedElement]]

    def is_on(self, setting: str) -> bool:
        """Return whether a setting is there and true."""
        element = self.settings.get(setting)
        return element is not None and _is_true(_value(element))


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
    settings: dict[str, TypedElement] = {}
    content: list[TypedElement] = []
    of_shapes: dict[str, list[TypedElement]] = {'collision': [], 'visual': []}
    for child in gazebo.children:
        name = _OTHER_NAMES.get(child.tag, child.tag)
        if name in of_shapes:
            of_shapes[name] += child.children
        elif name in _SETTINGS:
            settings[name] = child
        else:
            content.append(child)
    return Extension(
        gazebo.location, gazebo.get('reference') or '', settings, content, of_shapes)


def _value(element: TypedElement) -> str:
    """Return the attribute ``value`` of an element, else its text."""
    value = element.get('value')
    return (element.text if value is None else value).strip()


def _is_true(value: str) -> bool:
    return value.lower() in ('true', 'yes', '1')


# ---- lumped links

def _follow(element: TypedElement, link: Optional[Link], lumped: Mapping[str, Link]) -> None:
    """
    Make the content of an extension fit the links that replace others.

    ``link`` is the lumped link that it is for: what has a pose in it is moved to its top.
    """
    if link is not None and element.tag in ('light', 'projector', 'sensor'):
        _move(element, link.top_from_link)
    elif element.tag == 'plugin':
        _rename_bodies(element, lumped)
    elif element.tag == 'joint':
        for end in [child for child in element.children if child.tag in ('parent', 'child')]:
            replaced = lumped.get(_value(end))
            if replaced is not None:
                set_text(end, replaced.top.name)


def _move(element: TypedElement, top_from_link: Pose) -> None:
    """Give a sensor and the like its pose in the link that replaces its own."""
    written = element.child('pose')
    if written is not None and written.get('relative_to'):
        return
    try:
        link_from_element = pose('' if written is None else written.text)
    except ValueSyntaxError:
        return  # the pose is left as it is, for the schema to report
    moved = compose(top_from_link, link_from_element)
    set_child(element, new_element(
        element if written is None else written, 'pose', numbers(*moved.position, *to_rpy(moved))))


def _rename_bodies(plugin: TypedElement, lumped: Mapping[str, Link]) -> None:
    """Name the replacing link in a plugin of Gazebo Classic, with the offset in it."""
    for tag in ('bodyName', 'frameName'):
        name = plugin.child(tag)
        link = None if name is None else lumped.get(_value(name))
        if name is None or link is None:
            continue
        offsets = map(plugin.child, ('xyzOffset', 'rpyOffset'))
        offset = from_rpy(*(
            vector_or_zeros('' if each is None else _value(each)) for each in offsets))
        moved = compose(link.top_from_link, offset)
        texts = {
            tag: link.top.name, 'xyzOffset': numbers(*moved.position),
            'rpyOffset': numbers(*to_rpy(moved))}
        for changed, text in texts.items():
            set_child(plugin, new_element(name, changed, text))


def vector_or_zeros(text: str) -> tuple[float, ...]:
    """Return three numbers, zeros where they are absent or faulty, as libsdformat does."""
    try:
        return vector3(text)
    except ValueSyntaxError:
        return 0.0, 0.0, 0.0


# ---- into the elements of SDFormat

class ExtensionTable:
    """
    Extensions by the robot, link or joint that they are for.

    Those of a lumped link are for the link that replaces it, and name it.
    """

    def __init__(self, extensions: Iterable[Extension], links: Iterable[Link]) -> None:
        self._by_subject: dict[str, list[Extension]] = {}
        self._by_link: dict[tuple[str, str], list[tuple[int, Extension]]] = {}
        lumped = {link.name: link for link in links if link.is_lumped}
        for index, extension in enumerate(extensions):
            link = lumped.get(extension.link)
            subject = extension.link if link is None else link.top.name
            self._by_subject.setdefault(subject, []).append(extension)
            self._by_link.setdefault((subject, extension.link), []).append((index, extension))
            for element in extension.content:
                _follow(element, link, lumped)

    def extend(self, element: TypedElement, subject: str) -> None:
        """Add the extensions to the ``<model>``, ``<link>`` or ``<joint>`` that they are for."""
        kind = element.tag
        if kind == 'joint' and element.child('axis') is None:
            kind = 'fixed joint'
        for extension in self._by_subject.get(subject, ()):
            _set(element, extension, kind)
            element.children += map(copy_of, extension.content)

    def extend_shape(self, shape: TypedElement, link: str) -> None:
        """Add those of a link to a ``<visual>`` or ``<collision>``; raise TooManyElements."""
        replaced = _REPLACED[shape.tag]
        for _, extension in self._of_shape(shape, link):
            content = extension.of_shapes[shape.tag]
            _count(shape, len(extension.settings))
            last = {element.tag: element for element in content}.get(replaced)
            shape.children += [_copy(each) for each in content if each.tag != replaced]
            if last is not None:
                set_child(shape, _copy(last))
            _set(shape, extension, shape.tag)

    def _of_shape(self, shape: TypedElement, link: str) -> list[tuple[int, Extension]]:
        """
        Return the extensions for a shape of a link, in document order.

        A shape belongs to the link in its name: as in libsdformat, the name of that link and the
        kind of the shape follow ``LUMPED``.
        """
        _, lumped, name = shape.attributes['name'].partition(LUMPED)
        if not lumped:
            return self._by_link.get((link, link), [])
        ends = re.finditer(f'_{shape.tag}', name)
        links = {name[:end.start()] for end in ends} - {link}
        return sorted(
            (pair for each in links for pair in self._by_link.get((link, each), ())),
            key=itemgetter(0))


def _copy(element: TypedElement) -> TypedElement:
    copied = copy_of(element)
    _count(copied, sum(1 for _ in copied.walk()))
    return copied


def _count(element: TypedElement, added: int) -> None:
    """Count new elements like elements of the file."""
    element.document.size.items += added
    if element.document.is_full:
        raise TooManyElements


def _set(element: TypedElement, extension: Extension, kind: str) -> None:
    """Apply the settings of an extension to an element."""
    places = _PLACES[kind]
    for name, setting in extension.settings.items():
        text = _text(name, setting)
        if name not in places or name == 'material' and not text:
            continue
        for path in places[name].split():
            _set_path(element, path.split('/'), text, setting)
        if name == 'material':
            _set_path(element, ['material', 'script', 'uri'], _GAZEBO_MATERIALS, setting)


def _text(name: str, setting: TypedElement) -> str:
    """Return the value of a setting as SDFormat writes it."""
    value = _value(setting)
    if name == 'turnGravityOff':
        return 'true' if value.lower() in ('false', 'no', '0') else 'false'
    if name in _SWITCHES:
        return 'true' if _is_true(value) else 'false'
    return value


def _set_path(
    element: TypedElement, path: Sequence[str], text: str, origin: TypedElement,
) -> None:
    """Set the text of an element below another one; missing ones on the way are made."""
    for tag in path[:-1]:
        below = element.child(tag)
        if below is None:
            below = new_element(origin, tag)
            element.children.append(below)
        element = below
    set_child(element, new_element(origin, path[-1], text))
