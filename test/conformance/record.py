#!/usr/bin/env python3
# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Record what the reference implementations answer: test/conformance/expected.

    python test/conformance/record.py [--hebi PYTHON] [--dart PYTHON] [--mujoco PYTHON] [FORMAT]

PYTHON is one that has hebi-py (2.16.1), dartpy (6.20.0) or mujoco-core (4.0.1), in an environment
of its own with the numpy that it requires. The programs for libsdformat and urdfdom are compiled
here, with libsdformat-dev and liburdfdom-dev of Debian. A reference that is not installed is
skipped, and its answers stay.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
import json
from pathlib import Path
import subprocess
import sys
import tempfile
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REFERENCES = HERE / 'references'
EXPECTED = HERE / 'expected'
FOLDERS = ('examples', 'test/diagnostics', 'test/conformance/inputs')
FORMATS = ('hrdf', 'mjcf', 'sdf', 'skel', 'urdf')
SUFFIXES = {'mjcf': 'xml'}
RESOURCES = ROOT / 'examples' / 'sdf' / 'models'
SECONDS = 30

Command = list[str]


def inputs(kind: str) -> list[Path]:
    """Return the files of a format that the references are asked about."""
    suffix = SUFFIXES.get(kind, kind)
    return sorted(
        file for folder in FOLDERS for file in (ROOT / folder / kind).rglob(f'*.{suffix}'))


def answer_of(file: Path) -> Path:
    """Return where the answer to a file is recorded."""
    *folders, name = file.relative_to(ROOT).parts
    kind = 'mjcf' if file.suffix == '.xml' else file.suffix[1:]
    return EXPECTED / kind / f'{"~".join([*folders, name])}.json'


def installed(package: str) -> str:
    """Return the version of a Debian package, '' where it is not installed."""
    found = subprocess.run(
        ['dpkg-query', '--show', '--showformat=${source:Upstream-Version}', package],
        capture_output=True, text=True)
    return found.stdout.partition('+')[0]


def compiled(name: str, library: str, package: str, scratch: Path) -> Command:
    """Compile a reference program; return the command that runs it, empty without its library."""
    version = installed(package)
    if not version:
        return []
    flags = subprocess.run(['pkg-config', '--cflags', '--libs', library],
                           capture_output=True, text=True, check=True).stdout.split()
    program = scratch / name
    subprocess.run(['c++', '-std=c++17', f'-DVERSION="{version}"', REFERENCES / f'{name}.cpp',
                    '-o', program, *flags], check=True)
    return [str(program)]


def python(interpreter: str, program: str) -> Command:
    """Return the command that runs a reference program in Python, empty without a Python."""
    return [interpreter, str(REFERENCES / program)] if interpreter else []


def ask(command: Command, file: Path, arguments: Sequence[str]) -> dict[str, Any]:
    """Return the answer to a file: of the program, or how the program ended without one."""
    try:
        done = subprocess.run([*command, file, *arguments], cwd=file.parent, text=True,
                              capture_output=True, timeout=SECONDS, errors='replace')
    except subprocess.TimeoutExpired:
        return {'status': 'hang'}
    lines = done.stdout.strip().splitlines()
    if done.returncode < 0:
        return {'status': 'crash'}
    if done.returncode or not lines:
        raise SystemExit(f'{command[-1]} {file}: {done.stderr}')
    answer: dict[str, Any] = json.loads(lines[-1].replace(f'{ROOT}/', ''))
    return answer


def write(file: Path, answer: dict[str, Any]) -> None:
    """Record the answer to a file, one line for each of its parts."""
    target = answer_of(file)
    target.parent.mkdir(parents=True, exist_ok=True)
    parts = ',\n'.join(f'{json.dumps(key)}: {json.dumps(value)}' for key, value in answer.items())
    target.write_text(f'{{{parts}}}\n', encoding='utf-8')


def record(kind: str, command: Command) -> None:
    """Record the answers for a format; remove those whose file is gone."""
    if not command:
        print(f'{kind}: the reference is not installed, its answers stay')
        return
    arguments = [str(RESOURCES)] if kind == 'sdf' else []
    files = inputs(kind)
    for file in files:
        write(file, ask(command, file, arguments))
    for stale in set((EXPECTED / kind).glob('*.json')) - {answer_of(file) for file in files}:
        stale.unlink()
    print(f'{kind}: {len(files)} answers')


def arguments(description: str) -> ArgumentParser:
    """Return a parser of what says where the references are, and which formats to ask about."""
    parser = ArgumentParser(description=description)
    parser.add_argument('--hebi', default='', metavar='PYTHON', help='a Python with hebi-py')
    parser.add_argument('--dart', default='', metavar='PYTHON', help='a Python with dartpy')
    parser.add_argument('--mujoco', default='', metavar='PYTHON', help='one with mujoco-core')
    parser.add_argument('formats', nargs='*', default=FORMATS, help='all by default')
    return parser


def references(hebi: str, dart: str, mujoco: str, scratch: Path) -> dict[str, Command]:
    """Return the command that asks each format's reference, empty where it is not installed."""
    return {
        'hrdf': python(hebi, 'hebi_py.py'),
        'mjcf': python(mujoco, 'mujoco_core.py'),
        'skel': python(dart, 'dart.py'),
        'sdf': compiled('sdformat', 'sdformat12', 'libsdformat-dev', scratch),
        'urdf': compiled('urdfdom', 'urdfdom', 'liburdfdom-dev', scratch),
    }


def main() -> None:
    """Record the answers of each reference that is installed."""
    options = arguments('Record what the reference implementations answer.').parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        commands = references(options.hebi, options.dart, options.mujoco, Path(scratch))
        for kind in options.formats:
            record(kind, commands[kind])


if __name__ == '__main__':
    sys.exit(main())
