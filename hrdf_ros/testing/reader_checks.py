# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Assertions about a third-party reader: what the rest of hrdf_ros relies on.

The idea comes from the test suite that hypothesis has for back ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
import os
import pickle
import random
from typing import Any, NamedTuple, Optional, Union

from hrdf_ros.check import check_model
from hrdf_ros.diagnostics import Locatable, Report
from hrdf_ros.document import SourceFile
from hrdf_ros.formats import DEFAULT_SDF
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import MJCF, sdf_target, TF, URDF
from hrdf_ros.model import Model, NONE
from hrdf_ros.readers.api import Context, Options, Reader
from hrdf_ros.readers.registry import read_file
from hrdf_ros.resolve import Resolver

_TARGETS = (TF, URDF, sdf_target(DEFAULT_SDF), MJCF)
_TOLERANCE = 1e-8
"""
The largest difference between poses that are equal, in meters and in entries of rotation matrices.
"""
_TOKENS = (
    b'', b'\0', b'\xff', b'<', b'>', b'&', b'"', b':', b'{', b'[', b'\n', b'nan', b'1e999', b'-1',
    b'0', b'x' * 300)
"""The texts that replace parts of a file."""


class _Reading(NamedTuple):
    """The result of a reader: a Model, or None with errors in the report."""

    source: SourceFile
    model: Optional[Model]
    report: Report


def check_reader(
    read: Reader, files: Iterable[Union[str, os.PathLike[str]]], *, mutations: int = 200,
    seed: int = 0,
) -> None:
    """
    Assert that a reader keeps the promises that the rest of hrdf_ros relies on.

    ``files`` are descriptions in the reader's format. Each is read as it is, and with
    ``mutations`` faults: as an empty file, and with random changes. An AssertionError names the
    file and the promise:

    - a reader raises no exception; it returns None if and only if there is an error in the report,
      and each error has its line in a file
    - a Model has unique names, a frame for each body, indices that exist, finite numbers, and
      the lines of bodies and joints; the same file gives the same Model, also in other processes
    - the Model can be written to each target: the text can be read again, with every link at the
      same pose in several configurations (loops aside, which URDF does not have)
    """
    __tracebackhide__ = True
    for file in files:
        with open(file, 'rb') as stream:
            source = SourceFile(os.fspath(file), stream.read())
        reading = _read(read, source, '')
        if reading.model is not None:
            _check_model(reading.model, reading)
            again = _read(read, source, '')
            _require(
                _text(again.model) == _text(reading.model), source, 'the same file gives another '
                'Model when it is read again')
            _check_targets(reading.model, source)
        for count, data in enumerate(_mutated(source.data, mutations, seed)):
            _check_faulty(read, source._replace(data=data), f' (mutation {count}, seed {seed})')


def _require(holds: bool, source: SourceFile, promise: str) -> None:
    __tracebackhide__ = True
    if not holds:
        raise AssertionError(f'{source.file}: {promise}')


# ---- reading

def _read(read: Reader, source: SourceFile, which: str) -> _Reading:
    """Return what a reader makes of a source; assert its promises about errors."""
    __tracebackhide__ = True
    report = Report()
    context = Context(report, Resolver(), Options(), read_file)
    try:
        model = read(source, context)
    except Exception as error:
        raise AssertionError(
            f'{source.file}{which}: the reader raises {type(error).__name__}: {error}') from error
    errors = [found for found in report if found.severity == 'error']
    _require(
        model is not None or bool(errors), source,
        f'the reader returns None without an error in the report{which}')
    _require(
        model is None or not errors, source, 'the reader returns a Model in spite of an error'
        f'{which}: {errors[0].message if errors else ""}')
    for found in errors:
        _require(
            _is_located(found.location, source), source,
            f'an error has no line in the file{which}: {found.message}')
    return _Reading(source, model, report)


def _is_located(location: Optional[Locatable], source: SourceFile) -> bool:
    """Return whether a location is a line of the source, or of another file that exists."""
    at = None if location is None else location.resolve()
    if at is None or at.line is None:
        return False
    if at.file != source.file:
        return os.path.exists(at.file)
    return 1 <= at.line <= source.data.count(b'\n') + 1


def _text(value: Any) -> str:
    """Return a Model as text, without the locations, which differ from reading to reading."""
    if isinstance(value, tuple):
        names = getattr(value, '_fields', [''] * len(value))
        parts = (_text(part) for name, part in zip(names, value) if name != 'location')
        return f'{type(value).__name__}({", ".join(parts)})'
    return repr(sorted(value) if isinstance(value, frozenset) else value)


# ---- the Model

def _check_model(model: Model, reading: _Reading) -> None:
    """Assert that the records of a Model refer to each other and to the file as they must."""
    __tracebackhide__ = True
    for fault in (*_wrong_names(model), *_wrong_indices(model), *_without_place(model, reading)):
        raise AssertionError(f'{reading.source.file}: {fault}')
    report = Report()
    check_model(model, report)
    for found in report:
        _require(found.severity != 'error', reading.source, found.message)
    _require(
        _text(pickle.loads(pickle.dumps(model))) == _text(model), reading.source,
        'another process would get another Model (pickle)')


def _wrong_names(model: Model) -> Iterator[str]:
    tables: tuple[tuple[str, Sequence[Any]], ...] = (
        ('body', model.bodies), ('frame', model.frames), ('joint', model.joints),
        ('coordinate', model.coordinates), ('configuration', model.configurations))
    for what, table in tables:
        seen: set[str] = set()
        for record in table:
            if not isinstance(record.name, str):
                yield f'the name of a {what} is no text: {record.name!r}'
            elif record.name in seen:
                yield f"two are named '{record.name}': {what}"
            seen.add(record.name)
    own = {(frame.name, frame.body): frame for frame in model.frames}
    for index, body in enumerate(model.bodies):
        if (body.name, index) not in own:
            yield f"no frame has the name of body '{body.name}' and is on it"


def _wrong_indices(model: Model) -> Iterator[str]:
    bodies, joints, coordinates, scopes = map(
        len, (model.bodies, model.joints, model.coordinates, model.scopes))
    used: list[tuple[str, int, int]] = []
    for joint in model.joints:
        what = f"joint '{joint.name}'"
        used += [(f'{what}: body', body, bodies) for body in (joint.parent, joint.child)]
        for motion in joint.motions:
            used += [(f'{what}: coordinate', index, coordinates) for index in motion.coordinates]
            count = 3 if motion.kind == 'rotation_vector' else 1
            if len(motion.coordinates) != count:
                yield (f'{what}: a motion {motion.kind} has {len(motion.coordinates)} '
                       f'coordinates, not {count}')
    for frame in model.frames:
        used.append((f"frame '{frame.name}': body", frame.body, bodies))
    for coordinate in model.coordinates:
        if coordinate.mimic is not None:
            used.append((
                f"coordinate '{coordinate.name}': leader", coordinate.mimic.leader, coordinates))
    for constraint in model.constraints:
        what = f"constraint '{constraint.name}'"
        used += [(f'{what}: body', index, bodies) for index in constraint.bodies]
        used += [(f'{what}: joint', index, joints) for index in constraint.joints]
    for count, scope in enumerate(model.scopes):
        what = f"scope '{scope.name}'"
        used += [
            (f'{what}: {field}', index, length) for field, index, length in (
                ('parent', scope.parent, count), ('canonical body', scope.canonical_body, bodies))
            if index != NONE]
    for configuration in model.configurations:
        used += [(f"configuration '{configuration.name}': coordinate", index, coordinates)
                 for index, _ in configuration.positions]
    if model.canonical_body != NONE:
        used.append(('canonical body', model.canonical_body, bodies))
    for what, index, length in used:
        if not 0 <= index < length:
            yield f'{what} {index} does not exist'


def _without_place(model: Model, reading: _Reading) -> Iterator[str]:
    """Yield the bodies and joints that should have a line in the file and have none."""
    worlds = {frame.body for frame in model.frames if frame.kind == 'world'}
    for index, body in enumerate(model.bodies):
        is_empty = index in worlds or not (body.inertia or body.visuals or body.collisions)
        if not (is_empty and body.location is None or _is_located(body.location, reading.source)):
            yield f"the location of body '{body.name}' is no line of a file"
    for joint in model.joints:
        is_empty = not joint.motions and joint.location is None
        if not (is_empty or _is_located(joint.location, reading.source)):
            yield f"the location of joint '{joint.name}' is no line of a file"


# ---- targets

def _check_targets(model: Model, source: SourceFile) -> None:
    """Assert that each target has every link, and that the links move as in the Model."""
    __tracebackhide__ = True
    from hrdf_ros.diff import agreement, diff_models, renamed_in
    from hrdf_ros.load import load
    from hrdf_ros.writers.mjcf import write_mjcf
    from hrdf_ros.writers.sdf import write_sdf
    from hrdf_ros.writers.urdf import write_urdf
    _require(not diff_models(model, model), source, 'the Model differs from itself')
    tree = lower(model, TF).topology
    _require(len(tree.roots) == 1, source, 'TF has not one root')
    for target, text in zip(_TARGETS[1:], (
            write_urdf(model)[0], write_sdf(model)[0], write_mjcf(model)[0])):
        again = load(text)
        if again.model is None:
            [first, *_] = [found for found in again.report if found.severity == 'error']
            raise AssertionError(
                f'{source.file}: the {target.name} of it cannot be read: {first.message}')
        lowered = lower(model, target).model
        found = agreement(
            model, again.model, {} if target is URDF else renamed_in(model, lowered))
        for name in found.missing:
            raise AssertionError(f"{source.file}: the {target.name} of it has no link '{name}'")
        _require(
            found.pose.value <= _TOLERANCE or bool(tree.loops) and not target.loops,
            source, f"in the {target.name} of it the frame '{found.pose.name}' is off by "
            f'{found.pose.value:.2g} m or rad')


# ---- faulty files

def _check_faulty(read: Reader, source: SourceFile, which: str) -> None:
    """Assert that a faulty file is refused, or that its Model can be checked and lowered."""
    __tracebackhide__ = True
    model = _read(read, source, which).model
    if model is None:
        return
    for fault in _wrong_indices(model):
        raise AssertionError(f'{source.file}{which}: {fault}')
    report = Report()
    try:
        check_model(model, report)
        for target in _TARGETS if report.ok else ():
            lower(model, target)
    except Exception as error:
        raise AssertionError(
            f'{source.file}{which}: with the Model of a faulty file, hrdf_ros raises '
            f'{type(error).__name__}: {error}') from error


def _mutated(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Yield an empty file, then ones with parts cut off, changed, doubled or removed by chance."""
    chance = random.Random(seed)
    for number in range(count):
        start = chance.randrange(len(data) + 1) if number else 0
        if number % 4 == 0:
            yield data[:start]
            continue
        end = min(start + chance.choice((0, 1, 1, 4, 40)), len(data))
        part = data[start:end] * 2 if number % 4 == 1 else chance.choice(_TOKENS)
        yield data[:start] + part + data[end:]
