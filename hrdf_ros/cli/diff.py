# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf diff``: whether two descriptions mean the same."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hrdf_ros.cli.options import add_load_options, finite_number, load_file, refuse_without_effect
from hrdf_ros.cli.show import show
from hrdf_ros.cli.usage import UsageError
from hrdf_ros.diagnostics import printable
from hrdf_ros.load_result import LoadResult

if TYPE_CHECKING:
    from hrdf_ros.diff import Difference

_DESCRIPTION = """\
Compare the meaning of two descriptions, in any formats: frames and their
poses, joints and their motions, limits, masses, inertias. Names and numbers
are compared, not the way they are written."""
_EPILOG = """\
examples:
  hrdf diff arm.hrdf arm.urdf                 did the conversion keep everything
  hrdf diff arm.hrdf arm.urdf --common        is what it kept the same
  hrdf diff old.sdf new.sdf --tolerance 1e-4
  hrdf diff old.sdf new.sdf --json            see hrdf schema diff

Exit status: 0 the same, 1 different, 2 a file cannot be read, or wrong usage."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument(
        'first', metavar='A', help='a description in any format, - for standard input')
    parser.add_argument('second', metavar='B', help='another')
    parser.add_argument(
        '--tolerance', metavar='T', type=finite_number, default=1e-9,
        help='how far numbers may differ: meters, radians, kilograms (default 1e-9)')
    parser.add_argument(
        '--common', action='store_true',
        help='compare items of both only: a URDF has no frames but links, SDFormat has them all')
    parser.add_argument(
        '--json', action='store_true', help='write the differences as JSON, and nothing else')
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Show the differences; return 1 where there are some, 2 where a file cannot be read."""
    first, second = (load_file(file, options) for file in (options.first, options.second))
    differences: list[Difference] = []
    is_read = first.model is not None and second.model is not None
    if first.model is not None and second.model is not None:
        refuse_without_effect(options, {first.model.format, second.model.format})
        from hrdf_ros.diff import diff_models  # compares poses, with numpy
        try:
            found = diff_models(first.model, second.model, tolerance=options.tolerance)
        except OverflowError as error:
            raise UsageError(str(error)) from None
        differences = [one for one in found if not (options.common and one.is_of_one)]
    if options.json:
        _print_json(options, (first, second), differences, equal=is_read and not differences)
    else:
        show((*first.report, *second.report), options, least='error')
        for one in differences:
            print(printable(f'{one.what} {one.name}: {one.a} -> {one.b}'))
    return (1 if differences else 0) if is_read else 2


def _print_json(
    options: argparse.Namespace, loaded: tuple[LoadResult, LoadResult],
    differences: list[Difference], *, equal: bool,
) -> None:
    from hrdf_ros.cli.report_formats import diagnostic_json, render  # json, which only this needs
    files = [options.first, options.second]
    print(render({
        'equal': equal, 'files': files,
        'differences': [
            {'what': found.what, 'name': found.name, 'a': found.a, 'b': found.b}
            for found in differences],
        'diagnostics': [
            diagnostic_json(found, file) for file, result in zip(files, loaded)
            for found in result.report]}))
