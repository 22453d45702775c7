# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The file of a fleet: its robots, and the places of its errors."""

from __future__ import annotations

import os
from pathlib import Path

from hrdf_ros.node.fleet import FleetError, FleetRobot, read_fleet, shared_prefixes
from hrdf_ros.node.settings import changed, Settings
from hypothesis import given, strategies
import pytest


def write(folder: Path, text: str) -> str:
    file = folder / 'fleet.yaml'
    file.write_text(text)
    return str(file)


def errors(folder: Path, text: str) -> list[str]:
    """Return the errors of a file, without its name."""
    file = write(folder, text)
    with pytest.raises(FleetError) as error:
        read_fleet(file)
    lines = str(error.value).splitlines()
    assert all(line.startswith(file) for line in lines)
    return [line.removeprefix(file + ':') for line in lines]


def test_robots_with_their_parameters(tmp_path: Path) -> None:
    file = write(tmp_path, """
robots:
  - {namespace: left, model: arms/arm.hrdf, prefix: left/}
  - namespace: /cell/right
    model: package://robots/arm.urdf
    publish_frequency: 50
    watch: true
    path: [models, /opt/models]
    joint_names: [1, 2.0]
    model_name: 007
  - namespace: third
""")
    left, right, third = read_fleet(file)
    assert left == FleetRobot('left', {
        'model': str(tmp_path / 'arms' / 'arm.hrdf'), 'frame_prefix': 'left/'})
    assert right.namespace == '/cell/right'
    assert right.parameters == {
        'model': 'package://robots/arm.urdf', 'publish_frequency': 50, 'watch': True,
        'path': [str(tmp_path / 'models'), '/opt/models'], 'joint_names': ['1', '2.0'],
        'model_name': '007'}
    assert third == FleetRobot('third', {})
    assert changed(Settings(), right.parameters).publish_frequency == 50.0


def test_aliases_of_aliases_are_no_lists_of_scalars(tmp_path: Path) -> None:
    lists = ', '.join(f'&a{level + 1} [*a{level}, *a{level}]' for level in range(40))
    text = f'robots:\n- {{namespace: a, path: [&a0 [x], {lists}]}}\n'
    assert errors(tmp_path, text) == ['2:24: error: path must be a list of scalars']


@pytest.mark.parametrize('text, expected', [
    ('', ''),
    ('robots: []', '1:9: error: robots must be a list with at least one robot'),
    ('robots: {a: b}', '1:9: error: robots must be a list with at least one robot'),
    ('- a', '1:1: error: the file must be a mapping with the key robots'),
    ('robot: [{namespace: a}]', "1:1: error: unknown key 'robot'; did you mean 'robots'?"),
    ('robots:\n- namespace: a\n  modle: x.urdf',
     "3:3: error: unknown key 'modle'; did you mean 'model'?"),
    ('robots:\n- namespace: a\n  frame_prefix: x',
     "3:3: error: unknown key 'frame_prefix'; did you mean 'prefix'?"),
    ('robots:\n- namespace: a\n  isolation: none',
     "3:3: error: 'isolation' is for all robots: set it as a parameter"),
    ('robots:\n- model: x.urdf',
     '2:3: error: a robot requires a namespace of letters, digits, _ and /'),
    ('robots:\n- namespace: "a b"',
     "2:3: error: a robot requires a namespace of letters, digits, _ and /, not 'a b'"),
    ('robots:\n- namespace: [a]',
     "2:3: error: a robot requires a namespace of letters, digits, _ and /, not '['a']'"),
    ('robots:\n- namespace: a\n- {namespace: /a}',
     "3:3: error: duplicate namespace 'a'"),
    ('robots:\n- {namespace: a, namespace: b}', "2:18: error: duplicate 'namespace'"),
    ('robots:\n- {namespace: a, model: {b: c}}', '2:25: error: model must not be a mapping'),
    ('robots:\n- {namespace: a, path: [[b]]}', '2:24: error: path must be a list of scalars'),
    ('robots:\n- {namespace: a, publish_frequency: fast}',
     '2:3: error: publish_frequency must be a float'),
    ('robots:\n- {namespace: a, naming: other}', '2:3: error: naming must be default or hebi'),
    ('robots:\n- arm', '2:3: error: a robot must be a mapping with a namespace'),
    ('robots:\n- {namespace: a', "2:16: error: not YAML: expected ',' or '}', but got "
     "'<stream end>'"),
    ('robots:\n\t- a', "2:1: error: not YAML: found character '\\t' that cannot start any token"),
])
def test_errors_have_their_place(tmp_path: Path, text: str, expected: str) -> None:
    found = errors(tmp_path, text)[0]
    if expected:
        assert found == expected
    else:
        assert "the file is empty; it must have a list 'robots'" in found


def test_all_errors_are_reported_up_to_a_number(tmp_path: Path) -> None:
    text = 'robots:\n' + '- {namespace: a, modle: b}\n' * 30
    with pytest.raises(FleetError) as error:
        read_fleet(write(tmp_path, text))
    lines = str(error.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == 'and 10 more errors'


def test_a_file_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(FleetError, match='No such file or directory'):
        read_fleet(str(tmp_path / 'nowhere.yaml'))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / 'fleet.yaml')
    with pytest.raises(FleetError, match='fleet.yaml: not a regular file'):
        read_fleet(str(tmp_path / 'fleet.yaml'))


@pytest.mark.parametrize('text', [
    'a: &a [x, x]\nb: &b [*a, *a]\nrobots: [{namespace: n, path: *b}]',
    'robots: ' + '[' * 5000, 'robots: !!python/object:os.system [x]', '\x00', 'a: b: c',
    'robots:\n- {namespace: a, watch: !!int x}', 'robots:\n- {namespace: a, watch: !!bool x}',
    'robots:\n- {namespace: a, publish_frequency: !!int _}',
    'robots:\n- {namespace: a, publish_frequency: !!timestamp x}',
    'robots:\n- {? [a] : b}',
    '# ' + 'x' * (1 << 20)])
def test_hostile_files_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(FleetError):
        read_fleet(write(tmp_path, text))


@given(text=strategies.text(alphabet='robts:namespc -[]{},&*!\n"\'#', max_size=60))
def test_any_text_is_read_or_refused(
        tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / 'fuzzed.yaml'
    file.write_text(text)
    try:
        read_fleet(str(file))
    except FleetError:
        pass


def test_robots_with_the_same_prefix_are_told() -> None:
    robots = [FleetRobot('a', {'frame_prefix': 'x/'}), FleetRobot('b', {}), FleetRobot('c', {})]
    assert shared_prefixes(robots) == "the robots b, c have the same prefix ''"
    assert shared_prefixes(robots[:2]) == ''
