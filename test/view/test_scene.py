# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The drawing of a model: surfaces, marks, colors of differences, textures, and the camera."""

import io
from pathlib import Path

from hrdf_ros import load_model
from hrdf_ros.diff import diff_models
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import matrices
from hrdf_ros.meshes import MeshReader
from hrdf_ros.pose import Pose, transform
from hrdf_ros.view.scene import (
    build_scene,
    camera,
    CHANGED,
    difference_colors,
    FIELD_OF_VIEW,
    frame_labels,
    FrameChoice,
    joint_axes,
    ONLY_FIRST,
    ONLY_SECOND,
    painted,
    Scene,
    Solid,
)
import numpy as np
import pytest

trimesh = pytest.importorskip('trimesh', reason='meshes require trimesh')

EXAMPLE = Path(__file__).parents[2] / 'examples' / 'sdf' / 'features' / 'materials.sdf'
BOX = ('<robot name="r"><link name="a"><visual><geometry><box size="1 2 3"/></geometry>'
       '<material name="m"><texture filename="t.png"/></material></visual></link></robot>')
INERTIAL = ('<inertial><origin xyz="0 0 1"/><mass value="{mass}"/>'
            '<inertia ixx="1.0833" iyy="0.8333" izz="0.4167" ixy="0" ixz="0" iyz="0"/></inertial>')


def scene(text: str) -> Scene:
    model = load_model(text)
    return build_scene(model, Kinematics(model).fk(), MeshReader())


def robot(*links: str, joints: str = '') -> Scene:
    return scene(f'<robot name="r">{"".join(links)}{joints}</robot>')


def link(name: str, content: str = '') -> str:
    return f'<link name="{name}">{content}</link>'


def shape(layer: str, geometry: str, more: str = '') -> str:
    return f'<{layer}>{more}<geometry>{geometry}</geometry></{layer}>'


def of_layer(found: Scene, layer: str) -> list[Solid]:
    return [solid for solid in found.solids if solid.layer == layer]


def test_visuals_and_collisions_have_their_pose_and_color() -> None:
    material = '<material name="m"><color rgba="1 0.5 0 0.5"/></material>'
    found = robot(link('a', shape('visual', '<box size="1 2 3"/>', (
        f'<origin xyz="0 0 2"/>{material}')) + shape('collision', '<sphere radius="1"/>')))
    (visual,), (collision,) = of_layer(found, 'visual'), of_layer(found, 'collision')
    assert visual.pose.position == (0.0, 0.0, 2.0)
    assert visual.color == (255, 128, 0) and visual.opacity == pytest.approx(0.5, abs=0.01)
    assert collision.opacity < 1.0 and collision.color != visual.color


def test_a_plane_does_not_fill_the_view() -> None:
    found = scene(
        '<sdf version="1.11"><model name="m"><static>1</static><link name="l"><visual name="v">'
        '<geometry><plane><normal>0 0 1</normal><size>100 100</size></plane></geometry></visual>'
        '<visual name="w"><geometry><sphere><radius>1</radius></sphere></geometry></visual>'
        '</link></model></sdf>')
    assert found.extent.size == pytest.approx(np.sqrt(12.0), rel=0.01)


def test_the_inertia_ellipsoid_has_mass_and_inertia_of_the_link() -> None:
    found = robot(link('a', INERTIAL.format(mass=1.0)))
    (solid,) = of_layer(found, 'inertia')
    x, y, z = sorted(np.abs(solid.triangles.vertices).max(0).tolist())
    assert sorted(((y * y + z * z) / 5, (x * x + z * z) / 5, (x * x + y * y) / 5)) == (
        pytest.approx([0.4167, 0.8333, 1.0833], rel=0.01))
    assert transform(solid.pose, (0.0, 0.0, 0.0)) == (0.0, 0.0, 1.0)


def test_a_robot_without_shapes_is_drawn_as_sticks() -> None:
    found = robot(
        link('a'), link('b'),
        joints='<joint name="j" type="fixed"><parent link="a"/><child link="b"/>'
               '<origin xyz="0 3 4"/></joint>')
    assert found.extent.center[1:] == pytest.approx((1.5, 2.0))
    stick = next(solid for solid in of_layer(found, 'visual') if solid.pose.position != (0, 0, 0))
    ends = [transform(stick.pose, (0.0, 0.0, sign * 2.5)) for sign in (-1, 1)]
    assert np.array(ends) == pytest.approx(np.array([(0, 0, 0), (0, 3, 4)]), abs=1e-9)


def test_a_missing_mesh_is_reported_and_marked() -> None:
    found = robot(link('a', ''.join(
        shape('visual', f'<mesh filename="gone{number}.stl"/>') for number in (*range(7), 0))))
    assert len(of_layer(found, 'visual')) == 8
    assert found.missing == (
        "mesh 'gone0.stl', 'gone1.stl', 'gone2.stl', 'gone3.stl', 'gone4.stl' and 2 more: "
        'the file was not found',)


def test_lights_and_actors_have_icons() -> None:
    found = scene(
        '<sdf version="1.9"><world name="w"><light name="lamp" type="point"><pose>1 0 2 0 0 0'
        '</pose></light><actor name="walker"><skin><filename>walk.dae</filename></skin>'
        '<pose>3 0 0 0 0 0</pose></actor></world></sdf>')
    lamp, *person = of_layer(found, 'icon')
    assert lamp.pose.position == (1.0, 0.0, 2.0)
    assert [solid.pose.position for solid in person] == [(3.0, 0.0, 0.72), (3.0, 0.0, 1.66)]


def test_lights_shine_as_their_format_says() -> None:
    world = scene("""<sdf version="1.9"><world name="w">
<light name="sun" type="directional"><direction>0 1 -1</direction><diffuse>1 0.5 0</diffuse>
</light>
<light name="off" type="point"><light_on>false</light_on></light>
<model name="m"><link name="l"><light name="lamp" type="spot"><pose>0 0 4 0 0 0</pose>
<attenuation><range>7</range><linear>0</linear><quadratic>3</quadratic></attenuation><spot>
<inner_angle>0.5</inner_angle><outer_angle>1</outer_angle></spot></light></link></model>
</world></sdf>""")
    sun, lamp = world.lights
    assert sun.kind == 'directional' and sun.along == (0.0, 1.0, -1.0)
    assert sun.color == (255, 128, 0) and sun.intensity == pytest.approx(np.pi)
    assert (lamp.kind, lamp.body, lamp.reach, lamp.decay) == ('spot', 1, 7.0, 2)
    assert (lamp.angle, lamp.penumbra) == (0.5, 0.5) and lamp.pose.z == 4.0
    assert lamp.intensity / 16.0 == pytest.approx(np.pi / 49.0), 'four meters from the link'
    top, = scene("""<mujoco><worldbody><light name="off" active="false"/><light dir="1 0 0"
diffuse="1 1 1" cutoff="30"/><body><geom size="1"/></body></worldbody></mujoco>""").lights
    assert top.kind == 'spot' and top.angle == pytest.approx(np.pi / 6.0)
    assert transform(top.pose, (0.0, 0.0, -1.0)) == pytest.approx((1.0, 0.0, 0.0))


def test_axes_are_those_of_the_joints() -> None:
    found = joint_axes(robot(
        link('a'), link('b'), link('c'),
        joints='<joint name="j" type="continuous"><parent link="a"/><child link="b"/>'
               '<origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/><axis xyz="0 0 1"/></joint>'
               '<joint name="k" type="prismatic"><parent link="b"/><child link="c"/>'
               '<axis xyz="0 1 0"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint>'
    ).model.joints)
    assert [*found] == [(0, True), (1, False)]
    (origin, axis), = found[0, True]
    assert (*origin, *axis) == pytest.approx((1.0, 0.0, 0.0, 1.0, 0.0, 0.0))


@pytest.mark.parametrize(('choice', 'with_axes', 'expected'), [
    ('off', (2,), ['tip']), ('links', (), ['base_link', 'base', 'tip']),
    ('tagged', (), ['base', 'tip']),
    ('all', (), ['base_link', 'base', 'base/com', 'base/output', 'tip', 'tip/com', 'tip/output'])])
def test_frames_of_a_choice_are_labeled(
        choice: FrameChoice, with_axes: tuple[int, ...], expected: list[str]) -> None:
    found = scene('<robot version="1.6.0"><actuator type="X5-4" tag="base"/>'
                  '<link type="X5" extension="0.3" twist="0" tag="tip"/></robot>')
    labels = frame_labels(found, choice, with_axes)
    assert [name for frames in labels.values() for _, name in frames] == expected


def test_a_stick_of_a_length_whose_square_overflows() -> None:
    """Its direction is that of the joint."""
    model = load_model(
        '<sdf version="1.9"><model name="m"><link name="a"/><link name="b"><pose>0 0 1e247 0 0 0'
        '</pose></link><joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>'
        '</model></sdf>')
    assert of_layer(build_scene(model, Kinematics(model).fk(), MeshReader()), 'visual')


@pytest.mark.parametrize('size', [0.001, 500.0])
@pytest.mark.parametrize(('azimuth', 'elevation'), [(-40.0, 24.0), (90.0, 0.0), (10.0, 89.9)])
@pytest.mark.parametrize('aspect', [0.5, 2.0])
def test_all_of_a_robot_is_seen_whatever_its_size(
        size: float, azimuth: float, elevation: float, aspect: float) -> None:
    found = robot(link('a', shape(
        'visual', f'<box size="{size} {size} {size}"/>', f'<origin xyz="{10 * size} 0 0"/>')))
    eye = camera(found.extent, azimuth, elevation, aspect=aspect, reach=0.56)
    w, x, y, z = eye.wxyz
    rotation = matrices([Pose(qx=x, qy=y, qz=z, qw=w)])[0, :3, :3]
    half = 0.5 * size * np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
    right, down, ahead = ((half + found.extent.center - eye.position) @ rotation).T
    reach = np.tan(0.5 * FIELD_OF_VIEW)
    assert (np.abs(down) < reach * ahead).all() and (np.abs(right) < reach * aspect * ahead).all()
    assert (eye.near < ahead).all() and (ahead < eye.far).all()


def test_two_robots_differ_in_color() -> None:
    def chain(*names: str, x: float) -> Scene:
        return robot(
            *(link(name, shape('visual', '<box size="1 1 1"/>')) for name in names),
            joints=''.join(
                f'<joint name="to_{child}" type="continuous"><parent link="{parent}"/><child '
                f'link="{child}"/><origin xyz="{x} 0 0"/><axis xyz="0 0 1"/></joint>'
                for parent, child in zip(names, names[1:])))

    first, second = chain('a', 'b', 'gone', x=1.0), chain('a', 'b', 'new', x=2.0)
    differences = diff_models(first.model, second.model)
    colors = difference_colors(first.model, differences, ONLY_FIRST)
    assert colors == {1: CHANGED, 2: ONLY_FIRST}
    assert difference_colors(second.model, differences, ONLY_SECOND) == {
        1: CHANGED, 2: ONLY_SECOND}
    solids = painted(first, colors, is_ghost=True).solids
    assert [(each.color == CHANGED, each.opacity) for each in solids] == [
        (False, 0.4), (True, 0.4), (False, 0.4)]


def test_a_primitive_shows_its_texture() -> None:
    pytest.importorskip('PIL', reason='textures need Pillow')
    plain, wood = (solid for solid in scene(str(EXAMPLE)).solids if solid.layer == 'visual')
    assert plain.glb is None and wood.glb is not None
    mesh, = trimesh.load_scene(io.BytesIO(wood.glb), file_type='glb').geometry.values()
    assert mesh.visual.material.baseColorTexture.size == (64, 64)
    assert mesh.visual.uv.min() >= 0.0 and mesh.visual.uv.max() <= 1.0
    assert mesh.bounds.ravel() == pytest.approx([-0.2, -0.2, -0.2, 0.2, 0.2, 0.2], abs=1e-6)


def test_textures_of_a_mesh_that_are_too_large_are_said(tmp_path: Path) -> None:
    image = pytest.importorskip('PIL.Image', reason='textures need Pillow')
    file = tmp_path / 'r.urdf'
    file.write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="a.obj"/></geometry>'
        '</visual><visual><geometry><mesh filename="b.obj"/></geometry></visual></link></robot>')
    (tmp_path / 'a.obj').write_text(
        'mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\n'
        'vt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n')
    (tmp_path / 'a.mtl').write_text('newmtl m\nmap_Kd a.png\n')
    for side, lost in ((8192, False), (8193, True)):
        image.new('1', (side, 8192)).save(tmp_path / 'a.png')
        found = scene(str(file))
        assert [note.partition(':')[0] for note in found.notes] == [
            "materials of the mesh 'a.obj'"] * lost
        assert found.missing == ("mesh 'b.obj': the file was not found",)


@pytest.mark.parametrize(('library', 'image', 'reason'), [
    (None, None, "'a.mtl' is not found in its directory"),
    ('newmtl m\nmap_Kd ../a.png\n', None, "'../a.png' is not found in its directory"),
    ('newmtl m\nmap_Kd a.png\n', b'no image', 'an image cannot be read'),
    ('newmtl m\nmap_Kd /dev/zero\nmap_Kd a.png\n', b'',
     "an image cannot be read, '/dev/zero' is not found in its directory")])
def test_lost_materials_of_a_mesh_are_said(
        tmp_path: Path, library: 'str | None', image: 'bytes | None', reason: str) -> None:
    """They are not said where the mesh has the color of the description, or is a collision."""
    pytest.importorskip('PIL', reason='textures need Pillow')
    text = ('<robot name="r"><material name="m"><color rgba="1 0 0 1"/></material>'
            '<link name="a"><{0}><geometry><mesh filename="a.obj"/></geometry>{1}</{0}>'
            '</link></robot>')
    (tmp_path / 'a.obj').write_text('mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
    for name, content in (('a.mtl', library and library.encode()), ('a.png', image)):
        if content is not None:
            (tmp_path / name).write_bytes(content)
    for kind, color, notes in (
            ('visual', '', (f"materials of the mesh 'a.obj': {reason}",)),
            ('visual', '<material name="m"/>', ()), ('collision', '', ())):
        (tmp_path / 'r.urdf').write_text(text.format(kind, color))
        assert scene(str(tmp_path / 'r.urdf')).notes == notes


@pytest.mark.parametrize('content', [b'', b'not an image', b'\x89PNG\r\n\x1a\n broken'])
def test_an_image_that_cannot_be_read_is_said(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip('PIL', reason='textures need Pillow')
    (tmp_path / 'r.urdf').write_text(BOX)
    (tmp_path / 't.png').write_bytes(content)
    found = scene(str(tmp_path / 'r.urdf'))
    assert found.solids[0].glb is None
    assert found.notes[0].startswith("texture '") and "t.png'" in found.notes[0]
