# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf schema``: a format's schema for XML editors and validators."""

from __future__ import annotations

import argparse
import os

from hrdf_ros.cli.usage import unknown, UsageError
from hrdf_ros.readers.registry import format_names
from hrdf_ros.schema_export import export, LANGUAGES, versions_of

_DESCRIPTION = """\
Write the schema of a format, for an XML editor to complete and validate by, or
for xmllint. RelaxNG (rng) says all that hrdf checks of the structure; XML
Schema (xsd) what it can express. Each element and attribute has its
documentation, unit and default in it. For the name of a command: the JSON
Schema of what it writes as JSON."""
_EPILOG = """\
examples:
  hrdf schema hrdf > hrdf.rng               the newest version
  hrdf schema sdf --version 1.9 --to xsd
  xmllint --noout --relaxng hrdf.rng arm.hrdf
  hrdf schema check                         of the JSON that hrdf check writes"""
_COMMANDS = ('check', 'diff', 'frames', 'info')


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    names = (*format_names(), *_COMMANDS)
    parser.add_argument('format', metavar='FORMAT', choices=names, help=', '.join(names))
    parser.add_argument('--to', choices=sorted(LANGUAGES), help='default: rng')
    parser.add_argument('--version', metavar='VERSION', help='of the format; default: the newest')


def run(options: argparse.Namespace) -> int:
    """Print the schema."""
    if options.format in _COMMANDS:
        return _print_json_schema(options)
    versions = versions_of(options.format)
    version = versions[-1] if options.version is None else options.version
    if versions == ('',) and version:
        raise UsageError(f'--version has no effect on {options.format.upper()}, which has none')
    if version not in versions:
        raise UsageError(unknown(f'version of {options.format.upper()}', version, versions))
    print(export(options.format, version, options.to or 'rng'), end='')
    return 0


def _print_json_schema(options: argparse.Namespace) -> int:
    if options.to or options.version:
        raise UsageError(f'--to and --version have no effect on the JSON of {options.format}')
    file = os.path.join(os.path.dirname(__file__), f'{options.format}.schema.json')
    with open(file, encoding='utf-8') as stream:
        print(stream.read(), end='')
    return 0
