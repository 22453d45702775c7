# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Count what ``hrdf check`` reports about the robot files below directories.

    python tools/count_diagnostics.py [--suffix .urdf] [--jobs N] [--list CODE] DIR...

A file with the same content as another counts once. For each directory the first table says how
many files have nothing to report, infos at most, warnings, errors. The second says in how many
files each code is reported, how often, and in which file first. ``--list`` names the files with
one code instead.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from multiprocessing import get_context
import os
from pathlib import Path
from typing import NamedTuple, Optional

from hrdf_ros.load import load

GRADES = ('nothing', 'info', 'warning', 'error')
SUFFIXES = ('.hrdf', '.sdf', '.skel', '.urdf', '.world')


class Counted(NamedTuple):
    """A file, the directory it was found in, and each diagnostic's severity and code."""

    directory: str
    file: str
    found: tuple[tuple[str, str], ...]

    @property
    def grade(self) -> str:
        """The worst severity, ``nothing`` where there is no diagnostic."""
        return max((severity for severity, _ in self.found), key=GRADES.index, default='nothing')


def find_files(directories: Sequence[str], suffixes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield directory and path of each robot file, of those with the same content the first."""
    seen: set[bytes] = set()
    for directory in directories:
        for path in sorted(Path(directory).rglob('*')):
            if path.suffix.lower() not in suffixes or not path.is_file():
                continue
            digest = sha256(path.read_bytes()).digest()
            if digest not in seen:
                seen.add(digest)
                yield directory, str(path)


def check(file: tuple[str, str]) -> Counted:
    """Return what a load of a file reports."""
    report = load(file[1], xacro=False).report
    return Counted(*file, tuple((found.severity, found.code) for found in report))


def grades_table(counted: Sequence[Counted]) -> Iterator[str]:
    """Yield a row for each directory, and one for all."""
    yield '| directory | files | nothing | infos only | warnings | errors | without warning |'
    yield '|---|---|---|---|---|---|---|'
    directories = dict.fromkeys(one.directory for one in counted)
    for directory in directories:
        rows = [one for one in counted if one.directory == directory]
        yield _grades_row(os.path.basename(os.path.normpath(directory)), rows)
    if len(directories) > 1:
        yield _grades_row('all', counted)


def _grades_row(name: str, rows: Sequence[Counted]) -> str:
    count = Counter(one.grade for one in rows)
    share = (count['nothing'] + count['info']) / len(rows)
    cells = [str(count[grade]) for grade in GRADES]
    return f'| {name} | {len(rows)} | {" | ".join(cells)} | {share:.0%} |'


def codes_table(counted: Iterable[Counted]) -> Iterator[str]:
    """Yield a row for each severity and code, the most frequent first."""
    files: Counter[tuple[str, str]] = Counter()
    times: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for one in counted:
        files.update(set(one.found))
        times.update(one.found)
        for kind in one.found:
            first.setdefault(kind, one.file)
    yield '| severity | code | files | diagnostics | first in |'
    yield '|---|---|---|---|---|'
    for kind, count in sorted(files.items(), key=lambda item: (-item[1], item[0])):
        yield f'| {kind[0]} | {kind[1]} | {count} | {times[kind]} | {first[kind]} |'


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=str(__doc__).split('\n')[1])
    parser.add_argument('directories', metavar='DIR', nargs='+')
    parser.add_argument('--suffix', action='append', choices=SUFFIXES)
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--list', metavar='CODE')
    options = parser.parse_args(arguments)
    files = [*find_files(options.directories, options.suffix or SUFFIXES)]
    with get_context('fork').Pool(options.jobs) as pool:
        counted = pool.map(check, files, chunksize=4)
    if options.list:
        print(*(
            one.file for one in counted if options.list in (code for _, code in one.found)),
            sep='\n')
    elif not counted:
        parser.error('there are no robot files below these directories')
    else:
        print('\n'.join([*grades_table(counted), '', *codes_table(counted)]))


if __name__ == '__main__':
    main()
