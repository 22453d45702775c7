# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Servers on this machine for downloads; they may be hostile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
import socketserver
import threading
from typing import NamedTuple
import zipfile

ENDLESS = -1
"""The length of an answer whose body never ends."""


class Answer(NamedTuple):
    """The status, headers and body of an answer; with the length ENDLESS the body never ends."""

    body: bytes = b''
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    length: int | None = None


class Server(NamedTuple):
    """A server on the loopback interface: its address, answers by path, and requested paths."""

    address: str
    answers: dict[str, Answer]
    asked: list[str]


@contextmanager
def serving() -> Iterator[Server]:
    """Serve answers by path, on this machine."""
    answers: dict[str, Answer] = {}
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            answer = answers.get(self.path, Answer(status=404))
            self.send_response(answer.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            if answer.length != ENDLESS:
                length = len(answer.body) if answer.length is None else answer.length
                self.send_header('Content-Length', str(length))
            self.end_headers()
            try:
                self.wfile.write(answer.body)
                while answer.length == ENDLESS:
                    self.wfile.write(bytes(1 << 16))
            except OSError:
                pass

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(('127.0.0.1', 0), Handler) as found:
        threading.Thread(target=found.serve_forever, args=(.01,), daemon=True).start()
        yield Server(f'http://127.0.0.1:{found.server_address[1]}', answers, asked)
        found.shutdown()


@contextmanager
def sending(start: bytes, again: bytes) -> Iterator[str]:
    """Answer each request with some bytes, then with other bytes again and again."""
    ended = threading.Event()

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            try:
                self.request.recv(1 << 16)
                self.request.sendall(start)
                while not ended.wait(0.02):
                    self.request.sendall(again)
            except OSError:
                pass

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server(('127.0.0.1', 0), Handler) as found:
        threading.Thread(target=found.serve_forever, args=(.01,), daemon=True).start()
        yield f'http://127.0.0.1:{found.server_address[1]}'
        ended.set()
        found.shutdown()


def zipped(files: Mapping[str | zipfile.ZipInfo, bytes]) -> bytes:
    """Return an archive of files."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()
