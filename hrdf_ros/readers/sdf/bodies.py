# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Links as bodies of the Model."""

from __future__ import annotations

from hrdf_ros.document import XmlElement
from hrdf_ros.model import Body, Frame, RawElement, Shape
from hrdf_ros.pose import compose
from hrdf_ros.readers.sdf.inertial import read_inertial
from hrdf_ros.readers.sdf.links import keep, LinkFacts, Placed
from hrdf_ros.readers.sdf.nodes import is_settled, settled_text
from hrdf_ros.readers.sdf.scopes import Item
from hrdf_ros.readers.sdf.state import State
from hrdf_ros.readers.sdf.tables import Tables


def add_world(tables: Tables) -> None:
    """Add the world as the body that everything fixed to it is fixed to."""
    name, location = tables.frame_names.claim('world'), tables.world.node.location
    tables.bodies.append(Body(name, 'world', static=True, location=location))
    tables.frames.append(Frame(name, 'world', 'world', 0, location=location))


def add_link(item: Item, tables: Tables, state: State) -> None:
    """Add a link; its frame has the same name."""
    location = item.location
    item.frame_name = tables.frame_names.claim(item.scope.prefix + item.name, '_link', location)
    item.index = len(tables.bodies)
    facts: LinkFacts = item.detail
    collisions = _shapes(item, facts.collisions, tables)
    inertia = facts.inertia
    if inertia is None:
        elements = [placed.node for placed in facts.collisions]
        inertia = read_inertial(item.node, list(zip(elements, collisions)), tables.report)
    tables.bodies.append(Body(
        item.frame_name, item.scoped_name, inertia, _shapes(item, facts.visuals, tables),
        collisions, item.scope.static or item.scope.frozen, tables.root_from(item), '',
        tuple(keep_in(item, node, tables, state) for node in facts.others), location))


def keep_in(item: Item, node: XmlElement, tables: Tables, state: State) -> RawElement:
    """Return an element of an item as text that means the same in a file of the newest version."""
    extension = keep(node, state)
    if is_settled(node):
        return extension
    return extension._replace(text=settled_text(node, tables.pose_in(item, node)))


def _shapes(link: Item, placed: tuple[Placed, ...], tables: Tables) -> tuple[Shape, ...]:
    """Return shapes with their poses in the link's frame."""
    return tuple(
        shape if not against else shape._replace(
            pose=compose(tables.item_from(link, node), shape.pose))
        for shape, against, node in placed)
