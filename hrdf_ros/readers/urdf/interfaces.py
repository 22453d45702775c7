# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Check the interfaces of joints in ``<ros2_control>``: their names, and their limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from math import inf

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.model import Coordinate
from hrdf_ros.parsing import urdf
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.suggestions import closest

INTERFACES = ('position', 'velocity', 'effort', 'acceleration')
"""The interfaces that ros2_control and its controllers know for joints."""
_TAGS = ('command_interface', 'state_interface')
_SLACK = 1e-3
"""The share of a joint's limit by which an interface may exceed it, because files round limits."""


def check_interfaces(
    elements: Iterable[XmlElement], coordinates: Mapping[str, Coordinate], report: Report,
) -> None:
    """Report interfaces that are misspelled, or whose limits exceed those of their joint."""
    for control in elements:
        for joint in control.children if control.tag == 'ros2_control' else ():
            coordinate = coordinates.get(joint.get('name') or '')
            if joint.tag != 'joint' or coordinate is None:
                continue
            for interface in joint.children:
                if interface.tag in _TAGS:
                    _check_name(interface, report)
                    _check_limits(interface, coordinate, report)


def _check_name(interface: XmlElement, report: Report) -> None:
    """Report a name that is nearly one of ros2_control; drivers may have names of their own."""
    name = interface.get('name') or ''
    meant = closest(name, INTERFACES) if name.isalpha() and name not in INTERFACES else None
    if meant is not None:
        report.add(
            codes.URDF_CONTROL_INTERFACE, f"unknown interface '{name}'",
            interface.attribute_location('name', 0), hint=f"did you mean '{meant}'?")


def _check_limits(interface: XmlElement, coordinate: Coordinate, report: Report) -> None:
    """Report the minimum and maximum of an interface that its joint does not allow."""
    least, most = _range(interface.get('name') or '', coordinate)
    for param, value in _numbers(interface):
        which = param.get('name')
        limit = least if which == 'min' else most
        beyond = limit - value if which == 'min' else value - limit
        if beyond > _SLACK * abs(limit):
            report.add(
                codes.URDF_CONTROL_INTERFACE,
                f"the {which}imum {value:g} of the interface '{interface.get('name')}' exceeds "
                f"the limit {limit:g} of joint '{coordinate.name}'", param.text_location(),
                hint='keep it within the <limit> of the joint')


def _range(name: str, coordinate: Coordinate) -> tuple[float, float]:
    """Return the limits of a joint within which an interface has to stay."""
    if name == 'position':
        return coordinate.lower, coordinate.upper
    most = getattr(coordinate, name) if name in INTERFACES else inf
    return -most, most


def _numbers(interface: XmlElement) -> Iterator[tuple[XmlElement, float]]:
    """Yield the parameters ``min`` and ``max`` with their values, if these are numbers."""
    for param in interface.children:
        if param.tag == 'param' and param.get('name') in ('min', 'max'):
            with suppress(ValueSyntaxError):
                yield param, urdf.number(param.text.strip())
