# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The blocks of README and docs that need ROS, with nodes that run."""

from __future__ import annotations

from pathlib import Path

from helpers.page_session import read_page
from helpers.pages import pages_that_need, ROOT
import pytest


@pytest.mark.parametrize(
    'page', pages_that_need('ros'), ids=lambda page: str(page.relative_to(ROOT)))
def test_page_does_what_it_shows_with_ros(
        page: Path, domain: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    assert read_page(page, tmp_path, able=('ros',))
