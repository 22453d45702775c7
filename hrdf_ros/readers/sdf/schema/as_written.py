# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The schema of SDFormat as files of a version are written, for editors.

Readers do not need it: files are upgraded before they are validated. Old elements are declared
beside their replacements, which libsdformat accepts in any version. Elements whose absence the
reader reports are required here.
"""

from __future__ import annotations

from typing import Union

from hrdf_ros.formats import sdf_has, sdf_number, Version
from hrdf_ros.readers.schema import Attribute, Element, Schema
from hrdf_ros.readers.sdf.schema import SCHEMA
from hrdf_ros.readers.sdf.schema.types import KNOWN, TYPES
from hrdf_ros.readers.sdf.upgrade import ATTRIBUTE_TO_CHILD, ATTRIBUTE_TO_TEXT, NEW_TAGS

_REQUIRED_BY_READERS = {'include': ('uri',), 'script': ('uri', 'name')}
_FRAME = Attribute(doc='Frame that the pose is relative to; relative_to since 1.7.')
_USE_PARENT_MODEL_FRAME = Element(
    'The axis is in the frame of the model; xyz/@expressed_in since 1.7.', text=TYPES['bool'],
    default=False)


def as_of(version: str) -> Schema:
    """Return the schema for files of a known version."""
    return Schema(
        root=SCHEMA.root, elements=_Older(sdf_number(version)).elements(), policy=SCHEMA.policy,
        versions=KNOWN)


class _Older:
    """Adds the old elements and attributes of a version to the schema."""

    def __init__(self, version: Version) -> None:
        self._version = version
        self._changed: dict[int, Element] = {}

    def elements(self) -> dict[str, Element]:
        """Return the shared elements of the version."""
        elements = {name: self._older(name, SCHEMA.elements[name]) for name in SCHEMA.elements}
        if not sdf_has(self._version, 'gravity_of_worlds'):
            world, physics = elements['world'], elements['physics']
            elements['physics'] = physics._replace(children={**physics.children, **{
                tag: world.children[tag] for tag in ('gravity', 'magnetic_field')}})
        return elements

    def _older(self, tag: str, element: Element) -> Element:
        """Return a declaration as it is in the version, with its content."""
        if id(element) not in self._changed:
            children = {
                name: child if isinstance(child, str) else self._older(name, child)
                for name, child in element.children.items()}
            attributes = dict(element.attributes)
            if not element.like:
                self._add(tag, attributes, children)
            self._changed[id(element)] = element._replace(
                attributes=attributes, children=children)
        return self._changed[id(element)]

    def _add(
        self, tag: str, attributes: dict[str, Attribute],
        children: dict[str, Union[Element, str]],
    ) -> None:
        for name in _REQUIRED_BY_READERS.get(tag, ()):
            child = children.get(name)
            if isinstance(child, Element):
                children[name] = child._replace(required=True)
        is_absolute = not sdf_has(self._version, 'relative_to')
        if is_absolute and tag == 'pose':
            attributes['frame'] = _FRAME
        elif is_absolute and tag in ('axis', 'axis2'):
            children['use_parent_model_frame'] = _USE_PARENT_MODEL_FRAME
        if not sdf_has(self._version, 'values_in_elements'):
            self._add_attributes(tag, attributes, children)

    def _add_attributes(
        self, tag: str, attributes: dict[str, Attribute],
        children: dict[str, Union[Element, str]],
    ) -> None:
        """Add the attributes of version 1.0 that are elements or texts since 1.2."""
        for name in ATTRIBUTE_TO_CHILD.get(tag, ()):
            child = children.get(NEW_TAGS.get((tag, name), name))
            if isinstance(child, Element) and child.text is not None:
                attributes[name] = Attribute(child.text, child.doc, unit=child.unit)
                children[NEW_TAGS.get((tag, name), name)] = child._replace(
                    required=False, expected=False)
        if tag in ATTRIBUTE_TO_TEXT:
            attributes[ATTRIBUTE_TO_TEXT[tag]] = Attribute(
                doc='The text of the element since 1.2.')
        if 'pose' in children:
            children['origin'] = Element(
                'Position and orientation; <pose> since 1.2.',
                attributes={'pose': Attribute(doc='x y z roll pitch yaw.', unit='m, rad')})
