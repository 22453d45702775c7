# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""How rules report items: a few one by one, many in one diagnostic."""

from collections.abc import Sequence
from typing import NamedTuple, Optional

from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Fix, listed, Locatable, Report

_MANY = 5
"""The number of diagnostics of one kind beyond which they become one."""


class Found(NamedTuple):
    """The name of an item, the words that complete the sentence about it, its place and fix."""

    name: str
    details: str
    location: Optional[Locatable]
    fix: Optional[Fix] = None
    hint: Optional[str] = None


def report_items(
    code: Code, what: str, found: Sequence[Found], report: Report, *, hint: str,
) -> None:
    """Report each item alone, many in one diagnostic; the hint is for those without their own."""
    if len(found) > _MANY:
        names = [one.name for one in found]
        first = found[0]
        report.add(
            code, f'the {what} {listed(names)} is implausible; the first {first.details}',
            first.location, hint=first.hint or hint, subjects=tuple(names))
        return
    for one in found:
        report.add(
            code, f"the {what} '{one.name}' {one.details}", one.location, hint=one.hint or hint,
            fix=one.fix)
