# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
``hrdf convert --verify``: read a result again, and load it in the program that it is for.

Differences are printed. A message names each program that is missing; that is not a failure.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shutil import which
import subprocess
import sys
from tempfile import TemporaryDirectory
from typing import NamedTuple, Optional, TYPE_CHECKING

from hrdf_ros.cli.conversion import Conversion
from hrdf_ros.cli.mujoco import is_verified_by_mujoco
from hrdf_ros.cli.output import say
from hrdf_ros.listing import count_of
from hrdf_ros.load import load
from hrdf_ros.model import Model
from hrdf_ros.writers.files import Written

if TYPE_CHECKING:
    from hrdf_ros.diff import Largest

_LIBSDFORMAT = """
import importlib, sys
del sys.path[0]  # nothing is imported from the working directory
for name in ('sdformat16', 'sdformat15', 'sdformat14', 'sdformat13', 'sdformat'):
    try:
        found = importlib.import_module(name)
        if hasattr(found, 'SDF_VERSION'):  # sdformat on PyPI is another program
            break
    except ImportError:
        pass
else:
    sys.exit(3)
try:
    found.Root().load(sys.argv[1])
except Exception as error:
    sys.exit(str(error))
"""
_NOT_INSTALLED = 3
"""The exit status of ``_LIBSDFORMAT`` if Python has no libsdformat."""
_TOO_OLD = ('is newer than this sdf parser', 'Unable to convert from SDF version')
"""Parts of libsdformat's messages about a version that it does not know."""
_SECONDS = 60.0
"""The time in seconds that the other program may take to load the result."""
_VERIFIED = 1e-9
"""The largest difference, in meters, kilograms or kg m^2, that counts as rounding."""
_ADDED_MASS = 1e-8
"""``_VERIFIED`` for MJCF, in which moving links without mass get a small mass."""


def verify(model: Model, written: Written, conversion: Conversion) -> bool:
    """Return whether a text, read again, means the same as the Model; print the differences."""
    from hrdf_ros.diff import agreement, renamed_in
    options, to = conversion.reading.options, conversion.to
    again = load(
        written.text, path=options.path, packages=options.packages, limits=options.limits,
        placeholders=True).model
    if again is None:
        say('not verified: the result cannot be read', sys.stderr)
        return False
    lowered = written.lowered
    try:
        found = agreement(model, again, {} if lowered is None else renamed_in(model, lowered))
    except OverflowError as error:
        say(f'not verified: {error}', sys.stderr)
        return False
    holds = found.holds(_ADDED_MASS if to == 'mjcf' else _VERIFIED)
    missing = f', {len(found.missing)} are missing' if found.missing else ''
    say(
        f'{"verified" if holds else "not verified"}: {count_of(found.frames, "frame")} in '
        f'{found.configurations} configurations, {count_of(found.links, "link")}{missing}; '
        f'largest differences {_text(found.pose, "m or rad")}, {_text(found.mass, "kg")}, '
        f'{_text(found.inertia, "kg m^2")}', sys.stderr)
    if not holds:
        return False
    if to == 'mjcf':
        return is_verified_by_mujoco(model, again, written, conversion)
    return _is_accepted(written.text, to, _PROGRAMS[to])


def _text(largest: Largest, unit: str) -> str:
    return f'{largest.value:.2g} {unit}' + (f" ('{largest.name}')" if largest.name else '')


# ---- the programs that read URDF and SDFormat

class _Verdict(NamedTuple):
    """The answer of a program about a file; ``is_accepted`` is None if it is not installed."""

    is_accepted: Optional[bool]
    lines: Sequence[str] = ()


def _is_accepted(text: str, suffix: str, programs: Sequence[tuple[str, Sequence[str]]]) -> bool:
    """Return whether the first installed program accepts a text; print its answer."""
    reasons = []
    with TemporaryDirectory() as directory:
        file = Path(directory, f'robot.{suffix}')
        file.write_text(text, encoding='utf-8')
        for name, command in programs:
            verdict = _verdict_of(command, file)
            if verdict.is_accepted is not None:
                say(f'{"accepted" if verdict.is_accepted else "refused"} by {name}', sys.stderr)
                for line in verdict.lines:
                    say(line, sys.stderr)
                return verdict.is_accepted
            reasons += [f'not verified by {name}: {line}' for line in verdict.lines]
    for reason in reasons:
        say(reason, sys.stderr)
    return True


def _verdict_of(command: Sequence[str], file: Path) -> _Verdict:
    if which(command[0]) is None:
        return _Verdict(None, ['it is not installed'])
    try:
        found = subprocess.run(
            [*command, file], capture_output=True, text=True, errors='replace',
            timeout=_SECONDS, check=False, cwd=file.parent)
    except (OSError, subprocess.TimeoutExpired) as error:
        return _Verdict(None, [str(error)])
    if found.returncode == _NOT_INSTALLED:
        return _Verdict(None, ['it is not installed'])
    if any(text in found.stderr for text in _TOO_OLD):  # libsdformat says "Valid." even so
        return _Verdict(None, ['it is too old for this version of SDFormat'])
    if found.returncode == 0:
        return _Verdict(True)
    return _Verdict(False, found.stderr.splitlines())


_PROGRAMS = {
    'urdf': (('check_urdf', ('check_urdf',)),),
    'sdf': (
        ('libsdformat', (sys.executable, '-c', _LIBSDFORMAT)),
        ('gz sdf --check', ('gz', 'sdf', '--check')),
        ('ign sdf --check', ('ign', 'sdf', '--check')))}
"""The programs that read a target as its consumers do, with their names, the best first."""
