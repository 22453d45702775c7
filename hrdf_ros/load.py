# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The whole flow on one page: bytes -> reader of the format -> Model and Report -> checks."""

from collections.abc import Iterable, Mapping, Sequence
import gc
import os
from typing import Any, NamedTuple, Optional, TYPE_CHECKING, Union

from hrdf_ros.codes import REQUEST_REFUSED
from hrdf_ros.diagnostics import Report
from hrdf_ros.file_reader import is_text
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load_result import LoadError, LoadResult
from hrdf_ros.model import Model
from hrdf_ros.readers.api import Context, LoadOptions, NAMINGS, Options
from hrdf_ros.resolve import Resolver

if TYPE_CHECKING:
    from typing_extensions import Unpack


class LoadRequest(NamedTuple):
    """A source, which is a path or a text that begins with ``<``, and the options of its load."""

    source: Union[str, os.PathLike[str]]
    options: Options = Options()


def load(
    source: Union[str, os.PathLike[str]], **options: 'Unpack[LoadOptions]',
) -> LoadResult:
    """
    Read and check a description.

    ``source`` is a path (of a file, or of a directory with ``model.config``), or text whose first
    non-blank character is ``<``. ``path`` and ``packages`` say where to search URIs,
    ``model_name`` selects one model of a world, ``naming`` and ``joint_names`` choose names. With
    ``roots`` only files below these directories are read, and never more than ``limits`` allow.
    ``format`` (hrdf, mjcf, sdf, skel, urdf) is the format to read, whatever suffix and content
    say. ``overlay`` maps real paths to the texts that an editor has open, which are read in place
    of the files. With ``placeholders`` a missing include of SDFormat is a warning, and a model
    with one link stands for it.

    A path with the suffix ``.xacro``, or any path with ``xacro=True``, is expanded with
    ``xacro_arguments``. That runs code that the file contains, in a process with limits of time
    and memory. ``xacro=False`` forbids it.

    No content of a file raises an exception: with errors the Model is None, and the report says
    why. An unknown naming or format raises ValueError.

    >>> from hrdf_ros import load
    >>> result = load('<robot name="r"><link name="a"/><link name="b"/></robot>')
    >>> result.ok, [diagnostic.code for diagnostic in result.report]
    (False, ['urdf-not-a-tree'])
    """
    return load_requested(LoadRequest(source, Options(**options)))


def load_published(text: str) -> LoadResult:
    """Read and check a robot_description from a topic; it names no file, and is no xacro."""
    if is_text(text):
        return load(text, xacro=False)
    report = Report()
    report.add(REQUEST_REFUSED, 'the robot_description does not begin with <')
    return LoadResult(None, report, ())


def load_requested(request: LoadRequest) -> LoadResult:
    """Read and check the description that a request names, as ``load`` does."""
    from hrdf_ros.readers.registry import read_file
    _check_request(request)
    source, options = os.fspath(request.source), request.options
    context = Context(
        report=Report(),
        resolver=Resolver(
            options.path, options.packages, roots=options.roots, limits=options.limits,
            overlay=options.overlay),
        options=options._replace(joint_names=tuple(options.joint_names)),
        read_other=read_file,
        xacro_file=source if _is_xacro(source, options.xacro) else None)
    return _read_and_check(source, context)


def load_model(
    source: Union[str, os.PathLike[str]], **options: 'Unpack[LoadOptions]',
) -> Model:
    """
    Return the Model of ``load`` with the same arguments; raise LoadError with errors.

    >>> from hrdf_ros import load_model
    >>> load_model('examples/urdf/gripper_arm.urdf')
    <Model 'gripper_arm': urdf 1.0, 9 links, 8 joints, 7 coordinates>
    """
    result = load(source, **options)
    if result.model is None:
        raise LoadError(result.report)
    return result.model


def _read_and_check(source: str, context: Context) -> LoadResult:
    """Read and check without the cyclic garbage collector, which takes half of the time."""
    from hrdf_ros.check import check_model  # imported late: the process of the node never reads
    from hrdf_ros.readers.registry import read
    report, resolver = context.report, context.resolver
    enabled = gc.isenabled()
    gc.disable()
    try:
        model = read(source, context, context.options.format)
        if model is not None:
            check_model(model, report, resolver.limits, resolver)
            model = model._replace(files=tuple(resolver.files))
        report.fold()
        return LoadResult(
            model if report.ok else None, report, tuple(resolver.files),
            tuple(resolver.on_network))
    finally:
        if enabled:
            gc.enable()


def _check_request(request: LoadRequest) -> None:
    """Raise an error for arguments that Python would misread, or that would fail later."""
    options = request.options
    _check_choice('naming', options.naming, NAMINGS)
    if options.format is not None:
        from hrdf_ros.readers.registry import format_names
        _check_choice('format', options.format, format_names())
    lists: tuple[tuple[str, Any], ...] = (
        ('path', options.path), ('joint_names', options.joint_names),
        ('roots', () if options.roots is None else options.roots))
    for name, value in lists:
        if isinstance(value, (str, bytes)):
            raise TypeError(f'{name} is a list of strings, not one string; write [{value!r}]')
    checks: tuple[tuple[str, Any, Any, str], ...] = (
        *((name, value, Iterable, 'list of strings') for name, value in lists),
        ('source', request.source, (str, os.PathLike), 'path or a text'),
        ('packages', options.packages, (Mapping, type(None)),
         'mapping from names to directories'),
        ('limits', options.limits, ResourceLimits, 'ResourceLimits'),
        ('model_name', options.model_name, (str, type(None)), 'string'),
        ('xacro', options.xacro, (bool, type(None)), 'bool'))
    for name, value, kind, what in checks:
        if not isinstance(value, kind):
            raise TypeError(f'{name} is a {what}, not {type(value).__name__}')


def _check_choice(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ValueError(f"{name} is one of {', '.join(known)}, not {value!r}")


def _is_xacro(source: str, wanted: Optional[bool]) -> bool:
    """Return whether to expand a source: as wanted, else if it is a path ending in .xacro."""
    return not is_text(source) and (
        source.lower().endswith('.xacro') if wanted is None else wanted)
