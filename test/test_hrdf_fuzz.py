# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Any HRDF text is a Model or an error: no crash, nothing in between."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from hrdf_ros.load import load
from hrdf_ros.readers.hrdf import parts
from hrdf_ros.readers.hrdf.grammar import ELEMENTS, VERSIONS
from hypothesis import given, settings
from hypothesis import strategies as st

WORDS = [
    *parts.ACTUATORS, *parts.BRACKETS, *parts.LINKS, *parts.END_EFFECTORS, *parts.AXES,
    *parts.DRAFT_SPELLINGS, 'Inline', 'rightangle', '', ' ', 'x5-4']
VALUES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from([
        '0', '1', '-1', 'pi', 'pi/4', '1/0', '1e308', '1e-320', '1e308*10', '(1', '2*-3',
        'Rx(pi/2)', 'Rx(1)*Ry(2)', '1 0 0 0 1 0 0 0 1', '0 0 0', '1 2 3', '1e308 -1e308 1e308', 'a/b.hrdf',
        '../x.stl', '/abs', 'http://a/b', 'base_link', 'joint_1', 'joint_1/output']),
    st.text(max_size=8))
NAMES = sorted({name for grammar in ELEMENTS.values() for name in grammar.attributes} | {'foo'})
TAGS = [*ELEMENTS, 'foo']


@st.composite
def attributes(draw: st.DrawFn, tag: str) -> str:
    known = ELEMENTS[tag].attributes if tag in ELEMENTS else {}
    names = {name for name, attribute in known.items() if attribute.required and draw(
        st.integers(0, 9))}
    names |= draw(st.sets(st.sampled_from([*known, *known, *NAMES]), max_size=3)) - {'version'}
    return ''.join(f' {name}={quoteattr(draw(VALUES))}' for name in sorted(names))


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> str:
    text = ''
    for tag in draw(st.lists(st.sampled_from(TAGS), max_size=4)):
        content = draw(elements(depth - 1)) if depth and draw(st.booleans()) else ''
        text += f'<{tag}{draw(attributes(tag))}>{content}</{tag}>'
    return text


@st.composite
def robots(draw: st.DrawFn) -> str:
    version = draw(st.sampled_from([*VERSIONS, *VERSIONS, '1.7.0']))
    return f'<robot version="{version}"{draw(attributes("robot"))}>{draw(elements())}</robot>'


@settings(max_examples=150, deadline=None)
@given(robots(), st.sampled_from(['default', 'hebi']))
def test_any_robot_is_a_model_or_an_error(text: str, naming: str) -> None:
    characters = ''.join(c for c in text if c.isprintable() or c in '\t\n')
    loaded = load(characters, naming=naming, format='hrdf')
    assert (loaded.model is None) == (not loaded.report.ok)
    for found in loaded.report:
        at = found.location()
        assert at is None or at.line is not None
    if loaded.model is not None:
        names = [frame.name for frame in loaded.model.frames]
        assert len(set(names)) == len(names)
