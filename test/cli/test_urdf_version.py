# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf convert --urdf-version``: quaternions and capsules for readers that know them."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros import Kinematics, load_model
from hrdf_ros.cli import main
from hrdf_ros.writers.urdf import write_urdf
import numpy as np
import pytest

Output = pytest.CaptureFixture[str]
NEWER = Path(__file__).parents[2] / 'examples' / 'urdf' / 'newer.urdf'
CAPSULE = """<sdf version="1.11"><model name="m"><link name="a"><visual name="v">
<pose>1 2 3 0.1 0.2 0.3</pose><geometry><capsule><radius>0.1</radius><length>1</length></capsule>
</geometry></visual></link></model></sdf>"""


def convert(*options: str, capsys: Output) -> tuple[str, str]:
    assert main(['convert', str(NEWER), *options]) == 0
    return capsys.readouterr()


def test_a_text_that_nothing_changes_goes_out_as_it_came(capsys: Output) -> None:
    for options in ((), ('--urdf-version', '1.2')):
        out, err = convert(*options, capsys=capsys)
        assert out == NEWER.read_text() and 'acceleration' not in err.partition('warning')[0]
        assert 'not preserved' not in err


@pytest.mark.parametrize('options', [('--urdf-version', '1.0'), ('--expand-ball',)])
def test_what_is_written_anew_is_for_all_readers(options: tuple[str, ...], capsys: Output) -> None:
    out, err = convert(*options, capsys=capsys)
    assert all(word not in out for word in ('" version=', 'quat_xyzw', 'capsule', 'acceleration'))
    assert 'has no place for an acceleration limit' in err and 'a capsule is written as' in err
    before, after = (Kinematics(model) for model in (load_model(NEWER), load_model(out)))
    for frame in ('base_link', 'arm'):
        assert np.allclose(before.pose(frame, q=[0.7]), after.pose(frame, q=[0.7]), atol=1e-12)


def test_sdformat_shows_what_is_lost_too(capsys: Output) -> None:
    _, err = convert('--to', 'sdf', capsys=capsys)
    assert 'has no place for an acceleration limit' in err


@pytest.mark.parametrize(('version', 'has_quaternion', 'has_capsule'), [
    (None, False, False), ('1.0', False, False), ('1.1', True, False), ('1.2', True, True)])
def test_versions(version: str | None, has_quaternion: bool, has_capsule: bool) -> None:
    model = load_model(CAPSULE)
    text, _ = write_urdf(model, version=version)
    assert ('quat_xyzw' in text, '<capsule' in text) == (has_quaternion, has_capsule)
    assert (f'<robot name="m" version="{version}"' in text) == (version in ('1.1', '1.2'))
    shape = load_model(text).bodies[0].visuals[0]
    assert shape.pose == pytest.approx(model.bodies[0].visuals[0].pose, abs=1e-15)


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(ValueError, match='1.3'):
        write_urdf(load_model(CAPSULE), version='1.3')
