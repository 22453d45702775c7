# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure how long a robot takes to be seen: from the command to the first picture in a browser.

The browser runs before. The peers are viser's own URDF viewer and yourdfpy's, which needs a
display; all of them show the same URDF.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
import os
from pathlib import Path
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any, Optional

from peers import bare_environment, python_of, ROOT
from tables import middle, ratio, table

_ARM = ROOT / 'examples' / 'hrdf' / 'arm_6dof.hrdf'
_LAST = 'tool/body'
_PORT = 8150
_PATIENCE = 60_000
"""Milliseconds."""
_BROWSERS = ('chromium', 'chromium-browser', 'google-chrome')
_SOFTWARE_RENDERING = (
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader')
_VISER = """
import sys, threading
from pathlib import Path
import viser
from viser.extras import ViserUrdf
server = viser.ViserServer(port=int(sys.argv[2]), verbose=False)
ViserUrdf(server, Path(sys.argv[1]))
print(f'http://localhost:{server.get_port()}', flush=True)
threading.Event().wait()
"""
_YOURDFPY = """
import sys
import yourdfpy
def seen(scene):
    print('http://seen', flush=True)
yourdfpy.URDF.load(sys.argv[1]).show(callback=seen)
"""
_IS_SEEN = """last => {
  const page = window.__viserMutable, drawn = window.__viserTestpoints;
  if (!page || !drawn || !Object.keys(page.nodeRefFromName).some(name => name.endsWith(last)))
    return false;
  window.firstFrame ??= drawn.rendererInfo.render.frame;
  return drawn.rendererInfo.render.frame > window.firstFrame + 1
    && drawn.rendererInfo.render.triangles > 500;
}"""
"""The node of the last link is there, and pictures were drawn since."""


@contextmanager
def running(command: Sequence[object]) -> Iterator[str]:
    """Start a viewer and yield what it prints when it can be looked at; end it."""
    process = subprocess.Popen(
        list(map(str, command)), env={**bare_environment(), 'PYTHONPATH': str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        addresses = (re.search(r'http://\S+', line) for line in process.stdout)
        found = next(filter(None, addresses), None)
        yield '' if found is None else found[0]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10.0)


def seconds_to_picture(
    browser: Any, command: Sequence[object], last: str,
) -> Optional[float]:
    """Return the seconds from the start of a command until its page shows the robot."""
    began = time.monotonic()
    with running(command) as address:
        if not address:
            return None
        page = browser.new_page(viewport={'width': 1280, 'height': 800})
        page.goto(address)
        page.wait_for_function(_IS_SEEN, arg=last, polling=20, timeout=_PATIENCE)
        taken = time.monotonic() - began
        page.close()
    return taken


def seconds_to_window(python: Path, urdf: Path) -> Optional[float]:
    """Return the seconds until yourdfpy's window is drawn, None where it cannot be."""
    if 'DISPLAY' not in os.environ:
        return None
    began = time.monotonic()
    with running([python, '-c', _YOURDFPY, urdf]) as answer:
        return time.monotonic() - began if answer else None


def measure(browser: Any, urdf: Path, turns: int) -> dict[str, Optional[float]]:
    """Return the median for each viewer, measured by turns."""
    view = [sys.executable, '-m', 'hrdf_ros.cli', 'view', '--no-open', '--port', _PORT]
    peer = python_of('viser')
    nodes = _nodes(urdf)
    found: dict[str, list[float]] = {name: [] for name in (
        '`hrdf view arm.hrdf`', '`hrdf view arm.urdf`', 'viser.extras.ViserUrdf', 'yourdfpy')}

    def add(name: str, taken: Optional[float]) -> None:
        found[name] += [] if taken is None else [taken]

    for _ in range(turns):
        for name, command, last in (
                ('`hrdf view arm.hrdf`', [*view, _ARM], nodes),
                ('`hrdf view arm.urdf`', [*view, urdf], nodes),
                ('viser.extras.ViserUrdf', [peer, '-c', _VISER, urdf, _PORT], _LAST)):
            if command[0] is not None:
                add(name, seconds_to_picture(browser, command, last))
        add('yourdfpy', None if peer is None else seconds_to_window(peer, urdf))
    return {name: middle(values) for name, values in found.items()}


def _nodes(urdf: Path) -> str:
    """Return the end of the name that the viewer's page has for the last body."""
    from hrdf_ros import load_model
    names = [body.name for body in load_model(urdf).bodies]
    return f'/robot/{names.index(_LAST)}'


def section(turns: int) -> str:
    """Return the section of the page."""
    head = '## The first picture\n\n'
    executable = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if executable is None or find_spec('playwright') is None or find_spec('viser') is None:
        return f'{head}Not measured: there is no chromium, playwright or viser.\n'
    from playwright.sync_api import sync_playwright
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        urdf = Path(folder, 'arm.urdf')
        subprocess.run(
            [sys.executable, '-m', 'hrdf_ros.cli', 'convert', _ARM, '-o', urdf],
            env={**bare_environment(), 'PYTHONPATH': str(ROOT)}, check=True,
            stderr=subprocess.DEVNULL)
        browser = playwright.chromium.launch(
            executable_path=executable, args=list(_SOFTWARE_RENDERING))
        found = measure(browser, urdf, turns)
        browser.close()
    reference = found['`hrdf view arm.urdf`']
    return (
        f'{head}From the command to the arm of examples/hrdf on the screen, in seconds, median of '
        f'{turns}: an\nempty browser runs, pictures are drawn in software. `arm.urdf` is what '
        '`hrdf convert` makes of it.\nyourdfpy shows it in a window of its own, for which pyglet '
        'and a display are needed.\n\n' + table(
            ('viewer', 'seconds', 'by `hrdf view arm.urdf`'),
            [(name, value, ratio(value, reference)) for name, value in found.items()]))


if __name__ == '__main__':
    print(section(1 if '--quick' in sys.argv else 7))
