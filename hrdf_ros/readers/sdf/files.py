# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""One file: parsed, of a known version, upgraded to the newest one and valid in its grammar."""

from __future__ import annotations

from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, XmlElement
from hrdf_ros.readers.sdf.grammar import validate
from hrdf_ros.readers.sdf.nodes import ours, take_attribute
from hrdf_ros.readers.sdf.upgrade import upgrade
from hrdf_ros.readers.sdf.value_paths import VALUE_PATHS
from hrdf_ros.readers.sdf.versions import read_version, Version


class File(NamedTuple):
    """An ``<sdf>`` element in the newest version, and the version that the file was written in."""

    sdf: XmlElement
    version: Version


def read_file(source: SourceFile, report: Report, *, strict_names: bool = False) -> Optional[File]:
    """
    Return a file, None where it cannot be used; with ``strict_names`` no name may contain ``::``.

    Each included file is upgraded from its own version (composition proposal 1.1).
    """
    sdf = parse(
        source, report, value_paths=VALUE_PATHS, reference='FILE_READ', ends_early=True)
    if sdf is None:
        return None
    if sdf.tag != 'sdf':
        report.add(
            codes.UNKNOWN_FORMAT, f'the root element is <{sdf.tag}>, not <sdf>', sdf.location,
            hint='SDF 1.0 and 1.1 files begin with <gazebo>: convert them with an old gz sdf'
            if sdf.tag == 'gazebo' else None, reference='PARSING_ERROR')
        return None
    version = read_version(sdf, report)
    if version is None:
        return None
    _check_stray(sdf, report)
    _check_top_pose(sdf, report)
    upgrade(sdf, version, report)
    validate(sdf, report)
    if strict_names or version >= (1, 8):
        _check_delimiters(sdf, report)
    return File(sdf, version)


def _check_stray(sdf: XmlElement, report: Report) -> None:
    """Report text that is not read, and processing instructions, which libsdformat refuses."""
    for location in sdf.document.stray:
        if sdf.document.data.startswith(b'<?', location.start):
            report.add(
                codes.SDF_PROCESSING_INSTRUCTION, 'a processing instruction stands in an element',
                location)
        else:
            report.add(
                codes.STRAY_TEXT, 'this text is not read', location,
                hint='a value is the first text in its element and ends at a comment')


def _check_top_pose(sdf: XmlElement, report: Report) -> None:
    """Refuse a pose of a top-level model that is relative to something: nothing is around it."""
    model = sdf.child('model')
    pose = model.child('pose') if model is not None else None
    if pose is not None and pose.get('relative_to'):
        report.add(
            codes.SDF_TOP_POSE_RELATIVE,
            'the pose of a top-level model must not be relative to a frame',
            pose.attribute_location('relative_to', 0).resolve())
        take_attribute(pose, 'relative_to')


def _check_delimiters(sdf: XmlElement, report: Report) -> None:
    """Refuse ``::`` in names (SDF 1.8, composition proposal 1.3.1), but for what others own."""
    data = sdf.document.data
    if b'::' not in data and b'&#' not in data:
        return
    for node in ours(sdf):
        name = node.get('name') or ''
        if '::' in name:
            report.add(
                codes.SDF_DELIMITER_IN_NAME,
                f"the name '{name}' contains '::'",
                node.attribute_location('name', 0),
                hint="'::' leads into nested models; rename the element",
            )
