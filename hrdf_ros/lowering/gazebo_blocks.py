# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Turn the ``<gazebo>`` elements of a URDF into XML of SDFormat at links, joints and shapes.

The rules are those of libsdformat (`parsing.gazebo`), for links that stay as they are or that
fixed joints will merge. Elements that have no effect in Gazebo are reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
import math
import re
from types import MappingProxyType
from typing import NamedTuple, Optional, TypeVar

from hrdf_ros import codes
from hrdf_ros.codes import Severity
from hrdf_ros.diagnostics import Locatable
from hrdf_ros.document import escape, start_tag, XmlElement
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.model import Body, Coordinate, Joint, Material, Model, NONE, RawElement, Shape
from hrdf_ros.model.raw_xml import as_in_file, parsed, place_in
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
from hrdf_ros.parsing.sdf import double

_TEXTS = ('fdir1', 'material', 'provideFeedback', 'implicitSpringDamper', 'selfCollide', 'static',
          'turnGravityOff')
"""The settings that are not numbers."""
_OF_LUMPING = ('disableFixedJointLumping', 'preserveFixedJoint')
_WRITTEN = {
    'link': ('pose', 'inertial'), 'joint': ('pose', 'parent', 'child', 'axis', 'axis2'),
    'visual': ('pose', 'geometry'), 'collision': ('pose', 'geometry'), 'model': ()}
"""The elements that are written from records of the Model; a second one is not allowed."""
_COUNT = re.compile(r'_\d+$')

_Item = TypeVar('_Item', Body, Joint, Shape)


def with_gazebo_blocks(
    model: Model, notes: GroupedDiagnostics, *, merged: Mapping[str, str] = MappingProxyType({}),
) -> Model:
    """
    Return the Model with the content of ``<gazebo>`` elements as XML that SDFormat holds.

    ``merged`` has the links that will become parts of others, each with the name of the link that
    stays.
    """
    if not any(map(_is_block, model.extensions)):
        return model
    return _Blocks(model, notes, merged).applied()


def preserved_joints(model: Model) -> set[str]:
    """Return the fixed joints that ``<preserveFixedJoint>`` and similar elements preserve."""
    found = set()
    for raw in filter(_is_block, model.extensions):
        block = parsed(raw)
        if block is None:
            continue
        for tag in _OF_LUMPING:
            values = [_value(each) for each in block.all(tag)]
            if values and is_true(values[-1]):
                found.add(block.get('reference') or '')
    return found


def _is_block(raw: RawElement) -> bool:
    return raw.tag == 'gazebo' and 'urdf' in raw.held_by


def _value(element: XmlElement) -> str:
    """Return the attribute ``value`` of an element, else its text."""
    return element.attributes.get('value', element.text).strip()


class _Part(NamedTuple):
    """
    An element in a ``<gazebo>`` element, the place of that, and whether it is as in the file.

    If it is not, because it was edited, its elements have its place.
    """

    element: XmlElement
    block: Optional[Locatable]
    is_in_file: bool

    @property
    def location(self) -> Optional[Locatable]:
        """Return the place of the element."""
        return place_in(self.block, self.element.start) if self.is_in_file else self.block


class _Node:
    """An element of SDFormat that is being built; it may begin as a copy of one in the file."""

    def __init__(self, tag: str, part: Optional[_Part] = None) -> None:
        self.tag = tag
        self._part = part
        self._is_changed = part is None
        self.value = ''
        self.children: list[_Node] = [] if part is None else [
            _Node(child.tag, part._replace(element=child)) for child in part.element.children]

    def set(self, path: Sequence[str], text: str) -> None:  # noqa: A003
        """Set the text of the element at a path below this one; add elements that are missing."""
        self._is_changed = True
        if not path:
            self.value, self.children = text, []
            return
        tag, *rest = path
        below = next((child for child in self.children if child.tag == tag), None)
        if below is None:
            self.children.append(below := _Node(tag))
        below.set(rest, text)

    def add(self, part: _Part, *, replaces: bool = False) -> None:
        """Add an element of the file, in place of those with its tag if it replaces them."""
        self._is_changed = True
        if replaces:
            self.take(part.element.tag)
        self.children.append(_Node(part.element.tag, part))

    def take(self, tag: str) -> list[_Node]:
        """Remove the children with a tag, and return them."""
        taken = [child for child in self.children if child.tag == tag]
        self.children = [child for child in self.children if child.tag != tag]
        return taken

    def text(self) -> str:
        """Return the element as XML, as it is in the file unless it was changed."""
        if self._part is not None and not self._is_changed:
            return self._part.element.raw()
        attributes = {} if self._part is None else self._part.element.attributes
        content = ''.join(child.text() for child in self.children) or escape(self.value)
        return f'{start_tag(self.tag, attributes.items())}>{content}</{self.tag}>'

    def raws(
        self, location: Optional[Locatable], owner: str = '',
    ) -> tuple[RawElement, ...]:
        """
        Return the element's children as XML that SDFormat holds.

        ``location`` is the place of those that settings have made.
        """
        return tuple(
            RawElement(
                child.tag, child.text(), child._part.location if child._part else location, owner,
                ('sdf',))
            for child in self.children)


class _Blocks:
    """The content of the ``<gazebo>`` elements of a Model, by the name that they refer to."""

    def __init__(
        self, model: Model, notes: GroupedDiagnostics, merged: Mapping[str, str],
    ) -> None:
        self._model = model
        self._notes = notes
        self._merged = merged
        self._of = defaultdict[str, list[_Part]](list)
        self._without_effect: dict[int, tuple[str, _Part]] = {}
        """The settings that nothing has used so far, with the names of the items they refer to."""
        self._coordinates = list(model.coordinates)
        for raw in filter(_is_block, model.extensions):
            block = parsed(raw)
            if block is not None:
                is_in_file = as_in_file(raw)
                self._of[block.get('reference') or ''] += [
                    _Part(each, raw.location, is_in_file) for each in block.children]

    def applied(self) -> Model:
        """Return the Model with the content of its blocks."""
        model = self._model
        self._note_unknown()
        for name, parts in self._of.items():
            self._without_effect.update(
                (id(part.element), (name, part)) for part in parts
                if part.element.tag in NOT_CONTENT and part.element.tag not in _OF_LUMPING)
        bodies = tuple(map(self._body, model.bodies))
        joints = tuple(map(self._joint, model.joints))
        made = self._element('model', 'model', '')
        static = made.take('static')
        scope = next((each for each in model.scopes if each.parent == NONE), None)
        owner = model.name if scope is None else scope.source_name
        for name, part in self._without_effect.values():
            self._note(
                'settings of <gazebo> without effect there are omitted', name, part, 'info')
        return model._replace(
            bodies=bodies, joints=joints, coordinates=tuple(self._coordinates),
            static=is_true(static[-1].value) if static else model.static,
            extensions=(
                *(raw for raw in model.extensions if not _is_block(raw)),
                *made.raws(_first(self._of['']), owner)))

    def _note_unknown(self) -> None:
        """Note blocks that refer to nothing, which Gazebo ignores."""
        known = {'', *(body.name for body in self._model.bodies),
                 *(joint.name for joint in self._model.joints)}
        for name in [name for name in self._of if name not in known]:
            for part in self._of.pop(name):
                self._note(
                    '<gazebo> elements that refer to no link or joint are omitted', name, part)

    def _note(
        self, text: str, name: str, part: _Part, severity: Severity = 'warning',
    ) -> None:
        self._notes.add(
            codes.EXTENSION_NOT_REPRESENTABLE, text,
            f'{name or self._model.name}: {part.element.tag}', part.location, severity=severity)

    # ---- what an item gets

    def _element(self, tag: str, kind: str, name: str) -> _Node:
        """Return an element of SDFormat with the settings and the content for an item."""
        made = _Node(tag)
        self._fill(made, kind, name)
        return made

    def _fill(self, made: _Node, kind: str, name: str) -> None:
        """Give an element the settings and the content that are for a name."""
        tag, parts = made.tag, self._of.get(name, [])
        if tag in REPLACED:
            self._add_of_shapes(made, tag, name)
        else:
            for part in parts:
                if part.element.tag not in NOT_CONTENT:
                    self._add(made, part, name)
        for part in parts:
            found = read_setting(part.element.tag, _value(part.element))
            if found is None or found[0] not in PLACES[kind]:
                continue
            self._without_effect.pop(id(part.element), None)
            setting, text = found
            if setting not in _TEXTS and not _is_number(text):
                self._note(
                    'settings of <gazebo> that are not numbers are omitted', name, part)
                continue
            for path in PLACES[kind][setting].split():
                made.set(path.split('/'), text)
            if setting == 'material':
                made.set(('material', 'script', 'uri'), MATERIALS)

    def _add_of_shapes(self, made: _Node, tag: str, name: str) -> None:
        """Add the content that ``<visual>`` or ``<collision>`` in a block has for each shape."""
        for part in self._of.get(name, ()):
            if part.element.tag == tag:
                self._without_effect.pop(id(part.element), None)
                for child in part.element.children:
                    self._add(made, part._replace(element=child), name)

    def _add(self, made: _Node, part: _Part, name: str) -> None:
        """Add an element of a block, unless the item has such an element of its own."""
        if part.element.tag in _WRITTEN[made.tag]:
            self._note(
                f'elements of <gazebo> that a {made.tag} of a URDF has already are omitted', name,
                part)
            return
        made.add(part, replaces=part.element.tag == REPLACED.get(made.tag))

    def _body(self, body: Body) -> Body:
        parts = self._of.get(body.name, [])
        if not parts and self._merged.get(body.name) not in self._of:
            return body
        place = _first(parts)
        collisions = tuple(
            self._with_content(shape, 'collision', body, place)
            for shape in self._named_by_sensors(body, parts))
        return body._replace(
            visuals=tuple(
                self._with_content(shape, 'visual', body, place) for shape in body.visuals),
            collisions=collisions, extensions=(
                *body.extensions, *self._element('link', 'link', body.name).raws(place)))

    def _with_content(
        self, shape: Shape, tag: str, body: Body, place: Optional[Locatable],
    ) -> Shape:
        """
        Return a shape with the content that blocks have for each such shape of its link.

        As in libsdformat, a shape of a merged link belongs to the link that stays, too, if its
        name begins with the name of that link.
        """
        made, top = _Node(tag), self._merged.get(body.name)
        if top is not None and (shape.name or body.name).startswith(top):
            self._fill(made, tag, top)
        self._fill(made, tag, body.name)
        material = shape.material
        for look in made.take('material'):
            material = material or Material()
            tags = [child.tag for child in look.children]
            if 'diffuse' in tags or 'ambient' in tags:
                material = material._replace(diffuse=None, ambient=None)
            material = material._replace(
                extensions=(*material.extensions, *look.raws(place)))
        return shape._replace(
            material=material, extensions=(*shape.extensions, *made.raws(place)))

    def _named_by_sensors(self, body: Body, parts: Iterable[_Part]) -> list[Shape]:
        """
        Return the collisions of a link, renamed where a contact sensor uses another name.

        Sensors in a ``<gazebo>`` element refer to collisions by the names that libsdformat makes.
        """
        shapes = list(body.collisions)
        made = [
            shape_name('collision', shape.name, body.name, index).rpartition(LUMPED)[2]
            for index, shape in enumerate(shapes)]
        for part in parts:
            for element in _collisions_of_sensor(part.element):
                wanted = element.text.strip()
                own = wanted.rpartition(LUMPED)[2]
                found = [index for index, name in enumerate(made) if own in (
                    name, shapes[index].name)] or [
                    index for index, name in enumerate(made)
                    if _COUNT.sub('', name) == _COUNT.sub('', own)]
                if len(found) == 1:
                    shapes[found[0]] = shapes[found[0]]._replace(name=wanted)
                else:
                    self._notes.add(
                        codes.NAME_CHANGED,
                        'contact sensors name collisions that their link does not have',
                        f'{body.name}: {wanted}', part.location, severity='warning',
                        hint='give the collision a name, and write that in the sensor')
        return shapes

    def _joint(self, joint: Joint) -> Joint:
        parts = self._of.get(joint.name)
        if not parts:
            return joint
        kind = 'joint' if joint.motions else 'fixed joint'
        made = self._element('joint', kind, joint.name)
        if made.take('axis') and len(joint.motions) == 1:
            index = joint.motions[0].coordinates[0]
            self._coordinates[index] = _with_spring(self._coordinates[index], parts)
        return joint._replace(extensions=(*joint.extensions, *made.raws(_first(parts))))


def _first(parts: Sequence[_Part]) -> Optional[Locatable]:
    return parts[0].location if parts else None


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(double(text))
    except ValueSyntaxError:
        return False


def _with_spring(coordinate: Coordinate, parts: Iterable[_Part]) -> Coordinate:
    """Return a coordinate with the spring that settings give it; the last setting counts."""
    for part in parts:
        tag, text = part.element.tag, _value(part.element)
        if tag == 'springReference' and _is_number(text):
            coordinate = coordinate._replace(spring_reference=double(text))
        elif tag == 'springStiffness' and _is_number(text):
            coordinate = coordinate._replace(spring_stiffness=double(text))
    return coordinate


def _collisions_of_sensor(element: XmlElement) -> Iterator[XmlElement]:
    """Yield the elements of a contact sensor that name a collision."""
    if element.tag == 'sensor':
        for contact in element.all('contact'):
            yield from contact.all('collision')
