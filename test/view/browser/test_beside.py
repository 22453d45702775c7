# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer beside a text, as an editor starts it and talks to it."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
import socket
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from hrdf_ros.view.beside import serve, Shown, Started
import pytest

SECONDS = 120.0
SILENCE = 1.5
ROBOT = """<robot name="r">
<link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
<link name="arm"><visual><geometry><sphere radius="0.6"/></geometry></visual></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
</robot>"""
CONNECT = (
    'GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\n'
    'Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: viser-v1.1.1\r\n\r\n')


class Preview(NamedTuple):
    """A viewer that runs: the channel to it, and its address."""

    channel: Connection
    address: str

    def received(self, path: str, host: str = 'localhost', origin: str = '') -> int:
        """Return how many bytes come to a page of an origin, by default of this host."""
        port = urlsplit(self.address).port or 0
        with socket.create_connection(('localhost', port), timeout=30) as connection:
            connection.sendall(CONNECT.format(
                path=path, host=host, origin=origin or f'http://{host}').encode())
            connection.settimeout(SILENCE)
            count = 0
            try:
                while count < 5000 and (data := connection.recv(65536)):
                    count += len(data)
            except (TimeoutError, ConnectionError):
                pass
            return count


@pytest.fixture(scope='module')
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    """Start the viewer of a text that is not saved; it ends with its editor."""
    pytest.importorskip('viser', reason='the viewer requires viser')
    file = str(tmp_path_factory.mktemp('beside').resolve() / 'r.urdf')
    Path(file).write_text('<robot name="r"><link name="saved"/></robot>')
    context = get_context('spawn')
    channel, other = context.Pipe()
    process = context.Process(target=serve, args=(other,))
    process.start()
    other.close()
    channel.send(Shown(file, {file: ROBOT}, {}))
    assert channel.poll(SECONDS)
    started = channel.recv()
    assert isinstance(started, Started) and started.problem == ''
    yield Preview(channel, started.address)
    channel.close()
    process.join(SECONDS)
    assert process.exitcode == 0


def test_only_who_has_the_token_is_told_of_the_robot(preview: Preview) -> None:
    [websocket] = parse_qs(urlsplit(preview.address).query)['websocket']
    token = urlsplit(websocket).path
    assert urlsplit(preview.address).hostname == 'localhost' and len(token) > 20
    assert preview.received(token) > 3000
    for path in ('/', '', token[:-1], f'{token}x', f'/?{token}', '/%00'):
        assert preview.received(path or '/index.html') < 1000


def test_a_proxy_of_the_editor_reaches_the_page_by_its_own_name(preview: Preview) -> None:
    [websocket] = parse_qs(urlsplit(preview.address).query)['websocket']
    token = urlsplit(websocket).path
    assert preview.received(token, host='robots.example', origin='https://robots.example') > 3000
    assert preview.received(token, host='robots.example', origin='https://evil.example') < 1000
    assert preview.received('/guessed', host='robots.example') < 1000
