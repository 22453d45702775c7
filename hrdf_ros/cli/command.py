# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The command itself: find the sub-command, run it, and end with the right status."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
import gc
from importlib import import_module
import os
import re
import sys
from typing import Any, NoReturn, Optional

from hrdf_ros.cli.settings import apply_settings
from hrdf_ros.cli.show import columns
from hrdf_ros.cli.usage import (
    CommandError,
    did_mean,
    MEANT,
    unknown,
    UsageError,
    warn,
)
from hrdf_ros.diagnostics import printable
from hrdf_ros.parsing.suggestions import closest

COMMANDS = {
    'check': 'validate descriptions',
    'convert': 'write a description as URDF, SDFormat or a graph',
    'frames': 'show where every frame is',
    'tree': 'draw the kinematic tree',
    'view': 'show it in the browser',
    'render': 'write a picture of it',
    'diff': 'compare two descriptions by what they mean',
    'srdf': 'write planning groups and disabled collisions for MoveIt',
    'ros2-control': 'write the block of ros2_control and its controllers',
    'schema': 'write the schema of a format for XML editors',
    'info': 'summarize a description: mass, inertia, files, requirements',
    'format': 'put the white space of files in order',
    'lsp': 'serve an editor by the Language Server Protocol',
    'explain': 'explain a diagnostic and how to fix it',
    'node': 'run the ROS 2 node',
}
_DESCRIPTION = """\
Robot descriptions for ROS 2: read, check and convert HRDF, SDFormat, SKEL and
URDF, and publish them as robot_description, TF and frame lookup."""
_EXAMPLES = """\
examples:
  hrdf check arm.hrdf                           what is wrong, and where
  hrdf frames arm.hrdf tool --position J2=0.5   where is the tool
  hrdf convert arm.hrdf -o arm.urdf             for RViz, MoveIt, Gazebo
  hrdf node arm.hrdf --animate                  publish it, joints moving

`hrdf COMMAND --help` shows its options.
"""
_EXIT_STATUS = 'Exit status: 0 no errors, 1 errors in a description, 2 wrong usage.'
_WIDEST = 100
_UNKNOWN_OPTION = r'unrecognized arguments: (--[\w-]+)'
_BROKEN_PIPE = 128 + 13
_INTERRUPTED = 128 + 2


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command and return the exit status: 0 fine, 1 errors found, 2 usage."""
    if sys.stderr is None:  # closed; what is printed to None goes to standard output
        sys.stderr = open(os.devnull, 'w')
    if sys.stdout is None:
        return _fail('standard output is closed', 1)
    _write_whatever_the_encoding()
    try:
        status = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
        gc.freeze()  # at the exit of the process Python would look for garbage in all there is
        return status
    except UsageError as error:
        return _fail(str(error), 2)
    except CommandError as error:
        return _fail(str(error), 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        name = '' if error.filename is None else f'{error.filename}: '
        return _fail(f'{name}{error.strerror or error}', 1)
    except Exception as error:
        if 'HRDF_TRACEBACK' in os.environ:
            raise
        return _fail(
            f'internal error: {type(error).__name__}: {error}\n'
            '  This is a bug of hrdf, not of the file. Please report it with the file and the\n'
            '  output of the same command with HRDF_TRACEBACK=1 in the environment.', 1)


def _fail(message: str, status: int) -> int:
    for line in f'hrdf: error: {message}'.split('\n'):
        print(printable(line), file=sys.stderr)
    return status


def _write_whatever_the_encoding() -> None:
    """Make output escape what its encoding lacks, where Python would raise."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, 'reconfigure', None)
        if reconfigure is not None:
            reconfigure(errors='backslashreplace')


def _run(arguments: list[str]) -> int:
    own, ros = _split_ros_arguments(arguments)
    own, xacro = _split_xacro_arguments(own)
    parser, commands = make_parsers(own[:1])
    if '_ARGCOMPLETE' in os.environ:
        import argcomplete
        argcomplete.autocomplete(parser)
    if own and own[0] in commands:
        apply_settings(commands[own[0]])
        options = commands[own[0]].parse_intermixed_args(_glued(own[1:]))
    else:
        options = parser.parse_args(own)  # shows help or the version, or what the usage is
    options.ros_arguments, options.xacro_arguments = ros, xacro
    for directory in getattr(options, 'path', ()):
        if not os.path.isdir(directory):
            warn(f"--path: there is no directory '{directory}'")
    status: int = options.run(options)
    return status


def _split_ros_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Return what is for us, and what ``hrdf node`` and ``view`` pass on to ROS unchanged."""
    if arguments[:1] in (['node'], ['view']) and '--ros-args' in arguments:
        start = arguments.index('--ros-args')
        return arguments[:start], arguments[start:]
    return arguments, []


def _split_xacro_arguments(arguments: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the other arguments, and those for xacro: ``NAME:=VALUE``."""
    others, given = [], []
    for argument in arguments:
        name, separator, value = argument.partition(':=')
        if separator and name.isidentifier():
            given.append((name, value))
        else:
            others.append(argument)
    return others, given


def _glued(arguments: list[str]) -> list[str]:
    """Return the arguments with ``--positions -1,0`` as one: argparse takes -1,0 for an option."""
    glued: list[str] = []
    for argument in arguments:
        if glued and glued[-1] == '--positions' and argument.startswith('-'):
            glued[-1] += '=' + argument
        else:
            glued.append(argument)
    return glued


def make_parsers(
    asked: list[str],
) -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """Return the parser and those of the commands: the one asked for, or all for the help."""
    parser = _Parser(
        'hrdf', description=_DESCRIPTION, epilog=_EXAMPLES + _EXIT_STATUS,
        formatter_class=_formatter, allow_abbrev=False)
    parser.add_argument('--version', action=_Version, nargs=0, help='show the version and exit')
    commands = parser.add_subparsers(
        title='commands', metavar='COMMAND', prog='hrdf', required=True, dest='command')
    is_completing = '_ARGCOMPLETE' in os.environ
    named = [] if is_completing else [name for name in asked if name in COMMANDS]
    for name in named or COMMANDS:
        below = commands.add_parser(
            name, help=COMMANDS[name], formatter_class=_formatter, allow_abbrev=False)
        if is_completing or name in named:
            module = import_module(f'hrdf_ros.cli.{name.replace("-", "_")}')
            below.set_defaults(run=module.run)
            module.configure(below)
            if 'Exit status' not in (below.epilog or ''):
                below.epilog = '\n\n'.join(filter(None, (below.epilog, _EXIT_STATUS)))
    return parser, commands.choices


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Return what lays out help; left to itself it imports half of the library for the width."""
    return argparse.RawDescriptionHelpFormatter(
        prog, max_help_position=28, width=min(columns(), _WIDEST) - 2)


class _Parser(argparse.ArgumentParser):
    """Says what a misspelled command, option or choice means, in one line instead of the usage."""

    def error(self, message: str) -> NoReturn:
        found = re.match(_UNKNOWN_OPTION, message)
        if found is not None:
            message = self._meant_option(found[1]) or message
        if message.endswith(MEANT):
            self.exit(2, printable(f'{self.prog}: error: {message}') + '\n')
        super().error(printable(message))

    def _meant_option(self, option: str) -> Optional[str]:
        """Return the message with the option that is meant, comparing them without dashes."""
        known = [name[2:] for name in self._option_string_actions if name.startswith('--')]
        meant = closest(option[2:], known)
        return meant and f"there is no option '{option}'; did you mean '--{meant}'?"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        choices = list(action.choices or ())
        if not choices or value in choices:
            return
        if action.dest == 'command':
            raise argparse.ArgumentError(None, unknown('command', value, choices))
        meant = did_mean('choice', str(value), choices)
        raise argparse.ArgumentError(
            action, meant or f"'{value}' is not one of {', '.join(map(str, choices))}")


class _Version(argparse.Action):
    """Shows the version, which nobody should have to load just in case."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version
        try:
            print('hrdf', version('hrdf_ros'))
        except PackageNotFoundError:
            print('hrdf, not installed')
        parser.exit()
