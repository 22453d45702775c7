# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The text of a URDF for RViz: its version and URIs are replaced, every other byte stays."""

from __future__ import annotations

import difflib
from pathlib import Path

from hrdf_ros import Kinematics, load_model, write_urdf
from hrdf_ros.resolve import Packages, Resolver
import numpy as np
import pytest

TEXT = """\ufeff<?xml version='1.0'?>\r
<!-- version='1.2', "meshes/own.stl" -- é --><robot  name='r'\tversion = '1.2' >
  <material name="skin"><texture filename="skin.png"/></material>
  <link name="base">
    <visual><origin quat_xyzw = "0 0 0.6 0.8"  xyz="1 2 3"/>
      <geometry><mesh  filename='package://given/a%20b.stl' scale="1 1 1"/></geometry>
      <material name="skin"/></visual>
    <visual><geometry><mesh filename="meshes/own.stl"/></geometry></visual>
    <visual><geometry><mesh filename="package://installed/c.stl"/></geometry></visual>
    <visual><geometry><mesh filename="package://installed/a b.stl"/></geometry></visual>
    <visual><geometry><mesh filename="package://nowhere/d.stl"/></geometry></visual>
    <visual><geometry><mesh filename="https://example.org/e.stl"/></geometry></visual>
    <collision><geometry><mesh filename="{here}/meshes/own.stl"/></geometry></collision>
  </link>
</robot>
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a directory with a description, files, and a package that is installed."""
    for file in ('given/a b.stl', 'meshes/own.stl', 'skin.png', 'share/installed/c.stl',
                 'share/installed/a b.stl'):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    (tmp_path / 'r.urdf').write_bytes(TEXT.replace('{here}', str(tmp_path)).encode())
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    return tmp_path


def replaced(before: str, after: str) -> list[tuple[str, str]]:
    """Return the lines that differ, before and after."""
    assert len(before.splitlines()) == len(after.splitlines())
    return [pair for pair in zip(before.splitlines(), after.splitlines()) if pair[0] != pair[1]]


def test_nothing_but_version_quaternions_and_uris_is_replaced(here: Path) -> None:
    before = (here / 'r.urdf').read_bytes().decode()
    model = load_model(here / 'r.urdf', packages={'given': str(here / 'given')})
    assert write_urdf(model)[0] == write_urdf(model, version='1.2')[0] == before
    after, report = write_urdf(model, version='1.0')
    assert not report.diagnostics
    turned = 'rpy = "0.0 0.0 1.2870022175866"'
    expected = before
    for old, new in (
            ("version = '1.2'", "version = '1.0'"), ('quat_xyzw = "0 0 0.6 0.8"', turned),
            ("'package://given/a%20b.stl'", f"'file://{here}/given/a%20b.stl'"),
            ('="meshes/own.stl"', f'="file://{here}/meshes/own.stl"'),
            ('"skin.png"', f'"file://{here}/skin.png"'),
            ('"package://installed/a b.stl"', f'"file://{here}/share/installed/a%20b.stl"'),
            (f'"{here}/meshes/own.stl"', f'"file://{here}/meshes/own.stl"')):
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
    close = [pair for pair in replaced(expected, after) if 'rpy' not in pair[0]]
    assert not close, '\n'.join(difflib.ndiff(*zip(*close)))
    poses = [load_model(text, format='urdf').bodies[0].visuals[0].pose for text in (before, after)]
    assert poses[0] == pytest.approx(poses[1], abs=1e-15)


def test_what_rviz_can_read_goes_out_byte_for_byte(here: Path) -> None:
    text = (
        '<robot name="r"><!-- c --><link name="a"><visual><geometry>'
        f'<mesh filename="file://{here}/meshes/own.stl"/></geometry></visual></link></robot>')
    assert write_urdf(load_model(text), version='1.0')[0] == text


def test_capsules_and_other_formats_are_written_anew_with_the_same_uris(here: Path) -> None:
    own = f'file://{here}/meshes/own.stl'
    newer = here / 'c.urdf'
    newer.write_text(
        '<robot name="r" version="1.2"><link name="a"><visual><geometry>'
        '<capsule radius="1" length="2"/></geometry></visual><visual><geometry>'
        '<mesh filename="package://given/own.stl"/></geometry></visual></link></robot>')
    nested = here / 'm.sdf'
    nested.write_text(
        '<sdf version="1.9"><model name="m"><link name="a"><visual name="v"><geometry><mesh>'
        '<uri>package://given/own.stl</uri></mesh></geometry></visual></link></model></sdf>')
    packages = {'given': str(here / 'meshes')}
    for file in (newer, nested):
        model = load_model(file, packages=packages)
        assert own in write_urdf(model, version='1.0')[0]
        assert own not in write_urdf(model)[0]
        assert own not in write_urdf(model, version='1.0', resolver=Resolver(packages=packages))[0]
    before, after = (
        Kinematics(load_model(file)) for file in (newer, write_urdf(
            load_model(newer), version='1.0')[0]))
    assert np.array_equal(before.fk(), after.fk())


@pytest.mark.parametrize(('uri', 'is_retrieved'), [
    ('package://installed/c.stl', True), ('package://installed/../installed/c.stl', True),
    ('package://installed/a%20b.stl', False), ('package://given/c.stl', False),
    ('share/installed/c.stl', False), ('{here}/share/installed/c.stl', False),
    ('file://{here}/share/installed/c.stl', True), ('file:{here}/share/installed/c.stl', True),
    ('file://share/installed/c.stl', False),
    ('model://installed/c.stl', False), ('http://x/c.stl', True), ('https://x/c.stl', True)])
def test_resource_retriever_finds(uri: str, is_retrieved: bool, here: Path) -> None:
    file = str(here / 'share' / 'installed' / 'c.stl')
    installed = Packages({}, {'AMENT_PREFIX_PATH': str(here)}, None)
    assert installed.is_retrieved(uri.format(here=here), file) == is_retrieved
    without_ros = Packages({}, {}, None)
    assert without_ros.is_retrieved(uri.format(here=here), file) == (
        is_retrieved or uri.startswith('package'))
    assert installed.is_retrieved(uri.format(here=here), None) == uri.startswith('http')
