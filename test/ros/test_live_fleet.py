# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A fleet: many robots in one process, each with its own topics, services and diagnostics."""

import signal

from diagnostic_msgs.msg import DiagnosticStatus
from helpers.live_node import ARM, BROKEN, LATCHED, TIMEOUT, URDF
from helpers.processes import children
from hrdf_ros_interfaces.srv import Convert, LookupFrame, Validate
import pytest
from rcl_interfaces.srv import GetParameters
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from std_srvs.srv import Trigger

FLEET = """
robots:
  - {namespace: left, model: arm.hrdf, prefix: left/, publish_frequency: 0}
  - {namespace: right, model: slide.urdf, prefix: right/}
  - {namespace: broken, model: broken.hrdf, prefix: broken/}
  - {namespace: extra, prefix: e/, urdf_extra: nowhere.xml}
"""


@pytest.fixture
def fleet(tmp_path):
    """Return the file of a fleet; one robot has errors, another cannot be served."""
    (tmp_path / 'arm.hrdf').write_text(ARM)
    (tmp_path / 'slide.urdf').write_text(URDF)
    (tmp_path / 'broken.hrdf').write_text(BROKEN)
    file = tmp_path / 'fleet.yaml'
    file.write_text(FLEET)
    return file


def test_every_robot_has_its_own_topics_and_services(start, client, fleet):
    node = start(robots=fleet, history_duration=3.0)
    client.wait_for(lambda: 'serving 3 of 4 robots' in node.log, 'the fleet')
    assert 'the robot extra is not served: urdf_extra: the file' in node.log
    for name, frequency in (('left', 0.0), ('right', 20.0)):
        found = client.call(
            GetParameters, node=f'/{name}/hrdf_ros',
            names=['history_duration', 'publish_frequency', 'frame_prefix']).values
        assert [found[0].double_value, found[1].double_value] == [3.0, frequency]
        assert found[2].string_value == f'{name}/'
    texts = {name: client.listen(f'/{name}/robot_description', String, LATCHED)
             for name in ('left', 'right')}
    client.wait_for(lambda: all(texts.values()), 'the descriptions')
    assert texts['right'][0].data == URDF
    publisher = client.node.create_publisher(JointState, '/left/joint_states', 10)
    message = JointState(name=['base', 'elbow'], position=[0.5, 0.25])

    def moved():
        publisher.publish(message)
        return client.received['/tf']

    client.wait_for(moved, '/tf')
    moving = {each.child_frame_id for tf in client.received['/tf'] for each in tf.transforms}
    assert moving == {'left/x5_link_1', 'left/tool/body'}
    for name, frame in (('left', 'tool'), ('right', 'rail')):
        answer = client.call(LookupFrame, node=f'/{name}/hrdf_ros', frame=frame)
        assert (answer.success, answer.frame_id) == (True, f'{name}/{frame}')
    kinds = {name: client.call(Convert, node=f'/{name}/hrdf_ros', target='sdf').text
        for name in ('left', 'right')}
    assert "name='slide'" in kinds['right'].replace('"', "'")
    assert "name='arm'" in kinds['left'].replace('"', "'")
    assert len(children(node.process.pid)) == 1


def test_a_broken_robot_is_reported_and_can_be_loaded_again(start, client, fleet):
    node = start('--robots', str(fleet), '--ros-args', '-r', '__ns:=/cell')
    client.wait_for(lambda: 'serving 3 of 4 robots' in node.log, 'the fleet')
    assert 'broken.hrdf:4:19: error[' in node.log
    client.wait_for(
        lambda: any(
            each.name.startswith('cell/broken/') and each.level == DiagnosticStatus.ERROR
            for message in client.received['/diagnostics'] for each in message.status),
        'the diagnostics')
    said = {status.name: status.level for message in client.received['/diagnostics']
            for status in message.status if 'description' in status.name}
    assert said['cell/left/hrdf_ros: description'] != DiagnosticStatus.ERROR
    validated = client.call(Validate, node='/cell/broken/hrdf_ros')
    assert not validated.ok
    (fleet.parent / 'broken.hrdf').write_text(ARM)
    assert client.call(Trigger, node='/cell/broken/hrdf_ros').success
    assert client.call(LookupFrame, node='/cell/broken/hrdf_ros', frame='base').success
    (fleet.parent / 'slide.urdf').write_text('<robot')
    assert not client.call(Trigger, node='/cell/right/hrdf_ros').success
    assert client.call(LookupFrame, node='/cell/right/hrdf_ros', frame='rail').success


@pytest.mark.parametrize('words, status, said', [
    ((), 1, ":3:5: error: unknown key 'modle'; did you mean 'model'?"),
    (('arm.hrdf',), 2, 'give either a file or --robots')])
def test_errors_end_the_start(start, fleet, words, status, said):
    fleet.write_text(FLEET.replace('model: arm', 'modle: arm'))
    node = start(*words, '--robots', str(fleet))
    assert node.process.wait(TIMEOUT) == status
    assert said in node.log
    assert 'Traceback' not in node.log


def test_without_isolation_there_are_no_other_processes(start, client, fleet):
    node = start('--robots', str(fleet), isolation='none')
    client.wait_for(lambda: 'serving 3 of 4 robots' in node.log, 'the fleet')
    assert client.call(Validate, node='/left/hrdf_ros').ok
    assert not children(node.process.pid)


def test_a_large_fleet_ends_as_soon_as_a_small_one(start, client, fleet):
    fleet.write_text('robots:\n' + ''.join(
        f'- {{namespace: r{number}, model: arm.hrdf, prefix: r{number}/}}\n'
        for number in range(30)))
    node = start('--robots', str(fleet))
    client.wait_for(lambda: 'serving 30 of 30 robots' in node.log, 'the fleet')
    assert node.end(signal.SIGTERM) == 0
    assert 'Traceback' not in node.log
