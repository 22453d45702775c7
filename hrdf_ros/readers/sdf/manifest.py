# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Model directories: ``model.config`` names a file for each SDFormat version."""

from __future__ import annotations

import os
from typing import Optional

from hrdf_ros.document import Node, parse, Place
from hrdf_ros.readers.sdf.versions import NEWEST, parse_version, Version
from hrdf_ros.report import Report
from hrdf_ros.resolve import Resolver

_MANIFESTS = ('model.config', 'manifest.xml')


def best_file(
    directory: str, place: Optional[Place], resolver: Resolver, report: Report,
) -> Optional[str]:
    """Return the file of a model directory to read, None with the reason in the report."""
    manifest = next(
        (path for name in _MANIFESTS if os.path.exists(path := os.path.join(directory, name))),
        None)
    if manifest is None:
        report.error(
            'sdf-manifest-missing', f'the directory {directory} has no model.config', place,
            reference='FILE_READ')
        return None
    source = resolver.read(manifest, report, place, reference='PARSING_ERROR')
    root = parse(source, report, reference='PARSING_ERROR') if source is not None else None
    if root is None:
        return None
    named = _best(root, report)
    if named is None:
        report.error(
            'sdf-manifest-invalid', 'the manifest names no file that can be read', root.place,
            hint='write <sdf version="1.12">model.sdf</sdf>', reference='PARSING_ERROR')
        return None
    return os.path.join(directory, named.text.rstrip())


def _best(root: Node, report: Report) -> Optional[Node]:
    """Return the entry of the newest version that can be read, the first where there is none."""
    entries = root.all('sdf') if root.tag == 'model' else []
    best = entries[0] if entries else None
    best_version: Version = (0, 0)
    for entry in entries:
        version = parse_version(entry.get('version') or '') or (0, 0)
        if version > NEWEST:
            report.warning(
                'sdf-manifest-version',
                f'version {entry.get("version")} is newer than 1.12, ignored',
                entry.at('version', 0), reference='WARNING')
        elif version > best_version:
            best, best_version = entry, version
    if best is None or not best.text:
        return None
    if best.get('version') is None:
        report.warning(
            'sdf-manifest-version', 'the manifest does not say of which version the file is',
            best.place, hint='write <sdf version="...">', reference='WARNING')
    return best
