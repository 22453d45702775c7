# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read files: parse, find the version, upgrade to the newest version, validate by the schema.

``SdfContext`` is the state of reading one file with everything that it includes.
"""

from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.document import parse, SourceFile, SourceRef
from hrdf_ros.formats import NEWEST_SDF, parse_version, sdf_has, Version
from hrdf_ros.parsing.suggestions import closest, did_you_mean
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import sdf_elements, take_attribute
from hrdf_ros.readers.sdf.schema import SCHEMA, VALUE_PATHS
from hrdf_ros.readers.sdf.schema.types import KNOWN
from hrdf_ros.readers.sdf.scopes import Draft
from hrdf_ros.readers.sdf.upgrade import upgrade

_ORDER = {codes.SDF_TOP_POSE_RELATIVE.name: 0, codes.SDF_DELIMITER_IN_NAME.name: 2}


class SdfContext(NamedTuple):
    """
    The state of one reading, with its diagnostics in the order of libsdformat's phases.

    ``syntax`` is about parsing (phases 1 and 2 of the composition proposal), which libsdformat
    does element by element with the includes in between; ``semantics`` is about names, frames
    and joints, and is the report of ``reading``. ``missing`` are the includes without a file, each
    with the scope around it and its diagnostics. They are errors only where the wanted model needs
    them.
    """

    reading: Context
    syntax: Report
    semantics: Report
    missing: list[tuple[Draft, Report]]


def outermost(found: Diagnostic) -> tuple[int, int, int]:
    """
    Return a key that sorts diagnostics by their place in the outermost file.

    The place of a diagnostic in an included file is that of the include. Diagnostics about the
    pose of a top-level model come first, because libsdformat looks at that first. Those about
    delimiters in names come last: libsdformat looks for them only if a file is otherwise correct.
    """
    order = _ORDER.get(found.code, 1)
    at = found.resolve()
    if at is None:
        return order, 0, 0
    outer = at.included_from[-1] if at.included_from else at
    return order, outer.line or 0, outer.column or 0


# ---- files

class SdfFile(NamedTuple):
    """An ``<sdf>`` element or a part of it in the newest version, and the file's version."""

    root: TypedElement
    version: Version


def read_file(
    source: SourceFile, report: Report, *, strict_names: bool = False,
) -> Optional[SdfFile]:
    """
    Return a file, None where it cannot be used; with ``strict_names`` no name may contain ``::``.

    Each included file is upgraded from its own version (composition proposal 1.1).
    """
    start = _leading_text(source.data)
    if start is not None:
        blank = b' ' * source.data.index(b'<')
        source = source._replace(data=blank + source.data[len(blank):])
    root = parse(
        source, report, TypedElement, value_paths=VALUE_PATHS, reference='FILE_READ',
        ends_early=True)
    if root is None:
        return None
    if start is not None:
        report.add(
            codes.XML_RECOVERED, 'text before the root element; ignored',
            SourceRef(root.document, start))
    if root.tag != 'sdf':
        report.add(
            codes.UNKNOWN_FORMAT, f'the root element is <{root.tag}>, not <sdf>', root.location,
            hint='SDF 1.0 and 1.1 files begin with <gazebo>: convert them with an old gz sdf'
            if root.tag == 'gazebo' else did_you_mean(root.tag, ['sdf']),
            reference='PARSING_ERROR')
        return None
    version = _read_version(root, report)
    if version is None:
        return None
    _check_stray(root, report)
    return checked_file(root, version, report, strict_names=strict_names)


def _leading_text(data: bytes) -> Optional[int]:
    """Return where text before the first element starts, which tinyxml2 skips, or None."""
    text = data[:max(data.find(b'<'), 0)].removeprefix(b'\xef\xbb\xbf').strip()
    return data.index(text) if text and b'\0' not in text else None


def checked_file(
    root: TypedElement, version: Version, report: Report, *, strict_names: bool = False,
) -> SdfFile:
    """Return an ``<sdf>`` element of any version as a file, upgraded and checked."""
    _drop_top_reference(root, report)
    upgrade(root, version, report)
    SCHEMA.validate(root, report)
    if b'<![CDATA[' in root.document.data:
        _keep_white_space(root)
    if strict_names or sdf_has(version, 'nested_names'):
        _check_delimiters(root, report)
    return SdfFile(root, version)


def _keep_white_space(root: TypedElement) -> None:
    """Restore white space in CDATA sections, which tinyxml2 does not collapse."""
    for element in sdf_elements(root):
        if isinstance(element.value, str) and '<![CDATA[' in element.raw():
            element.value = element.text.rstrip()


def _read_version(sdf: TypedElement, report: Report) -> Optional[Version]:
    """
    Return the version of a file, None where it has none.

    An unknown version is an error, but such a file is read as one of the newest version, as
    libsdformat does.
    """
    text = sdf.get('version')
    if text is None:
        misspelled = closest('version', sdf.attributes)
        report.add(
            codes.UNKNOWN_VERSION, 'the <sdf> element has no version',
            sdf.attribute_location(misspelled) if misspelled else sdf.location,
            hint="did you mean 'version'?" if misspelled else f'write version="{KNOWN[-1]}"',
            fix=None if misspelled else sdf.location.version_fix(KNOWN[-1], is_safe=False),
            reference='FILE_READ')
        return None
    if text not in KNOWN:
        report.add(
            codes.UNKNOWN_VERSION, f"unknown SDFormat version '{text}'",
            sdf.attribute_location('version', 0), hint=f'known are {", ".join(KNOWN)}',
            reference='CONVERSION_ERROR')
    return parse_version(text) or NEWEST_SDF.number


def _check_stray(root: TypedElement, report: Report) -> None:
    """Report text that is not read, and processing instructions, which libsdformat refuses."""
    for location in root.document.stray:
        if root.document.data.startswith(b'<?', location.start):
            report.add(
                codes.SDF_PROCESSING_INSTRUCTION,
                'a processing instruction is not allowed in an element', location)
        else:
            report.add(
                codes.STRAY_TEXT, 'text is not allowed here; ignored', location,
                hint='a value is the first text in its element and ends at a comment')


def _drop_top_reference(root: TypedElement, report: Report) -> None:
    """
    Report a top-level model whose pose is relative to a frame: no frame is around it.

    The reference is removed before the file is upgraded and validated, which would report it
    again.
    """
    model = root.child('model')
    pose = model.child('pose') if model is not None else None
    if pose is not None and pose.get('relative_to'):
        report.add(
            codes.SDF_TOP_POSE_RELATIVE,
            'the pose of a top-level model must not be relative to a frame',
            pose.attribute_location('relative_to', 0).resolve())
        take_attribute(pose, 'relative_to')


def _check_delimiters(root: TypedElement, report: Report) -> None:
    """Refuse ``::`` in names (SDF 1.8, composition proposal 1.3.1) except in foreign elements."""
    data = root.document.data
    if b'::' not in data and b'&#' not in data:
        return
    for element in sdf_elements(root):
        name = element.get('name') or ''
        if '::' in name:
            report.add(
                codes.SDF_DELIMITER_IN_NAME, f"the name '{name}' contains '::'",
                element.attribute_location('name', 0),
                hint="'::' leads into nested models; rename the element")
