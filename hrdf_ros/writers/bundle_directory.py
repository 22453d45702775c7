# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The directory of a bundle: files are made beside it and moved in when all are there.

A list of what was written lies in it. Writing the bundle again replaces those files and removes
those that are not part of it any more; nothing else is touched, and no file that was changed by
hand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
import json
import os
import tempfile

from hrdf_ros.file_reader import open_regular

_LIST = '.hrdf-bundle.json'
_MOST_NAMED = 5


class BundleError(Exception):
    """A directory that cannot take a bundle; the text says why and what helps."""


@contextmanager
def staged(directory: str) -> Iterator[str]:
    """Yield an empty directory on the same disk, removed in the end."""
    above = os.path.dirname(os.path.abspath(directory))
    os.makedirs(above, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix='.hrdf-bundle-', dir=above) as stage:
        yield stage


def install(
    stage: str, directory: str, sources: Collection[str], *, force: bool = False,
) -> list[str]:
    """
    Move the files of a stage into a directory and return their relative names.

    A BundleError says that the directory has other files, or such that were changed since they
    were written; with ``force`` they are replaced. No file of ``sources`` ever is.
    """
    files = sorted(_files_below(stage))
    written = {name: _digest(os.path.join(stage, name)) for name in files}
    before = _list_of(directory)
    _check(directory, written, before, sources, force)
    os.makedirs(directory, exist_ok=True)
    for name, digest in before.items():
        old = os.path.join(directory, name)
        if name not in written and _is_inside(old, directory) and _digest(old) == digest:
            os.unlink(old)
            _remove_empty(os.path.dirname(old), directory)
    for name in files:
        target = os.path.join(directory, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.replace(os.path.join(stage, name), target)
    _write_list(os.path.join(stage, _LIST), written)
    os.replace(os.path.join(stage, _LIST), os.path.join(directory, _LIST))
    return files


def _check(
    directory: str, written: Mapping[str, str], before: Mapping[str, str],
    sources: Collection[str], force: bool,
) -> None:
    """Raise a BundleError where files would be lost, or written outside of the directory."""
    real = {os.path.realpath(source) for source in sources}
    if os.path.exists(directory) and not os.path.isdir(directory):
        raise BundleError(f'{directory} is not a directory')
    if not force and not before and os.path.isdir(directory) and os.listdir(directory):
        raise BundleError(
            f'{directory} has other files in it; name a new directory, or give --force to add '
            'to it')
    changed = []
    for name in written:
        target = os.path.join(directory, name)
        if os.path.realpath(target) in real:
            raise BundleError(f'{target} is a source of this conversion and would be lost')
        if not _is_inside(target, directory) or os.path.isdir(target):
            raise BundleError(f'{target} would not be a file in {directory}')
        if os.path.lexists(target) and _digest(target) not in (
                before.get(name), written[name]):
            changed.append(name)
    if changed and not force:
        raise BundleError(
            f'{directory} has files that were changed after they were written: '
            f'{", ".join(changed[:_MOST_NAMED])}{", ..." * (len(changed) > _MOST_NAMED)}; '
            'give --force to replace them')


def _is_inside(file: str, directory: str) -> bool:
    """Return whether a file would be below a directory, symbolic links followed."""
    real = os.path.realpath(directory)
    return os.path.commonpath((real, os.path.realpath(os.path.dirname(file)))) == real


def _remove_empty(folder: str, directory: str) -> None:
    """Remove a folder below a directory, and those around it, that hold nothing any more."""
    while os.path.relpath(folder, directory) != os.curdir and not os.listdir(folder):
        os.rmdir(folder)
        folder = os.path.dirname(folder)


def _files_below(directory: str) -> Iterator[str]:
    for above, _, names in os.walk(directory):
        for name in names:
            yield os.path.relpath(os.path.join(above, name), directory)


def _digest(file: str) -> str:
    """Return the hash of a file's content, empty where it cannot be read."""
    try:
        return sha256(_content(file)).hexdigest()
    except OSError:
        return ''


def _content(file: str) -> bytes:
    """Return what is in a file; a pipe or device is an OSError, without waiting for it."""
    with open_regular(file) as stream:
        return stream.read()


def _list_of(directory: str) -> dict[str, str]:
    """Return what was written here before, by name; nothing where the list is not ours."""
    try:
        found = json.loads(_content(os.path.join(directory, _LIST)))['files']
        return {name: digest for name, digest in found.items()
                if digest and not os.path.isabs(name) and os.pardir not in name.split('/')}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write_list(file: str, written: Mapping[str, str]) -> None:
    with open(file, 'x', encoding='utf-8') as stream:
        json.dump({'files': dict(sorted(written.items()))}, stream, indent=1)
        stream.write('\n')
