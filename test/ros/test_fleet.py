# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The file of a fleet: its robots, and the places of its errors."""

from __future__ import annotations

import os
from pathlib import Path

from hrdf_ros.node.fleet import read_fleet
from hrdf_ros.node.settings import BadSetting, changed, Settings
from hypothesis import given, strategies
import pytest

ENTRY = 'robots:\n- {namespace: a, '
LISTS = ', '.join(f'&a{level + 1} [*a{level}, *a{level}]' for level in range(40))


def write(folder: Path, text: str) -> str:
    file = folder / 'fleet.yaml'
    file.write_text(text)
    return str(file)


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
    robots = read_fleet(file)
    assert [*robots] == ['left', '/cell/right', 'third']
    assert robots['left'] == {
        'model': str(tmp_path / 'arms' / 'arm.hrdf'), 'frame_prefix': 'left/'}
    assert robots['/cell/right'] == {
        'model': 'package://robots/arm.urdf', 'publish_frequency': 50, 'watch': True,
        'path': [str(tmp_path / 'models'), '/opt/models'], 'joint_names': ['1', '2.0'],
        'model_name': '007'}
    assert robots['third'] == {}
    assert changed(Settings(), robots['/cell/right']).publish_frequency == 50.0


@pytest.mark.parametrize('text, expected', [
    *((text, " the file must have a list 'robots', and nothing else") for text in (
        '', 'robots: []', 'robots: {a: b}', '- a', 'robot: [{namespace: a}]')),
    ('robots:\n- namespace: a\n  modle: x.urdf',
     "2:3: error: unknown key 'modle'; did you mean 'model'?"),
    (ENTRY + 'frame_prefix: x}', "2:3: error: unknown key 'frame_prefix'"),
    (ENTRY + 'isolation: none}', "2:3: error: unknown key 'isolation'"),
    *((text, '2:3: error: a robot requires a namespace of letters, digits, _ and /') for text in (
        'robots:\n- model: x.urdf', 'robots:\n- namespace: "a b"', 'robots:\n- namespace: [a]',
        'robots:\n- arm', 'robots:\n- namespace: a__b', f'robots:\n- namespace: {"a" * 151}')),
    (ENTRY + '}\n- {namespace: /a}', "3:3: error: duplicate namespace '/a'"),
    (ENTRY + 'namespace: b}', '2:3: error: duplicate key'),
    *((ENTRY + text, '2:3: error: path must be a scalar or a list of scalars') for text in (
        'path: {b: c}}', 'path: [[b]]}', f'path: [&a0 [x], {LISTS}]}}')),
    *((ENTRY + text, f'2:3: error: {text[:text.index(":")]} has a character that no parameter')
      for text in ('path: "\\0"}', 'prefix: "\\ud800"}', 'model: "\\udfff"}')),
    (ENTRY + '[b]: c}', '2:3: error: a key must be a scalar'),
    (ENTRY + 'publish_frequency: fast}', '2:3: error: publish_frequency must be a float'),
    (ENTRY + 'watch: !!int x}', '2:3: error: watch must be a bool'),
    (ENTRY + 'naming: other}', '2:3: error: naming must be default or hebi'),
    ('robots:\n- {namespace: a', "2:3: error[yaml-syntax]: not YAML: expected ',' or '}'"),
    ('robots: !!python/object:os.system [x]', '1:36: error: a robot requires')])
def test_errors_have_their_place(tmp_path: Path, text: str, expected: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(BadSetting) as error:
        read_fleet(file)
    assert str(error.value).startswith(f'{file}:{expected}')


def test_all_errors_are_reported_up_to_a_number(tmp_path: Path) -> None:
    with pytest.raises(BadSetting) as error:
        read_fleet(write(tmp_path, 'robots:\n' + '- {namespace: a, modle: b}\n' * 130))
    lines = str(error.value).splitlines()
    assert (len(lines), lines[-1]) == (101, 'and 30 more errors')


def test_files_that_are_not_there_and_pipes(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match='does not exist'):
        read_fleet(str(tmp_path / 'nowhere.yaml'))
    os.mkfifo(tmp_path / 'fleet.yaml')
    with pytest.raises(BadSetting, match='fleet.yaml'):
        read_fleet(str(tmp_path / 'fleet.yaml'))


@given(text=strategies.text(alphabet='robts:namespc -[]{},&*!\n"\'#', max_size=60))
def test_any_text_is_read_or_refused(
        tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / 'fuzzed.yaml'
    file.write_text(text)
    try:
        found = read_fleet(str(file))
    except BadSetting as error:
        assert str(error)
    else:
        assert all(isinstance(namespace, str) for namespace in found)
