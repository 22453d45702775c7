# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Lower a Model to one that a target can express: TF, URDF, SDFormat or MJCF.

Features that the target lacks are replaced by the nearest ones and reported: joints of several
axes become chains, loops are cut, shapes are replaced, names are made unique, roots are added.
The writers print the result.
"""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.extension_names import rename_in_extensions
from hrdf_ros.lowering.gazebo_blocks import with_gazebo_blocks
from hrdf_ros.lowering.mjcf import lower_to_mjcf
from hrdf_ros.lowering.moved_raws import with_names_once
from hrdf_ros.lowering.sdf import lower_to_sdf
from hrdf_ros.lowering.target import GeneratedMesh, LowerResult, Target
from hrdf_ros.lowering.tree import lower_to_tree
from hrdf_ros.lowering.urdf import lower_to_urdf
from hrdf_ros.model import Model
from hrdf_ros.topology import span, Topology

_FIXED = ('fixed', 'weld')
"""The types of joints without motions, in the words of the formats."""


def lower(model: Model, target: Target) -> LowerResult:
    """Return the Model as the target can express it; lowering the result again changes nothing."""
    report, notes = Report(), GroupedDiagnostics(model.location)
    meshes: tuple[GeneratedMesh, ...] = ()
    topology: Optional[Topology] = None
    notes.about(
        codes.DETAIL_NOT_REPRESENTABLE, 'these joints are fixed by their type and move, as their '
        'motions say', *(
            joint for joint in model.joints if joint.motions and joint.type in _FIXED))
    if target.kind == 'sdf':
        model = with_gazebo_blocks(model, notes)
        lowered = with_names_once(lower_to_sdf(model, target, notes), notes)
    elif target.kind == 'urdf':
        lowered, meshes = lower_to_urdf(model, target, notes, report)
    elif target.kind == 'mjcf':
        lowered, topology, meshes = lower_to_mjcf(model, target, notes, report)
    else:
        lowered = lower_to_tree(model, target, notes, report)
    if target.holders:
        lowered = rename_in_extensions(model, lowered, target, notes)
    notes.into(report)
    return LowerResult(lowered, topology or span(lowered), report, meshes)
