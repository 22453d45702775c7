# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Results for programs: JSON of every command; GitHub annotations, SARIF and JUnit of check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from json import dumps
from math import isfinite
import os
from typing import Optional, Union
from urllib.parse import quote

from hrdf_ros import __version__
from hrdf_ros.cli.output import Checked, PAGE, without_commands
from hrdf_ros.codes import CODES
from hrdf_ros.diagnostics import Diagnostic, Location, printable

Json = Union[
    None, bool, int, float, str, list['Json'], tuple['Json', ...], Mapping[str, 'Json']]
_SARIF_SCHEMA = (
    'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json')
_SARIF_LEVELS = {'error': 'error', 'warning': 'warning', 'info': 'note'}
_GITHUB_COMMANDS = {'error': 'error', 'warning': 'warning', 'info': 'notice'}


def number(value: float) -> Optional[float]:
    """Return a number, but 0 for negative zero, and None for infinity and NaN."""
    return value + 0.0 if isfinite(value) else None


def numbers(values: Iterable[float]) -> list[Json]:
    """Return numbers as a list; see ``number``."""
    return [number(value) for value in values]


def diagnostic_json(found: Diagnostic, checked_file: str) -> Json:
    """Return a diagnostic as JSON; ``checked_file`` is the file on the command line."""
    at = found.resolve()
    return {
        'code': found.code, 'severity': found.severity, 'message': found.message,
        'hint': found.hint,
        **_place(at),
        'included_from': [_place(location) for location in (at.included_from if at else ())],
        'reference': found.reference, 'consumer': found.consumer, 'checked_file': checked_file,
    }


def _place(at: Optional[Location]) -> dict[str, Json]:
    return {name: getattr(at, name, None) for name in ('file', 'line', 'column')}


def render(document: Mapping[str, Json]) -> str:
    """
    Return a document as JSON text, with one line for each record of a list.

    The text is ASCII, so that it survives every encoding.
    """
    fields = ',\n'.join(f'  {dumps(key)}: {_field(value)}' for key, value in document.items())
    return _harmless(f'{{\n{fields}\n}}')


def _harmless(json: str) -> str:
    """Return the same JSON without GitHub's workflow commands, which a name may contain."""
    return json.replace('##[', '#\\u0023[')


def _field(value: Json) -> str:
    if not isinstance(value, list) or not value:
        return dumps(value, allow_nan=False)
    items = ',\n'.join('    ' + dumps(item, allow_nan=False) for item in value)
    return f'[\n{items}\n  ]'


def _json(checked: Sequence[Checked]) -> str:
    return render({
        'ok': all(one.report.ok for one in checked),
        'files': [one.file for one in checked],
        'diagnostics': [
            diagnostic_json(found, one.file) for one in checked for found in one.report]})


def _github(checked: Sequence[Checked]) -> str:
    """Return workflow commands, which GitHub shows at the lines of a pull request."""
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
    return without_commands(lines).replace('%', '%25')


def _property(text: str) -> str:
    return _data(text).replace(':', '%3A').replace(',', '%2C')


def _sarif(checked: Sequence[Checked]) -> str:
    used = dict.fromkeys(found.code for one in checked for found in one.report)
    from hrdf_ros.cli.reference import summaries  # loaded late: only SARIF needs it
    about = summaries() if used else {}
    driver: Json = {
        'name': 'hrdf', 'version': __version__, 'semanticVersion': __version__,
        'rules': [_rule(code, about[code]) for code in used]}
    results: dict[str, Json] = {}  # a result in a file that several include counts once
    for one in checked:
        for found in one.report:
            result = _result(found, one.file)
            key = dumps([result['ruleId'], result['message'], result['locations']])
            results.setdefault(key, result)
    run: Json = {
        'tool': {'driver': driver}, 'columnKind': 'unicodeCodePoints',
        'results': list(results.values())}
    return _harmless(
        dumps({'$schema': _SARIF_SCHEMA, 'version': '2.1.0', 'runs': [run]}, indent=2))


def _rule(name: str, summary: str) -> Json:
    code = CODES[name]
    return {
        'id': name, 'shortDescription': {'text': summary},
        'help': {'text': f'hrdf explain {name}'}, 'helpUri': f'{_page()}#{name}',
        'defaultConfiguration': {'level': _SARIF_LEVELS[code.severity]}}


def _page() -> str:
    """Return the URL of diagnostics.md: in GitHub's action if that runs, or else on this disk."""
    action, version = map(os.environ.get, ('GITHUB_ACTION_REPOSITORY', 'GITHUB_ACTION_REF'))
    if action and version:
        server = os.environ.get('GITHUB_SERVER_URL', 'https://github.com')
        return f'{server}/{action}/blob/{version}/docs/diagnostics.md'
    return f'file://{quote(os.path.abspath(PAGE))}'


def _result(found: Diagnostic, file: str) -> dict[str, Json]:
    at = found.resolve() or Location(file)
    message = found.message if found.hint is None else f'{found.message}\nhint: {found.hint}'
    result: dict[str, Json] = {
        'ruleId': found.code, 'level': _SARIF_LEVELS[found.severity],
        'message': {'text': message}, 'locations': [_sarif_location(at)]}
    if at.included_from:
        result['relatedLocations'] = [
            _sarif_location(
                location, f"the macro '{location.macro}' is called here" if location.macro
                else 'included from here') for location in at.included_from]
    edits = () if found.fix is None else found.fix.resolve()
    if found.fix is not None and edits:
        changes: list[Json] = [
            {'artifactLocation': _artifact(file), 'replacements': [
                {'deletedRegion': {
                    'startLine': edit.start.line, 'startColumn': edit.start.column,
                    'endLine': edit.end.line, 'endColumn': edit.end.column},
                 'insertedContent': {'text': edit.text}}
                for edit in edits if edit.start.file == file]}
            for file in dict.fromkeys(edit.start.file for edit in edits)]
        result['fixes'] = [{
            'description': {'text': found.fix.title}, 'artifactChanges': changes}]
    return result


def _sarif_location(at: Location, message: Optional[str] = None) -> Json:
    physical: dict[str, Json] = {'artifactLocation': _artifact(at.file)}
    if at.line is not None:
        physical['region'] = {'startLine': at.line, 'startColumn': at.column or 1}
    location: dict[str, Json] = {'physicalLocation': physical}
    if message is not None:
        location['message'] = {'text': message}
    return location


def _artifact(file: str) -> Json:
    """Return the URI of a file, relative if it is below the working directory."""
    path = os.path.relpath(file)
    start = ''
    if path.startswith(os.pardir + os.sep):
        start, path = 'file://', os.path.abspath(file)
    return {'uri': start + quote(os.fsencode(path))}


def _junit(checked: Sequence[Checked]) -> str:
    """Return a test for each file: errors make it fail, other diagnostics are its output."""
    from lxml import etree  # loaded late: only JUnit needs it
    suites = etree.Element('testsuites')
    failed = sum(not one.report.ok for one in checked)
    suite = etree.SubElement(
        suites, 'testsuite', name='hrdf check', tests=str(len(checked)), failures=str(failed),
        errors='0')
    for one in checked:
        case = etree.SubElement(
            suite, 'testcase', classname='hrdf.check', name=_xml_text(one.file))
        errors = [_xml_text(str(found)) for found in one.report if found.severity == 'error']
        others = [_xml_text(str(found)) for found in one.report if found.severity != 'error']
        if errors:
            failure = etree.SubElement(case, 'failure', message=errors[0])
            failure.text = '\n'.join(errors)
        if others:
            etree.SubElement(case, 'system-out').text = '\n'.join(others)
    data: bytes = etree.tostring(
        suites, encoding='US-ASCII', xml_declaration=True, pretty_print=True)
    return data.decode().rstrip()


def _xml_text(text: str) -> str:
    """Return a line without characters that XML cannot hold, and without workflow commands."""
    return without_commands(printable(text)).encode('utf-8', 'replace').decode()


WRITERS: dict[str, Callable[[Sequence[Checked]], str]] = {
    'json': _json, 'github': _github, 'sarif': _sarif, 'junit': _junit}
"""The writer of each format of ``hrdf check --format``."""
