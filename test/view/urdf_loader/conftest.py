# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A page with npm's urdf-loader, whose files come from the disk without a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import mimetypes
import os
from pathlib import Path
import shutil
import subprocess
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

HERE = Path(__file__).parent
SITE = 'http://urdf-loader.test'
BROWSERS = ('chromium', 'chromium-browser', 'google-chrome')
PAGE = """<!doctype html><script type="importmap">{"imports": {
  "three": "/modules/three/build/three.module.js",
  "three/addons/": "/modules/three/examples/jsm/",
  "three/examples/jsm/": "/modules/three/examples/jsm/",
  "urdf-loader": "/modules/urdf-loader/src/URDFLoader.js"}}</script>
<script type="module" src="/page.js"></script>"""


@pytest.fixture(scope='session')
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the installed packages of npm; skip where they cannot be installed."""
    installed = os.environ.get('HRDF_ROS_URDF_LOADER', '')
    if Path(installed, 'node_modules').is_dir() and installed:
        return Path(installed, 'node_modules')
    npm = shutil.which('npm')
    if npm is None:
        pytest.skip('npm is not installed')
    folder = tmp_path_factory.mktemp('urdf_loader')
    for name in ('package.json', 'package-lock.json'):
        shutil.copy(HERE / name, folder)
    done = subprocess.run(
        [npm, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], cwd=folder,
        capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip('npm cannot install urdf-loader: there is no network, or no registry')
    return folder / 'node_modules'


@pytest.fixture(scope='session')
def page(modules: Path) -> Iterator[Any]:
    """Yield the page; skip where there is no browser."""
    sync_api = pytest.importorskip('playwright.sync_api', reason='playwright is not installed')
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        pytest.skip('there is no chromium on this machine')
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=['--no-sandbox', '--disable-gpu'])
        shown = browser.new_page()
        shown.route(f'{SITE}/**', serve({'modules': modules, 'page.js': HERE / 'page.js'}))
        shown.goto(SITE)
        shown.wait_for_function('"check" in window')
        yield shown
        browser.close()


def serve(folders: dict[str, Path]) -> Callable[[Any], None]:
    """Return what answers requests with the files of folders, which may be added later."""
    def answer(route: Any) -> None:
        first, _, rest = unquote(urlsplit(route.request.url).path).lstrip('/').partition('/')
        if not first:
            route.fulfill(body=PAGE, content_type='text/html')
            return
        file = Path(folders[first], rest) if first in folders else Path('/', first, rest)
        if not file.is_file():
            route.fulfill(status=404)
            return
        kind = mimetypes.guess_type(file.name)[0] or 'application/octet-stream'
        route.fulfill(body=file.read_bytes(), content_type=kind)
    return answer
