# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SDFormat out of Models of every format, and back again."""

from __future__ import annotations

import random
from xml.etree import ElementTree as ET

from helpers.kinematic_models import random_model
from helpers.loading import model_of
from helpers.sdf_texts import in_model, in_world
from hrdf_ros import model as m
from hrdf_ros.diff import diff_models
from hrdf_ros.inertia import Inertia
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load, load_model
from hrdf_ros.pose import from_rpy, IDENTITY, translation
from hrdf_ros.readers.sdf.schema import SCHEMA
from hrdf_ros.writers.sdf import SDF_VERSIONS, write_sdf
from hrdf_ros.writers.urdf import write_urdf
import numpy as np
import pytest

UNIT = Inertia(1.0, IDENTITY, 1.0, 1.0, 1.0)
ARM = (m.Body('base', 'base', UNIT), m.Body('arm', 'arm', UNIT), m.Body('tip', 'tip', UNIT))
TURN = m.Motion('revolute', (0.0, 0.0, 1.0), (0,))


def write(model: m.Model, version: str = '1.12') -> tuple[str, list[str]]:
    text, report = write_sdf(model, version=version)
    return text, [found.code for found in report]


def again(text: str) -> m.Model:
    """Read what was written; nothing in it may be wrong."""
    loaded = load(text, format='sdf')
    codes = {found.code for found in loaded.report if found.severity != 'info'}
    assert codes <= {
        'mass-missing', 'body-disconnected', 'mesh-not-found', 'texture-not-found', 'deprecated'}
    return model_of(loaded)


def arm(*joints: m.Joint, coordinates: int = 1, **more: object) -> m.Model:
    model = m.Model(
        'robot', 'hrdf', '1.6.0', 'base', ARM, joints,
        tuple(m.Coordinate(f'q{index}', 'angle') for index in range(coordinates)),
        frames=tuple(m.Frame(body.name, body.name, 'link', at) for at, body in enumerate(ARM)))
    return model._replace(**more)


def worst(one: m.Model, other: m.Model, q: dict[str, float]) -> float:
    """Return the greatest difference between the frames that both have, by name."""
    first, second = Kinematics(one).fk(q), Kinematics(other).fk(q)
    at = {frame.name: index for index, frame in enumerate(other.frames)}
    bodies = {body.name for body in one.bodies}
    compared = [
        (index, at[frame.name]) for index, frame in enumerate(one.frames) if frame.name in bodies]
    return max(float(np.abs(first[i] - second[j]).max()) for i, j in compared)


def configuration(model: m.Model, seed: int = 1) -> dict[str, float]:
    rng = random.Random(seed)
    return {
        coordinate.name: rng.uniform(-1.0, 1.0) for coordinate in model.coordinates
        if coordinate.mimic is None}


# ---- motion is kept

@pytest.mark.parametrize('seed', range(12))
def test_any_tree_of_single_axis_joints_moves_as_before(seed):
    kinds = ('fixed', 'revolute', 'prismatic', 'screw', 'universal', 'planar')
    model = random_model(seed, 8, kinds)
    text, _ = write(model)
    assert worst(model, again(text), configuration(model, seed)) < 1e-9


@pytest.mark.parametrize('version', SDF_VERSIONS)
def test_every_version_is_read_again_with_the_same_poses(version):
    model = random_model(3, 8, ('fixed', 'revolute', 'prismatic'))
    model = model._replace(coordinates=tuple(
        coordinate._replace(mimic=None) for coordinate in model.coordinates))
    text, _ = write(model, version)
    assert f'<sdf version="{version}">' in text
    assert worst(model, again(text), dict.fromkeys(configuration(model), 0.0)) < 1e-9


def test_an_unknown_version_is_refused():
    with pytest.raises(ValueError):
        write_sdf(arm(), version='1.4')


def test_the_same_model_gives_the_same_text():
    assert write(random_model(5, 6)) == write(random_model(5, 6))


def test_numbers_read_back_exactly():
    pose = translation(0.5, 1 / 3, 1e-300)
    model = arm(m.Joint('q0', 'q0', 'revolute', 0, 1, pose, IDENTITY, (TURN,)))
    found = again(write(model)[0]).bodies
    assert next(body for body in found if body.name == 'arm').pose == pose


def test_a_number_that_sdformat_refuses_is_written_as_0_and_named():
    pose = translation(1e-320, 0.0, 1.0)
    text, report = write_sdf(arm(m.Joint('q0', 'q0', 'revolute', 0, 1, pose, IDENTITY, (TURN,))))
    assert text.count('<pose>0.0 0.0 1.0 ') == 1 and 'subnormal' not in text
    assert [found.subjects for found in report] == [('arm: pose',)]


# ---- joints


@pytest.mark.parametrize('kind, motions, expected', [
    ('weld', (), 'fixed'),
    ('actuator', (TURN,), 'revolute'),
    ('continuous', (TURN,), 'revolute'),
    ('screw', (m.Motion('screw', (0.0, 0.0, 1.0), (0,), 0.5),), 'screw'),
    ('screw', (m.Motion('screw', (0.0, 0.0, 1.0), (0,), 0.0),), 'revolute'),
    ('ball', (m.Motion('rotation_vector', (0.0, 0.0, 1.0), (0, 1, 2)),), 'ball'),
    ('universal', (TURN, m.Motion('revolute', (1.0, 0.0, 0.0), (1,))), 'universal'),
    ('universal', (TURN, m.Motion('revolute', (0.6, 0.0, 0.8), (1,))), 'universal'),
    ('euler', (TURN, m.Motion('revolute', (0.6, 0.0, 0.8), (1,))), 'revolute2'),
    ('revolute', (TURN._replace(scale=-1.0),), 'revolute'),
])
def test_joint_types(kind, motions, expected):
    model = arm(m.Joint('j', 'j', kind, 0, 1, motions=motions), coordinates=3)
    assert [joint.type for joint in again(write(model)[0]).joints] == [expected]


def test_the_pitch_of_a_screw_before_1_10_is_left_handed():
    motions = (m.Motion('screw', (0.0, 0.0, 1.0), (0,), 2.0),)
    model = arm(m.Joint('j', 'j', 'screw', 0, 1, motions=motions))
    for version in ('1.8', '1.12'):
        motion = again(write(model, version)[0]).joints[0].motions[0]
        assert (motion.kind, motion.scale) == ('screw', pytest.approx(2.0))


@pytest.mark.pins('joint-expanded')
def test_a_free_joint_is_a_chain_with_a_ball_at_its_end():
    slides = tuple(
        m.Motion('prismatic', axis, (index,)) for index, axis in
        enumerate(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))))
    coordinates = tuple(
        m.Coordinate(f'j_{name}', kind) for name, kind in (
            ('pos_x', 'length'), ('pos_y', 'length'), ('pos_z', 'length'),
            ('rot_x', 'angle'), ('rot_y', 'angle'), ('rot_z', 'angle')))
    turn = m.Motion('rotation_vector', (0.0, 0.0, 1.0), (3, 4, 5))
    model = arm(m.Joint(
        'j', 'j', 'free', 0, 1, from_rpy((1, 2, 3), (0.1, 0.2, 0.3)),
        from_rpy((0, 1, 0), (0.3, 0, 0)), (*slides, turn)), coordinates=0)
    model = model._replace(coordinates=coordinates)
    text, codes = write(model)
    found = again(text)
    assert 'joint-expanded' in codes
    assert [joint.type for joint in found.joints] == ['prismatic'] * 3 + ['ball']
    assert [it.name for it in found.coordinates] == [it.name for it in coordinates]
    assert worst(model, found, configuration(model)) < 1e-9


@pytest.mark.pins('scale-not-representable')
def test_a_gear_ratio_is_a_mimic_since_1_11():
    model = arm(m.Joint('q0', 'q0', 'actuator', 0, 1, motions=(TURN._replace(scale=0.5),)))
    text, codes = write(model)
    found = again(text)
    assert [joint.name for joint in found.joints] == ['q0', 'q0/turn']
    assert found.coordinates[1].mimic == m.Mimic(0, 0.5, 0.0)
    assert 'frame-not-representable' in codes  # the frame q0 moves without the scale
    text, codes = write(model, '1.8')
    assert 'scale-not-representable' in codes
    assert [joint.name for joint in again(text).joints] == ['q0']


@pytest.mark.pins('mimic-not-representable')
def test_mimic_is_kept_since_1_11():
    model = arm(
        m.Joint('q0', 'q0', 'actuator', 0, 1, motions=(TURN,)),
        m.Joint('q1', 'q1', 'actuator', 1, 2, motions=(TURN._replace(coordinates=(1,)),)),
        coordinates=0)._replace(coordinates=(
            m.Coordinate('q0', 'angle', mimic=m.Mimic(1, 2.0, 0.5)), m.Coordinate('q1', 'angle')))
    assert again(write(model)[0]).coordinates[0].mimic == m.Mimic(1, 2.0, 0.5)
    assert write(model, '1.10')[1] == ['mimic-not-representable']


def test_a_root_of_a_urdf_that_is_the_world_with_a_mass_is_fixed_to_the_world():
    """As in libsdformat 12.3, which drops the mass."""
    mass = ('<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
            'iyz="0"/></inertial>')
    text, report = write_sdf(load(
        f'<robot name="r"><link name="world">{mass}</link><link name="base">{mass}</link>'
        '<joint name="weld" type="fixed"><parent link="world"/><child link="base"/></joint>'
        '</robot>').model)
    again = load(text).model
    assert [(again.bodies[joint.parent].name, again.bodies[joint.child].name)
            for joint in again.joints] == [('world', 'world_link'), ('world_link', 'base')]
    assert again.link('world_link').inertia.mass == 2.0
    assert [(one.code, one.subjects) for one in report] == [('link-added', ('world_link',))]


@pytest.mark.pins('joint-reversed', 'frame-not-representable')
def test_a_joint_to_the_world_has_the_world_as_parent():
    world = m.Body('world', 'world', static=True)
    model = arm(
        m.Joint('q0', 'q0', 'actuator', 0, 1, translation(0, 0, 1), IDENTITY, (TURN,)),
        m.Joint('q1', 'q1', 'actuator', 1, 2, motions=(TURN._replace(coordinates=(1,)),)),
        coordinates=2, bodies=(*ARM[:2], world),
        frames=(m.Frame('world', 'world', 'world', 2), m.Frame('flag', 'flag', 'frame', 2)))
    text, codes = write(model)
    assert '<parent>world</parent>' in text and '<child>world</child>' not in text
    assert codes == ['joint-reversed', 'frame-not-representable']


def test_a_gearbox_is_a_joint_and_other_constraints_are_named():
    values = (('ratio', 2.0), ('axis_x', 0.0), ('axis_y', 0.0), ('axis_z', 1.0))
    joints = (
        m.Joint('q0', 'q0', 'actuator', 0, 1, motions=(TURN,)),
        m.Joint('q1', 'q1', 'actuator', 0, 2, motions=(TURN._replace(coordinates=(1,)),)))
    model = arm(*joints, coordinates=2, constraints=(
        m.Constraint('gears', 'gearbox', (), (1, 2, 0), values), m.Constraint('rope', 'rope')))
    text, codes = write(model)
    found = again(text).constraints
    assert [(it.name, it.kind, it.bodies, it.values) for it in found] == [
        ('gears', 'gearbox', (1, 2, 0), values)]
    assert codes == ['constraint-not-representable']


# ---- links, frames, names

def test_no_mass_is_written_as_such():
    model = arm(bodies=(m.Body('base', 'base'),), frames=())
    assert again(write(model)[0]).bodies[0].inertia[:1] == (0.0,)


@pytest.mark.pins('inertia-not-representable')
def test_an_impossible_inertia_keeps_its_mass():
    model = arm(bodies=(m.Body('base', 'base', Inertia(2.0, ixx=1.0)),), frames=())
    text, codes = write(model)
    assert codes == ['inertia-not-representable']
    assert again(text).bodies[0].inertia[:3] == (2.0, IDENTITY, 0.0)


@pytest.mark.pins('name-changed')
def test_names_are_one_namespace_and_some_are_reserved():
    model = arm(
        m.Joint('arm', 'arm', 'fixed', 0, 1), m.Joint('world', 'world', 'fixed', 1, 2),
        coordinates=0,
        frames=(m.Frame('arm', 'arm', 'frame', 0), m.Frame('a::b', 'a::b', 'frame', 1)))
    text, codes = write(model)
    found = again(text)
    assert [joint.name for joint in found.joints] == ['arm', 'world_joint']
    assert [body.name for body in found.bodies] == ['base', 'arm/body', 'tip']
    assert {frame.name for frame in found.frames if frame.kind == 'frame'} == {'arm_frame', 'a/b'}
    assert codes == ['name-changed']


@pytest.mark.pins('name-changed')
def test_white_space_in_names_is_one_space():
    """The text of <parent> and <child> would read as another name."""
    body = m.Body('a\n\tb', 'a\n\tb')
    text, codes = write(arm(
        m.Joint('j', 'j', 'fixed', 0, 1), coordinates=0, frames=(),
        bodies=(m.Body('base', 'base'), body)))
    found = again(text)
    assert [one.name for one in found.bodies] == ['base', 'a b']
    assert codes == ['name-changed']


def test_shapes_and_materials_are_kept():
    red = m.Material('', (1.0, 0.0, 0.0, 1.0), (0.5, 0.0, 0.0, 1.0), texture='red.png')
    shapes = (
        m.Shape('box', m.Box((1.0, 2.0, 3.0)), translation(0, 0, 1), red),
        m.Shape('mesh', m.Mesh('model://x/a.dae', None, (1.0, 2.0, 3.0), 'part', True)),
        m.Shape('line', m.Polyline((((0.0, 0.0), (1.0, 0.0)), ((0.0, 1.0),)), 2.0)),
        m.Shape('cone', m.Cone(1.0, 2.0)))
    model = arm(bodies=(m.Body('base', 'base', UNIT, shapes, (
        shapes[0]._replace(name='hull'),)),), frames=())
    body = again(write(model)[0]).bodies[0]
    found = [shape._replace(location=None) for shape in body.visuals]
    found[0] = found[0]._replace(
        material=found[0].material._replace(extensions=(), assets=()))
    assert found == list(shapes)
    assert body.collisions[0].geometry == shapes[0].geometry


COLORED = """<robot name="r"><link name="a"><visual><geometry><sphere radius="1"/></geometry>
  <material name="m"><color rgba="0.25 0.5 1 1"/></material></visual></link></robot>"""


def test_the_only_color_of_a_material_is_that_under_ambient_light_too():
    material = again(write(load_model(COLORED))[0]).bodies[0].visuals[0].material
    assert material.ambient == material.diffuse == (0.25, 0.5, 1.0, 1.0)


def test_a_color_that_sdformat_does_not_give_stays_away():
    model = load_model(in_model(
        '<link name="a"><visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry>'
        '<material><diffuse>1 0 0 1</diffuse></material></visual></link>'))
    assert again(write(model)[0]).bodies[0].visuals[0].material.ambient is None


def test_an_ambient_color_equal_to_the_color_is_no_loss():
    model = again(write(load_model(COLORED))[0])
    assert not any('ambient' in one.message for one in write_urdf(model)[1])


@pytest.mark.pins('geometry-replaced')
def test_shapes_that_sdformat_lacks_are_replaced():
    shapes = (
        m.Shape('', m.Pyramid(1.0, 2.0, 3.0)),
        m.Shape('', m.MultiSphere(((1.0, (0.0, 0.0, 0.0)), (2.0, (0.0, 0.0, 1.0))))),
        m.Shape('', m.Plane((0.0, 0.0, 1.0), None, 2.0)))
    model = arm(bodies=(m.Body('base', 'base', UNIT, shapes),), frames=())
    text, codes = write(model)
    visuals = again(text).bodies[0].visuals
    assert len({shape.name for shape in visuals}) == 4
    assert [type(shape.geometry).__name__ for shape in visuals] == [
        'Box', 'Sphere', 'Sphere', 'Plane']
    assert visuals[3].pose == translation(0, 0, 2)
    assert codes == ['geometry-replaced'] * 2
    cone = m.Body('base', 'base', UNIT, (m.Shape('c', m.Cone(1.0, 2.0)),))
    cone = arm(bodies=(cone,), frames=())
    assert '<cylinder>' in write(cone, '1.8')[0] and '<cone>' in write(cone)[0]


@pytest.mark.pins('extension-not-representable')
def test_extensions_of_urdf_are_left_out_and_named():
    loaded = load("""<robot name="r"><link name="a"/><transmission name="t"/></robot>""")
    codes = write(model_of(loaded))[1]
    assert 'extension-not-representable' in codes


# ---- SDFormat in, SDFormat out

NESTED = """<sdf version="1.12"><model name="m"><static>false</static><pose>1 0 0 0 0 0.5</pose>
  <link name="base"/><plugin name="p" filename="x.so"><k>1</k></plugin>
  <model name="arm" placement_frame="wrist"><pose relative_to="base">0 0 1 0 0 0</pose>
    <link name="upper"><pose>0 0 1 0 0 0</pose></link><link name="wrist"><pose>0 1 0 1 0 0</pose>
    </link><joint name="j" type="revolute"><pose>0 0 0.1 0 0 0</pose><parent>upper</parent>
    <child>wrist</child><axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint></model>
  <joint name="mount" type="prismatic"><parent>base</parent><child>arm::upper</child>
    <axis><xyz>1 0 0</xyz></axis></joint>
  <frame name="tool" attached_to="arm::wrist"><pose>0 0 0.2 0 0 0</pose></frame>
</model></sdf>"""


OLD = """<sdf version="1.6"><world name="w"><model name="m">
  <link name="n::a"><pose>0 0 1 0 0 0</pose></link>
  <link name="b">
    <sensor name="n::s" type="camera"><pose frame="n::a">1 0 0 0 0 0.5</pose>
      <camera name="x::y"/><plugin name="p::q" filename="f"/></sensor>
    <sensor name="t" type="imu"><pose>1 2 3 0 0 0</pose><!-- here --></sensor>
  </link>
  <joint name="j" type="fixed"><parent>b</parent><child>n::a</child>
    <sensor name="f" type="force_torque"><pose frame="b">0 0 0 0 0 0</pose></sensor></joint>
  </model><light name="l" type="point"><pose frame="m">0 0 3 0 0 0</pose></light></world></sdf>"""


def test_actors_and_lights_are_written_once():
    text, _ = write(load_model(
        '<sdf version="1.12"><world name="w"><light name="l" type="point"/><actor name="a"><skin>'
        '<filename>x</filename></skin><script/></actor></world></sdf>'))
    assert 'frame' not in text
    assert 'duplicate-name' not in [found.code for found in load(text).report]


def test_what_is_kept_of_an_old_file_is_brought_to_the_new_version():
    text = write(load_model(OLD))[0]
    assert '<sensor name="n/s" type="camera"><pose>1.0 0.0 1.0 0.0 0.0 0.5</pose>' in text
    assert '<camera name="x/y"></camera><plugin name="p::q" filename="f"/>' in text
    assert '<sensor name="t" type="imu"><pose>1 2 3 0 0 0</pose><!-- here --></sensor>' in text
    assert '<sensor name="f" type="force_torque"><pose>0.0 0.0 -1.0 0.0 0.0 0.0</pose>' in text
    assert '<light name="l" type="point"><pose>0.0 0.0 3.0 0.0 0.0 0.0</pose></light>' in text
    assert [found for found in load(text).report if found.severity == 'error'] == []


def test_a_missing_include_goes_out_as_it_came_in():
    text = (
        '<sdf version="1.9"><world name="w"><frame name="f"><pose>0 0 1 0 0 0</pose></frame>'
        '<include><uri>model://cone</uri><pose relative_to="f">1 2 3 0 0 0</pose></include>'
        '<model name="m"><link name="l"/><include><uri>model://arm</uri><name>left</name></include>'
        '<joint name="k" type="fixed"><parent>l</parent><child>left::base</child></joint></model>'
        '<joint name="j" type="fixed"><parent>cone::a::b</parent><child>m::l</child></joint>'
        '<frame name="g" attached_to="m::left::tool"/></world></sdf>')
    model = model_of(load(text, placeholders=True))
    written, codes = write(model)
    assert codes == ['sdf-include-kept']
    assert '<include><pose>1.0 2.0 4.0 0.0 0.0 0.0</pose><uri>model://cone</uri>' in written
    assert '<include><uri>model://arm</uri><name>left</name></include>' in written
    assert 'placeholder' not in written and '<parent>cone</parent>' in written
    assert '<child>left</child>' in written and 'attached_to="m::left"' in written
    assert diff_models(model, model_of(load(written, placeholders=True))) == []
    assert '<include>' not in write_urdf(model, gazebo=True)[0]


SURFACE = '<surface><friction><ode><mu>0.3</mu></ode></friction></surface>'
PBR = '<pbr><metal><albedo_map>a.png</albedo_map><roughness>0.2</roughness></metal></pbr>'
EMPTY = '<geometry><empty/></geometry>'
OTHERS = '<plugin name="n" filename="n.so"/><self_collide>1</self_collide>'
LINK = '<link name="{0}"><pose>0 {0} 0 0 0 0</pose></link>'
JOINT = (
    '<joint name="j{0}" type="revolute"><parent>{1}</parent><child>{2}</child><axis><xyz>1 0 0'
    '</xyz></axis></joint>')


@pytest.mark.parametrize(('text', 'kept'), [
    (NESTED.replace('<link name="upper">', f'{OTHERS}<link name="upper">'), [
        f'{OTHERS}</model>']),
    (in_model(f'<link name="a"><collision name="c">{EMPTY}{SURFACE}</collision><visual name="v">'
              f'{EMPTY}<material>{PBR}</material><transparency>0.5</transparency></visual></link>'),
     [SURFACE, PBR, '<transparency>0.5</transparency>']),
    (in_model(
        '<link name="l"/><model name="a"><static>1</static><pose>1 2 3 0 0 1</pose>'
        '<model name="b"><pose>1 0 0 0 0 0</pose><link name="l"/></model>'
        '<frame name="f" attached_to="b::l"><pose>0 0 1 0 0 0</pose></frame></model>'
        '<joint name="j" type="fixed"><parent>l</parent><child>a::b::l</child></joint>',
        attributes=' canonical_link="a::b::l"'),
     ['canonical_link="a::b::l"', 'attached_to="b::l"']),
    (in_model(
        LINK.format(0) + LINK.format(1) + LINK.format(2) + JOINT.format(0, 0, 1)
        + f'<model name="e"><link name="l"/></model>{JOINT.format(1, 1, 2)}'
        + f'{JOINT.format(2, 2, 0)}<model name="n">{LINK.format(0)}{LINK.format(1)}'
        + f'{JOINT.format(3, 0, 1)}</model>{JOINT.format(4, 0, "n::0")}'), []),
    (in_world(f'<gravity>0 0 -1</gravity><model name="a"><link name="l"/>{OTHERS}</model>'
              '<model name="b"><link name="l"/></model><plugin name="w" filename="w.so"/>'),
     [f'{OTHERS}</model><model name="b">', 'w.so', '<gravity>'])])
def test_sdformat_goes_out_as_it_came_in(text: str, kept: list[str]) -> None:
    model = load_model(text)
    written, codes = write(model)
    found = again(written)
    assert not codes and diff_models(model, found) == []
    assert [joint.name for joint in found.joints] == [joint.name for joint in model.joints]
    for part in kept:
        assert ''.join(map(str.strip, written.splitlines())).count(part) == 1


def test_nested_models_are_flattened_where_that_is_asked_for():
    model = load_model(NESTED.replace('<link name="upper">', f'{OTHERS}<link name="upper">'))
    text, report = write_sdf(model, version='1.12', flatten=True)
    found = again(text)
    assert report.ok
    assert 'warning' in [found.severity for found in report if 'arm: plugin' in found.message]
    assert text.count('<model ') == 1 and 'x.so' in text
    assert [body.name for body in found.bodies] == ['base', 'arm/upper', 'arm/wrist']
    assert {frame.name for frame in found.frames} == {frame.name for frame in model.frames}
    assert worst(model, found, {'arm/j': 0.7, 'mount': 0.3}) < 1e-9


WORLD = """<sdf version="1.12"><world name="w"><gravity>0 0 -1</gravity>
  <model name="a"><static>true</static><pose>1 0 0 0 0 0</pose><link name="l"/></model>
  <model name="b"><pose>0 2 0 0 0 1</pose><link name="l"><pose>0 0 1 0 0 0</pose></link></model>
  <joint name="j" type="revolute"><parent>a::l</parent><child>b::l</child>
    <axis><xyz>1 0 0</xyz></axis></joint>
  <frame name="f" attached_to="b"><pose>0 0 3 0 0 0</pose></frame>
</world></sdf>"""


def test_the_name_of_a_world_is_made_legal():
    model = load_model(WORLD)._replace(name='a::b')
    text, codes = write(model)
    assert '<world name="a/b">' in text and codes == ['name-changed']


@pytest.mark.pins('joint-not-representable')
def test_a_joint_between_models_needs_1_10():
    text, codes = write(load_model(WORLD), '1.9')
    assert codes == ['joint-not-representable']
    assert not again(text).joints


FLAT = """<model name="m"><link name="base"/><link name="a::link">
  <sensor name="s" type="contact"><contact><collision>a::link::c</collision></contact></sensor>
  </link><joint name="a::j" type="revolute"><parent>a::link</parent><child>a::tip</child>
  <axis><xyz>0 0 1</xyz></axis></joint><link name="a::tip"/>
  <plugin name="p::q" filename="f"><link>a::link</link><x at="m::a::j"/><y>b::link</y></plugin>
  </model>"""


@pytest.mark.parametrize('text', [
    f'<sdf version="1.6">{FLAT}</sdf>',
    f'<sdf version="1.6"><world name="w">{FLAT}</world></sdf>'])
def test_names_in_kept_text_change_with_what_they_name(text):
    model = load_model(text)
    written, report = write_sdf(model, flatten=True)
    assert '<link name="a/link">' in written and '<joint name="a/j"' in written
    assert '<collision>a/link::c</collision>' in written
    assert '<plugin name="p::q" filename="f"><link>a/link</link><x at="m::a/j"/>' in written
    assert '<y>b::link</y>' in written
    assert "'a::link -> a/link'" in '\n'.join(found.message for found in report)
    urdf, _ = write_urdf(model, gazebo=True)
    links = {link.get('name') for link in ET.fromstring(urdf).iter('link')}
    plugin = next(ET.fromstring(urdf).iter('plugin'))
    assert plugin.findtext('link') in links
    assert plugin.findtext('y') == 'b::link'


@pytest.mark.parametrize('parent', [
    '<visual name="v">{}<geometry><box/></geometry></visual>',
    '<visual name="v"><geometry><box/></geometry><material>{}</material></visual>',
    '<collision name="c">{}<geometry><box/></geometry></collision>'])
def test_kept_elements_of_a_shape_are_read_again(parent):
    tags = sorted({tag for element in SCHEMA.elements.values() for tag in element.children})
    assert len(tags) > 200
    for tag in tags:
        child = f'<{tag} name="n" type="t" filename="f">1</{tag}>'
        model = load(
            f'<sdf version="1.11"><model name="m"><link name="l">{parent.format(child)}</link>'
            '</model></sdf>').model
        assert model is None or load(write_sdf(model)[0]).ok, tag


def test_models_nested_very_deeply_are_written():
    depth = 450
    text = ('<sdf version="1.11">' + ''.join(
        f'<model name="m{index}"><link name="l"/>' for index in range(depth))
        + f'<!--{" " * 200_000}-->' + '</model>' * depth + '</sdf>')
    written = write_sdf(load_model(text))[0]
    assert written.count('<model ') == depth


def test_a_visual_gives_way_to_the_collision_of_its_name():
    """`gz sdf --check` refuses siblings of one name; an SDFormat file keeps its own."""
    geom = '<geom name="g" size="1"/><joint name="j"/>'
    text, report = write_sdf(load_model(
        f'<mujoco model="m"><worldbody><body name="a">{geom}</body></worldbody></mujoco>'))
    assert '<collision name="g">' in text and '<visual name="g_visual">' in text
    assert [found.code for found in report] == ['name-changed']
    assert list(load(text).report) == []
