# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The hot path and lookups, without ROS: joint states in, transforms and answers out."""

import gc
import math
import weakref

from helpers.cdr import serialized
from helpers.node_robot import robot_of
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load_model
from hrdf_ros.node.live import Live
from hrdf_ros.node.lookup import lookup, NoAnswer, Question
from hrdf_ros.node.perform import load_description
from hrdf_ros.node.settings import BadSetting, changed, Settings
from hrdf_ros.node.tf_stream import Throttle, TransformStream
from hrdf_ros.pose import to_matrix
import pytest

SLIDES = """<robot name="slides"><link name="rail"/><link name="cart"/><link name="copy"/>
<link name="last"/>
<joint name="s" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="m" type="prismatic"><parent link="rail"/><child link="copy"/><axis xyz="1 0 0"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/><mimic joint="s" multiplier="2"/></joint>
<joint name="n" type="prismatic"><parent link="rail"/><child link="last"/><axis xyz="1 0 0"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="m" multiplier="-1" offset="1"/>
</joint></robot>"""
UNIVERSAL = """<skel version="1.0"><world name="w"><skeleton name="s">
<body name="a"><inertia><mass>1</mass></inertia></body>
<body name="b"><transformation>0 0 1 0 0 0</transformation><inertia><mass>1</mass></inertia></body>
<joint type="weld" name="w"><parent>world</parent><child>a</child></joint>
<joint type="universal" name="u"><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis>
<axis2><xyz>0 1 0</xyz></axis2></joint></skeleton></world></skel>"""


class Bench:
    """A stream whose transforms are kept instead of sent."""

    def __init__(self, text, settings=Settings(), throttle=Throttle(0)):
        self.sent = []
        self.warnings = []
        self.live = Live(robot_of(text, settings), self.sender)
        self.stream = TransformStream(self.warnings.append, lambda: 77)
        self.stream.live = self.live
        self.stream.throttle = throttle

    def sender(self, frames, at_zero, changing):
        def send(seconds, nanoseconds, numbers):
            transforms = at_zero.copy()
            transforms.reshape(-1)[changing] = numbers
            rows = {child: row for (_, child), row in zip(frames, transforms.tolist())}
            self.sent.append((seconds * 1_000_000_000 + nanoseconds, rows))
        return send

    def move(self, positions, stamp=1_000_000_000):
        self.stream.receive(serialized(
            list(positions), list(positions.values()), stamp=divmod(stamp, 1_000_000_000)))
        return self.sent[-1][1] if self.sent else {}

    def ask(self, frame, **fields):
        class Nobody:

            def lookup(self, target, source, stamp):
                raise NoAnswer('nobody knows')
        return lookup(self.live, Question(frame, **fields), Nobody())


def published(rate, count, throttle, jitter=0):
    bench = Bench(SLIDES, throttle=throttle)
    for step in range(count):
        shift = jitter * (step % 3 - 1)
        bench.move({'s': 0.1}, 10_000_000_000 + step * 1_000_000_000 // rate + shift)
    return len(bench.sent)


def test_frequency_is_met_without_rounding():
    assert published(100, 1000, Throttle(50_000_000)) == 200
    assert published(100, 1000, Throttle(20_000_000)) == 500
    assert published(100, 1000, Throttle(33_333_333)) in (300, 301)
    assert published(100, 1000, Throttle(50_000_000), jitter=2_000_000) in range(199, 202)
    assert published(100, 1000, Throttle(0)) == 1000
    assert published(100, 1000, Throttle(50_000_000, ignore_timestamp=True)) == 1000


def test_the_least_recently_published_joint_decides():
    bench = Bench(SLIDES, throttle=Throttle(50_000_000))
    bench.move({'s': 0.1}, 1_000_000_000)
    bench.move({'s': 0.1}, 1_001_000_000)
    assert len(bench.sent) == 1
    bench.move({'s': 0.1, 'n': 0.1}, 1_002_000_000)
    assert len(bench.sent) == 2


def test_a_clock_that_goes_back_starts_afresh():
    bench = Bench(SLIDES, throttle=Throttle(50_000_000))
    bench.move({'s': 0.1}, 9_000_000_000)
    bench.move({'s': 0.1}, 2_000_000_000)
    bench.move({'s': 0.1}, 2_010_000_000)
    assert len(bench.sent) == 2
    assert any('went back' in warning for warning in bench.warnings)


def test_mimics_follow_through_chains_and_their_own_value_wins():
    bench = Bench(SLIDES)
    rows = bench.move({'s': 0.25})
    assert {child: row[0] for child, row in rows.items()} == pytest.approx(
        {'cart': 0.25, 'copy': 0.5, 'last': 0.5})
    rows = bench.move({'m': 1.5, 's': 0.25})
    assert {child: row[0] for child, row in rows.items()} == pytest.approx(
        {'cart': 0.25, 'copy': 1.5, 'last': -0.5})
    assert set(bench.move({'m': 2.0})) == {'copy', 'last'}


def test_only_what_was_reported_is_published():
    bench = Bench(SLIDES)
    assert bench.move({'wheel': 1.0}) == {}
    assert bench.sent == []
    assert set(bench.move({'n': 1.0})) == {'last'}


def test_fixed_joints_may_be_named():
    bench = Bench(SLIDES.replace('name="n" type="prismatic"', 'name="n" type="fixed"'))
    assert set(bench.move({'n': 0.0, 's': 0.5})) == {'cart', 'copy'}
    assert not bench.warnings
    bench.move({'n': 0.0, 'wheel': 0.5})
    [warning] = bench.warnings
    assert warning.endswith(': wheel')


def test_every_link_of_the_urdf_has_a_transform():
    bench = Bench(UNIVERSAL)
    rows = bench.move({'u_1': 0.3, 'u_2': 0.2})
    static = {transform.child for transform in bench.live.robot.description.static}
    links = {body.name for body in bench.live.robot.model.bodies}
    assert links == {'world', *static, *rows}


def test_part_of_a_joint_with_several_coordinates_waits_for_the_rest():
    ball = UNIVERSAL.replace('"universal"', '"ball"')
    bench = Bench(ball)
    assert bench.move({'u_x': 0.3}) == {}
    bench.move({'u_y': 0.3})
    rows = bench.move({'u_z': 0.1})
    assert set(rows) == {'b'}
    assert set(bench.move({'u_x': 0.2})) == {'b'}


def test_lookup_equals_the_tree():
    bench = Bench(UNIVERSAL)
    bench.move({'u_1': 0.3, 'u_2': 0.2})
    model = load_model(UNIVERSAL)
    expected = Kinematics(model).pose('b', 'a', {'u_1': 0.3, 'u_2': 0.2})
    answer = bench.ask('b', relative_to='a')
    assert to_matrix(answer.pose) == pytest.approx(expected[:3, :3].ravel().tolist(), abs=1e-12)
    assert answer.pose.position == pytest.approx(expected[:3, 3].tolist(), abs=1e-12)


def test_lookup_needs_only_the_joints_between():
    bench = Bench(SLIDES)
    answer = bench.ask('cart')
    assert answer.pose.x == 0.0
    assert answer.note == (
        'no joint state has been received for s; the initial positions are used')
    assert bench.ask('rail').note == ''
    bench.move({'s': 0.5})
    assert bench.ask('last').pose.x == pytest.approx(0.0)
    assert bench.ask('last').note == ''
    assert bench.ask('last', relative_to='copy').pose.x == pytest.approx(-1.0)
    with pytest.raises(NoAnswer, match='nobody knows'):
        bench.ask('map')


def test_lookup_in_the_past_completes_mimics():
    bench = Bench(SLIDES)
    for step in range(5):
        bench.move({'s': 0.1 * step}, (1 + step) * 1_000_000_000)
    assert bench.ask('copy', stamp=2_500_000_000).pose.x == pytest.approx(0.3)
    with pytest.raises(NoAnswer, match='1.000 s after'):
        bench.ask('copy', stamp=6_000_000_000)


def test_positions_that_are_not_finite_leave_out_their_joints():
    bench = Bench(SLIDES)
    rows = bench.move({'s': math.nan, 'n': 0.5})
    assert set(rows) == {'last'}
    for huge in (math.inf, -math.inf, 1.7e308, -1e100):
        bench.move({'s': huge, 'n': 0.5})
    assert bench.live.activity.not_finite == 5
    assert all(set(rows) == {'last'} for _, rows in bench.sent)
    assert bench.move({'s': 9e99, 'n': 0.5}).keys() == {'cart', 'copy', 'last'}
    with pytest.raises(NoAnswer, match='finite'):
        bench.ask('cart', positions={'s': 1e200})


def test_bytes_that_are_not_a_joint_state_are_ignored():
    bench = Bench(SLIDES)
    bench.stream.receive(b'\0\1\0\0garbage')
    assert bench.live.activity.ignored == 1
    assert 'not a JointState' in bench.warnings[0]


def test_another_robot_keeps_what_is_known_of_its_joints():
    bench = Bench(SLIDES)
    bench.move({'s': 0.5})
    again = Live(bench.live.robot, bench.sender)
    bench.stream.replace(again)
    assert again.state.tolist() == pytest.approx([0.5, 1.0, 0.0])
    assert again.reported.tolist() == [True, False, False]


@pytest.mark.parametrize('kinds', ['bodies', 'all', 'output', 'output,frame'])
def test_frames_of_some_kinds_may_be_published(kinds):
    assert changed(Settings(), {'publish_frames': kinds}).publish_frames == kinds


def test_settings_refuse_what_cannot_be():
    for name, value in (
        ('naming', 'x'),
        ('publish_frames', 'x'),
        ('publish_frequency', -1.0),
        ('packages', ['a']),
        ('path', [1]),
        ('urdf_extra', '/no/such/file'),
        ('resource_limits', ['frames']),
        ('resource_limits', ['nosuch=1']),
        ('resource_limits', ['frames=-1']),
    ):
        with pytest.raises(BadSetting, match=name):
            changed(Settings(), {name: value})


def test_a_description_is_never_a_path(tmp_path):
    file = tmp_path / 'robot.urdf'
    file.write_text(SLIDES)
    settings = Settings(robot_description=str(file), allowed_roots=(str(tmp_path),))
    answer = load_description(settings)
    assert (answer.description, answer.files) == (None, ())
    assert [found.code for found in answer.report.shown] == ['request-refused']


def test_limits_are_bounds_on_every_load():
    settings = changed(Settings(), {'resource_limits': ['frames=3', 'includes=3', '']})
    assert settings.limits == ResourceLimits(frames=3, includes=3)
    answer = load_description(settings._replace(robot_description=SLIDES))
    assert answer.description is None
    assert [found.code for found in answer.report.shown] == ['too-many-frames']


def test_a_stamp_of_zero_is_the_time_of_the_node():
    bench = Bench(SLIDES, throttle=Throttle(50))
    bench.move({'s': 0.5}, 0)
    assert [stamp for stamp, _ in bench.sent] == [77]
    assert bench.live.activity.stamp == 77


def test_two_publishers_whose_clocks_differ_are_both_throttled():
    bench = Bench(SLIDES, throttle=Throttle(50_000_000))
    for step in range(100):
        bench.move({'s': 0.1}, 100_000_000_000 + step * 10_000_000)
        bench.move({'n': 0.1}, 5_000_000_000 + step * 10_000_000)
    assert len(bench.sent) == 40
    assert not any('went back' in warning for warning in bench.warnings)


def test_warnings_do_not_flood():
    bench = Bench(SLIDES, throttle=Throttle(50_000_000))
    for step in range(2000):
        bench.move({'s': 0.1}, 100_000_000_000 if step % 2 else 5_000_000_000)
        bench.stream.receive(bytes((0, 1, 0, 0)) + bytes(step % 300))
    assert len(bench.sent) > 1000
    assert len(bench.warnings) <= 200


def test_ignored_messages_are_reported_with_their_reason():
    bench = Bench(SLIDES)
    bench.stream.receive(serialized(['s', 'n'], [1.0]))
    bench.stream.receive(serialized(['s', 'n'], []))
    assert bench.sent == []
    assert 'it has 2 names but 1 positions' in bench.warnings[0]
    assert 'it has no positions' in bench.warnings[1]


def test_the_first_of_two_values_for_a_joint_counts():
    bench = Bench(SLIDES)
    bench.stream.receive(serialized(['n', 'n'], [0.25, 0.75]))
    assert bench.sent[-1][1]['last'][0] == 0.25


@pytest.mark.parametrize(('kind', 'positions'), [
    ('floating', {'j_x': 0.1, 'j_y': 0.2, 'j_z': 0.3, 'j_rx': 0.0, 'j_ry': 0.0, 'j_rz': 0.0}),
    ('planar', {'j_x': 0.1, 'j_y': 0.2, 'j_yaw': 0.0})])
def test_floating_and_planar_joints_are_published(kind, positions):
    bench = Bench(
        '<robot name="r"><link name="a"/><link name="b"/>'
        f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/></joint></robot>')
    names = [coordinate.name for coordinate in bench.live.robot.model.coordinates]
    assert len(names) == len(positions)
    rows = bench.move(dict(zip(names, positions.values())))
    assert set(rows) == {'b'}


def star(names):
    """Return a URDF with a continuous joint of each name on one link."""
    links = ''.join(f'<link name="l{name}"/>' for name in ['base', *names])
    joints = ''.join(
        f'<joint name="{name}" type="continuous"><parent link="lbase"/><child link="l{name}"/>'
        '</joint>' for name in names)
    return f'<robot name="r">{links}{joints}</robot>'


def test_what_publishers_can_fill_is_bounded():
    names = [f'j{index}' for index in range(10)]
    bench = Bench(star(names))
    for subset in range(1, 1024):
        bench.move({name: 0.1 for bit, name in enumerate(names) if subset >> bit & 1}, subset)
    for turn in range(40):
        bench.move({f'unknown_{turn}_{index}': 0.0 for index in range(10_000)})
    live = bench.live
    assert len(bench.sent) == 1023
    assert len(live.rings) <= 64
    assert len(live.plans) <= 100
    assert sum(len(joints.names) for joints in live.plans) <= 120_000
    assert len(live.activity.unknown) <= 1000


def test_sets_of_joints_in_use_are_kept_whatever_the_stamps_of_others():
    names = [f'j{index}' for index in range(12)]
    bench = Bench(star(names))
    for turn in range(2000):
        bench.move({'j0': 0.1, 'j1': 0.2}, 1_000_000_000 + turn)
        ring = bench.live.rings[0, 1]
        for subset in (turn * 2 + 1, turn * 2 + 2):  # of stamps that are far ahead
            bench.move({name: 0.1 for bit, name in enumerate(names) if subset >> bit & 1}
                       or {'j0': 0.0}, 5_000_000_000 + turn)
        assert bench.live.rings[0, 1] is ring
    assert len(bench.live.rings) <= 64


def test_frequencies_whose_period_is_no_number_of_nanoseconds():
    for frequency in (5e-324, 1e-300, 1e-10, -1.0, math.inf, math.nan, 1e7):
        with pytest.raises(BadSetting, match='publish_frequency must be 0, or from'):
            changed(Settings(), {'publish_frequency': frequency})
    assert changed(Settings(), {'publish_frequency': 1e-6}).publish_frequency == 1e-6


def test_every_setting_refuses_other_types():
    for name, default in Settings()._asdict().items():
        for value in (None, 'text', b'bytes', 7, math.nan, [1], [1.0], [True], [b'a'], object()):
            fits = type(value) is type(default) or type(default) is float and value == 7
            if not fits or value != value:
                with pytest.raises(BadSetting, match=name):
                    changed(Settings(), {name: value})


class Deferred(Bench):
    """A stream whose planner works when it is told to."""

    def __init__(self, text):
        super().__init__(text)
        self.work = []
        self.stream = TransformStream(self.warnings.append, lambda: 77, self.submit)
        self.stream.live = self.live
        self.stream.throttle = Throttle(0)

    def submit(self, work, size):
        self.work.append(work)
        return len(self.work) <= 3

    def plan(self):
        while self.work:
            self.work.pop(0)()


def test_new_names_are_left_to_the_planner():
    bench = Deferred(SLIDES)
    assert bench.move({'s': 0.25}) == {}
    bench.plan()
    assert set(bench.sent[-1][1]) == {'cart', 'copy', 'last'}
    bench.move({'s': 0.5})
    assert not bench.work
    assert bench.sent[-1][1]['cart'][0] == 0.5


def test_known_names_are_served_while_others_are_worked_out():
    bench = Deferred(SLIDES)
    bench.move({'s': 0.25})
    bench.plan()
    for turn in range(3):
        bench.move({f'new_{turn}': 1.0, 'n': 0.5})
        bench.move({'s': 0.1 * turn})
    assert len(bench.sent) == 4
    bench.move({'more': 1.0})
    assert 'more new names than can be processed' in next(iter(bench.live.activity.faults))
    bench.plan()
    assert len(bench.sent) == 7


def test_known_names_stay_known_among_ever_new_ones():
    bench = Deferred(SLIDES)
    for turn in range(500):
        bench.move({'s': 0.1})
        if turn > 1:
            assert not bench.work
        bench.move({f'new_{turn}': 1.0, 's': 0.1})
        bench.plan()


def test_a_robot_that_replaces_another_knows_what_messages_mean():
    bench = Deferred(SLIDES)
    bench.move({'s': 0.25})
    bench.plan()
    again = Live(robot_of(SLIDES), bench.sender)
    bench.stream.replace(again)
    bench.move({'s': 0.5})
    assert not bench.work
    assert bench.sent[-1][1]['cart'][0] == 0.5
    assert again.activity.published == 1


def test_a_robot_that_is_replaced_is_freed_without_a_collection():
    bench = Bench(SLIDES)
    bench.move({'s': 0.25})
    before = weakref.ref(bench.live.robot)
    gc.collect()
    gc.disable()
    try:
        bench.stream.replace(Live(robot_of(SLIDES), bench.sender))
        bench.live = bench.stream.live
        bench.move({'s': 0.5})
        assert before() is None
    finally:
        gc.enable()


def test_warnings_about_unknown_names_end():
    bench = Bench(SLIDES)
    for turn in range(500):
        bench.move({f'new_{turn}\x1b[2J\n[FATAL]': 1.0})
    assert len(bench.warnings) == 100
    assert all(warning.isprintable() for warning in bench.warnings)
