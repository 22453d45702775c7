# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The text of a URDF for urdfdom and RViz, which refuse newer versions and find fewer meshes.

Only the version, the orientations that version 1.1 wrote as quaternions, and the URIs that
resource_retriever cannot resolve get other values; every other byte stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import os
from typing import Optional
from urllib.parse import quote

from hrdf_ros.diagnostics import Edit
from hrdf_ros.document import parse_again, XmlElement
from hrdf_ros.fixes import with_edits
from hrdf_ros.formats import DEFAULT_URDF
from hrdf_ros.model import Capsule, Model
from hrdf_ros.parsing import urdf
from hrdf_ros.pose import from_quaternion, to_rpy
from hrdf_ros.resolve import Packages
from hrdf_ros.writers.files import named_files
from hrdf_ros.writers.xml import numbers

_ZERO = (0.0, 0.0, 0.0)


def for_first_readers(text: str, model: Model, packages: Packages) -> Optional[str]:
    """
    Return the text of a URDF as version 1.0, with URIs that RViz resolves where files were found.

    ``model`` was read from the text; ``packages`` are those that RViz finds. The result is None
    if the text has capsules, which that version lacks.
    """
    if any(isinstance(shape.geometry, Capsule) for body in model.bodies
           for shape in (*body.visuals, *body.collisions)):
        return None
    uris = {uri: file_uri(file) for uri, file in unresolved(model, packages).items()}
    if model.version == DEFAULT_URDF and not uris:
        return text
    root = parse_again(text)
    body = root.document.data.decode('utf-8')  # without a byte order mark
    edits = _edits(root, uris, is_newer=model.version != DEFAULT_URDF)
    return text[:len(text) - len(body)] + with_edits(body, edits)


def unresolved(model: Model, packages: Packages) -> dict[str, str]:
    """Return the files that a Model names by URIs which RViz cannot resolve, by their URIs."""
    return {
        named.uri: named.file for named, _ in named_files(model)
        if named.file is not None and not packages.is_retrieved(named.uri, named.file)}


def file_uri(file: str) -> str:
    """Return the ``file://`` URI of a file on this machine."""
    return f'file://{quote(os.path.abspath(file))}'


def _edits(root: XmlElement, uris: Mapping[str, str], *, is_newer: bool) -> Iterator[Edit]:
    """Yield the edits of the version, of quaternions and of URIs, in document order."""
    if is_newer:
        yield from root.attribute_location('version').rewritten(lambda _: DEFAULT_URDF)
    for element in root.walk():
        named = element.get('filename')
        if named in uris:
            yield from element.attribute_location('filename').rewritten(uris.get)
        if is_newer and element.tag == 'origin' and 'quat_xyzw' in element.attributes:
            at = element.attribute_location('quat_xyzw')
            yield from at.edits('quat_xyzw', 'rpy')
            yield from at.rewritten(_as_rpy)


def _as_rpy(quaternion: str) -> str:
    return numbers(to_rpy(from_quaternion(_ZERO, urdf.vector(quaternion, 4))))
