# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Libraries and programs that a command requires and this machine lacks."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hrdf_ros.cli import main
import pytest

ARM = str(Path(__file__).resolve().parents[2] / 'examples' / 'hrdf' / 'arm_6dof.hrdf')


def test_pygls(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr('hrdf_ros.cli.lsp.find_spec', lambda _: None)
    assert main(['lsp']) == 1
    assert capfd.readouterr().err == (
        'hrdf: error: the language server requires pygls, which is not installed.\n'
        '  Install it with: pip install pygls\n')


def test_graphviz(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv('PATH', '/nowhere')
    assert main(['tree', ARM, '--to', 'svg']) == 2
    assert 'apt install graphviz' in capsys.readouterr().err


@pytest.mark.parametrize(('arguments', 'option'), [
    (['--ros'], '--ros'), (['--ros', '--publish'], '--publish'),
    ([ARM, '--publish'], '--publish')])
def test_ros(
    arguments: list[str], option: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def load(name: str) -> Any:
        if '.node.' in name:
            raise ImportError("No module named 'rclpy'", name='rclpy')
        return SimpleNamespace()

    monkeypatch.setattr('hrdf_ros.cli.view.import_module', load)
    assert main(['view', *arguments]) == 1
    assert f'hrdf: error: {option} requires ROS 2, which cannot' in capsys.readouterr().err
