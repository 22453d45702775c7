# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer as a process, and a browser that looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import os
from pathlib import Path
import re
import shutil
import signal
import subprocess
import sys
from threading import Thread
import time
from typing import Any

from hrdf_ros import Kinematics, load
import numpy as np
import pytest

SOURCE = Path(__file__).parents[3]
BROWSERS = ('chromium', 'chromium-browser', 'google-chrome')
SOFTWARE_RENDERING = (
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader')
SIZE = {'width': 800, 'height': 560}
SLIDER_BOX = '.mantine-Slider-root + .mantine-NumberInput-root input'
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
        self.has_radians = False
        self.errors: list[str] = []
        page.on('pageerror', lambda error: self.errors.append(str(error)))
        page.set_default_timeout(PATIENCE)
        page.goto(address)

    def pose(self, body: int, root: str = '/robot') -> np.ndarray:
        """Return root_from_body (4, 4) as it is drawn."""
        return np.array(self.page.evaluate(ROOT_FROM_BODY, [root, body])).reshape(4, 4).T

    def slide(self, index: int, value: float) -> None:
        """Type a value, rad or m, into the box of a slider, the first being 0."""
        self.use_radians()
        self.page.locator(SLIDER_BOX).nth(index).fill(str(value))

    def use_radians(self) -> None:
        """Let the sliders have radians."""
        if not self.has_radians:
            self.has_radians = True
            self.page.get_by_text('Option for the command line').click()
            boxes = self.page.locator(SLIDER_BOX)
            boxes.evaluate_all('boxes => boxes.forEach(box => box.dataset.old = 1)')
            self.page.get_by_role('button', name='radians').click()
            self.wait_for(lambda: boxes.count() and not boxes.evaluate_all(
                'boxes => boxes.some(box => box.dataset.old)'))

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so."""
        until = time.monotonic() + PATIENCE / 1000
        while not condition():
            assert time.monotonic() < until, 'the page did not get there'
            self.page.wait_for_timeout(50)

    def wait_for_node(self, node: str) -> None:
        """Wait until the scene has a node."""
        self.page.wait_for_function(f'window.__viserMutable?.nodeRefFromName["{node}"]')

    def wait_for_pose(self, body: int, expected: np.ndarray, root: str = '/robot') -> None:
        """Wait until a body is drawn somewhere, within what single precision allows."""
        self.wait_for(lambda: np.allclose(self.pose(body, root), expected, atol=1e-5))


class Stage:
    """A server and a page that stay, and the viewers that one test after the other shows."""

    def __init__(self, browser: Any) -> None:
        from hrdf_ros.view.server import start_server
        self._server = start_server('localhost', 8080)
        self.look = Look(
            browser.new_page(viewport=SIZE), f'http://localhost:{self._server.get_port()}')
        self._viewer: Any = None
        self._thread: Any = None

    def show(self, file: Path, second: Path | None) -> None:
        """Show a robot, and another one over it, in a new viewer."""
        from hrdf_ros.view.viewer import Source, Viewer
        self._viewer = Viewer(self._server, Source(
            lambda: load(file), None if second is None else lambda: load(second),
            (str(file), str(second))))
        self._thread = Thread(target=self._viewer.run)
        self._thread.start()
        self.look.wait_for_node('/robot/0')

    def clear(self) -> None:
        """End the viewer, and make the page as empty as a new one."""
        self._viewer.stop()
        self._thread.join()
        self._server.scene.reset()
        self._server.gui.reset()
        self.look.has_radians = False
        self.look.page.set_viewport_size(SIZE)
        self.look.page.wait_for_function(
            '!window.__viserMutable.nodeRefFromName["/robot/0"]'
            ' && !document.querySelector(".mantine-Slider-root")')

    def end(self) -> None:
        """End the server."""
        self.look.page.close()
        self._server.stop()


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


@pytest.fixture(scope='module')
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
    for process in processes:
        try:
            _, complaints = process.communicate(timeout=60)
        finally:
            process.kill()
        assert (process.returncode, complaints) == (0, '')


@pytest.fixture(scope='session')
def stage(browser: Any) -> Iterator[Stage]:
    """Yield the page that most tests share."""
    pytest.importorskip('viser', reason='the viewer requires viser')
    found = Stage(browser)
    yield found
    found.end()


@pytest.fixture
def look(stage: Stage) -> Iterator[Callable[..., Look]]:
    """Yield what shows a file on the page."""
    def show(file: Path, second: Path | None = None) -> Look:
        stage.show(file, second)
        return stage.look

    stage.look.errors.clear()
    yield show
    stage.clear()
    assert stage.look.errors == []


def frames(file: Path, positions: dict[str, float] | None = None) -> dict[str, np.ndarray]:
    """Return root_from_frame by name."""
    return Kinematics.load(file).poses(positions)
