# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""One cause, one diagnostic: what follows from a misspelled element is not said again."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
import re
from typing import Optional

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
    codes.MISSING_ELEMENT.name: 'world', codes.SDF_INCLUDE_WITHOUT_MODEL.name: 'model',
    codes.SDF_MODEL_WITHOUT_LINK.name: 'link',
    codes.SDF_NO_MODEL.name: 'model', codes.SKEL_BODY_DROPPED.name: 'joint',
    codes.SKEL_ORPHAN_BODY.name: 'joint', codes.URDF_NOT_A_TREE.name: 'joint'}
"""They say that there is no element with the tag."""
_QUOTED = re.compile("'([^']*)'")
_KEYS = attrgetter('meant'), attrgetter('name'), attrgetter('location')


def fold_follow_ups(report: Report) -> None:
    """
    Remove the diagnostics that a misspelled element explains.

    Where one of them is an error, the diagnostic of the misspelled element is one in its place,
    with its reference: what was refused stays refused.
    """
    if report.misspelled:
        causes = _Causes(report.misspelled)
        followers: dict[Optional[Misspelled], list[Diagnostic]] = {}
        left = []
        for found in report:
            cause = causes.of(found)
            if cause is None:
                left.append(found)
            else:
                followers.setdefault(cause, []).append(found)
        report.diagnostics = [
            _blamed(found, followers.get(causes.at(found), [])) for found in left]
        report.misspelled.clear()


class _Causes:
    """Misspelled elements by what their absence leads to; of several the first in the file."""

    def __init__(self, misspelled: Sequence[Misspelled]) -> None:
        self._by_tag, self._by_name, self._by_location = (
            {key(cause): cause for cause in reversed(misspelled)} for key in _KEYS)

    def of(self, found: Diagnostic) -> Optional[Misspelled]:
        """Return the element whose absence explains a diagnostic, None where nothing does."""
        if found.code == codes.SDF_NOT_CONVERTED.name:
            return self._by_location.get(found.location)
        of_tag = self._by_tag.get(_OF_TAGS.get(found.code))
        if of_tag is not None or found.code not in _OF_NAMES:
            return of_tag
        quoted = map(self._by_name.get, _QUOTED.findall(found.message))
        return next((cause for cause in quoted if cause is not None and cause.name), None)

    def at(self, found: Diagnostic) -> Optional[Misspelled]:
        """Return the element that a diagnostic reports as misspelled."""
        is_cause = found.code == codes.UNKNOWN_ELEMENT.name
        return self._by_location.get(found.location) if is_cause else None


def _blamed(cause: Diagnostic, followers: list[Diagnostic]) -> Diagnostic:
    """Return the diagnostic of a misspelled element, as severe as what follows from it."""
    error = next((found for found in followers if found.severity == 'error'), None)
    if error is None or cause.severity == 'error':
        return cause
    return cause._replace(
        severity='error', message=cause.message.removesuffix('; ignored'),
        reference=error.reference)
