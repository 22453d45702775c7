# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
XML made safe and located.

One pass of expat turns the bytes into plain nodes that know the byte at which they start; lines
and columns are worked out from the bytes only when a finding is shown. Entity declarations are
refused, nothing external is ever opened, and the depth of elements is bounded. Names keep their
prefix as written: these formats use prefixes, not namespaces.
"""

from hrdf_ros.document.builder import parse, root_element
from hrdf_ros.document.limits import limit, Limits
from hrdf_ros.document.nodes import Node
from hrdf_ros.document.places import Document, Place, Source

__all__ = [
    'Document', 'limit', 'Limits', 'Node', 'parse', 'Place', 'root_element', 'Source']
