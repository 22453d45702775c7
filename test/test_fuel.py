# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""URIs of Fuel: their parts, and where their files are."""

from __future__ import annotations

from pathlib import Path

from helpers.loading import model_of
from helpers.sdf_texts import codes_of, in_world
from hrdf_ros.cli import main
from hrdf_ros.fuel import candidates, FuelUri, parse_uri
from hrdf_ros.load import load
from hrdf_ros.model import Mesh
from hrdf_ros.resolve import Resolver
import pytest

HOST = 'https://fuel.gazebosim.org'
CAR = f'{HOST}/1.0/OpenRobotics/models/Red%20Car'
MODEL = '<sdf version="1.9"><model name="{}"><link name="l"/></model></sdf>'
MANIFEST = '<model><name>m</name><sdf version="1.9">model.sdf</sdf></model>'


def add_model(directory: Path, name: str, text: str = '') -> Path:
    directory.mkdir(parents=True)
    (directory / 'model.config').write_text(MANIFEST)
    (directory / 'model.sdf').write_text(text or MODEL.format(name))
    return directory


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home with versions 2 and 10 of a model in its cache."""
    for name in ('GZ_FUEL_CACHE_PATH', 'IGN_FUEL_CACHE_PATH'):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv('HOME', str(tmp_path))
    cache = tmp_path / '.gz/fuel/fuel.gazebosim.org/openrobotics/models/red car'
    add_model(cache / '2', 'two')
    add_model(cache / '10', 'ten')
    return tmp_path


def include(uri: str) -> str:
    return in_world(f'<include><uri>{uri}</uri></include>')


@pytest.mark.parametrize(('uri', 'expected'), [
    (CAR, ('OpenRobotics', 'models', 'Red Car', '')),
    (f'{CAR}/tip', ('OpenRobotics', 'models', 'Red Car', '')),
    (f'{CAR}/3', ('OpenRobotics', 'models', 'Red Car', '3')),
    (f'{CAR}/3/files/meshes/a.dae', ('OpenRobotics', 'models', 'Red Car', '3', 'meshes', 'a.dae')),
    (f'{CAR}/files/a.dae', ('OpenRobotics', 'models', 'Red Car', '', 'a.dae')),
    (f'{HOST}/OpenRobotics/models/Car', None),
    (f'{HOST}/1.0/o/worlds/W', ('o', 'worlds', 'W', '')),
    ('https://app.gazebosim.org/OpenRobotics/fuel/models/Car', (
        'OpenRobotics', 'models', 'Car', '')),
    (f'{HOST}/1.0/../models/Car', None),
    (f'{HOST}/1.0/o/models/..', None),
    (f'{HOST}/1.0/o/models/a%2Fb', None),
    ('https://[/1.0/o/models/a', None),
    ('https://example.com/robot.dae', None),
])
def test_the_parts_of_a_uri(uri: str, expected: tuple[str, ...] | None) -> None:
    found = parse_uri(uri)
    if expected is None:
        assert found is None
    else:
        owner, kind, name, version, *file = expected
        assert found is not None
        assert found == FuelUri(found.server, owner, kind, name, version, tuple(file))


BUS = f'{HOST}/1.0/OpenRobotics/models/Bus'


@pytest.mark.parametrize(('uri', 'added', 'variable', 'path', 'name'), [
    *((uri, '', '', '', 'ten') for uri in (
        CAR, f'{CAR}/tip', f'{CAR}/10/', CAR.replace('Red%20Car', 'Red Car'),
        CAR.replace('fuel.gazebosim', 'fuel.ignitionrobotics'),
        'https://app.gazebosim.org/OpenRobotics/fuel/models/Red%20Car')),
    (f'{CAR}/2', '', '', '', 'two'), (f'{CAR}/3', '', '', '', None), (BUS, '', '', '', None),
    *((CAR, 'c/fuel.gazebosim.org/openrobotics/models/red car/1', variable, '', 'other')
      for variable in ('GZ_FUEL_CACHE_PATH', 'IGN_FUEL_CACHE_PATH')),
    (BUS, '.ignition/fuel/fuel.ignitionrobotics.org/openrobotics/models/bus/1', '', '', 'other'),
    (BUS, 'downloads/Bus', '', 'downloads', 'other'),
    (BUS, 'downloads/Bus', '', 'downloads/Bus', 'other'),
    (f'{BUS}/4', 'downloads/Bus', '', 'downloads', 'other')])
def test_where_models_are_found(
    uri: str, added: str, variable: str, path: str, name: str | None, home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if added:
        add_model(home / added, 'other')
    if variable:
        monkeypatch.setenv(variable, str(home / 'c'))
    loaded = load(include(uri), path=[str(home / path)] if path else [])
    if name is None:
        assert codes_of(loaded) == ['sdf-uri-not-fetched']
    else:
        assert [scope.name for scope in model_of(loaded).scopes] == [name]


def test_a_mesh_of_fuel(home: Path) -> None:
    uri = f'{CAR}/tip/files/meshes/car.dae'
    mesh = home / '.gz/fuel/fuel.gazebosim.org/openrobotics/models/red car/10/meshes/car.dae'
    text = (
        '<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><mesh>'
        f'<uri>{uri}</uri></mesh></geometry></visual></link></model></sdf>')
    for found in (None, str(mesh)):
        loaded = load(text)
        geometry = model_of(loaded).bodies[0].visuals[0].geometry
        assert isinstance(geometry, Mesh)
        assert (geometry.uri, geometry.file) == (uri, found)
        assert codes_of(loaded) == ['file-on-network'] * (found is None)
        mesh.parent.mkdir(exist_ok=True)
        mesh.write_bytes(b'')


def test_the_cache_is_an_allowed_root(
    home: Path, tmp_path_factory: pytest.TempPathFactory,
) -> None:
    here = tmp_path_factory.mktemp('here')
    other = add_model(tmp_path_factory.mktemp('other') / 'Bus', 'bus')
    world = here / 'w.sdf'
    world.write_text(include(CAR))
    assert load(world, roots=[str(here)]).ok
    world.write_text(include(f'{HOST}/1.0/o/models/Bus'))
    loaded = load(world, roots=[str(here)], path=[str(other.parent)])
    assert codes_of(loaded) == ['file-outside-roots']


def test_no_uri_leads_out_of_the_cache(home: Path) -> None:
    for host in ('http://..', 'http://..:80', 'http://u@.'):
        assert list(candidates(f'{host}/1.0/o/models/x/1', ['/'], {'HOME': str(home)})) == []
    for part in ('..', '%2e%2e', 'a%2f..%2f..', '%00'):
        for uri in (f'{HOST}/1.0/{part}/models/x', f'{HOST}/1.0/o/models/{part}',
                    f'{HOST}/1.0/o/models/x/{part}', f'{CAR}/tip/files/{part}/2/model.sdf'):
            assert list(candidates(uri, ['/'], {'HOME': str(home)})) == []
            assert Resolver(path=['/']).find(uri, 'x.sdf') is None


# ---- missing includes

WORLD = in_world(
    f'<include><uri>{HOST}/1.0/o/models/Gone</uri></include>'
    '<include><uri>model://gone</uri><name>gone</name></include>'
    '<model name="g2"><pose>1 2 3 0 0 0</pose><link name="l"/></model>'
    '<model name="g3"><pose relative_to="table">0 0 1 0 0 0</pose><link name="l"/></model>'
    '<frame name="table"><pose relative_to="gone">0 0 1 0 0 0</pose></frame>'
    '<model name="g4"><link name="l"/><include><uri>model://gone</uri></include></model>')


def test_one_model_of_a_world_is_loaded_where_another_is_missing(home: Path) -> None:
    loaded = load(WORLD, model_name='g2')
    assert [body.name for body in model_of(loaded).bodies] == ['l']
    assert [(found.severity, found.code) for found in loaded.report] == [
        ('warning', 'sdf-uri-not-fetched'), ('warning', 'sdf-uri-not-found')]


def test_missing_includes_are_one_diagnostic_for_each_cause(home: Path) -> None:
    uris = ['model://a', 'model://b', 'model://b', 'model://c/d', f'{HOST}/1.0/o/models/X',
            f'{HOST}/1.0/o/models/Y', 'parts/a.sdf', 'parts/a.sdf']
    text = in_world(''.join(f'<include><uri>{uri}</uri></include>' for uri in uris))
    stopped = [found.message for found in load(text).report]
    assert stopped == [
        "2 files below model:// are missing, the first is 'model://a'",
        "nothing is found for the URI 'model://c/d'",
        f"2 files are on the network, the first is '{HOST}/1.0/o/models/X'",
        "'parts/a.sdf' is missing; 2 includes name it"]
    loaded = load(text, placeholders=True)
    assert [found.message.partition('; ')[2] for found in loaded.report] == [
        '3 placeholders stand for the includes', "a placeholder 'd' stands for it",
        '2 placeholders stand for the includes',
        '2 includes name it; 2 placeholders stand for the includes']
    assert loaded.report.ok


@pytest.mark.parametrize('name', [None, 'g3', 'g4', 'g5'])
def test_a_model_that_needs_a_missing_include(home: Path, name: str | None) -> None:
    loaded = load(WORLD, model_name=name)
    assert loaded.model is None
    assert 'sdf-uri-not-found' in [
        found.code for found in loaded.report if found.severity == 'error']


def test_other_commands_go_on_with_a_placeholder_and_the_hint_works(
    home: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    file = home / 'w.sdf'
    file.write_text(include(f'{HOST}/1.0/o/models/Traffic Cone'))
    assert main(['check', str(file)]) == 1
    assert f"hrdf fetch '{HOST}/1.0/o/models/Traffic Cone'" in capsys.readouterr().err
    assert main(['tree', str(file)]) == 0
    printed = capsys.readouterr()
    assert 'Traffic Cone/placeholder' in printed.out
    assert 'warning[sdf-uri-not-fetched]' in printed.err
    cone = add_model(home / 'x/Traffic Cone', 'cone')
    for directory in (cone, cone.parent):
        assert main(['check', str(file), '--path', str(directory)]) == 0


def test_a_missing_uri_is_an_error_of_the_file(home: Path) -> None:
    text = in_world('<include/><model name="g2"><link name="l"/></model>')
    assert codes_of(load(text, model_name='g2')) == ['missing-element']
