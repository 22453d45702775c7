# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Files of URDF 1.0 are accepted where urdfdom's ``check_urdf`` accepts them."""

from __future__ import annotations

from pathlib import Path
import shutil
import subprocess

from helpers.urdf_corpus import ACCEPTED, REFUSED
from hrdf_ros import load
import pytest

CHECK_URDF = shutil.which('check_urdf')
CASES = [
    pytest.param(text, accepted, id=name)
    for accepted, texts in ((True, ACCEPTED), (False, REFUSED)) for name, text in texts.items()]


@pytest.mark.parametrize(('text', 'accepted'), CASES)
def test_ours(text: str, accepted: bool) -> None:
    loaded = load(text, format='urdf')
    assert loaded.report.ok == accepted, [found.message for found in loaded.report]
    assert (loaded.model is not None) == accepted
    assert all(
        at is not None and at.line is not None
        for at in (found.resolve() for found in loaded.report))


@pytest.mark.skipif(CHECK_URDF is None, reason='check_urdf (liburdfdom-tools) is not installed')
@pytest.mark.parametrize(('text', 'accepted'), CASES)
def test_theirs(text: str, accepted: bool, tmp_path: Path) -> None:
    file = tmp_path / 'robot.urdf'
    file.write_text(text, encoding='utf-8', newline='')
    status = subprocess.run([str(CHECK_URDF), str(file)], capture_output=True).returncode
    assert (status == 0) == accepted
