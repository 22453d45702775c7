# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Note the parts of a COLLADA file that pycollada and trimesh leave out without a word."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
import re
from traceback import walk_tb
from typing import Any

_SKIN = re.compile(rb'<(?:\w+:)?instance_controller\b')
"""The place of a skinned geometry, which trimesh leaves out."""
_CURVE = re.compile(rb'<geometry\b[^>]*\bid="([^"]*)"[^>]*>\s*<spline')
"""The name of a geometry that is a curve, which pycollada does not know."""
_GEOMETRY = frozenset({
    'collada.geometry', 'collada.polylist', 'collada.primitive', 'collada.scene', 'collada.source',
    'collada.triangleset'})
"""The modules that read what is drawn."""
_LOOKS = re.compile(
    'Camera|Incorrect target|Invalid url in (?:camera|light)|Light|Material|Unknown')
"""The beginnings of messages about what has no triangles."""


@contextmanager
def lost_geometry(file: str) -> Iterator[list[str]]:
    """Collect why parts of a file are lost while it is read, if it is a COLLADA file."""
    lost: list[str] = []
    if not file.lower().endswith('.dae'):
        yield lost
        return
    content = Path(file).read_bytes()
    if _SKIN.search(content):
        lost.append('skins are not read')
    curves = {f'Geometry #{name.decode(errors="replace")} not found in library'
              for name in _CURVE.findall(content)}
    reader: Any = import_module('collada').Collada
    handle = reader.handleError

    def note_and_handle(document: Any, error: Exception) -> None:
        modules = {frame.f_globals['__name__'] for frame, _ in walk_tb(error.__traceback__)}
        message = str(error).removeprefix(f'{type(error).__name__}: ')
        read = {name for name in modules if name.startswith('collada.')} - {'collada.common'}
        if read and read <= _GEOMETRY and not _LOOKS.match(message) and message not in curves:
            lost.append(message)
        handle(document, error)

    reader.handleError = note_and_handle
    try:
        yield lost
    finally:
        reader.handleError = handle
