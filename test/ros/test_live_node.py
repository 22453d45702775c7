# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The node over DDS: what it publishes, and how it starts and ends."""

import math
from pathlib import Path
import signal
from xml.etree import ElementTree

from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import Transform
from helpers.live_node import ARM, BROKEN, LATCHED, TIMEOUT, URDF
import pytest
from rcl_interfaces.srv import GetParameters
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_msgs.msg import String
from std_srvs.srv import Trigger

BALL = """<skel version="1.0"><world name="w"><skeleton name="s">
<body name="b"><inertia><mass>1</mass></inertia></body>
<joint type="ball" name="j"><parent>world</parent><child>b</child></joint>
</skeleton></world></skel>"""


def test_description_and_transforms(shared):
    client = shared.client
    urdf = ElementTree.fromstring(client.wait_for_message('/robot_description').data)
    links = {link.get('name') for link in urdf.iter('link')}
    static = {
        transform.child_frame_id: transform
        for transform in client.wait_for_message('/tf_static').transforms}
    assert set(static) == {'base', 'elbow', 'tool'}
    moving = client.move_until_heard({'elbow': math.pi / 2, 'base': 0.0})
    assert set(moving) == {'x5_link_1', 'tool/body'}
    assert links == {'base_link', *static, *moving}
    tool = moving['tool/body']
    assert tool.header.frame_id == 'elbow'
    assert tool.transform.translation.z == pytest.approx(0.03105, abs=1e-12)
    assert tool.transform.rotation.z == pytest.approx(math.sqrt(0.5), abs=1e-12)


def test_bad_messages_are_ignored_and_reported(shared):
    client, node = shared.client, shared.node
    client.received['/tf'].clear()
    client.joint_states.publish(JointState(name=['base', 'elbow'], position=[1.0]))
    client.joint_states.publish(JointState(name=['base', 'elbow']))
    client.wait_for(lambda: '2 names but 1 position' in node.log, 'the warning')
    client.wait_for(lambda: 'has no positions' in node.log, 'the warning')
    assert client.received['/tf'] == []
    client.move({'base': math.nan, 'elbow': 0.2})
    moved = [t.child_frame_id for t in client.wait_for_message('/tf').transforms]
    assert moved == ['tool/body']
    client.wait_for(
        lambda: any('not a finite number' in text
                    for text in client.statuses(DiagnosticStatus.WARN)),
        'the diagnostics')


def test_unknown_joints_are_logged_once_and_all_of_them_on_diagnostics(shared):
    client = shared.client
    for _ in range(3):
        client.move_until_heard({**{f'wheel_{index}': 1.0 for index in range(8)}, 'base': 0.0})
    assert shared.node.log.count('does not have: wheel_0') == 1
    client.wait_for(
        lambda: any('wheel_0' in text and 'wheel_6, wheel_7' in text
                    for text in client.statuses(DiagnosticStatus.WARN)), 'the diagnostics')


def test_urdf_is_published_unchanged_with_mimic_and_limits(run, client, tmp_path):
    file = tmp_path / 'slide.urdf'
    file.write_text(URDF)
    run(str(file), publish_frequency=0.0)
    assert client.wait_for_message('/robot_description').data == URDF
    moving = client.move_until_heard({'s': 0.25})
    assert set(moving) == {'cart', 'copy'}
    assert moving['copy'].transform.translation.x == pytest.approx(0.0)
    own = client.move_until_heard({'s': 0.25, 'm': 1.0})
    assert own['copy'].transform.translation.x == pytest.approx(1.0)
    client.move_until_heard({'s': 7.0})
    client.wait_for(
        lambda: any("'s' is at 7, outside of its limits" in text
                    for text in client.statuses(DiagnosticStatus.WARN)), 'the diagnostics')


def test_what_rviz_will_not_show_is_logged_until_it_is_published_for_rviz(run, client, tmp_path):
    (tmp_path / 'a.stl').touch()
    mesh = '<visual><geometry><mesh filename="a.stl"/></geometry></visual>'
    text = URDF.replace('<robot', '<robot version="1.2"', 1).replace(
        '</robot>', f'<!-- kept --><link name="shown">{mesh}</link><joint name="to_shown" '
        'type="fixed"><parent link="rail"/><child link="shown"/></joint></robot>')
    file = tmp_path / 'slide.urdf'
    file.write_text(text)
    node = run(str(file))
    assert client.wait_for_message('/robot_description').data == text
    client.wait_for(lambda: 'root frame rail' in node.log, 'the robot')
    assert 'RViz refuses URDF 1.2' in node.log and 'RViz will not find 1 file' in node.log
    client.received['/robot_description'].clear()
    assert client.set_parameter('rviz_compatible', True).successful
    assert client.wait_for_message('/robot_description').data == text.replace(
        '1.2', '1.0').replace('a.stl', f'file://{tmp_path}/a.stl')
    assert node.log.count('RViz refuses') == 1


def test_frame_prefix_and_all_frames(run, client, arm):
    run(str(arm), frame_prefix='left/', publish_frames='all')
    static = {t.child_frame_id: t.header.frame_id
              for t in client.wait_for_message('/tf_static').transforms}
    assert static['left/base'] == 'left/base_link'
    assert static['left/tool/output'] == static['left/tool'] == 'left/tool/body'
    assert static['left/elbow/com'] == 'left/elbow'
    moving = client.move_until_heard({'base': 0.0, 'elbow': 0.0})
    assert moving['left/tool/body'].header.frame_id == 'left/elbow'
    answer = client.lookup('tool')
    assert answer.success, answer.message
    assert (answer.frame_id, answer.transform.header.frame_id) == ('left/tool', 'left/base_link')


def test_multi_dof_joint_states(run, client, tmp_path):
    file = tmp_path / 'ball.skel'
    file.write_text(BALL)
    run(str(file), publish_frequency=0.0)
    publisher = client.node.create_publisher(MultiDOFJointState, '/multi_dof_joint_states', 10)
    turn = Transform()
    turn.rotation.x, turn.rotation.w = math.sin(0.4), math.cos(0.4)
    message = MultiDOFJointState(joint_names=['j'], transforms=[turn])

    def heard():
        publisher.publish(message)
        return client.received['/tf']

    client.wait_for(heard, '/tf')
    rotation = client.received['/tf'][-1].transforms[0].transform.rotation
    assert (rotation.x, rotation.w) == pytest.approx((math.sin(0.4), math.cos(0.4)))


@pytest.mark.parametrize('by', [signal.SIGINT, signal.SIGTERM])
def test_ends_cleanly(start, client, arm, by):
    node = start(str(arm), '--animate')
    client.wait_for_message('/tf')
    assert node.end(by) == 0
    assert 'Traceback' not in node.log


@pytest.mark.parametrize(('text', 'parameters', 'said'), [
    (BROKEN, {}, ['robot:4:19: error[']),
    (URDF.replace('"1 0 0"', '"2 0 0"').replace('"0 0 1"', '"0 0 up"'), {},
     ['warning[axis-not-unit]', 'error[']),
    (None, {}, ['file-not-found']),
    (ARM, {'naming': 'other'}, ['naming must be default or hebi'])],
    ids=('errors', 'every severity', 'no file', 'a bad parameter'))
def test_a_start_that_fails_ends_with_the_reasons(start, tmp_path, text, parameters, said):
    file = tmp_path / 'robot'
    if text is not None:
        file.write_text(text)
    node = start(str(file), **parameters)
    assert node.process.wait(TIMEOUT) == 1
    assert all(each in node.log for each in said), node.log
    assert 'Traceback' not in node.log


def test_unknown_parameters_are_reported(run, client, arm):
    node = run(str(arm), modle='x', **{'qos_overrides./tf.publisher.depth': 10})
    assert "there is no parameter 'modle'; did you mean 'model'?" in node.log
    assert node.log.count('there is no parameter') == 1


def test_reload_of_a_good_and_of_a_broken_file(shared):
    def height():
        answer = client.lookup('tool', relative_to='elbow/output')
        return answer.transform.transform.translation.z

    client, file = shared.client, shared.file
    file.write_text(ARM.replace('output_trans="0 0 0.1"', 'output_trans="0 0 0.7"'))
    assert client.call(Trigger).success
    assert height() == pytest.approx(0.7)
    file.write_text(BROKEN)
    answer = client.call(Trigger)
    assert not answer.success
    assert f'{file}:4:19: error[' in answer.message
    assert height() == pytest.approx(0.7)
    client.wait_for(
        lambda: any('last good one is kept' in text and 'arm.hrdf:4:19' in text
                    for text in client.statuses(DiagnosticStatus.ERROR)), 'the diagnostics')
    assert 'tool/body' in client.move_until_heard({'elbow': 0.1})


def test_parameters_at_run_time(run, client, arm):
    run(str(arm))
    first = client.wait_for_message('/robot_description').data
    refused = client.set_parameter('robot_description', '<robot><link/></robot>')
    assert not refused.successful
    assert 'error[' in refused.reason
    assert client.received['/robot_description'][-1].data == first
    assert client.set_parameter('robot_description', URDF).successful
    assert 'cart' in client.move_until_heard({'s': 0.1})
    assert client.received['/robot_description'][-1].data == URDF
    for name, value in (('publish_frequency', -1.0), ('isolation', 'none')):
        assert not client.set_parameter(name, value).successful
    assert client.set_parameter('robot_description', '').successful  # leaves the model
    assert 'tool/body' in client.move_until_heard({'elbow': 0.1})
    assert client.set_parameter('robot_description', URDF).successful
    assert client.set_parameter('model', '').successful
    refused = client.set_parameter('robot_description', '')
    assert refused.reason == 'neither model nor robot_description would be set'
    assert client.set_parameter('frame_prefix', 'x/').successful
    assert 'x/cart' in client.move_until_heard({'s': 0.2})


def test_the_last_one_set_of_model_and_robot_description_counts(start, client, tmp_path):
    file = tmp_path / 'other.urdf'
    file.write_text(URDF.replace('cart', 'sledge'))

    def set_and_wait(name, value, link):
        assert client.set_parameter(name, value).successful
        client.wait_for(lambda: link in client.received['/robot_description'][-1].data, link)

    node = start(robot_description=f"'{URDF}'")
    client.wait_for_message('/robot_description')
    set_and_wait('model', str(file), 'sledge')
    set_and_wait('robot_description', ARM, 'elbow')
    assert not client.set_parameter('model', str(tmp_path / 'nowhere.urdf')).successful
    assert 'elbow' in client.received['/robot_description'][-1].data
    set_and_wait('model', str(file), 'sledge')
    found = client.call(GetParameters, names=['model', 'robot_description']).values
    published = client.received['/robot_description'][-1].data
    assert [each.string_value for each in found] == [str(file), published]
    assert 'Traceback' not in node.log


def test_robot_description_reads_as_what_is_published_and_is_no_setting(run, client, arm):
    def read():
        [found] = client.call(GetParameters, names=['robot_description']).values
        return found.string_value

    def published():
        return client.received['/robot_description'][-1].data

    run(str(arm), watch='true')
    first = client.wait_for_message('/robot_description').data
    assert '<joint name="elbow"' in first and read() == first
    assert client.set_parameter('robot_description', first).successful  # as param load does
    assert client.set_parameter('robot_description', '').successful
    client.wait_for(lambda: read() == first, 'the text again')
    arm.write_text(ARM.replace('tag="elbow"', 'tag="wrist"'))
    client.wait_for(lambda: '<joint name="wrist"' in published(), 'the watched file')
    client.wait_for(lambda: read() == published(), 'its text')
    arm.write_text(ARM.replace('tag="elbow"', 'tag="knee"'))
    assert client.call(Trigger).success
    client.wait_for(lambda: '<joint name="knee"' in published(), 'the file that was reloaded')
    assert read() == published()
    assert client.set_parameter('frame_prefix', 'x/').successful
    assert client.set_parameter('robot_description', URDF).successful
    client.wait_for(lambda: published() == URDF, 'the text')
    assert read() == URDF
    arm.write_text(ARM)
    assert client.call(Trigger).message == "loaded 'slide'"
    assert (read(), published()) == (URDF, URDF)


def test_a_root_link_is_added_at_run_time_unless_its_name_is_taken(start, client):
    node = start(str(Path(__file__).parents[2] / 'examples' / 'sdf' / 'four_bar.sdf'))
    client.wait_for_message('/robot_description')
    refused = client.set_parameter('root_link', 'coupler')
    assert not refused.successful and 'root_link' in refused.reason
    assert client.set_parameter('root_link', 'floor').successful
    client.wait_for(
        lambda: '<link name="floor"/>' in client.received['/robot_description'][-1].data
        and any(each.header.frame_id == 'floor' for message in client.received['/tf_static']
                for each in message.transforms), 'the new root')
    assert client.lookup('floor').success
    client.wait_for(
        lambda: "the root frame is 'floor', no longer '" in node.log
        and 'select it as the Fixed Frame of RViz' in node.log, 'the advice for RViz')


def test_late_joiner_gets_description_and_static_transforms(shared):
    late = shared.client.listen('/robot_description', String, LATCHED)
    shared.client.wait_for(lambda: late, 'the description')
    assert ElementTree.fromstring(late[-1].data).get('name') == 'arm'
