# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Copy a Model's meshes and textures into one directory, and name them there in the Model.

``meshes/`` has the meshes and their parts (material libraries, images, buffers), ``textures/``
the images of materials, ``materials/`` the scripts. Names are reduced to letters, digits and
``._-`` and are unique even where upper and lower case are the same; a mesh that names a renamed
file is rewritten. A description from elsewhere cannot ask for a private file: a file is copied if
it is regular, if its suffix and content are those of a mesh or an image, and if no symbolic link
beside the description leads out of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
import os
import re
from typing import Optional
from xml.sax.saxutils import unescape

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Location, Report, value_location
from hrdf_ros.document import escape
from hrdf_ros.file_reader import open_regular
from hrdf_ros.fuel import fetch_hint, is_remote, ON_NETWORK
from hrdf_ros.model import Model, RawElement
from hrdf_ros.names import Names
from hrdf_ros.writers.file_list import (
    DamagedListError,
    digest,
    digest_below,
    read_list,
    write_listed,
)
from hrdf_ros.writers.files import named_files, NamedFile, with_uris
from hrdf_ros.writers.mesh_files import CONTENTS, has_content_of, paths_of, with_parts_renamed

MESHES = 'meshes'
GENERATED = 'generated'
"""The directory, below ``MESHES``, for meshes that replace shapes a format lacks."""
_FOLDERS = {'mesh': MESHES, 'texture': 'textures', 'script': 'materials'}
_KEPT_FILE = re.compile('( file[a-z]*=)"(.*?)"')
_NOUNS = {
    'mesh': 'mesh', 'texture': 'texture', 'script': 'material script',
    'part': 'part of a mesh file'}


def collect(
    model: Model, start: str, report: Report, *, trusted: Collection[str] = (),
    most: int = 1 << 29, for_mjcf: bool = False,
) -> tuple[Model, dict[str, bytes]]:
    """
    Return a Model with other names of its files, and the content of the files by these names.

    The Model names them after ``start``: ``package://``, or a path to the bundle. A file that
    cannot be copied keeps its URI and is reported. A copied file lies, with links followed, below
    the directory of the description or of the ROS package around the description; ``trusted`` are
    directories whose files and links are the user's own. ``most`` is the limit of all bytes.
    ``for_mjcf`` leaves the Model the files that were copied, for a writer that reads them, and
    copies those of kept assets.
    """
    collector = _Collector(model, start, report, trusted, most, for_mjcf)
    chosen: dict[NamedFile, NamedFile] = {}
    for named, shape in named_files(model):
        if named not in chosen:
            chosen[named] = collector.take(named, value_location(shape.location, 'uri'))
    if for_mjcf:
        model = model._replace(extensions=tuple(map(collector.take_kept, model.extensions)))
    return with_uris(model, chosen.__getitem__), collector.files


class _Refused(Exception):
    """A file is not copied; the text says why."""


class _Collector:
    """Reads the files of a Model, each once, and names them."""

    def __init__(
        self, model: Model, start: str, report: Report, trusted: Collection[str], most: int,
        keep_files: bool,
    ) -> None:
        self._keeps_files = keep_files
        self.files: dict[str, bytes] = {}
        self._home = _package_of(os.path.abspath(
            os.path.dirname(model.files[0]) if model.files else ''))
        self._start = start
        self._report = report
        self._trusted = [os.path.abspath(directory) for directory in trusted]
        self._left = most
        self._names = defaultdict[str, Names](Names)
        self._names[MESHES].claim(GENERATED)
        self._copies: dict[tuple[str, str], str] = {}

    def take(self, named: NamedFile, location: Optional[Locatable]) -> NamedFile:
        """Copy a file and return its name in the bundle."""
        code = codes.MESH_NOT_FOUND if named.kind == 'mesh' else codes.TEXTURE_NOT_FOUND
        if named.file is None:
            if is_remote(named.uri):
                self._report.add(
                    codes.FILE_ON_NETWORK, f"'{named.uri}' {ON_NETWORK} and is not copied",
                    location, hint=fetch_hint(named.uri), severity='warning')
            return named
        is_scripts = named.kind == 'script' and os.path.isdir(named.file)
        with self._reported(code, f"'{named.uri}' is not copied: ", location):
            copy = self._copy_scripts(named.file) if is_scripts else self._copy(
                named.file, _FOLDERS[named.kind], named.kind)
            file = named.file if self._keeps_files else None
            return NamedFile(named.kind, self._start + copy, file)
        return named._replace(file=None)  # a file that is not copied is not converted either

    @contextmanager
    def _reported(
        self, code: codes.Code, text: str, location: Optional[Locatable],
    ) -> Iterator[None]:
        """Report why a file is not copied, and continue after the block."""
        try:
            yield
        except (_Refused, OSError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            self._report.add(code, f'{text}{why}', location)

    def take_kept(self, element: RawElement) -> RawElement:
        """Copy the files that an asset of MJCF names, and return it with their new names."""
        if element.tag != 'asset' or 'mjcf' not in element.held_by:
            return element

        def copied(found: re.Match[str]) -> str:
            file = unescape(found[2], {'&quot;': '"'})
            named = NamedFile('mesh' if '<mesh' in element.text else 'texture', file, file)
            return f'{found[1]}"{escape(self.take(named, element.location).uri)}"'

        return element._replace(text=_KEPT_FILE.sub(copied, element.text))

    def _copy(self, file: str, folder: str, kind: str) -> str:
        """Copy a file with its parts; return its path in the bundle."""
        key = os.path.realpath(file), folder
        if key not in self._copies:
            data = self._content(file, kind)
            copy = self._copies[key] = f'{folder}/{self._claim(folder, os.path.basename(file))}'
            renamed: dict[str, str] = {}

            def rename(name: str) -> str:
                if name not in renamed:
                    renamed[name] = self._copy_part(file, name, folder)
                return renamed[name]

            self.files[copy] = with_parts_renamed(
                data, _suffix(file), rename, lambda name: _beside(file, name) is not None)
        return self._copies[key]

    def _content(self, file: str, kind: str) -> bytes:
        """Return the content of a file that may be copied."""
        suffix = _suffix(file)
        if suffix not in CONTENTS[kind]:
            raise _Refused(f"its suffix '{suffix}' is not that of a {_NOUNS[kind]}")
        if not self._may_take(file):
            raise _Refused(
                'it lies outside of the directory of the description; --path trusts another one')
        with open_regular(file) as stream:
            data = stream.read(self._left + 1)
        if len(data) > self._left:
            raise _Refused('the bundle would exceed the resource limit bundle_bytes')
        if not has_content_of(kind, suffix, data):
            raise _Refused(f"its content is not that of a '{suffix}' file")
        self._left -= len(data)
        return data

    def _may_take(self, file: str) -> bool:
        """Return whether a file and what it links to belong to the description or are trusted."""
        path, real = os.path.abspath(file), os.path.realpath(file)
        if real != os.path.realpath(path):  # a symbolic link stands before '..'
            return False
        return any(_is_below(path, directory) for directory in self._trusted) or (
            _is_below(path, self._home) and _is_below(real, os.path.realpath(self._home)))

    def _copy_part(self, file: str, name: str, folder: str) -> str:
        """Copy a file that another one names; return its name there, or '' if it is not a file."""
        with self._reported(
                codes.TEXTURE_NOT_FOUND, f"'{name}', which this file names, is not copied: ",
                Location(file)):
            part = _beside(file, name)
            if part is None:
                raise _Refused('it is not found')
            return os.path.basename(self._copy(part, folder, 'part'))
        return ''

    def _copy_scripts(self, directory: str) -> str:
        """Copy the scripts and images of a directory; return its path."""
        key = os.path.realpath(directory), 'materials'
        if key not in self._copies:
            name = self._claim('materials', os.path.basename(key[0]))
            copy = self._copies[key] = f'materials/{name}'
            for entry in sorted(os.scandir(directory), key=lambda entry: entry.name):
                if entry.is_file() and _suffix(entry.name) in CONTENTS['script']:
                    with self._reported(
                            codes.TEXTURE_NOT_FOUND, 'is not copied: ', Location(entry.path)):
                        self.files[f'{copy}/{plain_name(entry.name)}'] = self._content(
                            entry.path, 'script')
        return self._copies[key]

    def _claim(self, folder: str, name: str) -> str:
        """Return a name that no other file of the folder has in upper or lower case."""
        stem, suffix = os.path.splitext(plain_name(name))
        wanted, count = stem + suffix, 2
        while wanted.lower() in self._names[folder]:
            wanted, count = f'{stem}_{count}{suffix}', count + 1
        self._names[folder].claim(wanted.lower())
        return wanted


def plain_name(name: str) -> str:
    """Return a name of letters, digits and ``._-`` that is not hidden."""
    found = re.sub(r'[^A-Za-z0-9._-]', '_', name)
    return f'_{found}' if found[:1] in ('', '.', '-') else found


def _suffix(file: str) -> str:
    return os.path.splitext(file)[1].lower()


def _package_of(directory: str) -> str:
    """Return the directory of the ROS package around a directory, or itself if there is none."""
    above = directory
    while not os.path.isfile(os.path.join(above, 'package.xml')):
        if above == os.path.dirname(above):
            return directory
        above = os.path.dirname(above)
    return above


def _is_below(path: str, directory: str) -> bool:
    return os.path.commonpath((path, directory)) == directory


def _beside(file: str, name: str) -> Optional[str]:
    """Return the file that another one names, or None if there is none."""
    for path in paths_of(name):
        found = os.path.join(os.path.dirname(file), path)
        if '\0' not in path and path and os.path.isfile(found):
            return found
    return None


# ---- the directory

_LIST = '.hrdf-bundle.json'
_PLAIN = re.compile(r'(?:[A-Za-z0-9_][A-Za-z0-9._-]*/)*[A-Za-z0-9_][A-Za-z0-9._-]*')
_LISTED = 5
"""The most changed files that a message lists."""


class BundleError(Exception):
    """A directory cannot take a bundle; the text has the reason and a remedy."""


def install(
    directory: str, files: Mapping[str, bytes], sources: Collection[str], *, force: bool = False,
) -> None:
    """
    Write files into a directory, with a list of them; remove the files of the previous list.

    A BundleError says that the directory has other files, or files that were changed since they
    were written; ``force`` replaces them, but never a file of ``sources``. A failure, or SIGTERM,
    leaves the directory as it was.
    """
    if os.path.exists(directory) and not os.path.isdir(directory):
        raise BundleError(f'{directory} is not a directory')
    before = _list_of(directory, force)
    found = {name: digest_below(directory, name) for name in {*files, *before}}
    digests = {name: digest(data) for name, data in sorted(files.items())}
    _check(directory, digests, before, found, sources, force)
    changed = {name: data for name, data in files.items() if found[name] != digests[name]}
    unused = [
        name for name, written in before.items() if name not in files and found[name] == written]
    try:
        write_listed(directory, _LIST, changed, digests, unused)
    except FileExistsError as error:
        raise BundleError(f'{error.filename} {error.strerror}') from None


def _check(
    directory: str, digests: Mapping[str, str], before: Mapping[str, str],
    found: Mapping[str, Optional[str]], sources: Collection[str], force: bool,
) -> None:
    """Raise BundleError if files would be lost."""
    if not force and not before and os.path.isdir(directory) and os.listdir(directory):
        raise BundleError(
            f'{directory} has other files in it; name a new directory, or give --force to add '
            'to it')
    real = {os.path.realpath(source) for source in sources}
    for name in digests:
        target = os.path.join(directory, name)
        if os.path.realpath(target) in real:
            raise BundleError(f'{target} is a source of this conversion and would be lost')
    changed = [name for name, digest in digests.items() if found[name] not in (
        None, before.get(name), digest)]
    if changed and not force:
        raise BundleError(
            f'{directory} has files that were changed after they were written: '
            f'{", ".join(changed[:_LISTED])}{", ..." * (len(changed) > _LISTED)}; '
            'give --force to replace them')


def _list_of(directory: str, force: bool) -> dict[str, str]:
    """Return the digests of a bundle's files by name; raise BundleError for a damaged list."""
    try:
        found = read_list(directory, _LIST) or {}
        if not all(map(_PLAIN.fullmatch, found)):
            raise DamagedListError('a name that is not ours')
    except DamagedListError:
        if force:
            return {}
        raise BundleError(
            f'{os.path.join(directory, _LIST)} is not a list of the files of a bundle; remove '
            'it, or give --force') from None
    return found
