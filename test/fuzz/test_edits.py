# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What checks random edits finds a writer and an edit that are wrong."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from fuzz import edits
from fuzz.oracles import Broken
from fuzz.robots import WRITERS
from hrdf_ros import edit, load_model, Model, write_urdf
import pytest

ARM = load_model(Path(__file__).parents[2] / 'examples' / 'urdf' / 'gripper_arm.urdf')


def test_every_function_is_used() -> None:
    used = {name for seed in range(8) for name in edits.edited(ARM, Random(seed))[1]}
    assert used == set(edits.EDITS) == set(edit.__all__) - {
        'EditWarning', 'InconsistentModelError', 'PoseLike', 'new'}


@pytest.mark.parametrize(('old', 'new', 'what'), [
    ('<origin xyz="0', '<origin xyz="9', 'the pose of'), ('upper="', 'upper="1', 'limits of'),
    ('<mass value="', '<mass value="1', 'kg and')])
def test_a_wrong_writer_is_found(
    old: str, new: str, what: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(WRITERS, 'urdf', lambda model: (
        write_urdf(model)[0].replace(old, new), write_urdf(model)[1]))
    monkeypatch.setattr(edits, 'EDITS', {'add_frame': edits.EDITS['add_frame']})
    with pytest.raises(Broken, match=what):
        edits.check_edits(ARM, Random(1))


def test_a_block_that_does_not_follow_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def rename(_: Random, model: Model, name: str) -> Model:
        joints: Any = tuple(one._replace(name=f'{one.name}{name}') for one in model.joints)
        return model._replace(joints=joints, coordinates=tuple(
            one._replace(name=f'{one.name}{name}') for one in model.coordinates))

    robot = load_model(write_urdf(ARM)[0].replace(
        '</robot>', '<ros2_control name="c" type="system"><joint name="elbow"/></ros2_control>'
        '</robot>'))
    monkeypatch.setattr(edits, 'EDITS', {'rename': rename})
    with pytest.raises(Broken, match=r"names what is gone: \['elbow'"):
        edits.check_edits(robot, Random(1))
