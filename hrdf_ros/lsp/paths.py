# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Completion of paths and URIs: the folders and files that may follow what has been typed.

Folders and files are looked up where ``load`` looks for them, on this machine only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
import os
import re
from typing import NamedTuple, Optional
from urllib.parse import quote

from hrdf_ros.document.tokenizer import plain
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.resolve import Packages, Resolver
from hrdf_ros.writers.mesh_files import CONTENTS

_PACKAGE_OF_XACRO = re.compile(r'\$\(find\s+([^\s$()]+)\s*\)')
_PACKAGE_BEING_WRITTEN = re.compile(r'\$\(find\s+([^\s$()]*)$')
_ENTRIES = 5000
"""The most entries of a folder that are looked at."""
_SCHEMES = ('package://', 'model://', 'file://')
_MESHES = (*CONTENTS['mesh'], '.skn')
_IMAGES = tuple(CONTENTS['texture'])
_ROBOTS = (*(suffix for one in FORMATS for suffix in one.suffixes), '.xml')
_SUFFIXES = {
    **dict.fromkeys(('mesh', 'mesh_path', 'skin'), _MESHES),
    **dict.fromkeys(('texture', 'image', 'heightmap', 'hfield'), _IMAGES),
    **dict.fromkeys(('include', 'model', 'xacro:include'), _ROBOTS)}
"""
The suffixes of the files that a value may name, by the name of its attribute, element or parent
element.
"""


class PathProposal(NamedTuple):
    """
    A continuation of a path, which replaces what is written from ``start`` on.

    ``is_folder`` says that the path may continue after this text.
    """

    start: int
    text: str
    is_folder: bool


def suffixes_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return the suffixes for an attribute, its element and its parent; () allows any file."""
    return next((_SUFFIXES[name] for name in names if name in _SUFFIXES), ())


def with_packages(uri: str, beside: str, packages: Packages) -> Optional[str]:
    """Return a path with xacro's ``$(find NAME)`` replaced, or None if it has others."""
    missing = []

    def directory(found: re.Match[str]) -> str:
        share = packages.find(found[1], beside)
        missing.extend([] if share else [found[1]])
        return share or ''

    replaced = _PACKAGE_OF_XACRO.sub(directory, uri)
    return None if missing or '$' in replaced else replaced


def proposals(
    typed: str, beside: str, resolver: Resolver, directories: Sequence[str],
    suffixes: tuple[str, ...],
) -> Iterator[PathProposal]:
    """
    Yield what may follow a path: folders, then files with one of the suffixes.

    ``typed`` is the path so far, as it is written in the file ``beside``: with XML references such
    as ``&amp;``. Relative paths may also begin in one of the ``directories`` of that file.
    """
    being_written = _PACKAGE_BEING_WRITTEN.search(typed)
    start = typed.rfind('/') + 1
    if being_written is not None:
        for name in sorted(resolver.packages.around(beside)):
            yield PathProposal(being_written.start(1), f'{name})', True)
    elif typed[:start] == 'package://':
        for name in sorted(resolver.packages.around(beside)):
            yield PathProposal(start, f'{name}/', True)
    else:
        yield from (PathProposal(0, scheme, True) for scheme in _SCHEMES if start == 0)
        above = with_packages(plain(typed[:start]), beside, resolver.packages)
        if above is not None and not above.startswith(('http:', 'https:')):
            relative = [] if '://' in above else [os.path.join(one, above) for one in directories]
            folders = [
                folder for uri in (*relative, above) for folder in resolver.folders(uri, beside)]
            found = _content(folders, resolver, suffixes, is_hidden=typed[start:start + 1] == '.')
            if above == 'model://':
                for name in (*resolver.packages.around(beside), *_own_models(beside, resolver)):
                    found.setdefault(name, True)
            is_escaped = above.startswith(('package:', 'file:'))
            for name, is_folder in sorted(found.items(), key=lambda one: (not one[1], one[0])):
                written = quote(name) if is_escaped else name
                yield PathProposal(start, f'{written}/' if is_folder else written, is_folder)


def _own_models(beside: str, resolver: Resolver) -> Iterator[str]:
    """Yield the names of the model directories that a file is in: URIs of its files have them."""
    directory = os.path.dirname(os.path.abspath(beside))
    while directory != os.path.dirname(directory):
        if resolver.is_model_directory(directory):
            yield os.path.basename(directory)
        directory = os.path.dirname(directory)


def _content(
    folders: Iterable[str], resolver: Resolver, suffixes: tuple[str, ...], *, is_hidden: bool,
) -> dict[str, bool]:
    """
    Return the names in folders, and whether a path may continue after each.

    A path may continue after a folder, unless the path leads to a description and the folder is a
    model directory with a ``model.config``.
    """
    found: dict[str, bool] = {}
    for folder in dict.fromkeys(folders):
        for name, is_folder in _entries(folder):
            is_named = is_folder or name.lower().endswith(suffixes or '')
            if name.startswith('.') == is_hidden and is_named:
                found.setdefault(name, is_folder and not (
                    suffixes is _ROBOTS
                    and resolver.is_model_directory(os.path.join(folder, name))))
    return found


def _entries(folder: str) -> Iterator[tuple[str, bool]]:
    """Yield the names in a folder, and whether each is a folder instead of a regular file."""
    with suppress(OSError, ValueError), os.scandir(folder) as entries:
        for entry in islice(entries, _ENTRIES):
            if entry.is_dir() or entry.is_file():
                yield entry.name, entry.is_dir()
