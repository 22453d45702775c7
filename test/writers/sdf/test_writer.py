# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SDFormat out of Models of every format, and back again."""

from __future__ import annotations

import random
from xml.etree import ElementTree as ET

from helpers.kinematic_models import random_model
from helpers.loading import model_of
from hrdf_ros.diff import diff_models
from hrdf_ros.inertia import Inertia
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.load import load, load_model
from hrdf_ros.model import (
    Body,
    Box,
    Cone,
    Constraint,
    Coordinate,
    Frame,
    Joint,
    Material,
    Mesh,
    Mimic,
    Model,
    Motion,
    MultiSphere,
    Plane,
    Polyline,
    Pyramid,
    Shape,
)
from hrdf_ros.pose import from_rpy, IDENTITY, translation
from hrdf_ros.readers.sdf.schema import SCHEMA
from hrdf_ros.writers.sdf import SDF_VERSIONS, write_sdf
from hrdf_ros.writers.urdf import write_urdf
import numpy as np
import pytest

# pins: constraint-not-representable
# pins: detail-not-representable
UNIT = Inertia(1.0, IDENTITY, 1.0, 1.0, 1.0)
ARM = (Body('base', 'base', UNIT), Body('arm', 'arm', UNIT), Body('tip', 'tip', UNIT))
TURN = Motion('revolute', (0.0, 0.0, 1.0), (0,))


def write(model: Model, version: str = '1.12') -> tuple[str, list[str]]:
    text, report = write_sdf(model, version=version)
    return text, [found.code for found in report]


def again(text: str) -> Model:
    """Read what was written; nothing in it may be wrong."""
    loaded = load(text, format='sdf')
    codes = {found.code for found in loaded.report if found.severity != 'info'}
    assert codes <= {
        'mass-missing', 'body-disconnected', 'mesh-not-found', 'texture-not-found', 'deprecated'}
    return model_of(loaded)


def arm(*joints: Joint, coordinates: int = 1, **more: object) -> Model:
    model = Model(
        'robot', 'hrdf', '1.6.0', 'base', ARM, joints,
        tuple(Coordinate(f'q{index}', 'angle') for index in range(coordinates)),
        frames=tuple(Frame(body.name, body.name, 'link', at) for at, body in enumerate(ARM)))
    return model._replace(**more)


def worst(one: Model, other: Model, q: dict[str, float]) -> float:
    """Return the greatest difference between the frames that both have, by name."""
    first, second = Kinematics(one).fk(q), Kinematics(other).fk(q)
    at = {frame.name: index for index, frame in enumerate(other.frames)}
    bodies = {body.name for body in one.bodies}
    compared = [
        (index, at[frame.name]) for index, frame in enumerate(one.frames) if frame.name in bodies]
    return max(float(np.abs(first[i] - second[j]).max()) for i, j in compared)


def configuration(model: Model, seed: int = 1) -> dict[str, float]:
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
    pose = translation(0.1, 1 / 3, 1e-300)
    model = arm(Joint('q0', 'q0', 'revolute', 0, 1, pose, IDENTITY, (TURN,)))
    found = again(write(model)[0]).bodies
    assert next(body for body in found if body.name == 'arm').pose == pose


def test_a_number_that_sdformat_refuses_is_written_as_0_and_named():
    pose = translation(1e-320, 0.0, 1.0)
    text, report = write_sdf(arm(Joint('q0', 'q0', 'revolute', 0, 1, pose, IDENTITY, (TURN,))))
    assert text.count('<pose>0.0 0.0 1.0 ') == 1 and 'subnormal' not in text
    assert [found.subjects for found in report] == [('arm: pose',)]


# ---- joints


@pytest.mark.parametrize('kind, motions, expected', [
    ('weld', (), 'fixed'),
    ('actuator', (TURN,), 'continuous'),
    ('screw', (Motion('screw', (0.0, 0.0, 1.0), (0,), 0.5),), 'screw'),
    ('screw', (Motion('screw', (0.0, 0.0, 1.0), (0,), 0.0),), 'revolute'),
    ('ball', (Motion('rotation_vector', (0.0, 0.0, 1.0), (0, 1, 2)),), 'ball'),
    ('universal', (TURN, Motion('revolute', (1.0, 0.0, 0.0), (1,))), 'universal'),
    ('universal', (TURN, Motion('revolute', (0.6, 0.0, 0.8), (1,))), 'universal'),
    ('euler', (TURN, Motion('revolute', (0.6, 0.0, 0.8), (1,))), 'revolute2'),
    ('revolute', (TURN._replace(scale=-1.0),), 'revolute'),
])
def test_joint_types(kind, motions, expected):
    model = arm(Joint('j', 'j', kind, 0, 1, motions=motions), coordinates=3)
    assert [joint.type for joint in again(write(model)[0]).joints] == [expected]


def test_the_pitch_of_a_screw_before_1_10_is_left_handed():
    motions = (Motion('screw', (0.0, 0.0, 1.0), (0,), 2.0),)
    model = arm(Joint('j', 'j', 'screw', 0, 1, motions=motions))
    for version in ('1.8', '1.12'):
        motion = again(write(model, version)[0]).joints[0].motions[0]
        assert (motion.kind, motion.scale) == ('screw', pytest.approx(2.0))


def test_a_free_joint_is_a_chain_with_a_ball_at_its_end():
    slides = tuple(
        Motion('prismatic', axis, (index,)) for index, axis in
        enumerate(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))))
    coordinates = tuple(
        Coordinate(f'j_{name}', kind) for name, kind in (
            ('pos_x', 'length'), ('pos_y', 'length'), ('pos_z', 'length'),
            ('rot_x', 'angle'), ('rot_y', 'angle'), ('rot_z', 'angle')))
    turn = Motion('rotation_vector', (0.0, 0.0, 1.0), (3, 4, 5))
    model = arm(Joint(
        'j', 'j', 'free', 0, 1, from_rpy((1, 2, 3), (0.1, 0.2, 0.3)),
        from_rpy((0, 1, 0), (0.3, 0, 0)), (*slides, turn)), coordinates=0)
    model = model._replace(coordinates=coordinates)
    text, codes = write(model)
    found = again(text)
    assert 'joint-expanded' in codes  # pins: joint-expanded
    assert [joint.type for joint in found.joints] == ['prismatic'] * 3 + ['ball']
    assert [it.name for it in found.coordinates] == [it.name for it in coordinates]
    assert worst(model, found, configuration(model)) < 1e-9


def test_a_gear_ratio_is_a_mimic_since_1_11():
    model = arm(Joint('q0', 'q0', 'actuator', 0, 1, motions=(TURN._replace(scale=0.5),)))
    found = again(write(model)[0])
    assert [joint.name for joint in found.joints] == ['q0', 'q0/turn']
    assert found.coordinates[1].mimic == Mimic(0, 0.5, 0.0)
    text, codes = write(model, '1.8')
    assert 'scale-not-representable' in codes  # pins: scale-not-representable
    assert [joint.name for joint in again(text).joints] == ['q0']


def test_mimic_is_kept_since_1_11():
    model = arm(
        Joint('q0', 'q0', 'actuator', 0, 1, motions=(TURN,)),
        Joint('q1', 'q1', 'actuator', 1, 2, motions=(TURN._replace(coordinates=(1,)),)),
        coordinates=0)._replace(coordinates=(
            Coordinate('q0', 'angle', mimic=Mimic(1, 2.0, 0.5)), Coordinate('q1', 'angle')))
    assert again(write(model)[0]).coordinates[0].mimic == Mimic(1, 2.0, 0.5)
    assert write(model, '1.10')[1] == ['mimic-not-representable']  # pins: mimic-not-representable


MASS = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>')


def test_a_mimic_offset_holds_a_body_in_one_place(tmp_path):
    (tmp_path / 'lift.urdf').write_text(
        '<robot name="lift">' + ''.join(
            f'<link name="{name}">{MASS}</link>' for name in ('base', 'a', 'b')) +
        '<joint name="j" type="prismatic"><parent link="base"/><child link="a"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        '<joint name="k" type="prismatic"><parent link="base"/><child link="b"/>'
        '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
        '<mimic joint="j" multiplier="2" offset="0.5"/></joint></robot>')
    (tmp_path / 'outer.sdf').write_text(
        '<sdf version="1.12"><model name="outer"><include><uri>lift.urdf</uri></include>'
        '</model></sdf>')
    model = load_model(tmp_path / 'outer.sdf')
    for read in (model, load_model(write_sdf(model)[0])):
        lifted = next(body for body in read.bodies if body.name == 'lift/b')
        assert lifted.pose == translation(0.0, 0.0, 0.5)
        assert Kinematics(read).pose('lift/b')[2, 3] == 0.5


def test_a_joint_to_the_world_has_the_world_as_parent():
    world = Body('world', 'world', static=True)
    model = arm(
        Joint('q0', 'q0', 'actuator', 0, 1, translation(0, 0, 1), IDENTITY, (TURN,)),
        Joint('j', 'j', 'actuator', 1, 2, motions=(TURN._replace(coordinates=(1,)),)),
        coordinates=2, bodies=(*ARM[:2], world),
        frames=(Frame('world', 'world', 'world', 2), Frame('flag', 'flag', 'frame', 2)))
    text, codes = write(model)
    assert '<parent>world</parent>' in text and '<child>world</child>' not in text
    assert codes == ['joint-reversed', 'frame-not-representable']
    # pins: joint-reversed
    # pins: frame-not-representable


def test_a_gearbox_is_a_joint_and_other_constraints_are_named():
    values = (('ratio', 2.0), ('axis_x', 0.0), ('axis_y', 0.0), ('axis_z', 1.0))
    joints = (
        Joint('q0', 'q0', 'actuator', 0, 1, motions=(TURN,)),
        Joint('q1', 'q1', 'actuator', 0, 2, motions=(TURN._replace(coordinates=(1,)),)))
    model = arm(*joints, coordinates=2, constraints=(
        Constraint('gears', 'gearbox', (), (1, 2, 0), values), Constraint('rope', 'rope')))
    text, codes = write(model)
    found = again(text).constraints
    assert [(it.name, it.kind, it.bodies, it.values) for it in found] == [
        ('gears', 'gearbox', (1, 2, 0), values)]
    assert codes == ['constraint-not-representable']


# ---- links, frames, names

def test_no_mass_is_written_as_such():
    model = arm(bodies=(Body('base', 'base'),), frames=())
    assert again(write(model)[0]).bodies[0].inertia[:1] == (0.0,)


def test_an_impossible_inertia_keeps_its_mass():
    model = arm(bodies=(Body('base', 'base', Inertia(2.0, ixx=1.0)),), frames=())
    text, codes = write(model)
    assert codes == ['inertia-not-representable']  # pins: inertia-not-representable
    assert again(text).bodies[0].inertia[:3] == (2.0, IDENTITY, 0.0)


def test_names_are_one_namespace_and_some_are_reserved():
    model = arm(
        Joint('arm', 'arm', 'fixed', 0, 1), Joint('world', 'world', 'fixed', 1, 2), coordinates=0,
        frames=(Frame('arm', 'arm', 'frame', 0), Frame('a::b', 'a::b', 'frame', 1)))
    text, codes = write(model)
    found = again(text)
    assert [joint.name for joint in found.joints] == ['arm', 'world_joint']
    assert [body.name for body in found.bodies] == ['base', 'arm/body', 'tip']
    assert {frame.name for frame in found.frames if frame.kind == 'frame'} == {'arm_frame', 'a/b'}
    assert codes == ['name-changed']  # pins: name-changed


def test_joints_have_the_names_that_they_have_in_a_urdf():
    model = load_model(
        '<robot version="1.6.0"><actuator type="X5-4" tag="base"/>'
        '<joint axis="rx" gear_ratio="2" tag="bend"/><end-effector tag="tool"/></robot>')
    joints = ET.fromstring(write_sdf(model)[0]).iter('joint')
    urdf = ET.fromstring(write_urdf(model)[0]).findall('joint')
    assert [joint.get('name') for joint in joints] == [
        joint.get('name') for joint in urdf if joint.get('name') != 'tool/fixed']


def test_shapes_and_materials_are_kept():
    red = Material('', (1.0, 0.0, 0.0, 1.0), (0.5, 0.0, 0.0, 1.0), texture='red.png')
    shapes = (
        Shape('box', Box((1.0, 2.0, 3.0)), translation(0, 0, 1), red),
        Shape('mesh', Mesh('model://x/a.dae', None, (1.0, 2.0, 3.0), 'part', True)),
        Shape('line', Polyline((((0.0, 0.0), (1.0, 0.0)), ((0.0, 1.0),)), 2.0)),
        Shape('cone', Cone(1.0, 2.0)))
    model = arm(bodies=(Body('base', 'base', UNIT, shapes, (
        shapes[0]._replace(name='hull'),)),), frames=())
    body = again(write(model)[0]).bodies[0]
    found = [shape._replace(location=None) for shape in body.visuals]
    found[0] = found[0]._replace(
        material=found[0].material._replace(extensions=(), assets=()))
    assert found == list(shapes)
    assert body.collisions[0].geometry == shapes[0].geometry


def test_shapes_that_sdformat_lacks_are_replaced():
    shapes = (
        Shape('', Pyramid(1.0, 2.0, 3.0)),
        Shape('', MultiSphere(((1.0, (0.0, 0.0, 0.0)), (2.0, (0.0, 0.0, 1.0))))),
        Shape('', Plane((0.0, 0.0, 1.0), None, 2.0)))
    model = arm(bodies=(Body('base', 'base', UNIT, shapes),), frames=())
    text, codes = write(model)
    visuals = again(text).bodies[0].visuals
    assert len({shape.name for shape in visuals}) == 4
    assert [type(shape.geometry).__name__ for shape in visuals] == [
        'Box', 'Sphere', 'Sphere', 'Plane']
    assert visuals[3].pose == translation(0, 0, 2)
    assert codes == ['geometry-replaced'] * 2  # pins: geometry-replaced
    cone = arm(bodies=(Body('base', 'base', UNIT, (Shape('c', Cone(1.0, 2.0)),)),), frames=())
    assert '<cylinder>' in write(cone, '1.8')[0] and '<cone>' in write(cone)[0]


def test_what_is_left_out_is_said():
    coordinate = Coordinate('q0', 'angle', initial_position=1.0)
    model = arm(
        Joint('q0', 'q0', 'actuator', 0, 1, motions=(TURN,), actuator='X8-9'), coordinates=0)
    codes = write(model._replace(coordinates=(coordinate,)))[1]
    assert codes == ['detail-not-representable'] * 2


def test_extensions_of_urdf_are_left_out_and_named():
    loaded = load("""<robot name="r"><link name="a"/><transmission name="t"/></robot>""")
    codes = write(model_of(loaded))[1]
    assert 'extension-not-representable' in codes  # pins: extension-not-representable


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


def test_what_shapes_hold_beside_their_geometry_is_kept():
    surface = '<surface><friction><ode><mu>0.3</mu></ode></friction></surface>'
    pbr = '<pbr><metal><albedo_map>a.png</albedo_map><roughness>0.2</roughness></metal></pbr>'
    shape = '<geometry><empty/></geometry>'
    model = load_model(
        f'<sdf version="1.12"><model name="m"><link name="a"><collision name="c">{shape}{surface}'
        f'</collision><visual name="v">{shape}<material>{pbr}</material><transparency>0.5'
        '</transparency></visual></link></model></sdf>')
    text, codes = write(model)
    assert not codes
    for kept in (surface, pbr, '<transparency>0.5</transparency>'):
        assert text.count(kept) == 1


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


URDF = f"""<robot name="r"><link name="a">{MASS}</link><link name="b">{MASS}</link>
  <joint name="j" type="continuous">
  <parent link="a"/><child link="b"/><safety_controller k_velocity="1"/></joint>
  <ros2_control name="c"/></robot>"""


def test_what_an_included_urdf_has_for_others_is_dropped(tmp_path):
    (tmp_path / 'r.urdf').write_text(URDF)
    (tmp_path / 'w.sdf').write_text(
        '<sdf version="1.12"><world name="w"><include><uri>r.urdf</uri></include></world></sdf>')
    loaded = load(tmp_path / 'w.sdf')
    text, codes = write(model_of(loaded))
    assert 'safety_controller' not in text and 'ros2_control' not in text
    assert not codes
    assert [found.message for found in loaded.report] == [
        'elements that SDFormat has no place for are dropped: <ros2_control>, <safety_controller>']


def test_nested_models_stay():
    nested = NESTED.replace(
        '<link name="upper">', '<plugin name="n" filename="n.so"/><link name="upper">')
    model = load_model(nested)
    text, codes = write(model)
    found = again(text)
    assert not codes
    inner = ET.fromstring(text).find('model/model')
    assert [link.get('name') for link in inner.iter('link')] == ['upper', 'wrist']
    assert inner.find('plugin').get('filename') == 'n.so'
    assert diff_models(model, found) == []


def test_a_joint_and_a_frame_name_links_of_nested_models():
    text = (
        '<sdf version="1.11"><model name="m" canonical_link="a::b::l"><link name="l"/>'
        '<model name="a"><static>1</static><pose>1 2 3 0 0 1</pose>'
        '<model name="b"><pose>1 0 0 0 0 0</pose><link name="l"/></model>'
        '<frame name="f" attached_to="b::l"><pose>0 0 1 0 0 0</pose></frame></model>'
        '<joint name="j" type="revolute"><parent>l</parent><child>a::b::l</child>'
        '<axis><xyz>0 0 1</xyz></axis></joint></model></sdf>')
    model = load_model(text)
    written, codes = write(model)
    found = again(written)
    assert not codes and diff_models(model, found) == []
    assert 'canonical_link="a::b::l"' in written and 'attached_to="b::l"' in written
    for ours, theirs in zip(model.scopes, found.scopes, strict=True):
        assert ours._replace(location=None, pose=IDENTITY) == theirs._replace(
            location=None, pose=IDENTITY)
        np.testing.assert_allclose(ours.pose, theirs.pose)


def test_the_joint_that_closes_a_loop_stays_the_same():
    link = '<link name="{0}"><pose>0 {0} 0 0 0 0</pose></link>'
    joint = ('<joint name="j{0}" type="revolute"><parent>{1}</parent><child>{2}</child><axis><xyz>'
             '1 0 0</xyz></axis></joint>')
    model = load_model(
        '<sdf version="1.11"><model name="m">' + ''.join(map(link.format, range(3)))
        + joint.format(0, 0, 1) + '<model name="e"><link name="l"/></model>'
        + joint.format(1, 1, 2) + joint.format(2, 2, 0)
        + '<model name="n">' + ''.join(map(link.format, range(2))) + joint.format(3, 0, 1)
        + '</model>' + joint.format(4, 0, 'n::0') + '</model></sdf>')
    found = again(write(model)[0])
    assert [joint.name for joint in found.joints] == [joint.name for joint in model.joints]
    assert diff_models(model, found) == []


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


def test_nested_models_are_flattened_where_that_is_asked_for():
    model = load_model(NESTED)
    text, report = write_sdf(model, version='1.12', flatten=True)
    found = again(text)
    assert report.ok
    assert text.count('<model ') == 1 and 'x.so' in text
    assert [body.name for body in found.bodies] == ['base', 'arm/upper', 'arm/wrist']
    assert {frame.name for frame in found.frames} == {frame.name for frame in model.frames}
    assert worst(model, found, {'arm/j': 0.7, 'mount': 0.3}) < 1e-9


def test_what_belongs_to_a_model_that_is_flattened_is_a_warning():
    model = load_model(
        '<sdf version="1.9"><model name="m"><link name="l"/><model name="n"><link name="k"/>'
        '<plugin name="p" filename="f"/></model></model></sdf>')
    _, report = write_sdf(model, flatten=True)
    assert [found.severity for found in report if 'plugin' in found.message] == ['warning']


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


def test_a_joint_between_models_needs_1_10():
    text, codes = write(load_model(WORLD), '1.9')
    assert codes == ['joint-not-representable']  # pins: joint-not-representable
    assert not again(text).joints


def test_what_belongs_to_others_goes_back_to_its_model():
    text = WORLD.replace(
        '<link name="l"/>',
        '<link name="l"/><plugin name="p" filename="a.so"/><self_collide>1</self_collide>')
    text = text.replace('</world>', '<plugin name="w" filename="w.so"/></world>')
    written, codes = write(load_model(text))
    assert not codes
    model_a = written[written.index('<model name="a">'):written.index('<model name="b">')]
    assert 'a.so' in model_a and 'self_collide' in model_a and 'w.so' not in model_a
    assert written.count('<gravity>') == 1


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
