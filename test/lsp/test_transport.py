# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Messages as no editor sends them: bounded, and answered where they ask for something."""

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
from typing import Any
from unittest import mock

from helpers.robots import REPOSITORY
import pytest

pytest.importorskip('pygls')

from hrdf_ros.lsp import transport
from hrdf_ros.lsp.transport import MessageError, read_message

SECONDS = 60.0
PARSE, REQUEST, METHOD, PARAMS, UNINITIALIZED = -32700, -32600, -32601, -32602, -32002
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
    assert client.ask('textDocument/hover', {})['error']['code'] == UNINITIALIZED
    client.ask('initialize', {'capabilities': {}, 'processId': None, 'rootUri': None})
    client.send({'jsonrpc': '2.0', 'method': 'initialized', 'params': {}})
    yield client
    assert client.ask('shutdown', None)['result'] is None
    assert client.ask('textDocument/hover', {})['error']['code'] == REQUEST
    client.send({'jsonrpc': '2.0', 'method': 'exit', 'params': None})
    assert client.process.wait(30) == 0


@pytest.mark.parametrize(('message', 'number', 'code'), [
    (b'{', None, PARSE), (b'\xff', None, PARSE), (b'[' * 100_000, None, PARSE),
    (b'"x"', None, REQUEST), ([], None, REQUEST), (1, None, REQUEST), ({}, None, REQUEST),
    ({'jsonrpc': '1.0', 'id': 3, 'method': 'shutdown'}, 3, REQUEST),
    ({'jsonrpc': '2.0', 'id': 3, 'method': 4}, 3, REQUEST),
    ({'jsonrpc': '2.0', 'id': {}, 'method': 'textDocument/hover', 'params': {}}, None, None),
    ({'jsonrpc': '2.0', 'id': 3, 'method': 'no/such', 'params': {}}, 3, METHOD),
    ({'jsonrpc': '2.0', 'id': 3, 'method': 'textDocument/hover'}, 3, PARAMS),
    ({'jsonrpc': '2.0', 'id': 'a', 'method': 'textDocument/hover', 'params': 'x'}, 'a', PARAMS),
    ({'jsonrpc': '2.0', 'id': 3, 'method': 'textDocument/hover', 'params': {
        'textDocument': {'uri': 5}, 'position': {'line': -1, 'character': 'x'}}}, 3, PARAMS),
    ({'jsonrpc': '2.0', 'id': 3, 'method': 'textDocument/codeAction', 'params': {
        'context': {'diagnostics': 'x'}}}, 3, PARAMS),
    ({'jsonrpc': '2.0', 'id': 3, 'method': 'textDocument/codeAction', 'params': []}, 3, PARAMS)])
def test_what_is_no_message_is_answered(
        raw: Client, message: Any, number: Any, code: int | None) -> None:
    raw.send(message)
    error = raw.answer(number)['error']
    assert error['message']
    assert error['code'] == code or code is None and error['code'] < 0


def test_notifications_and_answers_to_nothing_have_no_answer(raw: Client) -> None:
    raw.send({'jsonrpc': '2.0', 'method': 'textDocument/didOpen', 'params': 5})
    raw.send({'jsonrpc': '2.0', 'method': 'no/such', 'params': {}})
    raw.send({'jsonrpc': '2.0', 'id': [1], 'result': 5})
    raw.send({'jsonrpc': '2.0', 'id': 99, 'error': 5})
    raw.send({'jsonrpc': '2.0', 'id': 99, 'result': {}})
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


def test_fixes_of_more_diagnostics_than_anybody_asks_about(raw: Client) -> None:
    raw.open('file:///many.urdf', '<robot name="r"><lnk name="a"/></robot>')
    here = {'start': {'line': 0, 'character': 16}, 'end': {'line': 0, 'character': 20}}
    diagnostic = {'range': here, 'message': "did you mean 'link'?", 'code': 'unknown-element',
                  'source': 'hrdf'}
    fixes = raw.ask('textDocument/codeAction', {
        'textDocument': {'uri': 'file:///many.urdf'}, 'range': here,
        'context': {'diagnostics': [diagnostic] * 12_000}})['result']
    assert 0 < len(fixes) <= 100
    raw.send({'jsonrpc': '2.0', 'method': 'textDocument/didClose', 'params': {
        'textDocument': {'uri': 'file:///many.urdf'}}})


@pytest.mark.parametrize('start', [
    b'', b'Content-Type: x\r\n', b'\r\n\r\n', b'Content-Length: -1\r\n\r\n', b'x' * 10_000 + b'\n',
    b'Content-Length: ' + b'1' * 30 + b'\r\n\r\n'])
def test_headers(start: bytes) -> None:
    stream = BytesIO(start + b'content-length:2\r\n\r\n{}')
    assert read_message(stream) == b'{}'
    assert read_message(stream) is None


def test_a_body_that_ends_early() -> None:
    assert read_message(BytesIO(b'Content-Length: 9\r\n\r\n{}')) is None


def test_a_message_that_is_too_long_is_skipped() -> None:
    stream = BytesIO(b'Content-Length: 100\r\n\r\n' + b'x' * 100 + b'Content-Length: 2\r\n\r\n{}')
    with mock.patch.object(transport, 'MOST_BYTES', 99):
        with pytest.raises(MessageError, match='100 bytes; 99 are the most'):
            read_message(stream)
        assert read_message(stream) == b'{}'
    with pytest.raises(MessageError):
        read_message(BytesIO(b'Content-Length: 999999999999999999\r\n\r\n'))
