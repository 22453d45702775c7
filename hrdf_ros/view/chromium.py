# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A browser without a window."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import os
import shutil
import subprocess
from tempfile import TemporaryDirectory
from typing import Optional

NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome')
_OPTIONS = (
    '--headless=new', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--no-first-run', '--no-default-browser-check', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--disable-extensions', '--mute-audio',
    '--hide-scrollbars', '--force-device-scale-factor=1')


def find_chromium() -> Optional[str]:
    """Return the path of a browser, None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def open_page(executable: str, address: str, width: int, height: int) -> Iterator[None]:
    """Show a page in a browser of its own, of this size in pixels."""
    root = ('--no-sandbox',) if hasattr(os, 'geteuid') and os.geteuid() == 0 else ()
    with TemporaryDirectory(prefix='hrdf_render_', ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [executable, *_OPTIONS, *root, f'--user-data-dir={profile}',
             f'--window-size={width},{height}', address],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(10.0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
