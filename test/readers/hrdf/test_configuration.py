# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""HEBI's robot configuration: names, positions and settings; errors point into the YAML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from helpers.loading import model_of
from hrdf_ros.cli import main
from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Hardware
import pytest

ROBOT = '<robot version="1.6.0"><actuator type="X5-1"/><actuator type="X5-4"/></robot>'.replace(
    '/><', '/><bracket type="X5LightLeft"/><', 1)
START = 'version: 1.1\nfamilies: Arm\nnames: [J1, J2]\nhrdf: arm.hrdf\n'
GAINS = '<group_gains><position>\n<kp>{}</kp></position></group_gains>'

LoadText = Callable[..., LoadResult]


@pytest.fixture
def load_text(tmp_path: Path) -> LoadText:
    """Return the load of a configuration beside an arm of two joints and their gains."""
    (tmp_path / 'arm.hrdf').write_text(ROBOT)
    (tmp_path / 'two.xml').write_text(GAINS.format('5 5'))
    (tmp_path / 'one.xml').write_text(GAINS.format('5'))

    def load_from(text: str, **options: object) -> LoadResult:
        file = tmp_path / 'kit.cfg.yaml'
        file.write_bytes(text.encode('utf-8', 'surrogateescape'))
        return load(file, **options)  # type: ignore[arg-type]
    return load_from


def found(loaded: LoadResult) -> list[str]:
    """Return the errors and warnings with their place, from the file name on."""
    lines = []
    for one in loaded.report:
        at = one.resolve()
        assert at is not None
        lines.append(str(one).removeprefix(str(Path(at.file).parent) + '/'))
    return [line for line in lines if ': info[' not in line]


@pytest.mark.parametrize(('families', 'names', 'expected', 'options'), [
    ('[Arm]', '[a, b]', ['a', 'b'], {}), ('[Left, Right]', '[a, b]', ['a', 'b'], {}),
    ('[Left, Right]', '[a, a]', ['Left/a', 'Right/a'], {}),
    ('Arm', '[J1, J2]', ['base', 'elbow'], {'joint_names': ['base', 'elbow'], 'naming': 'hebi'})])
def test_modules_name_the_coordinates(
    load_text: LoadText, families: str, names: str, expected: list[str],
    options: dict[str, object],
) -> None:
    text = START.replace('families: Arm', f'families: {families}').replace('[J1, J2]', names)
    model = model_of(load_text(text, **options))
    assert [one.name for one in model.coordinates] == expected
    assert (model.name, model.format, model.version) == ('kit', 'hrdf', '1.6.0')
    assert [Path(file).name for file in model.files] == ['kit.cfg.yaml', 'arm.hrdf']


def test_positions_and_settings(load_text: LoadText, tmp_path: Path) -> None:
    model = model_of(load_text(
        START + 'command_lifetime: 0.25\nfeedback_frequency: 100\n'
        'user_data:\n  home_position: [0.5, -1]\n  ik_seed_pos: [1, 2.5]\n  has_gripper: true\n'))
    assert [(one.name, one.positions) for one in model.configurations] == [
        ('home', ((0, .5), (1, -1.))), ('ik_seed', ((0, 1.), (1, 2.5)))]
    assert [one.initial_position for one in model.coordinates] == [.5, -1.]
    assert model.hardware == Hardware(str(tmp_path / 'kit.cfg.yaml'), (
        ('feedback_frequency', '100'), ('command_lifetime', '0.25'), ('has_gripper', 'true')))


@pytest.mark.parametrize(('change', 'expected'), [
    (('hrdf: arm.hrdf', ''), "1:1: error[hebi-config-key]: the entry 'hrdf' is missing"),
    (('hrdf: arm.hrdf', 'hrdf: amr.hrdf'), '4:7: error[file-not-found]'),
    (('hrdf: arm.hrdf', 'hrdf: kit.cfg.yaml'), '4:7: error[include-cycle]'),
    (('names: [J1, J2]', ''), "1:1: error[hebi-config-key]: the entry 'names' is missing"),
    (('[J1, J2]', '[]'), '3:8: error[hebi-config-value]: names is empty'),
    (('[J1, J2]', '[on, J2]'), '3:9: error[hebi-config-value]: each of names must be a string'),
    (('[J1, J2]', '[J, J]'), "3:12: error[duplicate-name]: duplicate module 'Arm/J'"),
    (('[J1, J2]', '[a, b, c]'), '3:8: error[joint-names-mismatch]: the number of names is 3'),
    (('[J1, J2]', 'J1'), '3:8: warning[joint-names-mismatch]: the number of names is 1'),
    (('[J1, J2]', r'[J1, "\ud800"]'), '3:13: error[hebi-config-value]: a name must have'),
    (('[J1, J2]', '[J1, ""]'), '3:13: error[hebi-config-value]: a name must have'),
    (('[J1, J2]', '[J1, J2"]'), '3:13: warning[hebi-config-value]: the name \'J2"\''),
    (('families: Arm', r'families: "A\n"'), '2:11: error[hebi-config-value]: a family must have'),
    (('families: Arm', 'families: [A, B, C]'), '2:11: error[hebi-config-value]: 3 families for 2'),
    (('families: Arm', 'version: 1.1'), "2:1: error[hebi-config-key]: duplicate 'version'"),
    (('version: 1.1', 'version: 2.0'), '1:10: error[unknown-version]'),
    (('hrdf: arm', 'command_lifetime: 0\nhrdf: arm'), '4:19: error[hebi-config-value]: command_'),
    ((START, '- a'), '1:1: error[hebi-config-value]: the file must be a mapping'),
    (('arm.hrdf\n', '[arm.hrdf'), '4:7: error[yaml-syntax]'),
    (('[J1, J2]', '\udcff'), '3:8: error[yaml-syntax]: not YAML: the text is not UTF-8'),
    (('[J1, J2]', '\x07'), '3:8: error[yaml-syntax]: not YAML: the character U+0007'),
])
def test_errors_point_into_the_yaml(
    load_text: LoadText, change: tuple[str, str], expected: str,
) -> None:
    loaded = load_text(START.replace(*change))
    assert loaded.ok == (': warning' in expected)
    assert any(one.startswith(f'kit.cfg.yaml:{expected}') for one in found(loaded)), found(loaded)


@pytest.mark.parametrize(('key', 'misspelled'), [
    ('families', 'family'), ('names', 'name'), ('hrdf', 'hrfd')])
def test_misspelled_key_is_one_error(load_text: LoadText, key: str, misspelled: str) -> None:
    lines = found(load_text(START.replace(f'{key}:', f'{misspelled}:')))
    assert [line.partition(': ')[2] for line in lines] == [
        f"error[hebi-config-key]: unknown entry '{misspelled}'"]


@pytest.mark.parametrize(('more', 'expected'), [
    ('gains: two.xml', []), ('gains: {gripper: one.xml, default: two.xml}', []),
    ('gains: one.xml', ['one.xml:2: warning[hebi-gains]: <kp> has 1 values, not 2']),
    ('gains: arm.hrdf', ['arm.hrdf:1: warning[hebi-gains]: the root element is <robot>']),
    ('gains: kit.cfg.yaml', ['kit.cfg.yaml:5:8: warning[include-cycle]']),
    ('gains: {default: none.xml}', ['kit.cfg.yaml:5:18: warning[file-not-found]']),
    ('user_data: {home_position: [1]}', ['kit.cfg.yaml:5:28: warning[hebi-config-value]: home_']),
    ('user_data: {home_position: [1, .inf]}', ['kit.cfg.yaml:5:28: warning']),
    ('user_data: {2nd: 1}', ["kit.cfg.yaml:5:13: warning[hebi-config-value]: the key '2nd'"]),
    ('plugins: [{type: A, name: a, kp: [1, 2]}]', []),
    ('plugins: [{type: A}]', ["kit.cfg.yaml:5:11: error[hebi-config-key]: the entry 'name' is"]),
    ('plugins: [{type: A, name: a, enabled: 2, ramp_time: x}]', [
        'kit.cfg.yaml:5:39: error[hebi-config-value]: enabled must be true',
        'kit.cfg.yaml:5:53: error[hebi-config-value]: ramp_time must']),
])
def test_gains_plugins_and_user_data(
    load_text: LoadText, more: str, expected: list[str],
) -> None:
    lines = found(load_text(START + more))
    assert len(lines) == len(expected)
    assert all(line.startswith(start) for line, start in zip(lines, expected)), lines


def test_fault_of_the_hrdf_names_the_configuration(load_text: LoadText, tmp_path: Path) -> None:
    loaded = load_text(START.replace('arm.hrdf', 'bad.hrdf'))
    (tmp_path / 'bad.hrdf').write_text(ROBOT.replace('X5-4', 'X5-5'))
    error = load(tmp_path / 'kit.cfg.yaml').report.first_error
    assert not loaded.ok and error is not None
    at = error.resolve()
    assert at is not None and Path(at.file).name == 'bad.hrdf'
    assert [(Path(one.file).name, one.line, one.column) for one in at.included_from] == [
        ('kit.cfg.yaml', 4, 7)]


@pytest.mark.parametrize('text', [
    '[' * 100_000, '{' * 100_000, 'a: &a [*a]',
    f'{START}user_data: &a {{b: *a, home_position: *a}}',
    'a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]', '- ' * 100_000, f'{START}gains: !!int x',
    f'{START}command_lifetime: {"1" * 10_000}', f'{START}command_lifetime: !!float x', '',
    '? [a]\n: b', f'{START}user_data: {{[a]: b}}', 'x' * 300_000, '"\\x00": 1',
    f'{START}user_data:\n  home_position: [!!int 1x, 2]', r'a: "\U00110000"',
    f'%YAML 1.{"9" * 5000}\n--- a'])
def test_hostile_text_is_refused(load_text: LoadText, text: str) -> None:
    assert found(load_text(text))


@pytest.mark.parametrize(('name', 'text', 'hint'), [
    ('kit.yaml', START, 'a robot configuration of HEBI is named NAME.cfg.yaml'),
    ('kit.gains.xml', GAINS, 'these are gains of HEBI modules')])
def test_other_files_of_hebi_are_explained(
    tmp_path: Path, name: str, text: str, hint: str,
) -> None:
    (tmp_path / name).write_text(text)
    error = load(tmp_path / name).report.first_error
    assert error is not None and (error.hint or '').startswith(hint)


def test_check_finds_configurations_in_a_directory(
    load_text: LoadText, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    load_text(START)
    assert main(['check', str(tmp_path)]) == 0
    assert 'kit.cfg.yaml: ok: hrdf 1.6.0' in capsys.readouterr().out
