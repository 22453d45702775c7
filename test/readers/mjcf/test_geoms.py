# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Looks of geoms, and files that assets name."""

from __future__ import annotations

from hrdf_ros.load import load
from hrdf_ros.writers.mjcf import write_mjcf
import pytest

_LOOKS = (
    '<mujoco><default><geom rgba="1 0 0 1"/></default>'
    '<asset><material name="green" rgba="0 1 0 1"/></asset><worldbody>'
    '<geom name="zone" type="box" size="1 1 .1" contype="0" conaffinity="0"/>'
    '<geom name="floor" type="plane" size="1 1 1" material="green"/>'
    '<geom name="gray" size="1" rgba=".5 .5 .5 1" material="green"/>'
    '<geom name="shown" size="1" group="1" contype="0" conaffinity="0"/></worldbody></mujoco>')


def test_a_color_replaces_that_of_a_material() -> None:
    model = load(_LOOKS).model
    assert model is not None
    colors = {
        shape.name: (shape.material.name, shape.material.diffuse)
        for shape in model.bodies[0].visuals if shape.material is not None}
    assert colors['floor'] == ('green', (1.0, 0.0, 0.0, 1.0))
    assert colors['gray'] == ('green', (0.0, 1.0, 0.0, 1.0))


def test_looks_are_written_as_mujoco_compiles_them() -> None:
    mujoco = pytest.importorskip('mujoco')
    model = load(_LOOKS).model
    assert model is not None
    first, again = map(mujoco.MjModel.from_xml_string, (_LOOKS, write_mjcf(model)[0]))
    order = [mujoco.mj_name2id(again, mujoco.mjtObj.mjOBJ_GEOM, first.geom(index).name)
             for index in range(first.ngeom)]
    for field in ('geom_group', 'geom_rgba', 'geom_matid'):
        assert getattr(again, field)[order].tolist() == getattr(first, field).tolist(), field


def test_missing_files_that_no_geom_uses_are_reported() -> None:
    report = load(
        '<mujoco><asset><mesh name="m" file="nothing.obj"/><mesh name="used" file="none.stl"/>'
        '<texture name="t" type="2d" file="nothing.png"/></asset><worldbody>'
        '<geom type="mesh" mesh="used"/></worldbody></mujoco>').report
    found = [(one.code, 'no geom uses it' in one.message) for one in report]
    assert sorted(found) == [
        ('mesh-not-found', False), ('mesh-not-found', True), ('texture-not-found', True)]
