# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What a person types is what is in the file: lists open where they help, and never take an Enter.

``typed.json`` has what VS Code 1.100.3 with our extension made of sequences of keys, each recorded
with 70, 120 and 250 milliseconds from key to key. ``helpers.typist`` has VS Code's rules, and
gives the same. Recordings in which a key came late were taken again. On a busy machine an Enter
can come before its list, and VS Code loses letters of the other tag while it asks for the tags:
three texts were others for that, and 14 of 15 more recordings of them are these.
"""

from __future__ import annotations

from collections import defaultdict
import json
from pathlib import Path
from typing import Any, TYPE_CHECKING

from helpers.robots import REPOSITORY
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.document.formatter import formatted
import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor

RECORDED = json.loads((Path(__file__).parent / 'typed.json').read_text('utf-8'))
"""Texts before and after some keys, with ``|`` for the cursor, and the delays that gave them."""
FORMATS = ('hrdf', 'mjcf', 'sdf', 'skel', 'urdf')
DELAYS = (70, 120, 250)
"""The milliseconds from key to key."""
LINES = 4
"""The least lines of a robot that is typed from the first key to the last."""


def robots(format_name: str) -> list[str]:
    """Return the ten shortest robots of a format, each of some lines, as the formatter does."""
    found = []
    tests = REPOSITORY / 'test'
    for path in (*(tests / 'conformance' / 'inputs' / format_name).rglob('*.*'),
                 *(tests / 'diagnostics' / format_name).glob('*.*')):
        file = SourceFile(str(path), path.read_bytes(), encoding='utf-8')
        text = formatted(file, Report())
        lines = (text or b'').splitlines()
        if text and len(lines) >= LINES and all(line.lstrip()[:1] == b'<' for line in lines):
            found.append(text.decode())
    return sorted(found, key=lambda text: (len(text), text))[:10]


@pytest.mark.parametrize('format_name', FORMATS)
def test_robots_are_what_was_typed(editor: Editor, format_name: str) -> None:
    """End tags are typed too; the editor indents."""
    from helpers.typist import Typist
    typed = robots(format_name)
    assert len(typed) == 10
    for number, text in enumerate(typed):
        typist = Typist(editor, f'{number}.{format_name}', delay=DELAYS[number % len(DELAYS)])
        typist.type('\n'.join(line.strip() for line in text.split('\n')))
        assert typist.shown == text + '|'
        assert typist.accepted == []


@pytest.mark.parametrize(
    'case', RECORDED, ids=lambda case: f"{case['name']} {case['keys']!r} {case['delays'][0]}")
def test_what_vs_code_made_of_the_same_keys(editor: Editor, case: dict[str, Any]) -> None:
    from helpers.typist import Typist
    for delay in case['delays']:
        typist = Typist(editor, f"a{case['name']}", case['before'], delay)
        typist.type(case['keys'])
        assert typist.shown == case['text']
        if not typist.depends_on_delay:
            break


def test_the_recordings_are_many() -> None:
    delays: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for case in RECORDED:
        delays[case['name'], case['before'], case['keys']] += case['delays']
    assert {name[1:] for name, _, _ in delays} == set(FORMATS)
    assert len(delays) >= 200
    assert all(sorted(found) == [*DELAYS] for found in delays.values())


@pytest.mark.parametrize('text', [
    '<robot name="r">\n  <joint |\n</robot>',
    '<robot name="r">\n  <joint |\n  <link name="a"/></robot>'])
def test_attributes_are_proposed_before_another_tag(editor: Editor, text: str) -> None:
    uri = editor.open('a.urdf', text.replace('|', ''))
    assert 'type' in editor.labels(uri, text.strip())
    assert 'link' not in editor.labels(uri, text.strip())


def test_start_and_end_tag_are_edited_together(editor: Editor) -> None:
    from lsprotocol import types as lsp
    uri = editor.open('a.urdf', '<robot name="r"><link name="a"></link></robot>')
    found = editor.ask('linked_editing_range', lsp.LinkedEditingRangeParams(
        **editor.at(uri, '<li|nk name')))
    assert [(one.start.character, one.end.character) for one in found.ranges] == [
        (17, 21), (33, 37)]
    assert editor.ask('linked_editing_range', lsp.LinkedEditingRangeParams(
        **editor.at(uri, 'name="|a"'))) is None
