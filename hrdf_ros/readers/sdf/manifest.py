# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Model directories: ``model.config`` names a file for each SDFormat version."""

from __future__ import annotations

import os
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile, SourceRef
from hrdf_ros.readers.sdf.schema.types import NEWEST, parse_version, Version
from hrdf_ros.resolve import Resolver
from hrdf_ros.xml_file import line_location, parse_xml


def best_file(
    directory: str, location: Optional[SourceRef], resolver: Resolver, report: Report,
) -> Optional[str]:
    """Return the file of a model directory to read, None with the reason in the report."""
    manifest = next(
        (path for name in ('model.config', 'manifest.xml')
         if os.path.exists(path := os.path.join(directory, name))), None)
    if manifest is None:
        report.add(
            codes.SDF_MANIFEST_MISSING, f'the directory {directory} has no model.config', location)
        return None
    source = resolver.read(manifest, report, location, reference='PARSING_ERROR')
    root = parse_xml(source, report, reference='PARSING_ERROR') if source is not None else None
    if source is None or root is None:
        return None
    named = _best(root, source, report)
    if named is None:
        report.add(
            codes.SDF_MANIFEST_INVALID, 'the manifest names no file that can be read',
            line_location(source, root.sourceline),
            hint='write <sdf version="1.12">model.sdf</sdf>')
        return None
    return os.path.join(directory, named)


def _best(root: Any, source: SourceFile, report: Report) -> Optional[str]:
    """Return the file of the newest version that can be read, the first where there is none."""
    entries = root.findall('sdf') if root.tag == 'model' else []
    best = entries[0] if entries else None
    best_version: Version = (0, 0)
    for entry in entries:
        version = parse_version(entry.get('version') or '') or (0, 0)
        if version > NEWEST:
            report.add(
                codes.SDF_MANIFEST_VERSION,
                f'version {entry.get("version")} is newer than 1.12, ignored',
                line_location(source, entry.sourceline))
        elif version > best_version:
            best, best_version = entry, version
    file = '' if best is None else (best.text or '').strip()
    if best is None or not file:
        return None
    if best.get('version') is None:
        report.add(
            codes.SDF_MANIFEST_VERSION, 'the manifest does not say of which version the file is',
            line_location(source, best.sourceline), hint='write <sdf version="...">')
    return file
