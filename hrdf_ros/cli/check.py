# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf check``: what is wrong with descriptions."""

from __future__ import annotations

import argparse
import sys

from hrdf_ros.cli.checking import check_files, Checked
from hrdf_ros.cli.options import add_load_options, whole_number
from hrdf_ros.cli.show import summary
from hrdf_ros.cli.usage import unknown
from hrdf_ros.codes import CODES
from hrdf_ros.diagnostics import printable, Report

_DESCRIPTION = """\
Validate descriptions: syntax, the rules of the format and its version,
includes, and whether the robot makes sense (inertia, limits, axes, loops,
meshes). Every diagnostic has a location and a code; `hrdf explain CODE`
explains it."""
_EPILOG = """\
examples:
  hrdf check arm.hrdf
  hrdf check robots                   every robot file below a directory
  hrdf check --strict robots/*.sdf    warnings are errors too
  hrdf check --json arm.urdf          for programs; see hrdf schema check
  generate | hrdf check -             standard input

Diagnostics go to standard error, one verdict for each file to standard output.
Defaults may be set in pyproject.toml, [tool.hrdf], or in .hrdf.toml."""
FORMATS = ('text', 'json', 'github', 'sarif', 'junit')


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument(
        'files', metavar='FILE', nargs='+',
        help='a description in any format, a directory of them, or - for standard input')
    parser.add_argument('--strict', action='store_true', help='treat warnings as errors')
    parser.add_argument(
        '--quiet', action='store_true', help='report errors only, and only files that have some')
    add_filter_options(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        '--format', choices=FORMATS, default='text', help='how to write the diagnostics')
    output.add_argument(
        '--json', dest='format', action='store_const', const='json', help='as --format json')
    parser.add_argument(
        '--jobs', metavar='N', type=whole_number, default=0,
        help='processes for several files (default: one for each processor)')
    add_load_options(parser)


def add_filter_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which diagnostics are reported."""
    for name, does in (('ignore', 'do not report'), ('select', 'report only')):
        action = parser.add_argument(
            f'--{name}', metavar='CODE', action='extend', default=[], type=_codes,
            help=f'{does} this code; repeatable, or separated by commas')
        action.completer = _complete_codes  # type: ignore[attr-defined]  # argcomplete's way


def _codes(text: str) -> list[str]:
    names = [name.strip() for name in text.split(',')]
    for name in names:
        if name not in CODES:
            raise argparse.ArgumentTypeError(unknown('code', name, CODES))
    return names


def _complete_codes(**_: object) -> list[str]:
    return list(CODES)


def run(options: argparse.Namespace) -> int:
    """Check every file and return 1 where one has errors."""
    checked: list[Checked] = []
    for result in check_files(options):
        checked.append(result)
        if options.format == 'text':
            _show(result, options)
    if options.format == 'text':
        if len(checked) > len(options.files) or any(one.is_below for one in checked):
            print(_closing_line(checked))
    else:
        from hrdf_ros.cli import report_formats  # json, which text output does without
        text = report_formats.WRITERS[options.format](checked)
        if text:
            print(text)
    return 0 if all(one.report.ok for one in checked) else 1


def _show(checked: Checked, options: argparse.Namespace) -> None:
    for line in checked.lines:
        print(line, file=sys.stderr)
    if not (options.quiet and checked.report.ok):
        print(f'{printable(checked.file)}: {_verdict(checked)}')


def _verdict(checked: Checked) -> str:
    counts = summary(checked.report)
    if not checked.report.ok:
        return counts
    return f'ok: {checked.contents}' + (f' ({counts})' if counts else '')


def _closing_line(checked: list[Checked]) -> str:
    everything = Report()
    everything.diagnostics = [found for one in checked for found in one.report]
    counts = summary(everything)
    files = f'{len(checked)} file' + ('' if len(checked) == 1 else 's')
    return f'{files}: {"ok" if everything.ok else "not ok"}' + (f' ({counts})' if counts else '')
