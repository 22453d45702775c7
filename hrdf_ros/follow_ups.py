# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""One cause, one diagnostic: what follows from a misspelled element is not said again."""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Misspelled, Report

_OF_NAMES = frozenset(code.name for code in (
    codes.JOINT_CHILD_UNKNOWN, codes.JOINT_PARENT_UNKNOWN, codes.MIMIC_INVALID,
    codes.SDF_ATTACHED_TO_UNKNOWN, codes.SDF_CANONICAL_LINK_UNKNOWN,
    codes.SDF_EXPRESSED_IN_UNKNOWN, codes.SDF_GEARBOX_REFERENCE, codes.SDF_MIMIC_IGNORED,
    codes.SDF_PLACEMENT_FRAME_UNKNOWN, codes.SDF_RELATIVE_TO_UNCHECKED,
    codes.SDF_RELATIVE_TO_UNKNOWN, codes.SKEL_JOINT_DISCARDED, codes.URDF_NAME_UNKNOWN,
    codes.URDF_UNKNOWN_MATERIAL))
"""They quote a name that nothing has."""
_OF_TAGS = {
    codes.BODY_DISCONNECTED.name: 'joint', codes.INERTIA_WITHOUT_SHAPE.name: 'geometry',
    codes.SDF_INCLUDE_WITHOUT_MODEL.name: 'model', codes.SDF_MODEL_WITHOUT_LINK.name: 'link',
    codes.SDF_NO_MODEL.name: 'model', codes.SKEL_BODY_DROPPED.name: 'joint',
    codes.SKEL_ORPHAN_BODY.name: 'joint', codes.URDF_NOT_A_TREE.name: 'joint'}
"""They say that there is no element with the tag."""


def fold_follow_ups(report: Report) -> None:
    """
    Remove the diagnostics that a misspelled element explains.

    Where one of them is an error, the diagnostic of the misspelled element is one in its place,
    with its reference: what was refused stays refused.
    """
    for cause in report.misspelled:
        followers = [found for found in report if _follows(found, cause)]
        if followers:
            report.diagnostics = [
                _blamed(found, followers) if _is_of(found, cause) else found
                for found in report if found not in followers]
    report.misspelled.clear()


def _follows(found: Diagnostic, cause: Misspelled) -> bool:
    if found.code == codes.SDF_NOT_CONVERTED.name:
        return found.location == cause.location
    return _OF_TAGS.get(found.code) == cause.meant or (
        found.code in _OF_NAMES and cause.name != '' and f"'{cause.name}'" in found.message)


def _is_of(found: Diagnostic, cause: Misspelled) -> bool:
    return found.code == codes.UNKNOWN_ELEMENT.name and found.location == cause.location


def _blamed(cause: Diagnostic, followers: list[Diagnostic]) -> Diagnostic:
    """Return the diagnostic of a misspelled element, as severe as what follows from it."""
    error = next((found for found in followers if found.severity == 'error'), None)
    if error is None or cause.severity == 'error':
        return cause
    return cause._replace(
        severity='error', message=cause.message.removesuffix('; ignored'),
        reference=error.reference)
