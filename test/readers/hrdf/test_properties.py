# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Any HRDF text is a Model or an error: no crash, nothing in between."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from hrdf_ros.load import load
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.hrdf.schema import SCHEMA, VERSIONS
from hrdf_ros.readers.schema import Attribute, Element
from hypothesis import given, settings
from hypothesis import strategies as st

WORDS = {
    'actuator': list(catalog.ACTUATORS),
    'bracket': [*catalog.BRACKETS, *catalog.DRAFT_SPELLINGS],
    'link': [*catalog.LINKS, *catalog.LINK_ENDS],
    'joint': list(catalog.AXES),
    'end-effector': list(catalog.END_EFFECTORS),
}
RIGHT = {
    'number': ['0', '1', '-1', 'pi', 'pi/4', '1e308', '1e-320', '2*-3', '(1 + 2) / 3'],
    'rotation': ['Rx(pi/2)', 'Rx(1)*Ry(2)', 'Rz(1e9)', '1 0 0 0 1 0 0 0 1'],
    'translation': ['0 0 0', '1 2 3', '1e308 -1e308 1e308', '-1e-320 0 0'],
    'text': ['', 'a', 'b', 'base_link', 'joint_1', 'joint_1/output', 'a/output', 'J1', 'x.stl'],
}
WRONG = ['1/0', '1e308*10', '(1', 'Rx(', '/abs', 'http://a/b', 'X5-4', 'x5-4', 'rx', ' ']
TAGS = sorted({*SCHEMA.elements, 'output'} - {'included robot'})
NAMES = sorted(
    {name for element in SCHEMA.elements.values() for name in element.attributes} | {'foo'})


def declared(tag: str) -> Element:
    """Return what the schema says about an element; an output is that of a rigid body."""
    if tag != 'output':
        return SCHEMA.elements[tag]
    found = SCHEMA.elements['rigid-body'].children[tag]
    assert isinstance(found, Element)
    return found


def is_rare(draw: st.DrawFn) -> bool:
    return draw(st.integers(0, 39)) == 39


def value(draw: st.DrawFn, tag: str, name: str) -> str:
    known: Attribute | None = declared(tag).attributes.get(name)
    if known is None or is_rare(draw):
        return draw(st.sampled_from(WRONG) | st.text(max_size=8))
    return draw(st.sampled_from(WORDS[tag] if known.type.words else RIGHT[known.type.name]))


@st.composite
def attributes(draw: st.DrawFn, tag: str) -> str:
    known = {
        name: attribute for name, attribute in declared(tag).attributes.items()
        if name != 'version'}
    names = {name for name, attribute in known.items() if attribute.required}
    if known and draw(st.booleans()):
        names |= draw(st.sets(st.sampled_from(sorted(known)), max_size=2))
    if is_rare(draw):
        names ^= {draw(st.sampled_from(NAMES))}
    return ''.join(
        f' {name}={quoteattr(value(draw, tag, name))}' for name in sorted(names - {'version'}))


@st.composite
def elements(draw: st.DrawFn, parent: str = 'robot', depth: int = 4) -> str:
    known = [tag for tag in declared(parent).children if tag != 'include']
    chained = [tag for tag in ('joint', 'rigid-body', 'actuator') if tag in known]
    text = ''
    for tag in draw(st.lists(st.sampled_from(chained + known), max_size=3)) if known else ():
        tag = draw(st.sampled_from(TAGS)) if is_rare(draw) else tag
        content = draw(elements(tag, depth - 1)) if depth else ''
        text += f'<{tag}{draw(attributes(tag))}>{content}</{tag}>'
    return text


@st.composite
def robots(draw: st.DrawFn) -> str:
    version = draw(st.sampled_from([*VERSIONS, *['1.6.0'] * 5, '1.7.0', '1.8.0']))
    return f'<robot version="{version}"{draw(attributes("robot"))}>{draw(elements())}</robot>'


@settings(max_examples=150)
@given(robots(), st.sampled_from(['default', 'hebi']))
def test_any_robot_is_a_model_or_an_error(text: str, naming: str) -> None:
    characters = ''.join(c for c in text if c.isprintable() or c in '\t\n')
    loaded = load(characters, naming=naming, format='hrdf')
    assert (loaded.model is None) == (not loaded.report.ok)
    for found in loaded.report:
        at = found.resolve()
        assert at is None or at.line is not None
    if loaded.model is not None:
        names = [frame.name for frame in loaded.model.frames]
        assert len(set(names)) == len(names)
