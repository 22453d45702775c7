# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the viewer tells whom: the page to this machine, the robot to that page, and no file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

SILENCE = 0.7
"""Seconds after which no more of an answer comes."""
SECRET = 'a-word-that-is-in-the-file-only'
ROBOT = ('<robot name="r"><link name="private_link_name"><visual><geometry>'
         '<box size="1 1 1"/></geometry></visual></link></robot>')
CONNECT = (
    'GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n'
    'Sec-WebSocket-Protocol: viser-v1.1.1\r\n{origin}\r\n')


class Server(NamedTuple):
    """A viewer that runs."""

    host: str
    port: int
    folder: Path

    def ask(self, request: str, most: int = 5000) -> bytes:
        """Send a request as it is; return the beginning of what comes within some seconds."""
        with socket.create_connection((self.host, self.port), timeout=30) as connection:
            connection.sendall(request.encode())
            connection.settimeout(SILENCE)
            received = b''
            try:
                while len(received) < most and (data := connection.recv(65536)):
                    received += data
            except (TimeoutError, ConnectionError):
                pass
            return received


@pytest.fixture(scope='module')
def server(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Server:
    """Return the viewer of a robot that lies beside a file which is not part of it."""
    pytest.importorskip('viser', reason='the viewer requires viser')
    tmp_path = tmp_path_factory.mktemp('doors')
    (tmp_path / 'secret.txt').write_text(SECRET)
    (tmp_path / 'robot.urdf').write_text(ROBOT)
    address = urlsplit(serve(tmp_path / 'robot.urdf', '--port', '8123'))
    return Server(str(address.hostname), int(address.port or 0), tmp_path)


def test_no_file_is_served(server: Server) -> None:
    up = '../' * 20
    beside = str(server.folder / 'secret.txt')
    paths = (
        beside, f'/{beside}', '/secret.txt', '/robot.urdf', f'/{up}{beside}',
        '/' + up + 'etc/passwd',
        '/' + up.replace('.', '%2e') + 'etc/passwd', '/' + up.replace('/', '%2f') + 'etc%2fpasswd',
        '/' + up.replace('/', '\\') + 'etc\\passwd', '/%2e%2e%5c%2e%2e%5cetc%5cpasswd',
        '/..%252f..%252fetc%252fpasswd', f'/index.html/{up}etc/passwd', f'file://{beside}',
        f'http://localhost/{beside}', '/?file=' + beside, '/\0/etc/passwd', '//etc/passwd')
    for path in paths:
        answer = server.ask(
            f'GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 3_000_000)
        assert SECRET.encode() not in answer and b'root:' not in answer, path
        assert b'private_link_name' not in answer, path


@pytest.mark.parametrize('method', ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])
def test_other_methods_change_nothing(server: Server, method: str) -> None:
    before = sorted(server.folder.iterdir())
    server.ask(f'{method} /robot.urdf HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx')
    assert sorted(server.folder.iterdir()) == before
    assert (server.folder / 'robot.urdf').read_text() == ROBOT


@pytest.mark.parametrize(('host', 'origin', 'is_told'), [
    ('localhost:{port}', 'http://localhost:{port}', True),
    ('127.0.0.1:{port}', 'http://127.0.0.1:{port}', True),
    ('[::1]:{port}', 'http://[::1]:{port}', True),
    ('localhost:{port}', None, True),
    ('localhost:{port}', 'http://evil.example', False),
    ('localhost:{port}', 'http://localhost:1', False),
    ('localhost:{port}', 'null', False),
    ('localhost:{port}', 'http://localhost.evil.example:{port}', False),
    ('evil.example:{port}', 'http://evil.example:{port}', False),
    ('localhost.evil.example:{port}', 'http://localhost.evil.example:{port}', False),
    ('evil.example:{port}', None, False),
    ('192.168.0.5:{port}', 'http://192.168.0.5:{port}', False),
    ('[', 'http://[', False)])
def test_only_the_own_page_is_told_of_the_robot(
        server: Server, host: str, origin: str | None, is_told: bool) -> None:
    line = '' if origin is None else f'Origin: {origin.format(port=server.port)}\r\n'
    answer = server.ask(CONNECT.format(host=host.format(port=server.port), origin=line))
    assert (len(answer) > 3000) == is_told
    assert is_told or len(answer) < 1000
