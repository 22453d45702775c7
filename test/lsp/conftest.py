# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A running language server for the tests of one file."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor


@pytest.fixture(scope='module')
def shared_editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """Start an editor in a folder of its own."""
    if find_spec('pygls') is None or find_spec('pytest_lsp') is None:
        pytest.skip('pygls and pytest-lsp are not installed')
    from helpers.editor import Editor
    with Editor(tmp_path_factory.mktemp('robots')) as started:
        yield started


@pytest.fixture
def editor(shared_editor: Editor) -> Iterator[Editor]:
    """Return an editor in which nothing is open."""
    yield shared_editor
    for uri in list(shared_editor.texts):
        shared_editor.close(uri)
    shared_editor.published.clear()


@pytest.fixture
def folder(editor: Editor) -> Path:
    """Return the folder of the editor."""
    return editor.folder
