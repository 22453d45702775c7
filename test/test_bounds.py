# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The bounds of docs/security.md: what is too much is refused with a finding, and soon."""

from __future__ import annotations

from hrdf_ros.document import MAX_ITEMS
from hrdf_ros.load import load
from hrdf_ros.report import MOST_HINTS, MOST_OF_ONE_KIND, Report
from hrdf_ros.values.words import closest, LONGEST_WORD, MOST_KNOWN


def codes(text: str) -> list[str]:
    return [found.code for found in load(text).report]


# ---- documents and reports

def test_elements_and_attributes() -> None:
    elements = '<a/>' * (MAX_ITEMS // 2)
    attributes = ''.join(f' a{number}=""' for number in range(MAX_ITEMS // 2))
    text = f'<robot name="r">{elements}<a{attributes}/></robot>'
    assert codes(text) == ['xml-too-many']  # pins: xml-too-many


def test_findings_of_one_kind() -> None:
    extra = '<foo/>' * (MOST_OF_ONE_KIND + 5)
    found = codes(f'<robot name="r"><link name="a"/>{extra}</robot>')  # pins: findings-left-out
    assert found == ['unknown-element'] * MOST_OF_ONE_KIND + ['findings-left-out']


def test_left_out_errors_are_errors() -> None:
    report, other = Report(), Report()
    for number in range(MOST_OF_ONE_KIND):
        report.info('name-taken', str(number))
        other.error('name-taken', str(number))
    report.extend(other)
    other.error('name-taken', 'one more')
    assert other.diagnostics[-1][:2] == ('findings-left-out', 'error')
    assert len(report) == 2 * MOST_OF_ONE_KIND
    report.extend(other)
    assert len(report) == 2 * MOST_OF_ONE_KIND + 2


def test_hints_are_worked_out_for_the_first_findings_only() -> None:
    report, asked = Report(), []
    for number in range(MOST_HINTS + 5):
        report.info('name-taken', '', hint=lambda number=number: asked.append(number))
    assert asked == list(range(MOST_HINTS))


def test_hints_for_long_words_or_among_many() -> None:
    assert closest('a' * LONGEST_WORD, ['a' * LONGEST_WORD]) is not None
    assert closest('a' * (LONGEST_WORD + 1), ['a' * LONGEST_WORD]) is None
    assert closest('aa', ['aaa'] * MOST_KNOWN) == 'aaa'
    assert closest('aa', ['aaa'] * (MOST_KNOWN + 1)) is None
