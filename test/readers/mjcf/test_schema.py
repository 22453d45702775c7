# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The schema of MJCF against the one that the installed MuJoCo prints."""

from __future__ import annotations

import re
from typing import NamedTuple

from hrdf_ros.readers.mjcf.schema import SCHEMA
from hrdf_ros.readers.schema.declarations import Element
import pytest


class Printed(NamedTuple):
    """An element as ``mj_printSchema`` prints it."""

    tag: str
    is_single: bool
    attributes: set[str]
    children: list[Printed]


def printed_schema(text: str) -> Printed:
    """Return the root of what MuJoCo prints: indented tags, their attributes beside and below."""
    root = Printed('', False, set(), [])
    above = [root]
    for line in text.replace('(world)body (R)', 'body (R)').splitlines():
        found = re.match(r'( *)(\w+) \((.)\)\s*(.*)$', line)
        if found is None:
            above[-1].attributes.update(line.split())
            continue
        element = Printed(found[2], found[3] == '?', set(found[4].split()), [])
        del above[len(found[1]) // 3 + 1:]
        above[-1].children.append(element)
        above.append(element)
    return root.children[0]


def declared(element: Element | str) -> Element:
    found = SCHEMA.elements[element] if isinstance(element, str) else element
    return SCHEMA.elements[found.like] if found.like else found


def differences(printed: Printed, element: Element, path: str) -> list[str]:
    """Return where an element and all in it differ; bodies may be in bodies."""
    content = declared(element)
    tags = {'worldbody' if path == 'mujoco' and child.tag == 'body' else child.tag
            for child in printed.children}
    found = [f'{path}@{name}' for name in printed.attributes ^ set(content.attributes)]
    found += [f'{path}/{tag}' for tag in tags ^ set(content.children) if tag != printed.tag]
    for child in printed.children:
        ours = content.children.get(child.tag)
        if ours is not None and not isinstance(ours, str):
            if child.is_single == ours.repeated:
                found.append(f'{path}/{child.tag} as often')
            found += differences(child, ours, f'{path}/{child.tag}')
    return found


def test_schema_is_that_of_the_installed_mujoco() -> None:
    mujoco = pytest.importorskip('mujoco', reason='mujoco-core is not installed')
    printed = printed_schema(mujoco.mj_printSchema(False, False))
    assert sum(1 for _ in printed.children) > 10
    # frames and replicates have the content of bodies in MuJoCo's own table
    found = [one for one in differences(printed, SCHEMA.elements['mujoco'], 'mujoco')
             if not one.startswith(('mujoco/body', 'mujoco/frame'))]
    assert found == []
    body = next(child for child in printed.children if child.tag == 'body')
    beside = {
        'mujoco/body/frame', 'mujoco/body/replicate', 'mujoco/body/body',
        'mujoco/body/composite'}  # MuJoCo 3 has composites
    assert set(differences(body, SCHEMA.elements['body'], 'mujoco/body')) <= beside
