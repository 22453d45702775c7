# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SDFormat versions: which there are, and how they compare (1.10 is newer than 1.9)."""

from __future__ import annotations

import re
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.parsing.suggestions import closest

Version = tuple[int, ...]

KNOWN = (
    '1.0', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '1.8', '1.9', '1.10', '1.11', '1.12')
NEWEST: Version = (1, 12)
_NUMBERS = re.compile(r'[0-9]{1,9}(?:\.[0-9]{1,9})*')


def parse_version(text: str) -> Optional[Version]:
    """Return the numbers of a version, None where it is not dotted numbers."""
    found = _NUMBERS.fullmatch(text.strip())
    return tuple(map(int, text.split('.'))) if found else None


def read_version(sdf: XmlElement, report: Report) -> Optional[Version]:
    """
    Return the version of a file, None where it cannot be read at all.

    A version that nobody knows is an error, but the file is read as one of the newest version,
    as libsdformat does.
    """
    text = sdf.get('version')
    if text is None:
        misspelled = closest('version', sdf.attributes)
        report.add(
            codes.UNKNOWN_VERSION, 'the <sdf> element has no version',
            sdf.attribute_location(misspelled) if misspelled else sdf.location,
            hint="did you mean 'version'?" if misspelled else f'write version="{KNOWN[-1]}"',
            reference='FILE_READ')
        return None
    if text in KNOWN:
        return parse_version(text)
    report.add(
        codes.UNKNOWN_VERSION,
        f"unknown SDFormat version '{text}'",
        sdf.attribute_location('version', 0),
        hint=f'known are {", ".join(KNOWN)}',
        reference='CONVERSION_ERROR',
    )
    return parse_version(text) or NEWEST
