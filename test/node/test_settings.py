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
    ('urdf_extra', ['/no/such/file']),
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


def test_every_setting_refuses_other_types():
    for name, default in Settings()._asdict().items():
        for value in (None, 'text', b'bytes', 7, math.nan, [1], [1.0], [True], [b'a'], object()):
            fits = type(value) is type(default) or type(default) is float and value == 7
            if not fits or value != value:
                with pytest.raises(BadSetting, match=name):
                    changed(Settings(), {name: value})
