# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rules on the files that a Model names: meshes and textures have to exist.

A missing package is not an error, because most files are checked where not all packages are
installed. It is a warning if the name of the package resembles that of a known one. Simulators
name meshes relative to a search path, so a path that exists relative to any directory above the
description is not an error either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.diagnostics import Locatable, Report, value_location
from hrdf_ros.file_reader import TEXT
from hrdf_ros.fuel import fetch_hint, is_remote, ON_NETWORK
from hrdf_ros.limits import HINTS
from hrdf_ros.model import Heightmap, Image, Mesh, Shape
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.resolve import Resolver

_WHERE = '--path DIR and --package NAME=DIR say where to look'
_PACKAGE = 'package://'
_OF_GAZEBO = 'media/materials/scripts/gazebo.material'
"""The material script of Gazebo Classic, which defines its named colors."""

_Uris = dict[str, Optional[Locatable]]
_Place = tuple[str, bool]
"""The package or the directory that a URI begins with, and whether it is a package."""
_Missing = tuple[str, str]
"""A URI that leads to no file, and the field of the shape or material that holds the URI."""


def check_files(
    shapes: Sequence[Shape], report: Report, resolver: Optional[Resolver] = None,
) -> None:
    """
    Report meshes, images and material scripts of shapes that do not exist.

    All files of one package or directory share one diagnostic. ``resolver`` is the Resolver that
    has searched for the files.
    """
    meshes, images = _by_place(shapes, _missing_meshes), _by_place(shapes, _missing_images)
    _report(codes.MESH_NOT_FOUND, 'mesh file', meshes, report, resolver)
    _report(codes.TEXTURE_NOT_FOUND, 'texture file', images, report, resolver)
    _report_remote(shapes, report)


def _report_remote(shapes: Sequence[Shape], report: Report) -> None:
    """Report the files on the network, which were searched for only in the caches."""
    uris: _Uris = {}
    for shape in shapes:
        for uri, field in (*_missing_meshes(shape), *_missing_images(shape)):
            if is_remote(uri):
                uris.setdefault(uri, value_location(shape.location, field))
    if uris:
        (uri, location), *others = uris.items()
        at = None if location is None else location.resolve()
        file = '' if at is None else at.included_from[-1].file if at.included_from else at.file
        message = f"{len(uris)} files are on the network, the first is '{uri}'"
        report.add(
            codes.FILE_ON_NETWORK, message if others else f"'{uri}' {ON_NETWORK}", location,
            hint=fetch_hint(uri if file in ('', TEXT) else file))


def _missing_meshes(shape: Shape) -> Iterator[_Missing]:
    if isinstance(shape.geometry, Mesh) and shape.geometry.file is None:
        yield shape.geometry.uri, 'uri'


def _missing_images(shape: Shape) -> Iterator[_Missing]:
    geometry, material = shape.geometry, shape.material
    if isinstance(geometry, (Heightmap, Image)) and geometry.uri and geometry.file is None:
        yield geometry.uri, 'uri'
    if material is None:
        return
    if material.texture and material.texture_file is None and not material.assets:
        yield material.texture, 'texture'
    for asset in material.assets:
        if asset.file is None and not asset.uri.endswith(_OF_GAZEBO):
            yield asset.uri, asset.tag


def _by_place(
    shapes: Sequence[Shape], missing: Callable[[Shape], Iterator[_Missing]],
) -> dict[_Place, _Uris]:
    """Return the URIs that are not found, each with its first place, by package or directory."""
    found: dict[_Place, _Uris] = {}
    for shape in shapes:
        for uri, field in missing(shape):
            if not is_remote(uri):
                is_package = uri.startswith(_PACKAGE)
                place = uri.removeprefix(_PACKAGE).partition('/')[0] if is_package else (
                    uri.rpartition('/')[0])
                uris = found.setdefault((place, is_package), {})
                uris.setdefault(uri, value_location(shape.location, field))
    return found


def _report(
    code: Code, what: str, missing: dict[_Place, _Uris], report: Report,
    resolver: Optional[Resolver],
) -> None:
    from shlex import quote  # few files name files that are missing
    known = resolver.packages.names() if resolver is not None else set()
    unknown = 0
    for (place, is_package), uris in missing.items():
        if not is_package and resolver is not None:
            uris = _report_found_above(code, what, uris, report, resolver)
        if not uris:
            continue
        (uri, location), *others = uris.items()
        message = f"the {what} '{uri}' is not found"
        if others:
            whose = f"of the package '{place}'" if is_package else f"in '{place or '.'}'"
            message = f"{len(uris)} {what}s {whose} are not found, the first is '{uri}'"
        if not is_package:
            report.add(
                code, message, location, hint=partial(_similar, uri, location, resolver, _WHERE))
        elif not place:
            report.add(code, message, location, hint='write package://NAME/...')
        elif resolver is None or resolver.packages.knows(place):
            report.add(code, message, location, hint=partial(_similar, uri, location, resolver))
        else:
            unknown += 1
            meant = _similar_package(place, known) if unknown <= HINTS else None
            report.add(
                code, f"{message}: the package '{place}' is unknown", location,
                hint=f"did you mean the package '{meant}'?" if meant
                else f'--package {quote(place)}=DIR says where the package is')


def _report_found_above(
    code: Code, what: str, uris: _Uris, report: Report, resolver: Resolver,
) -> _Uris:
    """Report the files found relative to a directory above the description; return the others."""
    (first, location), *_ = uris.items()
    above = location and resolver.directory_above(first, location.resolve().file)
    if not above:
        return uris
    found = [uri for uri in uris if resolver.is_in(uri, above)]
    where = f"only found relative to '{above}'"
    message = f"the {what} '{first}' is {where}"
    if len(found) > 1:
        message = f"{len(found)} {what}s are {where}, the first is '{first}'"
    from shlex import quote
    report.add(
        code, message, location, severity='info',
        hint=f'--path {quote(above)} says where to look')
    return {uri: at for uri, at in uris.items() if uri not in found}


def _similar_package(name: str, known: Iterable[str]) -> Optional[str]:
    """
    Return the package that a misspelled name may mean.

    Vendors' names such as ``ur_description`` and ``sr_description`` share most of their letters,
    so the first part of both names has to be similar, too.
    """
    meant = closest(name, known)
    kind = '_' + name.rpartition('_')[2]
    if meant is None or not meant.endswith(kind):
        return meant
    return meant if closest(name.removesuffix(kind), [meant.removesuffix(kind)]) else None


def _similar(
    uri: str, location: Optional[Locatable], resolver: Optional[Resolver],
    otherwise: Optional[str] = None,
) -> Optional[str]:
    """Return a hint that names the file a URI may mean, or ``otherwise`` if there is none."""
    at = None if location is None else location.resolve()
    similar = None if resolver is None or at is None else resolver.similar_to_uri(uri, at.file)
    return similar or otherwise
