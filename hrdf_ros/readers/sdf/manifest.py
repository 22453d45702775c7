# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Model directories: ``model.config`` names a file for each SDFormat version."""

from __future__ import annotations

import os
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceRef, XmlElement
from hrdf_ros.readers.sdf.schema.types import NEWEST, parse_version, Version
from hrdf_ros.resolve import Resolver

_MANIFESTS = ('model.config', 'manifest.xml')


def best_file(
    directory: str, location: Optional[SourceRef], resolver: Resolver, report: Report,
) -> Optional[str]:
    """Return the file of a model directory to read, None with the reason in the report."""
    manifest = next(
        (path for name in _MANIFESTS if os.path.exists(path := os.path.join(directory, name))),
        None)
    if manifest is None:
        report.add(
            codes.SDF_MANIFEST_MISSING, f'the directory {directory} has no model.config', location)
        return None
    source = resolver.read(manifest, report, location, reference='PARSING_ERROR')
    root = parse(source, report, reference='PARSING_ERROR') if source is not None else None
    if root is None:
        return None
    named = _best(root, report)
    if named is None:
        report.add(
            codes.SDF_MANIFEST_INVALID,
            'the manifest names no file that can be read',
            root.location,
            hint='write <sdf version="1.12">model.sdf</sdf>',
        )
        return None
    return os.path.join(directory, named.text.rstrip())


def _best(root: XmlElement, report: Report) -> Optional[XmlElement]:
    """Return the entry of the newest version that can be read, the first where there is none."""
    entries = root.all('sdf') if root.tag == 'model' else []
    best = entries[0] if entries else None
    best_version: Version = (0, 0)
    for entry in entries:
        version = parse_version(entry.get('version') or '') or (0, 0)
        if version > NEWEST:
            report.add(
                codes.SDF_MANIFEST_VERSION,
                f'version {entry.get("version")} is newer than 1.12, ignored',
                entry.attribute_location('version', 0))
        elif version > best_version:
            best, best_version = entry, version
    if best is None or not best.text:
        return None
    if best.get('version') is None:
        report.add(
            codes.SDF_MANIFEST_VERSION, 'the manifest does not say of which version the file is',
            best.location, hint='write <sdf version="...">')
    return best
