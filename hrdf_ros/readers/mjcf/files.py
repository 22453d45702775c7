# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""One MJCF document: parsed, its ``<include>``s replaced by what they name, and valid."""

from collections.abc import Sequence
import os
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.mjcf.schema import SCHEMA
from hrdf_ros.readers.schema import TypedElement


def read_document(source: SourceFile, context: Context) -> Optional[TypedElement]:
    """Return the root of a file with everything it includes, None with the reason reported."""
    root = parse(source, context.report, TypedElement)
    if root is None or not SCHEMA.is_root(root, context.report):
        return None
    if not _Includes(source.file, context).expand(root):
        return None
    return root if SCHEMA.validate(root, context.report) else None


class _Includes:
    """Replaces the ``<include>``s of one document; MuJoCo includes each file at most once."""

    def __init__(self, file: str, context: Context) -> None:
        self._main = file
        self._context = context
        self._included = {os.path.normpath(file)}

    def expand(self, root: TypedElement) -> bool:
        """Replace every include below an element; return whether all could be read."""
        ok = True
        pending = [root]
        while pending:
            element = pending.pop()
            if any(child.tag == 'include' for child in element.children):
                children: list[TypedElement] = []
                for child in element.children:
                    found = self._content(child) if child.tag == 'include' else [child]
                    ok = ok and found is not None
                    children += found or ()
                element.children = children
                pending.append(element)
            else:
                pending += element.children
        return ok

    def _content(self, include: TypedElement) -> Optional[Sequence[TypedElement]]:
        """Return the children of an included file's root, None with the reason reported."""
        report, resolver = self._context.report, self._context.resolver
        name = include.get('file')
        if name is None:
            report.add(
                codes.MISSING_ATTRIBUTE, "<include> is missing the required attribute 'file'",
                include.location)
            return None
        if include.children:
            report.add(
                codes.UNKNOWN_ELEMENT, f'<{include.children[0].tag}> is not allowed in <include>',
                include.children[0].location, severity='error')
            return None
        location = include.attribute_location('file', 0)
        file = (resolver.find(name, self._main) or resolver.find(name, include.document.file)
                or os.path.join(os.path.dirname(self._main), name))
        if os.path.normpath(file) in self._included:
            report.add(codes.INCLUDE_CYCLE, f"file '{name}' is already included", location)
            return None
        self._included.add(os.path.normpath(file))
        source = resolver.read(file, report, location)
        root = None if source is None else parse(source, report, TypedElement)
        if root is not None and not root.children:
            report.add(codes.MISSING_ELEMENT, 'an included file has no elements', root.location)
        return root.children if root is not None and root.children else None
