# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf format``: indent elements, space attributes, and change nothing else."""

from __future__ import annotations

import argparse
from hashlib import sha256
import os
import sys
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.cli import output
from hrdf_ros.cli.canonical import canonical
from hrdf_ros.cli.loading import COLOR, display_of, limits_of, RESOURCE_LIMIT
from hrdf_ros.cli.options import command, Option
from hrdf_ros.cli.robot_files import files_to_format
from hrdf_ros.cli.text_diff import unified
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import SourceFile
from hrdf_ros.document.formatter import formatted
from hrdf_ros.document.prolog import encoding_of
from hrdf_ros.file_writer import replace_file, write_below
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.listing import count_of
from hrdf_ros.resolve import Resolver


class _Job(NamedTuple):
    """
    A request that says what is done with each file.

    With ``checks`` or ``shows_diff`` nothing is written. ``is_canonical`` says whether attributes
    are also ordered and numbers shortened.
    """

    checks: bool
    shows_diff: bool
    is_canonical: bool
    limits: ResourceLimits
    display: output.Display

    @property
    def is_read_only(self) -> bool:
        """Whether no file is written."""
        return self.checks or self.shows_diff


@command(
    Option('FILE...', 'a description, a directory of them, or - for standard input'),
    Option('--check', 'write nothing; end with status 1 where a file would change'),
    Option('--diff', 'write nothing; show what would change, with the status of --check'),
    Option(
        '--canonical', 'put attributes in the order of the schema and write the shortest exact '
        'numbers too'),
    RESOURCE_LIMIT, COLOR)
def hrdf_format(options: argparse.Namespace) -> int:
    """
    Reformat files: only the white space in and between elements changes.

    Each element is on a line of its own, two spaces deeper than the one around it,
    up to 32 levels, with one space between attributes. Comments, CDATA, texts,
    attribute values, line endings and encoding stay. A file that is not well-formed
    is refused. Symbolic links in a directory are ignored.

    for example:
      hrdf format arm.hrdf
      hrdf format robots                  every robot file below a directory
      hrdf format --check robots          for CI: status 1 where a file would change
      hrdf format --diff arm.urdf         show what would change
      hrdf format --canonical robots      the same robot, always the same text
      generate | hrdf format -            standard input to standard output
    """
    job = _Job(
        options.check, options.diff, options.canonical, limits_of(options), display_of(options))
    counts = {'reformatted': 0, 'unchanged': 0, 'refused': 0}
    for name in options.files:
        directory = name if os.path.isdir(name) else None
        for file in files_to_format(name):
            if directory is None or not os.path.islink(file):
                counts[_format(file, directory, job)] += 1
    would = 'would be ' if job.is_read_only else ''
    parts = [
        f'{count_of(count, "file")} {would if kind == "reformatted" else ""}{kind}'
        for kind, count in counts.items() if count]
    print(', '.join(parts) or 'no files', file=sys.stderr)
    return 1 if counts['refused'] or job.is_read_only and counts['reformatted'] else 0


def _format(file: str, directory: Optional[str], job: _Job) -> str:
    """Format a file, which was named or found in a directory; return the result."""
    report = Report()
    source = _read(file, job.limits, report)
    write = canonical if job.is_canonical else formatted
    after = None if source is None else write(source, report)
    output.show(report, job.display)
    if source is None:
        return 'refused'
    if file == output.STANDARD_STREAM and not job.is_read_only:
        data = source.data if after is None else after
        if sys.stdout.isatty():
            text = data.decode(encoding_of(source).name, 'replace')
            data = output.for_terminal(text).encode('utf-8')
        output.write_bytes(data)
    if after is None or after == source.data:
        return 'refused' if after is None else 'unchanged'
    if job.shows_diff:
        sys.stdout.writelines(unified(source, after))
    elif job.checks:
        output.say(f'would reformat {file}')
    elif file != output.STANDARD_STREAM:
        if directory is None:
            replace_file(file, after)
        else:  # no symbolic link leads out of the directory
            write_below(
                directory, os.path.relpath(file, directory), after,
                digests=(sha256(source.data).hexdigest(),))
        output.say(f'reformatted {file}')
    return 'reformatted'


def _read(file: str, limits: ResourceLimits, report: Report) -> Optional[SourceFile]:
    if file != output.STANDARD_STREAM:
        return Resolver(limits=limits).read(file, report)
    most = limits.file_bytes
    data = sys.stdin.buffer.read(most + 1)
    if len(data) > most:
        report.add(
            codes.FILE_TOO_LARGE, f'standard input is larger than {most} bytes', Location(file))
        return None
    return SourceFile(file, data, limits=limits)
