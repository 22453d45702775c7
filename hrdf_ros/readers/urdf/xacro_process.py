# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The program that expands one xacro file; ``xacro.py`` runs it as a separate process.

It reads a request from standard input and writes a reply to standard output, both in JSON. It runs
isolated from its environment; the process that starts it tells it where modules are.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
import json
import os
import re
import resource
import signal
import sys
from typing import Any, Optional
from xml.dom import expatbuilder, minidom
from xml.parsers.expat import ExpatError

_MARK = 'hrdf-ros-origin'
"""An attribute that carries the origin of an element through the text that xacro writes."""

_MARKED = re.compile(rf' {_MARK}="(\d+):(\d+):(\d+):(-?\d+)"')

_NO_CALL = -1
"""The index of the call around an element that no macro made."""
_PR_SET_PDEATHSIG = 1
"""The option of ``prctl`` that sets the signal at the death of the parent (``sys/prctl.h``)."""


class Origins:
    """
    Where elements were read (file, line and column, both from 1), and which macros made them.

    An element keeps its place and its macro call in its user data, which its copies have, too.
    Each of ``calls`` is a macro call: the name of the macro, the place of the call, and the index
    of the call around it.
    """

    def __init__(self) -> None:
        self.files: list[str] = []
        self.calls: list[tuple[str, int, int, int, int]] = []
        self.declared: dict[str, None] = {}
        """The names of all arguments that the files declare."""
        self._open_elements: list[minidom.Element] = []
        self._call = _NO_CALL

    def read(self, element: Any, file: str, line: int, column: int) -> None:
        """Keep where an element was read."""
        if file not in self.files:
            self.files.append(file)
        element.setUserData('place', (self.files.index(file), line, column), self)
        if element.tagName == 'xacro:arg':
            self.declared[element.getAttribute('name')] = None

    def handle(self, _: int, key: str, value: Any, __: Any, copy: Any) -> None:
        """Copy the user data of an element to its copy; minidom calls this function."""
        copy.setUserData(key, value, self)

    def follow(self, library: Any) -> None:
        """Follow the evaluation of elements and the calls of macros."""
        evaluate, call = library.eval_all, library.handle_macro_call

        def eval_all(node: minidom.Element, *arguments: Any) -> None:
            self._open_elements.append(node)
            node.setUserData('call', self._call, self)
            evaluate(node, *arguments)
            self._open_elements.pop()  # after an exception the last node tells where

        def handle_macro_call(node: minidom.Element, *arguments: Any) -> Any:
            around = self._call
            self._open_elements.append(node)
            if node.tagName.startswith('xacro:') and node.tagName != 'xacro:call':
                self.calls.append((node.tagName[6:], *_place(node), around))
                self._call = len(self.calls) - 1
            result = call(node, *arguments)
            self._open_elements.pop()
            self._call = around
            return result

        library.eval_all, library.handle_macro_call = eval_all, handle_macro_call

    def innermost(self) -> Optional[tuple[int, int, int, int]]:
        """Return the origin of the innermost element that is being evaluated."""
        for element in reversed(self._open_elements):
            place = element.getUserData('place')
            if place is not None:
                call = self._call
                if call != _NO_CALL and self.calls[call][1:4] == place:
                    call = self.calls[call][4]  # the call itself is at fault
                return (*place, call)
        return None

    def write(self, document: minidom.Document) -> None:
        """Write the origins of all elements into an attribute."""
        for element in document.getElementsByTagName('*'):
            place = element.getUserData('place')
            if place is not None:
                call = element.getUserData('call')
                origin = (*place, _NO_CALL if call is None else call)
                element.setAttribute(_MARK, ':'.join(map(str, origin)))


def _place(element: Any) -> tuple[int, int, int]:
    place: tuple[int, int, int] = element.getUserData('place')
    return place


class Arguments(dict[str, str]):
    """The arguments of an expansion, and the names of those that it has read."""

    def __init__(self, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self.used: dict[str, None] = {}

    def __getitem__(self, name: str) -> str:
        self.used[name] = None
        return super().__getitem__(name)


class _LocatingBuilder(expatbuilder.ExpatBuilderNS):
    """A DOM builder whose elements know where they were read."""

    def __init__(self, file: str, origins: Origins) -> None:
        super().__init__()
        self._file, self._origins = file, origins

    def start_doctype_decl_handler(
        self, name: str, system: Optional[str], public: Optional[str], has_subset: bool,
    ) -> None:
        """Refuse the declarations of a DTD before expat reads them: they may crash it."""
        if has_subset:
            error = ExpatError('the DOCTYPE has an internal subset, which is refused')
            parser = self.getParser()
            error.lineno, error.offset = parser.CurrentLineNumber, parser.CurrentColumnNumber
            raise error
        super().start_doctype_decl_handler(name, system, public, has_subset)

    def start_element_handler(self, name: str, attributes: list[str]) -> None:
        super().start_element_handler(name, attributes)
        parser = self.getParser()
        self._origins.read(
            self.curNode, self._file, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)


def _find_packages(library: Any, packages: dict[str, str]) -> None:
    """Make ``$(find PACKAGE)`` search where URIs are searched, relative to the file it is in."""
    from hrdf_ros.resolve import Packages
    known = Packages(packages, os.environ, roots=None)

    def find(package: str) -> str:
        directory = known.find(package, library.filestack[-1])
        if directory is None or not os.path.isdir(directory):
            raise library.XacroException(
                f"the package '{package}' is not found; name it with --package {package}=DIR")
        return directory

    substitutions = import_module('xacro.substitution_args')
    substitutions._eval_find = find  # type: ignore[attr-defined]
    substitutions._eval_dict['find'] = find


def _keep_origins(
    library: Any, origins: Origins, sought: dict[str, None], texts: Mapping[str, str],
) -> None:
    """
    Make the library keep the origins of elements, and note every file that it looks for.

    ``texts`` are those of files in an editor, by real path.
    """
    absolute = library.abs_filename_spec

    def parse(_: Any, filename: str) -> minidom.Document:
        builder, text = _LocatingBuilder(filename, origins), texts.get(os.path.realpath(filename))
        try:
            if text is not None:
                return builder.parseString(text)
            with open(filename, 'rb') as stream:
                return builder.parseFile(stream)
        except OSError as error:
            library.filestack.pop()
            raise library.XacroException(f'{error.strerror}: {filename}', exc=error) from error

    def abs_filename_spec(filename: str) -> str:
        file: str = absolute(filename)
        sought[file] = None
        return file

    library.parse, library.abs_filename_spec = parse, abs_filename_spec
    origins.follow(library)


def _without_marks(text: str) -> tuple[str, list[list[int]]]:
    """Return the text without marks, and byte offset and origin of each element."""
    texts: list[str] = []
    found: list[list[int]] = []
    length = 0
    parts = _MARKED.split(text)
    numbers = (parts[group::5] + [''] for group in (1, 2, 3, 4))
    for part, *mark in zip(parts[::5], *numbers):
        texts.append(part)
        if mark[0]:
            found.append([length + len(part[:part.rfind('<')].encode()), *map(int, mark)])
        length += len(part.encode())
    return ''.join(texts), found


def _message(error: BaseException) -> str:
    """Return the text of an exception and of each exception that led to it, without repeats."""
    cause = getattr(error, 'exc', None)
    if cause is None:
        return str(error) or type(error).__name__
    first, inner = Exception.__str__(error), _message(cause)
    if first.startswith(f'{type(cause)}: '):  # xacro has appended the cause already
        first = ''
    if isinstance(cause, OSError):  # xacro itself says which file it includes
        inner = f'{cause.strerror}: {cause.filename}' if first in ('', 'None') else ''
    parts = (first, inner, getattr(error, 'suffix', None))
    return ' '.join(part for part in parts if part and part != 'None')


def _reply(request: dict[str, Any]) -> dict[str, Any]:
    """Return the reply to a request: the text, or the error and its place."""
    try:
        import xacro as library
    except ImportError:
        return {'missing': True}
    origins, file, sought = Origins(), request['file'], dict[str, None]()
    arguments = Arguments(request['arguments'])
    reply: dict[str, Any] = {}
    try:
        _find_packages(library, request['packages'])
        _keep_origins(library, origins, sought, request['texts'])
        library.init_stacks(file)
        document = library.parse(None, file)
        library.process_doc(document, mappings=arguments)
        origins.write(document)
        reply['text'], reply['origins'] = _without_marks(document.toprettyxml(indent='  '))
        sought = dict.fromkeys(library.all_includes)
    except ExpatError as error:
        reply |= {
            'error': str(error), 'file': library.filestack[-1], 'line': error.lineno,
            'column': error.offset + 1}
    except Exception as error:  # noqa: BLE001 - the file's own expressions may raise anything
        files = [file for file in library.filestack or () if file] or [file]
        reply |= {
            'error': ' '.join(_message(error).split()), 'file': files[-1],
            'origin': origins.innermost()}
    return {
        **reply, 'files': origins.files, 'calls': origins.calls, 'includes': list(sought),
        'arguments': list({**origins.declared, **arguments.used})}


def _limit(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def _end_with(parent: int) -> None:
    """Let the kernel end this process when its parent dies, which may be killed."""
    import ctypes
    with suppress(AttributeError):  # Linux only
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)


def main() -> None:
    """Expand the file that standard input requests; xacro's output goes to standard error."""
    with open(0, 'rb') as stream:
        request = json.load(stream)
    _end_with(request['parent'])
    answer = os.dup(1)
    os.dup2(2, 1)
    _limit(resource.RLIMIT_CPU, request['seconds'])
    _limit(resource.RLIMIT_AS, request['memory'])
    _limit(resource.RLIMIT_FSIZE, request['output'])
    _limit(resource.RLIMIT_CORE, 0)
    sys.path[:] = request['path']
    sys.setrecursionlimit(5000)
    reply = json.dumps(_reply(request)).encode()
    with open(answer, 'wb') as stream:
        stream.write(reply)


if __name__ == '__main__':
    main()
