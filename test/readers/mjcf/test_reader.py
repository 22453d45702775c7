# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""MJCF: names, diagnostics and kept elements; numbers are in test/conformance/test_mjcf.py."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros.load import load, load_model
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model
import pytest


def read(body: str, beside: str = '') -> Model:
    loaded = load(f'<mujoco>{beside}<worldbody>{body}</worldbody></mujoco>')
    assert loaded.model is not None, loaded.report
    return loaded.model


def codes(text: str) -> list[tuple[str, str]]:
    return [(found.severity, found.code) for found in load(text).report]


def test_a_body_is_a_link_and_its_joints_are_motions() -> None:
    model = read(
        '<body name="cart"><joint name="x" type="slide" axis="1 0 0"/><joint name="t"/>'
        '<geom size="1"/></body><body name="a"><joint name="j" pos="1 0 0"/>'
        '<joint name="k" axis="1 0 0"/><geom size="1"/><body name="b"/></body><geom size="2"/>')
    assert [(body.name, len(body.visuals)) for body in model.bodies] == [
        ('world', 1), ('cart', 1), ('a/j', 0), ('a', 1), ('b', 0)]
    assert [(joint.name, joint.type) for joint in model.joints] == [
        ('cart', 'slide+hinge'), ('j', 'hinge'), ('k', 'hinge'), ('b_fixed', 'fixed')]
    assert [motion.kind for motion in model.joints[0].motions] == ['prismatic', 'revolute']
    assert [coordinate.name for coordinate in model.coordinates] == ['x', 't', 'j', 'k']
    model = read('<body name="a/b" pos="1 0 0"><joint name="j"/><geom size="1"/>'
                 '<body name="a" pos="0 2 0"/></body>')
    assert model.bodies[2].pose.position == (1.0, 2.0, 0.0)


def test_shapes_by_group_and_contact(tmp_path: Path) -> None:
    model = read('<geom name="both" size="1"/><geom name="hidden" size="1" group="3"/>'
                 '<geom name="seen" size="1" contype="0" conaffinity="0" group="4"/>')
    assert [shape.name for shape in model.bodies[0].visuals] == ['both', 'seen']
    assert [shape.name for shape in model.bodies[0].collisions] == ['both', 'hidden']
    hill = tmp_path / 'm' / 'hill.png'
    hill.parent.mkdir()
    hill.write_bytes(b'')
    (tmp_path / 'a.xml').write_text(
        '<mujoco><compiler meshdir="m"/><asset><hfield name="h" file="hill.png" size="1 1 1 1"/>'
        '</asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>')
    model = load_model(tmp_path / 'a.xml')
    assert model.bodies[0].visuals[0].geometry.file == str(hill)  # type: ignore[union-attr]


def test_names_that_are_missing_are_stable_and_step_aside() -> None:
    text = '<body name="body_1"><body/><body><site/></body></body>'
    first, second = read(text), read(text)
    assert [body.name for body in first.bodies] == ['world', 'body_1', 'body_2', 'body_3']
    assert [frame.name for frame in first.frames] == [frame.name for frame in second.frames]
    model = read('<body name="a"><site name="a"/><camera name="a"/></body>')
    assert [(frame.name, frame.source_name, frame.kind) for frame in model.frames[2:]] == [
        ('a_site', 'a', 'site'), ('a_camera', 'a', 'camera')]


def test_sections_are_kept_with_their_defaults() -> None:
    model = read(
        '<body><joint name="j"/><geom size="1"/></body>',
        '<default><default class="strong"><motor gear="50" ctrlrange="-1 1"/></default></default>'
        '<actuator><motor class="strong" joint="j" gear="20"/></actuator>')
    [actuator] = [one.text for one in model.extensions if one.tag == 'actuator']
    assert actuator == '<actuator><motor joint="j" gear="20" ctrlrange="-1 1"/></actuator>'


def test_equalities_that_are_no_loops_are_constraints() -> None:
    model = read(
        '<body name="a"><joint name="j"/><geom size="1"/></body>'
        '<body name="b" pos="1 0 0"><joint name="k"/><geom size="1"/></body>',
        '<equality><weld body1="a" body2="b" relpose="5 0 0 1 0 0 0"/>'
        '<joint joint1="j" joint2="k" polycoef="0.1 1 0 0 0"/>'
        '<connect body1="a" body2="b" anchor="0 0 0" active="false"/></equality>')
    assert [one.kind for one in model.constraints] == ['weld', 'joint', 'connect']
    assert all(coordinate.mimic is None for coordinate in model.coordinates)


def test_keyframes_are_configurations() -> None:
    model = read(
        '<body><freejoint/><geom size="1"/></body><body><joint name="j" ref="90"/>'
        '<joint name="k"/><geom size="1"/></body>',
        '<keyframe><key name="home" qpos="1 2 3 0 0 0 0 .5 .6" time="3"/><key qpos="7"/>'
        '</keyframe>')
    home, other = model.configurations
    assert (home.name, other.name) == ('home', 'key_1')
    assert home.positions == (
        (0, 1.0), (1, 2.0), (2, 3.0), (3, 0.0), (4, 0.0), (5, 0.0), (6, 0.5), (7, 0.6))
    assert other.positions == ()  # an incomplete pose of a joint
    assert [one.text for one in model.extensions if one.tag == 'key'] == [
        '<key name="home" time="3"/>']


def attached(tmp_path: Path, child: str, place: str, settings: str = '') -> LoadResult:
    """Return the result of a file that attaches a model ``m``."""
    (tmp_path / 'arm.xml').write_text(f'<mujoco>{child}</mujoco>')
    (tmp_path / 'robot.xml').write_text(
        f'<mujoco>{settings}<asset><model name="m" file="arm.xml"/></asset><worldbody>{place}'
        '</worldbody></mujoco>')
    return load(tmp_path / 'robot.xml')


TWO = ('<worldbody><body name="a"><joint name="j"/><geom size="1"/></body><body name="b">'
       '<joint name="k"/><geom size="1"/></body></worldbody>')


def test_equalities_and_keys_with_parts_that_are_not_attached_stay_behind(tmp_path: Path) -> None:
    model = attached(
        tmp_path, f'{TWO}<equality><joint joint1="j" joint2="k"/><weld body1="a" body2="b"/>'
        '<weld body1="a"/><tendon tendon1="t"/><tendon tendon1="u"/></equality><tendon>'
        '<fixed name="t"><joint joint="j" coef="1"/></fixed><fixed name="u"><joint joint="k" '
        'coef="1"/></fixed></tendon><keyframe><key name="home" qpos="1 2"/></keyframe>',
        '<replicate count="1"><attach model="m" body="a" prefix="x_"/></replicate>').model
    assert model is not None
    assert model.configurations[0][:2] == ('x_home', ((0, 1.0),))
    assert [one.name for one in model.coordinates] == ['x_j0']
    assert [joint.type for joint in model.joints] == ['hinge', 'weld']
    assert [one.text for one in model.extensions if one.tag == 'equality'] == [
        '<equality><tendon tendon1="x_t0"/></equality>']
    assert model.coordinates[0].mimic is None


def test_masses_of_signed_distance_fields_are_those_of_mujoco() -> None:
    pytest.importorskip('mujoco', reason='mujoco-core is not installed')
    torus = ('<extension><plugin plugin="mujoco.sdf.torus"><instance name="t"><config '
             'key="radius1" value="0.35"/><config key="radius2" value="0.15"/></instance></plugin>'
             '</extension><asset><mesh name="t"><plugin instance="t"/></mesh></asset>')
    model = read('<body name="a"><geom type="sdf" mesh="t"><plugin instance="t"/></geom></body>',
                 torus)
    assert model.bodies[1].inertia is not None
    assert model.bodies[1].inertia.mass == pytest.approx(195.62170779342242)


CHILD = '<option timestep="0.001" gravity="0 0 {}"><flag damper="disable"/></option>'


@pytest.mark.parametrize(('policy', 'gravity', 'code', 'kept'), [
    ('warning', 0, 'mjcf-part-ignored', ['<option timestep="0.005" gravity="0 0 -9"/>']),
    ('error', 0, 'mjcf-not-allowed', None), ('merge', 0, 'mjcf-not-allowed', None),
    ('merge', -9, '', ['<option timestep="0.005" gravity="0 0 -9"/>',
                       '<option timestep="0.001"/>',
                       '<option><flag damper="disable"/></option>'])])
def test_settings_of_attached_models_follow_the_policy(
    policy: str, gravity: int, code: str, kept: list[str] | None, tmp_path: Path,
) -> None:
    loaded = attached(
        tmp_path, f'{CHILD.format(gravity)}<worldbody><body name="a"/></worldbody>',
        '<attach model="m" prefix="x"/>',
        f'<compiler conflict="{policy}"/><option timestep="0.005" gravity="0 0 -9"/>')
    assert {found.code for found in loaded.report} == ({code} if code else set())
    assert (loaded.model and [one.text for one in loaded.model.extensions]) == kept


def test_includes_are_read_once_and_errors_are_in_their_file(tmp_path: Path) -> None:
    (tmp_path / 'arm.xml').write_text('<mujocoinclude><body pos="0 0"/></mujocoinclude>')
    main = tmp_path / 'robot.xml'
    main.write_text('<mujoco><worldbody><include file="arm.xml"/></worldbody></mujoco>')
    [found] = load(main).report
    at = found.resolve()
    assert at is not None
    assert (Path(at.file).name, at.line, at.column) == ('arm.xml', 1, 27)
    assert [Path(point.file).name for point in at.included_from] == ['robot.xml']


BODY = '<body name="b"><joint name="j"/><geom size="1"/></body>'
HOSTILE = {
    'copies of kept elements': (
        f'<worldbody><replicate count="1000">{BODY}</replicate></worldbody><actuator>'
        + 300 * '<motor joint="j"/>' + '</actuator>', 'too-many-elements'),
    'positions of keys': (
        f'<worldbody><replicate count="2000">{BODY}</replicate></worldbody><keyframe>'
        + 2000 * '<key/>' + '</keyframe>', 'too-many-elements'),
    'copies of copies': (
        '<worldbody>' + 9 * '<replicate count="99">' + '<geom size="1"/>' + 9 * '</replicate>'
        + '</worldbody>', 'too-many-elements'),
    'copies of nothing': (
        '<worldbody>' + 9 * '<replicate count="50000"/>' + '</worldbody>', 'too-many-elements'),
    'nested classes': (
        ''.join(f'<default class="c{index}">' for index in range(2000)).replace(
            ' class="c0"', '', 1) + 2000 * '</default>', 'xml-too-deep'),
    'a device': ('<include file="/dev/zero"/>', 'file-not-regular'),
    'a count of twenty digits': (
        '<worldbody><replicate count="99999999999999999999"/></worldbody>', 'bad-value'),
    'numbers that overflow': (
        '<worldbody><body pos="1e308 0 0"><body pos="1e308 0 0"/></body></worldbody>',
        'not-finite')}


@pytest.mark.parametrize(('text', 'expected'), HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused(
    text: str, expected: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ('bodies', 'kept'):
        monkeypatch.setattr(f'hrdf_ros.readers.mjcf.{module}.REPLICATED_ELEMENTS', 20_000)
    assert ('error', expected) in codes(f'<mujoco>{text}</mujoco>')


def test_a_file_that_includes_itself_is_refused(tmp_path: Path) -> None:
    for name, other in (('a', 'b'), ('b', 'a')):
        (tmp_path / f'{name}.xml').write_text(
            f'<mujoco><asset><model name="m" file="{other}.xml"/></asset></mujoco>')
    (tmp_path / 'c.xml').write_text('<mujoco><include file="c.xml"/></mujoco>')
    for name in 'abc':
        assert [found.code for found in load(tmp_path / f'{name}.xml').report] == ['include-cycle']


HINGED = '<body name="b"><joint name="j"/><geom name="g" size="1"/>{}</body>'
IN_WORLD = {
    'mjcf-not-allowed': (
        '<frame><joint/></frame>', HINGED.format('<body><freejoint/><geom size="1"/></body>'),
        HINGED.format('<body><geom type="plane" size="1 1 1"/></body>'),
        '<body><body mocap="true"/></body>'),
    'bad-value': (
        '<light dir="0 0 0"/>', '<camera fovy="180"/>', '<site type="plane" size="1 1 1"/>',
        '<geom size="1" condim="2"/>', '<geom type="plane" size="1 1 0"/>',
        '<body><joint type="ball" range="-1 2"/><geom size="1"/></body>'),
    'exclusive-attributes': ('<body quat="1 0 0 0" euler="0 0 1"/>',),
    'mjcf-name-unknown': ('<attach model="m" prefix="p"/>', '<site type="mesh"/>'),
    'unknown-attribute': ('<body name="a" x:a="1"/>',),
    'include-cycle': ('<body name="a"><attach body="a" prefix="p"/></body>',),
    'xml-too-deep': (f'{"<frame>" * 900}{"</frame>" * 900}',),
    'duplicate-name': ('<geom name="g" size="1"/><geom name="g" size="1"/>',)}
BESIDE = {
    'bad-value': (
        '<compiler coordinate="global"/>', '<compiler eulerseq="xy"/>',
        '<keyframe><key qpos="1 2"/></keyframe>',
        '<equality><joint joint1="j" joint2="j"/></equality>'),
    'file-not-found': ('<asset><model name="m" file="gone.xml"/></asset>',),
    'duplicate-name': (
        '<keyframe><key name="a"/><key name="a"/></keyframe>',
        '<sensor><clock name="x"/><jointpos name="x" joint="j"/></sensor>'),
    'mjcf-name-unknown': (
        '<actuator><motor joint="i"/></actuator>',
        '<sensor><framepos objtype="site" objname="s"/></sensor>',
        '<asset><material name="m" texture="t"/></asset>'),
    'missing-attribute': (
        '<sensor><distance geom1="g"/></sensor>', '<sensor><user/></sensor>',
        '<tendon><fixed><joint joint="j"/></fixed></tendon>',
        '<equality><connect body1="b"/></equality>'),
    'mjcf-not-allowed': (
        '<sensor><distance geom2="g"/></sensor>', '<actuator><motor gear="1"/></actuator>',
        '<tendon><fixed/></tendon>', '<tendon><spatial><pulley/></spatial></tendon>',
        '<tendon><fixed><joint joint="j" coef="1"/><joint joint="j" coef="1"/></fixed></tendon>',
        '<asset><mesh name="m"/></asset>', '<asset><texture builtin="flat"/></asset>',
        '<asset><material/></asset>', '<size njmax="-5"/>',
        '<custom><numeric name="n" data=""/></custom>')}
FAULTS = [
    *((code, f'<worldbody>{text}</worldbody>') for code, all_ in IN_WORLD.items()
      for text in all_),
    *((code, f'<worldbody>{HINGED}</worldbody>{text}') for code, all_ in BESIDE.items()
      for text in all_)]


@pytest.mark.parametrize(('code', 'text'), FAULTS)
def test_what_mujoco_refuses_is_an_error(code: str, text: str) -> None:
    text = f'<mujoco>{text.replace("{}", "")}</mujoco>'
    assert ('error', code) in codes(text)
    mujoco = pytest.importorskip('mujoco', reason='mujoco-core is not installed')
    if code != 'include-cycle':  # MuJoCo attaches the part of the body that it has read
        with pytest.raises(ValueError):
            mujoco.MjModel.from_xml_string(text)


@pytest.mark.parametrize(('text', 'expected'), [
    # a default without a range, a texture without a name, the declaration of a namespace
    ('<worldbody><body xmlns="u"><joint type="ball"/><geom size="1"/></body></worldbody><default>'
     '<joint limited="true"/></default><asset><texture type="skybox" builtin="flat" width="2" '
     'height="2"/></asset>', []),
    ('<worldbody><body><joint range="2 1"/><geom size="1"/></body></worldbody>',
     ['limits-reversed']),
    ('<body name="a"/>', ['no-effect']),
    (f'<worldbody>{HINGED}</worldbody><keyframe><key qpos="nan"/></keyframe>', ['not-finite'])])
def test_what_mujoco_accepts_is_at_most_a_warning(text: str, expected: list[str]) -> None:
    text = f'<mujoco xmlns:x="u">{text.replace("{}", "")}</mujoco>'
    assert codes(text) == [('warning', code) for code in expected]
