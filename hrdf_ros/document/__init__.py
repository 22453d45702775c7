# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read XML safely, with the location of everything in it.

One pass of expat turns the bytes into plain nodes, which know the byte at which they start. Lines
and columns are only computed from the bytes when a diagnostic is shown. Declarations in a DTD are
refused, nothing external is ever opened, and the depth of elements is limited. Names keep their
prefixes as written: these formats use prefixes, not namespaces.
"""

from hrdf_ros.document.parser import Element, parse, parse_again, XmlElement
from hrdf_ros.document.prolog import as_utf8, root_element, safe_text
from hrdf_ros.document.source import Document, SourceFile, SourceRef, ValuePaths
from hrdf_ros.document.tokenizer import escape, start_tag

__all__ = [
    'as_utf8', 'Document', 'Element', 'escape', 'parse', 'parse_again', 'root_element',
    'safe_text', 'SourceFile', 'SourceRef', 'start_tag', 'ValuePaths', 'XmlElement']
