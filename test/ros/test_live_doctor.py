# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf doctor`` on real systems: broken ones, each by one fault, and healthy ones."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from math import nan
from pathlib import Path
import time

from geometry_msgs.msg import TransformStamped
from helpers.running_systems import (
    BEST_EFFORT,
    examined,
    FLANGE,
    LATCHED,
    stamp_of,
    System,
    URDF,
    VOLATILE,
    wait_until_healthy,
)
from hrdf_ros.pose import translation
import pytest
from sensor_msgs.msg import JointState
from std_msgs.msg import String

ARM_WITHOUT_LIMITS = """<robot name="r"><link name="base"/>""" + ''.join(
    f"""<link name="{child}"/><joint name="{child}_joint" type="continuous">
<parent link="{parent}"/><child link="{child}"/><axis xyz="0 1 0"/></joint>"""
    for parent, child in (('base', 'upper'), ('upper', 'fore'), ('fore', 'hand'))) + '</robot>'
EXAMPLES = Path(__file__).parents[2] / 'examples'
GRIPPER = URDF.replace('</robot>', """<link name="jaw"/>
<joint name="grip" type="prismatic"><parent link="tool"/><child link="jaw"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="elbow" multiplier="0.1"/>
</joint></robot>""")


def still(system: System) -> None:
    """Add a robot without its driver."""
    system.describe()
    system.transform()
    system.fix(*FLANGE)


def arm_without_limits(system: System, values: tuple[float, float, float]) -> None:
    """Add an arm whose joints may turn without end, with its driver."""
    system.describe(ARM_WITHOUT_LIMITS)
    for parent, child in (('base', 'upper'), ('upper', 'fore'), ('fore', 'hand')):
        system.transform(parent, child, node=f'{child}_tf')
    system.drive(('upper_joint', 'fore_joint', 'hand_joint'), values)


def ahead(seconds: float) -> Callable[[], float]:
    return lambda: time.time() + seconds


# ---- descriptions and joint states

def no_description(system: System) -> None:
    system.drive()
    system.transform()


def two_descriptions(system: System) -> None:
    system.healthy()
    system.describe(name='other')


def a_description_with_an_error(system: System) -> None:
    system.healthy()
    system.describe(URDF.replace('link="arm"', 'link="am"'), namespace='/left', name='left')


def a_description_that_is_not_sent(system: System) -> None:
    still(system)
    system.drive()
    system.publisher(
        system.node('loading', '/left'), String, 'robot_description', LATCHED, is_heard=False)


def no_driver(system: System) -> None:
    system.describe()
    system.fix(*FLANGE)


def another_namespace(system: System) -> None:
    system.describe()
    system.drive(namespace='/left')
    system.fix(*FLANGE)


def a_silent_driver(system: System) -> None:
    no_driver(system)
    system.publisher(system.node('driver'), JointState, 'joint_states', is_heard=False)


def misspelled_joint(system: System) -> None:
    system.describe()
    system.drive(('elbo',))
    system.fix(*FLANGE)


def prefixed_joints(system: System) -> None:
    still(system)
    system.drive(('left_elbow', 'elbow'), (0.1, 0.1))


def degrees(system: System) -> None:
    still(system)
    system.drive(values=(30.0,))


def degrees_without_limits(system: System) -> None:
    arm_without_limits(system, (30.0, -45.0, 90.0))


def not_a_number(system: System) -> None:
    still(system)
    values = count()
    publisher = system.publisher(system.node('driver'), JointState, 'joint_states')

    def send() -> None:
        message = JointState(name=['elbow'], position=[nan if next(values) % 2 else 0.5])
        message.header.stamp = stamp_of(time.time())
        publisher.publish(message)

    system.repeat(send)


def a_joint_twice_in_a_message(system: System) -> None:
    still(system)
    system.drive(('elbow', 'elbow'), (0.1, 0.2))


def sliders_beside_the_driver(system: System) -> None:
    system.healthy()
    system.drive(values=(-0.5,), name='sliders')


def more_names_than_positions(system: System) -> None:
    still(system)
    system.drive(('elbow', 'wrist'), (0.1,))


def velocities_alone(system: System) -> None:
    system.describe()
    system.drive(values=())
    system.fix(*FLANGE)


def a_mimic_that_does_not_follow(system: System) -> None:
    system.describe(GRIPPER)
    system.transform()
    system.transform('tool', 'jaw', node='jaw')
    system.fix(*FLANGE)
    system.drive(('elbow', 'grip'), (0.5, 0.5))


# ---- clocks

def slow_clock(system: System) -> None:
    system.describe()
    system.drive(clock=ahead(-60.0))
    system.transform(offset=-60.0)
    system.fix(*FLANGE)


def fast_clock(system: System) -> None:
    system.describe()
    system.drive(clock=ahead(60.0))
    system.transform(offset=60.0)
    system.fix(*FLANGE)


def no_stamp(system: System) -> None:
    still(system)
    system.drive(clock=lambda: 0.0)


def frozen_driver(system: System) -> None:
    still(system)
    started = time.time()
    system.drive(clock=lambda: started)


def bag_that_begins_again(system: System) -> None:
    still(system)
    turns = count()
    system.drive(clock=lambda: time.time() - next(turns) % 2 * 1.5)


def wall_clock_in_simulation(system: System) -> None:
    system.tick(lambda: 12.5)
    system.healthy()


def simulated_time_without_clock(system: System) -> None:
    still(system)
    system.drive(clock=lambda: time.monotonic() % 1000.0)


def two_simulations(system: System) -> None:
    system.tick(lambda: 12.5)
    system.tick(lambda: 12.5, 'bag')
    system.describe()
    system.drive(clock=lambda: 12.5)
    system.fix('base', 'arm')
    system.fix(*FLANGE, 'other')


# ---- TF and QoS

def two_publishers(system: System) -> None:
    system.healthy()
    system.transform(node='other')


def two_parents(system: System) -> None:
    system.healthy()
    system.transform(parent='map', node='other')


def fixed_and_moving(system: System) -> None:
    system.healthy()
    system.transform(*FLANGE[:2], node='other')


def old_flange(system: System) -> None:
    system.describe()
    system.drive()
    system.transform()
    system.fix('arm', 'tool', translation(0.0, 0.0, 0.51))


def camera_without_prefix(system: System) -> None:
    system.describe()
    system.drive()
    system.transform('left/base', 'left/arm')
    system.fix('left/arm', 'left/tool', translation(0.0, 0.0, 0.5))
    system.fix('tool', 'camera', node='camera')


def a_cycle(system: System) -> None:
    system.healthy()
    system.transform('tool', 'base', node='other')


def a_map_without_localization(system: System) -> None:
    system.healthy()
    system.transform('map', 'odom', node='localization')


def a_rotation_of_zero(system: System) -> None:
    def spoil(message: TransformStamped) -> None:
        message.transform.rotation.w = 0.0
    system.healthy()
    system.transform('tool', 'camera', node='camera', change=spoil)


def no_transforms(system: System) -> None:
    system.describe()
    system.drive()


def reliable_listener(system: System) -> None:
    still(system)
    system.drive(qos=BEST_EFFORT)
    system.listen(system.node('plot'), JointState, 'joint_states')


def transforms_of_another_type(system: System) -> None:
    system.describe()
    system.drive()
    system.fix(*FLANGE)
    system.publisher(system.node('old_tf'), TransformStamped, '/tf', is_heard=False)


def description_of_another_type(system: System) -> None:
    system.drive()
    system.transform()
    system.publisher(
        system.node('rsp'), TransformStamped, 'robot_description', is_heard=False)


def joint_states_of_another_type(system: System) -> None:
    """Nobody subscribes to them as JointState."""
    system.publisher(system.node('rsp'), String, 'robot_description', LATCHED).publish(
        String(data=URDF))
    system.publisher(system.node('driver'), TransformStamped, 'joint_states', is_heard=False)
    system.transform()
    system.fix(*FLANGE)


def volatile_fixed_transforms(system: System) -> None:
    system.describe()
    system.drive()
    system.transform()
    system.fix(*FLANGE, qos=VOLATILE)


def volatile_description(system: System) -> None:
    system.describe(qos=VOLATILE)
    system.drive()
    system.transform()
    system.fix(*FLANGE)


@pytest.mark.parametrize(('break_it', 'rules'), [
    (no_description, {'no-description'}),
    (two_descriptions, {'several-descriptions'}),
    (a_description_with_an_error, {'bad-description'}),
    (a_description_that_is_not_sent, {'silent-description'}),
    (no_driver, {'no-joint-states'}),
    (another_namespace, {'other-topic'}),
    (a_silent_driver, {'silent-joint-states'}),
    (misspelled_joint, {'unknown-joint', 'joint-not-reported'}),
    (prefixed_joints, {'unknown-joint'}),
    (degrees, {'outside-limits'}),
    (degrees_without_limits, {'degrees'}),
    (not_a_number, {'no-number'}),
    (a_joint_twice_in_a_message, {'repeated-joint'}),
    (sliders_beside_the_driver, {'joint-twice'}),
    (more_names_than_positions, {'uneven-joint-state'}),
    (velocities_alone, {'no-positions'}),
    (a_mimic_that_does_not_follow, {'mimic-differs'}),
    (slow_clock, {'past'}),
    (fast_clock, {'future'}),
    (no_stamp, {'no-stamp'}),
    (bag_that_begins_again, {'time-jump'}),
    (wall_clock_in_simulation, {'other-clock'}),
    (simulated_time_without_clock, {'other-clock'}),
    (two_simulations, {'several-clocks'}),
    (two_publishers, {'transform-twice'}),
    (two_parents, {'several-parents'}),
    (fixed_and_moving, {'fixed-and-moving'}),
    (old_flange, {'static-differs'}),
    (camera_without_prefix, {'prefix'}),
    (a_cycle, {'cycle'}),
    (a_map_without_localization, {'not-connected'}),
    (a_rotation_of_zero, {'refused-transform'}),
    (no_transforms, {'no-tf'}),
    (reliable_listener, {'qos'}),
    (transforms_of_another_type, {'other-type'}),
    (description_of_another_type, {'other-type'}),
    (joint_states_of_another_type, {'other-type'}),
    (volatile_fixed_transforms, {'not-latched'}),
    (volatile_description, {'not-latched'}),
])
def test_a_broken_system(
    system: System, break_it: Callable[[System], None], rules: set[str],
) -> None:
    """The finding is the fault that was made, and no other."""
    break_it(system)
    assert {finding.rule for finding in examined(system)} == rules


def test_a_driver_whose_time_stands_still(system: System) -> None:
    """It takes a second to tell it from a driver that repeats one message."""
    frozen_driver(system)
    assert [finding.rule for finding in examined(system, seconds=1.2)] == ['frozen']


# ---- healthy systems

def simulated(system: System) -> None:
    system.tick(time.monotonic)
    system.describe()
    system.drive(clock=time.monotonic)
    system.transform(clock=time.monotonic)
    system.fix(*FLANGE)


def paused(system: System) -> None:
    system.tick(lambda: 12.5)
    system.describe()
    system.drive(clock=lambda: 12.5)
    system.fix('base', 'arm')
    system.fix(*FLANGE, 'other')


def with_a_map(system: System) -> None:
    system.healthy()
    system.transform('map', 'odom', 'localization', offset=1.0)
    system.fix('odom', 'base', node='odometry')


def fleet(system: System) -> None:
    for name in ('left', 'right'):
        system.describe(namespace=f'/{name}')
        system.drive(namespace=f'/{name}', values=(0.2,))
        system.transform(f'{name}/base', f'{name}/arm', f'{name}_tf')
        system.fix(f'{name}/arm', f'{name}/tool', FLANGE[2], f'{name}_fixed')


def gripper_and_arm(system: System) -> None:
    """Two drivers on one topic, each with joints of its own, and a mimic joint that follows."""
    system.describe(GRIPPER)
    system.drive()
    system.drive(('grip',), (0.05,), name='hand')
    system.transform()
    system.transform('tool', 'jaw', node='jaw')
    system.fix(*FLANGE)


def one_joint_wound_up(system: System) -> None:
    """Add an arm of which one joint turns on and on; the others are in radians."""
    arm_without_limits(system, (0.3, -0.5, 90.0))


@pytest.mark.parametrize('make', [
    System.healthy, simulated, paused, with_a_map, fleet, gripper_and_arm, one_joint_wound_up])
def test_a_healthy_system(system: System, make: Callable[[System], None]) -> None:
    """Nothing is wrong."""
    make(system)
    assert examined(system) == []


@pytest.mark.parametrize(('file', 'parameters'), [
    ('hrdf/arm_6dof.hrdf', {'frame_prefix': 'left/'}), ('sdf/four_bar.sdf', {}),
    ('urdf/gripper_arm.urdf', {})], ids=('a prefix', 'a closed loop', 'a mimic joint'))
def test_our_node_is_healthy(
    domain: int, start: Callable[..., object], monkeypatch: pytest.MonkeyPatch, file: str,
    parameters: dict[str, str],
) -> None:
    """Nothing is wrong with the node while all joints move, once it has started."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    start(str(EXAMPLES / file), '--animate', **parameters)
    wait_until_healthy()
