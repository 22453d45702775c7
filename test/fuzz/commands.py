# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Whole commands as processes: what they write, their time and memory, as an input doubles.

`python -m fuzz.commands [--size BYTES]`, with the project and its directory `test` on the Python
path, prints the table of growth: every command with every input that grows, at a size
and at twice of it, under a limit of address space.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
import os
from pathlib import Path
import resource
import subprocess
import sys
import tempfile
from typing import NamedTuple

from helpers.scaling import constructs, repeated

ROOT = Path(__file__).resolve().parents[2]
SIZE = 1 << 15
IDLE = 'chain.hrdf'
"""The input of which next to nothing shows what a command takes alone."""
MEMORY = 2 << 30
"""Bytes of address space of a command."""
GREATEST_RATIO = 2.6
GROWTH = 1.5
"""Times the output of half of the input from which it counts as growing."""
OUTPUT, SECONDS, RESIDENT = 4096, 0.15, 8 << 20
"""What counts at least in a ratio: smaller differences are noise."""
LONG = 'n' * 4000
SDF = '<sdf version="1.9"><model name="m"><link name="l"/>'
URDF = '<robot name="r"><link name="b"/>'
JOINT = (
    '<link name="{0}"/><joint name="{0}" type="continuous"><parent link="b"/><child link="{0}"/>'
    '</joint>')
_VISUAL = '<visual name="v{{0}}"><geometry>{}</geometry></visual>'
_POLYLINE = (
    '<polyline><point>{0} 0</point><point>{0}.5 0</point><point>{0} 1</point><height>1</height>'
    '</polyline>')
_TRIANGLE = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n'

Text = Callable[[int], str]


def between(begin: str, piece: str, end: str) -> Text:
    """Return the function that repeats a piece up to a size."""
    return lambda size: f'{begin}{repeated(piece, size)}{end}'


def nested(size: int) -> str:
    """Return models in models, whose names are those of all around them."""
    depth = 400
    tower = ''.join(f'<model name="m{index}"><link name="l"/>' for index in range(depth))
    towers = max(1, size // len(tower))
    return '<sdf version="1.9"><world name="w">' + ''.join(
        f'<model name="t{index}">{tower}{"</model>" * (depth + 1)}' for index in range(towers)
    ) + '</world></sdf>'


def visuals(geometry: str) -> Text:
    """Return the function that repeats a visual with a geometry."""
    return between(SDF.replace('/>', '>'), _VISUAL.format(geometry), '</link></model></sdf>')


TEXTS: dict[str, Text] = {
    'nested.sdf': nested,
    'deep.urdf': lambda size: (
        f'{URDF}{("<x>" * 900 + "</x>" * 900) * max(1, size // 6300)}</robot>'),
    'long_tag.urdf': lambda size: (
        f'{URDF}<gazebo><{"t" * (size // 2)}' + repeated('\n a{}=""', size // 2)
        + '/></gazebo></robot>'),
    'long_name.urdf': between(f'{URDF}{JOINT.format(LONG)}', JOINT, '</robot>'),
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
    'polylines.sdf': visuals(_POLYLINE),
    'polyline.sdf': lambda size: SDF.replace('/>', '>') + _VISUAL.format(
        f'<polyline>{_skyline(size)}<height>1</height></polyline>').format(0)
        + '</link></model></sdf>',
    'meshes.sdf': visuals('<mesh><uri>mesh.obj</uri><submesh><name>{0}</name></submesh></mesh>'),
    'packages.urdf': between(
        f'{URDF[:-2]}>', '<visual><geometry><mesh filename="package://p{}/a.stl"/></geometry>'
        '</visual>', '</link></robot>'),
}
"""Texts of about so many bytes, by the names of their files."""
CONSTRUCTS: dict[str, Text] = {
    f'{name.replace(" ", "-")}.{format_name}': construct.text
    for construct in constructs() if not construct.is_included
    for format_name, _, name in [construct.name.partition(': ')]}
"""More of them, for one command: no test counts what they cost outside of Python."""
OTHERS: dict[str, Text] = {
    'mesh.obj': lambda _: f'mtllib mesh.mtl\n{_TRIANGLE}usemtl m\nf 1 2 3\n',
    'mesh.mtl': lambda _: 'newmtl m\nmap_Kd mesh.png\n', 'mesh.png': lambda _: 'no image',
    '.hrdf.toml': lambda size: '# a\n' * (min(size, 1 << 16) // 4),
}
"""Files beside them."""
COMMANDS = {
    'check': 'check', 'check --format sarif': 'check --format sarif', 'frames': 'frames',
    'frames --json': 'frames --json', 'tree': 'tree', 'info --json': 'info --json',
    'convert --to urdf': 'convert -o out/a.urdf', 'convert --to sdf': 'convert -o out/a.sdf',
    'convert --to dot': 'convert -o out/a.dot', 'convert --bundle': 'convert --bundle out/b',
    'convert --gazebo': 'convert --gazebo --relative-meshes -o out/a.urdf',
    'convert --frames': 'convert --frames all -o out/a.urdf', 'format --diff': 'format --diff',
    'moveit': 'moveit --no-collisions -o out/a_moveit_config',
    'srdf': 'srdf --no-collisions -o out/a.srdf', 'ros2-control': 'ros2-control -o out/a.xml',
}


def _skyline(size: int) -> str:
    """Return the points of an outline that does not cross itself."""
    count = max(3, size // 30)
    tops = ''.join(
        f'<point>{index} {1 + index * 7919 % count}</point>' for index in range(1, count))
    return f'<point>0 0</point>{tops}<point>{count} 0</point>'


class Usage(NamedTuple):
    """The bytes of the output, seconds of CPU, bytes of memory, and the messages of a command."""

    output: int
    seconds: float
    memory: int
    status: int
    messages: str


def write_input(folder: Path, name: str, size: int) -> int:
    """Write an input and the files beside it; return its size."""
    (folder / 'out').mkdir(parents=True)
    for other, text in OTHERS.items():
        (folder / other).write_text(text(size))
    text = TEXTS.get(name) or CONSTRUCTS[name]
    (folder / name).write_text(text(size))
    return (folder / name).stat().st_size


def run_command(
    arguments: Sequence[str], folder: Path, memory: int = MEMORY, seconds: int = 60,
) -> Usage:
    """Run a command in a folder, within limits of address space and time."""
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    environment = {
        **os.environ, 'PYTHONPATH': str(ROOT), 'PYTHONDONTWRITEBYTECODE': '1',
        'OPENBLAS_NUM_THREADS': '1'}
    log = folder / 'log'
    with log.open('wb') as out, (folder / 'messages').open('wb') as err:
        process = subprocess.Popen(
            [sys.executable, '-m', 'hrdf_ros.cli', *arguments], cwd=folder, env=environment,
            stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limit)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    written = [file for file in (folder / 'out').rglob('*') if file.is_file()]
    return Usage(
        log.stat().st_size + sum(file.stat().st_size for file in written),
        used.ru_utime + used.ru_stime, used.ru_maxrss << 10, process.returncode,
        (folder / 'messages').read_text(errors='replace'))


def use(command: str, name: str, size: int) -> tuple[int, Usage]:
    """Return the size of an input, and what a command makes of it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / 'here'
        return write_input(folder, name, size), run_command(
            [*COMMANDS[command].split(), name], folder)


def faults(small: Usage, large: Usage, idle: Usage, *, timed: bool = True) -> list[str]:
    """
    Return what grows more than the input, or fails; ``idle`` is the same for an empty one.

    Without ``timed`` the seconds may grow, so that a busy machine fails no test.
    """
    found = [
        f'ends with status {usage.status}: {usage.messages[-200:]}' for usage in (small, large)
        if usage.status not in (0, 1) or 'internal error' in usage.messages]
    for what, least in (('output', OUTPUT), ('seconds', SECONDS), ('memory', RESIDENT)):
        before, after, start = (getattr(usage, what) for usage in (small, large, idle))
        if what == 'seconds' and not timed:
            continue
        if after - start > GREATEST_RATIO * max(before - start, least):
            found.append(f'{what}: {after} after {before}')
    return found


def main() -> int:
    """
    Print of each command the slowest row whose output grows with the input, and every fault.

    Return 1 with faults; a command whose output grows with no input is one.
    """
    parser = argparse.ArgumentParser(prog='fuzz.commands')
    parser.add_argument('--size', type=int, default=SIZE)
    size, status = parser.parse_args().size, 0
    print('| command | input | bytes read | written | CPU s | memory, MB |')
    print('|---|---|---|---|---|---|')
    for command in COMMANDS:
        (_, idle), rows = use(command, IDLE, 1), {}
        for name in (*TEXTS, *(CONSTRUCTS if command == 'check' else ())):
            (small_size, small), (large_size, large) = (
                use(command, name, factor * size) for factor in (1, 2))
            for fault in faults(small, large, idle):
                status = 1
                print(f'{command} {name}: {fault}', file=sys.stderr)
            if large.status == 0 and large.output > GROWTH * max(small.output, 1):
                rows[large.seconds] = (
                    f'| {command} | {name} | {small_size:,} / {large_size:,} | {small.output:,} / '
                    f'{large.output:,} | {small.seconds:.2f} / {large.seconds:.2f} | '
                    f'{small.memory >> 20} / {large.memory >> 20} |')
        if not rows:
            status, rows[0.0] = 1, f'{command}: the output grows with no input'
        print(rows[max(rows)], flush=True)
    return status


if __name__ == '__main__':
    sys.exit(main())
