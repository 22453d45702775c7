# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Ask MuJoCo (``mujoco-core``), where it is installed, in a separate process.

MuJoCo parses files that anybody may have written, so its process has limits, and a crash of
MuJoCo ends nothing else. A module that asks has a function ``answer``, which runs in the process.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
import json
import os
import subprocess
import sys
import tempfile
from typing import Any

_SECONDS = 120.0
"""The seconds that the process may take."""
_MEMORY = 4 << 30
"""The bytes of address space that the process may take."""


class MujocoFailedError(Exception):
    """The process of MuJoCo ended without an answer, or took too long."""


def is_available() -> bool:
    """Return whether MuJoCo's Python package is installed."""
    return find_spec('mujoco') is not None


def ask(module: str, request: Any) -> Any:
    """
    Return what ``answer(request)`` of a module returns in MuJoCo's process; both are JSON.

    If the process fails, MujocoFailedError is raised.
    """
    root = os.path.dirname(os.path.dirname(__file__))
    path = [root, *filter(None, sys.path)]  # not the working directory: not trusted
    code = f'import sys; sys.path[:] = {path!r}; from {__name__} import serve; serve({module!r})'
    try:
        with tempfile.TemporaryDirectory() as directory:  # MuJoCo writes its log there
            done = subprocess.run(
                [sys.executable, '-c', code], input=json.dumps(request), text=True,
                capture_output=True, timeout=_SECONDS, cwd=directory)
    except subprocess.TimeoutExpired:
        raise MujocoFailedError(f'it takes longer than {_SECONDS:g} s') from None
    except OSError as error:
        raise MujocoFailedError(str(error)) from None
    if done.returncode:
        last = done.stderr.strip().rpartition('\n')[2]
        raise MujocoFailedError(f'it ended with status {done.returncode}: {last}')
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise MujocoFailedError(f'it printed {done.stdout[:100]!r}') from None


def serve(module: str) -> None:
    """Answer the request on standard input; this is the program of the process."""
    import resource
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most > _MEMORY:  # a lower limit from outside is kept
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    answer = import_module(module).answer
    sys.stdout.write(json.dumps(answer(json.load(sys.stdin))))
