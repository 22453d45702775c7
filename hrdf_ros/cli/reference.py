# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The meaning of diagnostics and the schemas of formats: ``hrdf explain`` and ``hrdf schema``."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Sequence
import os
import re
import textwrap

from hrdf_ros.cli.options import command, complete_codes, Option
from hrdf_ros.cli.output import columns, PAGE, unknown, UsageError, wrapped
from hrdf_ros.codes import CODES
from hrdf_ros.parsing.suggestions import suggestion
from hrdf_ros.readers.registry import format_names

_COLUMNS = 80
"""The maximum width of an explanation in columns: longer lines are harder to read."""
_REMARK = re.compile(r'^<!-- (?:exit status|not run|run): .* -->\n', re.MULTILINE)
"""A comment for the tests about the next block of a page."""
_COMMANDS = ('check', 'diff', 'doctor', 'frames', 'info')
"""The commands whose JSON has a schema."""
_NAMES = (*format_names(), *_COMMANDS)


@command(Option(
    '[CODE...]', 'the word in brackets of a diagnostic, or words of its explanation', default=[],
    complete=complete_codes))
def hrdf_explain(options: argparse.Namespace) -> int:
    """
    Explain a diagnostic: what it means, why it matters, an example, the fix.

    Without CODE, list all codes with their severity and a summary; with other
    words, list the codes whose explanations have them.

    for example:
      hrdf explain inertia-invalid
      hrdf explain                    all codes
      hrdf explain mesh               those about meshes
      hrdf explain mesh package       those about both
      hrdf explain | grep '^sdf-'     those of SDFormat
    """
    code = ' '.join(options.codes)
    if code not in CODES:
        _print_summaries(_codes_about(options.codes) if code else CODES)
        return 0
    print(f'{code} ({CODES[code].severity})\n')
    for line in _rendered(_sections()[code], min(columns(), _COLUMNS)):
        print(line)
    return 0


def _codes_about(words: Sequence[str]) -> list[str]:
    """Return the codes whose explanations have all of some words, in singular or plural."""
    patterns = [
        re.compile(rf'\b{re.escape(word.removesuffix("s"))}(e?s)?\b', re.IGNORECASE)
        for word in words]
    found = [code for code, text in _sections().items() if all(
        pattern.search(f'{code} {_plain(text)}') for pattern in patterns)]
    if not found:
        text = ' '.join(words)
        raise UsageError(f"there is no code '{text}'" + (
            suggestion(text, CODES) or ', and no explanation has it; hrdf explain lists all'))
    return found


def _print_summaries(names: Collection[str]) -> None:
    longest = max(map(len, names))
    for name, summary in summaries().items():
        if name in names:
            line = f'{name:{longest}}  {CODES[name].severity:7}  {summary}'
            print('\n'.join(wrapped(line, ' ' * (longest + 11))))


@command(
    Option('FORMAT', ', '.join(_NAMES), choices=_NAMES),
    Option('--to', 'default: rng', choices=('rng', 'xsd')),
    Option('--version VERSION', 'of the format; default: the newest'))
def hrdf_schema(options: argparse.Namespace) -> int:
    """
    Write the schema of a format, for an XML editor to complete and validate by.

    RelaxNG (rng), which xmllint reads too, says all that hrdf checks of the
    structure; XML Schema (xsd) says what it can express. Both document each element
    and attribute, with unit and default. For the name of a command, write the JSON
    Schema of what the command writes as JSON.

    for example:
      hrdf schema hrdf > hrdf.rng               the newest version
      hrdf schema sdf --version 1.9 --to xsd
      xmllint --noout --relaxng hrdf.rng arm.hrdf
      hrdf schema check                         of the JSON that hrdf check writes
    """
    if options.format in _COMMANDS:
        if options.to or options.version:
            raise UsageError(f'--to and --version have no effect on the JSON of {options.format}')
        file = os.path.join(os.path.dirname(__file__), f'{options.format}.schema.json')
        with open(file, encoding='utf-8') as stream:
            print(stream.read(), end='')
        return 0
    from hrdf_ros.schema_export import export, versions_of  # explain needs no lxml
    versions = versions_of(options.format)
    version = versions[-1] if options.version is None else options.version
    if versions == ('',) and version:
        raise UsageError(f'--version has no effect on {options.format.upper()}, which has none')
    if version not in versions:
        raise UsageError(unknown(f'version of {options.format.upper()}', version, versions))
    print(export(options.format, version, options.to or 'rng'), end='')
    return 0


def _sections() -> dict[str, str]:
    """Return the section of each code in Markdown, without its heading."""
    with open(PAGE, encoding='utf-8') as stream:
        page = stream.read()
    found = re.findall(r'^### `(.*)`\n((?:(?!#).*\n)*)', page, re.MULTILINE)
    return {name: section.strip('\n') for name, section in found}


def summaries() -> dict[str, str]:
    """Return the first sentence about each code as plain text."""
    return {name: _plain(re.split(r'[.:](?:\s|$)', section, maxsplit=1)[0])
            for name, section in _sections().items()}


def _rendered(markdown: str, width: int) -> Iterator[str]:
    """Yield the lines of paragraphs, list items and examples for a terminal."""
    is_example = False
    for line in _REMARK.sub('', markdown).splitlines():
        if line.startswith('```'):
            is_example = not is_example
        elif is_example or not line:
            yield f'    {line}'.rstrip()
        else:
            yield from textwrap.wrap(
                _plain(line), width, subsequent_indent='  ' if line.startswith('- ') else '',
                break_long_words=False, break_on_hyphens=False)


def _plain(line: str) -> str:
    """Return a line of Markdown without its marks for code, emphasis and links."""
    line = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', line)
    return re.sub(r'\*(\w+)\*', r'\1', line.replace('`', ''))
