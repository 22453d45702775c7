# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The tables of a Model while they grow, and where things are in them."""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.names import Names
from hrdf_ros.pose import compose, IDENTITY, Pose, relative
from hrdf_ros.readers.sdf.frames import resolve_local
from hrdf_ros.readers.sdf.scopes import depth_first, Item, Scope, Sink
from hrdf_ros.readers.sdf.text import read_pose


class Tables:
    """
    The tables of a Model while they grow.

    ``world`` is the outermost scope, whose body has index 0 if something is fixed to it; ``top``
    the scope that becomes the Model: a model, or the world itself. ``axes`` are the coordinates
    of joint axes, ``gears`` the gearboxes among the constraints, ``items`` all items of the top
    scope in document order.
    """

    def __init__(self, world: Scope, top: Scope, report: Report) -> None:
        self.world = world
        self.top = top
        self.report = report
        self.frame_names = Names(report)
        self.joint_names = Names(report)
        self.bodies: list[m.Body] = []
        self.joints: list[m.Joint] = []
        self.coordinates: list[m.Coordinate] = []
        self.constraints: list[m.Constraint] = []
        self.gears: list[tuple[Item, m.Constraint]] = []
        self.frames: list[m.Frame] = []
        self.scopes: list[m.ModelScope] = []
        self.extensions: list[m.RawElement] = []
        self.axes: dict[tuple[Item, str], int] = {}
        self.items = list(depth_first(top))
        self._inside: dict[XmlElement, Pose] = {}

    def body_index(self, sink: Sink) -> int:
        """Return the body that carries what ends at a sink: of a static model its first link."""
        if isinstance(sink, Item):
            return sink.index
        return sink.canonical.index if sink.canonical is not None else 0

    def root_from_body(self, sink: Sink) -> Pose:
        """Return where the body of a sink stands."""
        if isinstance(sink, Item):
            return self.root_from(sink)
        return self.root_from(sink.canonical) if sink.canonical is not None else IDENTITY

    def root_from(self, item: Item) -> Pose:
        """Return where an item stands."""
        return compose(item.scope.root_pose, item.local or IDENTITY)

    def body_from(self, item: Item) -> Pose:
        """Return where an item stands in the body that carries it, exact if written so."""
        body = item.body
        assert body is not None
        if isinstance(body, Item) and body.scope is item.scope:
            if item.relative_to == body.name:
                return item.pose
            return relative(body.local or IDENTITY, item.local or IDENTITY)
        return relative(self.root_from_body(body), self.root_from(item))

    def pose_in(self, item: Item, node: XmlElement) -> Pose:
        """Return where an element stands in the item that has it."""
        if node not in self._inside:
            self._inside[node] = compose(
                self.item_from(item, node), read_pose(node.child('pose')))
        return self._inside[node]

    def item_from(self, item: Item, node: XmlElement) -> Pose:
        """Return where the frame is that an element in an item is relative to, in the item."""
        pose = node.child('pose')
        name = pose.attributes.get('relative_to', '').strip() if pose is not None else ''
        if pose is None or not name:
            return IDENTITY
        path = item.scope.find(name)
        if path is None:
            if not item.scope.incomplete:
                self.report.add(
                    codes.SDF_RELATIVE_TO_UNCHECKED,
                    f"the pose of this {node.tag} is relative to '{name}', which is not in the "
                    f"scope of '{item.name}'", pose.attribute_location('relative_to', 0),
                    hint='libsdformat does not look until it is asked for this pose')
            return IDENTITY
        return relative(item.local or IDENTITY, resolve_local(path, self.report))
