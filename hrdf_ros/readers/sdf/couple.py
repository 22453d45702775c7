# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints and coordinates of the Model, and the coordinates that follow others."""

from __future__ import annotations

from functools import partial

from hrdf_ros import codes
from hrdf_ros.model import Coordinate, Joint, Mimic
from hrdf_ros.pose import IDENTITY, Pose, relative
from hrdf_ros.readers.sdf.bodies import keep_in
from hrdf_ros.readers.sdf.connect import Ends, find_ends, find_leader
from hrdf_ros.readers.sdf.gears import add_gearbox, tie_gears
from hrdf_ros.readers.sdf.joints import JointFacts, MimicFacts
from hrdf_ros.readers.sdf.motions import motions_of
from hrdf_ros.readers.sdf.scopes import Item
from hrdf_ros.readers.sdf.state import State
from hrdf_ros.readers.sdf.tables import Tables

_READ = (
    'pose', 'parent', 'child', 'axis', 'axis2', 'thread_pitch', 'screw_thread_pitch',
    'gearbox_ratio', 'gearbox_reference_body')


def add_joint(item: Item, tables: Tables, state: State) -> None:
    """Add a joint and its coordinates; a gearbox only ties the angles of other joints."""
    ends = find_ends(item, tables.world, tables.report)
    if ends is None:
        return
    facts: JointFacts = item.detail
    location = item.location
    name = tables.joint_names.claim(item.scope.prefix + item.name, '', location)
    if facts.type == 'gearbox':
        add_gearbox(item, name, ends, tables)
        return

    def add(coordinate: Coordinate, tag: str) -> int:
        tables.axes[item, tag] = len(tables.coordinates)
        tables.coordinates.append(coordinate)
        return len(tables.coordinates) - 1

    extensions = tuple(
        keep_in(item, child, tables, state) for child in item.node.children
        if child.tag not in _READ)
    tables.joints.append(Joint(
        name, item.scoped_name, facts.type, tables.body_index(ends.parent),
        tables.body_index(ends.child), _parent_from(item, ends, tables), tables.body_from(item),
        motions_of(item, name, add, tables.report), '', extensions, location))


def _parent_from(joint: Item, ends: Ends, tables: Tables) -> Pose:
    """Return parent_from_joint with all coordinates at zero."""
    parent = ends.parent
    if isinstance(parent, Item) and parent.scope is joint.scope:
        return relative(parent.local or IDENTITY, joint.local or IDENTITY)
    return relative(tables.root_from_body(parent), tables.root_from(joint))


def add_ties(tables: Tables) -> None:
    """Let coordinates follow others by mimics and gearboxes; those in a circle stay free."""
    ahead: dict[int, int] = {}
    for item in tables.items:
        if item.kind == 'joint' and isinstance(item.detail, JointFacts):
            for tag, axis in item.detail.axes.items():
                if axis.mimic is not None:
                    _add_mimic(item, tag, axis.mimic, tables, ahead)
    tie_gears(tables, partial(_follow, tables, ahead))


def _add_mimic(
    item: Item, tag: str, mimic: MimicFacts, tables: Tables, ahead: dict[int, int],
) -> None:
    leader = find_leader(item, tag, mimic, tables.report)
    follower = tables.axes.get((item, tag))
    leading = tables.axes.get((leader, mimic.axis)) if leader is not None else None
    if leader is None or follower is None:
        return
    rule = Mimic(leading or 0, mimic.multiplier, mimic.offset - mimic.multiplier * mimic.reference)
    if leading is None or not _follow(tables, ahead, follower, rule):
        tables.report.add(
            codes.SDF_MIMIC_IGNORED, f"joint '{item.name}' cannot follow '{leader.name}': "
            + ('that does not move' if leading is None else 'they would follow each other'),
            mimic.node.attribute_location('joint', 0))


def _follow(tables: Tables, ahead: dict[int, int], follower: int, rule: Mimic) -> bool:
    """
    Let one coordinate follow another, unless it does already, or that would close a circle.

    ``ahead`` has for each follower one that it depends on.
    """
    if tables.coordinates[follower].mimic or _first(rule.leader, ahead) == follower:
        return False
    ahead[follower] = rule.leader
    tables.coordinates[follower] = tables.coordinates[follower]._replace(mimic=rule)
    return True


def _first(coordinate: int, ahead: dict[int, int]) -> int:
    """Return the leader of all leaders, and shorten the way to it for the next time."""
    while coordinate in ahead:
        ahead[coordinate] = ahead.get(ahead[coordinate], ahead[coordinate])
        coordinate = ahead[coordinate]
    return coordinate
