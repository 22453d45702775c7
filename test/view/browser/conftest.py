# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer as a process, and a browser that looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import json
import os
from pathlib import Path
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

SOURCE = Path(__file__).parents[3]
BROWSERS = ('chromium', 'chromium-browser', 'google-chrome')
SOFTWARE_RENDERING = (
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader')
PATIENCE = 60_000
"""Milliseconds: how long the page may take for anything on a busy machine."""
ROOT_FROM_BODY = """([robot, index]) => {
  const nodes = window.__viserMutable.nodeRefFromName;
  const body = nodes[`${robot}/${index}`], root = nodes[`${robot}/root`];
  body.updateWorldMatrix(true, false); root.updateWorldMatrix(true, false);
  return root.matrixWorld.clone().invert().multiply(body.matrixWorld).elements;
}"""


class Look:
    """A page that shows a robot."""

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.address = address
        self.errors: list[str] = []
        self._has_radians = False
        page.on('pageerror', lambda error: self.errors.append(str(error)))
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.wait_for_function('window.__viserMutable?.nodeRefFromName["/robot/0"]')

    def pose(self, body: int, root: str = '/robot') -> np.ndarray:
        """Return root_from_body (4, 4) as it is drawn."""
        return np.array(self.page.evaluate(ROOT_FROM_BODY, [root, body])).reshape(4, 4).T

    def slide(self, index: int, value: float) -> None:
        """Type a value, rad or m, into the box of a slider, the first being 0."""
        self.use_radians()
        box = self.page.locator('.mantine-Slider-root + .mantine-NumberInput-root input')
        box.nth(index).fill(str(value))

    def use_radians(self) -> None:
        """Let the sliders have radians."""
        if not self._has_radians:
            self._has_radians = True
            self.page.get_by_role('button', name='radians').click()
            self.page.get_by_text('Option for the command line').click()
            self.page.wait_for_timeout(1000)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so."""
        until = time.monotonic() + PATIENCE / 1000
        while not condition():
            assert time.monotonic() < until, 'the page did not get there'
            self.page.wait_for_timeout(100)

    def wait_for_pose(self, body: int, expected: np.ndarray, root: str = '/robot') -> None:
        """Wait until a body is drawn somewhere, within what single precision allows."""
        self.wait_for(lambda: np.allclose(self.pose(body, root), expected, atol=1e-5))


def heed_interrupts() -> None:
    """Let Ctrl-C end a process, which shells switch off for what they run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture(scope='session')
def browser() -> Iterator[Any]:
    """Yield a browser without a window; skip where there is none."""
    sync_api = pytest.importorskip('playwright.sync_api', reason='playwright is not installed')
    executable = next(filter(None, map(shutil.which, BROWSERS)), None)
    if executable is None:
        pytest.skip('there is no chromium on this machine')
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=executable, args=list(SOFTWARE_RENDERING))
        yield running
        running.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Yield what starts the viewer of a file, a process of its own, and returns its address."""
    processes: list[subprocess.Popen[str]] = []

    def start(file: Path, *options: str) -> str:
        processes.append(subprocess.Popen(
            [sys.executable, '-m', 'hrdf_ros.cli', 'view', str(file), '--no-open', *options],
            env={**os.environ, 'PYTHONPATH': str(SOURCE)}, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts))
        line = processes[-1].stdout.readline()
        assert line.removesuffix('\n').isprintable()
        address = re.search(r'http://\S+', line)
        assert address is not None, processes[-1].stderr.read()
        return address[0]

    yield start
    for process in processes:
        process.send_signal(signal.SIGINT)
        try:
            _, complaints = process.communicate(timeout=60)
        finally:
            process.kill()
        assert (process.returncode, complaints) == (0, '')


@pytest.fixture
def look(browser: Any, serve: Callable[..., str]) -> Iterator[Callable[..., Look]]:
    """Yield what shows a file on a page."""
    pages: list[Look] = []

    def show(file: Path, *options: str, width: int = 1280, height: int = 800) -> Look:
        address = serve(file, *options)
        page = browser.new_page(viewport={'width': width, 'height': height})
        pages.append(Look(page, address))
        return pages[-1]

    yield show
    for each in pages:
        each.page.close()
        assert each.errors == []


def frames(file: Path, *options: str) -> dict[str, np.ndarray]:
    """Return what ``hrdf frames`` says: root_from_frame by name."""
    output = subprocess.run(
        [sys.executable, '-m', 'hrdf_ros.cli', 'frames', str(file), '--json', *options],
        env={**os.environ, 'PYTHONPATH': str(SOURCE)}, capture_output=True, text=True, check=True)
    return {frame['name']: _matrix(frame) for frame in json.loads(output.stdout)['frames']}


def _matrix(frame: dict[str, Any]) -> np.ndarray:
    x, y, z, w = frame['orientation']
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    matrix[:3, 3] = frame['position']
    return matrix
