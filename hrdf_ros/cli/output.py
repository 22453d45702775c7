# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Results of commands that write a file, or to standard output."""

from __future__ import annotations

import argparse
from collections.abc import Collection
import os
import sys

from hrdf_ros.cli.usage import UsageError
from hrdf_ros.diagnostics import printable
from hrdf_ros.file_writer import replace_file

STANDARD_OUTPUT = '-'


def add_output_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the file to write."""
    parser.add_argument(
        '-o', '--output', metavar='OUT', default=STANDARD_OUTPUT,
        help='write to this file (default -, standard output)')


def check_output(options: argparse.Namespace) -> None:
    """Raise a UsageError where OUT is not the name of a file."""
    if not os.path.basename(options.output):
        raise UsageError(f"-o: '{options.output}' is not the name of a file")


def refuse_to_replace_a_source(out: str, files: Collection[str]) -> None:
    """Raise a UsageError where a file to be written is one of those that were read."""
    if out != STANDARD_OUTPUT and os.path.realpath(out) in map(os.path.realpath, files):
        raise UsageError(
            f'-o: {out} is a source of this conversion and would be lost; name another file')


def write_output(text: str, options: argparse.Namespace) -> None:
    """
    Write a text, in UTF-8, to OUT, which is replaced in one step, or to standard output.

    A terminal gets no control characters.
    """
    if options.output != STANDARD_OUTPUT:
        replace_file(options.output, text.encode('utf-8'))
        return
    write_bytes(for_terminal(text).encode('utf-8'))


def for_terminal(text: str) -> str:
    """Return a text without control characters where standard output is a terminal."""
    if not sys.stdout.isatty():
        return text
    return '\n'.join('\t'.join(map(printable, line.split('\t'))) for line in text.split('\n'))


def write_bytes(data: bytes) -> None:
    """Write all of it to standard output, behind what was printed before."""
    sys.stdout.flush()
    rest = memoryview(data)
    while rest:  # an unbuffered stream may take a part only
        rest = rest[sys.stdout.buffer.write(rest):]
    sys.stdout.buffer.flush()
