# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Diagnostics of what is in the editor, while it is being typed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlparse

from helpers.scaling import growth
from hrdf_ros.codes import CODES
import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor
    from lsprotocol import types as lsp

ARM = """\
<robot version="1.5.0">
  <actuator type="X5-1" tag="J1"/>
  <link type="X5" extension="0.3" twist="0"/>
</robot>
"""
WHOLE = '<robot version="1.5.0">\n  <include path="part.hrdf"/>\n</robot>\n'


def shown(found: lsp.Diagnostic) -> tuple[str, tuple[int, int, int, int]]:
    """Return code and range of a diagnostic."""
    start, end = found.range.start, found.range.end
    return found.code, (start.line, start.character, end.line, end.character)


@pytest.mark.parametrize(('old', 'new', 'code', 'place'), [
    ('<link type', '<lnik type', 'unknown-element', (2, 2, 2, 7)),
    ('extension', 'extention', 'unknown-attribute', (2, 18, 2, 27)),
    ('"X5-1"', '"X5-2"', 'bad-value', (1, 18, 1, 22)),
    ('"X5-1"', '"x5-1"', 'wrong-case', (1, 18, 1, 22)),
    ('"0.3"', '"0.3 *"', 'bad-value', (2, 34, 2, 34)),
    (' version="1.5.0"', '', 'missing-version', (0, 0, 0, 6))])
def test_each_is_at_what_is_faulty(
        editor: Editor, old: str, new: str, code: str, place: tuple[int, ...]) -> None:
    found = editor.diagnostics(editor.open('arm.hrdf', ARM.replace(old, new)))
    first = next(one for one in found if one.code == code)
    assert shown(first)[1][:2] == place[:2]
    assert first.source == 'hrdf'
    if place[:2] != place[2:]:
        assert shown(first)[1] == place


def test_each_leads_to_its_documentation(editor: Editor) -> None:
    uri = editor.open('arm.hrdf', ARM.replace('X5-1', 'X5-2'))
    found, = editor.diagnostics(uri)
    address = urlparse(found.code_description.href)
    page = Path(unquote(address.path)).read_text(encoding='utf-8')
    assert f'### `{address.fragment}`' in page and address.fragment in CODES


def test_columns_count_utf16_units(editor: Editor) -> None:
    text = ARM.replace('tag="J1"', 'tag="\U0001f916\U0001f916" type2=""')
    found, = editor.diagnostics(editor.open('arm.hrdf', text))
    assert shown(found) == ('unknown-attribute', (1, 35, 1, 40))


def test_a_text_that_is_not_well_formed_is_checked_beyond_the_fault(editor: Editor) -> None:
    text = ARM.replace('<actuator', '<act\n  <actuator').replace('"X5"', '"X6"')
    found = editor.diagnostics(editor.open('arm.hrdf', text))
    assert [one.code for one in found] == ['xml-syntax', 'bad-value']
    assert shown(found[1])[1] == (3, 14, 3, 16)
    text = '<robot name="r"><link name="a"><visual></link><joint nmae="j"/></robot>'
    place = text.index('nmae')
    assert ('unknown-attribute', (0, place, 0, place + 4)) in map(
        shown, editor.diagnostics(editor.open('r.urdf', text)))


def test_what_is_typed_is_checked_at_once(editor: Editor) -> None:
    uri = editor.open('arm.hrdf', ARM)
    assert editor.diagnostics(uri) == []
    editor.change(uri, ARM.replace('twist="0"', 'twist="0x"'))
    assert [one.code for one in editor.diagnostics(uri)] == ['bad-value']
    editor.change(uri, ARM)
    assert editor.diagnostics(uri) == []


def test_a_fault_in_an_included_file_is_at_the_include(editor: Editor, folder: Path) -> None:
    (folder / 'part.hrdf').write_text(ARM.replace('X5-1', 'X5-2'))
    uri = editor.open('whole.hrdf', WHOLE)
    found, = editor.diagnostics(uri)
    assert shown(found)[1] == (1, 2, 1, 10) and found.message.startswith('part.hrdf:2: ')
    related = found.related_information[0].location
    assert related.uri == editor.uri('part.hrdf')
    assert (related.range.start.line, related.range.start.character) == (1, 18)


def test_an_included_file_is_that_of_the_editor_or_the_last_on_disk(
        editor: Editor, folder: Path) -> None:
    from lsprotocol import types as lsp

    def diagnostics_after(step: Callable[[], object]) -> int:
        editor.settle(uri)
        editor.published.clear()
        step()
        return len(editor.diagnostics(uri))

    part = folder / 'part.hrdf'
    part.write_text(ARM.replace('X5-1', 'X5-2'))
    uri = editor.open('whole.hrdf', WHOLE)
    assert diagnostics_after(lambda: editor.open('part.hrdf', ARM)) == 0
    assert diagnostics_after(lambda: editor.close(part.as_uri())) == 1
    part.write_text(ARM)
    assert diagnostics_after(lambda: editor.client.workspace_did_change_watched_files(
        lsp.DidChangeWatchedFilesParams([
            lsp.FileEvent(part.as_uri(), lsp.FileChangeType.Changed)]))) == 0


def test_a_file_that_is_not_saved_yet_can_be_included(editor: Editor) -> None:
    editor.open('new.hrdf', ARM)
    uri = editor.open('world.sdf', (
        '<sdf version="1.9"><world name="w"><include><uri>new.hrdf</uri></include></world></sdf>'))
    assert [one.code for one in editor.diagnostics(uri) if one.severity == 1] == []


def test_a_keystroke_ends_the_analysis_before_it(editor: Editor) -> None:
    """A text that takes long is superseded by one that does not."""
    links = ''.join(f'<link name="l{index}"/>' for index in range(300_000))
    uri = editor.open('large.urdf', f'<robot name="r">{links}</robot>')
    editor.change(uri, '<robot name="r"><link name="a"/></robot>')
    assert editor.diagnostics(uri) == []
    assert len({params.version for params in editor.published if params.uri == uri}) == 1


@pytest.mark.parametrize('uri', [
    'untitled:Untitled-1', 'vscode-remote://host/a.urdf', '', 'x' * 100_000, 'file:///%00x.urdf',
    'file:///dev/zero', '<robot name="r"/>'], ids=lambda uri: ascii(uri)[:24])
def test_any_uri(editor: Editor, uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editor, 'uri', lambda name: uri)
    editor.open('x', '<robot name="r"><link nme="a"/></robot>')
    found = {one.code for one in editor.diagnostics(uri)}
    assert 'unknown-attribute' in found
    assert editor.hover(uri, '<li|nk') != '' and editor.outline(uri) != []


def test_many_diagnostics_take_linear_time() -> None:
    from hrdf_ros.lsp.analysis import AnalysisJob, AnalysisSettings, analyze

    def job(count: int) -> AnalysisJob:
        links = ''.join(f'<lnk{index % 20} name="l{index}"/>\n' for index in range(count))
        text = f'<robot name="r"><link name="a"/>{links}</robot>'
        return AnalysisJob('/r.urdf', {'/r.urdf': text}, AnalysisSettings({}))

    assert not growth([partial(analyze, job(count)) for count in (100, 200, 400, 800)])


def test_xml_that_is_not_a_robot_description_is_not_checked(editor: Editor) -> None:
    for name, text in (
            ('arm.launch.xml', '<launch><nod/></launch>'), ('package.xml', '<package></pakage>'),
            ('page.xml', '<html><body><br></html>'), ('new.xml', '')):
        uri = editor.open(name, text)
        assert editor.diagnostics(uri) == [] and editor.formatting(uri) == []
        assert editor.outline(uri) == []
    uri = editor.open('arm.xml', '<launch/>')
    assert editor.diagnostics(uri) == []
    editor.change(uri, '<robot name="r"><lnk/></robot>')
    assert editor.diagnostics(uri) != []


def test_a_file_may_be_open_by_a_link_too(editor: Editor, folder: Path) -> None:
    (folder / 'file.urdf').write_text('<robot name="r"><link name="a"/></robot>')
    (folder / 'link.urdf').symlink_to('file.urdf')
    file, link = (editor.open(name) for name in ('file.urdf', 'link.urdf'))
    assert editor.outline(file) and editor.outline(file) == editor.outline(link)
    editor.close(link)
    assert editor.outline(file)


def test_robot_configuration_has_diagnostics(editor: Editor) -> None:
    editor.open('of_kit.hrdf', '<robot version="1.6.0"><actuator type="X5-1"/></robot>')
    text = 'version: 1.1\nfamilies: Arm\nnames: J1\nhrdf: of_kit.hrdf\n'
    uri = editor.open('kit.cfg.yaml', text)
    assert editor.diagnostics(uri) == [] and editor.outline(uri) == []
    editor.change(uri, text + 'gian: x.xml\n')
    (found,) = editor.diagnostics(uri)
    assert (found.code, found.range.start.line) == ('hebi-config-key', 4)


def test_xacro_is_not_expanded_unless_asked_for(editor: Editor) -> None:
    text = ('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
            '<link name="${open(1)}"/></robot>')
    found = editor.diagnostics(editor.open('r.urdf.xacro', text))
    assert [(one.code, one.severity.name) for one in found] == [('xacro-refused', 'Information')]


def test_lines_may_end_with_cr_lf(editor: Editor) -> None:
    text = ARM.replace('\n', '\r\n').replace('extension', 'extention')
    found = editor.diagnostics(editor.open('arm.hrdf', text))
    assert ('unknown-attribute', (2, 18, 2, 27)) in map(shown, found)
