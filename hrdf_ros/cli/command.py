# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The command itself: find the subcommand, run it, and end with the right exit status."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
import gc
from importlib import import_module
from io import TextIOWrapper
import os
import sys
from typing import Optional

from hrdf_ros import __version__
from hrdf_ros.cli.options import apply_settings, Command, Option, Parser
from hrdf_ros.cli.output import columns, CommandError, say, UsageError, warn
from hrdf_ros.cli.workers import memory_guard
from hrdf_ros.diagnostics import shortened

COMMANDS = {
    'check': ('check', 'validate descriptions'),
    'convert': ('convert', 'write a description as URDF, SDFormat, MJCF or a graph'),
    'frames': ('frames', 'show where every frame is'),
    'tree': ('tree', 'draw the kinematic tree'),
    'view': ('view', 'show it in the browser'),
    'render': ('render', 'write a picture of it'),
    'diff': ('diff', 'compare two descriptions by what they mean'),
    'review': ('review', 'say what differs from a git revision, in Markdown'),
    'moveit': ('moveit', 'write a MoveIt configuration package'),
    'srdf': ('moveit', 'write planning groups and disabled collisions for MoveIt'),
    'ros2-control': ('moveit', 'write the block of ros2_control and its controllers'),
    'schema': ('reference', 'write the schema of a format for XML editors'),
    'info': ('info', 'summarize a description: mass, inertia, files, requirements'),
    'fetch': ('fetch', 'download the files that descriptions name at https'),
    'format': ('format', 'reformat files: only white space changes'),
    'lsp': ('servers', 'serve an editor by the Language Server Protocol'),
    'explain': ('reference', 'explain a diagnostic and how to fix it'),
    'node': ('servers', 'run the ROS 2 node'),
    'move': ('running', 'send joint states to a running robot'),
    'echo': ('running', 'follow a frame of a running robot'),
    'doctor': ('doctor', 'say what is wrong with a running system'),
}
"""The module of each subcommand, which has a Command named ``hrdf_NAME``, and a summary."""
_WITH_ROS = ('node', 'view', 'move', 'echo', 'doctor')
"""The commands that pass the arguments after ``--ros-args`` to ROS."""
_DESCRIPTION = """\
Robot descriptions for ROS 2: read, check and convert HRDF, SDFormat, SKEL, MJCF
and URDF, and publish them as robot_description, TF and frame lookup."""
_EXAMPLES = """\
for example:
  hrdf check arm.hrdf                           what is wrong, and where
  hrdf frames arm.hrdf tool --position J2=0.5   where is the tool
  hrdf convert arm.hrdf -o arm.urdf             for RViz, MoveIt, Gazebo
  hrdf node arm.hrdf --animate                  publish it, joints moving

`hrdf COMMAND --help` shows its options."""
_EXIT_STATUS = 'Exit status: 0 no errors, 1 errors in a description, 2 wrong usage.'
_BUG = """\
internal error: {}
  This is a bug of hrdf, not of the file. Please report it with the file and the
  output of the same command with HRDF_TRACEBACK=1 in the environment."""
_HELP_COLUMNS = 100
"""The maximum width of help text in columns: longer lines are harder to read."""
_BROKEN_PIPE = 128 + 13
"""The exit status that a shell reports for a program that SIGPIPE ended."""
_INTERRUPTED = 128 + 2
"""The exit status that a shell reports for a program that SIGINT ended."""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the command and return the exit status: 0 fine, 1 errors found, 2 wrong usage."""
    if sys.stderr is None:  # stderr is closed: print() would use stdout
        sys.stderr = open(os.devnull, 'w')
    if sys.stdin is None:
        sys.stdin = open(os.devnull)
    if sys.stdout is None:
        return _fail('standard output is closed', 1)
    for stream in (sys.stdout, sys.stderr):  # a character that the encoding lacks is no error
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors='backslashreplace')
    try:
        with memory_guard():
            status = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
        gc.freeze()  # otherwise Python looks for garbage among all objects at exit
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
    except MemoryError:
        return _fail('out of memory', 1)
    except Exception as error:
        if 'HRDF_TRACEBACK' in os.environ:
            raise
        return _fail(_BUG.format(f'{type(error).__name__}: {error}'), 1)


def _fail(message: str, status: int) -> int:
    for line in f'hrdf: error: {message}'.split('\n') if message else ():
        say(shortened(line), sys.stderr)
    return status


def _run(arguments: list[str]) -> int:
    start = len(arguments)
    if arguments and arguments[0] in _WITH_ROS and '--ros-args' in arguments:
        start = arguments.index('--ros-args')  # what follows is for ROS
    xacro = [text for text in arguments[:start]
             if ':=' in text and text.partition(':=')[0].isidentifier()]
    own = [text for text in arguments[:start] if text not in xacro]
    parser, commands = make_parsers(own[:1])
    if '_ARGCOMPLETE' in os.environ:
        import argcomplete
        argcomplete.autocomplete(parser)
    if not own:
        parser.print_help()
        return 0
    if own[0] not in commands:
        parser.refuse_unknown(own[:1])
        parser.parse_args(own)  # argparse shows the help, the version or an error
    found = _command(own[0])
    if xacro and not found.takes_xacro:
        commands[own[0]].error(
            f"'{xacro[0]}' is an argument of a xacro file, which this command does not expand"
            + ('; ROS arguments follow --ros-args' if own[0] in _WITH_ROS else ''))
    apply_settings(commands[own[0]], found.options)
    commands[own[0]].set_defaults(
        ros_arguments=arguments[start:],
        xacro_arguments=[text.split(':=', 1) for text in xacro])
    options = commands[own[0]].parse_intermixed(own[1:])
    for directory in dict.fromkeys(getattr(options, 'path', ())):
        if not os.path.isdir(directory):
            warn(f"--path: there is no directory '{directory}'")
    return found.run(options)


def make_parsers(requested: list[str]) -> tuple[Parser, Mapping[str, Parser]]:
    """Return the main parser, and those of the requested command, or of all commands for help."""
    known = '\n'.join(f'  {name:13} {does}' for name, (_, does) in COMMANDS.items())
    parser = Parser(
        'hrdf', description=f'{_DESCRIPTION}\n\n{_EXAMPLES}\n\ncommands:\n{known}',
        epilog=_EXIT_STATUS, usage='hrdf COMMAND [OPTION...]', formatter_class=_formatter,
        allow_abbrev=False)
    parser.add_argument(
        '--version', action='version', version=f'hrdf {__version__}',
        help='show the version and exit')
    commands = parser.add_subparsers(
        help=argparse.SUPPRESS, prog='hrdf', required=True, dest='command')
    is_completing = '_ARGCOMPLETE' in os.environ
    named = [] if is_completing else [name for name in requested if name in COMMANDS]
    for name in named or COMMANDS:
        below = commands.add_parser(name, formatter_class=_formatter, allow_abbrev=False)
        if is_completing or named:
            _describe(below, _command(name))
    return parser, commands.choices


def _command(name: str) -> Command:
    module = import_module(f'hrdf_ros.cli.{COMMANDS[name][0]}')
    found: Command = getattr(module, f'hrdf_{name.replace("-", "_")}')
    return found


def _describe(parser: Parser, command: Command) -> None:
    """Describe a command in its help, with examples before the options."""
    parser.set_defaults(settings={}, ros_arguments=[], xacro_arguments=[])
    parser.description, parser.parameters = command.help, command.parameters
    parser.epilog = None if 'Exit status' in command.help else _EXIT_STATUS
    for part in command.parts:
        if isinstance(part, Option):
            part.add_to(parser)
        else:
            group = parser.add_argument_group(part.title, part.about)
            for option in part.options:
                option.add_to(group)
    arguments = [option.text for option in command.options if not option.names]
    parser.usage = command.usage or ' '.join([parser.prog, '[OPTION...]', *arguments])


def _formatter(prog: str) -> argparse.HelpFormatter:
    """
    Return the layout of help.

    The width is given, because argparse would import many modules to find the terminal's width.
    """
    return argparse.RawDescriptionHelpFormatter(
        prog, max_help_position=28, width=min(columns(), _HELP_COLUMNS) - 2)
