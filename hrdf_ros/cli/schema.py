# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf schema``: a format's schema for XML editors and validators."""

from __future__ import annotations

import argparse
from importlib import import_module

from hrdf_ros.cli.usage import UsageError
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.readers.registry import format_names
from hrdf_ros.readers.schema import Schema
from hrdf_ros.schema_export import relaxng, xsd

_DESCRIPTION = """\
Write the schema of a format, for an XML editor to complete and validate by, or
for xmllint. RelaxNG (rng) says all that hrdf checks of the structure; XML
Schema (xsd) what it can express. Each element and attribute has its
documentation, unit and default in it."""
_EPILOG = """\
examples:
  hrdf schema hrdf > hrdf.rng               the newest version
  hrdf schema sdf --version 1.9 --to xsd
  xmllint --noout --relaxng hrdf.rng arm.hrdf"""
_WRITE = {'rng': relaxng, 'xsd': xsd}


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument('format', metavar='FORMAT', choices=format_names(),
                        help=', '.join(format_names()))
    parser.add_argument('--to', choices=sorted(_WRITE), default='rng', help='default: rng')
    parser.add_argument('--version', metavar='VERSION', help='of the format; default: the newest')


def run(options: argparse.Namespace) -> int:
    """Print the schema."""
    schema: Schema = import_module(f'hrdf_ros.readers.{options.format}.schema').SCHEMA
    version = schema.versions[-1] if options.version is None else options.version
    if version not in schema.versions:
        near = closest(version, schema.versions)
        hint = f"did you mean '{near}'?" if near else f"one of {', '.join(schema.versions)}"
        raise UsageError(f"unknown version '{version}' of {schema.policy.format}; {hint}")
    print(_WRITE[options.to](schema, version), end='')
    return 0
