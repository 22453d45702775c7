# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Processes that a node starts for its work, and the socket that leads to each."""

from __future__ import annotations

import socket
import subprocess
import sys


def spawn(module: str, **arguments: object) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """
    Start a process that calls ``main`` of a module, and return it with our end of its socket.

    ``main`` gets the descriptor of the other end, and the arguments, which are plain values. The
    process finds modules where this one does, and a terminal's Ctrl-C does not reach it. An
    OSError says why there is none.
    """
    ours, theirs = socket.socketpair()
    code = (
        f'import sys; sys.path[:] = {sys.path!r}; from {module} import main; '
        f'main({theirs.fileno()}, **{arguments!r})')
    with theirs:
        try:
            process = subprocess.Popen(
                [sys.executable, '-c', code], stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),), start_new_session=True)
        except OSError:
            ours.close()
            raise
    return process, ours
