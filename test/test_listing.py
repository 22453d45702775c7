# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Many things in one message: lists that end in a count, and one diagnostic for many items."""

from hrdf_ros import codes
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.listing import and_more, count_of, first_of, GroupedDiagnostics


def test_long_lists_end_in_a_count() -> None:
    def grouped(count: int) -> Diagnostic:
        report, groups = Report(), GroupedDiagnostics()
        for index in range(count):
            groups.add(codes.LINK_ADDED, 'links are added for joints', f'j{index}')
        groups.into(report)
        return report.diagnostics[0]
    assert grouped(12).message.endswith("'j10', 'j11'")
    assert grouped(91).message.endswith("'j9', 'j10' and 80 more")
    assert grouped(91).subjects == tuple(f'j{index}' for index in range(91))


def test_a_list_ends_with_the_number_of_the_others() -> None:
    assert first_of(['a', 'b'], 2) == 'a, b'
    assert first_of(['a', 'b', 'c', 'd'], 2) == 'a, b and 2 more'
    assert first_of([1, 2, 3], 2, lambda number: f'{number} m') == '1 m, 2 m and 1 more'
    assert and_more(3, 'errors') == 'and 3 more errors'


def test_a_count_has_its_noun() -> None:
    assert [count_of(count, 'link') for count in range(3)] == ['0 links', '1 link', '2 links']
