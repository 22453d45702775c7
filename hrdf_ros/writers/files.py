# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Model -> file, in the format that its suffix names, replaced in one step."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
import os
from typing import Any, Optional, Union

from hrdf_ros.diagnostics import Report
from hrdf_ros.file_writer import replace_file
from hrdf_ros.load_result import require_model
from hrdf_ros.model import Model

Writer = Callable[..., tuple[str, Report]]
_FORMATS = {
    '.urdf': 'urdf', '.sdf': 'sdf', '.world': 'sdf', '.xml': 'mjcf',
    '.mjcf': 'mjcf', '.dot': 'dot', '.gv': 'dot'}

SUFFIXES = tuple(_FORMATS)


def write(model: Model, path: Union[str, os.PathLike[str]], **options: Any) -> Report:
    """
    Write a Model to a file and return what the format cannot express.

    The suffix of ``path`` names the format: ``.urdf``, ``.sdf``, ``.world``, ``.xml`` and
    ``.mjcf`` (MJCF), ``.dot``, ``.gv``; another is a ValueError. ``options`` are those of
    ``write_urdf``, ``write_sdf``, ``write_mjcf`` or ``write_dot``. With errors in the report
    nothing is written. The file is replaced when its text is complete and keeps its mode; an
    OSError leaves the old file as it was.

    >>> from hrdf_ros import load_model, write
    >>> write(load_model('examples/hrdf/arm_6dof.hrdf'), '/tmp/arm.urdf').ok
    True
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
