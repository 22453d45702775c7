# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Quick fixes: each gives a text that loads clean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hrdf_ros import load
import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor

HRDF = (
    '<robot version="1.5.0"><actuator type="X5-1"/><link type="X5" extension="1" twist="0"/>'
    '</robot>')
URDF = (
    '<robot name="r"><link name="base"/><link name="arm"/><joint name="j" type="fixed">'
    '<parent link="base"/><child link="arm"/></joint></robot>')
SDF = (
    '<sdf version="1.9"><model name="m"><link name="a"/><link name="b"/>'
    '<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint></model></sdf>')


@pytest.mark.parametrize(('name', 'text', 'title', 'expected'), [
    ('r.hrdf', HRDF.replace('<link', '<lnik'), "Change to 'link'", HRDF),
    ('r.urdf', URDF.replace('<joint', '<jiont').replace('</joint', '</jiont'),
     "Change to 'joint'", URDF),
    ('r.hrdf', HRDF.replace('extension', 'extention'), "Change to 'extension'", HRDF),
    ('r.hrdf', HRDF.replace('X5-1', 'x5-1'), "Change to 'X5-1'", HRDF),
    ('r.hrdf', HRDF.replace('"X5"', '"X55"'), "Change to 'X5'", HRDF),
    ('r.hrdf', HRDF.replace(' version="1.5.0"', ''), 'Set version="1.6.0"',
     HRDF.replace('1.5.0', '1.6.0')),
    ('r.hrdf', HRDF.replace('<link', '<joint axis="rz" gear_ratio="2"/><link').replace(
        '1.5.0', '1.4.0'), 'Set version="1.5.0"',
     HRDF.replace('<link', '<joint axis="rz" gear_ratio="2"/><link')),
    ('m.sdf', SDF.replace(' version="1.9"', ''), 'Set version="1.12"',
     SDF.replace('1.9', '1.12')),
    ('m.sdf', SDF.replace('<child>b', '<child>bb').replace('"b"', '"bbb"'), "Change to 'bbb'",
     SDF.replace('<child>b', '<child>bbb').replace('"b"', '"bbb"')),
    ('r.urdf', URDF.replace('"fixed"', '"fixd"'), "Change to 'fixed'", URDF),
    ('r.urdf', URDF.replace('<link', '<!-- a -- b --- c ---><link', 1),
     "Replace '--' in the comment by '=='",
     URDF.replace('<link', '<!-- a == b === c =--><link', 1)),
    ('r.urdf', URDF.replace('</joint>', ''), 'Close <joint>', URDF)])
def test_a_fix_gives_a_text_that_loads_clean(
        editor: Editor, name: str, text: str, title: str, expected: str) -> None:
    uri = editor.open(name, text)
    fixes = editor.fixes(uri)
    assert title in fixes, fixes
    assert fixes[title].is_preferred and fixes[title].diagnostics
    editor.perform(fixes[title].edit)
    assert editor.texts[uri] == expected
    assert editor.diagnostics(uri) == []
    assert len(load(expected).report) == 0


def test_all_safe_fixes_at_once(editor: Editor) -> None:
    text = URDF.replace('"base"/><child', '"bas"/><child').replace('</joint>', (
        '<orign rpy="0 0 90"/></joint>'))
    uri = editor.open('r.urdf', text)
    editor.settle(uri)
    [action] = editor.actions(uri, 'source.fixAll')
    assert action.kind == 'source.fixAll.hrdf'
    editor.perform(action.edit)
    assert editor.texts[uri] == text.replace('"bas"', '"base"').replace('orign', 'origin')
    editor.settle(uri)
    assert editor.actions(uri, 'source.fixAll') == []
    [guess] = editor.actions(uri, 'quickfix')
    assert guess.title == 'Convert degrees to radians'
    assert editor.actions(uri, 'refactor') == []


def test_a_diagnostic_without_a_fix_has_none(editor: Editor) -> None:
    uri = editor.open('r.hrdf', HRDF.replace('X5-1', 'abcdefgh'))
    assert editor.fixes(uri) == {}


@pytest.mark.parametrize(('name', 'text', 'titles', 'expected'), [
    ('r.urdf', '<robot name="r">\n  <link/>\n</robot>', ['Add name="link_1"'],
     '<robot name="r">\n  <link name="link_1"/>\n</robot>'),
    ('r.urdf', URDF.replace('<parent link="base"/>', ''), ['Add <parent>'],
     URDF.replace('<parent link="base"/>', '').replace(
         '<child link="arm"/>', '<child link="arm"/><parent link=""/>')),
    ('r.urdf', '<robot name="r">\n  <link name="l">\n    <inertial/>\n  </link>\n</robot>',
     ['Add <mass>', 'Add <inertia>'],
     '<robot name="r">\n  <link name="l">\n    <inertial>\n      <mass value=""/>\n    </inertial>'
     '\n  </link>\n</robot>'),
    ('r.urdf', '<robot name="r">\n  <link name="l">\n    <visual>\n    </visual>\n  </link>\n'
     '</robot>', ['Add <geometry>'],
     '<robot name="r">\n  <link name="l">\n    <visual>\n      <geometry></geometry>\n'
     '    </visual>\n  </link>\n</robot>'),
    ('r.hrdf', HRDF.replace(' extension="1" twist="0"', ''),
     ['Add extension=""', 'Add twist=""'], HRDF.replace('"1" twist="0"', '""')),
    ('m.sdf', SDF.replace('<parent>a</parent>', ''), ['Add <parent>'],
     SDF.replace('<parent>a</parent>', '').replace(
         '</child>', '</child><parent></parent>')),
    ('m.xml', '<mujoco><asset><hfield name="h"/></asset></mujoco>', ['Add size=""'],
     '<mujoco><asset><hfield name="h" size=""/></asset></mujoco>')])
def test_what_is_missing_is_added(
        editor: Editor, name: str, text: str, titles: list[str], expected: str) -> None:
    """A name is a free one; another value is left empty, and reported until it is there."""
    uri = editor.open(name, text)
    fixes = editor.fixes(uri)
    assert [title for title in fixes if title.startswith('Add ')] == titles
    editor.perform(fixes[titles[0]].edit)
    assert editor.texts[uri] == expected
    if '=""' in expected:
        assert editor.diagnostics(uri)


@pytest.mark.parametrize(('fault', 'title', 'fixed'), [
    ('"fixd">', "Change to 'fixed'", '"fixed">'),
    ('"fixed"><orign xyz="0 0 0"/>', "Change to 'origin'", '"fixed"><origin xyz="0 0 0"/>'),
    ('"fixed"><orign xyz="0 0 0">', "Change to 'origin'", '"fixed"><origin xyz="0 0 0">'),
    ('"fixed"><origin/><origin xzy="0 0 0"', None, '')])
def test_fixes_of_a_text_that_is_not_well_formed(
        editor: Editor, fault: str, title: str | None, fixed: str) -> None:
    """The first fault of XML is before them or behind them; faults are no places of edits."""
    for text in (URDF.replace('"fixed">', fault).replace('</robot>', ''),
                 URDF.replace('"fixed">', fault).replace('<link', '<link name="x" a=<link', 1)):
        uri = editor.open('r.urdf', text)
        fixes = editor.fixes(uri)
        if title is None:
            assert "Change to 'xyz'" not in fixes
        else:
            assert title in fixes
            editor.perform(fixes[title].edit)
            assert editor.texts[uri] == text.replace(fault, fixed)
