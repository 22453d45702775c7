# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""HRDF 1.0.0 to 1.6.0, the HEBI Robot Description Format."""

from __future__ import annotations

from collections.abc import Sequence
import os
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile
from hrdf_ros.file_reader import TEXT
from hrdf_ros.model import Model
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.hrdf.chain_reader import HrdfRobot, read_robot
from hrdf_ros.readers.hrdf.elements import ChainElement
from hrdf_ros.readers.hrdf.model_builder import build
from hrdf_ros.readers.hrdf.schema import VALUE_PATHS
from hrdf_ros.readers.schema import TypedElement


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of an HRDF file; None with errors, which are in the report."""
    robot = read_elements(source, context)
    if robot is None:
        return None
    name = 'robot' if source.file == TEXT else os.path.splitext(os.path.basename(source.file))[0]
    return build(robot, name, context.options, context.report, context.resolver)


def read_elements(source: SourceFile, context: Context) -> Optional[HrdfRobot]:
    """Return the elements of an HRDF file; None with errors, which are in the report."""
    report = context.report
    before = len(report)
    root = parse(
        source, report, TypedElement, value_paths=VALUE_PATHS, declaration_anywhere=True)
    robot = None if root is None else read_robot(root, context)
    report.sort(before)
    if robot is None or any(found.severity == 'error' for found in report.diagnostics[before:]):
        return None
    _note_approximations(robot.elements, report)
    return robot


def _note_approximations(elements: Sequence[ChainElement], report: Report) -> None:
    """Say once for each type that its inertia is approximated."""
    reported = set()
    for element in elements:
        if not element.approximated or element.type in reported:
            continue
        reported.add(element.type)
        report.add(
            codes.HRDF_INERTIA_APPROXIMATED,
            f'the inertia of {element.type} is not published; that of R8 is scaled to its mass '
            'and height', element.location,
            hint='give ixx, iyy, izz, ixy, ixz, iyz yourself')
