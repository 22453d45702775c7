# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Texts from outside, for logs and answers: on one line, printable, and not too long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, printable, Report
from hrdf_ros.listing import first_of

SHOWN = 100
"""The maximum number of diagnostics of one load that are logged and shown on /diagnostics."""
_SENTENCE = 1000
"""The maximum number of characters of a sentence; the middle of a longer one is left out."""
_NAMES = 5
"""The maximum number of names in a list; the others are counted."""
_NAME = 80
"""The maximum number of characters of a name; the end of a longer name is left out."""


def one_line(text: str) -> str:
    """Return a text on one line; the middle of a long text is left out."""
    if len(text) > _SENTENCE:
        half = _SENTENCE // 2
        text = f'{text[:half]} ... {text[-half:]}'
    return printable(text).encode('utf-8', 'replace').decode()


def short(name: str) -> str:
    """Return a printable name; the end of a long name is left out."""
    return printable(name if len(name) <= _NAME else f'{name[:_NAME]} ...')


def listed(names: Sequence[str]) -> str:
    """Return the first names, printable, and the number of the others."""
    return first_of(names, _NAMES, short)


def refusal(sentence: str) -> Report:
    """Return the report about a request that is not served."""
    report = Report()
    report.add(codes.REQUEST_REFUSED, sentence)
    return report


def as_line(found: Diagnostic) -> str:
    """Return a diagnostic on one line, with its hint and the includes that led to its place."""
    at = found.resolve()
    leads = [place.lead() for place in (at.included_from if at is not None else ())]
    line = '; '.join([str(found), *leads])
    return one_line(f'{line} ({found.hint})' if found.hint else line)


def first_error(report: Optional[Report]) -> str:
    """Return the first error on one line, '' if there is none."""
    return as_line(report.first_error) if report and report.first_error else ''
