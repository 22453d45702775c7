# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf fetch``: download the files that descriptions name."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.cli import loading
from hrdf_ros.cli.options import command, Option
from hrdf_ros.cli.output import columns, CommandError, say, show, UsageError
from hrdf_ros.cli.robot_files import robot_files, RobotFile
from hrdf_ros.diagnostics import Diagnostic, printable
from hrdf_ros.fetch import Fetched, Fetcher, FetchError
from hrdf_ros.limits import FETCH_FILES

_MISSING = frozenset(code.name for code in (
    codes.MESH_NOT_FOUND, codes.SDF_MANIFEST_MISSING, codes.SDF_URI_NOT_FOUND,
    codes.TEXTURE_NOT_FOUND))
"""The diagnostics about files that are neither on this machine nor on the network."""


@command(
    Option('FILE...', 'a description in any format, a directory of them, or an address at https'),
    Option('--loopback', 'http from this machine too, for tests'), loading.READING)
def hrdf_fetch(options: argparse.Namespace) -> int:
    """
    Download the files that descriptions name at https.

    Every other command finds them then: meshes in ~/.cache/hrdf_ros, models and
    worlds of Gazebo Fuel in ~/.gz/fuel, as for Gazebo. Files that exist are not
    downloaded again. Files that a download names are downloaded too. No other
    command uses the network.

    for example:
      hrdf fetch robot.hrdf          its meshes
      hrdf fetch world.sdf           its models of Fuel
      hrdf fetch https://fuel.gazebosim.org/1.0/OWNER/models/NAME

    A file NAME.sha256 or SHA256SUMS beside the downloads has their checksums, for
    `sha256sum --check`. --resource-limit fetch_bytes=N, all_fetch_bytes=N change
    what is accepted.
    """
    run = _Run(loading.reading_of(options), loopback=options.loopback)
    for file in options.files:
        if file.startswith(('http://', 'https://')):
            found = run.fetch(file)
            names = [] if found is None or not os.path.isdir(found) else [found]
        elif '://' in file:
            raise UsageError(f"'{file}' is neither a file nor an address at https")
        else:
            names = [file]
        for name in names:
            found_files = robot_files(name) if os.path.isdir(name) else [RobotFile(name)]
            for described in found_files:
                if not described.is_xacro:  # xacro is not run for this
                    run.fetch_named_by(described.file)
    show(run.missing, run.display, least='info')
    size = sum(found.size for found in run.done)
    if run.tried and (run.has_failed or not all(found.is_cached for found in run.done)):
        print(f'{len(run.done)} of {len(run.tried)} fetched, {_size(size)}')
    elif run.missing:
        print('nothing to fetch: the files that are missing have no address at https')
    elif not run.has_failed:
        print('nothing to fetch: all files are on this machine')
    return 1 if run.has_failed or run.missing else 0


class _Run:
    """The downloads of one command, each tried once."""

    def __init__(self, reading: loading.Reading, *, loopback: bool) -> None:
        most = reading.options.limits
        self._reading = reading
        self._fetcher = Fetcher(
            os.environ, most.fetch_bytes, most.all_fetch_bytes, loopback=loopback,
            progress=_show_progress if sys.stderr.isatty() else None)
        self.display = reading.display
        self.has_failed = False
        self.missing: list[Diagnostic] = []
        """The diagnostics of files that are neither on this machine nor on the network."""
        self.tried: set[str] = set()
        self.done: list[Fetched] = []

    def fetch_named_by(self, file: str) -> None:
        """Download the files that a description names, then the files that they name, etc."""
        loaded = self._reading.load(file)
        while missing := [uri for uri in loaded.on_network if uri not in self.tried]:
            for uri in missing:
                self.fetch(uri)
            loaded = self._reading.load(file)
        self.missing += [found for found in loaded.report if found.code in _MISSING]
        if loaded.model is None:
            show(loaded.report, self._reading.display, least='error', is_stopped=True)
            self.has_failed = True

    def fetch(self, uri: str) -> Optional[str]:
        """Download a file and those that it names; return its path, or None after a message."""
        path, pending = None, [uri]
        for one in pending:
            if one in self.tried:
                continue
            self.tried.add(one)
            if len(self.tried) > FETCH_FILES:
                raise CommandError(f'{one}: more than {FETCH_FILES} files are named')
            try:
                found = self._fetcher.fetch(one)
            except FetchError as error:
                self.has_failed = True
                say(f'hrdf: error: {one}: {error}', sys.stderr)
                continue
            finally:
                if sys.stderr.isatty():
                    print('\r\x1b[K', end='', file=sys.stderr, flush=True)
            self.done.append(found)
            path = path or found.path
            pending += found.parts
            if not found.is_cached:
                say(f'{one} -> {found.path} ({_size(found.size)})')
                sys.stdout.flush()
        return path


def _show_progress(url: str, size: int, expected: Optional[int]) -> None:
    """Show the progress of a download on one line of a terminal."""
    whole = f' of {_size(expected)}' if expected else ''
    text = printable(f'{_size(size)}{whole}  {url}')[:columns() - 1]
    print(f'\r\x1b[K{text}', end='', file=sys.stderr, flush=True)


def _size(size: int) -> str:
    return f'{size / 1e6:.1f} MB' if size >= 100_000 else f'{size / 1e3:.1f} kB'
