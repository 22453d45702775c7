# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""The effort of joints from MuJoCo's actuators, and back into MJCF."""

from __future__ import annotations

import math
from pathlib import Path

from hrdf_ros.load import load, load_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import URDF
from hrdf_ros.mujoco_process import is_available
from hrdf_ros.writers.mjcf import compare, write_mjcf
import pytest

ARM = """<mujoco>{default}<worldbody><body><geom size=".1"/><joint name="j" {joint}/></body>
</worldbody>
<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
<actuator>{actuators}</actuator></mujoco>"""
FORCE = ("<position joint='j' kp='9' forcerange='-50 50'/>",)
LIMITS = [
    ('', FORCE, 50.0),
    ('', ('<position joint="j" ctrlrange="-1 1"/>',), math.inf),  # its force is no control
    ('', ('<motor joint="j" gear="-50" ctrlrange="-1 1"/>',), 50.0),
    ('', ('<motor joint="j" gear="3" ctrlrange="-9 9" forcerange="-2 2"/>',), 6.0),
    ('', ('<general joint="j" gainprm="4" ctrlrange="-2 3"/>',), 12.0),
    ('', ('<general joint="j" gainprm="4" biastype="affine" ctrlrange="-2 2"/>',), math.inf),
    ('', ('<general joint="j" gainprm="4" dyntype="integrator" ctrlrange="-2 2"/>',), math.inf),
    ('', ('<motor joint="j" forcelimited="false" forcerange="-2 2"/>',), math.inf),
    ('', (*FORCE, *FORCE), 100.0),
    ('', (*FORCE, '<motor joint="j"/>'), math.inf),
    ('actuatorfrcrange="-60 60"', (*FORCE, *FORCE), 60.0),
    ('', ('<motor jointinparent="j" ctrlrange="-7 7"/>',), 7.0),
    ('', ('<motor tendon="t" ctrlrange="-7 7"/>',), math.inf)]


@pytest.mark.parametrize(('joint', 'actuators', 'effort'), LIMITS)
def test_effort_is_what_actuators_give(
    joint: str, actuators: tuple[str, ...], effort: float, tmp_path: Path,
) -> None:
    """Written to MJCF, nothing is limited that was not."""
    text = ARM.format(default='', joint=joint, actuators=''.join(actuators))
    model = load_model(text)
    assert [one.effort for one in model.coordinates] == [effort]
    again, report = write_mjcf(model)
    assert again.count('actuatorfrcrange') == bool(joint) and report.ok
    if is_available():
        (tmp_path / 'a.xml').write_text(text)
        (tmp_path / 'b.xml').write_text(again)
        files = [str(tmp_path / name) for name in ('a.xml', 'b.xml')]
        assert compare(*files, merged=False).differences == ()


def test_limits_of_a_class_count() -> None:
    default = ('<default><motor gear="2"/><default class="m"><motor ctrlrange="-3 3"/></default>'
               '</default>')
    text = ARM.format(default=default, joint='', actuators='<motor class="m" joint="j"/>')
    assert load_model(text).coordinates[0].effort == 6.0


@pytest.mark.parametrize(('joint', 'actuators', 'message'), [
    ('', '<motor joint="j" ctrlrange="-1 2"/>', "'ctrlrange' of actuator '' is not symmetric"),
    ('', '<motor joint="j" forcerange="0 2"/>', "'forcerange' of actuator '' is not symmetric"),
    ('actuatorfrcrange="-1 2"', '', "'actuatorfrcrange' of joint 'j' is not symmetric"),
    ('', '<motor tendon="t" ctrlrange="-1 1"/>', "actuator '' pulls a tendon")])
def test_what_one_number_cannot_say_is_reported(joint: str, actuators: str, message: str) -> None:
    report = load(ARM.format(default='', joint=joint, actuators=actuators)).report
    assert [found.code for found in report if message in found.message] == ['detail-not-preserved']


def test_what_is_lost_is_called_mujocos_own() -> None:
    report = lower(load_model(ARM.format(default='', joint='', actuators=FORCE[0])), URDF).report
    assert "MuJoCo's own <actuator> is omitted" in str(report)
    assert 'other programs' not in str(report)
