# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The results of ``hrdf check`` for programs: JSON, GitHub annotations, SARIF, JUnit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from json import dumps
import os
from typing import Optional
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from hrdf_ros import __version__
from hrdf_ros.cli.checking import Checked
from hrdf_ros.cli.json_output import diagnostic_json, Json, render
from hrdf_ros.codes import CODES
from hrdf_ros.diagnostics import Diagnostic, Location, printable

_SARIF_SCHEMA = (
    'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json')
_SARIF_LEVELS = {'error': 'error', 'warning': 'warning', 'info': 'note'}
_GITHUB_COMMANDS = {'error': 'error', 'warning': 'warning', 'info': 'notice'}


def _json(checked: Sequence[Checked]) -> str:
    return render({
        'ok': all(one.report.ok for one in checked),
        'files': [one.file for one in checked],
        'diagnostics': [
            diagnostic_json(found, one.file) for one in checked for found in one.report]})


def _github(checked: Sequence[Checked]) -> str:
    """Return workflow commands, which GitHub shows beside the lines of a pull request."""
    return '\n'.join(_annotation(found, one.file) for one in checked for found in one.report)


def _annotation(found: Diagnostic, file: str) -> str:
    at = found.resolve() or Location(file)
    place = [('file', at.file), ('line', at.line), ('col', at.column), ('title', found.code)]
    properties = ','.join(
        f'{name}={_property(str(value))}' for name, value in place if value is not None)
    message = found.message if found.hint is None else f'{found.message} ({found.hint})'
    return f'::{_GITHUB_COMMANDS[found.severity]} {properties}::{_data(message)}'


def _data(text: str) -> str:
    lines = printable(text.replace('\r', '').replace('\n', ' '))
    return lines.replace('%', '%25')


def _property(text: str) -> str:
    return _data(text).replace(':', '%3A').replace(',', '%2C')


def _sarif(checked: Sequence[Checked]) -> str:
    used = dict.fromkeys(found.code for one in checked for found in one.report)
    driver: Json = {
        'name': 'hrdf', 'version': __version__, 'semanticVersion': __version__,
        'rules': [_rule(code) for code in used]}
    run: Json = {
        'tool': {'driver': driver}, 'columnKind': 'unicodeCodePoints',
        'results': [_result(found, one.file) for one in checked for found in one.report]}
    return dumps({'$schema': _SARIF_SCHEMA, 'version': '2.1.0', 'runs': [run]}, indent=2)


def _rule(name: str) -> Json:
    code = CODES[name]
    return {
        'id': name, 'shortDescription': {'text': code.summary},
        'help': {'text': f'hrdf explain {name}'},
        'defaultConfiguration': {'level': _SARIF_LEVELS[code.severity]}}


def _result(found: Diagnostic, file: str) -> Json:
    at = found.resolve() or Location(file)
    message = found.message if found.hint is None else f'{found.message}\nhint: {found.hint}'
    result: dict[str, Json] = {
        'ruleId': found.code, 'level': _SARIF_LEVELS[found.severity],
        'message': {'text': message}, 'locations': [_sarif_location(at)]}
    if at.included_from:
        result['relatedLocations'] = [
            _sarif_location(location, 'included from here') for location in at.included_from]
    return result


def _sarif_location(at: Location, message: Optional[str] = None) -> Json:
    uri = ('file://' if os.path.isabs(at.file) else '') + quote(os.fsencode(at.file))
    physical: dict[str, Json] = {'artifactLocation': {'uri': uri}}
    if at.line is not None:
        physical['region'] = {'startLine': at.line, 'startColumn': at.column or 1}
    location: dict[str, Json] = {'physicalLocation': physical}
    if message is not None:
        location['message'] = {'text': message}
    return location


def _junit(checked: Sequence[Checked]) -> str:
    failed = sum(not one.report.ok for one in checked)
    return '\n'.join([
        '<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>',
        f'  <testsuite name="hrdf check" tests="{len(checked)}" failures="{failed}" errors="0">',
        *(line for one in checked for line in _test_case(one)),
        '  </testsuite>', '</testsuites>'])


def _test_case(checked: Checked) -> Iterator[str]:
    """Yield one test for each file: its errors make it fail, the rest is its output."""
    errors = [str(found) for found in checked.report if found.severity == 'error']
    others = [str(found) for found in checked.report if found.severity != 'error']
    yield f'    <testcase classname="hrdf.check" name={_attribute(checked.file)}>'
    if errors:
        yield f'      <failure message={_attribute(errors[0])}>{_text(errors)}</failure>'
    if others:
        yield f'      <system-out>{_text(others)}</system-out>'
    yield '    </testcase>'


def _text(lines: Sequence[str]) -> str:
    return _ascii(escape('\n'.join(lines)))


def _attribute(text: str) -> str:
    return _ascii(quoteattr(printable(text)))


def _ascii(text: str) -> str:
    """Return XML text as ASCII; what no XML can hold is replaced."""
    valid = ''.join('\ufffd' if '\ud800' <= one <= '\udfff' else one for one in text)
    return valid.encode('ascii', 'xmlcharrefreplace').decode()


WRITERS: dict[str, Callable[[Sequence[Checked]], str]] = {
    'json': _json, 'github': _github, 'sarif': _sarif, 'junit': _junit}
"""What writes each format of ``hrdf check --format``."""
