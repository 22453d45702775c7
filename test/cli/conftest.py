# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""One way to run a command: in an empty directory, with its status and both streams."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
import shlex

from helpers.terminal import Done, Run
from hrdf_ros.cli import main
import pytest


@pytest.fixture
def hrdf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> Run:
    """Write files, by name, and run a command line; further words stay as they are."""
    monkeypatch.chdir(tmp_path)
    for name in ('NO_COLOR', 'FORCE_COLOR', 'HRDF_TRACEBACK'):
        monkeypatch.delenv(name, raising=False)

    def run(line: str, *words: str, files: Mapping[str, str] | None = None) -> Done:
        for name, text in (files or {}).items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text, encoding='utf-8')
        try:
            status = main([*shlex.split(line), *words])
        except SystemExit as ended:
            status = ended.code
        return Done(status, *capsys.readouterr())

    return run
