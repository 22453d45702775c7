# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Why MuJoCo refuses an actuator or a default of one, judged by the record that it results in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Optional

from hrdf_ros.readers.mjcf.actuator_record import (
    FF,
    NONE,
    POS,
    PRESSURE,
    Range,
    Record,
    VEL,
    VOLTAGE,
)
from hrdf_ros.readers.schema import TypedElement

_CONTROL = POS | VEL | FF
"""The inputs of a controller."""
_NOT_NEGATIVE = ('kv', 'dampratio', 'timeconst')
_SERVOS = ('position', 'intvelocity', 'orientation', 'pid')


class Target(NamedTuple):
    """
    What an actuator drives: the attribute that names it and, for a joint, the kind of joint.

    ``range`` is the range of a hinge, slide or tendon, None for other targets.
    """

    attribute: str
    kind: str = ''
    range: Optional[Range] = None  # noqa: A003
    has_refsite: bool = False


def faults_of_element(record: Record, element: TypedElement) -> Iterator[str]:
    """Yield what is wrong with a record after an element, in a default class as well."""
    tag, values = element.tag, element.values
    if {'kv', 'dampratio'} <= element.attributes.keys():
        yield "'kv' and 'dampratio' exclude each other"
    if tag in _SERVOS and any((values.get(name) or 0.0) < 0.0 for name in _NOT_NEGATIVE):
        yield 'a gain and a constant of time must not be negative'
    if tag == 'pid' and record.dynprm[1] < 0.0:
        yield "'slewmax' must not be negative"
    if tag in ('damper', 'adhesion'):
        if record.gainprm[2] > 0.0 or record.gainprm[0] < 0.0:
            yield 'its gain must not be negative'
        if min(record.ctrlrange) < 0.0:
            yield 'the range of its control must not be negative'
    if tag == 'muscle' and record.dynprm[2] < 0.0:
        yield "'tausmooth' must not be negative"
    if record.inheritrange > 0.0:
        if tag in ('position', 'pid') and any(record.ctrlrange):
            yield "'inheritrange' and a range of the control exclude each other"
        if tag == 'intvelocity' and any(record.actrange):
            yield "'inheritrange' and 'actrange' exclude each other"
    if tag == 'dcmotor':
        yield from _faults_of_motor(record, element)


def _faults_of_motor(record: Record, element: TypedElement) -> Iterator[str]:
    values = element.values
    if min(values.get('motorconst') or (0.0,)) < 0.0:
        yield 'a motor constant must not be negative'
    elif record.gainprm[1] <= 0.0:
        if record.inputs != NONE:
            yield "the motor needs a constant above 0: 'motorconst', or 'nominal'"
        elif any((values.get('saturation') or ())[1:2]):
            yield 'a limit of the current needs a motor constant'
    if record.gainprm[0] <= 0.0:
        yield "the motor needs a resistance above 0: 'resistance', or 'nominal'"
    if min(values.get('inductance') or (0.0,)) < 0.0:
        yield "'inductance' must not be negative"
    thermal = values.get('thermal') or ()
    if (max(record.dynprm[2:4]) > 0.0 or any(one > 0.0 for one in thermal[2:3])) and min(
            record.dynprm[2:4]) <= 0.0:
        yield "'thermal' needs a resistance and a capacitance above 0"


def faults(record: Record, target: Target) -> Iterator[str]:
    """Yield what is wrong with the record of an actuator and with the target that it drives."""
    if 'so3' in (record.gaintype, record.biastype):
        yield from _faults_of_orientation(record, target)
    elif record.gaintype == 'pid':
        yield from _faults_of_pid(record, target)
    elif record.gaintype == 'dcmotor':
        yield from _faults_of_inputs(record)
    elif record.inputs and record.gaintype in ('muscle', 'user'):
        yield "a muscle and a gain of the user have no 'input'"
    elif record.inputs not in (0, POS, VEL, PRESSURE):
        yield "'input' is 'pos', 'vel' or 'pressure'"
    if record.dyntype == 'pid' != record.gaintype:
        yield "'dyntype' is 'pid' only with 'gaintype' 'pid'"
    if record.dyntype == 'dcmotor' and not record.actearly:
        yield "a DC motor needs 'actearly'"
    if inherits_range(record):
        yield from _faults_of_inherited(record, target)
    for kind, numbers in ((record.gaintype, record.gainprm), (record.biastype, record.biasprm)):
        if kind == 'muscle':
            yield from _faults_of_muscle(*numbers[:9])


def _faults_of_orientation(record: Record, target: Target) -> Iterator[str]:
    if record.gaintype != record.biastype:
        yield "'gaintype' and 'biastype' are both 'so3', or neither"
        return
    if record.dyntype not in ('none', 'integrator'):
        yield "the 'dyntype' of an orientation servo is 'none' or 'integrator'"
    if record.gainprm[0] != -record.biasprm[1]:
        yield 'the first gain of an orientation servo is minus the second bias'
    if target.attribute == 'joint':
        if target.kind != 'ball':
            yield 'an orientation servo needs a ball joint'
    elif target.attribute != 'site':
        yield 'an orientation servo needs a site or a ball joint'
    elif not target.has_refsite:
        yield "an orientation servo of a site needs a 'refsite'"
    if record.inputs not in (0, POS, VEL):
        yield "the input of an orientation servo is 'expmap' or 'quat'"
    elif record.dyntype == 'integrator' and record.inputs == VEL:
        yield "the input 'quat' needs 'dyntype' 'none'"
    if record.dyntype == 'integrator' and record.actdim > 0 and record.actdim != 3:
        yield "'actdim' of an orientation servo is 3"
    if is_limit(record.forcelimited, record.forcerange) and record.forcerange[0] != 0.0:
        yield "'forcerange' of an orientation servo begins at 0: it limits the magnitude"


def _faults_of_pid(record: Record, target: Target) -> Iterator[str]:
    if record.biastype != 'affine':
        yield "a PID servo needs 'biastype' 'affine'"
    if record.dyntype not in ('none', 'pid'):
        yield "the 'dyntype' of a PID servo is 'none' or 'pid'"
    if record.dyntype == 'none' and record.gainprm[0]:
        yield "an integral gain needs 'dyntype' 'pid'"
    if target.attribute == 'body':
        yield 'a PID servo does not drive a body'
    if record.inputs & ~_CONTROL:
        yield "the inputs of a PID servo are 'pos', 'vel' and 'ff'"
    if record.dyntype == 'pid':
        if min(record.dynprm[:2]) < 0.0:
            yield "'imax' and 'slewmax' must not be negative"
        if record.inputs and not record.inputs & POS:
            yield "'ki' and 'slewmax' need the input 'pos'"


def _faults_of_inputs(record: Record) -> Iterator[str]:
    """Yield what is wrong with the controller of a DC motor."""
    inputs = record.inputs or VOLTAGE
    if inputs != NONE and inputs & ~(_CONTROL | VOLTAGE):
        yield "the inputs of a DC motor are 'none', or 'pos', 'vel', 'ff' and 'voltage'"
    if inputs & _CONTROL:
        if record.gainprm[1] <= 0.0:
            yield 'a controller needs a motor constant above 0'
    elif any(record.gainprm[4:7]) or record.dynprm[7] > 0.0:
        yield "a controller needs the input 'pos', 'vel' or 'ff'"
    if record.gainprm[5] > 0.0 and not inputs & POS:
        yield "an integral gain needs the input 'pos'"


def _faults_of_muscle(
    lower: float, upper: float, _: float, scale: float, lmin: float, lmax: float, *others: float,
) -> Iterator[str]:
    if lower >= upper:
        yield "the first number of 'range' must be less than the second"
    if not lmin < 1.0 < lmax:
        yield "'lmin' must be less than 1, and 'lmax' greater"
    if min(scale, *others) <= 0.0:
        yield "'scale', 'vmax', 'fpmax' and 'fvmax' must be positive"


def inherits_range(record: Record) -> bool:
    """Return whether the range of what an actuator drives decides its own."""
    return record.inheritrange > 0.0 and record.biastype == 'affine' and (
        record.gaintype == 'pid'
        or record.gaintype == 'fixed' and record.gainprm[0] == -record.biasprm[1])


def _faults_of_inherited(record: Record, target: Target) -> Iterator[str]:
    if record.dyntype not in ('none', 'filterexact', 'pid', 'integrator'):
        yield "'inheritrange' is for position and intvelocity servos"
    elif target.attribute not in ('joint', 'tendon'):
        yield "'inheritrange' is for actuators of joints and tendons only"
    elif target.range is None:
        yield "'inheritrange' is for hinges and slides only"
    elif target.range[0] == target.range[1]:
        yield "what it drives has no range for 'inheritrange'"


def is_limit(word: str, limits: Range) -> bool:
    """Return whether a range is a limit; ``word`` is true, false or auto."""
    return word == 'true' or word == 'auto' and limits[0] < limits[1]


def faults_of_states(record: Record) -> Iterator[str]:
    """Yield what is wrong with the number of activations; for plugins other rules hold."""
    count, states = record.actdim, state_count(record)
    is_orientation = record.gaintype == 'so3' and record.dyntype == 'integrator'
    if record.gaintype == 'pid' and record.dyntype == 'pid':
        if count > 0 and count != states:
            yield f"'actdim' is {count}, but the servo has {states} states"
        count = states
    if 'dcmotor' in (record.dyntype, record.gaintype):
        implied = {'none': 0, 'dcmotor': states}.get(record.dyntype, 1)
        found = count if count >= 0 else implied
        if found != states:
            yield f'it has {found} activations, but the motor has {states} states'
    if count > 1 and record.dyntype not in ('user', 'dcmotor', 'pid') and not is_orientation:
        yield "'actdim' above 1 is for 'dyntype' 'user', 'dcmotor' and 'pid'"
    if count == 1 and record.dyntype == 'none':
        yield "'actdim' is 1, but it has no dynamics"
    if count == 0 and record.dyntype not in ('none', 'dcmotor') and not is_orientation:
        yield "'actdim' is 0, but it has dynamics"


def state_count(record: Record) -> int:
    """Return how many activations the numbers of a PID servo or DC motor need."""
    dyn, gain = record.dynprm, record.gainprm
    if record.gaintype == 'pid':
        return (dyn[1] > 0.0) + (gain[0] > 0.0)
    return sum(number > 0.0 for number in (dyn[0], dyn[2], dyn[5], dyn[7], gain[5]))
