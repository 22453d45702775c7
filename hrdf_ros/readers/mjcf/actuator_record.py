# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What MuJoCo makes of an actuator: one record, which each element of its classes changes in turn.

Elements of all tags change the same record, and the element of the actuator does so last. The
fields of the record have the names and the meaning of the attributes of ``<general>``. An element
starts from the gain, bias and dynamics of the nearest class whose last element has the same tag or
is a ``<general>``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
import math
from types import MappingProxyType
from typing import Any, NamedTuple

from hrdf_ros.readers.schema import TypedElement

Numbers = tuple[float, ...]
Range = tuple[float, float]
Values = Mapping[str, Any]

POS, VEL, FF, VOLTAGE, NONE, PRESSURE = (1 << bit for bit in range(6))
"""The inputs of an actuator as bits; a record has their sum."""
_INPUTS = {
    'pos': POS, 'vel': VEL, 'ff': FF, 'voltage': VOLTAGE, 'none': NONE, 'pressure': PRESSURE,
    'expmap': POS, 'quat': VEL}
"""The inputs by word; the two words of an orientation servo share bits with POS and VEL."""
_ZEROS = 10 * (0.0,)
"""The numbers of a gain, a bias or dynamics of which none is given."""
_ONE = (1.0, *_ZEROS[1:])
"""The gain and the dynamics of an actuator without classes."""
_NO_RANGE = (0.0, 0.0)
"""A range that is no limit."""
_LISTS = ('dynprm', 'gainprm', 'biasprm', 'damping')
_KEEPS_INPUT = ('general', 'plugin', 'orientation', 'pid', 'dcmotor')
"""Tags with an ``input``, which an actuator takes over from defaults with the same gain."""
_INHERITING = {
    'position': ('ctrlrange',), 'pid': ('ctrlrange', 'posrange'), 'intvelocity': ('actrange',)}
"""The ranges that ``inheritrange`` sets, for each tag of a servo."""


class Record(NamedTuple):
    """The settings that decide whether MuJoCo accepts an actuator; ``tag`` is the last one's."""

    tag: str = 'general'
    dyntype: str = 'none'
    gaintype: str = 'fixed'
    biastype: str = 'none'
    dynprm: Numbers = _ONE
    gainprm: Numbers = _ONE
    biasprm: Numbers = _ZEROS
    inputs: int = 0
    actdim: int = -1
    actearly: bool = False
    actlimited: str = 'auto'
    actrange: Range = _NO_RANGE
    ctrllimited: str = 'auto'
    ctrlrange: Range = _NO_RANGE
    forcelimited: str = 'auto'
    forcerange: Range = _NO_RANGE
    lengthrange: Range = _NO_RANGE
    inheritrange: float = 0.0
    damping: Numbers = (0.0,)
    around: Mapping[str, Record] = MappingProxyType({})
    """The records of outer classes from which elements of other tags than ``tag`` start."""


BLANK = Record()


def within(record: Record) -> Record:
    """Return the record that a class starts from if the class around it has this record."""
    continued = {tag: record for tag in _SETTLED if _continues(record, record.gaintype, tag)}
    return record._replace(around={**record.around, **continued})


def _continues(record: Record, gaintype: str, tag: str) -> bool:
    """Return whether an element of a tag starts from the gain, bias and dynamics of a record."""
    return record.tag in (tag, 'general') and gaintype == _SETTLED[tag][0]


def changed(record: Record, element: TypedElement) -> Record:
    """Return a record after an element with the tag of an actuator."""
    values = {name: value for name, value in element.values.items() if value is not None}
    gaintype = record.gaintype
    given: dict[str, Any] = {
        name: _prefixed(values, name, getattr(record, name)) if name in _LISTS else values[name]
        for name in values.keys() & Record._fields}
    record = record._replace(**given)
    inputs = record.inputs if record.gaintype == gaintype else 0
    if element.tag in _SETTLED:
        continues = _continues(record, gaintype, element.tag)
        before = record if continues else record.around.get(element.tag, BLANK)
        inputs = before.inputs
        record, before = (
            _without_other_range(each, element.tag, values) for each in (record, before))
        record = _SETTLED[element.tag][1](record, before, values)
    if 'input' in values:
        record = record._replace(inputs=sum({_INPUTS[word] for word in values['input']}))
    elif element.tag in _KEEPS_INPUT:
        record = record._replace(inputs=inputs)
    return record._replace(tag=element.tag if element.tag in _SETTLED else 'general')


def _without_other_range(record: Record, tag: str, values: Values) -> Record:
    """Return a record in which a given range replaces ``inheritrange``, and the reverse."""
    ranges = _INHERITING.get(tag, ())
    has_range = any(name in values for name in ranges)
    if ranges and values.get('inheritrange', 0.0) > 0.0 and not has_range:
        no_range: dict[str, Any] = {ranges[0]: _NO_RANGE}
        return record._replace(**no_range)
    if has_range and 'inheritrange' not in values:
        return record._replace(inheritrange=0.0)
    return record


def _prefixed(values: Values, name: str, before: Numbers) -> Numbers:
    """Return the numbers of an attribute, continued by those of ``before`` where it is shorter."""
    given = values.get(name, ())
    numbers = given if isinstance(given, tuple) else (given,)
    return (*numbers, *before[len(numbers):])


def _set(
    record: Record, dyntype: str, gaintype: str, biastype: str, *,
    dyn: Numbers = (), gain: Numbers = (), bias: Numbers = (), **others: Any,
) -> Record:
    """Return a record with the dynamics, gain and bias of a tag; the ranges stay as they are."""
    return record._replace(
        dyntype=dyntype, gaintype=gaintype, biastype=biastype,
        dynprm=(*dyn, *_ONE[len(dyn):]), gainprm=(*gain, *_ONE[len(gain):]),
        biasprm=(*bias, *_ZEROS[len(bias):]),
        **{'actdim': -1, 'actearly': False, 'actlimited': 'auto', **others})


def _damping(values: Values, before: Record) -> float:
    """Return the damping ratio of a servo, or its damping as a negative number."""
    if 'dampratio' in values:
        return float(values['dampratio'])
    return -values['kv'] if 'kv' in values else before.biasprm[2]


def _motor(record: Record, _: Record, __: Values) -> Record:
    return _set(record, 'none', 'fixed', 'none', inputs=0)


def _position(record: Record, before: Record, values: Values) -> Record:
    gain, lag = values.get('kp', before.gainprm[0]), values.get('timeconst')
    if lag is None and before.dyntype == 'filterexact':
        lag = before.dynprm[0]
    return _set(
        record, 'filterexact' if lag else 'none', 'fixed', 'affine',
        dyn=() if lag is None else (lag,), gain=(gain,),
        bias=(0.0, -gain, _damping(values, before)),
        inputs=POS, inheritrange=values.get('inheritrange', before.inheritrange))


def _integrated_velocity(record: Record, before: Record, values: Values) -> Record:
    return _position(record, before, values)._replace(dyntype='integrator', inputs=VEL)


def _orientation(record: Record, before: Record, values: Values) -> Record:
    gain = values.get('kp', before.gainprm[0])
    return _set(
        record, 'none', 'so3', 'so3', gain=(gain,),
        bias=(0.0, -gain, _damping(values, before)))


def _pid(record: Record, before: Record, values: Values) -> Record:
    states = before if before.dyntype == 'pid' else BLANK._replace(dynprm=_ZEROS, gainprm=_ZEROS)
    integral = values.get('ki', states.gainprm[0])
    slew = values.get('slewmax', states.dynprm[1])
    gain = values.get('kp', -before.biasprm[1] if before.gaintype == 'pid' else 1.0)
    return _set(
        record, 'pid' if integral or slew else 'none', 'pid', 'affine',
        dyn=(values.get('imax', states.dynprm[0]) if integral else 0.0, slew), gain=(integral,),
        bias=(0.0, -gain, _damping(values, before)),
        ctrlrange=values.get('posrange', record.ctrlrange),
        inheritrange=values.get('inheritrange', before.inheritrange))


def _velocity(record: Record, before: Record, values: Values) -> Record:
    gain = values.get('kv', before.gainprm[0])
    return _set(
        record, 'none', 'fixed', 'affine', gain=(gain,), bias=(0.0, 0.0, -gain), inputs=VEL)


def _damper(record: Record, before: Record, values: Values) -> Record:
    gain = -values['kv'] if 'kv' in values else before.gainprm[2]
    return _set(
        record, 'none', 'affine', 'none', gain=(0.0, 0.0, gain), ctrllimited='true', inputs=0)


def _cylinder(record: Record, before: Record, values: Values) -> Record:
    area, diameter = values.get('area', before.gainprm[0]), values.get('diameter', -1.0)
    if diameter >= 0.0:
        area = math.pi / 4.0 * diameter * diameter
    return _set(
        record, 'filter', 'fixed', 'affine', dyn=(values.get('timeconst', before.dynprm[0]),),
        gain=(area,), bias=values.get('bias', before.biasprm[:3]), inputs=PRESSURE)


def _muscle(record: Record, before: Record, values: Values) -> Record:
    given = (*values.get('range', (-1.0, -1.0)), *(values.get(name, -1.0) for name in (
        'force', 'scale', 'lmin', 'lmax', 'vmax', 'fpmax', 'fvmax')))
    is_muscle = before.gaintype == 'muscle'
    numbers = tuple(
        number if number >= 0.0 else old for number, old in zip(
            given, before.gainprm if is_muscle else _MUSCLE))
    lags = tuple(
        number if number >= 0.0 else old for number, old in zip(
            values.get('timeconst', (-1.0, -1.0)), before.dynprm if is_muscle else (0.01, 0.04)))
    return _set(
        record, 'muscle', 'muscle', 'muscle', gain=numbers, bias=numbers, inputs=0,
        dyn=(*lags, values.get('tausmooth', before.dynprm[2])))


def _adhesion(record: Record, before: Record, values: Values) -> Record:
    gain = values.get('gain', before.gainprm[0])
    return _set(
        record, 'none', 'fixed', 'none', gain=(gain,), ctrllimited='true', inputs=0)


def _dc_motor(record: Record, before: Record, values: Values) -> Record:
    if before.gaintype != 'dcmotor':
        before = before._replace(dynprm=_ZEROS, gainprm=_ZEROS)
    dyn, gain, bias = before.dynprm, before.gainprm, before.biasprm
    resistance, constant = _motor_constants(before, values, record.damping[0])
    control = _prefixed(values, 'controller', (*gain[4:7], *dyn[7:9], gain[7]))
    inductance, lag = _prefixed(values, 'inductance', (0.0, dyn[0]))
    if inductance > 0.0 and resistance:
        lag = inductance / resistance
    heat = _heat(*_prefixed(values, 'thermal', (*dyn[2:4], 0.0, *gain[2:4], dyn[4])))
    friction = _prefixed(values, 'lugre', (*dyn[5:7], *bias[3:6]))
    torque, current, change = _prefixed(values, 'saturation', (0.0, 0.0, dyn[1]))
    states = (lag, control[3], control[1], max(heat[:2]), friction[0])
    record = _set(
        record, 'dcmotor', 'dcmotor', 'dcmotor',
        dyn=(lag, change, *heat[:2], heat[4], *friction[:2], *control[3:5]),
        gain=(resistance, constant, *heat[2:4], *control[:3], control[5]),
        bias=(*_prefixed(values, 'cogging', bias[:3]), *friction[2:]),
        actdim=sum(number > 0.0 for number in states), actearly=True, actlimited='false')
    if 'saturation' in values:
        torque = torque or constant * current
        record = record._replace(forcerange=(-torque, torque))
    if torque > 0.0 or current > 0.0:
        record = record._replace(forcelimited='true')
    return record


def _heat(
    resistance: float, capacitance: float, lag: float, factor: float, reference: float,
    ambient: float,
) -> Numbers:
    """Return the thermal numbers of a DC motor, without the time constant that they imply."""
    if lag > 0.0 and resistance > 0.0 and capacitance == 0.0:
        capacitance = lag / resistance
    elif lag > 0.0 and capacitance > 0.0 and resistance == 0.0:
        resistance = lag / capacitance
    return resistance, capacitance, factor, reference, ambient


def _motor_constants(before: Record, values: Values, damping: float) -> tuple[float, float]:
    """Return the resistance and torque constant of a DC motor, given or from nominal values."""
    resistance = values.get('resistance', before.gainprm[0])
    of_torque, of_speed = _prefixed(values, 'motorconst', (before.gainprm[1], 0.0))
    voltage, torque, speed = _prefixed(values, 'nominal', (0.0, 0.0, 0.0))
    if voltage > 0.0 and speed > 0.0 and of_speed <= 0.0:
        of_speed = voltage / speed
        if damping > 0.0 and resistance > 0.0:
            inner = voltage * voltage - 4.0 * resistance * damping * speed * speed
            of_speed = (voltage + math.sqrt(inner)) / (2.0 * speed) if inner > 0.0 else of_speed
        elif damping > 0.0 and torque > 0.0 and of_speed > voltage * damping / torque:
            of_speed -= voltage * damping / torque
    constant = of_torque if of_torque > 0.0 else of_speed
    if of_torque > 0.0 and of_speed > 0.0:
        constant = math.sqrt(of_torque * of_speed)
    if resistance == 0.0 and voltage > 0.0 and torque > 0.0 and constant > 0.0:
        resistance = constant * voltage / torque
    return resistance, constant


_MUSCLE = (0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2)
"""The numbers of a muscle: range, force, scale, lmin, lmax, vmax, fpmax, fvmax."""
_SETTLED: Mapping[str, tuple[str, Callable[[Record, Record, Values], Record]]] = {
    'motor': ('fixed', _motor), 'position': ('fixed', _position),
    'intvelocity': ('fixed', _integrated_velocity), 'velocity': ('fixed', _velocity),
    'cylinder': ('fixed', _cylinder), 'adhesion': ('fixed', _adhesion),
    'damper': ('affine', _damper), 'orientation': ('so3', _orientation), 'pid': ('pid', _pid),
    'muscle': ('muscle', _muscle), 'dcmotor': ('dcmotor', _dc_motor)}
"""The type of gain whose numbers an element of each tag keeps, and what sets the other numbers."""
