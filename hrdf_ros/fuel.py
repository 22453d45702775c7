# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Find downloads: models and worlds of Fuel, which is Gazebo's collection, and other files.

``https://SERVER/1.0/OWNER/models/NAME/VERSION`` is the directory
``SERVER/owner/models/name/VERSION`` of a cache, with the names in lower case. Any other
``https://HOST/PATH`` is the file ``HOST/PATH`` of the cache of ``hrdf fetch``. Nothing is
downloaded here.
"""

from collections.abc import Iterator, Mapping, Sequence
import os
import re
from typing import NamedTuple, Optional

_SAME_SERVERS = (
    'fuel.gazebosim.org', 'fuel.ignitionrobotics.org', 'app.gazebosim.org',
    'app.ignitionrobotics.org')
"""The names of one server; ``ignitionrobotics`` is the old name, ``app`` hosts are web pages."""
_VARIABLES = ('GZ_FUEL_CACHE_PATH', 'IGN_FUEL_CACHE_PATH')
_IN_HOME = ('.gz/fuel', '.ignition/fuel')
_KINDS = ('models', 'worlds')
_NEWEST = 'tip'
ON_NETWORK = 'is on the network'

_REMOTE = ('http://', 'https://')


def is_remote(uri: str) -> bool:
    """Return whether a URI names a file on the network."""
    return uri.startswith(_REMOTE)


def fetch_hint(name: str) -> str:
    """Return the hint with the command that downloads a URI, or the files that a file names."""
    from shlex import quote  # few files name others on the network
    return f'hrdf fetch {quote(name)} downloads it'


class FuelUri(NamedTuple):
    """
    A model or world of Fuel, and the path of a ``file`` in its directory.

    ``version`` is empty for the newest version.
    """

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


def fuel_server(uri: FuelUri) -> str:
    """Return the server with the model or world of a URI, which may lead to a web page."""
    return _SAME_SERVERS[0] if uri.server in _SAME_SERVERS else uri.server


def file_cache(environ: Mapping[str, str]) -> str:
    """Return the directory of downloads that are not from Fuel, empty without a home directory."""
    home = environ.get('HOME', '')
    above = environ.get('XDG_CACHE_HOME') or (home and os.path.join(home, '.cache'))
    return above and os.path.join(above, 'hrdf_ros')


def path_in_file_cache(uri: str) -> Optional[str]:
    """Return the path of a URI's file in the cache, None where it does not name a file."""
    from urllib.parse import quote, unquote, urlsplit
    try:
        address = urlsplit(uri)
    except ValueError:
        return None
    *above, name = [unquote(part) for part in address.path.split('/')]
    parts = [address.hostname or '', *filter(None, above), name]
    if '@' in address.netloc or any(
            part in ('', '.', '..') or '/' in part or '\0' in part for part in parts):
        return None
    query = [f'?{address.query}'] if address.query else []
    parts = [address.netloc.lower(), *parts[1:-1], *query, name]
    return '/'.join(quote(part, safe=' ?=&+,;@()') for part in parts)


def caches(environ: Mapping[str, str]) -> list[str]:
    """Return the directories that Gazebo downloads to; those of the environment come first."""
    home = environ.get('HOME', '')
    named = [environ[name] for name in _VARIABLES if environ.get(name)]
    return [*named, *(os.path.join(home, below) for below in _IN_HOME if home)]


def candidates(
    uri: str, path: Sequence[str], environ: Mapping[str, str],
) -> Iterator[str]:
    """
    Yield where the model or file of a URI may be, best first.

    A file is in the cache of ``hrdf fetch``. A model is in the caches of Fuel, then in the
    directories of ``path``: below one that has the name of the model, or in one that contains
    such a directory.
    """
    found = parse_uri(uri)
    if found is None:
        cache, file = file_cache(environ), path_in_file_cache(uri)
        if cache and file is not None:
            yield os.path.join(cache, file)
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
