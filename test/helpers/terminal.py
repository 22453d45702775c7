# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Run commands, also on a terminal, and return what they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import json
import os
from pathlib import Path
import subprocess
import sys
from typing import Any, NamedTuple

import jsonschema

ROOT = Path(__file__).resolve().parents[2]


class Done(NamedTuple):
    """The exit status of a command, and what it wrote."""

    status: int
    out: str
    err: str

    def json(self, schema: str) -> Any:
        """Return the output as JSON, after the schema of a command has validated it."""
        document = json.loads(self.out)
        file = ROOT / 'docs' / 'schema' / f'{schema}.schema.json'
        jsonschema.validate(document, json.loads(file.read_text()))
        return document


Run = Callable[..., Done]


def shown_on_terminal(arguments: Sequence[str], **options: Any) -> str:
    """Run ``hrdf`` with a terminal as its standard output; return what was written to it."""
    master, slave = os.openpty()
    subprocess.run(
        [sys.executable, '-m', 'hrdf_ros.cli', *arguments], stdout=slave, check=False,
        env={**os.environ, 'PYTHONPATH': str(ROOT)}, **options)
    os.close(slave)
    parts = []
    try:
        while part := os.read(master, 1000):
            parts.append(part)
    except OSError:  # the end: nobody can write any more
        pass
    os.close(master)
    return b''.join(parts).decode()
