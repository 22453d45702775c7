# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Formatting in an editor is what ``hrdf format`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helpers.robots import described, name_of, REPOSITORY
from hrdf_ros.document.formatter import format_text
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from helpers.editor import Editor

FILES = described(REPOSITORY / 'examples', ('.hrdf', '.sdf', '.skel', '.urdf'))[::8]


@pytest.mark.parametrize('file', FILES, ids=name_of)
def test_the_edit_gives_the_formatted_text(editor: Editor, file: Path) -> None:
    text = file.read_text(encoding='utf-8').replace('\n', ' \r\n ')
    uri = editor.open(file.name, text)
    editor.edit(uri, editor.formatting(uri))
    assert editor.texts[uri] == format_text(text)
    assert editor.formatting(uri) == []


def test_characters_beyond_the_basic_plane_keep_their_places(editor: Editor) -> None:
    text = '<robot><!--\U0001f916\U0001f916--><link  name="\U0001f916"/><link name="b"/></robot>'
    uri = editor.open('r.urdf', text)
    editor.edit(uri, editor.formatting(uri))
    assert editor.texts[uri] == format_text(text)
