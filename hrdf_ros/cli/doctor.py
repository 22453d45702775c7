# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf doctor``: say what is wrong with a running system."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from importlib import import_module

from hrdf_ros.cli.loading import read_model, READING, reading_of
from hrdf_ros.cli.options import command, finite_number, Option
from hrdf_ros.cli.output import columns, CommandError, errors_as, say, UsageError
from hrdf_ros.cli.report_formats import render
from hrdf_ros.cli.running import NO_ROS
from hrdf_ros.diagnostics import shortened
from hrdf_ros.doctor import Facts, Finding, judge
from hrdf_ros.listing import and_more, count_of
from hrdf_ros.load import load_published

_SECONDS = 5.0
"""The default of ``--seconds``; a message that is sent less often seems to be missing."""
_LISTED = 20
"""The maximum number of findings of a rule that are printed; JSON has all of them."""


@command(
    Option('[FILE]', 'the description that should run'),
    Option('--seconds N', 'how long to look (default 5)', finite_number, _SECONDS),
    Option('--json', 'write the findings as JSON'), READING,
    usage='hrdf doctor [OPTION...] [FILE] [--ros-args ...]')
def hrdf_doctor(options: argparse.Namespace) -> int:
    """
    Look at the running system and say what is wrong, why, and how to fix it.

    It looks at descriptions, joint states, stamps, TF and QoS for five seconds.
    With FILE it compares the running robot with it. Arguments after --ros-args go
    to ROS unchanged.

    for example:
      hrdf doctor
      hrdf doctor arm.hrdf
      hrdf doctor --json                  see hrdf schema doctor

    It requires ROS 2, but not the command ros2, and publishes nothing.
    Exit status: 0 nothing is wrong, 1 findings, 2 wrong usage.
    """
    if options.seconds <= 0.0:
        raise UsageError('--seconds must be above 0')
    model = None
    if options.file is not None:
        model, _ = read_model(reading_of(options))
    with errors_as(CommandError, ImportError, NO_ROS.format('doctor')):
        examination = import_module('hrdf_ros.node.examination')  # it requires ROS
    facts: Facts = examination.examine(options.seconds, options.ros_arguments)
    findings = judge(facts, load_published, model)
    if options.json:
        print(render({
            'ok': not findings, 'seconds': facts.seconds, 'file': options.file,
            'findings': [
                {**each._asdict(), 'subjects': list(each.subjects), 'nodes': list(each.nodes)}
                for each in findings]}))
    else:
        _print(facts, findings)
    return 1 if findings else 0


def _print(facts: Facts, findings: Sequence[Finding]) -> None:
    count = Counter(finding.rule for finding in findings)
    listed: Counter[str] = Counter()
    for finding in findings:
        listed[finding.rule] += 1
        if listed[finding.rule] > _LISTED:
            if listed[finding.rule] == count[finding.rule]:
                say(f'{and_more(count[finding.rule] - _LISTED)} [{finding.rule}]')
            continue
        _paragraph('', f'{finding.message} [{finding.rule}]')
        _paragraph('  why: ', finding.why)
        _paragraph('  fix: ', finding.fix)
        if finding.nodes:
            _paragraph('  nodes: ', ', '.join(finding.nodes))
    nodes = {each.node for each in facts.endpoints}
    frames = {each.child for each in facts.transforms}
    joints = {name for each in facts.joint_states for name in each.joints}
    seen = ', '.join((
        count_of(len(nodes), 'node'), count_of(len(facts.descriptions), 'description'),
        count_of(len(joints), 'joint'), count_of(len(frames), 'transform')))
    result = count_of(len(findings), 'finding') if findings else 'nothing is wrong'
    say(f'{result}: {seen} in {facts.seconds:g} seconds')


def _paragraph(start: str, text: str) -> None:
    """Print a text, shortened if it is too long, with its further lines indented."""
    from textwrap import wrap
    for line in wrap(
            start + shortened(text), max(columns(), 40),
            subsequent_indent=' ' * len(start) or '  ', break_long_words=False,
            break_on_hyphens=False):
        say(line)
