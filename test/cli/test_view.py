# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The options of ``hrdf view``, where there is neither viser nor ROS."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hrdf_ros.cli import main
import pytest

ARM = str(Path(__file__).resolve().parents[2] / 'examples' / 'hrdf' / 'arm_6dof.hrdf')


@pytest.fixture(autouse=True)
def without_ros(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the viewer be there, and nothing of ROS."""
    def load(name: str) -> Any:
        if '.node.' in name:
            raise ImportError("No module named 'rclpy'", name='rclpy')
        return SimpleNamespace()

    monkeypatch.setattr('hrdf_ros.cli.view.import_module', load)


@pytest.mark.parametrize('words, option', [
    (['--ros'], '--ros'), (['--ros', '--publish'], '--publish'),
    ([ARM, '--publish'], '--publish')])
def test_without_ros_the_options_say_what_they_need(
        words: list[str], option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['view', *words]) == 1
    error = capsys.readouterr().err
    assert f'hrdf: error: {option} needs ROS 2, which cannot be imported' in error


@pytest.mark.parametrize('words, message', [
    ([ARM, ARM, '--publish'], '--publish takes one FILE'),
    (['--publish'], 'give either a FILE or --ros'),
    ([ARM, '--ros', '--publish'], 'give either a FILE or --ros')])
def test_options_that_do_not_fit_are_a_usage_error(
        words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['view', *words]) == 2
    assert message in capsys.readouterr().err
