# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Where Gazebo keeps its downloads from Fuel, a collection of models.

``https://SERVER/1.0/OWNER/models/NAME/VERSION`` is the directory
``SERVER/owner/models/name/VERSION`` of a cache, the names in lower case. Nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
import os
import re
from typing import NamedTuple, Optional

_SAME_SERVERS = (
    'fuel.gazebosim.org', 'fuel.ignitionrobotics.org', 'app.gazebosim.org',
    'app.ignitionrobotics.org')
"""The second is the old name of the first; the ``app`` hosts are web pages."""
_VARIABLES = ('GZ_FUEL_CACHE_PATH', 'IGN_FUEL_CACHE_PATH')
_IN_HOME = ('.gz/fuel', '.ignition/fuel')
_KINDS = ('models', 'worlds')
_NEWEST = 'tip'


class FuelUri(NamedTuple):
    """A model or world of Fuel; ``version`` is empty for the newest, ``file`` is a path in it."""

    server: str
    owner: str
    kind: str
    name: str
    version: str = ''
    file: tuple[str, ...] = ()


def parse_uri(uri: str) -> Optional[FuelUri]:
    """Return the model or world of a Fuel URI, None for any other URI."""
    from urllib.parse import unquote, urlsplit  # costs a start 2 ms; few files have such URIs
    try:
        address = urlsplit(uri)
    except ValueError:
        return None
    server = (address.hostname or '').lower()
    parts = [unquote(part) for part in address.path.split('/') if part]
    if any(part in ('.', '..') or '/' in part or '\0' in part for part in (server, *parts)):
        return None
    if len(parts) >= 4 and re.fullmatch(r'[0-9.]+', parts[0]) and parts[2] in _KINDS:
        owner, kind, name, *rest = parts[1:]
    elif len(parts) >= 4 and parts[1] == 'fuel' and parts[2] in _KINDS:
        owner, _, kind, name, *rest = parts
    else:
        return None
    version = rest[0] if rest and rest[0] != 'files' else ''
    if version:
        rest = rest[1:]
    if rest[:1] == ['files']:
        rest = rest[1:]
    return FuelUri(
        server=server, owner=owner, kind=kind, name=name,
        version='' if version == _NEWEST else version, file=tuple(rest))


def caches(environ: Mapping[str, str]) -> list[str]:
    """Return the directories that Gazebo downloads to, the environment's first."""
    home = environ.get('HOME', '')
    named = [environ[name] for name in _VARIABLES if environ.get(name)]
    return [*named, *(os.path.join(home, below) for below in _IN_HOME if home)]


def candidates(
    uri: str, path: Sequence[str], environ: Mapping[str, str],
) -> Iterator[str]:
    """
    Yield where the model or file of a URI may be, best first.

    That is in the caches, then in the directories of ``path``: below one that has the name of the
    model, or in one that contains such a directory.
    """
    found = parse_uri(uri)
    if found is None:
        return
    for cache in caches(environ):
        for model in _in_cache(cache, found):
            yield os.path.join(model, *found.file)
    names = dict.fromkeys((found.name, found.name.lower()))
    for directory in path:
        for name in names:
            yield os.path.join(directory, name, *found.file)
        if os.path.basename(os.path.abspath(directory)).lower() == found.name.lower():
            yield os.path.join(directory, *found.file)


def _in_cache(cache: str, uri: FuelUri) -> Iterator[str]:
    """Yield the directories of the wanted versions, the newest first."""
    servers = _SAME_SERVERS if uri.server in _SAME_SERVERS else ()
    for server in dict.fromkeys((uri.server, *servers)):
        for owner, name in dict.fromkeys((
                (uri.owner.lower(), uri.name.lower()), (uri.owner, uri.name))):
            model = os.path.join(cache, server, owner, uri.kind, name)
            for version in (uri.version,) if uri.version else _versions(model):
                yield os.path.join(model, version)


def _versions(model: str) -> list[str]:
    """Return the versions in the directory of a model, the newest first."""
    try:
        found = [name for name in os.listdir(model) if name.isascii() and name.isdigit()]
    except (OSError, ValueError):
        return []
    return sorted(found, key=int, reverse=True)
