# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The program that expands one xacro file; ``xacro.py`` runs it as a process of its own.

It reads a request from standard input and writes a reply to standard output, both JSON. It uses
nothing of the package, since it runs isolated from it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
import json
import os
import re
import resource
import sys
from typing import Any, Optional
from xml.dom import expatbuilder, minidom
from xml.parsers.expat import ExpatError

_MARK = 'hrdf-ros-location'
"""An attribute that carries the location of an element through all copies that xacro makes."""

_MARKED = re.compile(rf' {_MARK}="(\d+):(\d+):(\d+)"')


class Locations:
    """Where elements were read: file, line and column, both from 1."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.open_elements: list[minidom.Element] = []

    def mark(self, element: Any, file: str, line: int, column: int) -> None:
        """Remember where an element was read."""
        if file not in self.files:
            self.files.append(file)
        location = f'{self.files.index(file)}:{line}:{column}'
        element.hrdf_ros_location = location
        if not element.tagName.startswith('xacro:'):  # xacro checks the attributes of its own
            element.setAttribute(_MARK, location)

    def innermost(self) -> Optional[list[Any]]:
        """Return file, line and column of the innermost element that is being evaluated."""
        for element in reversed(self.open_elements):
            location = getattr(element, 'hrdf_ros_location', '') or element.getAttribute(_MARK)
            if location:
                index, line, column = map(int, location.split(':'))
                return [self.files[index], line, column]
        return None


class _LocatingBuilder(expatbuilder.ExpatBuilderNS):
    """A DOM builder that marks each element with its location."""

    def __init__(self, file: str, locations: Locations) -> None:
        super().__init__()
        self._file, self._locations = file, locations

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
        self._locations.mark(
            self.curNode, self._file, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)


def _find_packages(library: Any, packages: dict[str, str]) -> None:
    """Make ``$(find PACKAGE)`` look where the package that started this process looks."""
    def find(package: str) -> str:
        candidates = [packages[package]] if package in packages else [
            os.path.join(prefix, 'share', package)
            for prefix in os.environ.get('AMENT_PREFIX_PATH', '').split(':') if prefix]
        for directory in candidates:
            if os.path.isdir(directory):
                return directory
        raise library.XacroException(
            f"the package '{package}' is not found; name it with --package {package}=DIR")

    substitutions = import_module('xacro.substitution_args')
    substitutions._eval_find = find  # type: ignore[attr-defined]
    substitutions._eval_dict['find'] = find


def _keep_locations(library: Any, locations: Locations) -> None:
    """Make the library read files with locations, and remember the evaluated elements."""
    def parse(_: Any, filename: str) -> minidom.Document:
        try:
            with open(filename, 'rb') as stream:
                return _LocatingBuilder(filename, locations).parseFile(stream)
        except OSError as error:
            library.filestack.pop()
            raise library.XacroException(f'{error.strerror}: {filename}', exc=error) from error

    library.parse = parse
    for name in ('eval_all', 'handle_macro_call'):
        setattr(library, name, _remembering(getattr(library, name), locations.open_elements))


def _remembering(
    evaluate: Callable[..., Any], open_elements: list[minidom.Element],
) -> Callable[..., Any]:
    def evaluating(node: minidom.Element, *arguments: Any) -> Any:
        open_elements.append(node)
        result = evaluate(node, *arguments)
        open_elements.pop()  # after an exception it stays, and tells where that was
        return result
    return evaluating


def _without_marks(text: str) -> tuple[str, list[list[int]]]:
    """Return the text without marks, and byte offset, file, line and column of each element."""
    texts: list[str] = []
    found: list[list[int]] = []
    length = 0
    parts = _MARKED.split(text)
    for part, *mark in zip(parts[::4], *(parts[group::4] + [''] for group in (1, 2, 3))):
        texts.append(part)
        if mark[0]:
            found.append([length + len(part[:part.rfind('<')].encode()), *map(int, mark)])
        length += len(part.encode())
    return ''.join(texts), found


def _reply(request: dict[str, Any]) -> dict[str, Any]:
    """Return the reply to a request: the text, or the error and its place."""
    try:
        import xacro as library
    except ImportError:
        return {'missing': True}
    locations, file = Locations(), request['file']
    try:
        _find_packages(library, request['packages'])
        _keep_locations(library, locations)
        library.init_stacks(file)
        document = library.parse(None, file)
        library.process_doc(document, mappings=dict(request['arguments']))
        text, found = _without_marks(document.toprettyxml(indent='  '))
    except ExpatError as error:
        place = [library.filestack[-1], error.lineno, error.offset + 1]
        return {'error': str(error), 'location': place}
    except Exception as error:  # noqa: BLE001 - the file's own expressions may raise anything
        # copies of elements have no location: only the file is known
        files = [file for file in library.filestack or () if file] or [file]
        reason = ' '.join(str(error).split()) or type(error).__name__
        return {'error': reason, 'location': locations.innermost() or [files[-1], None, None]}
    return {
        'text': text, 'locations': found, 'files': locations.files,
        'includes': list(library.all_includes)}


def _limit(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def main() -> None:
    """Expand the file that standard input requests; xacro's output goes to standard error."""
    with open(0, 'rb') as stream:
        request = json.load(stream)
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
