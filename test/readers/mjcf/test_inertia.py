# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Inertia from bounds and from meshes; numbers are in test/conformance/test_mjcf.py."""

from __future__ import annotations

from hrdf_ros.load import load
from hrdf_ros.model import Body
from hrdf_ros.mujoco_process import is_available
import pytest

needs_mujoco = pytest.mark.skipif(
    not is_available(), reason='the masses of meshes need mujoco-core')
_MESH = '<mesh name="leg" vertex="0 0 0  1 0 0  0 1 0  0 0 {}" inertia="exact"/>'


def last_body(settings: str, body: str) -> Body:
    loaded = load(f'<mujoco><compiler {settings}/><worldbody>{body}</worldbody></mujoco>')
    assert loaded.model is not None, loaded.report
    return loaded.model.bodies[-1]


def test_a_body_that_only_bounds_give_mass_has_its_center_as_in_mujoco() -> None:
    """MuJoCo takes the pose of the body in its parent, without the frames around it."""
    bounds = 'boundmass="1" boundinertia=".01"'
    for body in ('<body pos="1 2 3"/>', '<frame pos="5 5 5"><body pos="1 2 3"/></frame>'):
        inertia = last_body(bounds, body).inertia
        assert inertia is not None
        assert (inertia.mass, inertia.pose.position) == (1.0, (1.0, 2.0, 3.0))


def test_an_inertia_counts_where_no_geom_has_mass() -> None:
    inertia = last_body(
        'inertiafromgeom="true"',
        '<body><inertial pos="4 4 4" mass="2" diaginertia="1 1 1"/></body>').inertia
    assert inertia is not None and (inertia.mass, inertia.pose.x) == (2.0, 4.0)


@needs_mujoco
def test_plugins_that_a_mesh_does_not_use_are_not_needed_to_measure_it() -> None:
    loaded = load(
        '<mujoco><extension><plugin plugin="mujoco.pid"><instance name="i"><config key="kp" '
        f'value="2"/></instance></plugin></extension><asset>{_MESH.format(1)}</asset><worldbody>'
        '<body name="b"><joint name="j"/><geom type="mesh" mesh="leg"/></body></worldbody>'
        '<actuator><plugin joint="j" plugin="mujoco.pid" instance="i"/></actuator></mujoco>')
    assert loaded.model is not None, loaded.report
    inertia = loaded.model.bodies[1].inertia
    assert inertia is not None and inertia.mass == pytest.approx(1000.0 / 6.0)


@needs_mujoco
def test_a_mesh_that_mujoco_refuses_is_named() -> None:
    report = load(
        f'<mujoco><asset>{_MESH.format(0)}</asset><worldbody><body><joint/>'
        '<geom type="mesh" mesh="leg"/></body></worldbody></mujoco>').report
    [message] = [found.message for found in report if found.code == 'mesh-inertia-unknown']
    assert 'leg' in message
