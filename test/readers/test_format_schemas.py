# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Every declaration of every format is documented and consistent."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.readers.schema import Attribute, Element, Schema
import pytest

NUMERIC = ('number', 'number or infinity', 'translation')
WITHOUT_UNIT = {
    ('hrdf', 'gear_ratio'), ('urdf', 'multiplier'), ('urdf', 'k_position'), ('urdf', 'k_velocity'),
    ('urdf', 'acceleration'), ('skel', 'collidable')}


def schema_of(name: str) -> Schema:
    schema: Schema = import_module(f'hrdf_ros.readers.{name}.schema').SCHEMA
    return schema


def declared(schema: Schema) -> Iterator[tuple[str, Element | Attribute]]:
    """Yield every element and attribute of a schema with its name."""
    pending: list[tuple[str, Element]] = list(schema.elements.items())
    while pending:
        name, element = pending.pop()
        yield name, element
        yield from element.attributes.items()
        variants = {} if element.variants is None else element.variants.elements
        for part in (element, *variants.values()):
            if part is not element:
                yield from part.attributes.items()
            pending += [
                (tag, child) for tag, child in part.children.items()
                if not isinstance(child, str)]


@pytest.mark.parametrize('name', [found.name for found in FORMATS])
def test_every_element_and_attribute_has_a_line_of_documentation(name: str) -> None:
    bare = [
        tag for tag, item in declared(schema_of(name))
        if not item.doc or '\n' in item.doc]
    assert bare == []


@pytest.mark.parametrize('name', ['hrdf', 'skel', 'urdf'])
def test_every_number_has_a_unit(name: str) -> None:
    bare = set()
    for tag, item in declared(schema_of(name)):
        kind = item.type if isinstance(item, Attribute) else item.text
        if kind is not None and kind.name in NUMERIC and not item.unit:
            bare.add((name, tag))
    assert bare <= WITHOUT_UNIT


@pytest.mark.parametrize('name', [found.name for found in FORMATS])
def test_versions_and_names_that_are_referred_to_exist(name: str) -> None:
    schema = schema_of(name)
    for tag, item in declared(schema):
        assert item.since in (*schema.versions, ''), tag
        if isinstance(item, Element):
            named = [child for child in item.children.values() if isinstance(child, str)]
            assert all(one in schema.elements for one in (*named, item.like or schema.root)), tag
            for one in named:
                assert not schema.elements[one].required | schema.elements[one].expected, one
            assert {*item.any_of} <= {*item.attributes, *item.children}, tag
            for attribute in item.attributes.values():
                assert {*attribute.excludes, *attribute.requires} <= {*item.attributes}, tag
