# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The pairs of links that an SRDF says need no collision check."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

from hrdf_ros import codes
from hrdf_ros.data_files import line_location, parse_xml
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.lowering.contacts import Pair


def disabled_pairs(source: SourceFile, links: Collection[str], report: Report) -> tuple[Pair, ...]:
    """
    Return the pairs of ``<disable_collisions>`` and ``<disable_default_collisions>``.

    ``links`` are the names of the robot's links. ``<enable_collisions>`` removes pairs from the
    defaults. A file that is not an SRDF, and a link that the robot lacks, are reported.
    """
    root = parse_xml(source, report)
    if root is None:
        return ()
    if root.tag != 'robot':
        report.add(
            codes.UNKNOWN_FORMAT, f'an SRDF has the root element <robot>, not <{root.tag}>',
            line_location(source, root.sourceline))
        return ()
    found: dict[frozenset[str], None] = {}
    for element in root.iter('disable_default_collisions'):
        link = element.get('link', '')
        found.update(dict.fromkeys(frozenset((link, other)) for other in links if other != link))
    for element in root.iter('enable_collisions'):
        found.pop(frozenset((element.get('link1'), element.get('link2'))), None)
    found.update(dict.fromkeys(
        frozenset((element.get('link1', ''), element.get('link2', '')))
        for element in root.iter('disable_collisions')))
    unknown = {name for pair in found for name in pair} - set(links)
    for element in root.iter('disable_default_collisions', 'disable_collisions'):
        for attribute in ('link', 'link1', 'link2'):
            name = element.get(attribute)
            if name in unknown:
                unknown.remove(name)
                report.add(
                    codes.CONTACT_EXCLUDED, f"the robot has no link '{name}'; ignored",
                    line_location(source, element.sourceline))
    return tuple(
        (first, second) for pair in found if len(pair) == 2
        for first, second in combinations(sorted(pair), 2) if {first, second} <= set(links))
