# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Each test expects something: itself, or by a helper of the tests."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
EXPECTATIONS = {
    'raises', 'warns', 'fail', 'assert_outcomes', 'assert_same_kinematics', 'check_reader'}
"""Functions of libraries, and of the package, that fail a test."""

Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def steps(function: ast.AST) -> set[str]:
    """Return the names of all that a function calls, and ``assert`` where it asserts."""
    nodes = list(ast.walk(function))
    names = {
        ast.unparse(node.func).rpartition('.')[2] for node in nodes if isinstance(node, ast.Call)}
    return names | ({'assert'} if any(isinstance(node, ast.Assert) for node in nodes) else set())


def without_expectation(trees: Sequence[ast.AST]) -> list[str]:
    """Return the names of the tests in files that cannot fail by an assertion."""
    functions = [
        (node.name, steps(node))
        for tree in trees for node in ast.walk(tree) if isinstance(node, Function)]
    expecting = {'assert', *EXPECTATIONS}
    while more := {name for name, called in functions if called & expecting} - expecting:
        expecting |= more
    return [
        name for name, called in functions
        if name.startswith('test_') and not called & expecting]


def test_each_test_expects_something() -> None:
    files = sorted(TESTS.rglob('*.py'))
    assert without_expectation([ast.parse(file.read_text('utf-8')) for file in files]) == []


@pytest.mark.parametrize(('text', 'found'), [
    ('def test_a(): assert 1', []),
    ('def test_a(): print(1)', ['test_a']),
    ('async def test_a(): client.ask()', ['test_a']),
    ('def test_a():\n with pytest.raises(ValueError): f()', []),
    ('def same(a): assert a\ndef both(): same(1)\ndef test_a(): both()', []),
    ('def same(a): return same(a)\ndef test_a(): same(1)', ['test_a'])])
def test_tests_that_expect_nothing_are_found(text: str, found: list[str]) -> None:
    assert without_expectation([ast.parse(text)]) == found
