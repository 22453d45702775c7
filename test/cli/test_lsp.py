# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf lsp`` where there is nothing to serve with."""

from __future__ import annotations

from hrdf_ros.cli.command import main
import pytest


def test_a_missing_pygls_is_named(
        monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr('hrdf_ros.cli.lsp.find_spec', lambda _: None)
    assert main(['lsp']) == 1
    assert capfd.readouterr().err == (
        'hrdf: error: the language server requires pygls, which is not installed.\n'
        '  Install it with: pip install pygls\n')
