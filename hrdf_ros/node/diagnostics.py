# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the node says on /diagnostics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from diagnostic_msgs.msg import DiagnosticStatus, KeyValue
from hrdf_ros.diagnostics import Diagnostic, Report
from hrdf_ros.node.tf_stream import Live
import numpy as np

_LEVELS = {
    'error': DiagnosticStatus.ERROR, 'warning': DiagnosticStatus.WARN,
    'info': DiagnosticStatus.OK}
MOST_FINDINGS = 100
_LONGEST_SENTENCE = 1000


def one_line(found: Diagnostic) -> str:
    """Return a finding as the command line prints it: file:line:column: error[code]: message."""
    at = found.resolve()
    location = '' if at is None else ':'.join(
        str(part) for part in (at.file, at.line, at.column) if part is not None) + ': '
    hint = f' ({found.hint})' if found.hint else ''
    return shortened(f'{location}{found.severity}[{found.code}]: {found.message}{hint}')


def shortened(sentence: str) -> str:
    """Return a sentence without the middle of the endless word that it quotes."""
    if len(sentence) <= _LONGEST_SENTENCE:
        return sentence
    half = _LONGEST_SENTENCE // 2
    return f'{sentence[:half]} ... {sentence[-half:]}'


def description_status(
    name: str, live: Optional[Live], failed: Optional[Report],
) -> DiagnosticStatus:
    """Say what is loaded and what was found in it, or in the description that failed."""
    report = failed if failed is not None else live.robot.report if live else Report()
    findings = [found for found in report if found.severity != 'info']
    status = _status(f'{name}: description')
    if failed is not None:
        status.level = DiagnosticStatus.ERROR
        status.message = (
            'the new description has errors, the last good one is kept' if live
            else 'the description has errors, nothing is published')
    elif live is None:
        status.level = DiagnosticStatus.WARN
        status.message = 'no robot is loaded'
    else:
        status.hardware_id = live.robot.described.name
        status.message = f'{len(live.robot.model.bodies)} links published'
        if findings:
            status.level = DiagnosticStatus.WARN
            status.message = f'{len(findings)} warnings in the description'
    status.values = [
        KeyValue(key=found.code, value=one_line(found)) for found in findings[:MOST_FINDINGS]]
    return status


def joint_status(name: str, live: Live, received: int, seconds: float) -> DiagnosticStatus:
    """Say what came in on joint_states; ``received`` messages in the last ``seconds``."""
    activity = live.activity
    troubles = list(_troubles(live, received))
    status = _status(f'{name}: joint states')
    status.hardware_id = live.robot.described.name
    status.level = DiagnosticStatus.WARN if troubles else DiagnosticStatus.OK
    status.message = shortened('; '.join(troubles)) or 'joint states arrive'
    status.values = [
        KeyValue(key='rate', value=f'{received / seconds:.1f} Hz'),
        KeyValue(key='received', value=str(activity.received)),
        KeyValue(key='published', value=str(activity.published)),
        KeyValue(key='ignored', value=str(activity.ignored)),
    ]
    return status


def _troubles(live: Live, received: int) -> Sequence[str]:
    """Return what is wrong with the joint states, in words."""
    activity, model = live.activity, live.robot.model
    troubles = []
    if not received and model.coordinates:
        troubles.append('no joint states arrive')
    if activity.ignored:
        troubles.append(f'{activity.ignored} messages ignored: {_some(list(activity.faults))}')
    if activity.not_finite:
        troubles.append(f'{activity.not_finite} messages with positions that are not finite')
    if activity.unknown:
        troubles.append(f'unknown joints: {_some(list(activity.unknown))}')
    missing = [
        coordinate.name for coordinate, reported in zip(model.coordinates, live.reported)
        if not reported and coordinate.mimic is None]
    if missing:
        troubles.append(f'never reported: {_some(missing)}')
    outside = np.flatnonzero(live.reported & (
        (live.state < live.robot.lower) | (live.state > live.robot.upper)))
    if len(outside):
        names = [model.coordinates[index].name for index in outside]
        troubles.append(f'out of limits: {_some(names)}')
    troubles += _loops(live)
    return troubles


def _loops(live: Live) -> list[str]:
    """Return which closed loops do not close where the joints are, or are singular there."""
    robot, troubles = live.robot, []
    given = np.flatnonzero(live.reported).tolist()
    for state in robot.tree.dependent_solver(given).states(live.state):
        names = _some([robot.model.joints[index].name for index in state.joints])
        if not state.closed.all():
            troubles.append(f'the loop through {names} cannot close here')
        elif state.singular.any():
            troubles.append(f'the loop through {names} is in a singular configuration')
    return troubles


def _some(names: Sequence[str]) -> str:
    rest = len(names) - 5
    return ', '.join(names[:5]) + (f' and {rest} more' if rest > 0 else '')


def _status(name: str) -> DiagnosticStatus:
    return DiagnosticStatus(name=name, level=DiagnosticStatus.OK)
