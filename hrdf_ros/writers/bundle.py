# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A Model's meshes and textures copied into one directory, and a Model that names them there.

``meshes/`` has the meshes and what they name (material libraries, images, buffers), ``textures/``
the images of materials, ``materials/`` the scripts. Names are reduced to letters, digits and
``._-`` and are unique even where upper and lower case are the same; a mesh that names a file
with another name there is rewritten. A file is only copied if its suffix says that it is what it
is taken for: a description from elsewhere cannot ask for a private file.
"""

from __future__ import annotations

from collections import defaultdict
import os
import re
import shutil
import stat
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Location, Report, value_location
from hrdf_ros.lowering.uris import named_files, NamedFile, with_uris
from hrdf_ros.model import Model
from hrdf_ros.names import Names
from hrdf_ros.writers.mesh_references import paths_of, references, replaced, WITH_PARTS

MESHES = 'meshes'
GENERATED = 'generated'
"""Below ``MESHES``: what a writer makes for shapes that its format lacks."""
_FOLDERS = {'mesh': MESHES, 'texture': 'textures', 'script': 'materials'}
_MESH_SUFFIXES = frozenset((
    '.3ds', '.dae', '.fbx', '.glb', '.gltf', '.iv', '.mesh', '.msh', '.obj', '.off', '.ply',
    '.stl', '.stlb', '.usd', '.usda', '.usdc', '.usdz', '.wrl'))
_IMAGE_SUFFIXES = frozenset((
    '.bmp', '.dds', '.exr', '.gif', '.hdr', '.jpeg', '.jpg', '.ktx', '.ktx2', '.png', '.tga',
    '.tif', '.tiff', '.webp'))
_SCRIPT_SUFFIXES = _IMAGE_SUFFIXES | {
    '.material', '.program', '.vert', '.frag', '.glsl', '.hlsl', '.cg'}
_SUFFIXES = {
    'mesh': _MESH_SUFFIXES, 'texture': _IMAGE_SUFFIXES | {'.dem', '.asc', '.nc', '.vrt'},
    'script': _SCRIPT_SUFFIXES, 'part': _IMAGE_SUFFIXES | {'.mtl', '.bin'}}
_WORDS = {
    'mesh': 'mesh', 'texture': 'texture', 'script': 'material script',
    'part': 'part of a mesh file'}
_REMOTE = ('http://', 'https://')


def collect(model: Model, directory: str, package: Optional[str], report: Report) -> Model:
    """
    Copy the files that a Model names to a directory; return the Model that names them there.

    URIs are relative to ``directory``, or ``package://`` with ``package``. What cannot be copied
    keeps its URI and is reported.
    """
    collector = _Collector(directory, package, report)
    chosen: dict[NamedFile, NamedFile] = {}
    for named, shape in named_files(model):
        if named not in chosen:
            chosen[named] = collector.take(named, value_location(shape.location, 'uri'))
    return with_uris(model._replace(source=None), chosen.__getitem__)


class _Refused(Exception):
    """A file that is not copied; the text says why."""


class _Collector:
    """Copies files into one directory, each once."""

    def __init__(self, directory: str, package: Optional[str], report: Report) -> None:
        self._directory = directory
        self._start = f'package://{package}/' if package else ''
        self._report = report
        self._names = defaultdict[str, Names](Names)
        self._names[MESHES].claim(GENERATED)
        self._copies: dict[tuple[str, str], str] = {}

    def take(self, named: NamedFile, location: Optional[Locatable]) -> NamedFile:
        """Copy a file and return how it is named now."""
        code = codes.MESH_NOT_FOUND if named.kind == 'mesh' else codes.TEXTURE_NOT_FOUND
        if named.file is None:
            if named.uri.startswith(_REMOTE):
                self._report.add(
                    code, f"'{named.uri}' is on the network and is not copied", location)
            return named
        try:
            if os.path.isdir(named.file) and named.kind == 'script':
                copy = self._copy_scripts(named.file)
            else:
                copy = self._copy(named.file, _FOLDERS[named.kind], named.kind)
        except (_Refused, OSError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            self._report.add(code, f"'{named.uri}' is not copied: {why}", location)
            return named
        return NamedFile(named.kind, self._start + copy, None)

    def _copy(self, file: str, folder: str, kind: str) -> str:
        """Copy a file with what it names; return its path in the directory."""
        key = os.path.realpath(file), folder
        if key in self._copies:
            return self._copies[key]
        suffix = os.path.splitext(file)[1].lower()
        if suffix not in _SUFFIXES[kind]:
            raise _Refused(f"its suffix '{suffix}' is not that of a {_WORDS[kind]}")
        if not stat.S_ISREG(os.stat(file).st_mode):
            raise _Refused('it is not a regular file')
        copy = self._copies[key] = f'{folder}/{self._claim(folder, os.path.basename(file))}'
        try:
            self._write(file, os.path.join(self._directory, copy), folder)
        except OSError:
            del self._copies[key]
            raise
        return copy

    def _write(self, file: str, out: str, folder: str) -> None:
        os.makedirs(os.path.dirname(out), exist_ok=True)
        if os.path.splitext(file)[1].lower() in WITH_PARTS:
            self._copy_with_parts(file, out, folder)
        else:
            shutil.copyfile(file, out)

    def _copy_with_parts(self, file: str, out: str, folder: str) -> None:
        """Copy a file and the files that it names, by the names that they have now."""
        with open(file, 'rb') as stream:
            data = stream.read()
        suffix = os.path.splitext(file)[1]
        found = references(data, suffix, lambda name: _beside(file, name) is not None)
        names = {each.name: self._copy_part(file, each.name, folder) for each in found}
        kept = [each for each in found if names[each.name]]
        with open(out, 'wb') as stream:
            stream.write(replaced(data, suffix, kept, names.__getitem__))

    def _copy_part(self, file: str, name: str, folder: str) -> str:
        """Copy a file that another one names; return its name there, empty where it is none."""
        part = _beside(file, name)
        why = 'it is not found'
        if part is not None:
            try:
                return os.path.basename(self._copy(part, folder, 'part'))
            except (_Refused, OSError) as error:
                why = str(error.strerror if isinstance(error, OSError) else error)
        self._report.add(
            codes.TEXTURE_NOT_FOUND, f"'{name}', which this file names, is not copied: {why}",
            Location(file))
        return ''

    def _copy_scripts(self, directory: str) -> str:
        """Copy the scripts and images of a directory; return its path."""
        key = os.path.realpath(directory), 'materials'
        if key not in self._copies:
            name = self._claim('materials', os.path.basename(key[0]))
            copy = self._copies[key] = f'materials/{name}'
            out = os.path.join(self._directory, copy)
            os.makedirs(out, exist_ok=True)
            for entry in sorted(os.scandir(directory), key=lambda entry: entry.name):
                suffix = os.path.splitext(entry.name)[1].lower()
                if entry.is_file() and suffix in _SCRIPT_SUFFIXES:
                    shutil.copyfile(entry.path, os.path.join(out, plain_name(entry.name)))
        return self._copies[key]

    def _claim(self, folder: str, name: str) -> str:
        """Return a name that no other file of the folder has, whatever the case of letters."""
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


def _beside(file: str, name: str) -> Optional[str]:
    """Return the file that another one names, None where there is none."""
    for path in paths_of(name):
        found = os.path.join(os.path.dirname(file), path)
        if '\0' not in path and path and os.path.isfile(found):
            return found
    return None
