# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Add blocks from a file of the user to a URDF."""

from __future__ import annotations

from collections.abc import Sequence

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.lowering.changes import with_blocks
from hrdf_ros.model import Model
from hrdf_ros.readers.urdf.reader import check_references
from hrdf_ros.writers.xml import with_prefixes


def blocks(extra: SourceFile, model: Model, report: Report) -> tuple[str, ...]:
    """
    Return the elements in the root of a file, to the byte; a root not ``<robot>`` is one.

    A link or joint whose name the Model or the file has already is reported and left out; names
    in the elements of other programs that neither has are reported.
    """
    root = parse(extra, report)
    if root is None:
        return ()
    taken = dict.fromkeys([
        *(('link', body.name) for body in model.bodies),
        *(('joint', joint.name) for joint in model.joints)])
    added = []
    for element in root.children if root.tag == 'robot' else [root]:
        key = element.tag, element.get('name') or ''
        if key in taken:
            report.add(
                codes.DUPLICATE_NAME, f"duplicate <{key[0]}> '{key[1]}'",
                element.attribute_location('name', 0), hint='rename one of them')
            continue
        if key[0] in ('link', 'joint'):
            taken[key] = None
        added.append(element)
    names = {
        kind: [name for of, name in taken if of == kind] for kind in ('link', 'joint')}
    check_references(added, names['link'], names['joint'], report)
    return tuple([element.raw() for element in added])


def merge(urdf: str, added: Sequence[str]) -> str:
    """
    Return the URDF with the elements added before its end tag, all else to the byte.

    Its root declares the prefixes of the elements, as far as it does not yet.
    """
    return with_blocks(urdf, added, with_prefixes) if added else urdf
