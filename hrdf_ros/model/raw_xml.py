# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read the XML of a RawElement again: its element, and the pose that it has in SDFormat."""

from typing import Optional

from hrdf_ros.diagnostics import Locatable, Report
from hrdf_ros.document import Element, parse, SourceFile, SourceRef, XmlElement
from hrdf_ros.file_reader import TEXT
from hrdf_ros.model import RawElement
from hrdf_ros.pose import IDENTITY, Pose


def parsed(raw: RawElement) -> Optional[XmlElement]:
    """Return the raw XML as an element, or None if it is not well formed."""
    return parsed_as(raw, XmlElement)


def parsed_as(raw: RawElement, element: type[Element]) -> Optional[Element]:
    """Return the raw XML as an element of a class, or None if it is not well formed."""
    return parse(SourceFile(TEXT, raw.text.encode(), encoding='utf-8'), Report(), element)


def as_in_file(raw: RawElement) -> bool:
    """Return whether the raw XML is the text at its place, unlike one that was changed or made."""
    place, data = raw.location, raw.text.encode()
    return isinstance(place, SourceRef) and (
        place.document.well_formed[place.start:place.start + len(data)] == data)


def place_in(place: Optional[Locatable], offset: int) -> Optional[Locatable]:
    """Return the place of what is at an offset (bytes) in the text at another place."""
    return SourceRef(place.document, place.start + offset) if isinstance(place, SourceRef) else (
        place)


def own_pose(part: XmlElement) -> Optional[Pose]:
    """
    Return the pose of an element of SDFormat in its owner.

    The result is None if the pose is relative to a frame that it names, or cannot be read.
    """
    written = part.child('pose')
    if written is None:
        return IDENTITY
    from hrdf_ros.parsing.errors import ValueSyntaxError  # a node, which computes only, needs
    from hrdf_ros.parsing.sdf import boolean, pose  # neither of them
    try:
        return None if written.get('relative_to') else pose(
            written.text, boolean(written.get('degrees') or 'false'),
            written.get('rotation_format') == 'quat_xyzw')
    except ValueSyntaxError:
        return None
