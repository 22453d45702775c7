# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Names of links and joints in the elements of Gazebo, ros2_control and transmissions."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef, XmlElement
from hrdf_ros.parsing.suggestions import did_you_mean

_OF_JOINTS = ('ros2_control', 'transmission')


def check_references(
    elements: Iterable[XmlElement], links: Collection[str], joints: Collection[str],
    report: Report,
) -> None:
    """Report names of links and joints that a robot has not in what other programs read."""
    for element in elements:
        if element.tag == 'gazebo':
            _check_gazebo(element, links, joints, report)
        elif element.tag in _OF_JOINTS:
            _check_joints(element, joints, report)


def _check_gazebo(
    element: XmlElement, links: Collection[str], joints: Collection[str], report: Report,
) -> None:
    name = element.get('reference')
    if name is not None and name not in links and name not in joints:
        report.add(
            codes.URDF_NAME_UNKNOWN, f"<gazebo> refers to '{name}', which is no link and no joint",
            element.attribute_location('reference', 0), hint=did_you_mean(name, [*links, *joints]),
            cause=name)


def _check_joints(top: XmlElement, joints: Collection[str], report: Report) -> None:
    """Check the joints in an element, and in ros2_control those that they mimic."""
    for element in top.walk():
        if element.tag == 'joint':
            name = element.get('name')
            if name is not None:
                _check_joint(name, top.tag, element.attribute_location('name', 0), joints, report)
        elif element.tag == 'param' and element.get('name') == 'mimic':
            _check_joint(
                element.text.strip(), top.tag, element.text_location(), joints, report)


def _check_joint(
    name: str, tag: str, location: SourceRef, joints: Collection[str], report: Report,
) -> None:
    if name not in joints:
        report.add(
            codes.URDF_NAME_UNKNOWN, f"<{tag}> refers to an unknown joint '{name}'", location,
            hint=did_you_mean(name, joints), cause=name)
