# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""xacro files: checked without running them, or expanded where a user has said so."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor

ROBOT = """\
<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r">
  <xacro:property name="width" value="0.5"/>
  <xacro:macro name="wheel" params="prefix">
    <link name="${prefix}_wheel" nome="x"/>
  </xacro:macro>
  <xacro:if value="${width > 1}">
    <link nome="wide"/>
  </xacro:if>
  <link name="${width}">
    <visual><orign/><origin xyz="0 0 a"/><geometry><box size="${width} 1 1"/></geometry></visual>
    <visual><xacro:shape/></visual>
  </link>
  <joint name="j" type="revolute"><xacro:ends/><axis xyz="0 0 ${1}"/><axis xyz="0 0 1"/></joint>
  <joint name="k" type="${kind}"><parent link="a"/></joint>
</robot>
"""


def found(editor: Editor, text: str) -> list[tuple[int, str]]:
    """Return line and code of each diagnostic of a xacro file."""
    uri = editor.open('r.xacro', text)
    return sorted(
        (one.range.start.line + 1, str(one.code)) for one in editor.diagnostics(uri))


def test_elements_outside_macros_are_checked(editor: Editor) -> None:
    """Not so what an expression may give or a macro may insert, nor names and the tree."""
    assert found(editor, ROBOT) == [
        (1, 'xacro-refused'), (7, 'unknown-attribute'), (10, 'bad-value'), (10, 'unknown-element'),
        (14, 'missing-element')]


def test_a_part_for_other_files_is_no_robot(editor: Editor) -> None:
    text = ROBOT[:ROBOT.index('  <xacro:if')].replace(' name="r"', '') + '</robot>'
    assert found(editor, text) == [(1, 'xacro-refused')]


def test_a_file_that_is_not_well_formed(editor: Editor) -> None:
    text = ROBOT.replace('<visual><xacro:shape/></visual>', '<visual>')
    assert (10, 'unknown-element') in found(editor, text)
    fixes = editor.fixes(editor.uri('r.xacro'))
    editor.perform(fixes["Change to 'origin'"].edit)
    assert editor.texts[editor.uri('r.xacro')] == text.replace('orign', 'origin')


@pytest.mark.parametrize('is_wanted', [True, False, 'yes'])
def test_a_user_may_have_files_expanded(tmp_path: Path, is_wanted: object) -> None:
    """A fault of the expansion is at its line in the text that is not saved yet."""
    if find_spec('pygls') is None or find_spec('xacro') is None:
        pytest.skip('pygls or xacro is not installed')
    from helpers.editor import Editor
    (tmp_path / '.hrdf.toml').write_text('')
    (tmp_path / 'r.xacro').write_text('<robot name="r"><link name="saved"/></robot>')
    text = ROBOT[:ROBOT.index('  <xacro:if')] + (
        '  <xacro:wheel prefix="left"/>\n  <link name="${height}"/>\n</robot>\n')
    with Editor(tmp_path, initialization_options={'expandXacro': is_wanted}) as editor:
        if is_wanted is True:
            assert found(editor, text) == [(7, 'xacro-failed')]
            editor.change(editor.uri('r.xacro'), text.replace('${height}', '${width}'))
            codes = [one.code for one in editor.diagnostics(editor.uri('r.xacro'))]
            assert codes == ['unknown-attribute', 'urdf-not-a-tree']
            outside = text.replace('<link name="${height}"', '<link nom="other"')
            assert found(editor, outside) == [
                (6, 'unknown-attribute'), (7, 'missing-attribute'), (7, 'unknown-attribute'),
                (7, 'urdf-not-a-tree')]
        else:
            assert found(editor, text) == [(1, 'xacro-refused')]
