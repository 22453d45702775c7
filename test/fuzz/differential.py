# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Ask the reference implementations about mutated files, and compare their answers with ours.

`python -m fuzz.differential [--count N] [--hebi PYTHON] [--dart PYTHON] [FORMAT ...]`, with the
project and its directory `test` on the Python path. The references are those of
test/conformance/record.py, and so is the comparison; one that is not installed is left out, and
said. Files on which the answers differ are kept in `.fuzz/differential`, with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
import shutil
import sys
import tempfile
import traceback
from typing import Any
from xml.etree.ElementTree import Element

from conformance.record import arguments, ask, Command, inputs, references, RESOURCES
from fuzz.corpus import corpus, tree_of
from fuzz.mutate import document, mutated_tree
from helpers.recorded import DIFFERENCES

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / '.fuzz' / 'differential'
_COMPARE = {
    'hrdf': 'test_file_agrees_with_hebi_py', 'sdf': 'test_file_agrees_with_libsdformat',
    'skel': 'test_file_agrees_with_dart', 'urdf': 'test_file_agrees_with_urdfdom'}
_NO_ANSWER = ('crash', 'hang')

Compare = Callable[[Path, dict[str, Any]], None]


def comparison(kind: str) -> Compare:
    """Return the test that compares our Model of a file with the answer of its reference."""
    compare: Compare = getattr(import_module(f'conformance.test_{kind}'), _COMPARE[kind])
    return compare


def seeds(kind: str) -> list[Element]:
    """Return the trees of the files on which the answers agree."""
    files = (file for file in inputs(kind) if str(file.relative_to(ROOT)) not in DIFFERENCES)
    return [tree for file in files if (tree := tree_of(file.read_bytes())) is not None]


def mutated(kind: str, seed: int, count: int) -> Iterator[str]:
    """Yield so many texts: files with one or several changes."""
    trees = seeds(kind)
    for number in range(count):
        rng = Random(f'{kind} {seed} {number}')
        yield document(mutated_tree(rng, rng.choice(trees), corpus())).decode()


def difference(compare: Compare, file: Path, answer: dict[str, Any]) -> str:
    """Return where two answers differ, empty where they agree."""
    try:
        compare(file, answer)
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        return f'{at.name}: {at.line}: {error}'
    return ''


def run(kind: str, command: Command, seed: int, count: int) -> Counter[str]:
    """Compare so many files; keep those on which the answers differ."""
    tally: Counter[str] = Counter()
    resources = [str(RESOURCES)] if kind == 'sdf' else []
    compare = comparison(kind)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / f'mutated.{kind}'
        for number, text in enumerate(mutated(kind, seed, count)):
            file.write_text(text, encoding='utf-8')
            answer = ask(command, file, resources)
            if answer['status'] in _NO_ANSWER:
                tally[answer['status']] += 1
                continue
            found = difference(compare, file, answer)
            tally['differ' if found else 'agree'] += 1
            if found:
                kept = KEPT / f'{seed}-{number}.{kind}'
                shutil.copy(file, kept)
                kept.with_suffix(f'.{kind}.txt').write_text(f'{found}\n{answer}\n')
    return tally


def main() -> None:
    """Compare with each reference that is installed; print a line for each."""
    parser = arguments('Compare with the references on mutated files.')
    parser.add_argument('--count', type=int, default=200, help='files of each format')
    parser.add_argument('--seed', type=int, default=0)
    options = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        commands = references(options.hebi, options.dart, options.mujoco, Path(scratch))
        for kind in options.formats:
            if not commands[kind]:
                print(f'{kind}: the reference is not installed')
                continue
            tally = run(kind, commands[kind], options.seed, options.count)
            print(f'{kind}: ' + ', '.join(f'{count} {name}' for name, count in tally.items()))


if __name__ == '__main__':
    sys.exit(main())
