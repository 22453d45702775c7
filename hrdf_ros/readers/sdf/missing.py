# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Includes whose files are missing: one diagnostic for each cause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic
from hrdf_ros.file_reader import TEXT
from hrdf_ros.fuel import fetch_hint

_CODES = (codes.SDF_URI_NOT_FETCHED.name, codes.SDF_URI_NOT_FOUND.name)
_MODELS = 'model://'
_Cause = tuple[str, str, str]
"""A code, a severity, and where the files would be: a directory, or '' for the network."""


def by_cause(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """
    Return diagnostics with one in place of all those of missing includes with the same cause.

    Files on the network have one cause, other files that they would be in one directory. The
    first subject of such a diagnostic is the URI.
    """
    groups: dict[_Cause, list[Diagnostic]] = {}
    kept: list[Diagnostic] = []
    for found in diagnostics:
        if found.code not in _CODES or not found.subjects:
            kept.append(found)
            continue
        group = groups.setdefault(_cause(found), [])
        if not group:
            kept.append(found)
        group.append(found)
    return [
        _of_all(groups[_cause(found)]) if found.code in _CODES and found.subjects else found
        for found in kept]


def _cause(found: Diagnostic) -> _Cause:
    is_remote = found.code == codes.SDF_URI_NOT_FETCHED.name
    return found.code, found.severity, '' if is_remote else _place(found.subjects[0])


def _place(uri: str) -> str:
    """Return the directory of the file that a URI names."""
    above = uri.rstrip('/').rpartition('/')[0]
    return _MODELS if above == _MODELS[:-1] else above or '.'


def _of_all(group: Sequence[Diagnostic]) -> Diagnostic:
    """Return the diagnostic in place of several with the same cause, at the first of them."""
    first, *others = group
    if not others:
        return first
    uris = dict.fromkeys(found.subjects[0] for found in group)
    uri = first.subjects[0]
    placeholders = [name for found in group for name in found.subjects[1:]]
    is_remote = first.code == codes.SDF_URI_NOT_FETCHED.name
    hint = first.hint
    if len(uris) == 1:
        message = f"'{uri}' is missing; {len(group):,} includes name it"
    elif is_remote:
        message = f"{len(uris):,} files are on the network, the first is '{uri}'"
        at = first.resolve()
        file = '' if at is None else at.included_from[-1].file if at.included_from else at.file
        hint = fetch_hint(uri if file in ('', TEXT) else file)
        hint = f'{hint}; or name the directory that contains them with --path'
    else:
        message = (
            f"{len(uris):,} files below {_place(uri)} are missing, the first is '{uri}'")
    if placeholders:
        message += f'; {len(placeholders):,} placeholders stand for the includes'
    return first._replace(message=message, hint=hint, subjects=tuple(uris))
