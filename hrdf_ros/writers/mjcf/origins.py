# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The places of the source from which the elements of a written document were made."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.diagnostics import Locatable
from lxml import etree


class Origins:
    """Remembers places of the source by element, until the document is text."""

    def __init__(self) -> None:
        self._of: dict[etree._Element, Locatable] = {}

    def mark(self, made: etree._Element, *locations: Optional[Locatable]) -> etree._Element:
        """Return an element, and note that the first known location made it."""
        for location in locations:
            if location is not None:
                self._of[made] = location
                break
        return made

    def by_line(self, root: etree._Element, text: str) -> dict[int, Locatable]:
        """
        Return the place of the source for each line of a document on which an element begins.

        ``text`` is the document of ``root``, in which raw elements are unchanged. An element that
        was not marked has the place of the element around it.
        """
        parser = etree.XMLParser(huge_tree=True)
        found: dict[int, Locatable] = {}
        pending = [(root, etree.fromstring(text.encode(), parser), self._of.get(root))]
        while pending:
            made, parsed, around = pending.pop()
            location = self._of.get(made, around)
            for each in parsed.iter() if made.tag is etree.PI else (parsed,):
                if location is not None:
                    found.setdefault(each.sourceline, location)
            pending += [(child, other, location) for child, other in zip(made, parsed)]
        return found
