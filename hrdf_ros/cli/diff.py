# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf diff``: compare the meaning of two descriptions."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from math import inf
from typing import NamedTuple, Optional, TYPE_CHECKING

from hrdf_ros.cli.loading import READING, reading_of, refuse_without_effect
from hrdf_ros.cli.options import command, Option, valid
from hrdf_ros.cli.output import errors_as, say, unknown, UsageError
from hrdf_ros.cli.revisions import show_left_out, Side, side_of
from hrdf_ros.revisions import RevisionError, staged

if TYPE_CHECKING:
    from hrdf_ros.diff import Difference


_GROUPS = ('kinematics', 'inertia', 'shapes', 'names')


class _Comparison(NamedTuple):
    """
    A request that says what is compared, and how differences are shown.

    ``tolerance`` is how far numbers may differ, in meters, radians and kilograms.
    """

    tolerance: float
    only: Sequence[str]
    leaves_out_new: bool
    is_json: bool


def _groups(text: str) -> tuple[str, ...]:
    found = tuple(name.strip() for name in text.split(','))
    for name in found:
        if name not in _GROUPS:
            raise argparse.ArgumentTypeError(unknown('group', name, _GROUPS))
    return found


@command(
    Option('[A]', 'a description in any format, - for standard input, or REV:PATH'),
    Option('[B]', 'another'),
    Option('--staged FILE', 'compare a file of the last commit with the one in the index of git'),
    Option(
        '--tolerance T',
        'how far numbers may differ: meters, radians, kilograms (default 1e-9)',
        valid(lambda text: value if 0.0 <= (value := float(text)) < inf else None,
              'a number from 0 up'),
        1e-9),
    Option(
        '--common', 'compare items of both only: a URDF has no frames but links, SDFormat has '
        'them all'),
    Option(
        '--only GROUP,...', 'compare only these: kinematics, inertia, shapes, names', _groups,
        _GROUPS),
    Option('--json', 'write the differences as JSON, and nothing else'), READING,
    usage='hrdf diff [OPTION...] (A B | --staged FILE)')
def hrdf_diff(options: argparse.Namespace) -> int:
    """
    Compare the meaning of two descriptions, in any formats.

    Frames and their poses, joints and their motions, limits, masses and inertias,
    shapes and materials are compared by names and numbers, not by the way they are
    written. An item that only has another name is one line.

    REV:PATH, where no file has this name, is a file of a revision of git, with the
    includes, packages, settings and meshes of this revision.

    for example:
      hrdf diff arm.hrdf arm.urdf                 did the conversion keep everything
      hrdf diff arm.hrdf arm.urdf --common        is what it kept the same
      hrdf diff old.sdf new.sdf --tolerance 1e-4
      hrdf diff old.sdf new.sdf --only inertia,shapes
      hrdf diff old.sdf new.sdf --json            see hrdf schema diff
      hrdf diff HEAD~3:urdf/arm.urdf.xacro urdf/arm.urdf.xacro tool:=true
      hrdf diff --staged urdf/arm.urdf            what the next commit changes

    Exit status: 0 the same, 1 different, 2 a file cannot be read, or wrong usage.
    """
    comparison = _Comparison(
        tolerance=options.tolerance, only=options.only, leaves_out_new=options.common,
        is_json=options.json)
    names, reading = _names(options.a, options.b, options.staged), reading_of(options)
    with ExitStack() as closing:
        return _compare([side_of(name, reading, closing) for name in names], comparison)


def _names(
    first: Optional[str], second: Optional[str], staged_file: Optional[str],
) -> tuple[str, str]:
    """Return the names of the two descriptions, which for ``--staged`` are two revisions."""
    if staged_file is None and first is not None and second is not None:
        return first, second
    if staged_file is None or first is not None:
        raise UsageError('give A and B, or --staged FILE')
    with errors_as(UsageError, RevisionError, source=staged_file):
        return staged(staged_file)


def _compare(sides: list[Side], comparison: _Comparison) -> int:
    loaded = [side.load() for side in sides]
    models = [one.model for one in loaded if one.model is not None]
    differences: list[Difference] = []
    if is_read := len(models) == len(sides):
        refuse_without_effect(sides[0].reading.options, {model.format for model in models})
        from hrdf_ros.diff import diff_models  # imports numpy
        with errors_as(UsageError, OverflowError):
            found = diff_models(
                *models, tolerance=comparison.tolerance, only=comparison.only)
        differences = [one for one in found if not (
            comparison.leaves_out_new and one.is_of_one)]
    show_left_out(sides, loaded)
    if comparison.is_json:
        from hrdf_ros.cli.report_formats import diagnostic_json, render
        print(render({
            'equal': is_read and not differences, 'files': [side.name for side in sides],
            'differences': [one._asdict() for one in differences],
            'diagnostics': [
                side.readable(diagnostic_json(one, side.name))
                for side, result in zip(sides, loaded) for one in result.report]}))
    else:
        for side, result in zip(sides, loaded):
            side.show(result, 'error')
        for one in differences:
            say(str(one))
    return (1 if differences else 0) if is_read else 2
