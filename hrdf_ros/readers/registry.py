# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The list of formats, and the choice of a reader for a source.

To add a format, add its folder and its line in ``FORMATS``. Readers of other packages register
for a suffix that no format here has, in the entry-point group ``hrdf_ros.readers``.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
import os
import re
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import root_element, SourceFile, SourceRef
from hrdf_ros.file_reader import is_text
from hrdf_ros.model import Model, with_text, without_huge_limits
from hrdf_ros.names import renamed
from hrdf_ros.readers.api import Context, Reader
from hrdf_ros.readers.schema import Schema

_PART = rb'<(?:bracket|rigid-body|end-effector|actuator\s[^<>]*\btype\s*=)'
_NAMED_PART = rb'<(?:link|joint)\s(?:[^<>]*\s)?name\s*='


def _has_names(source: SourceFile, attributes: Mapping[str, str]) -> bool:
    """Return whether a robot or its links and joints have names, as in URDF and not in HRDF."""
    return 'name' in attributes or re.search(_NAMED_PART, source.data) is not None


def _has_parts(source: SourceFile, attributes: Mapping[str, str]) -> bool:
    """Return whether a robot has parts of HRDF's library, or a version x.y.z."""
    return attributes.get('version', '').count('.') == 2 or (
        re.search(_PART, source.data) is not None)


@cache
def _reader_in(module: str) -> Reader:
    """Import a module and return its Reader; every load asks for one, so it is cached."""
    reader: Reader = import_module(module).read
    return reader


class Format(NamedTuple):
    """
    A format: its suffixes, its root elements, and the module whose ``read`` is its Reader.

    ``accepts`` tells it from other formats with the same root element, by the source and the
    root's attributes; a format without ``accepts`` is the fallback. ``manifest`` is the module
    whose ``best_file`` finds the file of this format in a directory with ``model.config``.
    ``title`` is its name in messages; ``is_evident`` returns whether a source with this root
    element is certainly of this format. ``options`` says which of ``model_name`` and ``naming``
    have an effect on it. A reader that ``names_coordinates`` applies the option ``joint_names``
    itself. ``is_native_to_mujoco`` says that MuJoCo loads its files with the meaning that they
    have here.
    """

    name: str
    suffixes: tuple[str, ...]
    root_elements: tuple[str, ...]
    module: str
    accepts: Optional[Callable[[SourceFile, Mapping[str, str]], bool]] = None
    manifest: str = ''
    title: str = ''
    is_evident: Optional[Callable[[SourceFile, Mapping[str, str]], bool]] = None
    options: tuple[str, ...] = ()
    names_coordinates: bool = False
    is_native_to_mujoco: bool = False

    def reader(self) -> Reader:
        """Import the module and return the Reader."""
        return _reader_in(self.module)

    def schema(self) -> Schema:
        """Import the schema and return it."""
        schema: Schema = import_module(f'{self.module}.schema').SCHEMA
        return schema


FORMATS = (
    Format(
        name='hrdf', suffixes=('.hrdf',), root_elements=('robot',),
        module='hrdf_ros.readers.hrdf', title='HRDF', is_evident=_has_parts,
        options=('naming',), names_coordinates=True),  # bodies get names from them
    Format(
        name='sdf', suffixes=('.sdf', '.world'), root_elements=('sdf', 'gazebo'),
        module='hrdf_ros.readers.sdf', manifest='hrdf_ros.readers.sdf.include',
        title='SDFormat', options=('model_name', 'naming')),
    Format(
        name='mjcf', suffixes=('.mjcf',), root_elements=('mujoco',),
        module='hrdf_ros.readers.mjcf', title='MJCF', is_native_to_mujoco=True),
    Format(
        name='skel', suffixes=('.skel',), root_elements=('skel',),
        module='hrdf_ros.readers.skel', title='SKEL', options=('model_name',)),
    Format(
        name='urdf', suffixes=('.urdf', '.xacro'), root_elements=('robot',),
        module='hrdf_ros.readers.urdf', accepts=_has_names, title='URDF',
        is_evident=_has_names),
)
CONFIGURATION_SUFFIX = '.cfg.yaml'
"""
The suffix of HEBI's robot configuration, which refers to an HRDF file and so is no format itself.
"""
_SUPERSEDED = {'sdf': ('hrdf', 'urdf')}
"""The formats that a file may have in spite of its suffix: libsdformat reads URDF from .sdf."""
_ROOTS = {
    name: tuple({
        b'<%b' % root.encode() for found in FORMATS if found.name in others
        for root in found.root_elements})
    for name, others in _SUPERSEDED.items()}
"""A pattern for the beginning of the root elements of these formats."""


def has_effect(option: str, format: str) -> bool:  # noqa: A002
    """Return whether an option may affect a format; any may affect one of another package."""
    known = _format_named(format)
    return known is None or option in known.options


def is_native_to_mujoco(model: Model) -> bool:
    """Return whether MuJoCo loads the file of a Model with the meaning that it has here."""
    known = _format_named(model.format)
    return known is not None and known.is_native_to_mujoco


def may_replace(model: Model, target: str) -> bool:
    """Return whether a file in the target format is of the format that the Model was read from."""
    return model.format == target


def _format_named(name: str) -> Optional[Format]:
    """Return the format of this name, None for a format of another package."""
    return next((found for found in FORMATS if found.name == name), None)


def format_names() -> tuple[str, ...]:
    return tuple(found.name for found in FORMATS)


def read(source: str, context: Context, format: Optional[str] = None) -> Optional[Model]:  # noqa: A002
    """Read a path or a text of any format."""
    if not is_text(source):
        return read_file(source, None, context, format)
    text = context.resolver.accept(source, context.report)
    return None if text is None else read_source(text, context, format)


def read_file(
    file: str, location: Optional[SourceRef], context: Context,
    format: Optional[str] = None,  # noqa: A002
) -> Optional[Model]:
    """Read a file of any format; a directory names its file in ``model.config``."""
    if context.resolver.is_model_directory(file):
        manifest = next(found.manifest for found in FORMATS if found.manifest)
        file = import_module(manifest).best_file(
            file, location, context.resolver, context.report)
        if file is None:
            return None
    source = context.resolver.read(file, context.report, location)
    return None if source is None else read_source(source, context, format)


def read_source(
    source: SourceFile, context: Context, format: Optional[str] = None,  # noqa: A002
) -> Optional[Model]:
    """Return the Model of a source in the named format, else by its suffix or root element."""
    reader = _reader(source, context, format)
    if reader is None:
        from hrdf_ros.readers.other_files import what_it_is  # few sources lead here
        what = what_it_is(source)
        context.report.add(
            codes.UNKNOWN_FORMAT, f"unknown format; known are {', '.join(format_names())}"
            if what is None else f'this is {what}, not a robot description',
            source.included_from or Location(source.file, 1, 1), reference='FILE_READ',
            hint=partial(_other_file_of_hebi, source))
        return None
    first = len(context.report)
    model = reader(source, context)
    if model is not None:
        model = model._replace(coordinates=tuple(map(without_huge_limits, model.coordinates)))
        if model.source is not None:
            model = with_text(model, model.source)
        wanted = context.options.joint_names
        known = _format_named(model.format) if wanted else None
        if wanted and not (known and known.names_coordinates):
            model = _with_joint_names(model, wanted, context.report)
        return model
    if format is None:
        _explain_wrong_format(source, context.report, first)
    return None


def _with_joint_names(model: Model, wanted: Sequence[str], report: Report) -> Model:
    """Return the Model with other names for its coordinates."""
    names = renamed([one.name for one in model.coordinates], wanted, model.location, report)
    return model._replace(coordinates=tuple(
        one._replace(name=name) for one, name in zip(model.coordinates, names)))


def _other_file_of_hebi(source: SourceFile) -> Optional[str]:
    """Return the hint for a file of HEBI that belongs to a robot configuration but is none."""
    if source.file.lower().endswith(('.yaml', '.yml')):
        return f'a robot configuration of HEBI is named NAME{CONFIGURATION_SUFFIX}'
    root = root_element(source)
    if root is not None and root[0] == 'group_gains':
        return ('these are gains of HEBI modules; read the robot configuration that names them, '
                f'NAME{CONFIGURATION_SUFFIX}')
    return None


def _explain_wrong_format(source: SourceFile, report: Report, first: int) -> None:
    """Report that a refused file is of another format than its suffix says."""
    suffix = os.path.splitext(source.file)[1].lower()
    named = next((found for found in FORMATS if suffix in found.suffixes), None)
    root = None if named is None else root_element(source)
    if named is None or root is None:
        return
    tag, attributes = root
    other = next((
        found for found in FORMATS if found is not named and tag in found.root_elements
        and (found.is_evident is None or found.is_evident(source, attributes))), None)
    if other is None or named.is_evident and tag in named.root_elements and (
            named.is_evident(source, attributes)):
        return
    hint = f'name it {other.suffixes[0]}, or use --input-format {other.name}'
    if tag in named.root_elements:
        report.drop(first)
        report.add(
            codes.SUFFIX_MISMATCH, f'this is {other.title} in a file that is named as '
            f'{named.title}', source.included_from or Location(source.file, 1, 1), hint=hint,
            severity='error')
    else:
        for index, found in enumerate(report.diagnostics[first:], first):
            if found.severity == 'error':
                report.diagnostics[index] = found._replace(
                    hint=f'this looks like {other.title}: {hint}')
                return


def _reader(source: SourceFile, context: Context, name: Optional[str]) -> Optional[Reader]:
    if name is not None:
        return next(found for found in FORMATS if found.name == name).reader()
    if source.file.lower().endswith(CONFIGURATION_SUFFIX):
        return _reader_in('hrdf_ros.readers.hrdf.configuration')
    suffix = os.path.splitext(source.file)[1].lower()
    for found in FORMATS:
        if suffix in found.suffixes:
            return _checked(found, source, context).reader()
    registered = _registered(suffix)
    if registered is not None:
        return registered
    by_root = _by_root_element(source)
    return None if by_root is None else by_root.reader()


def _checked(named: Format, source: SourceFile, context: Context) -> Format:
    """Return the format that a suffix names, unless the file is evidently of another format."""
    if named.name not in _SUPERSEDED or _is_evidently_not(_ROOTS[named.name], source):
        return named
    found = _by_root_element(source)
    if found is None or found.name not in _SUPERSEDED[named.name]:
        return named
    context.report.add(
        codes.SUFFIX_MISMATCH,
        f'this is {found.title} in a file that is named as {named.title}',
        Location(source.file, 1, 1), hint=f'name it {found.suffixes[0]}')
    return found


def _is_evidently_not(roots: Sequence[bytes], source: SourceFile) -> bool:
    """Return whether it is evident that a source has none of these root elements."""
    data = source.data
    is_ascii = data.startswith(b'<') and b'\0' not in data[:4]
    return is_ascii and not any(root in data for root in roots)


def format_of(
    source: SourceFile, root: Optional[tuple[str, Mapping[str, str]]],
) -> Optional[Format]:
    """Return the format of a source by its suffix and its root element, as a load chooses it."""
    suffix = os.path.splitext(source.file)[1].lower()
    named = next((found for found in FORMATS if suffix in found.suffixes), None)
    by_root = None if root is None else _by_root(source, *root)
    if named is None or by_root is not None and by_root.name in _SUPERSEDED.get(named.name, ()):
        return by_root
    return named


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


def _by_root_element(source: SourceFile) -> Optional[Format]:
    """Return the format to which the root element belongs."""
    root = root_element(source)
    return None if root is None else _by_root(source, *root)


def _by_root(source: SourceFile, tag: str, attributes: Mapping[str, str]) -> Optional[Format]:
    found = [one for one in FORMATS if tag in one.root_elements]
    accepting = (one for one in found if one.accepts and one.accepts(source, attributes))
    return next(accepting, next((one for one in found if one.accepts is None), None))
