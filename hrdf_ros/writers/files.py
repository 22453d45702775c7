# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Files of a Model: the file that it is written to, and the files that it names.

A Model is written in the format that the suffix names, and the file is replaced in one step. The
meshes, textures and material scripts that it names can get other URIs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
import os
import re
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Optional, Union

from hrdf_ros.diagnostics import Locatable, Report
from hrdf_ros.document import escape
from hrdf_ros.file_writer import replace_file
from hrdf_ros.load_result import require_model
from hrdf_ros.model import Heightmap, Image, Mesh, Model, RawElement, Shape

Writer = Callable[..., tuple[str, Report]]
_FORMATS = {
    '.urdf': 'urdf', '.sdf': 'sdf', '.world': 'sdf', '.xml': 'mjcf',
    '.mjcf': 'mjcf', '.dot': 'dot', '.gv': 'dot'}

SUFFIXES = tuple(_FORMATS)


class Written(NamedTuple):
    """
    A text, the report of its losses, and the content of new meshes by their file.

    ``origins`` returns the place of the source that made each line of the text, if that place is
    known. ``files`` are the files that the text names: where each is, or its content.
    ``is_unchanged`` says that the text is the one that the Model was read from. ``lowered`` is the
    Model as the target expresses it, or None if it was not lowered.
    """

    text: str
    report: Report
    meshes: dict[str, bytes]
    origins: Callable[[], Mapping[int, Locatable]] = dict
    files: Mapping[str, Union[str, bytes]] = MappingProxyType({})
    is_unchanged: bool = False
    lowered: Optional[Model] = None


def write(model: Model, path: Union[str, os.PathLike[str]], **options: Any) -> Report:
    """
    Write a Model to a file and return what the format cannot express.

    The suffix of ``path`` names the format: ``.urdf``, ``.sdf``, ``.world``, ``.xml`` and
    ``.mjcf`` (MJCF), ``.dot``, ``.gv``; any other raises ValueError. ``options`` are those of
    ``write_urdf``, ``write_sdf``, ``write_mjcf`` or ``write_dot``. With errors in the report
    nothing is written. The file is replaced when its text is complete and keeps its mode; an
    OSError leaves the old file as it was.

    >>> from hrdf_ros import load_model, write
    >>> write(load_model('examples/hrdf/arm_6dof.hrdf'), '/tmp/arm.urdf').ok
    True
    """
    require_model(model, 'write')
    file = os.fspath(path)
    name = format_of(file)
    if name is None:
        raise ValueError(
            f"'{file}' has none of the suffixes {', '.join(_FORMATS)}, which name the format")
    writer: Writer = getattr(import_module(f'hrdf_ros.writers.{name}'), f'write_{name}')
    text, report = writer(model, **options)
    if report.ok:
        replace_file(file, text.encode('utf-8'))
    return report


def format_of(file: str) -> Optional[str]:
    """Return the format that the suffix of a file names, or None for an unknown suffix."""
    return _FORMATS.get(os.path.splitext(file)[1].lower())


# ---- the files that a Model names

AssetKind = Literal['mesh', 'texture', 'script']


class NamedFile(NamedTuple):
    """A file that a shape names; ``file`` is None if it was not found."""

    kind: AssetKind
    uri: str
    file: Optional[str]


Rename = Callable[[NamedFile, Shape], NamedFile]


def named_files(model: Model) -> list[tuple[NamedFile, Shape]]:
    """Return each file that a Model names, with the shape that names it, in document order."""
    found: list[tuple[NamedFile, Shape]] = []

    def note(named: NamedFile, shape: Shape) -> NamedFile:
        found.append((named, shape))
        return named

    for body in model.bodies:
        for shape in (*body.visuals, *body.collisions):
            _shape(shape, note)
    return found


def with_uris(model: Model, rename: Callable[[NamedFile], NamedFile]) -> Model:
    """Return a Model in which ``rename`` has replaced the URI of each file that was found."""
    def found(named: NamedFile, _: Shape) -> NamedFile:
        return named if named.file is None else rename(named)

    return model._replace(bodies=tuple(
        body._replace(
            visuals=tuple(_shape(shape, found) for shape in body.visuals),
            collisions=tuple(_shape(shape, found) for shape in body.collisions))
        for body in model.bodies))


def _shape(shape: Shape, rename: Rename) -> Shape:
    """Return a shape with the URIs replaced, also in the raw text of its material."""
    geometry, material = shape.geometry, shape.material
    if isinstance(geometry, (Mesh, Heightmap, Image)) and geometry.uri:
        kind: AssetKind = 'mesh' if isinstance(geometry, Mesh) else 'texture'
        _, uri, file = rename(NamedFile(kind, geometry.uri, geometry.file), shape)
        shape = shape._replace(geometry=geometry._replace(uri=uri, file=file))
    if material is None:
        return shape
    if material.texture:
        _, uri, file = rename(NamedFile('texture', material.texture, material.texture_file), shape)
        material = material._replace(texture=uri, texture_file=file)
    assets, written = [], {}
    for asset in material.assets:
        kind = 'script' if asset.tag == 'script' else 'texture'
        _, uri, file = rename(NamedFile(kind, asset.uri, asset.file), shape)
        assets.append(asset._replace(uri=uri, file=file))
        if uri != asset.uri:
            written[escape(asset.uri)] = escape(uri)
    if written:
        material = material._replace(extensions=tuple(
            _raw(extension, written) for extension in material.extensions))
    return shape._replace(material=material._replace(assets=tuple(assets)))


def _raw(extension: RawElement, written: Mapping[str, str]) -> RawElement:
    """Return raw text with the URIs replaced; both are escaped as XML."""
    pattern = '|'.join(map(re.escape, written))
    return extension._replace(text=re.sub(
        rf'>\s*({pattern})\s*<', lambda match: f'>{written[match[1]]}<', extension.text))
