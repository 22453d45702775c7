# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The frozen records of links, joints, frames, models and worlds.

Reading makes them from elements; composing puts them into scopes. The later phases keep what they
find out about a record in tables of their own, by its index in the ``Tree``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Literal, NamedTuple, Optional, Union

from hrdf_ros import model as m
from hrdf_ros.document import SourceRef
from hrdf_ros.formats import Version
from hrdf_ros.inertia import Inertia
from hrdf_ros.pose import IDENTITY, Pose, Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement

ROOT = '__root__'
"""The frame of the file, to which poses lead at last. It cannot be referred to."""

LOADED_FIRST = ('model', 'light', 'actor')
"""What a file has beside worlds, in the order in which libsdformat loads it (Root.cc)."""

INCLUDED_FIRST = ('model', 'actor', 'light')
"""The same, in the order in which it looks for what to include (parser.cc)."""

_ORIGINS = {'model': '__model__', 'world': 'world', 'root': ''}


# All of them have a name, a kind, and an element with its location; ``pose`` is relative to the
# frame that ``relative_to`` names, the scope's own frame if that is empty; ``attached_to`` names
# the frame that the record is fixed to, if any.

class Frame(NamedTuple):
    """
    A ``<frame>``, or a link or frame of an included Model of another format.

    The latter has the ``model_frame`` that it stands for.
    """

    name: str
    element: TypedElement
    location: SourceRef
    pose: Pose
    relative_to: str = ''
    attached_to: str = ''
    kind: Literal['frame', 'link'] = 'frame'
    model_frame: Optional[m.Frame] = None


class Link(NamedTuple):
    """
    A ``<link>``.

    The poses of ``visuals`` and ``collisions`` are as written, those of the elements ``relative``
    in another frame than the link's. ``inertia`` is None where the collisions give it (SDF 1.11).
    ``preserved`` are the elements that are kept as raw text; those of them that are ``framed``
    become frames.
    """

    name: str
    element: TypedElement
    location: SourceRef
    pose: Pose
    relative_to: str
    inertia: Optional[Inertia]
    visuals: Sequence[m.Shape]
    collisions: Sequence[m.Shape]
    relative: Sequence[TypedElement]
    preserved: Sequence[TypedElement]
    framed: Sequence[TypedElement]
    attached_to: str = ''
    kind: Literal['link'] = 'link'


class Axis(NamedTuple):
    """
    An axis of a joint, and its coordinate, which has no name yet.

    ``direction`` is a unit vector in the frame ``expressed_in``, the joint's own if that is empty.
    ``nan`` is the tag of a limit that is not a number, or empty; ``mimic`` is the ``<mimic>`` in
    the axis. An axis that is missing has no ``element``.
    """

    coordinate: m.Coordinate
    element: Optional[TypedElement] = None
    direction: Vector = Z_AXIS
    expressed_in: str = ''
    nan: str = ''
    mimic: Optional[TypedElement] = None


class Joint(NamedTuple):
    """
    A ``<joint>``, which is attached to its child.

    ``type`` is one of the known ones; ``parent`` is the name of a frame; ``axes`` are by the tag
    of their element; ``preserved`` and ``framed`` are those of a Link.
    """

    name: str
    element: TypedElement
    location: SourceRef
    pose: Pose
    relative_to: str
    attached_to: str
    type: str  # noqa: A003
    parent: str
    axes: Mapping[str, Axis]
    preserved: Sequence[TypedElement]
    framed: Sequence[TypedElement]
    kind: Literal['joint'] = 'joint'


class Scope(NamedTuple):
    """
    A model or a world, or the imaginary root around a model outside of any world.

    ``element`` is where it stands; ``content`` is the element that is read, that of an include a
    model of another file. ``children`` are what is in it, in document order, ``names`` their
    positions by name, with aliases, ``written`` their kinds and names as written; ``others`` are
    the elements without a place in the scope. In an ``incomplete`` scope an include failed, so
    that a name may be missing for that. One that ``is_merged`` goes into the scope around it.
    ``static_by_include``: an include made it and all below it static. ``interface`` is the Model
    of another format in its place, and ``canonical`` the position of its canonical link; if it
    ``is_placeholder`` for a missing file, any name in it means its one link.
    """

    name: str
    kind: Literal['model', 'world', 'root']
    element: TypedElement
    location: SourceRef
    content: TypedElement
    version: Version
    pose: Pose = IDENTITY
    relative_to: str = ''
    attached_to: str = ''
    static: bool = False
    static_by_include: bool = False
    is_merged: bool = False
    placement_frame: str = ''
    canonical_link: str = ''
    namespace: str = ''
    interface: Optional[m.Model] = None
    canonical: int = m.NONE
    is_placeholder: bool = False
    incomplete: bool = False
    children: Sequence[Item] = ()
    names: Mapping[str, int] = {}
    written: Set[tuple[str, str]] = frozenset()
    others: Sequence[TypedElement] = ()

    @property
    def origin(self) -> str:
        """The name of the scope's own frame."""
        return _ORIGINS[self.kind]


Item = Union[Frame, Link, Joint, Scope]
"""What stands in a scope under a name; itself a frame."""
