# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Random MJCF beside MuJoCo: verdicts, and what is written again, compared by MuJoCo itself.

`python -m fuzz.mujoco_reference --files 10000`, with the project and its directory `test` on the
Python path, prints what differs, and how many accepted files have each element and attribute.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from pathlib import Path
import re
import sys
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

from fuzz.mjcf_files import everything, Generator
from fuzz.mjcf_robot import ROBOT, write_files
from hrdf_ros.load import load
from hrdf_ros.readers.mjcf import meshes
from hrdf_ros.writers.mjcf import comparison, write_mjcf


class Known(NamedTuple):
    """
    A row of the table of docs/mjcf.md by its first cell, and the verdict that it explains.

    ``reason`` and ``text`` are patterns of MuJoCo's message (or of ours) and of the file. Where
    the message names an element, its tag follows: ``<mesh>``.
    """

    row: str
    verdict: str
    reason: str
    text: str = ''


KNOWN = (
    Known('`<flex>`, `<flexcomp>`, `<skin>`', 'accepted',
          "\\b(flex|flexcomp|skin)\\b|Element '(pin|edge|bone|elasticity)'"),
    Known('`<flex>`, `<flexcomp>`, `<skin>`', 'accepted', 'axis too small in joint',
          '<flexcomp [^>]*dof="radial"'),
    Known('`<flex>`, `<flexcomp>`, `<skin>`', 'accepted', 'mass and inertia of moving bodies',
          '<flexcomp [^>]*inertiabox="'),
    Known('muscles without a `lengthrange`', 'accepted',
          '(Invalid lengthrange|Lengthrange computation did not converge|'
          'Unstable lengthrange simulation).* in actuator', '<(muscle|general) '),
    Known('plugins', 'accepted',
          "plugin->init failed|for plugin '|plugin '[^']*' (does not support|not found)|"
          'mujoco\\.[a-z_.]*'),
    Known('a file that crashes MuJoCo, such as a plugin that continues a class with a `<muscle>`',
          'accepted', 'MuJoCo crashed'),
    Known('`<key>` with numbers for `act`, `ctrl` or `plastic`, or for `mpos` and `mquat` in an '
          'attached model', 'accepted',
          'keyframe .*: invalid (act|ctrl|plastic) '),
    Known('the contents of a file of an asset', 'accepted',
          'unsupported content type|unexpected file size|repeated face|file and builtin',
          ' file[a-z]*="'),
    Known('vertices and faces of a mesh', 'accepted',
          '(Unsupported mesh type|at least 4 vertices|faces? |texcoord|'
          'mesh (volume|surface area) is too small|vertex coordinate).*<mesh>'),
    Known('an object of a tuple that is no part, tendon or asset', 'accepted',
          'unrecognized object .* in tuple'),
    Known('a file of an asset that nothing uses is missing', 'accepted', "Error opening file '"),
    Known('sensors of no object in a file with `<replicate>`', 'accepted',
          'repeated name .* in sensor', '<replicate'),
    Known('a `memory` of `<size>` that is too small for the model', 'accepted',
          'could not allocate mjData arena|mj_stackAlloc: out of memory', '<size [^>]*memory="'),
    Known('a blank value where numbers are required', 'refused',
          "(numbers are|number is) required, not 0|unknown <\\w+> condim ''"),
    Known('a `condim` that no geom can have, in a default class that nothing uses', 'refused',
          "unknown <(geom|pair)> condim '-?[0-9]", '<default'),
    Known('a position that is NaN', 'refused', 'is not a finite number', 'nan'),
    Known('a `settotalmass` that leaves a moving body less than 1e-15 kg or kg m²', 'refused',
          'mjcf-inertia-refused: .* moves, but has no mass or inertia', 'settotalmass="'),
    Known('a faulty asset that `discardvisual` removes', 'refused',
          'mjcf-not-allowed: <(mesh|texture|material)>', 'discardvisual="true"'),
    Known('a faulty `elevation` of an `<hfield>` with a file', 'refused',
          "bad-value: <hfield> attribute 'elevation'", '<hfield[^>]* file='),
)
"""What docs/mjcf.md explains."""
_EXCUSES = ('mjcf-part-ignored', 'detail-not-preserved')
"""The codes of diagnostics that may say why a file that is written again differs."""


class Result(NamedTuple):
    """One file beside MuJoCo; ``verdict`` is same, refused, accepted, different or not written."""

    verdict: str
    is_accepted: bool
    reason: str = ''


def _ask_here(module: str, request: Any) -> Any:
    """Answer in this process: a process for each file takes too long."""
    return import_module(module).answer(request)


def refusal(file: Path) -> str:
    """Return why MuJoCo refuses a file, '' where it accepts it."""
    import mujoco
    try:
        mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        return ' '.join(str(error).split())
    return ''


class OwnProcess:
    """A process for MuJoCo, which some files crash; another one follows a crash."""

    def __init__(self) -> None:
        self._executor = ProcessPoolExecutor(1)

    def refusal(self, file: Path) -> str:
        """Return why MuJoCo refuses a file; a crash is a refusal."""
        try:
            return self._executor.submit(refusal, file).result()
        except BrokenProcessPool:
            self._executor = ProcessPoolExecutor(1)
            return 'MuJoCo crashed'

    def end(self) -> None:
        """End the process."""
        self._executor.shutdown()


def compare(
    text: str, directory: Path, ask_mujoco: Callable[[Path], str] = refusal,
) -> Result:
    """Return what MuJoCo and the project make of a file in a directory."""
    file = directory / 'robot.xml'
    file.write_text(text)
    refused = _with_tag(ask_mujoco(file), text)
    with patch.object(meshes, 'ask', _ask_here):
        loaded = load(file)
    if loaded.model is None or refused:
        if (loaded.model is None) == bool(refused):
            return Result('same', False)
        said = '; '.join(f'{one.code}: {one.message}' for one in loaded.report
                         if one.severity == 'error')
        return Result('refused' if not refused else 'accepted', not refused, refused or said)
    written, report = write_mjcf(loaded.model)
    result = directory / 'result.xml'
    result.write_text(written)
    try:
        answer = comparison.answer(
            {'source': str(file), 'result': str(result), 'merged': False})
    except ValueError as error:
        return Result('not written', True, ' '.join(str(error).split()))
    differences = answer['differences']
    excused = any(one.code in _EXCUSES for one in (*loaded.report, *report))
    if differences and not excused:
        return Result('different', True, '; '.join(differences[:3]))
    return Result('same', True)


def _with_tag(message: str, text: str) -> str:
    """Return a message of MuJoCo with the tag of the element that it names."""
    name = re.search("Element name '([^']+)'", message)
    tag = name and re.search(f'<([a-z]+)[^>]* name="{re.escape(name[1])}"', text)
    return f'{message} <{tag[1]}>' if tag else message


def is_known(result: Result, text: str) -> bool:
    """Return whether the documentation explains a difference."""
    return result.verdict == 'same' or any(
        one.verdict == result.verdict and re.search(one.reason, result.reason)
        and re.search(one.text, text) for one in KNOWN)


def run(files: int, seed: int) -> tuple[list[tuple[str, Result]], Generator, int]:
    """Return the files that differ, the generator with its counts, and how many are accepted."""
    generator, found, accepted = Generator(seed), [], 0
    mujoco = OwnProcess()
    with TemporaryDirectory() as name:
        directory = Path(name)
        write_files(directory)
        for _ in range(files):
            text, added = generator.next()
            result = compare(text, directory, mujoco.refusal)
            if result.is_accepted:
                accepted += 1
                generator.counts.update(added)
            if not is_known(result, text):
                found.append((text, result))
    mujoco.end()
    return found, generator, accepted


def _added(text: str) -> list[str]:
    """Return the tags of a file that the robot of each file does not have."""
    tags = re.findall(r'<[^/][^>]*>', text)
    return [tag for tag in tags if tag.replace(' />', '/>') not in ROBOT.replace('\n', ' ')]


def main() -> int:
    """Print the differences by kind, and what was in few accepted files; return 1 for any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--files', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', type=Path)
    arguments = parser.parse_args()
    if arguments.keep:
        arguments.keep.mkdir(exist_ok=True)
    found, generator, accepted = run(arguments.files, arguments.seed)
    kinds: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], str] = {}
    for text, result in found:
        kind = result.verdict, re.sub(r"'[^']*'|[\d.]+", '*', result.reason)[:110]
        kinds[kind] += 1
        examples.setdefault(kind, ' '.join(_added(text)))
        if arguments.keep:
            (arguments.keep / f'{len(examples)}-{kinds[kind]}.xml').write_text(text)
    for kind, count in kinds.most_common():
        print(count, *kind, '|', examples[kind])
    few = [one for one in everything() if generator.counts[one] < 20]
    print(f'{arguments.files} files, {accepted} accepted by MuJoCo, {len(found)} differ;',
          f'{len(few)} of {len(everything())} things in fewer than 20 accepted files')
    print(' '.join(f'{one.key}/{one.attribute}:{generator.counts[one]}' for one in few[:400]))
    return int(bool(found or few))


if __name__ == '__main__':
    sys.exit(main())
