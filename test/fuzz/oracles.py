# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What must hold of whatever came in; a Broken says what did not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import BytesIO, StringIO, TextIOWrapper
import math
from pathlib import Path
from typing import Optional
from warnings import catch_warnings, simplefilter

from hrdf_ros import Kinematics, load, write_dot, write_mjcf, write_sdf, write_urdf
from hrdf_ros.cli import main
from hrdf_ros.diagnostics import Diagnostic, Location, Report
from hrdf_ros.diff import agreement, diff_models
from hrdf_ros.document import SourceRef
from hrdf_ros.load_result import LoadResult
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import MJCF, sdf_target, Target, URDF
from hrdf_ros.meshes import MeshReader
from hrdf_ros.model import Model
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.view.scene import build_scene
from lxml import etree
import numpy as np

MOST_LOCATIONS = 40
"""Of so many diagnostics of a report the location is checked."""

MODERATE = 1e50
"""Up to such numbers the poses of a model stay finite when they are multiplied."""

MOST_COMPARED = 60
"""Frames of the largest model that is compared with itself, written and read."""
TOLERANCE = 1e-6

Write = Callable[[Model], tuple[str, Report]]


class Broken(AssertionError):
    """Something that must hold did not."""


def require(holds: bool, message: str) -> None:
    """Raise Broken unless something holds."""
    if not holds:
        raise Broken(message)


def check_grammar(read: Callable[[str], object], text: str) -> None:
    """Require that a grammar gives a value, or an error that points into the text."""
    try:
        read(text)
    except ValueSyntaxError as fault:
        require(bool(fault.message), 'a fault without a message')
        require(0 <= fault.index <= len(text), f'the fault is at {fault.index} of {len(text)}')


def check_loaded(loaded: LoadResult) -> None:
    """There is a model exactly where there is no error, and diagnostics point into files."""
    require((loaded.model is not None) == loaded.report.ok, 'a model with errors, or no reason')
    check_report(loaded.report)
    if loaded.model is not None:
        check_model(loaded.model)


def check_report(report: Report) -> None:
    """Require that diagnostics have a sentence, and locations inside their files."""
    for found in report.diagnostics[:MOST_LOCATIONS]:
        require(bool(found.message.strip()), f'{found.code} has no message')
        at = found.resolve()
        if at is not None:
            _check_location(found, at)


def _check_location(found: Diagnostic, at: Location) -> None:
    for include in at.included_from:
        require((include.line or 0) >= 1 and (include.column or 0) >= 1, f'{found} from {include}')
    if isinstance(found.location, SourceRef) and found.location.document.source_map is None:
        offset = found.location.offset()
        data = found.location.document.data
        require(0 <= offset <= len(data), f'{found.code} at byte {offset} of {len(data)}')
        start = data.rfind(b'\n', 0, offset) + 1
        line = data.count(b'\n', 0, offset) + 1
        column = len(data[start:offset].decode('utf-8', 'ignore')) + 1
        require(at.line == line, f'{found.code} at line {at.line} instead of {line}')
        close = abs((at.column or 0) - column) <= 1  # a byte in the middle of a character
        require(close, f'{found.code} at column {at.column} instead of {column}')


def check_model(model: Model) -> None:
    """Names are unique and indices lead somewhere."""
    for items in (model.frames, model.joints, model.coordinates):
        names = [item.name for item in items]
        require(len(set(names)) == len(names), 'duplicate name')
    bodies = range(-1, len(model.bodies))
    require(all(frame.body in bodies for frame in model.frames), 'a frame on no body')
    ends = (end for joint in model.joints for end in (joint.parent, joint.child))
    require(all(end in bodies for end in ends), 'a joint between nothing')


def check_kinematics(model: Model) -> None:
    """Every frame has a pose."""
    with np.errstate(all='ignore'):
        tree = Kinematics(model)
        poses = tree.fk()
    require(poses.shape == (len(model.frames), 4, 4), f'the shape of the poses is {poses.shape}')
    if _is_moderate(model):
        require(bool(np.isfinite(poses).all()), 'a pose is not finite')


def _is_moderate(model: Model) -> bool:
    """Return whether all numbers of a model may be multiplied without overflow."""
    return all(abs(number) < MODERATE for number in _numbers(model) if not math.isinf(number))


def _numbers(item: object) -> Iterable[float]:
    if isinstance(item, float):
        yield item
    elif isinstance(item, tuple):
        for part in item:
            yield from _numbers(part)


def check_written(model: Model) -> None:
    """Require that a written file can be read, agrees with the model, and is written as it is."""
    _check_again(model, write_urdf, 'urdf', URDF)
    _check_again(model, partial(write_urdf, gazebo=True, expand_ball=True), 'urdf')
    _check_again(model, write_sdf, 'sdf', sdf_target('1.11'))
    _check_again(model, write_mjcf, 'mjcf', MJCF)
    text, report = write_dot(model)
    require(text.startswith('digraph') and report.ok, 'no graph')


def check_scene(model: Model) -> None:
    """Every model can be drawn."""
    with np.errstate(all='ignore'), catch_warnings():
        simplefilter('ignore', RuntimeWarning)
        build_scene(model, Kinematics(model).fk(), MeshReader())


COMMANDS = (
    'tree', 'frames --json', 'info --json', 'check --json --strict', 'srdf --no-collisions',
    'ros2-control', 'convert --to dot', 'convert --to sdf', 'convert --frames all',
    'convert --to mjcf --free-base', 'convert --merge-fixed', 'convert --to sdf --flatten',
    'format --diff')


def check_command(arguments: Sequence[str]) -> None:
    """Require that a command ends with a status and a sentence, whatever it is given."""
    out = TextIOWrapper(BytesIO(), 'utf-8', errors='backslashreplace')
    err = StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(arguments)
    require(status in (0, 1, 2), f'{arguments[0]} ends with status {status}')
    said = err.getvalue()
    require('internal error' not in said, f'{arguments[0]}: {said}')
    require(bool(said or out.buffer.tell()), f'{arguments[0]} ends with no word')


def _check_again(
    model: Model, write: Write, format: str, target: Optional[Target] = None,  # noqa: A002
) -> None:
    first = _read_again(model, write, format)
    if first is not None and target is not None and len(model.frames) <= MOST_COMPARED:
        _check_agreement(model, first, target)
    second = None if first is None else _read_again(first, write, format)
    if first is None or second is None or len(first.frames) > MOST_COMPARED:
        return
    if _is_moderate(first):
        with np.errstate(all='ignore'):
            differences = diff_models(first, second, tolerance=TOLERANCE * _reach(first))
        require(not differences, f'{format} written again differs: {differences[:3]}')


def _check_agreement(model: Model, written: Model, target: Target) -> None:
    """Require that no link is lost and that frames are where they were."""
    lowered = () if written.format == 'urdf' else lower(model, target).model.bodies
    renamed = {body.name: other.name for body, other in zip(model.bodies, lowered)}
    with np.errstate(all='ignore'):
        found = agreement(model, written, renamed)
    require(not found.missing, f'{written.format} lacks links: {found.missing[:3]}')
    if _is_moderate(model):
        require(found.pose.value <= TOLERANCE * _reach(model),
                f'{written.format}: {found.pose.name} is {found.pose.value} away')


def _reach(model: Model) -> float:
    """Return how far away something may be, in meters, at least 1: poses are as exact."""
    ends = [end for joint in model.joints
            for end in (joint.parent_from_joint, joint.child_from_joint)]
    poses = [*ends, *(frame.pose for frame in model.frames)]
    return 1.0 + math.fsum(abs(number) for pose in poses for number in pose[:3])


def _read_again(model: Model, write: Write, format: str) -> Optional[Model]:  # noqa: A002
    """Return what is read of what is written of a model, None where it cannot be written."""
    text, report = write(model._replace(source=None))
    check_report(report)
    if not report.ok:
        return None
    etree.fromstring(text.encode())  # raises where it is not well-formed, prefixes included
    loaded = load(text, format=format)
    for found in loaded.report:
        # the raw text of others may have names that were legal in its own version
        bad = found.severity == 'error' and found.code != 'sdf-delimiter-in-name'
        require(not bad, f'{format} not read, {found.code}: {found.message}')
    return loaded.model


def check_roots(files: Iterable[str], root: Path) -> None:
    """No file was read that lies outside a directory."""
    for file in files:
        inside = Path(file).resolve().is_relative_to(root)
        require(inside, f'{file} was read, which is outside {root}')
