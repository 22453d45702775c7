# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A directory with a list of the files that were written into it.

The list is a JSON file with the SHA-256 of each file as it was written, so that the next writer
can tell which files were changed since.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
import json
from typing import Optional

from hrdf_ros.file_writer import read_below, write_all
from hrdf_ros.limits import LIST_BYTES


class DamagedListError(ValueError):
    """A file that is not a list of files and digests."""


def digest(data: bytes) -> str:
    """Return the SHA-256 of data in hexadecimal."""
    return sha256(data).hexdigest()


def digest_below(directory: str, name: str) -> Optional[str]:
    """Return the digest of a file, or '' for a link or a pipe, or None if there is no file."""
    try:
        data = read_below(directory, name)
    except FileExistsError:
        return ''
    return None if data is None else digest(data)


def read_list(directory: str, list_name: str) -> Optional[dict[str, str]]:
    """Return the digests of the files by name, or None if there is no list."""
    try:
        data = read_below(directory, list_name, LIST_BYTES)
        if data is None:
            return None
        found = json.loads(data)['files']
        if not all(isinstance(one, str) for one in found.values()):
            raise DamagedListError('a digest that is not a text')
    except (
            FileExistsError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DamagedListError(f'{list_name} is not a list of files and digests') from None
    return dict(found)


def write_listed(
    directory: str, list_name: str, files: Mapping[str, bytes], digests: Mapping[str, str],
    removed: Collection[str] = (),
) -> None:
    """Write files and the list of ``digests``, or nothing at all; then remove other files."""
    text = json.dumps({'files': dict(sorted(digests.items()))}, indent=1) + '\n'
    write_all(
        {**{(directory, name): data for name, data in files.items()},
         (directory, list_name): text.encode()},
        [(directory, name) for name in removed])
