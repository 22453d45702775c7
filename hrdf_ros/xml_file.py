# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""XML files that are not robot descriptions (``package.xml``, ``model.config``, COLLADA)."""

from __future__ import annotations

from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import as_utf8, safe_text, SourceFile


def parse_xml(
    source: SourceFile, report: Report, *, reference: Optional[str] = None,
    large: bool = False,
) -> Any:
    """
    Return the root element, by lxml, or None with the reason in the report.

    Without comments and processing instructions. Nothing is fetched, a DTD with declarations is
    refused, and lxml bounds the depth (256) and the length of a text (10 MB), unless the file is
    ``large``. ``reference`` is the reference implementation's name for an unreadable file.
    """
    from lxml import etree  # 15 ms of a start; few files lead here

    data = as_utf8(source, report, reference)
    if data is None:
        return None
    text = safe_text(source._replace(data=data), report, reference)
    if text is None:
        return None
    parser = etree.XMLParser(
        encoding='utf-8', resolve_entities=False, no_network=True, load_dtd=False,
        huge_tree=large, recover=False, remove_comments=True, remove_pis=True)
    try:
        return etree.fromstring(text, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        report.add(
            codes.XML_SYNTAX, f'not well-formed XML: {error.msg}',
            line_location(source, line or None, column or None), reference=reference)
        return None


def line_location(
    source: SourceFile, line: Optional[int], column: Optional[int] = None,
) -> Location:
    """Return a place in a file, with the include elements that led to the file."""
    included = source.included_from
    chain = () if included is None else (
        included.document.point(included.start), *included.document.chain)
    return Location(source.file, line, column, chain)
