# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes and inertia of SDFormat links."""

import math

from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.inertia import Inertia, is_physical
from hrdf_ros.pose import from_rpy
from hrdf_ros.readers.api import Context, Options
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.geometry import read_shape
from hrdf_ros.readers.sdf.link import inertia_of_collisions, read_inertial
from hrdf_ros.readers.sdf.schema import SCHEMA
from hrdf_ros.resolve import Resolver
from hypothesis import given
from hypothesis import strategies as st
import pytest


def node(xml: str) -> TypedElement:
    root = parse(SourceFile('<text>', xml.encode()), Report(), TypedElement)
    assert root is not None
    SCHEMA.validate(root, Report(), entry=root.tag)
    return root


def visual(inner: str) -> tuple[m.Shape, Report]:
    context = Context(Report(), Resolver(environ={}), Options(), lambda *_: None)
    shape, _ = read_shape(node(f'<visual name=" v ">{inner}</visual>'), context)
    return shape, context.report


def geometry(inner: str):
    shape, report = visual(f'<geometry>{inner}</geometry>')
    assert not list(report)
    return shape.geometry


@pytest.mark.parametrize('inner, expected', [
    ('<box><size>1 2 3</size></box>', m.Box((1.0, 2.0, 3.0))),
    ('<sphere><radius>2</radius></sphere>', m.Sphere(2.0)),
    ('<cylinder><radius>2</radius><length>3</length></cylinder>', m.Cylinder(2.0, 3.0)),
    ('<capsule><radius>2</radius><length>3</length></capsule>', m.Capsule(2.0, 3.0)),
    ('<cone><radius>2</radius><length>3</length></cone>', m.Cone(2.0, 3.0)),
    ('<ellipsoid><radii>1 2 3</radii></ellipsoid>', m.Ellipsoid((1.0, 2.0, 3.0))),
    ('<plane><normal>0 0 2</normal><size>3 4</size></plane>',
     m.Plane((0.0, 0.0, 1.0), (3.0, 4.0))),
    ('<image><uri>a.png</uri><scale>2</scale><threshold>9</threshold><height>3</height>'
     '<granularity>4</granularity></image>', m.Image('a.png', 2.0, 9, 3.0, 4)),
    ('<heightmap><uri>a.png</uri><size>1 2 3</size><pos>0 0 1</pos></heightmap>',
     m.Heightmap('a.png', (1.0, 2.0, 3.0), (0.0, 0.0, 1.0))),
    ('<polyline><point>0 0</point><point>1 0</point><height>2</height></polyline>'
     '<polyline><point>0 1</point></polyline>',
     m.Polyline((((0.0, 0.0), (1.0, 0.0)), ((0.0, 1.0),)), 2.0)),
    ('<mesh><uri>model://nowhere/a.dae</uri><scale>1 2 3</scale><submesh><name>x</name>'
     '<center>true</center></submesh></mesh>',
     m.Mesh('model://nowhere/a.dae', None, (1.0, 2.0, 3.0), 'x', True)),
    ('<empty/>', m.Empty()), ('', m.Empty()),
])
def test_geometries(inner, expected):
    assert geometry(inner) == expected


def test_of_several_geometries_the_reference_uses_the_first_of_its_own_order():
    shape, report = visual('<geometry><sphere/><box/></geometry>')
    assert shape.geometry == m.Box((1.0, 1.0, 1.0))
    assert [found.code for found in report] == ['no-effect']


def test_material():
    shape, report = visual("""<material><ambient>1 0 0</ambient><diffuse>0 1 0 0.5</diffuse>
        <specular>0 0 1</specular><emissive>0 0 0 1</emissive>
        <script><uri>a.material</uri><name>Wood</name></script>
        <pbr><metal><albedo_map>wood.png</albedo_map></metal></pbr></material>""")
    assert not list(report)
    assert shape.material._replace(extensions=()) == m.Material(
        'Wood', (0.0, 1.0, 0.0, 0.5), (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0),
        (0.0, 0.0, 0.0, 1.0), 'wood.png',
        assets=(m.Asset('albedo_map', 'wood.png'), m.Asset('script', 'a.material')))


@pytest.mark.parametrize('inner, references', [
    ('<material><script/></material>', ['ELEMENT_INVALID', 'ELEMENT_MISSING']),
    ('<material><shader type="paint"/></material>', ['ELEMENT_INVALID']),
    ('<material><shader type="normal_map_object_space"/></material>', ['ELEMENT_MISSING']),
    ('<geometry><mesh><uri>a</uri><submesh/></mesh></geometry>', ['ELEMENT_MISSING']),
])
def test_faults_that_the_reference_finds_beyond_its_schema(inner, references):
    _, report = visual(inner)
    assert [found.reference for found in report if found.severity == 'error'] == references


# ---- inertia

def inertia(inner: str, *collisions: m.Shape) -> tuple[Inertia, Report]:
    link = node(f'<link name="a">{inner}</link>')
    report = Report()
    found = read_inertial(link, report)
    if found is None:
        found = inertia_of_collisions(link, list(zip(link.all('collision'), collisions)), report)
    return found, report


@given(st.lists(st.floats(0.01, 10.0), min_size=3, max_size=3), st.tuples(*[st.floats(-3, 3)] * 3))
def test_the_inertia_of_a_turned_box_is_physical(size, rpy):
    found, report = inertia(
        '<inertial auto="true"/><collision name="c"><density>1</density></collision>',
        m.Shape('c', m.Box(tuple(size)), from_rpy((1, 2, 3), rpy)))
    assert is_physical(found)
    assert not list(report)


AUTO = '<inertial auto="true"><density>2</density></inertial><collision name="c"/>'


@pytest.mark.parametrize('shape, mass, moments', [
    (m.Box((1.0, 2.0, 3.0)), 12.0, (13.0, 10.0, 5.0)),
    (m.Sphere(1.0), 8 / 3 * math.pi, (16 / 15 * math.pi,) * 3),
    (m.Cylinder(1.0, 3.0), 6 * math.pi, (6 * math.pi, 6 * math.pi, 3 * math.pi)),
    (m.Ellipsoid((1.0, 2.0, 3.0)), 16 * math.pi,
     (16 * math.pi * 13 / 5, 16 * math.pi * 10 / 5, 16 * math.pi * 5 / 5)),
    (m.Cone(1.0, 2.0), 4 / 3 * math.pi, (0.4 * math.pi, 0.4 * math.pi, 0.4 * math.pi)),
    (m.Capsule(1.0, 3.0), 26 / 3 * math.pi, (241 / 15 * math.pi,) * 2 + (61 / 15 * math.pi,)),
])
def test_automatic_inertia_of_solids(shape, mass, moments):
    found, report = inertia(AUTO, m.Shape('c', shape))
    assert not list(report)
    assert found.mass == pytest.approx(mass)
    assert found[2:5] == pytest.approx(moments)
    assert found.pose.position == (0.0, 0.0, -0.5 if isinstance(shape, m.Cone) else 0.0)


def test_a_given_mass_scales_and_the_density_of_a_collision_wins():
    found, report = inertia(
        '<inertial auto="true"><mass>3</mass></inertial>'
        '<collision name="c"><density>5</density></collision>',
        m.Shape('c', m.Box((1.0, 1.0, 1.0))))
    assert (found.mass, found.ixx) == pytest.approx((3.0, 0.5))
    assert not list(report)


@pytest.mark.parametrize('shape', [m.Plane((0.0, 0.0, 1.0)), m.Box((0.0, 1.0, 1.0)), m.Empty()])
def test_shapes_without_volume_have_no_automatic_inertia(shape):
    _, report = inertia(AUTO, m.Shape('c', shape))
    assert [found.reference for found in report] == ['LINK_INERTIA_INVALID']


def test_automatic_inertia_needs_a_collision():
    _, report = inertia('<inertial auto="true"/>')
    assert [found.reference for found in report] == ['ELEMENT_MISSING']


@pytest.mark.parametrize('shape', [
    m.Cylinder(1e200, 1.0), m.Capsule(1e200, 1.0), m.Cone(1e200, 1.0), m.Sphere(1e200),
    m.Box((1e200, 1e200, 1e200))])
def test_solids_beyond_all_bounds_do_not_overflow(shape):
    found, _ = inertia(AUTO, m.Shape('c', shape))
    assert found.mass == math.inf
