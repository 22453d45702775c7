# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The robot beside its text: what the viewer gets from an editor, and the editor from it."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TYPE_CHECKING
from unittest.mock import Mock

import pytest

pytest.importorskip('pygls', reason='pygls is not installed')
from hrdf_ros.diagnostics import Location
from hrdf_ros.lsp.analysis import AnalysisSettings
from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.positions import Text
from hrdf_ros.lsp.preview import PREVIEW, Preview
from hrdf_ros.view.beside import Clicked, Cursor, Shown, Started
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from helpers.editor import Editor

SETTINGS = AnalysisSettings({'path': ['/models']})
URDF = '<robot name="r">\n  <link name="base">\n    <visual/>\n  </link>\n</robot>\n'
SECONDS = 30.0


class Viewer:
    """The other end of the channel to a viewer that does not run."""

    def __init__(self) -> None:
        self.process = Mock()
        own, self._other = Pipe()
        self.channel: Connection = own

    def start(self) -> tuple[Any, Connection]:
        """Return the process and the editor's end of the channel."""
        return self.process, self._other

    async def order(self) -> Shown | Cursor:
        """Return the next order of the editor."""
        while not self.channel.poll():
            await asyncio.sleep(0.01)
        found: Shown | Cursor = self.channel.recv()
        return found


def document(path: str, text: str) -> Buffer:
    return Buffer(Path(path).as_uri(), path, Text(text))


def test_the_viewer_follows_text_and_cursor() -> None:
    """It gets a text after a pause, then the places in it; a click comes back."""
    async def run() -> None:
        viewer, clicks = Viewer(), []
        preview = Preview(clicks.append, viewer.start)
        first = document('/tmp/r.urdf', URDF)
        viewer.channel.send(Started('http://localhost:1/'))
        answer = await preview.show(first, {first.real: first}, SETTINGS)
        assert answer == {'address': 'http://localhost:1/'}
        shown = await viewer.order()
        assert shown == Shown(first.path, {first.real: URDF}, SETTINGS.options)
        assert await viewer.order() == Cursor(())

        preview.point(first, URDF.index('<visual') + 2)
        assert await viewer.order() == Cursor((
            Location(first.path, 3, 5), Location(first.path, 2, 3), Location(first.path, 1, 1)))

        for number in range(3):
            second = document('/tmp/r.urdf', '\n' * number + URDF)
            preview.follow({second.real: second}, SETTINGS)
            preview.point(second, second.text.source.index('<link'))
        shown = await viewer.order()
        assert isinstance(shown, Shown)
        assert shown.overlay == {second.real: second.text.source}
        assert await viewer.order() == Cursor((Location(first.path, 3, 1),))

        viewer.channel.send(Clicked(Location(first.path, 4, 3)))
        while not clicks:
            await asyncio.sleep(0.01)
        assert clicks == [Location(first.path, 4, 3)]
        preview.close()
        viewer.process.kill.assert_called_once()
        preview.follow({}, SETTINGS)  # nobody looks any more
        preview.point(first, 0)
    asyncio.run(asyncio.wait_for(run(), SECONDS))


@pytest.mark.parametrize('problem', ['the viewer requires viser', ''])
def test_a_viewer_that_does_not_start(problem: str) -> None:
    """The answer says why; the next request tries again."""
    async def run() -> None:
        viewer = Viewer()
        preview, buffer = Preview(Mock(), viewer.start), document('/tmp/r.urdf', URDF)
        if problem:
            viewer.channel.send(Started(problem=problem))
        else:
            viewer.channel.close()
        with pytest.raises(JsonRpcException, match=problem or 'ended at its start') as raised:
            await preview.show(buffer, {buffer.real: buffer}, SETTINGS)
        assert raised.value.code == -32803
        viewer.process.kill.assert_called_once()
    asyncio.run(asyncio.wait_for(run(), SECONDS))


def asked(editor: Editor, uri: str) -> str:
    """Ask for a preview; return what is wrong with it."""
    with pytest.raises(Exception, match='.') as raised:
        editor.wait(editor.client.protocol.send_request_async(
            PREVIEW, {'textDocument': {'uri': uri}}))
    return str(raised.value)


def test_what_an_editor_shows_where_there_is_no_robot(editor: Editor) -> None:
    uri = editor.open('package.xml', '<package/>')
    assert 'package.xml is no robot description' in asked(editor, uri)
    assert 'not open' in asked(editor, editor.uri('other.urdf'))
    if find_spec('viser') is None:
        uri = editor.open('r.urdf', URDF)
        assert 'pip install viser' in asked(editor, uri)
        editor.client.protocol.notify('hrdf/previewCursor', {
            'textDocument': {'uri': uri}, 'position': {'line': 1, 'character': 4}})
        editor.client.protocol.notify('hrdf/previewClosed', {})
        assert editor.labels(uri, '<link name="base">|') != []
