# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The page of what each consumer does with a file, from the rules of ``hrdf check --for``."""

from __future__ import annotations

from collections.abc import Iterator
import re

from hrdf_ros.consumers import CONSUMERS, Rule, RULES
from hrdf_ros.consumers.rules import CODES, Effect
from hrdf_ros.fields import unheld
from hrdf_ros.model import Body, ConsumerName, Coordinate, Holder, Joint, Model
from reference.markdown import table, text

_HEAD = """\
# What each consumer does with your file

Generated from the rules of [`hrdf check --for`](../command-line.md#for-other-programs),
which finds these cases in a file before anything is written, each at its place. A project sets
its consumers once: `for = ["rviz", "moveit"]` below `[tool.hrdf]` in `pyproject.toml`.

A consumer that does not read the format of a file gets what `hrdf convert` makes of it. The check
reports the losses of this conversion, too.

"""
_READS: dict[ConsumerName, tuple[str, tuple[Holder, ...]]] = {
    'rviz': ('RViz reads URDF by urdfdom, and gets transforms from robot_state_publisher.', (
        'urdf',)),
    'gazebo': ('Gazebo reads SDFormat by libsdformat, which converts URDF in its own way. The '
               'rules about the conversion of a URDF are those of libsdformat.', ('sdf',)),
    'mujoco': ('MuJoCo reads MJCF. It has an import of URDF of its own, which finds no package '
               'and drops visuals; the rules are about `hrdf convert`. Of a mesh it takes the '
               'convex hull for collisions, and no colors, which the conversion reports.', (
                   'mjcf',)),
    'moveit': ('MoveIt reads URDF by urdfdom, with an SRDF and joint_limits.yaml, which `hrdf '
               'moveit` writes.', ('urdf',))}
"""How each consumer reads a description, and the holders of the format that it reads."""
_EFFECTS: tuple[Effect, ...] = ('refuses', 'drops', 'invents')
_RECORDED = re.compile(r' gives this answer: \S+$')


def consumers_page() -> str:
    """Return the page: for each consumer a table of its rules, and the fields without a place."""
    return _HEAD + '\n'.join(_section(name) for name in CONSUMERS)


def _section(name: ConsumerName) -> str:
    title = CONSUMERS[name].title
    how, holders = _READS[name]
    rules = [rule for effect in _EFFECTS for rule in RULES
             if name in rule.consumers and rule.effect == effect]
    lost = ', '.join(sorted(set(_nouns(holders))))
    return (
        f'## {title}\n\n{text(how)}\n\n'
        + table(('severity', f'{title} ...', 'what to change', 'known from'), map(_row, rules))
        + f'\nIts format has no place for: {text(lost)}.\n')


def _row(rule: Rule) -> tuple[str, ...]:
    severity = rule.severity or CODES[rule.effect].severity
    source = _RECORDED.sub(', an answer that the tests record', rule.source)
    return severity, text(rule.says.format(rule.details)), text(rule.cure), text(source)


def _nouns(holders: tuple[Holder, ...]) -> Iterator[str]:
    """Yield the nouns of the fields that no holder has a place for."""
    for record in (Model, Coordinate, Joint, Body):
        for field in unheld(record, holders).values():
            yield field.noun
