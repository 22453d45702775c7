# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Make the XML of other programs fit the link that it is written into.

Poses move along with the frame of a link, and a name is given once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.document import start_tag, XmlElement
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.model import Body, Model, RawElement
from hrdf_ros.model.raw_xml import own_pose, parsed
from hrdf_ros.names import Names
from hrdf_ros.pose import compose, Pose, to_rpy

_POSED = frozenset((
    'audio_sink', 'audio_source', 'light', 'particle_emitter', 'projector', 'sensor'))
"""The raw elements of a ``<link>`` of SDFormat whose poses are relative to the link."""
ONCE_IN_LINKS = frozenset((
    'enable_wind', 'gravity', 'kinematic', 'must_be_base_link', 'self_collide', 'velocity_decay'))
"""The elements of a ``<link>`` that are settings of the link and have no pose."""


def moved_raw(raw: RawElement, new_from_old: Pose) -> Optional[RawElement]:
    """
    Return an element of a link in SDFormat as an element of another link, with its pose moved.

    ``new_from_old`` is the pose of the old link in the new one. The result is None if the element
    is not of SDFormat, or may depend on the link's frame in another way. An element with a prefix,
    which SDFormat does not know, stays as it is.
    """
    if 'sdf' in raw.held_by and ':' in raw.tag:
        return raw
    if 'sdf' not in raw.held_by or raw.tag not in _POSED:
        return None
    root = parsed(raw)
    if root is None:
        return None
    written = root.child('pose')
    if written is not None and written.get('relative_to'):
        return raw
    old = own_pose(root)
    if old is None:
        return None
    moved = compose(new_from_old, old)
    numbers = ' '.join(repr(number + 0.0) for number in (*moved.position, *to_rpy(moved)))
    text = f'<pose>{numbers}</pose>'
    data = raw.text.encode()
    start = root.document.start_tag(root.start)
    assert start is not None  # parse() found it
    if written is not None:
        end = written.start + len(written.raw().encode())
        changed = data[:written.start] + text.encode() + data[end:]
    elif start.is_empty:
        changed = data[:start.end - len(b'/>')] + f'>{text}</{root.tag}>'.encode()
    else:
        changed = data[:start.end] + text.encode() + data[start.end:]
    return raw._replace(text=changed.decode())


def with_names_once(model: Model, notes: GroupedDiagnostics) -> Model:
    """
    Return a Model for SDFormat, which refuses two elements of a link with one tag and name.

    The second one gets another name; one that is the same as another is left out.
    """
    return model._replace(bodies=tuple(
        body._replace(extensions=tuple(_once_named(body, notes))) if body.extensions else body
        for body in model.bodies))


def _once_named(body: Body, notes: GroupedDiagnostics) -> Iterator[RawElement]:
    taken = defaultdict[str, Names](Names)
    texts = set[str]()
    for raw in body.extensions:
        root = parsed(raw) if raw.tag in _POSED else None
        name = None if root is None else root.get('name')
        if root is None or name is None:
            yield raw
            continue
        if raw.text in texts:
            notes.add(
                codes.EXTENSION_NOT_REPRESENTABLE, 'elements that a link has twice are written '
                'once', f'{body.name}: {raw.tag} {name}', raw.location)
            continue
        texts.add(raw.text)
        free = taken[raw.tag].claim(name)
        if free == name:
            yield raw
        else:
            notes.add(
                codes.NAME_CHANGED, 'elements of a link with the name of another one get a new '
                'name', f'{body.name}: {raw.tag} {name} -> {free}', raw.location,
                severity='warning')
            yield _renamed(raw, root, free)


def _renamed(raw: RawElement, root: XmlElement, name: str) -> RawElement:
    """Return an element with another name; its attributes are written anew."""
    data, start = raw.text.encode(), root.document.start_tag(root.start)
    assert start is not None  # parse() found it
    tag = start_tag(root.tag, {**root.attributes, 'name': name}.items())
    end = '/>' if start.is_empty else '>'
    return raw._replace(text=f'{tag}{end}{data[start.end:].decode()}')
