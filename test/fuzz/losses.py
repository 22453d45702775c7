# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Whether each declared element and attribute is written to every target or named in a diagnostic.

A robot is read and written with and without one of them. Where the outputs are equal, a
diagnostic has to name it or an element around it.
"""

from __future__ import annotations

from collections.abc import Iterator
import re
from typing import NamedTuple, Optional
from xml.etree.ElementTree import Element

from fuzz.corpus import tree_of
from fuzz.mutate import document
from fuzz.schema_texts import Grammar, grammar, Item, plain_values, ROBOTS
from hrdf_ros import load, Model, Report, write_mjcf, write_sdf, write_urdf
from hrdf_ros.schema_export import versions_of

_WITHOUT_EFFECT = re.compile(
    r'/(actor|default|state|plugin|composite|flexcomp|replicate|light|skin|model_state)\b'
    r'|mujoco/(body|compiler|asset|deformable|custom|keyframe|visual/|statistic|size|extension)'
    r'|/frame|placement_frame|canonical_link|gearbox_|screw_thread_pitch|relative_to|expressed_in'
    r'|rotation_format|/population/|geom (mass|density|shellinertia|hfield|fitscale)|limited$'
    r'|robot/link type|robot/material|objname|joint1?$|tendon1$|self_collide')
"""Kept or left out as a whole, or without effect on these robots."""
_COMMON = frozenset({
    'sdf', 'world', 'model', 'robot', 'mujoco', 'worldbody', 'body', 'link', 'joint', 'name',
    'geometry', 'axis', 'axis2', 'limit', 'pose', 'origin', 'value'})
"""Words that a diagnostic may have for another reason."""


class Outcome(NamedTuple):
    """What was said in reading; the text and the messages of each target."""

    read: tuple[str, ...]
    written: dict[str, tuple[str, tuple[str, ...]]]


def silent_losses(name: str, step: int = 1, first: int = 0) -> Iterator[str]:
    """Yield each step-th thing that the newest version declares and that a target loses."""
    version = versions_of(name)[-1]
    known = grammar(name, version)
    for item in known.items[first::step]:
        if _WITHOUT_EFFECT.search(f'{"/".join(item.path)} {item.attribute}'.rstrip()):
            continue
        lost: list[str] = []
        for robot in ROBOTS[name]:
            targets = _lost(known, item, robot.format(version))
            if targets is not None:
                lost = lost or targets
            if targets == []:
                break
        else:
            if lost:
                yield f'{"/".join(item.path)} {item.attribute}: {", ".join(lost)}'


def _lost(known: Grammar, item: Item, robot: str) -> Optional[list[str]]:
    """Return the targets that lose it without a word, None where the robot cannot have it."""
    kind, root = known.type_of(item), tree_of(robot.encode())
    if kind is None or root is None:
        return None
    texts = [document(root)]
    element = known.reach(root, item)
    if item.attribute:
        texts = [document(root)]
    for value in plain_values(kind):
        _set(element, item.attribute, value)
        texts.append(document(root))
    texts = [*dict.fromkeys(texts)]
    outcomes = [outcome for text in texts if (outcome := _outcome(text)) is not None]
    if len(outcomes) < 2:
        return None
    without = outcomes[0]
    words = {*item.path, item.attribute} - _COMMON - {''}
    patterns = [rf'\b{re.escape(word)}\b' for word in words]
    if name := element.get('name'):
        patterns.append(rf"^frame-not-representable .*'{re.escape(name)}'")  # left out as a whole
    named = re.compile('|'.join(patterns) or '(?!)')
    return [
        target for target, first in without.written.items()
        if all(outcome.read == without.read and outcome.written[target] == first
               and not any(map(named.search, (*outcome.read, *outcome.written[target][1])))
               for outcome in outcomes[1:])]


def _set(element: Element, attribute: str, text: str) -> None:
    if attribute:
        element.attrib[attribute] = text
    else:
        element.text = text


def _outcome(text: bytes) -> Optional[Outcome]:
    """Return what is read and written of a file, None with errors."""
    loaded = load(text.decode())
    if loaded.model is None:
        return None
    return Outcome(_said(loaded.report), {
        target: (text, _said(report))
        for target, (text, report) in _written(loaded.model._replace(source=None)).items()})


def _written(model: Model) -> dict[str, tuple[str, Report]]:
    return {
        'urdf': write_urdf(model, gazebo=True), 'sdf': write_sdf(model),
        'mjcf': write_mjcf(model)}


def _said(report: Report) -> tuple[str, ...]:
    return tuple(sorted(f'{found.code} {found.message}' for found in report))
