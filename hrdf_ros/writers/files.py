# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Model -> file, in the format that its suffix names, replaced in one step."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
import os
import stat
from typing import Any, Optional, Union

from hrdf_ros.diagnostics import Report
from hrdf_ros.load_result import require_model
from hrdf_ros.model import Model

Writer = Callable[..., tuple[str, Report]]
_FORMATS = {'.urdf': 'urdf', '.sdf': 'sdf', '.world': 'sdf', '.dot': 'dot', '.gv': 'dot'}

SUFFIXES = tuple(_FORMATS)


def write(model: Model, path: Union[str, os.PathLike[str]], **options: Any) -> Report:
    """
    Write a Model to a file and return what the format cannot express.

    The suffix of ``path`` names the format: ``.urdf``, ``.sdf``, ``.world``, ``.dot``, ``.gv``;
    another is a ValueError. ``options`` are those of ``write_urdf``, ``write_sdf`` or
    ``write_dot``. With errors in the report nothing is written. The file is replaced when its text
    is complete and keeps its mode; an OSError leaves the old file as it was.
    """
    require_model(model, 'write')
    file = os.fspath(path)
    name = format_of(file)
    if name is None:
        raise ValueError(
            f"'{file}' has none of the suffixes {', '.join(_FORMATS)}, which name the format")
    writer: Writer = getattr(import_module(f'hrdf_ros.writers.{name}'), f'write_{name}')
    text, report = writer(model, **options)
    if report.ok:
        replace_file(file, text.encode('utf-8'))
    return report


def format_of(file: str) -> Optional[str]:
    """Return the format that the suffix of a file to be written names, None for another."""
    return _FORMATS.get(os.path.splitext(file)[1].lower())


def replace_file(file: str, data: bytes) -> None:
    """Replace the content of a file in one step; symbolic links are followed, the mode kept."""
    if os.path.exists(file) and not os.path.isfile(file):
        with open(file, 'wb') as stream:  # a device or pipe
            stream.write(data)
        return
    try:
        _replace(os.path.realpath(file), data)
    except OSError as error:
        error.filename = file  # as the user calls it; what failed may be the temporary one
        error.filename2 = None
        raise
    except ValueError:
        raise ValueError(f'no file can have the name {file!r}') from None


def _replace(file: str, data: bytes) -> None:
    temporary = os.path.join(os.path.dirname(file), f'.hrdf-{os.urandom(8).hex()}.tmp')
    stream = open(temporary, 'xb')
    try:
        with stream:
            if os.path.exists(file):
                os.fchmod(stream.fileno(), stat.S_IMODE(os.stat(file).st_mode))
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, file)
    except BaseException:
        os.unlink(temporary)
        raise
