# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Unique names by each format's rule, and names of coordinates from outside."""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.names import DART, Names, PLAIN, renamed, SuffixRule
import pytest


@pytest.mark.parametrize(('rule', 'expected'), [
    (PLAIN, ['arm', 'arm_2', 'arm_3', 'arm_2_2']), (DART, ['arm', 'arm(1)', 'arm(2)', 'arm_2'])])
def test_equal_names_are_made_unique(rule: SuffixRule, expected: list[str]) -> None:
    names = Names(rule=rule)
    assert [names.claim(name) for name in ('arm', 'arm', 'arm', 'arm_2')] == expected
    assert all(name in names for name in expected)
    assert names.free('arm') == names.free('arm') not in names


def test_a_changed_name_is_reported() -> None:
    report = Report()
    names = Names(report)
    names.claim('arm')
    names.claim('arm')
    assert [(each.code, each.message) for each in report] == [
        (codes.NAME_CHANGED.name, "the name 'arm' is taken already, 'arm_2' is used")]


@pytest.mark.parametrize('wanted', [['x', 'y', 'z', 'w'], ['c'], ['x', 'x']])
def test_too_many_or_equal_names_are_an_error(wanted: list[str]) -> None:
    report = Report()
    assert renamed(['a', 'b', 'c'], ['x', 'y'], None, report) == ['x', 'y', 'c']
    assert renamed(['a', 'b', 'c'], wanted, None, report) == ['a', 'b', 'c']
    assert [each.code for each in report] == [codes.JOINT_NAMES_MISMATCH.name]
