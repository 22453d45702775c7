# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
xacro files, expanded by the ``xacro`` library where it is installed.

Expanding evaluates expressions and reads files that the text names, wherever they are; it is
refused where reading is limited to allowed roots.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import parse, root_element, SourceFile
from hrdf_ros.resolve import Resolver, TEXT

_MARKS = (b'<xacro:', b'${', b'$(')


def is_xacro(source: SourceFile) -> bool:
    """Tell whether a source must be expanded; expanded files often keep the namespace."""
    if source.file.lower().endswith('.xacro'):
        return True
    if b'xmlns:xacro' not in source.data or not any(mark in source.data for mark in _MARKS):
        return False
    root = root_element(source)
    return root is not None and 'xmlns:xacro' in root[1]


def expanded(source: SourceFile, resolver: Resolver, report: Report) -> Optional[SourceFile]:
    """Return the expanded text, under a name that tells it from the file, or None."""
    at = Location(source.file, 1, 1)
    if parse(source, report) is None:
        return None
    if resolver.roots is not None:
        report.add(
            codes.XACRO_REFUSED, 'a xacro file may read any file, so it is not expanded where '
            'reading is limited', at, hint='expand it before: xacro FILE')
        return None
    try:
        library = import_module('xacro')
    except ImportError:
        report.add(
            codes.XACRO_MISSING,
            'this is a xacro file, and the xacro library is not installed',
            at,
            hint='pip install xacro, or install the ROS package xacro',
        )
        return None
    text = _expand(library, source, resolver, report)
    return None if text is None else SourceFile(
        f'{source.file} (expanded)', text.encode('utf-8'), source.included_from, source.limits,
        'utf-8')


def _expand(
    library: ModuleType, source: SourceFile, resolver: Resolver, report: Report,
) -> Optional[str]:
    library.all_includes.clear()
    library.init_stacks(None if source.file == TEXT else source.file)
    try:
        document = library.parse(source.data.decode('utf-8'))
        library.process_doc(document)
        text: str = document.toprettyxml(indent='  ')
    except Exception as error:  # noqa: BLE001 - the file's own expressions may raise anything
        report.add(codes.XACRO_FAILED, f'xacro cannot expand this file: {error}', Location(
            source.file, 1, 1))
        return None
    if len(text) > resolver.limits.file_bytes:
        report.add(
            codes.FILE_TOO_LARGE,
            f'the expanded text is larger than {resolver.limits.file_bytes} bytes',
            Location(source.file, 1, 1),
        )
        return None
    resolver.files.extend(
        file for file in library.all_includes if file not in resolver.files)
    return text
