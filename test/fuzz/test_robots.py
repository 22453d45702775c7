# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Random robots keep their poses and inertias on every way through conversions."""

from __future__ import annotations

from random import Random

from fuzz.robots import differences, every_path, random_robot, sdf_text, urdf_text, WRITERS
from hrdf_ros import write_urdf
import pytest


@pytest.mark.parametrize('path', every_path(), ids=' '.join)
@pytest.mark.parametrize('source', ['urdf', 'sdf'])
def test_random_robots_are_the_same_after_conversions(source: str, path: tuple[str, ...]) -> None:
    rng = Random(f'{source} {path}')
    robot = random_robot(rng, joints_in_children=source == 'sdf')
    text = {'urdf': urdf_text(robot), 'sdf': sdf_text(robot, rng)}[source]
    assert differences(text, robot, path, rng) == []


@pytest.mark.parametrize(('written', 'wrong', 'what'), [
    ('<mass value="', '<mass value="1', 'the mass of'),
    ('<axis xyz="', '<axis xyz="-', 'the pose of'),
    (' ixx="', ' ixx="1', 'the inertia of'), ('<origin xyz="', '<origin xyz="1', 'the center')])
def test_a_wrong_conversion_is_found(
        written: str, wrong: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = random_robot(Random(5), joints_in_children=False)
    assert differences(urdf_text(robot), robot, ['urdf'], Random(0)) == []
    monkeypatch.setitem(WRITERS, 'urdf', lambda model: (
        write_urdf(model)[0].replace(written, wrong).replace('"--', '"').replace('"1-', '"1'),
        None))
    assert what in str(differences(urdf_text(robot), robot, ['urdf'], Random(0)))
