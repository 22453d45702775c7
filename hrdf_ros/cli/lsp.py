# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf lsp``: the language server."""

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.util import find_spec
import os
from pathlib import Path

from hrdf_ros.cli.explain import PAGE
from hrdf_ros.cli.options import add_code_option, add_load_options, limits
from hrdf_ros.cli.usage import CommandError

_DESCRIPTION = """\
Serve an editor by the Language Server Protocol, over standard input and output:
diagnostics while you type, completion, documentation, definitions, references,
rename, quick fixes, formatting. Your editor starts it, for files .hrdf, .mjcf,
.sdf, .world, .skel and .urdf. xacro files are only expanded with --xacro,
because that runs code that they contain."""
_EPILOG = """\
examples:
  hrdf lsp                              what an editor runs
  hrdf lsp --path models --ignore implausible-value"""
_MISSING = """\
the language server requires pygls, which is not installed.
  Install it with: pip install pygls"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Describe the command and its options."""
    parser.description, parser.epilog = _DESCRIPTION, _EPILOG
    parser.add_argument('--stdio', action='store_true', help='the default; some editors pass it')
    parser.add_argument(
        '--docs', metavar='URL', default=Path(PAGE).as_uri(),
        help='the page that explains the diagnostics, for links (default: the installed one)')
    add_code_option(parser, 'select', 'report only')
    add_load_options(parser, formats=False)


def run(options: argparse.Namespace) -> int:
    """Serve until the editor ends; without pygls it is a CommandError."""
    if find_spec('pygls') is None:
        raise CommandError(_MISSING)
    # nothing else, no other process either, may use the streams of the protocol
    reader, writer = os.fdopen(os.dup(0), 'rb'), os.fdopen(os.dup(1), 'wb')
    with open(os.devnull, 'rb') as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    load_options = {
        'path': [os.path.abspath(where) for where in options.path],
        'packages': {name: os.path.abspath(where) for name, where in options.package},
        'model_name': options.model_name, 'naming': options.naming,
        'joint_names': options.joint_names, 'limits': limits(options),
        'xacro': bool(options.xacro)}
    # Python looks for modules in the working directory; that of an editor has files of strangers
    os.chdir(os.sep)
    import_module('hrdf_ros.lsp.worker').warm_up()
    settings = import_module('hrdf_ros.lsp.analysis').AnalysisSettings(
        load_options, tuple(options.ignore), tuple(options.select), options.docs)
    import_module('hrdf_ros.lsp.server').serve(settings, reader, writer)
    return 0
