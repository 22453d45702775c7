# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf diff``: two descriptions compared by their meaning."""

from __future__ import annotations

import argparse
from math import inf
from typing import TYPE_CHECKING

from hrdf_ros.cli.loading import READING, reading_of, refuse_without_effect
from hrdf_ros.cli.options import command, Option, valid
from hrdf_ros.cli.output import errors_as, say, show, UsageError

if TYPE_CHECKING:
    from hrdf_ros.diff import Difference


@command(
    Option('A', 'a description in any format, - for standard input'), Option('B', 'another'),
    Option(
        '--tolerance T',
        'how far numbers may differ: meters, radians, kilograms (default 1e-9)',
        valid(lambda text: value if 0.0 <= (value := float(text)) < inf else None,
              'a number from 0 up'),
        1e-9),
    Option(
        '--common', 'compare items of both only: a URDF has no frames but links, SDFormat has '
        'them all'),
    Option('--json', 'write the differences as JSON, and nothing else'), READING)
def hrdf_diff(options: argparse.Namespace) -> int:
    """
    Compare the meaning of two descriptions, in any formats.

    Frames and their poses, joints and their motions, limits, masses and inertias
    are compared by names and numbers, not by the way they are written.

    for example:
      hrdf diff arm.hrdf arm.urdf                 did the conversion keep everything
      hrdf diff arm.hrdf arm.urdf --common        is what it kept the same
      hrdf diff old.sdf new.sdf --tolerance 1e-4
      hrdf diff old.sdf new.sdf --json            see hrdf schema diff

    Exit status: 0 the same, 1 different, 2 a file cannot be read, or wrong usage.
    """
    files, reading = [options.a, options.b], reading_of(options)
    loaded = [reading.load(file) for file in files]
    models = [one.model for one in loaded if one.model is not None]
    differences: list[Difference] = []
    if is_read := len(models) == len(files):
        refuse_without_effect(reading.options, {model.format for model in models})
        from hrdf_ros.diff import diff_models  # compares poses, with numpy
        with errors_as(UsageError, OverflowError):
            found = diff_models(*models, tolerance=options.tolerance)
        differences = [one for one in found if not (options.common and one.is_of_one)]
    if options.json:
        from hrdf_ros.cli.report_formats import diagnostic_json, render
        print(render({
            'equal': is_read and not differences, 'files': files,
            'differences': [one._asdict() for one in differences],
            'diagnostics': [
                diagnostic_json(one, file) for file, result in zip(files, loaded)
                for one in result.report]}))
    else:
        show([one for result in loaded for one in result.report], reading.display, least='error')
        for one in differences:
            say(f'{one.what} {one.name}: {one.a} -> {one.b}')
    return (1 if differences else 0) if is_read else 2
