# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf diff``: do two descriptions mean the same."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hrdf_ros.cli.loading import load_posed
from hrdf_ros.cli.options import add_load_options, add_position_options, finite_number
from hrdf_ros.cli.show import show
from hrdf_ros.diagnostics import Diagnostic, printable

if TYPE_CHECKING:
    from hrdf_ros.diff import Difference

_DESCRIPTION = """\
Compare two descriptions, in any formats, by what they mean: frames and where
they are, joints and how they move, limits, masses, inertias. Names and numbers
count, the way they are written does not."""
_EPILOG = """\
examples:
  hrdf diff arm.hrdf arm.urdf                 did the conversion keep everything
  hrdf diff arm.hrdf arm.urdf --common        is what it kept the same
  hrdf diff old.sdf new.sdf --tolerance 1e-4
  hrdf diff old.sdf new.sdf --json            docs/schema has its schema

Exit status: 0 the same, 1 different or a file with errors, 2 usage."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the verb and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument('first', metavar='A', help='a description in any format')
    parser.add_argument('second', metavar='B', help='another')
    parser.add_argument(
        '--tolerance', metavar='T', type=finite_number, default=1e-9,
        help='how far numbers may differ: metres, radians, kilograms (default 1e-9)')
    parser.add_argument(
        '--common', action='store_true',
        help='compare what both have: a URDF has no frames but links, SDFormat has them all')
    parser.add_argument(
        '--json', action='store_true', help='write the differences as JSON, and nothing else')
    add_position_options(parser)
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Show the differences and return 1 where there are some, or a file has errors."""
    first, second = (load_posed(file, options) for file in (options.first, options.second))
    differences: list[Difference] = []
    if first.model is not None and second.model is not None:
        from hrdf_ros.diff import diff_models  # compares poses, with numpy
        differences = [
            found for found in diff_models(
                first.model, second.model, tolerance=options.tolerance)
            if not (options.common and found.is_of_one)]
    equal = first.report.ok and second.report.ok and not differences
    if options.json:
        _print_json(options, equal, differences, [*first.report, *second.report])
    else:
        show(first.report, least='error')
        show(second.report, least='error')
        for found in differences:
            print(printable(f'{found.what} {found.name}: {found.a} -> {found.b}'))
    return 0 if equal else 1


def _print_json(
    options: argparse.Namespace, equal: bool, differences: list[Difference],
    findings: list[Diagnostic],
) -> None:
    from hrdf_ros.cli.json_output import finding, render  # json, which only this needs
    print(render({
        'equal': equal, 'files': [options.first, options.second],
        'differences': [
            {'what': found.what, 'name': found.name, 'a': found.a, 'b': found.b}
            for found in differences],
        'diagnostics': [finding(found) for found in findings]}))
