# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The options that say how a file is read, and the Model that a command reads with them."""

import argparse
from collections.abc import Collection, Iterable
import os
import sys
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.cli import options as table
from hrdf_ros.cli import output
from hrdf_ros.cli.options import Group, Option
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.file_reader import is_text
from hrdf_ros.limits import parse_limit, ResourceLimits
from hrdf_ros.load import load_requested, LoadRequest
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model
from hrdf_ros.readers.api import NAMINGS, Options
from hrdf_ros.readers.registry import format_names, has_effect, may_replace
from hrdf_ros.resolve import package_name, Resolver


def _package(text: str) -> Optional[tuple[str, str]]:
    """Return the name and directory of a package from ``NAME=DIR``, or from DIR alone."""
    name, separator, directory = text.partition('=')
    if not separator:
        name, directory = package_name(text), text
    return (name, directory) if name and directory else None


def _limit(text: str) -> tuple[str, int]:
    name = text.partition('=')[0]
    if name not in ResourceLimits._fields:
        raise argparse.ArgumentTypeError(
            output.unknown('resource limit', name, ResourceLimits._fields))
    with output.errors_as(argparse.ArgumentTypeError, ValueError):
        return parse_limit(text)


def _names(text: str) -> Optional[tuple[str, ...]]:
    names = tuple(name.strip() for name in text.split(','))
    return names if all(names) else None


def complete_frames(parsed_args: argparse.Namespace, **_: object) -> list[str]:
    """Return the names and tags of frames, for tab completion."""
    model = model_of(parsed_args)
    frames = () if model is None else model.frames
    return sorted({name for frame in frames for name in (frame.name, frame.tag) if name})


def model_of(parsed_args: argparse.Namespace) -> Optional[Model]:
    """Return the Model of the first file on the command line; xacro files are not expanded."""
    file = getattr(parsed_args, 'file', None)
    if file in (None, output.STANDARD_STREAM):
        return None
    options = load_options_of(parsed_args)._replace(xacro=False, xacro_arguments=None)
    return load_file(LoadRequest(str(file), options)).model


# ---- options

RESOURCE_LIMIT = Option(
    '--resource-limit NAME=VALUE',
    'change a resource limit, such as file_bytes=1000000; repeatable', _limit, many=True,
    complete=lambda **_: [f'{name}=' for name in ResourceLimits._fields])
COLOR = Option(
    '--color', 'color diagnostics (default auto: on a terminal)', default='auto',
    choices=('auto', 'always', 'never'))
READING = Group('reading', (
    Option('--path DIR', 'where to search for model:// and plain URIs; repeatable', many=True),
    Option(
        '--package NAME=DIR', 'the directory of a ROS package, for package://NAME/, or DIR alone '
        'with its package.xml; repeatable',
        table.valid(_package, 'NAME=DIR or a directory with a package.xml'), many=True),
    Option(
        '--input-format', 'the format of FILE (default: by its suffix and content)',
        choices=format_names()),
    Option('--model-name NAME', 'select this model of a world'),
    Option(
        '--naming', 'names of HRDF elements without a tag (hebi: as in hebi_description)',
        default='default', choices=NAMINGS),
    Option(
        '--joint-names A,B,...', 'names for the coordinates, in their order',
        table.valid(_names, 'a list of names separated by commas'), ()),
    table.code_option('--ignore', 'do not report'),
    Option(
        '--xacro', 'expand FILE by xacro, which runs code in it (default: by the suffix .xacro); '
        'arguments NAME:=VALUE are for xacro', more={'action': argparse.BooleanOptionalAction}),
    RESOURCE_LIMIT, COLOR))
def reading_without(*names: str) -> Group:
    """Return the options READING except those with these names."""
    return READING._replace(options=[
        option for option in READING.options if option.names[0] not in names])


# ---- from options to typed requests

class Reading(NamedTuple):
    """
    A request that says how a command reads its files and shows their diagnostics.

    ``request`` names FILE; its source is '' if the command has no such argument. ``outputs`` are
    the files that the command writes. ``own`` has ``path`` and ``packages`` as the user gave them,
    without those of a project's settings, which may come with a description.
    """

    request: LoadRequest
    display: output.Display
    outputs: tuple[str, ...]
    own: Options

    @property
    def options(self) -> Options:
        """The options of every load."""
        return self.request.options

    def load(self, file: str) -> LoadResult:
        """Load a file, or standard input for ``-``."""
        return load_file(self.request._replace(source=file))


def load_options_of(options: argparse.Namespace) -> Options:
    """
    Return the options of a load.

    The load puts a placeholder where an include is missing.
    """
    return Options(
        path=options.path, packages=dict(options.package), model_name=options.model_name,
        naming=options.naming, joint_names=options.joint_names,
        format=getattr(options, 'input_format', None), limits=limits_of(options),
        xacro=getattr(options, 'xacro', None),
        xacro_arguments=dict(options.xacro_arguments), placeholders=True)


def reading_of(options: argparse.Namespace) -> Reading:
    """Return how a command with the options READING reads its files."""
    settings = options.settings
    given = load_options_of(options)
    own_path, own_packages = (
        getattr(options, name)[len(settings.get(name, ())):] for name in ('path', 'package'))
    return Reading(
        request=LoadRequest(getattr(options, 'file', None) or '', given),
        display=display_of(options),
        outputs=tuple(
            value for value in vars(options).values()
            if isinstance(value, table.OutputFile) and value != output.STANDARD_STREAM),
        own=Options(path=own_path, packages=dict(own_packages)))


def display_of(options: argparse.Namespace) -> output.Display:
    """Return how a command shows its diagnostics."""
    return output.Display(getattr(options, 'ignore', ()), options.color)


def limits_of(options: argparse.Namespace) -> ResourceLimits:
    """Return the resource limits that the options give."""
    return ResourceLimits(**dict(options.resource_limit))


# ---- files

def is_expanded(request: LoadRequest) -> bool:
    """Return whether xacro expands the file of a request."""
    wanted = request.options.xacro
    return str(request.source).lower().endswith('.xacro') if wanted is None else wanted


def load_file(request: LoadRequest) -> LoadResult:
    """Load a file, or standard input for ``-``."""
    file, options = str(request.source), request.options
    if options.xacro_arguments and not is_expanded(request):
        raise output.UsageError(
            f'{next(iter(options.xacro_arguments))}:= is for xacro files, and {file} is not one')
    source = os.path.join(os.curdir, file) if is_text(file) else file  # so not taken for a text
    if file == output.STANDARD_STREAM:
        return load_text(standard_input(options.limits), request)
    return load_requested(request._replace(source=source))


def load_text(text: str, request: LoadRequest) -> LoadResult:
    """Load the text of standard input with the options of a request."""
    if is_text(text):
        return load_requested(request._replace(source=text))
    report = Report()
    report.add(
        codes.UNKNOWN_FORMAT, 'standard input does not begin with <, as every format does',
        Location(output.STANDARD_STREAM, 1, 1))
    return LoadResult(None, report, ())


def standard_input(limits: ResourceLimits) -> str:
    """Return the text of standard input, cut one byte beyond the size limit, which is reported."""
    return sys.stdin.buffer.read(limits.file_bytes + 1).decode('utf-8', 'surrogateescape')


def read_model(
    reading: Reading, *, target: str = '',
) -> tuple[Model, Report]:
    """
    Return the Model of FILE and the report of its load; show its diagnostics.

    The command ends if the file has errors, if an option has no effect on its format, or if an
    output is a file that was read or that the Model names. Only FILE itself may be replaced, and
    only if its format is the ``target``.
    """
    loaded = load_file(reading.request)
    output.show(loaded.report, reading.display, is_stopped=loaded.model is None)
    model = loaded.model
    if model is None:
        raise output.CommandError
    refuse_without_effect(reading.options, {model.format})
    if reading.outputs:
        replaced = {os.path.realpath(reading.request.source)} if may_replace(model, target) else (
            set[str]())
        sources = {os.path.realpath(source) for source in source_files(model)}
        refuse_to_replace(reading.outputs, sources - replaced)
    return model, loaded.report


def source_files(model: Model) -> set[str]:
    """Return the files that a Model was read from, and those that it names."""
    from hrdf_ros.writers.files import named_files  # hrdf check does not need it
    return {*model.files, *(named.file for named, _ in named_files(model) if named.file)}


def refuse_to_replace(outputs: Iterable[str], sources: Collection[str]) -> None:
    """Raise a UsageError if an output is one of the sources."""
    paths = {os.path.realpath(source) for source in sources}
    for file in outputs:
        if os.path.realpath(file) in paths:
            raise output.UsageError(
                f'-o: {file} is a source of this conversion and would be lost; name another '
                'file')


def refuse_without_effect(options: Options, formats: Collection[str]) -> None:
    """Raise a UsageError for an option that no file of these formats can use."""
    names = ' and '.join(sorted(name.upper() for name in formats))
    if formats and options.model_name and not any(
            has_effect('model_name', name) for name in formats):
        raise output.UsageError(f'--model-name has no effect on {names}, which has no worlds')
    if formats and options.naming != 'default' and not any(
            has_effect('naming', name) for name in formats):
        raise output.UsageError(f'--naming has no effect on {names}, only on HRDF')


def trusted(reading: Reading) -> list[str]:
    """Return the directories from which files may be copied besides the description's own."""
    resolver = Resolver(reading.own.path, reading.own.packages, roots=())
    return [*resolver.search_path, *resolver.packages.shares(), *(resolver.roots or ())]
