# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Bodies of SKEL: inertia with its defaults and the rule of shapes, geometries, markers."""

from pathlib import Path
import struct

from helpers.skel_texts import codes, held, model, skeleton, world
from hrdf_ros.document import SourceFile
from hrdf_ros.inertia import Inertia
from hrdf_ros.load import load_model
from hrdf_ros.model import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    Geometry,
    Mesh,
    MultiSphere,
    Plane,
    Pyramid,
    Shape,
    Sphere,
)
from hrdf_ros.pose import Pose
from hrdf_ros.readers.skel.solids import mesh_extents
import pytest

MOMENTS = (
    '<moment_of_inertia><ixx>2</ixx><iyy>3</iyy><izz>4</izz><ixy>0.1</ixy><ixz>-0.2</ixz>'
    '<iyz>0.3</iyz></moment_of_inertia>')


def visual(geometry: str, extra: str = '') -> str:
    return (
        f'<visualization_shape>{extra}<geometry>{geometry}</geometry></visualization_shape>')


def shape_of(geometry: str, extra: str = '') -> Shape:
    return model(held(visual(geometry, extra))).bodies[1].visuals[0]


def inertia_of(inner: str) -> Inertia:
    found = model(held(inner)).bodies[1].inertia
    assert found is not None
    return found


@pytest.mark.parametrize(('inner', 'expected'), [
    ('', Inertia(1.0, Pose(), 1.0, 1.0, 1.0)),
    (visual('<box><size>1 2 3</size></box>'), Inertia(1.0, Pose(), 1.0, 1.0, 1.0)),
    ('<inertia><mass>5</mass></inertia>', Inertia(5.0, Pose(), 1.0, 1.0, 1.0)),
    ('<inertia><mass>5</mass><offset>1 2 3</offset></inertia>',
     Inertia(5.0, Pose(1.0, 2.0, 3.0), 1.0, 1.0, 1.0)),
    (f'<inertia><mass>5</mass>{MOMENTS}</inertia>',
     Inertia(5.0, Pose(), 2.0, 3.0, 4.0, 0.1, -0.2, 0.3)),
])
def test_inertia_and_its_defaults(inner: str, expected: Inertia) -> None:
    assert inertia_of(inner)._replace(location=None) == expected


# numbers: dartpy 6.20.0 on the same text
@pytest.mark.parametrize(('inner', 'diagonal'), [
    ('<capsule><radius>1</radius><height>3</height></capsule>',
     (3.7076923076923074, 3.7076923076923074, 0.9384615384615385)),
    ('<cylinder><radius>1</radius><height>1</height></cylinder>',
     (0.6666666666666666, 0.6666666666666666, 1.0)),
    ('<cone><radius>1</radius><height>1</height></cone>',
     (0.49999999999999994, 0.49999999999999994, 0.6)),
    ('<ellipsoid><size>1 1 1</size></ellipsoid>', (0.2, 0.2, 0.2)),
    ('<sphere><radius>1</radius></sphere>', (0.8, 0.8, 0.8)),
    ('<pyramid><base_width>1</base_width><base_depth>1</base_depth><height>3</height></pyramid>',
     (1.0, 1.0, 1.0)),
    ('<multi_sphere><sphere><radius>1</radius><position>1 0 0</position></sphere><sphere>'
     '<radius>.5</radius><position>1 2 0</position></sphere></multi_sphere>',
     (2.708333333333333, 1.3333333333333333, 2.708333333333333)),
])
def test_inertia_follows_from_the_shape(inner: str, diagonal: tuple[float, ...]) -> None:
    found = inertia_of('<inertia><mass>2</mass></inertia>' + visual(inner))
    assert (found.ixx, found.iyy, found.izz) == pytest.approx(diagonal, abs=1e-12)


def test_shapes_share_the_mass_by_volume() -> None:
    place = '<transformation>{} 0 0 0 0 0</transformation>'
    found = inertia_of(
        '<inertia><mass>3</mass><offset>1 0 0</offset></inertia>'
        + visual('<box><size>1 1 1</size></box>', place.format(1))
        + visual('<box><size>2 1 1</size></box>', place.format(2)))
    assert (found.ixx, found.iyy, found.izz) == pytest.approx((0.5, 3.0, 3.0), abs=1e-12)


def test_body_of_a_taken_name_adds_its_shapes_and_their_inertia() -> None:
    box = '<box><size>1 1 1</size></box>'
    text = (
        f'<body name="a"><inertia><mass>3</mass><offset>1 0 0</offset>{MOMENTS}</inertia>'
        + visual(box, '<transformation>1 0 0 0 0 0</transformation>')
        + '</body><body name="a"><inertia><mass>5</mass></inertia>'
        + visual(box, '<transformation>2 0 0 0 0 0</transformation>') + '</body>'
        + held('').partition('</body>')[2])
    body = model(text).bodies[1]
    assert body.inertia is not None
    assert (body.inertia.mass, body.inertia.pose) == (3.0, Pose(1.0))
    assert body.inertia.iyy == pytest.approx(2.0, abs=1e-12)
    assert len(body.visuals) == 2


@pytest.mark.parametrize(('text', 'geometry'), [
    ('<box><size>1 2 3</size></box>', Box((1.0, 2.0, 3.0))),
    ('<sphere><radius>2</radius></sphere>', Sphere(2.0)),
    ('<ellipsoid><size>2 4 6</size></ellipsoid>', Ellipsoid((1.0, 2.0, 3.0))),
    ('<cylinder><radius>1</radius><height>3</height></cylinder>', Cylinder(1.0, 3.0)),
    ('<cylinder><radius>1</radius><length>3</length></cylinder>', Cylinder(1.0, 3.0)),
    ('<cylinder><radius>1</radius><length>2</length><height>3</height></cylinder>',
     Cylinder(1.0, 3.0)),
    ('<capsule><radius>1</radius><height>3</height></capsule>', Capsule(1.0, 3.0)),
    ('<cone><radius>1</radius><height>3</height></cone>', Cone(1.0, 3.0)),
    ('<pyramid><base_width>1</base_width><base_depth>2</base_depth><height>3</height></pyramid>',
     Pyramid(1.0, 2.0, 3.0)),
    ('<plane><normal>0 0 2</normal><offset>0.5</offset></plane>',
     Plane((0.0, 0.0, 1.0), offset=0.5)),
    ('<plane><normal>0 0 2</normal><point>7 8 9</point></plane>',
     Plane((0.0, 0.0, 1.0), offset=9.0)),
    ('<multi_sphere><sphere><radius>1</radius><position>1 2 3</position></sphere></multi_sphere>',
     MultiSphere(((1.0, (1.0, 2.0, 3.0)),))),
    ('<box><size>1 2 3</size></box><sphere><radius>2</radius></sphere>', Sphere(2.0)),
    ('<sphere><radius>-1</radius></sphere>', Sphere(1.0)),
])
def test_geometries(text: str, geometry: Geometry) -> None:
    assert shape_of(text).geometry == geometry


@pytest.mark.parametrize('text', [
    '<box/>', '<sphere/>', '<cylinder><radius>1</radius></cylinder>', '<plane/>',
    '<mesh><file_name>a.stl</file_name></mesh>', '<mesh><scale>1 1 1</scale></mesh>'])
def test_a_missing_dimension_is_an_error(text: str) -> None:
    assert codes(world(skeleton(held(visual(text))))) == ['missing-element']


@pytest.mark.parametrize(('color', 'expected'), [
    ('0.1 0.2 0.3', (0.1, 0.2, 0.3, 1.0)),
    ('0.1 0.2 0.3 0.4', (0.1, 0.2, 0.3, 0.4)),
    ('255 0 -1', (1.0, 0.0, 0.0, 1.0)),
])
def test_colors(color: str, expected: tuple[float, ...]) -> None:
    found = shape_of('<box><size>1 1 1</size></box>', f'<color>{color}</color>')
    assert found.material is not None
    assert found.material.diffuse == expected


def test_markers_are_frames_of_their_body() -> None:
    found = model(held('<marker name="m"><offset>1 2 3</offset></marker>'))
    frame = found.frames[-1]
    assert (frame.name, frame.source_name, frame.kind) == ('m', 's/m', 'marker')
    assert (frame.body, frame.pose) == (1, Pose(1.0, 2.0, 3.0))


def test_mesh_is_found_beside_the_file_and_its_box_gives_the_inertia(tmp_path: Path) -> None:
    corners = (0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 3.0)
    facet = struct.pack('<12f2x', 0.0, 0.0, 1.0, *corners)
    (tmp_path / 'part.stl').write_bytes(bytes(80) + struct.pack('<I', 1) + facet)
    (tmp_path / 'part.obj').write_text('# own\nv 0 0 0\nv 1 2 0\nvn 0 0 1\nv 0 0 3\n')
    (tmp_path / 'text.stl').write_text(
        'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 2 0\nvertex 0 0 3\n'
        'endloop\nendfacet\nendsolid a\n')
    for name in ('part.stl', 'part.obj', 'text.stl'):
        mesh = f'<mesh><file_name>{name}</file_name><scale>1 1 -2</scale></mesh>'
        file = tmp_path / 'a.skel'
        file.write_text(world(skeleton(
            held('<inertia><mass>12</mass></inertia>' + visual(mesh)))))
        body = load_model(file).bodies[1]
        assert body.visuals[0].geometry == Mesh(name, str(tmp_path / name), (1.0, 1.0, -2.0))
        assert body.inertia is not None
        assert (body.inertia.ixx, body.inertia.izz) == pytest.approx((40.0, 5.0))


COLLADA = """<COLLADA>
  <asset><unit meter="0.1"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array count="9">0 0 0 1 2 0 0 0 3</float_array></source>
    <source id="n"><float_array count="3">90 90 90</float_array></source>
    <vertices><input semantic="POSITION" source="#p"/><input semantic="NORMAL" source="#n"/>
    </vertices>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene>
    <node><translate>5 5 5</translate><rotate>0 0 1 90</rotate>
      <node><matrix>2 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node>
      <node><scale>1 1 2</scale><instance_geometry url="#g"/></node>
    </node>
  </visual_scene></library_visual_scenes>
</COLLADA>"""


def test_collada_points_are_placed_by_the_scene_in_metres() -> None:
    extents = mesh_extents(SourceFile('part.dae', COLLADA.encode()))
    assert extents == pytest.approx((0.2, 0.2, 0.6))


@pytest.mark.parametrize('text', [
    '<COLLADA/>', 'no XML', COLLADA.replace('5 5 5', '5'), COLLADA.replace('#p', '#q'),
    COLLADA.replace('0.1', 'metre'), COLLADA.replace('#g', '#h')])
def test_collada_without_points_has_no_extents(text: str) -> None:
    assert mesh_extents(SourceFile('part.dae', text.encode())) is None
