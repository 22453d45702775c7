# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf fetch``: download the files that descriptions name."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Optional

from hrdf_ros.cli.check import robot_files
from hrdf_ros.cli.options import add_load_options, limits, load_file
from hrdf_ros.cli.output import columns
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import CommandError, UsageError
from hrdf_ros.diagnostics import printable
from hrdf_ros.fetch import Fetched, Fetcher, FetchError
from hrdf_ros.limits import FETCH_FILES

_DESCRIPTION = """\
Download the files that descriptions name at https, to where every other command
finds them: meshes to ~/.cache/hrdf_ros, models and worlds of Gazebo Fuel to
~/.gz/fuel, as Gazebo does. Files that are there are not downloaded again. What
a download names itself is downloaded too. No other command uses the network."""
_EPILOG = """\
examples:
  hrdf fetch robot.hrdf          its meshes
  hrdf fetch world.sdf           its models of Fuel
  hrdf fetch https://fuel.gazebosim.org/1.0/OWNER/models/NAME

A file NAME.sha256 or SHA256SUMS beside the downloads has their checksums, for
`sha256sum --check`. --resource-limit fetch_bytes=N, all_fetch_bytes=N change
what is accepted."""
_STEP = 1 << 18
"""Bytes after which the progress is shown again."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument(
        'files', metavar='FILE', nargs='+',
        help='a description in any format, a directory of them, or an address at https')
    parser.add_argument(
        '--loopback', action='store_true', help='http from this machine too, for tests')
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Download until nothing is missing; return 1 where something could not be."""
    run_of = _Run(options)
    for file in options.files:
        if file.startswith(('http://', 'https://')):
            found = run_of.fetch(file)
            names = [] if found is None or not os.path.isdir(found) else [found]
        elif '://' in file:
            raise UsageError(f"'{file}' is neither a file nor an address at https")
        else:
            names = [file]
        for name in names:
            for described in robot_files(name):
                run_of.fetch_named_by(described)
    if run_of.summary:
        print(run_of.summary)
    return 1 if run_of.has_failed else 0


class _Run:
    """The downloads of one command, each tried once."""

    def __init__(self, options: argparse.Namespace) -> None:
        most = limits(options)
        self.has_failed = False
        self._options = options
        self._progress = _Progress()
        self._fetcher = Fetcher(
            os.environ, most.fetch_bytes, most.all_fetch_bytes, loopback=options.loopback,
            progress=self._progress.show if sys.stderr.isatty() else None)
        self._tried: set[str] = set()
        self._done: list[Fetched] = []

    def fetch_named_by(self, file: str) -> None:
        """Download what a description names, then what those files name."""
        while True:
            loaded = load_file(file, self._options)
            missing = [uri for uri in loaded.on_network if uri not in self._tried]
            if not missing:
                break
            for uri in missing:
                self.fetch(uri)
        if loaded.model is None:
            show(loaded.report, self._options, least='error', is_stopped=True)
            self.has_failed = True

    def fetch(self, uri: str) -> Optional[str]:
        """Download a file and what it names; return its path, None with a message."""
        path, pending = None, [uri]
        for one in pending:
            if one not in self._tried:
                found = self._fetch(one)
                path = path or found and found.path
                pending += () if found is None else found.parts
        return path

    def _fetch(self, uri: str) -> Optional[Fetched]:
        self._tried.add(uri)
        if len(self._tried) > FETCH_FILES:
            raise CommandError(f'{uri}: more than {FETCH_FILES} files are named')
        try:
            found = self._fetcher.fetch(uri)
        except FetchError as error:
            self.has_failed = True
            print(printable(f'hrdf: error: {uri}: {error}'), file=sys.stderr)
            return None
        finally:
            self._progress.clear()
        self._done.append(found)
        if found.size:
            print(printable(f'{uri} -> {found.path} ({_size(found.size)})'), flush=True)
        return found

    @property
    def summary(self) -> str:
        """One line on all that was downloaded, empty where a file names nothing."""
        if self.has_failed and not self._tried:
            return ''
        if not self.has_failed and not any(found.size for found in self._done):
            return 'nothing to fetch: all files are on this machine'
        size = _size(sum(found.size for found in self._done))
        return f'{len(self._done)} of {len(self._tried)} fetched, {size}'


class _Progress:
    """A line on a terminal that shows how far a download is."""

    def __init__(self) -> None:
        self._shown = 0
        self._is_drawn = False

    def show(self, url: str, size: int, expected: Optional[int]) -> None:
        """Draw the line, unless it would hardly change."""
        if self._is_drawn and size - self._shown < _STEP and size != expected:
            return
        width = 20
        filled = 0 if not expected else min(width, width * size // expected)
        bar = f'[{"#" * filled}{" " * (width - filled)}] ' if expected else ''
        text = f'{bar}{_size(size)}  {url}'
        print(f'\r\x1b[K{printable(text)[:columns() - 1]}', end='', file=sys.stderr, flush=True)
        self._shown, self._is_drawn = size, True

    def clear(self) -> None:
        """Remove the line."""
        if self._is_drawn:
            print('\r\x1b[K', end='', file=sys.stderr, flush=True)
        self._shown, self._is_drawn = 0, False


def _size(size: int) -> str:
    return f'{size / 1e6:.1f} MB' if size >= 100_000 else f'{size / 1e3:.1f} kB'
