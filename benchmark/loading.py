# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Measure loading a file: its time beside other libraries, and its memory.

Each library runs in a process of its own; they take turns, so that a busy moment hits all alike.
"""

from __future__ import annotations

from collections.abc import Mapping
import json
from pathlib import Path
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple, Optional

from inputs import mjcf_chain, sdf_chain, sdf_world, skel_chain, urdf_chain
from peers import bare_environment, python_of, ROOT, sdf_load
from tables import middle, number, ratio, table

_LIBSDFORMAT = 'libsdformat'
_FLOOR = 'lxml'
_LONG = 2_000.0
"""A load of so many milliseconds is measured once."""


class Case(NamedTuple):
    """A file to load, or to write as MJCF, and the library to do it with."""

    title: str
    file: Path
    peer: str
    task: str = 'time'


class Figures(NamedTuple):
    """What was measured of a case: medians in milliseconds of CPU time, by library."""

    case: Case
    cpu_ms: Mapping[str, Optional[float]]

    def to(self, library: str) -> Optional[float]:
        """Return the ratio of ours to a library."""
        return ratio(self.cpu_ms['hrdf_ros'], self.cpu_ms[library])


def make_cases(folder: Path, quick: bool) -> list[Case]:
    """Write the files; return what to load."""
    lengths = (10,) if quick else (10, 200, 2000)
    texts = [(f'chain of {n} links', sdf_chain(n), 'sdf') for n in lengths]
    texts += [(f'chain of {n}, relative_to', sdf_chain(n, True), 'sdf') for n in lengths]
    texts += [(f'world of {n} x 10 links', sdf_world(n, 10), 'sdf')
              for n in ((2,) if quick else (50, 500))]
    bodies = (20,) if quick else (20, 200)
    texts += [(f'SKEL of {n} bodies', skel_chain(n), 'skel') for n in bodies]
    texts += [(f'URDF of {n} joints', urdf_chain(n), 'urdf') for n in bodies]
    peers = {'sdf': _LIBSDFORMAT, 'skel': 'dartpy', 'urdf': 'yourdfpy'}
    cases = []
    for index, (title, text, suffix) in enumerate(texts):
        file = folder / f'robot_{index}.{suffix}'
        file.write_text(text)
        cases.append(Case(title, file, peers[suffix]))
    for count in bodies:
        file = folder / f'chain_{count}.xml'
        file.write_text(mjcf_chain(count))
        cases += [Case(f'MJCF of {count} joints{done}', file, peer, task)
                  for task, done in (('time', ''), ('write', ', written'))
                  for peer in ('mujoco', 'dm_control')]
    arms = ROOT / 'examples' / 'hrdf'
    return [Case('HRDF, arm of 6 axes', arms / 'arm_6dof.hrdf', 'hebi-py'), *cases]


def run_loader(library: str, *words: str) -> Optional[dict[str, Any]]:
    """Run `load_one.py` or its C++ twin and return what it printed, None where it is absent."""
    if library == _LIBSDFORMAT:
        program = sdf_load()
        command = [str(program), *words[1:]] if program else []
    else:
        python = python_of(library)
        script = str(ROOT / 'benchmark' / 'load_one.py')
        command = [str(python), script, words[0], library, *words[1:]] if python else []
    if not command:
        return None
    env = {**bare_environment(), 'PYTHONPATH': str(ROOT)}
    out = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout
    found: dict[str, Any] = json.loads(out.splitlines()[-1])
    return found


def measure(case: Case, rounds: int, versions: dict[str, str]) -> Figures:
    """Load a file with ours, the floor and its peer in turn."""
    times: dict[str, list[float]] = {'hrdf_ros': [], _FLOOR: [], case.peer: []}
    for _ in range(rounds):
        for library, found in times.items():
            if found and found[0] > _LONG or (library, case.task) == (_FLOOR, 'write'):
                continue
            count = '1' if library == _LIBSDFORMAT else '3'
            result = run_loader(library, case.task, str(case.file), count)
            if result is not None:
                found += result['cpu_ms']
                versions[library] = result['version']
    return Figures(case, {library: middle(found) for library, found in times.items()})


def time_table(figures: list[Figures], versions: Mapping[str, str]) -> str:
    """Return what was measured as a table, and the versions."""
    rows = [
        (of.case.title, f'{of.case.file.stat().st_size / 1024:.1f}', of.cpu_ms['hrdf_ros'],
         of.cpu_ms[_FLOOR], of.to(_FLOOR), of.case.peer, of.cpu_ms[of.case.peer],
         of.to(of.case.peer))
        for of in figures]
    named = ', '.join(f'{name} {version}' for name, version in versions.items() if version)
    return table(
        ('file', 'KB', 'hrdf_ros (ms)', 'lxml parse (ms)', 'ratio', 'peer', 'peer (ms)', 'ratio'),
        rows) + f'\nCPU time of one load, median. {named}.\n'


def memory(folder: Path, quick: bool) -> str:
    """Measure what loading a big world takes and keeps, in multiples of its file."""
    big, small = folder / 'big.sdf', folder / 'small.sdf'
    big.write_text(sdf_world(20 if quick else 500, 10))
    small.write_text(sdf_chain(2))
    rows = []
    for library in ('hrdf_ros', _FLOOR):
        found = run_loader(library, 'memory', str(big), str(small))
        if found is not None:
            kept = number(
                found['result'] / found['file']) if library == 'hrdf_ros' else 'not measured'
            rows.append((library, found['peak'] / 1e6, found['peak'] / found['file'], kept))
    return table(('library', 'peak (MB)', 'multiple of the file', 'of it the Model alone'), rows)


def main(quick: bool) -> str:
    """Measure all of it and return the page."""
    versions: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = [measure(case, 1 if quick else 2, versions)
                   for case in make_cases(folder, quick)]
        return '\n'.join((
            '## Loading\n', time_table(figures, versions),
            '\n### Memory of a load: world of 500 models of 10 links\n', memory(folder, quick)))


if __name__ == '__main__':
    print(main('--quick' in sys.argv))
