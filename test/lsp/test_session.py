# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A session of an editor and the server, from an empty file on; the set-ups of editors."""

from __future__ import annotations

from pathlib import Path

from helpers.robots import REPOSITORY
from hrdf_ros.readers.registry import FORMATS
import pytest

PAGE = (REPOSITORY / 'docs' / 'editors.md').read_text(encoding='utf-8')


def test_the_session_is_as_recorded(tmp_path: Path) -> None:
    pytest.importorskip('pygls', reason='pygls is not installed')
    pytest.importorskip('pytest_lsp', reason='pytest-lsp is not installed')
    from helpers.editor_session import session
    shown = Path(__file__).with_name('session.txt').read_text(encoding='utf-8')
    assert '\n'.join(session(tmp_path)) + '\n' == shown


def test_the_set_ups_name_every_suffix() -> None:
    for section in ('## Neovim', '## Emacs'):
        text = PAGE.partition(section)[2].partition('\n## ')[0]
        for found in FORMATS:
            for suffix in found.suffixes:
                assert suffix[1:] in text
