# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Skips what Pyodide on npm cannot run: tests that need native packages, processes or threads.

Each such test says at the moment at which it needs one, so none has to be listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.abc import MetaPathFinder
import os
import subprocess
import sys
import threading
from types import ModuleType
from typing import Any, Optional

import pytest

NATIVE = frozenset((
    'coal', 'jsonschema', 'lsprotocol', 'lxml', 'mujoco', 'mujoco_core', 'numpy', 'pinocchio',
    'pygls', 'pytest_asyncio', 'pytest_lsp', 'trimesh', 'yourdfpy', 'viser',
    '_multiprocessing', 'resource'))
"""Packages and modules that are not there."""
EXCEPTIONS = {
    'test_help_has_examples_that_run[UnknownNameError]': 'needs numpy',
    'test_help_has_examples_that_run[write]': 'needs lxml',
    'test_a_read_only_file_is_not_replaced': 'has one user',
    'test_hostile_files_are_refused[a device]': 'has no /dev/zero',
    'test_paths_that_no_file_can_have': 'has no limit on the length of a path',
    'test_names_that_no_file_can_have': 'has no limit on the length of a path',
    'test_hostile_files_are_refused': 'takes seconds for the largest files',
    'test_hostile_text_is_refused_soon': 'takes seconds for the largest files',
    'test_chains_of_any_length': 'takes seconds for the largest files',
    'test_hostile_text_is_refused[': 'takes seconds for the largest files',
    'test_work_grows_as_the_file': 'takes seconds for the largest files',
    'test_characters_of_copies_are_bounded': 'takes seconds for the largest files',
}
"""Tests that do not say so themselves, by the start of their name, and why they are skipped."""


class _Absent(MetaPathFinder):
    """Skips the test, or the file of tests, that imports what is not there."""

    def find_spec(
        self, name: str, path: Optional[Sequence[str]], target: Optional[ModuleType] = None,
    ) -> None:
        if name.partition('.')[0] in NATIVE:
            pytest.skip(f'Pyodide: needs {name.partition(".")[0]}', allow_module_level=True)


def _needs(what: str) -> Any:
    def skip(*_: object, **__: object) -> None:
        pytest.skip(f'Pyodide: needs {what}')

    return skip


class _Hypothesis(ModuleType):
    """Stands for hypothesis, which has native code: its tests are skipped, with the reason."""

    def __call__(self, *_: object, **__: object) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if name == 'given':
            return lambda *_, **__: lambda _: lambda: _needs('hypothesis')()
        return self

    def __or__(self, _: object) -> Any:
        return self


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Skip the exceptions."""
    for item in items:
        reasons = [why for name, why in EXCEPTIONS.items() if item.name.startswith(name)]
        if reasons:
            item.add_marker(pytest.mark.skip(reason=f'Pyodide: {reasons[0]}'))


sys.modules['hypothesis'] = _Hypothesis('hypothesis')
sys.modules['hypothesis.strategies'] = sys.modules['hypothesis']
sys.meta_path.insert(0, _Absent())
subprocess.Popen.__init__ = _needs('a process')
threading.Thread.start = _needs('a thread')
os.mkfifo = _needs('a pipe')
os.link = _needs('hard links')
