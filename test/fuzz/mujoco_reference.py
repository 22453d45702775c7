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
from importlib import import_module
from pathlib import Path
import re
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

from fuzz.mjcf_files import everything, Generator, ROBOT, write_files
from hrdf_ros.load import load
from hrdf_ros.readers.mjcf import meshes
from hrdf_ros.writers.mjcf import comparison, write_mjcf

KNOWN = (
    ('accepted', '(?i)flex|skin|composite|texcoord|texture coordinates per vertex|Spacing must|'
     'Point size must|elasticity|'
     'multiple orientation|mesh asset can only|Interpolation|stiffness only|axis too small|'
     "Poisson|elem size|vert size|number of nodes|Element '(pin|edge|bone)'"),
    ('accepted', "mesh type requires|'passthrough'|keyword: .* Element 'compiler'"),
    ('accepted', 'engine error|plugin'), ('accepted', 'keyframe .*: invalid'),
    ('accepted', 'DC motor|dcmotor|so3|muscle|lengthrange|Lengthrange|actdim|pid|stateless'),
    ('accepted', 'embed|by reference|repeated face|Unsupported mesh|builtin mesh|opening file'),
    ('accepted', 'user has more values|unique element|unrecognized name .* of object|springyield'),
    ('refused', 'required, not 0'),
)
"""Verdicts and patterns of reasons that docs/mjcf.md explains."""
_SILENT = ('info',)


class Result(NamedTuple):
    """One file beside MuJoCo; ``verdict`` is same, refused, accepted, different or not written."""

    verdict: str
    is_accepted: bool
    reason: str = ''


def _ask_here(module: str, request: Any) -> Any:
    """Answer in this process: a process for each file takes too long."""
    return import_module(module).answer(request)


def compare(text: str, directory: Path) -> Result:
    """Return what MuJoCo and the project make of a file in a directory."""
    import mujoco
    file = directory / 'robot.xml'
    file.write_text(text)
    refused = ''
    try:
        mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        refused = ' '.join(str(error).split())
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
    said = [one.code for one in (*loaded.report, *report) if one.severity not in _SILENT]
    differences = [one for one in answer['differences'] if 'nan in the source' not in one]
    if differences and not said:
        return Result('different', True, '; '.join(differences[:3]))
    return Result('same', True)


def is_known(result: Result) -> bool:
    """Return whether the documentation explains a difference."""
    return result.verdict == 'same' or any(
        verdict == result.verdict and re.search(pattern, result.reason)
        for verdict, pattern in KNOWN)


def run(files: int, seed: int) -> tuple[list[tuple[str, Result]], Generator, int]:
    """Return the files that differ, the generator with its counts, and how many are accepted."""
    generator, found, accepted = Generator(seed), [], 0
    with TemporaryDirectory() as name:
        directory = Path(name)
        write_files(directory)
        for _ in range(files):
            text, added = generator.next()
            result = compare(text, directory)
            if result.is_accepted:
                accepted += 1
                generator.counts.update(added)
            if not is_known(result):
                found.append((text, result))
    return found, generator, accepted


def _added(text: str) -> list[str]:
    """Return the tags of a file that the robot of each file does not have."""
    tags = re.findall(r'<[^/][^>]*>', text)
    return [tag for tag in tags if tag.replace(' />', '/>') not in ROBOT.replace('\n', ' ')]


def main() -> None:
    """Print the differences by kind, and what was in few accepted files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--files', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', type=Path)
    arguments = parser.parse_args()
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


if __name__ == '__main__':
    main()
