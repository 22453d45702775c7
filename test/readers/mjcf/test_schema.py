# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The schema of MJCF against the one that the installed MuJoCo prints."""

from __future__ import annotations

import re

from hrdf_ros.readers.mjcf.schema import SCHEMA
from hrdf_ros.readers.schema.declarations import Element
import pytest

Content = dict[tuple[str, ...], tuple[bool, set[str]]]
"""Whether an element may be there once only, and its attributes, by the tags that lead to it."""


def printed_schema(text: str) -> Content:
    """Return what MuJoCo prints: indented tags, their attributes beside and below."""
    found: Content = {}
    path: tuple[str, ...] = ()
    for line in text.replace('(world)body (R)', 'body (R)').splitlines():
        tag = re.match(r'( *)(\w+) \((.)\)\s*(.*)$', line)
        if tag is not None:
            path = (*path[:len(tag[1]) // 3], tag[2])
            found[path] = tag[3] == '?', set()
        found[path][1].update((line if tag is None else tag[4]).split())
    return found


def declared(path: tuple[str, ...]) -> Element:
    element = SCHEMA.elements['mujoco']
    for tag in path[1:]:
        child = element.children[tag]
        element = SCHEMA.elements[child] if isinstance(child, str) else SCHEMA.content_of(child)
    return element


def is_repeated(path: tuple[str, ...]) -> bool:
    child = declared(path[:-1]).children[path[-1]]
    return (SCHEMA.elements[child] if isinstance(child, str) else child).repeated


def test_schema_is_that_of_the_installed_mujoco() -> None:
    mujoco = pytest.importorskip('mujoco', reason='mujoco-core is not installed')
    printed = printed_schema(mujoco.mj_printSchema(False, False))
    assert len(printed) > 150
    found = []
    for path, (is_single, attributes) in printed.items():
        ours = declared(path)
        children = {other[-1] for other in printed if other[:-1] == path}
        found += [f'{path[-1]}@{name}' for name in attributes ^ set(ours.attributes)]
        found += [f'{path[-1]}/{tag}' for tag in children ^ set(ours.children) if tag != path[-1]]
        if path[1:] and is_single == is_repeated(path):
            found.append(f'{path[-1]} as often')
    # the world is a body in MuJoCo's own table; frames and their copies are beside bodies
    assert set(found) <= {
        'body/composite', 'body/frame', 'body/replicate', 'mujoco/frame', 'mujoco/worldbody'}
