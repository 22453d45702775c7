# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""No declared element or attribute is lost on the way to a target without a diagnostic."""

from __future__ import annotations

from fuzz.losses import silent_losses
import pytest


@pytest.mark.parametrize(('name', 'step'), [('urdf', 1), ('mjcf', 1), ('sdf', 5)])
def test_nothing_that_a_schema_declares_is_lost_silently(name: str, step: int) -> None:
    assert list(silent_losses(name, step)) == []


def test_a_loss_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr('hrdf_ros.lowering.mjcf.report_losses', lambda *_: None)
    assert any('velocity: mjcf' in loss for loss in silent_losses('urdf'))
