# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Report what other programs do with a description: what they refuse, drop or invent.

If a consumer does not read the format of a description, the description is converted. The
conversion reports what is lost, and the rules are applied to its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
import os
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.consumers import gazebo, mujoco, urdf_readers
from hrdf_ros.consumers.rules import CODES, Robot, Rule
from hrdf_ros.diagnostics import Report
from hrdf_ros.formats import DEFAULT_SDF
from hrdf_ros.lowering.target import sdf_target
from hrdf_ros.model import ConsumerName, Model
from hrdf_ros.resolve import Packages
from hrdf_ros.topology import span

__all__ = ['check_for', 'CONSUMERS', 'Rule', 'RULES']


RULES: tuple[Rule, ...] = (*urdf_readers.RULES, *gazebo.RULES, *mujoco.RULES)
"""The rules about all consumers, in the order of their diagnostics."""
_MESHES = os.path.abspath('meshes')
"""The directory to which a conversion would write meshes; nothing is written here."""


class Consumer(NamedTuple):
    """
    A program that reads descriptions; ``title`` is its name in messages.

    ``convert`` returns a description of another format as the consumer receives it, and adds to a
    report what is lost on the way.
    """

    title: str
    convert: Callable[[Model, Report], Model]


def _to_urdf(model: Model, report: Report) -> Model:
    from hrdf_ros.writers.urdf import make_urdf, UrdfOptions
    written = make_urdf(model, UrdfOptions(mesh_directory=_MESHES))
    report.extend(written.report)
    return written.lowered or model


def _to_sdf(model: Model, report: Report) -> Model:
    """
    Return the Model as SDFormat.

    Gazebo also reads URDF, which libsdformat converts in its own way; this follows libsdformat.
    """
    if model.source is not None:
        from hrdf_ros.parsing.gazebo import is_true
        from hrdf_ros.readers.sdf.reader import faults
        from hrdf_ros.readers.sdf.urdf_conversion.convert import convert
        converted = convert(model, report, strict_names=True, newest=True)
        elements = list(converted.root.walk()) if converted else []
        is_static = any(each.tag == 'static' and is_true(each.text) for each in elements)
        if converted and (is_static or any(each.tag == 'link' for each in elements)):
            report.diagnostics += [
                one for one in faults(converted) if one.severity == 'error' or one.reference]
        elif converted:
            report.add(
                codes.SDF_MODEL_WITHOUT_LINK, f"model '{model.name}' keeps no link",
                model.location, reference='MODEL_WITHOUT_LINK',
                hint='give the root link an <inertial>, or name it world')
        return model
    from hrdf_ros.writers.sdf import make_sdf
    written = make_sdf(model, sdf_target(DEFAULT_SDF))
    report.extend(written.report)
    return written.lowered or model


def _to_mjcf(model: Model, report: Report) -> Model:
    from hrdf_ros.writers.mjcf import make_mjcf, MjcfOptions
    written = make_mjcf(model, MjcfOptions(mesh_directory=_MESHES, for_mujoco=True))
    report.extend(written.report)
    return written.lowered or model


CONSUMERS: dict[ConsumerName, Consumer] = {
    'rviz': Consumer('RViz', _to_urdf), 'gazebo': Consumer('Gazebo', _to_sdf),
    'mujoco': Consumer('MuJoCo', _to_mjcf), 'moveit': Consumer('MoveIt', _to_urdf)}


def check_for(model: Model, consumers: Iterable[ConsumerName], report: Report) -> None:
    """
    Report what consumers refuse, drop or invent, each at its place in the source.

    Each diagnostic names its ``consumer``.
    """
    installed = Packages({}, os.environ, None)
    for name in consumers:
        title, convert = CONSUMERS[name]
        losses, found = Report(), Report()
        given = model if name in model.conventions.read_by else convert(model, losses)
        found.diagnostics = [
            one._replace(message=f'{title}: {one.message}') for one in losses]
        robot = Robot(given, span(given), installed, given is not model)
        for rule in RULES:
            for item in dict.fromkeys(rule.find(robot)) if name in rule.consumers else ():
                says = rule.says.format(item.detail)
                found.add(
                    CODES[rule.effect], f'{title} {says}', item.location, hint=rule.cure,
                    severity=rule.severity, subjects=(item.name,))
        found.diagnostics = [one._replace(consumer=name) for one in found]
        found.sort(0)
        report.extend(found)
