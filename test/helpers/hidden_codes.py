# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A pytest plugin that runs each test marked ``pins`` once per code, with the code suppressed.

``@pytest.mark.pins('name-changed')`` says that a test fails if nothing reports the code. With ``-p
helpers.hidden_codes`` no report keeps diagnostics of the code, neither in this process nor in the
Python processes that the test starts, so a case of the test has to fail.
"""

from collections.abc import Sequence
import os
from pathlib import Path

from hrdf_ros.diagnostics import Diagnostic, Report
import pytest

STARTUP = 'from helpers.hidden_codes import hide\nhide({code!r})\n'


def hide(code: str, patch: pytest.MonkeyPatch | None = None) -> None:
    """Let no report keep diagnostics of a code."""
    keep = Report._keep

    def keep_others(report: Report, found: Diagnostic) -> None:
        keep(report, found)
        if report.diagnostics and report.diagnostics[-1].code == code:
            report.diagnostics.pop()

    (patch or pytest.MonkeyPatch()).setattr(Report, '_keep', keep_others)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a marked test once for each of its codes."""
    marker = metafunc.definition.get_closest_marker('pins')
    if marker is not None:
        metafunc.parametrize('hidden_code', marker.args, indirect=True)


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Leave out the tests that pin no code."""
    items[:] = [item for item in items if item.get_closest_marker('pins')]


@pytest.fixture(autouse=True)
def hidden_code(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Hide a code in this process and in the processes that a test starts."""
    hide(request.param, monkeypatch)
    folder = tmp_path_factory.mktemp('startup')
    (folder / 'sitecustomize.py').write_text(STARTUP.format(code=request.param))
    tests = Path(__file__).parent.parent
    monkeypatch.setenv('PYTHONPATH', os.pathsep.join(
        [str(folder), str(tests), os.environ.get('PYTHONPATH', '')]))
