# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a command shows on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
import os
from pathlib import Path
import subprocess
import sys
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def shown_on_terminal(arguments: Sequence[str], **options: Any) -> str:
    """Run ``hrdf`` with a terminal as its standard output; return what was written to that."""
    master, slave = os.openpty()
    subprocess.run(
        [sys.executable, '-m', 'hrdf_ros.cli', *arguments], stdout=slave, check=False,
        env={**os.environ, 'PYTHONPATH': str(ROOT)}, **options)
    os.close(slave)
    parts = []
    try:
        while part := os.read(master, 1000):
            parts.append(part)
    except OSError:  # the end: nobody can write anymore
        pass
    os.close(master)
    return b''.join(parts).decode()
