# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Expand xacro files with the ``xacro`` library in a separate process.

A xacro file is a program: expanding it runs Python code that it contains and reads the files that
it names. So only the file that the user names is expanded, and only within limits of time and
memory.
"""

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from importlib import import_module
import os
import re
import sys
from typing import Any, NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Location, Report, Suggestion
from hrdf_ros.document import SourceFile, XmlElement
from hrdf_ros.parsing.suggestions import closest, one_of
from hrdf_ros.readers.api import Context

SECONDS = 30
"""Seconds of CPU time that expanding one file may take; it may take twice as much real time."""

MEMORY = 1 << 30
"""Bytes of address space that expanding one file may take."""

_CALLS = 8
"""The innermost calls of macros that a location names, besides the outermost one."""

_NO_VALUE = re.compile(r'^Undefined substitution argument (\S+)')
_NO_FILE = re.compile(r'^No such file or directory: (\S+)')
_MARKUP = (b'<xacro:', b'${', b'$(')
_BESIDE_LINKS = {'gazebo', 'material', 'ros2_control', 'transmission'}
_LIBRARY = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
"""The directory that has this package."""
_PROGRAM = os.path.join(os.path.dirname(__file__), 'xacro_process.py')


def expand(source: SourceFile, context: Context, report: Report) -> Optional[SourceFile]:
    """Return a source, expanded if it is a xacro file, or None with the reason in the report."""
    if source.included_from is None and source.file == context.xacro_file:
        if context.resolver.roots is None:
            return _expanded(source, context, report)
    elif not source.file.lower().endswith('.xacro'):
        return source
    report.add(
        codes.XACRO_REFUSED, 'this xacro file is not expanded: that would run code that it '
        'contains', source.included_from or Location(source.file, 1, 1),
        hint='if you trust the file, expand it with: xacro FILE > robot.urdf')
    return None


def report_markup(root: XmlElement, source: SourceFile, report: Report) -> None:
    """Report the first use of xacro in a file that is not expanded."""
    if not any(mark in source.data for mark in _MARKUP):
        return
    for element in root.walk():
        name = next((
            name for name, value in element.attributes.items() if '${' in value or '$(' in value),
            None)
        if name is not None or element.tag.startswith('xacro:'):
            report.add(
                codes.XACRO_MARKUP, 'this is xacro, which is not expanded here',
                element.location if name is None else element.attribute_location(name),
                hint='if you trust the file, name it .xacro or use --xacro')
            return


def defines_macros_only(root: XmlElement, source: SourceFile, report: Report) -> bool:
    """Return whether a xacro file only defines macros for other files; report it if so."""
    is_part = (
        root.document.source_map is not None and b'<xacro:' in source.data
        and {child.tag for child in root.children} <= _BESIDE_LINKS)
    if is_part:
        report.add(
            codes.MISSING_ELEMENT,
            'this xacro file expands to no <link>: it only defines macros or properties',
            root.location, hint='expand the xacro file that includes it')
    return is_part


def _expanded(source: SourceFile, context: Context, report: Report) -> Optional[SourceFile]:
    reply = _run(source, context)
    if reply.get('missing'):
        report.add(
            codes.XACRO_MISSING, 'this is a xacro file, and the xacro library is not installed',
            Location(source.file, 1, 1),
            hint='pip install xacro, or install the ROS package xacro')
        return None
    files = [_as_named(file, source.file) for file in reply.get('files', ())]
    origins = _Origins(files, reply.get('calls', []))
    for file in reply.get('includes', ()):
        context.resolver.files[_as_named(file, source.file)] = None
    is_refused = _report_unknown_arguments(reply, source, context, report)
    if 'error' in reply:
        _report_failure(reply, origins, source, report)
        return None
    if is_refused:
        return None
    starts = [start for start, *_ in reply['origins']]
    points = [origin for _, *origin in reply['origins']]
    return SourceFile(
        f'{source.file} (expanded)', reply['text'].encode('utf-8'), limits=source.limits,
        encoding='utf-8', source_map=partial(_origin, starts, points, origins))


def _report_unknown_arguments(
    reply: dict[str, Any], source: SourceFile, context: Context, report: Report,
) -> bool:
    """
    Report the given arguments that no file declares; return whether there are any.

    After a failure not all files were read; then only arguments that are most likely misspelled
    are reported.
    """
    known = reply.get('arguments', ())
    unknown = [name for name in context.options.xacro_arguments or () if name not in known]
    if 'error' in reply:
        unknown = [name for name in unknown if closest(name, known) is not None]
    for name in unknown:
        report.add(
            codes.XACRO_UNKNOWN_ARGUMENT, f"the xacro file has no argument '{name}'",
            Location(source.file, 1, 1), hint=one_of(name, known))
    return bool(unknown)


def _report_failure(
    reply: dict[str, Any], origins: '_Origins', source: SourceFile, report: Report,
) -> None:
    """Report why and where a file cannot be expanded, and the calls of macros that led there."""
    if reply.get('origin') is not None:
        location = origins.location(reply['origin'])
    else:
        file = _as_named(reply.get('file', source.file), source.file)
        location = Location(file, reply.get('line'), reply.get('column'))
    report.add(
        codes.XACRO_FAILED, f"xacro cannot expand this file: {reply['error']}", location,
        hint=_way_out(reply['error']))


def _way_out(error: str) -> Union[Suggestion, str, None]:
    """Return what to do about an argument without a value, or a file that is not there."""
    argument, file = _NO_VALUE.search(error), _NO_FILE.search(error)
    if argument is not None:
        return f'give the argument a value: {argument[1]}:=VALUE'
    if file is None:
        return None
    directory, missing = os.path.split(file[1])
    while directory and not os.path.exists(directory):
        directory, missing = os.path.split(directory)
    try:
        return one_of(missing, sorted(os.listdir(directory)))
    except OSError:
        return None


def _as_named(file: str, main: str) -> str:
    """Return a path as the user writes paths, though ``$(find)`` leads to absolute ones."""
    directory = os.path.join(os.getcwd(), '')
    is_relative = not os.path.isabs(main) and file.startswith(directory)
    return file.removeprefix(directory) if is_relative else file


class _Origins(NamedTuple):
    """The files and macro calls to which the origins of elements refer by index."""

    files: Sequence[str]
    calls: Sequence[tuple[str, int, int, int, int]]

    def location(self, origin: Sequence[int]) -> Location:
        """Return where an element was read, with the calls of macros that made it."""
        file, line, column, call = origin
        chain: list[Location] = []
        while call >= 0:
            macro, index, *at, call = self.calls[call]
            if len(chain) < _CALLS or call < 0:
                chain.append(Location(self.files[index], at[0], at[1], macro=macro))
        return Location(self.files[file], line, column, tuple(chain))


def _origin(
    starts: Sequence[int], points: Sequence[Sequence[int]], origins: _Origins, start: int,
) -> Optional[Location]:
    """Return where the last element at or before a byte of the expanded text comes from."""
    index = bisect_right(starts, start) - 1
    return origins.location(points[index]) if index >= 0 else None


def _run(source: SourceFile, context: Context) -> dict[str, Any]:
    """Return the reply of the process, or an ``error`` where there is none."""
    json, subprocess, tempfile = map(import_module, ('json', 'subprocess', 'tempfile'))
    request = {
        'file': source.file, 'parent': os.getpid(), 'packages': context.resolver.packages.given,
        'arguments': dict(context.options.xacro_arguments or {}),
        'texts': dict(context.resolver.overlay), 'path': [
            *(os.path.abspath(entry) for entry in sys.path if entry), _LIBRARY],
        'seconds': SECONDS, 'memory': MEMORY, 'output': 2 * source.limits.file_bytes}
    with tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            [sys.executable, '-I', '-B', _PROGRAM], stdin=subprocess.PIPE, stdout=answer,
            stderr=printed, start_new_session=True)
        try:
            process.communicate(json.dumps(request).encode(), timeout=2 * SECONDS)
        except subprocess.TimeoutExpired:
            return {'error': f'it takes more than {2 * SECONDS} seconds'}
        finally:
            _end(process)
        if process.returncode != 0:
            return {'error': _reason(process.returncode)}
        answer.seek(0)
        reply: dict[str, Any] = json.load(answer)
    if len(reply.get('text', '')) > source.limits.file_bytes:
        return {'error': f'the expanded text exceeds {source.limits.file_bytes} bytes'}
    return reply


def _end(process: Any) -> None:
    """End the process and everything that it has started."""
    signal = import_module('signal')
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _reason(status: int) -> str:
    signal = import_module('signal')
    if status == -signal.SIGXCPU or status == -signal.SIGKILL:
        return f'it takes more than {SECONDS} seconds of CPU time'
    return f'it takes more than {MEMORY >> 20} MiB, or crashed (exit status {status})'
