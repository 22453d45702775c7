# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A package in its directory, and its update, which keeps what the user changed.

A list in the directory has the digest of each file as it was generated. A file that still has it
is replaced. One that the user changed stays; where what is generated has changed too, that is
written beside it as ``NAME.new``.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
import json
import os
from typing import NamedTuple

from hrdf_ros.file_writer import exit_on_sigterm, read_below, write_below

LIST = '.hrdf_moveit.json'


class UpdateError(Exception):
    """A directory that is not updated; the text has the reason and a remedy."""


class Changes(NamedTuple):
    """The names of files that were written, and of those that were written as ``NAME.new``."""

    written: tuple[str, ...]
    beside: tuple[str, ...]


def write_package(directory: str, files: Mapping[str, bytes], *, update: bool) -> Changes:
    """
    Write the files of a package, by path, into a directory that does not exist yet.

    With ``update`` it may have been written before. An UpdateError says why nothing is written.
    """
    before: dict[str, str] = {}
    if os.path.lexists(directory):
        if not update:
            raise UpdateError(f'{directory} exists; --update updates a package of this command')
        before = _list_of(directory)
    target = {name: _target(directory, name, data, before) for name, data in files.items()}
    written = {other: files[name] for name, other in target.items() if other}
    listed = {
        **{name: digest for name, digest in before.items() if name.removesuffix('.new') in files},
        **{name: _digest(data) for name, data in {**files, **written}.items()}}
    text = json.dumps({'files': dict(sorted(listed.items()))}, indent=1) + '\n'
    with exit_on_sigterm():
        if not before:  # --update goes on where the first run is interrupted
            write_below(directory, LIST, text.encode())
        for name, data in written.items():
            write_below(directory, name, data, digests=before.values())
        write_below(directory, LIST, text.encode(), force=True)
    return Changes(
        tuple(name for name in written if name in files),
        tuple(name for name in written if name not in files))


def _target(directory: str, name: str, data: bytes, before: Mapping[str, str]) -> str:
    """Return the name that a file is written as, empty where nothing has to be written."""
    found, generated = read_below(directory, name) if before else None, _digest(data)
    if found == data:
        return ''
    if found is None or _digest(found) == before.get(name):
        return name
    return '' if before.get(name) == generated else f'{name}.new'


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _list_of(directory: str) -> dict[str, str]:
    """Return the digests of the files that were generated, by name."""
    try:
        found = json.loads(read_below(directory, LIST) or b'')['files']
        if not all(isinstance(digest, str) for digest in found.values()):
            raise ValueError('a digest that is not a text')
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UpdateError(
            f'{directory} is not a package that hrdf moveit wrote: {LIST} is missing or '
            'damaged') from None
    return dict(found)
