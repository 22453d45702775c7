# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The values that parameters accept."""

import math

from hrdf_ros.node.jobs import load_description
from hrdf_ros.node.settings import BadSetting, changed, Settings
import pytest

LINKS = '<robot name="r"><link name="a"/>' + ''.join(
    f'<link name="{name}"/><joint name="j{name}" type="fixed"><parent link="a"/>'
    f'<child link="{name}"/></joint>' for name in 'bcd') + '</robot>'


@pytest.mark.parametrize('name, values', [
    ('naming', ['x']), ('publish_frames', ['x']), ('packages', [['a']]), ('path', [[1]]),
    ('urdf_extra', ['/no/such/file']), ('xacro_arguments', [['len'], [':=1'], ['a b:=1']]),
    ('frame_prefix', ['x' * 10_001, 'a\nb/', 'a\x1b[1m/', '\u2028']),
    ('resource_limits', [['frames'], ['nosuch=1'], ['frames=-1']]),
    ('root_link', ['x' * 10_001, 'a\nb']),
    ('isolation', ['x']), ('history_duration', [-1.0, 1e9]), ('request_timeout', [0.0, 1e9]),
    ('publish_frequency must be 0, or from', [
        5e-324, 1e-300, 1e-10, -1.0, math.inf, math.nan, 1e7])])
def test_settings_refuse_what_cannot_be(name, values):
    for value in values:
        with pytest.raises(BadSetting, match=name):
            changed(Settings(), {name.split()[0]: value})
    assert changed(Settings(), {'publish_frequency': 1e-6}).publish_frequency == 1e-6


def test_a_description_is_never_a_path(tmp_path):
    file = tmp_path / 'robot.urdf'
    file.write_text(LINKS)
    settings = Settings(robot_description=str(file), allowed_roots=(str(tmp_path),))
    answer = load_description(settings)
    assert (answer.model, answer.files) == (None, ())
    assert [found.code for found in answer.report] == ['request-refused']


def test_xacro_arguments_expand_the_file_and_nothing_else(tmp_path):
    pytest.importorskip('xacro')
    file = tmp_path / 'a.urdf.xacro'
    file.write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="len" default="1"/><link name="l$(arg len)"/></robot>')
    settings = Settings(model=str(file), xacro_arguments=('len:=a:=b',))
    assert load_description(settings).model.bodies[0].name == 'la:=b'
    text = settings._replace(robot_description=LINKS)  # the text counts, and has no arguments
    assert load_description(text).model.name == 'r'
    (plain := tmp_path / 'a.urdf').write_text(LINKS)
    [found] = load_description(settings._replace(model=str(plain))).report
    assert found.message == f'xacro_arguments are for xacro files, and {plain} is not one'


def test_every_setting_refuses_other_types():
    for name, default in Settings()._asdict().items():
        for value in (None, 'text', b'bytes', 7, math.nan, [1], [1.0], [True], [b'a'], object()):
            fits = type(value) is type(default) or type(default) is float and value == 7
            if not fits or value != value:
                with pytest.raises(BadSetting, match=name):
                    changed(Settings(), {name: value})
