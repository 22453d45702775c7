# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The blocks of README and docs that need a browser."""

from __future__ import annotations

from pathlib import Path

from helpers.page_session import read_page
from helpers.pages import pages_that_need, ROOT
import pytest

pytest.importorskip('viser', reason='the viewer is not installed')
from hrdf_ros.view.render import find_chromium

pytestmark = pytest.mark.skipif(find_chromium() is None, reason='there is no chromium')


@pytest.mark.parametrize(
    'page', pages_that_need('browser'), ids=lambda page: str(page.relative_to(ROOT)))
def test_page_does_what_it_shows_with_a_browser(page: Path, tmp_path: Path) -> None:
    assert read_page(page, tmp_path, able=('browser',))
