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
    assert f'hrdf: error: {option} requires ROS 2, which cannot be imported' in error


@pytest.mark.parametrize('words, message', [
    ([ARM, ARM, '--publish'], '--publish takes one FILE'),
    (['--publish'], 'give either a FILE or --ros'),
    ([ARM, '--ros', '--publish'], 'give either a FILE or --ros'),
    ([ARM, '--namespace', 'left'], '--namespace requires --ros or --publish'),
    (['--ros', '--publish', '--namespace', 'a', '--namespace', 'b'],
     '--publish takes one --namespace'),
    (['--ros', '--namespace', 'a', '--namespace', '/a'], 'each --namespace must be another one')])
def test_options_that_do_not_fit_are_a_usage_error(
        words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['view', *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize('namespace', ['a b', '/', '1', '', 'a//b', 'a/', '~a'])
def test_what_is_no_namespace_is_a_usage_error(
        namespace: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(['view', '--ros', '--namespace', namespace])
    assert f"'{namespace}' is not a namespace of letters, digits, _ and /" in (
        capsys.readouterr().err)
