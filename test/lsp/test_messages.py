# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Messages as no editor sends them: they are bounded, and end nothing."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
import json
import os
from pathlib import Path
from queue import Queue
import subprocess
import sys
from threading import Thread
import time
from typing import Any

from helpers.robots import REPOSITORY
import pytest

pytest.importorskip('pygls')

from hrdf_ros.lsp.server import BoundedInput

SECONDS = 60.0
URIS = (
    'file:///%00x.urdf', 'file:///a\udc80b.urdf', 'file:///\ud800.urdf', 'file://[', 'file:', '',
    'http://[::1', 'untitled:Untitled-1', 'vscode-remote://host/a.urdf', 'x' * 100_000,
    'file:///' + 'a/' * 50_000 + 'r.urdf', '<robot name="r"/>', 'file:///dev/zero', '\0', '/')


class Client:
    """A session of raw messages."""

    def __init__(self, folder: Path) -> None:
        self.codes: dict[str, set[str]] = {}
        """Codes of the diagnostics that were published, by document."""
        self.process = subprocess.Popen(
            [sys.executable, '-m', 'hrdf_ros.cli', 'lsp'], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder,
            env={**os.environ, 'PYTHONPATH': str(REPOSITORY)})
        self._messages = Queue[dict[str, Any]]()
        Thread(target=self._receive, daemon=True).start()

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)

    def _receive(self) -> None:
        """Read while others write, so that neither side waits for the other."""
        assert self.process.stdout is not None
        length = 0
        for line in iter(self.process.stdout.readline, b''):
            if line.startswith(b'Content-Length:'):
                length = int(line.split(b':')[1])
            elif not line.strip():
                self._messages.put(json.loads(self.process.stdout.read(length)))

    def read(self) -> dict[str, Any]:
        return self._messages.get(timeout=SECONDS)

    def answer(self, number: Any) -> dict[str, Any]:
        """Return the answer to a request."""
        while True:
            message = self.read()
            if 'method' not in message and message.get('id') == number:
                return message
            self.note(message)

    def note(self, message: dict[str, Any]) -> None:
        if message.get('method') == 'textDocument/publishDiagnostics':
            self.codes.setdefault(message['params']['uri'], set()).update(
                one['code'] for one in message['params']['diagnostics'])

    def ask(self, method: str, params: Any, number: Any = 7) -> dict[str, Any]:
        self.send({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params})
        return self.answer(number)

    def open(self, uri: str, text: str) -> None:
        self.send({'jsonrpc': '2.0', 'method': 'textDocument/didOpen', 'params': {
            'textDocument': {'uri': uri, 'languageId': 'xml', 'version': 1, 'text': text}}})


@pytest.fixture(scope='module')
def raw(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Return a client that has been greeted."""
    client = Client(tmp_path_factory.mktemp('robots'))
    client.ask('textDocument/hover', {
        'textDocument': {'uri': 'file:///x.urdf'}, 'position': {'line': 0, 'character': 0}})
    client.ask('initialize', {'capabilities': {}, 'processId': None, 'rootUri': None})
    client.send({'jsonrpc': '2.0', 'method': 'initialized', 'params': {}})
    yield client
    assert client.ask('shutdown', None)['result'] is None
    client.send({'jsonrpc': '2.0', 'method': 'exit', 'params': None})
    assert client.process.wait(30) == 0


@pytest.mark.parametrize('message', [
    b'{', b'\xff', b'[' * 100_000, b'"x"', b'[]', b'1', b'{}', b'null',
    {'jsonrpc': '1.0', 'id': 3, 'method': 'shutdown'}, {'jsonrpc': '2.0', 'id': 3, 'method': 4},
    {'jsonrpc': '2.0', 'id': {}, 'method': 'textDocument/hover', 'params': {}},
    {'jsonrpc': '2.0', 'id': 3, 'method': 'textDocument/hover'},
    {'jsonrpc': '2.0', 'id': 'a', 'method': 'textDocument/hover', 'params': 'x'},
    {'jsonrpc': '2.0', 'id': 3, 'method': 'textDocument/hover', 'params': {
        'textDocument': {'uri': 5}, 'position': {'line': -1, 'character': 'x'}}},
    {'jsonrpc': '2.0', 'id': 3, 'method': 'textDocument/codeAction', 'params': []},
    {'jsonrpc': '2.0', 'method': 'textDocument/didOpen', 'params': 5},
    {'jsonrpc': '2.0', 'method': 'no/such', 'params': {}},
    {'jsonrpc': '2.0', 'id': [1], 'result': 5}, {'jsonrpc': '2.0', 'id': 99, 'error': 5},
    {'jsonrpc': '2.0', 'id': 99, 'result': {}}], ids=lambda message: str(message)[:60])
def test_an_odd_message_ends_nothing(raw: Client, message: Any) -> None:
    raw.send(message)
    assert 'error' in raw.ask('no/such', {}, 'last')


def test_odd_headers_end_nothing(raw: Client) -> None:
    raw.write(b'nonsense\r\n\r\nContent-Length: x\r\n\r\n' + b'y' * 10_000 + b'\r\n')
    raw.write(b'Content-Length: ' + b'9' * 10_000 + b'\r\n\r\n')
    assert 'error' in raw.ask('no/such', {}, 'last')


@pytest.mark.parametrize('uri', URIS, ids=lambda uri: ascii(uri)[:24])
def test_any_uri(raw: Client, uri: str) -> None:
    raw.open(uri, '<robot name="r"><link nme="a"/></robot>')
    document = {'textDocument': {'uri': uri}}
    place = {**document, 'position': {'line': 0, 'character': 18}}
    for method, params in (
            ('hover', place), ('completion', place), ('definition', place),
            ('documentSymbol', document), ('documentHighlight', place), ('prepareRename', place),
            ('references', {**place, 'context': {'includeDeclaration': True}}),
            ('rename', {**place, 'newName': 'b'}),
            ('formatting', {**document, 'options': {'tabSize': 2, 'insertSpaces': True}})):
        assert 'result' in raw.ask(f'textDocument/{method}', params), method
    while not raw.codes.get(uri):
        raw.note(raw.read())
    assert 'unknown-attribute' in raw.codes[uri]
    raw.send({'jsonrpc': '2.0', 'method': 'textDocument/didClose', 'params': document})


def test_quick_edits_of_a_large_document_block_nothing(raw: Client) -> None:
    uri = 'file:///large.urdf'
    raw.open(uri, '<robot name="r">\n' + '<link name="a"/> <!-- a link -->\n' * 150_000)
    raw.ask('no/such', {})
    start = time.monotonic()
    for number in range(200):
        at = {'line': 700 * number + 1, 'character': 12}
        raw.send({'jsonrpc': '2.0', 'method': 'textDocument/didChange', 'params': {
            'textDocument': {'uri': uri, 'version': number + 2},
            'contentChanges': [{'range': {'start': at, 'end': at}, 'text': 'b'}]}})
    raw.ask('no/such', {})
    assert time.monotonic() - start < 3.0
    raw.send({'jsonrpc': '2.0', 'method': 'textDocument/didClose', 'params': {
        'textDocument': {'uri': uri}}})


def test_a_message_that_is_too_long_is_skipped() -> None:
    most = 256 << 20
    length = most + 1
    stream = BoundedInput(LongStream(
        b'Content-Length: %d\r\nContent-Type: x\r\n\r\n' % length, length,
        b'Content-Length: %d\r\n\r\n' % most))
    assert stream.readline() == b'\r\n'
    assert stream.readline() == b'Content-Length: %d\r\n' % most


class LongStream(BytesIO):
    """A stream with many bytes between its beginning and its end, which take no memory."""

    def __init__(self, begin: bytes, length: int, end: bytes) -> None:
        super().__init__(begin + end)
        self.left = length

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None and size <= 1 << 20
        skipped = min(self.left, size)
        self.left -= skipped
        return b'x' * skipped
