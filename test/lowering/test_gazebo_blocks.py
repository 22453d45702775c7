# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""The content of ``<gazebo>`` elements of a URDF in SDFormat."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from hrdf_ros import load_model
from hrdf_ros.cli import main
from hrdf_ros.diagnostics import Report
from hrdf_ros.writers.sdf import write_sdf
import pytest

ROBOT = """<robot name="r">
<link name="base"><visual><geometry><sphere radius="1"/></geometry>
<material name="red"><color rgba="1 0 0 1"/></material></visual>
<collision><geometry><sphere radius="1"/></geometry></collision></link>
<link name="wheel"><collision name="tire"><geometry><sphere radius="1"/></geometry></collision>
</link>
<link name="eye"/>
<joint name="spin" type="continuous"><parent link="base"/><child link="wheel"/></joint>
<joint name="weld" type="fixed"><parent link="base"/><child link="eye"/>
<origin xyz="1 0 0" rpy="0 0 1.5"/></joint>
{}</robot>"""


def converted(blocks: str) -> tuple[ElementTree.Element, Report]:
    """Return the ``<model>`` of the robot with some blocks, and the report."""
    text, report = write_sdf(load_model(ROBOT.format(blocks)))
    model = ElementTree.fromstring(text)[0]
    return model, report


def omitted(report: Report) -> list[tuple[str, ...]]:
    return [
        (found.severity, *found.subjects) for found in report
        if found.code == 'extension-not-representable']


@pytest.mark.parametrize('block, path, text', [
    ('<gazebo reference="wheel"><mu1>1.2</mu1></gazebo>',
     'link[@name="wheel"]/collision/surface/friction/ode/mu', '1.2'),
    ('<gazebo reference="wheel"><kp value="1e6"/></gazebo>',
     'link[@name="wheel"]/collision/surface/contact/ode/kp', '1e6'),
    ('<gazebo reference="wheel"><maxContacts>3</maxContacts></gazebo>',
     'link[@name="wheel"]/collision/max_contacts', '3'),
    ('<gazebo reference="wheel"><collision><surface><bounce/></surface></collision><mu2>2</mu2>'
     '</gazebo>', 'link[@name="wheel"]/collision/surface[bounce]/friction/ode/mu2', '2'),
    ('<gazebo reference="base"><material>Gazebo/Red</material></gazebo>',
     'link[@name="base"]/visual/material[diffuse]/script/name', 'Gazebo/Red'),
    ('<gazebo reference="base"><visual><material><ambient>0 0 1 1</ambient></material></visual>'
     '</gazebo>', 'link[@name="base"]/visual/material/ambient', '0 0 1 1'),
    ('<gazebo reference="base"><visual><cast_shadows>0</cast_shadows></visual></gazebo>',
     'link[@name="base"]/visual/cast_shadows', '0'),
    ('<gazebo reference="eye"><turnGravityOff>true</turnGravityOff></gazebo>',
     'link[@name="eye"]/gravity', 'false'),
    ('<gazebo reference="eye"><dampingFactor>0.1</dampingFactor></gazebo>',
     'link[@name="eye"]/velocity_decay/angular', '0.1'),
    ('<gazebo reference="eye"><selfCollide>1</selfCollide></gazebo>',
     'link[@name="eye"]/self_collide', 'true'),
    ('<gazebo reference="eye"><sensor name="s" type="imu"><topic>t</topic></sensor></gazebo>',
     'link[@name="eye"]/sensor[@name="s"]/topic', 't'),
    ('<gazebo reference="spin"><springStiffness>3</springStiffness></gazebo>',
     'joint[@name="spin"]/axis/dynamics/spring_stiffness', '3.0'),
    ('<gazebo reference="weld"><provideFeedback>true</provideFeedback></gazebo>',
     'joint[@name="weld"]/physics/provide_feedback', 'true'),
    ('<gazebo reference="weld"><sensor name="ft" type="force_torque"/></gazebo>',
     'joint[@name="weld"]/sensor[@name="ft"]', None),
    ('<gazebo><static>true</static></gazebo>', 'static', 'true'),
    ('<gazebo><self_collide>true</self_collide></gazebo>', 'self_collide', 'true'),
    ('<gazebo><plugin name="p" filename="f"><left_joint>spin</left_joint></plugin></gazebo>',
     'plugin[@name="p"]/left_joint', 'spin')])
def test_a_block_goes_where_libsdformat_puts_it(
    block: str, path: str, text: str | None,
) -> None:
    model, report = converted(block)
    found = model.findall(path)
    assert [element.text for element in found] == [text]
    assert omitted(report) == []


def test_links_and_fixed_joints_stay() -> None:
    model, _ = converted(
        '<gazebo reference="weld"><disableFixedJointLumping>true</disableFixedJointLumping>'
        '</gazebo>')
    assert [link.get('name') for link in model.iter('link')] == ['base', 'wheel', 'eye']
    assert [joint.get('type') for joint in model.iter('joint')] == ['revolute', 'fixed']


def test_the_color_of_a_block_is_in_place_of_that_of_the_visual() -> None:
    model, _ = converted(
        '<gazebo reference="base"><visual><material><ambient>0 0 1 1</ambient></material></visual>'
        '</gazebo>')
    assert [part.tag for material in model.iter('material') for part in material] == ['ambient']


def test_a_later_setting_counts() -> None:
    model, _ = converted(
        '<gazebo reference="wheel"><mu1>1</mu1></gazebo>'
        '<gazebo reference="wheel"><mu1>2</mu1></gazebo>')
    assert [element.text for element in model.iter('mu')] == ['2']


@pytest.mark.parametrize('block, severity, name', [
    ('<gazebo reference="eye"><mu1>1</mu1></gazebo>', 'info', 'eye: mu1'),
    ('<gazebo reference="spin"><turnGravityOff>1</turnGravityOff></gazebo>', 'info',
     'spin: turnGravityOff'),
    ('<gazebo reference="weld"><springStiffness>1</springStiffness></gazebo>', 'info',
     'weld: springStiffness'),
    ('<gazebo reference="wheel"><mu1>high</mu1></gazebo>', 'warning', 'wheel: mu1'),
    ('<gazebo reference="whel"><mu1>1</mu1></gazebo>', 'warning', 'whel: mu1'),
    ('<gazebo reference="eye"><inertial/></gazebo>', 'warning', 'eye: inertial')])
def test_what_is_not_carried_over_is_reported_at_its_place(
    block: str, severity: str, name: str,
) -> None:
    _, report = converted(block)
    assert omitted(report) == [(severity, name)]
    place = next(
        found.resolve() for found in report if found.code == 'extension-not-representable')
    assert place is not None
    line = ROBOT.format(block).splitlines()[(place.line or 0) - 1]
    assert line[(place.column or 0) - 1:].startswith(f"<{name.rpartition(' ')[2]}")


@pytest.mark.parametrize('sensor_names', ['wheel_fixed_joint_lump__tire_collision', 'tire'])
def test_a_contact_sensor_names_the_collision_of_its_link(sensor_names: str) -> None:
    model, report = converted(
        '<gazebo reference="wheel"><sensor name="s" type="contact"><contact>'
        f'<collision>{sensor_names}</collision></contact></sensor></gazebo>')
    link = model.find('link[@name="wheel"]')
    assert link is not None
    assert [each.get('name') for each in link.findall('collision')] == [sensor_names]
    assert [found.code for found in report if found.severity == 'warning'] == []


def test_a_contact_sensor_that_names_no_collision_is_a_warning() -> None:
    _, report = converted(
        '<gazebo reference="wheel"><sensor name="s" type="contact"><contact>'
        '<collision>other</collision></contact></sensor></gazebo>')
    assert [found.subjects for found in report if found.code == 'name-changed'] == [
        ('wheel: other',)]


def test_merged_links_take_their_sensors_and_settings_along(tmp_path: Path) -> None:
    file, out = tmp_path / 'r.urdf', tmp_path / 'r.sdf'
    file.write_text(ROBOT.format(
        '<gazebo reference="eye"><sensor name="s" type="imu"><pose>0 1 0 0 0 0</pose></sensor>'
        '<sensor name="t" type="imu"/><sensor:old name="o"/>'
        '<selfCollide>true</selfCollide></gazebo>'))
    assert main(['convert', '--merge-fixed', str(file), '-o', str(out)]) == 0
    model = ElementTree.parse(out).getroot()[0]
    poses = {
        sensor.get('name'): [float(part) for part in sensor.findtext('pose', '').split()]
        for sensor in model.findall('link[@name="base"]/sensor')}
    assert poses == {
        's': pytest.approx([1.0 - 0.9974949866, 0.0707372017, 0.0, 0.0, 0.0, 1.5]),
        't': pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0, 1.5])}
    assert model.findtext('link[@name="base"]/self_collide') == 'true'
    assert '<sensor:old name="o"/>' in out.read_text()


def test_merged_links_get_the_settings_of_the_link_whose_name_begins_theirs(
    tmp_path: Path,
) -> None:
    ball = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    file, out = tmp_path / 'r.urdf', tmp_path / 'r.sdf'
    file.write_text(f'<robot name="r"><link name="finger">{ball}</link>' + ''.join(
        f'<link name="{name}">{ball}</link><joint name="{name}_j" type="fixed">'
        f'<parent link="finger"/><child link="{name}"/></joint>'
        for name in ('finger_tip', 'finger_pad', 'nail')) +
        '<gazebo reference="finger"><mu1>0.1</mu1><kp>7</kp></gazebo>'
        '<gazebo reference="finger_pad"><mu1>0.2</mu1></gazebo></robot>')
    assert main(['convert', '--merge-fixed', str(file), '-o', str(out)]) == 0
    assert [
        (collision.findtext('surface/friction/ode/mu'),
         collision.findtext('surface/contact/ode/kp'))
        for collision in ElementTree.parse(out).iter('collision')] == [
            ('0.1', '7'), ('0.1', '7'), ('0.2', '7'), (None, None)]


@pytest.mark.parametrize(('options', 'names'), [
    ((), [['cam'], ['cam', 'cam_2']]), (('--merge-fixed',), [['cam', 'cam_2', 'cam_3']])])
def test_sensors_of_a_link_have_names_of_their_own(
    options: tuple[str, ...], names: list[list[str]], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of two sensors of a link with one name libsdformat refuses the file."""
    file, out = tmp_path / 'r.urdf', tmp_path / 'r.sdf'
    file.write_text(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed">'
        '<parent link="a"/><child link="b"/></joint>' + ''.join(
            f'<gazebo reference="{link}"><sensor name="cam" type="camera">'
            f'<update_rate>{rate}</update_rate></sensor></gazebo>'
            for link, rate in (('a', 1), ('b', 2), ('b', 2), ('b', 3))) + '</robot>')
    assert main(['convert', *options, str(file), '-o', str(out)]) == 0
    root = ElementTree.parse(out)
    assert [
        [sensor.get('name') for sensor in link.iter('sensor')] for link in root.iter('link')
    ] == names
    assert [sensor.findtext('update_rate') for sensor in root.iter('sensor')] == ['1', '2', '3']
    message = capsys.readouterr().err
    assert 'sensor cam -> cam_2' in message and 'that a link has twice are written once' in message
    load_model(str(out))  # it has no errors


def test_a_preserved_fixed_joint_is_not_merged(tmp_path: Path) -> None:
    file, out = tmp_path / 'r.urdf', tmp_path / 'r.sdf'
    file.write_text(ROBOT.format(
        '<gazebo reference="weld"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'))
    assert main(['convert', '--merge-fixed', str(file), '-o', str(out)]) == 0
    model = ElementTree.parse(out).getroot()[0]
    assert [joint.get('name') for joint in model.findall('joint')] == ['spin', 'weld']


def test_a_joint_steps_aside_for_a_model_of_its_name() -> None:
    model = load_model(ROBOT.format(
        '<gazebo><model name="weld"><link name="lamp"/></model><joint name="weld_joint" '
        'type="fixed"><parent>base</parent><child>weld::lamp</child></joint></gazebo>'))
    text, report = write_sdf(model)
    again = load_model(text)
    assert [joint.name for joint in again.joints] == ['spin', 'weld_joint_2', 'weld_joint']
    assert 'weld/lamp' in [body.name for body in again.bodies]
    assert [found.subjects for found in report if found.code == 'name-changed'] == [
        ('weld -> weld_joint_2',)]


# ---- what SDFormat does not have

def unknown(report: Report) -> list[tuple[str, str | None, tuple[int, int] | None]]:
    """Return what is said of unknown elements and attributes, with hints and places."""
    found = [one for one in report if one.code in ('unknown-element', 'unknown-attribute')]
    return [(one.message, one.hint, at and (at.line or 0, at.column or 0))
            for one in found for at in [one.resolve()]]


@pytest.mark.parametrize('block, message, hint, column', [
    ('<gazebo reference="wheel"><mu5>1</mu5></gazebo>', 'unknown element <mu5> in <link>', None,
     27),
    ('<gazebo reference="wheel"><turnGravityOf>1</turnGravityOf></gazebo>',
     'unknown element <turnGravityOf> in <link>', 'turnGravityOff', 27),
    ('<gazebo reference="base"><collision><surfce/></collision></gazebo>',
     'unknown element <surfce> in <collision>', 'surface', 37),
    ('<gazebo reference="base"><visual><material><diffus/></material></visual></gazebo>',
     'unknown element <diffus> in <material>', 'diffuse', 44),
    ('<gazebo reference="eye"><sensor name="s" type="camera"><camera><imag/></camera></sensor>'
     '</gazebo>', 'unknown element <imag> in <camera>', 'image', 64),
    ('<gazebo reference="eye"><sensor name="s" typ="imu" type="imu"/></gazebo>',
     "unknown attribute 'typ' in <sensor>", 'type', 42),
    ('<gazebo reference="spin"><stopKd>1</stopKd></gazebo>',
     'unknown element <stopKd> in <joint>', None, 26),
    ('<gazebo><statik>1</statik></gazebo>', 'unknown element <statik> in <model>', 'static', 9)])
def test_what_sdformat_lacks_is_copied_with_a_warning(
    block: str, message: str, hint: str | None, column: int,
) -> None:
    """As libsdformat 12.3 does: it copies the element, and notes it in its log."""
    model, report = converted(block)
    wanted = hint and f"did you mean '{hint}'?"
    assert unknown(report) == [(f'{message}; ignored', wanted, (11, column))]
    if 'element' in message:
        assert model.find(f".//{message.split('<')[1].split('>')[0]}") is not None


def test_content_of_other_programs_is_not_looked_at() -> None:
    _, report = converted(
        '<gazebo><plugin name="p" filename="f"><anything at="all"/></plugin></gazebo>'
        '<gazebo reference="eye"><my:thing>1</my:thing><sensor name="s" type="imu">'
        '<plugin name="q" filename="f"><other/></plugin></sensor></gazebo>'
        '<gazebo reference="wheel"><mu1>1</mu1><enable_wind>true</enable_wind></gazebo>')
    assert unknown(report) == []


def test_an_element_is_reported_once_for_all_shapes_and_each_block_for_itself() -> None:
    twice = ROBOT.replace('</collision></link>', '</collision><collision name="other">'
                          '<geometry><sphere radius="1"/></geometry></collision></link>')
    block = '<gazebo reference="base"><collision><foo/></collision></gazebo>\n'
    _, report = write_sdf(load_model(twice.format(block * 2)))
    assert [place for _, _, place in unknown(report)] == [(11, 37), (12, 37)]


def test_an_edited_block_is_reported_where_it_was() -> None:
    model = load_model(ROBOT.format('<gazebo reference="eye"><old/></gazebo>'))
    [block] = model.extensions
    edited = block._replace(text='<gazebo reference="eye">          <foo/></gazebo>')
    _, report = write_sdf(model._replace(extensions=(edited,)))
    assert unknown(report) == [('unknown element <foo> in <link>; ignored', None, (11, 1))]


def test_sdformat_that_its_reader_has_checked_is_not_checked_again() -> None:
    text = '<sdf version="1.9"><model name="m"><link name="l"><foo/></link></model></sdf>'
    _, report = write_sdf(load_model(text))
    assert unknown(report) == []
