# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The verdict of MuJoCo on a text, beside ours."""

from hrdf_ros.load import load
import pytest


def assert_verdict(text: str, is_good: bool) -> None:
    """Assert that a text is accepted or refused, by us and, where it is installed, by MuJoCo."""
    loaded = load(text)
    assert loaded.ok == is_good, loaded.report
    mujoco = pytest.importorskip('mujoco')
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError:
        assert not is_good
    else:
        assert is_good
