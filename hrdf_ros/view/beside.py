# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The viewer beside a text: a process that draws what an editor sends, until the editor ends it.

Its page is served on the loopback interface. The address of the page contains a token, without
which nobody can connect: other users of the machine and pages of other sites can neither see nor
move the robot.
"""

from __future__ import annotations

from multiprocessing.connection import Connection
import os
from secrets import token_urlsafe
from threading import Thread
from typing import NamedTuple, TYPE_CHECKING, Union
from urllib.parse import quote

from hrdf_ros.diagnostics import Location
from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult

if TYPE_CHECKING:
    from hrdf_ros.readers.api import LoadOptions

_HOST = 'localhost'
_PORT = 8080
"""The port that is tried first."""
_TOKEN_BYTES = 16
"""The number of random bytes in the token: 128 bits cannot be guessed by trying."""
_MISSING = """\
the viewer requires viser ({error}); install it where hrdf is: \
pip install viser trimesh pycollada pillow"""


class Shown(NamedTuple):
    """The file to draw; ``overlay`` has the texts of all open documents by real path."""

    path: str
    overlay: dict[str, str]
    options: LoadOptions


class Cursor(NamedTuple):
    """The places of the elements around the cursor, innermost first."""

    places: tuple[Location, ...]


class Started(NamedTuple):
    """The address of the page, or the problem that prevents it."""

    address: str = ''
    problem: str = ''


class Clicked(NamedTuple):
    """The place of the link that was clicked."""

    at: Location


Order = Union[Shown, Cursor]
Reply = Union[Started, Clicked]


def serve(channel: Connection) -> None:
    """Draw the files that come from a channel until it is closed."""
    try:
        from hrdf_ros.view.server import start_server  # here, since viser may be missing
        from hrdf_ros.view.viewer import Source, Viewer
    except ImportError as error:
        channel.send(Started(problem=_MISSING.format(error=error)))
        return
    first: Shown = channel.recv()
    loader = _Loader(first)
    token = token_urlsafe(_TOKEN_BYTES)
    server = start_server(_HOST, _PORT, token)
    viewer = Viewer(server, Source(
        load=loader.load, clicked=lambda at: channel.send(Clicked(at))))

    def listen() -> None:
        try:
            while True:
                order: Order = channel.recv()
                if isinstance(order, Shown):
                    is_another = order.path != loader.shown.path
                    loader.shown = order
                    viewer.receive('reload', None)
                    if is_another:
                        viewer.receive('camera', '')
                else:
                    viewer.receive('cursor', order.places)
        except (EOFError, OSError):  # the editor has ended
            viewer.stop()

    Thread(target=listen, daemon=True).start()
    port = server.get_port()
    socket = quote(f'ws://{_HOST}:{port}/{token}', safe='')
    channel.send(Started(f'http://{_HOST}:{port}/?websocket={socket}'))
    viewer.run()
    server.stop()
    os._exit(0)  # viser's threads do not end by themselves


class _Loader:
    """Loads the file that was received last."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown

    def load(self) -> LoadResult:
        shown = self.shown
        options: LoadOptions = {**shown.options, 'overlay': shown.overlay}
        return load(shown.path, **options)
