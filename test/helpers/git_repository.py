# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A git repository for tests, independent of the user's configuration."""

from __future__ import annotations

from collections.abc import Mapping
import os
from pathlib import Path
import subprocess

_OWN = {
    'GIT_CONFIG_GLOBAL': os.devnull, 'GIT_CONFIG_NOSYSTEM': '1',
    **{f'GIT_{role}_{what}': 'somebody@example.org'
       for role in ('AUTHOR', 'COMMITTER') for what in ('NAME', 'EMAIL')}}


class Repository:
    """A repository in a directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(exist_ok=True)
        self.git('init', '--quiet')

    def git(self, *arguments: str, given: bytes = b'') -> str:
        """Run git and return what it prints."""
        done = subprocess.run(
            ['git', *arguments], cwd=self.directory, input=given, check=True,
            stdout=subprocess.PIPE, env={**os.environ, **_OWN})
        return done.stdout.decode().strip()

    def write(self, files: Mapping[str, str]) -> None:
        """Write files by their names."""
        for name, text in files.items():
            file = self.directory / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def commit(self, files: Mapping[str, str]) -> None:
        """Write files, and commit everything in the directory."""
        self.write(files)
        self.git('add', '--all')
        self.git('commit', '--quiet', '--message', 'change')
