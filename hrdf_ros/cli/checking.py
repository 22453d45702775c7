# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Checks files, several of them in parallel."""

import argparse
from collections.abc import Iterator
from functools import partial
import os
import sys
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.cli.loading import load_file, refuse_without_effect, STANDARD_INPUT
from hrdf_ros.cli.show import at_least, lines, Style
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import contents
from hrdf_ros.readers.registry import FORMATS

_FEW = 4
"""Files that are checked sooner than processes are started."""


class Checked(NamedTuple):
    """
    The result of one file: its report as the options have it, and the lines that show it.

    ``contents`` says what the model contains, if there is one; ``is_below`` that the file was
    found in a directory.
    """

    file: str
    report: Report
    contents: str
    lines: tuple[str, ...]
    format: Optional[str]
    is_below: bool


class _File(NamedTuple):
    """A file to check, and whether it was found in a directory."""

    name: str
    is_below: bool = False


def check_files(options: argparse.Namespace) -> Iterator[Checked]:
    """Yield the result of each file, in order."""
    files = [file for name in options.files for file in _expand(name)]
    jobs = min(options.jobs or os.cpu_count() or 1, len(files))
    if STANDARD_INPUT in options.files:
        jobs = 1  # other processes do not have it
    check = partial(_check, options=options)
    results: list[Checked] = []
    if jobs < 2 or len(files) < _FEW and not options.jobs:
        for result in map(check, files):
            results.append(result)
            yield result
    else:
        from multiprocessing import get_context  # costs more than checking some files
        with get_context('fork').Pool(jobs) as pool:
            for result in pool.imap(check, files, chunksize=1):
                results.append(result)
                yield result
    refuse_without_effect(options, {result.format for result in results if result.format})


def _expand(name: str) -> Iterator[_File]:
    """Yield a file itself, of a directory the robot files below it."""
    is_below = os.path.isdir(name)
    found = False
    # those of xacro are programs, which only run when they are named
    for file in robot_files(name, with_xacro=False):
        found = True
        yield _File(file, is_below)
    if not found:
        yield _File(name, True)


def robot_files(name: str, *, with_xacro: bool) -> Iterator[str]:
    """Yield a file itself, of a directory the robot files below it."""
    if not os.path.isdir(name):
        yield name
        return
    suffixes = {suffix for one in FORMATS for suffix in one.suffixes}
    if not with_xacro:
        suffixes.discard('.xacro')
    for directory, below, files in os.walk(name):
        below[:] = sorted(one for one in below if not one.startswith('.'))
        for file in sorted(files):
            if os.path.splitext(file)[1].lower() in suffixes:
                yield os.path.join(directory, file)


def _check(file: _File, options: argparse.Namespace) -> Checked:
    if os.path.isdir(file.name):
        report = Report()
        report.add(
            codes.FILE_NOT_FOUND, 'there are no robot files below this directory',
            Location(file.name))
        loaded = LoadResult(None, report, ())
    else:
        loaded = load_file(file.name, options)
    model, report = loaded.model, _filtered(loaded.report, options)
    return Checked(
        file=file.name, report=report,
        contents='nothing loaded' if model is None else contents(model),
        lines=tuple(lines(report, Style(sys.stderr, options.color))),
        format=None if model is None else model.format, is_below=file.is_below)


def _filtered(report: Report, options: argparse.Namespace) -> Report:
    """Return the diagnostics that the options select, as severe as they say."""
    result = Report()
    result.diagnostics = [
        found for found in report
        if found.code not in options.ignore
        and (not options.select or found.code in options.select)]
    if options.strict:
        result = result.strict()
    if options.quiet:
        result.diagnostics = list(at_least(result, 'error'))
    return result
