# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where files are: URIs, search paths, hints for misspelled names."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from helpers.loading import resolver, with_files
from helpers.scaling import growth
from hrdf_ros.file_reader import TEXT
from hrdf_ros.load import load
from hrdf_ros.resolve import Resolver
import pytest


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return with_files(tmp_path)


def test_nothing_outside_of_the_roots_is_looked_up(here: Path) -> None:
    found = resolver([str(here)], roots=[str(here / 'sub')])
    arm = str(here / 'sub' / 'arm.sdf')
    for name in ('main.sdf', 'nosuch'):
        outside = str(here / name)
        for uri in (outside, f'file://{outside}', f'../{name}'):
            assert found.find(uri, arm) == outside
        assert found.find(name, arm) is None
    assert found.find('arm.sdf', arm) == arm
    assert found.find('nosuch', arm) is None


@pytest.mark.parametrize('variable', [
    'SDF_PATH', 'GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'GAZEBO_MODEL_PATH'])
def test_environment(here: Path, variable: str) -> None:
    found = resolver(environ={variable: f'/nosuch::{here}/models'})
    assert found.find('model://arm', str(here / 'main.sdf')) == str(here / 'models' / 'arm')


def test_file_uris(here: Path) -> None:
    mesh = str(here / 'share' / 'robot' / 'meshes' / 'a b.stl')
    for scheme in ('file://', 'file:'):  # file:/path has no authority, as RFC 8089 allows
        assert resolver().find(scheme + mesh.replace(' ', '%20'), 'x') == mesh
    assert resolver().find('file://sub/arm.sdf', str(here / 'main.sdf')) == f'{here}/sub/arm.sdf'


def test_package_uris(here: Path) -> None:
    mesh = str(here / 'share' / 'robot' / 'meshes' / 'a b.stl')
    uri = 'package://robot/meshes/a%20b.stl'
    assert resolver().find(uri, 'x') is None
    assert resolver((), {'robot': f'{here}/share/robot'}).find(uri, 'x') == mesh
    assert resolver(environ={'AMENT_PREFIX_PATH': f'/nosuch:{here}'}).find(uri, 'x') == mesh
    assert resolver((), {'robot': '/x'}, environ={'AMENT_PREFIX_PATH': str(here)}).find(
        uri, 'x') is None


@pytest.mark.parametrize('uri', [
    'http://example.org/a.stl', 'https://example.org/a.stl', 'package://', 'package://nosuch/a',
    'model://', '', 'a\0b', 'x' * 5000, '\ud800'])
def test_uris_that_lead_nowhere(here: Path, uri: str) -> None:
    assert resolver([str(here)]).find(uri, str(here / 'main.sdf')) is None


def test_a_directory_above_that_completes_a_path(here: Path) -> None:
    below = here / 'a' / 'b' / 'c' / 'd' / 'e' / 'f'
    below.mkdir(parents=True)
    (here / 'a' / 'arm.stl').write_text('')
    (below / 'arm.stl').write_text('')
    file = str(below / 'arm.urdf')
    assert resolver().directory_above('arm.stl', file) == str(here / 'a')
    assert resolver().directory_above('model://b/../arm.stl', file) == str(here / 'a')
    assert resolver(roots=[str(here / 'a' / 'b')]).directory_above('arm.stl', file) is None
    for uri in ('', 'b', '/arm.stl', 'file://arm.stl', 'a\0.stl'):
        assert resolver().directory_above(uri, file) is None
    assert resolver().directory_above('arm.stl', str(below / 'g' / 'h' / 'arm.urdf')) == str(below)
    assert resolver().directory_above('arm.stl', TEXT) is None


@pytest.mark.parametrize(('name', 'meant'), [
    ('Leg.hrdf', 'leg.hrdf'), ('leg.HRDF', 'leg.hrdf'), ('leg.hdrf', 'leg.hrdf'),
    ('lge.hrdf', 'leg.hrdf'), ('arm_lef.hrdf', 'arm_left.hrdf'),
    ('base.stl', None), ('nosuch.hrdf', None), ('', None)])
def test_a_file_with_nearly_the_name(name: str, meant: str | None, here: Path) -> None:
    folder = here / 'near'
    folder.mkdir()
    for known in ('leg.hrdf', 'arm_left.hrdf', 'base.stl'):
        (folder / known).write_text('')
    hint = meant and f"did you mean '{meant}'?"
    assert resolver().similar(f'{folder}/{name}') == hint
    assert resolver().similar_to_uri(name, str(folder / 'robot.hrdf')) == hint
    assert resolver(roots=[str(here / 'sub')]).similar(f'{folder}/{name}') is None
    assert resolver().similar(f'{folder}/nosuch/{name}') is None


@pytest.mark.parametrize('name', ['\0', 'a\0b', '\ud800', 'a\udc80', 'x' * 300, 'x/' * 3000])
def test_names_that_no_file_can_have(name: str, tmp_path: Path) -> None:
    """They are found nowhere, wherever they stand: in options, URIs and the environment."""
    (tmp_path / 'r.urdf').write_text('<robot name="r"><link name="l"/></robot>')
    file = str(tmp_path / 'r.urdf')
    assert [found.code for found in load(file, roots=[name]).report] == ['file-outside-roots']
    assert load(file, roots=[name, str(tmp_path)], path=[name], packages={'p': name}).ok
    assert [found.code for found in load(f'./{name}').report] == ['file-not-found']
    uris = ('{}', 'file://{}', 'package://{}/x', 'package://p/{}', 'model://{}', 'https://{}',
            'https://fuel.gazebosim.org/1.0/o/models/{}')
    variables = ('HOME', 'GZ_FUEL_CACHE_PATH', 'SDF_PATH', 'AMENT_PREFIX_PATH')
    for roots in (None, [str(tmp_path)]):
        for environ in ({}, *({variable: name} for variable in variables)):
            resolver = Resolver([name], {'p': name}, roots=roots, environ=environ)
            for uri in uris:
                found = resolver.find(uri.format(name), file)
                assert found is None or not resolver.allows(found)
                resolver.similar_to_uri(uri.format(name), file)
            assert resolver.packages.names() == {'p'}


# ---- packages: given ones, those of the ament index, those that a file is in

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


def package(folder: Path, name: str) -> str:
    """Make a package with a mesh."""
    (folder / 'meshes').mkdir(parents=True)
    (folder / 'meshes' / 'a.stl').write_text('')
    (folder / 'package.xml').write_text(f'<package><name>{name}</name></package>')
    return str(folder)


def test_a_file_finds_its_own_package_before_any_other(here: Path) -> None:
    for revision in ('old', 'new'):
        package(here / revision, 'arm')
    given = {'arm': str(here / 'new')}
    prefix = here / 'install'
    package(prefix / 'share' / 'arm', 'arm')
    uri = 'package://arm/meshes/a.stl'
    for options in ({}, {'packages': given}, {'environ': {'AMENT_PREFIX_PATH': str(prefix)}}):
        found = resolver(**options)
        for revision in (here / 'old', here / 'new'):
            assert found.find(uri, str(revision / 'a.urdf')) == f'{revision}/meshes/a.stl'
    assert resolver(packages=given).find(uri, str(here / 'b.urdf')) == f'{here}/new/meshes/a.stl'


def test_packages_beside_the_own_one_in_a_repository_have_any_directory(here: Path) -> None:
    top = here / 'repository'
    package(top / 'robots' / 'arm', 'arm')
    hand, tool = package(top / 'robots' / 'the-hand', 'hand'), package(top / 'tools', 'tool')
    package(here / 'other', 'outside')
    prefix = here / 'install'
    package(prefix / 'share' / 'hand', 'hand')
    file, environ = str(top / 'robots' / 'arm' / 'a.urdf'), {'AMENT_PREFIX_PATH': str(prefix)}
    assert resolver().packages.find('hand', file) is None
    assert resolver(environ=environ).packages.find('hand', file) == f'{prefix}/share/hand'
    (top / '.git').mkdir()
    for name, directory in (('hand', hand), ('tool', tool), ('outside', None)):
        assert resolver(environ=environ).packages.find(name, file) == directory
    assert resolver(roots=[str(top / 'robots' / 'arm')]).packages.find('hand', file) is None
    assert resolver(packages={'hand': str(here)}).packages.find('hand', file) == str(here)


@pytest.mark.parametrize(('suffix', 'text'), [
    ('.xml', '<mujoco><asset><mesh name="m" file="{}"/></asset><worldbody><body name="b">'
     '<geom type="mesh" mesh="m"/><geom size="1"/></body></worldbody></mujoco>'),
    ('.urdf', '<robot name="r"><link name="b"><visual><geometry><mesh filename="{}"/></geometry>'
     '</visual></link></robot>'),
    ('.sdf', '<sdf version="1.9"><model name="m"><link name="b"><visual name="v"><geometry><mesh>'
     '<uri>{}</uri></mesh></geometry></visual></link></model></sdf>')])
def test_meshes_of_each_format_are_found_in_the_own_package(
    here: Path, suffix: str, text: str,
) -> None:
    package(here / 'robot', 'arm')
    (mesh := here / 'robot' / 'meshes' / 'a.obj').write_text(
        'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n')
    (file := here / 'robot' / f'arm{suffix}').write_text(
        text.format('package://arm/meshes/a.obj'))
    model = load(file).model
    assert model is not None
    assert [shape.geometry.file for body in model.bodies for shape in body.visuals
            if hasattr(shape.geometry, 'file')] == [str(mesh)]


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
    folder = here / 'ws' / 'src' / 'arm'
    folder.mkdir(parents=True)

    def file(count: int) -> str:
        meshes = ''.join(
            f'<visual><geometry><mesh filename="package://p{index}/m.stl"/></geometry></visual>'
            for index in range(count))
        written = folder / f'{count}.urdf'
        written.write_text(f'<robot name="r"><link name="l">{meshes}</link></robot>')
        return str(written)

    assert not growth([partial(load, file(count)) for count in (100, 200, 400, 800)])


def test_options_come_before_the_environment(here: Path) -> None:
    found = resolver([f'{here}/sub'], environ={'SDF_PATH': f'{here}/models/arm'})
    assert found.search_path == [f'{here}/sub', f'{here}/models/arm']
    assert found.find('arm.sdf', '/x/y.sdf') == f'{here}/sub/arm.sdf'


def test_plain_uris_are_beside_the_file(here: Path) -> None:
    main = str(here / 'main.sdf')
    assert resolver().find('sub/arm.sdf', main) == str(here / 'sub' / 'arm.sdf')
    assert resolver().find('./sub/../main.sdf', main) == main
    assert resolver().find('nosuch', main) is None
    assert resolver().find(main, '/elsewhere/x.sdf') == main


def test_text_is_beside_the_working_directory(
    here: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(here)
    found = resolver().find('main.sdf', TEXT)
    assert found is not None and Path(found).resolve() == here / 'main.sdf'
