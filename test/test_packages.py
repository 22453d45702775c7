# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Packages: given ones, those of the ament index, those that a file is in."""

from __future__ import annotations

from pathlib import Path

from helpers.resolving import resolver, with_files
from helpers.scaling import require_linear, seconds_of
from hrdf_ros import load
import pytest


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return with_files(tmp_path)


def test_package_uri_of_a_file(here: Path) -> None:
    mesh = str(here / 'share' / 'robot' / 'meshes' / 'a b.stl')
    given = resolver((), {'robot': f'{here}/share/robot'})
    ament = resolver(environ={'AMENT_PREFIX_PATH': str(here)})
    for found in (given, ament):
        assert found.packages.uri(mesh) == 'package://robot/meshes/a b.stl'
        assert found.packages.uri(str(here / 'main.sdf')) is None
    assert resolver().packages.uri(mesh) is None


def test_a_package_that_encloses_the_file(here: Path) -> None:
    package = here / 'ws' / 'arm_description'
    (package / 'urdf').mkdir(parents=True)
    (package / 'meshes').mkdir()
    (package / 'meshes' / 'a.stl').write_text('')
    (package / 'package.xml').write_text('<package><name>arm_description</name></package>')
    file = str(package / 'urdf' / 'arm.urdf')
    uri = 'package://arm_description/meshes/a.stl'
    assert resolver().find(uri, file) == str(package / 'meshes' / 'a.stl')
    assert resolver().find('package://other/meshes/a.stl', file) is None
    assert resolver(roots=[str(here / 'sub')]).find(uri, file) is None


def test_a_package_beside_the_one_of_the_file(here: Path) -> None:
    for name in ('arm', 'hand_description'):
        (here / 'ws' / name / 'meshes').mkdir(parents=True)
        (here / 'ws' / name / 'meshes' / 'a.stl').write_text('')
    (here / 'ws' / 'arm' / 'package.xml').write_text('<package><name>arm</name></package>')
    manifest = here / 'ws' / 'hand_description' / 'package.xml'
    file, uri = str(here / 'ws' / 'arm' / 'arm.urdf'), 'package://hand_description/meshes/a.stl'
    assert resolver().find(uri, file) is None
    manifest.write_text('<package><name>another</name></package>')
    assert resolver().find(uri, file) is None
    manifest.write_text('<package><name>hand_description</name></package>')
    found = resolver()
    assert found.find(uri, file) == str(manifest.parent / 'meshes' / 'a.stl')
    assert found.packages.knows('hand_description') and not found.packages.knows('hand')
    assert resolver(roots=[str(here / 'ws' / 'arm')]).find(uri, file) is None


def test_a_directory_with_the_name_of_the_package(here: Path) -> None:
    mesh = here / 'robots' / 'arm_description' / 'meshes' / 'a.stl'
    mesh.parent.mkdir(parents=True)
    mesh.write_text('')
    file, uri = str(mesh.parent.parent / 'urdf' / 'arm.urdf'), 'package://arm_description/meshes/'
    assert resolver().find(f'{uri}a.stl', file) == str(mesh)
    assert resolver().find(f'{uri}b.stl', file) is None
    assert resolver(roots=[str(here / 'sub')]).find(f'{uri}a.stl', file) is None
    for name in ('', '.', '..'):
        assert resolver().find(f'package://{name}/meshes/a.stl', file) is None


def test_many_packages_take_linear_time(here: Path) -> None:
    file = here / 'ws' / 'src' / 'arm' / 'arm.urdf'
    file.parent.mkdir(parents=True)

    def seconds(count: int) -> float:
        meshes = ''.join(
            f'<visual><geometry><mesh filename="package://p{index}/m.stl"/></geometry></visual>'
            for index in range(count))
        file.write_text(f'<robot name="r"><link name="l">{meshes}</link></robot>')
        return seconds_of(lambda: load(str(file)))

    require_linear(lambda: seconds(4000), lambda: seconds(8000))
