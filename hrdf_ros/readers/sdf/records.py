# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The frozen records of links, joints, frames, models and worlds.

Reading makes them from elements; composing puts them into scopes. The later phases keep what they
find out about a record in tables of their own, by its index in the ``Tree``.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Literal, NamedTuple, Optional, Union

from hrdf_ros import model as m
from hrdf_ros.document import SourceRef
from hrdf_ros.formats import Version
from hrdf_ros.inertia import Inertia
from hrdf_ros.pose import IDENTITY, Pose, Vector, Z_AXIS
from hrdf_ros.readers.schema import TypedElement

LOADED_FIRST = ('model', 'light', 'actor')
"""The elements beside worlds, in the order in which libsdformat loads them (Root.cc)."""

INCLUDED_FIRST = ('model', 'actor', 'light')
"""The same elements, in the order in which libsdformat looks for one to include (parser.cc)."""

_ORIGINS = {'model': '__model__', 'world': 'world', 'root': ''}


# All records have a name, a kind, and an element with its location. ``pose`` is relative to the
# frame that ``relative_to`` names, or to the scope's own frame if ``relative_to`` is empty.
# ``attached_to`` names the frame that the record is fixed to, if any.

class Frame(NamedTuple):
    """
    A ``<frame>``, or a link or frame of an included Model of another format.

    In the latter case, ``model_frame`` is the frame of that Model.
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

    The poses of ``visuals`` and ``collisions`` are as written; ``relative`` are the elements whose
    pose is in another frame than the link's. ``inertia`` is None where the collisions determine it
    (SDF 1.11). ``preserved`` are the elements that are kept as raw text; those among them that are
    also ``framed`` become frames.
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
    ``nan`` is the tag of a limit that is not a number, or empty. ``mimic`` is the ``<mimic>`` in
    the axis. A missing axis has no ``element``.
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

    ``type`` is a known joint type; ``parent`` is the name of a frame. ``axes`` have the tags of
    their elements as keys. ``preserved`` and ``framed`` have the same meaning as in a Link.
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

    ``element`` is its element in the scope around it, which may be an include; ``content`` is the
    element that is read, possibly in another file. ``children`` are the items in document order,
    ``names`` their positions by name, with aliases, and ``written`` their kinds and names as
    written. ``others`` are the elements that are not items, such as plugins. A scope is
    ``incomplete`` if an include failed, which may be why a name is missing. A scope that
    ``is_merged`` goes into the scope around it. ``static_by_include`` says that an include made
    the scope and everything below it static. ``interface`` is the Model of another format in its
    place, and ``canonical`` the position of its canonical link. If the scope ``is_placeholder``
    for a missing file, any name in it means its one link.
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
    children: Sequence['Item'] = ()
    names: Mapping[str, int] = {}
    written: Set[tuple[str, str]] = frozenset()
    others: Sequence[TypedElement] = ()

    @property
    def origin(self) -> str:
        """The name of the scope's own frame."""
        return _ORIGINS[self.kind]


Item = Union[Frame, Link, Joint, Scope]
"""An item that a scope holds under a name; each is also a frame."""
