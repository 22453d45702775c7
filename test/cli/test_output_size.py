# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What a command writes grows in proportion to what it reads, whatever that consists of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time

from helpers.scaling import repeated
from hrdf_ros.cli.command import main
import pytest

SIZE = 1 << 14
LARGEST = 60
"""Bytes that are written for each byte of the text."""
LONGEST = 3.0
"""Seconds of CPU time."""
FULL_REPORT = 1 << 20
"""Bytes of the diagnostics that a report keeps, with the lines of the source."""
LONG = 'n' * 4000
SDF = '<sdf version="1.9"><model name="m"><link name="l"/>'
URDF = '<robot name="r"><link name="b"/>'
JOINT = (
    '<link name="{0}"/><joint name="{0}" type="continuous"><parent link="b"/><child link="{0}"/>'
    '</joint>')


def nested(size: int) -> str:
    """Return models in models, whose names are those of all around them."""
    depth = 400
    tower = ''.join(f'<model name="m{index}"><link name="l"/>' for index in range(depth))
    towers = max(1, size // len(tower))
    return '<sdf version="1.9"><world name="w">' + ''.join(
        f'<model name="t{index}">{tower}{"</model>" * (depth + 1)}' for index in range(towers)
    ) + '</world></sdf>'


def between(begin: str, piece: str, end: str) -> Callable[[int], str]:
    """Return what repeats a piece."""
    return lambda size: f'{begin}{repeated(piece, size)}{end}'


TEXTS: dict[str, Callable[[int], str]] = {
    'nested.sdf': nested,
    'deep.urdf': lambda size: (
        f'{URDF}{("<x>" * 900 + "</x>" * 900) * max(1, size // 6300)}</robot>'),
    'long_tag.urdf': lambda size: (
        f'{URDF}<gazebo><{"t" * (size // 2)}' + repeated('\n a{}=""', size // 2)
        + '/></gazebo></robot>'),
    'long_name.urdf': between(
        f'{URDF}{JOINT.format(LONG)}', JOINT, '</robot>'),
    'frames.sdf': between(
        SDF.replace('"l"', f'"{LONG}"'), '<frame name="{}"/>', '</model></sdf>'),
    'sensors.sdf': between(
        SDF.replace('"l"/>', f'"{LONG}">'), '<sensor name="{}" type="imu"/>',
        '</link></model></sdf>'),
    'long_model.sdf': between(
        SDF.replace('"m"', f'"{LONG}"'), '<link name="{}"/>', '</model></sdf>'),
    'plugins.sdf': between(SDF, '<plugin name="{}" filename="f"/>', '</model></sdf>'),
    'outputs.hrdf': between(
        f'<robot version="1.6.0"><rigid-body tag="{LONG}">', '<output/>', '</rigid-body></robot>'),
    'chain.hrdf': between('<robot version="1.6.0">', '<joint axis="rz"/>', '</robot>'),
    'markers.skel': between(
        f'<skel version="1.0"><world name="w"><skeleton name="{LONG}"><body name="b">',
        '<marker name="{}"/>', '</body></skeleton></world></skel>'),
    'faults.urdf': between(URDF, '<link name="b"/><x{}/>', '</robot>'),
    'star.urdf': between(URDF, JOINT, '</robot>'),
}
REPORTS = ('text', 'json', 'sarif', 'github', 'junit')
COMMANDS = {
    'frames': ['frames'], 'frames --json': ['frames', '--json'], 'tree': ['tree'],
    'info': ['info'], 'info --json': ['info', '--json'],
    **{f'convert --to {target}': ['convert', '--to', target] for target in ('urdf', 'sdf', 'dot')},
    'convert --frames': ['convert', '--to', 'urdf', '--frames', 'all'],
    'format --diff': ['format', '--diff'], 'srdf': ['srdf', '--no-collisions'],
    'ros2-control': ['ros2-control'],
}


@pytest.mark.parametrize('name', TEXTS)
@pytest.mark.parametrize('command', COMMANDS)
def test_output_is_in_proportion_to_the_text(
        command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, text = tmp_path / name, TEXTS[name](SIZE)
    file.write_text(text)
    start = process_time()
    main([*COMMANDS[command], str(file)])
    assert process_time() - start < LONGEST
    written = capsys.readouterr()
    assert 'internal error' not in written.err
    assert len(written.out) <= LARGEST * len(text)
    assert len(written.err) <= FULL_REPORT


@pytest.mark.parametrize('name', ['faults.urdf', 'deep.urdf', 'long_tag.urdf', 'nested.sdf'])
@pytest.mark.parametrize('form', REPORTS)
def test_reports_are_bounded(
        form: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / name
    file.write_text(TEXTS[name](8 * SIZE))
    main(['check', '--format', form, str(file)])
    written = capsys.readouterr()
    assert 'internal error' not in written.err
    assert len(written.out) + len(written.err) <= 2 * FULL_REPORT


@pytest.mark.parametrize('name', TEXTS)
def test_formatting_again_changes_nothing(name: str, tmp_path: Path) -> None:
    text, file = TEXTS[name](SIZE), tmp_path / name
    file.write_text(text)
    assert main(['format', str(file)]) == 0
    once = file.read_text()
    assert len(once) <= LARGEST * len(text)
    assert main(['format', str(file)]) == 0
    assert file.read_text() == once
