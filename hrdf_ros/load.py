# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The whole flow on one page: bytes -> reader of the format -> Model + Report -> checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
import gc
from importlib import import_module
import os
import re
from typing import Any, NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.check import check_model
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import root_element, SourceFile, SourceRef
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.model import Model
from hrdf_ros.readers.api import Context, Options, Reader
from hrdf_ros.resolve import Resolver

FORMATS = ('hrdf', 'sdf', 'skel', 'urdf')
_NAMINGS = ('default', 'hebi')
_SUFFIXES = {
    '.hrdf': 'hrdf', '.sdf': 'sdf', '.world': 'sdf', '.skel': 'skel', '.urdf': 'urdf',
    '.xacro': 'urdf',
}
_ROOTS = {'sdf': 'sdf', 'gazebo': 'sdf', 'skel': 'skel'}
_NAMED_PART = re.compile(rb'<(?:link|joint)\s(?:[^<>]*\s)?name\s*=')


class LoadError(ValueError):
    """A description that cannot be used; ``report`` says why."""

    def __init__(self, report: Report) -> None:
        super().__init__(str(report.first_error or 'nothing was loaded'))
        self.report = report


class LoadResult(NamedTuple):
    """What a load returns: the Model (None with errors), the report, the files it has read."""

    model: Optional[Model]
    report: Report
    files: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Tell whether there is a Model."""
        return self.model is not None

    def __bool__(self) -> bool:
        return self.ok


def load(
    source: Union[str, os.PathLike[str]], *, path: Sequence[str] = (),
    packages: Optional[Mapping[str, str]] = None, model_name: Optional[str] = None,
    naming: str = 'default', joint_names: Sequence[str] = (),
    roots: Optional[Sequence[str]] = None, format: Optional[str] = None,  # noqa: A002
    limits: ResourceLimits = ResourceLimits(),
) -> LoadResult:
    """
    Read and check a description.

    ``source`` is a path (of a file, or of a directory with ``model.config``), or text whose first
    non-blank character is ``<``. ``path`` and ``packages`` say where uris are looked for,
    ``model_name`` picks one of a world, ``naming`` and ``joint_names`` choose names; with
    ``roots`` only files below these directories are read, and never more than ``limits`` say;
    ``format`` (hrdf, sdf, skel, urdf) overrides what suffix and content say. Nothing that is in a
    file raises: with errors the Model is None and the report says why. A naming or format that
    does not exist is a ValueError.
    """
    if naming not in _NAMINGS:
        raise ValueError(f"naming is one of {', '.join(_NAMINGS)}, not {naming!r}")
    if format is not None and format not in FORMATS:
        raise ValueError(f"format is one of {', '.join(FORMATS)}, not {format!r}")
    resolver = Resolver(path, packages, roots=roots, limits=limits)
    options = Options(model_name, naming, tuple(joint_names))
    context = Context(Report(), resolver, options, _read_file)
    with _collection_paused():
        found = _read_source(os.fspath(source), format, context)
        if found is not None and _is_small_enough(found, context):
            check_model(found, context.report)
            found = found._replace(files=tuple(resolver.files))
    ok = context.report.ok
    return LoadResult(found if ok else None, context.report, tuple(resolver.files))


def load_model(source: Union[str, os.PathLike[str]], **options: Any) -> Model:
    """Return the Model of ``load`` with the same arguments; raise LoadError with errors."""
    result = load(source, **options)
    if result.model is None:
        raise LoadError(result.report)
    return result.model


def is_text(source: str) -> bool:
    """Tell whether a source is text: its first character that is not blank is ``<``."""
    return source.removeprefix('\ufeff').lstrip().startswith('<')


def _is_small_enough(model: Model, context: Context) -> bool:
    """Tell whether a Model keeps to the bound on frames, which all later work depends on."""
    most = context.resolver.limits.frames
    if len(model.frames) > most:
        context.report.add(
            codes.TOO_MANY_FRAMES,
            f'the model has {len(model.frames)} frames; the bound is {most}',
            model.location,
        )
    return len(model.frames) <= most


def _read_source(
    source: str, format: Optional[str], context: Context,  # noqa: A002
) -> Optional[Model]:
    if is_text(source):
        text = context.resolver.accept(source, context.report)
        return None if text is None else _read_bytes(text, format, context)
    return _read_file(source, None, context, format)


def _read_file(
    file: str, location: Optional[SourceRef], context: Context,
    format: Optional[str] = None,  # noqa: A002
) -> Optional[Model]:
    """Read a file in whatever format it is; a directory names its file in ``model.config``."""
    is_model = os.path.isfile(os.path.join(file, 'model.config'))
    if is_model and context.resolver.allows(file):
        manifest = import_module('hrdf_ros.readers.sdf.manifest')
        file = manifest.best_file(file, location, context.resolver, context.report)
        if file is None:
            return None
    source = context.resolver.read(file, context.report, location)
    return None if source is None else _read_bytes(source, format, context)


def _read_bytes(
    source: SourceFile, format: Optional[str], context: Context,  # noqa: A002
) -> Optional[Model]:
    reader = _reader(source, format or _by_suffix(source, context))
    if reader is None:
        context.report.add(
            codes.UNKNOWN_FORMAT, 'this is neither HRDF, SDFormat, SKEL nor URDF',
            source.included_from or Location(source.file, 1, 1), reference='FILE_READ')
        return None
    return reader(source, context)


def _by_suffix(source: SourceFile, context: Context) -> Optional[str]:
    """Return the format that the suffix tells; libsdformat takes URDF for SDFormat, so do we."""
    format = _SUFFIXES.get(_suffix(source.file))  # noqa: A001
    found = _sniff(source) if format == 'sdf' else None
    if found not in ('urdf', 'hrdf'):
        return format
    context.report.add(
        codes.SUFFIX_MISMATCH, 'this is URDF in a file that is named as SDFormat',
        Location(source.file, 1, 1), hint='name it .urdf')
    return found


def _suffix(file: str) -> str:
    return os.path.splitext(file)[1].lower()


def _reader(source: SourceFile, format: Optional[str]) -> Optional[Reader]:  # noqa: A002
    """Return the reader for a format; where it is unknown, a registered one or by content."""
    name = format or _registered(_suffix(source.file)) or _sniff(source)
    if name is None:
        return None
    if callable(name):
        return name
    read: Reader = import_module(f'hrdf_ros.readers.{name}').read
    return read


def _registered(suffix: str) -> Optional[Reader]:
    """Return the reader that a Python package registered for a suffix, without its dot."""
    if suffix in ('', '.xml'):
        return None
    from importlib.metadata import entry_points  # scanning costs 32 ms: unknown suffixes only
    for entry in entry_points(group='hrdf_ros.readers'):
        if entry.name == suffix[1:]:
            reader: Reader = entry.load()
            return reader
    return None


def _sniff(source: SourceFile) -> Optional[str]:
    """Return the format that the root element tells; URDF and HRDF share ``<robot>``."""
    root = root_element(source)
    if root is None:
        return None
    tag, attributes = root
    if tag != 'robot':
        return _ROOTS.get(tag)
    named = 'name' in attributes or _NAMED_PART.search(source.data)
    return 'urdf' if named else 'hrdf'


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: on large documents it is half of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
