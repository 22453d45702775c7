# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf check``: what is wrong with descriptions."""

from __future__ import annotations

import argparse

from hrdf_ros.cli.loading import load_posed
from hrdf_ros.cli.options import add_load_options, add_position_options
from hrdf_ros.cli.show import show, summary
from hrdf_ros.diagnostics import Diagnostic, printable, Report
from hrdf_ros.load import LoadResult
from hrdf_ros.model import contents

_DESCRIPTION = """\
Validate descriptions: syntax, the rules of the format and its version,
includes, and whether the robot makes sense (inertia, limits, axes, loops,
meshes). Every finding has a place and a code; docs/diagnostics.md explains the
codes."""
_EPILOG = """\
examples:
  hrdf check arm.hrdf
  hrdf check --strict robots/*.sdf    warnings are errors too
  hrdf check --json arm.urdf          for programs; docs/schema has its schema

Findings go to standard error, one verdict for each file to standard output."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the verb and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument('files', metavar='FILE', nargs='+', help='a description in any format')
    parser.add_argument('--strict', action='store_true', help='take warnings for errors')
    parser.add_argument(
        '--json', action='store_true', help='write all findings as JSON, and nothing else')
    add_position_options(parser)
    add_load_options(parser)


def run(options: argparse.Namespace) -> int:
    """Check every file and return 1 where one has errors."""
    ok = True
    findings: list[Diagnostic] = []
    for file in options.files:
        loaded = load_posed(file, options)
        report = loaded.report.strict() if options.strict else loaded.report
        ok = ok and report.ok
        if options.json:
            findings.extend(report)
        else:
            show(report, least='info')
            print(f'{printable(file)}: {_verdict(loaded, report)}')
    if options.json:
        _print_json(options.files, ok, findings)
    return 0 if ok else 1


def _verdict(loaded: LoadResult, report: Report) -> str:
    findings = summary(report)
    if not report.ok or loaded.model is None:
        return findings
    return f'ok: {contents(loaded.model)}' + (f' ({findings})' if findings else '')


def _print_json(files: list[str], ok: bool, findings: list[Diagnostic]) -> None:
    from hrdf_ros.cli.json_output import finding, render  # json, which only this needs
    print(render({
        'ok': ok, 'files': list(files),
        'diagnostics': [finding(found) for found in findings]}))
