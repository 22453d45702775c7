# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Values of the Model found again in the bytes, by the paths that the reader gave."""

from __future__ import annotations

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, ValuePaths, XmlElement
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Body, Coordinate, Joint, Material, Mesh, Mimic
from hrdf_ros.readers.hrdf.schema import VALUE_PATHS as HRDF
from hrdf_ros.readers.sdf.schema import VALUE_PATHS as SDF
from hrdf_ros.readers.skel.schema import VALUE_PATHS as SKEL
from hrdf_ros.readers.urdf.schema import VALUE_PATHS as URDF
import pytest

LINKS = """<robot>
<!-- <mass value="0"/> --><link name="a > b">
  <inertial><mass
    value="-1"/><inertia ixx='1'/></inertial>
  <visual><mesh><uri>  a.stl</uri></mesh></visual>
</link>
<link mass="3"><pose/><![CDATA[<mass>4</mass>]]><empty> </empty></link>
<mass>5</mass>
</robot>"""
PATHS: ValuePaths = {
    'mass': ('@mass', 'inertial/mass/@value', 'mass'),
    'ixx': ('inertial/inertia/@ixx',),
    'izz': ('inertial/inertia/@izz', 'inertia'),
    'uri': ('visual/mesh/uri',),
    'file': ('visual/mesh/file/@name',),
    'pose': ('pose',),
    'empty': ('empty',),
}


def links() -> XmlElement:
    root = parse(SourceFile('a.urdf', LINKS.encode()), Report(), XmlElement, value_paths=PATHS)
    assert root is not None
    return root


def line_and_column(element: XmlElement, *fields: str) -> tuple[int | None, int | None]:
    at = element.location.of(*fields).resolve()
    return at.line, at.column


@pytest.mark.parametrize(('index', 'fields', 'expected'), [
    (0, ('mass',), (4, 12)),
    (0, ('ixx',), (4, 31)),
    (0, ('ixx', 'mass'), (4, 12)),
    (0, ('izz', 'ixx'), (4, 31)),
    (0, ('izz',), (4, 17)),
    (0, ('uri',), (5, 24)),
    (0, ('file',), (5, 11)),
    (0, ('pose',), (2, 27)),
    (0, ('nothing',), (2, 27)),
    (1, ('mass',), (7, 13)),
    (1, ('pose',), (7, 16)),
    (1, ('empty',), (7, 49)),
    (1, (), (7, 1)),
    (2, ('mass',), (8, 1))])
def test_fields(index: int, fields: tuple[str, ...], expected: tuple[int, int]) -> None:
    assert line_and_column(links().children[index], *fields) == expected


@pytest.mark.parametrize('paths', [HRDF, SDF, SKEL, URDF], ids=['hrdf', 'sdf', 'skel', 'urdf'])
def test_paths_are_named_as_the_fields_of_the_model(paths: ValuePaths) -> None:
    records = (Body, Coordinate, Inertia, Joint, Material, Mesh, Mimic)
    fields = {name for record in records for name in record._fields} | {'axis'}
    tags_of_assets = {'script', *(name for name in paths if name.endswith('_map'))}
    assert set(paths) <= fields | tags_of_assets
