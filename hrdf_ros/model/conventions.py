# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Conventions of descriptions, which say how to understand the records of a Model."""

from typing import Literal, NamedTuple, Optional

from hrdf_ros.model.shapes import Color

ConsumerName = Literal['rviz', 'gazebo', 'mujoco', 'moveit']
"""A program that descriptions are made for."""


class Conventions(NamedTuple):
    """
    The rules that hold for all records of one Model; its reader sets them.

    Checks, lowering, the comparison and the writers ask these facts instead of the name of a
    format. The defaults suit a description whose names are plain, whose poses begin at its root
    frame and whose coordinates are zero at the stated poses.
    """

    # ---- names

    nested_names: bool = False
    """
    Whether a ``source_name`` begins with that of the scope of its item (``arm::wrist``).

    The scopes are nested models with names of their own.
    """
    separate_shape_names: bool = False
    """Whether a visual and a collision of one body may have the same name."""
    separate_frame_names: bool = False
    """Whether frames of different kinds may have the same ``source_name``."""
    names_motions: bool = False
    """
    Whether the description names each motion of a body, and not the joint that combines them.

    Then the names of joints with several motions and of fixed joints are made up. The massless
    bodies between the joints of one body are made up, too.
    """

    # ---- poses

    single_root: bool = False
    """Whether the description is one tree, in which all links but one are children of joints."""
    places_root: bool = True
    """Whether the pose of the root has a meaning; else the description begins at the root."""
    world_is_body: bool = False
    """Whether the canonical body is the world itself, which can have shapes and frames."""
    absolute_base: bool = False
    """Whether the coordinates of a free joint are the pose of its body in the world."""
    closes_loops_initially: bool = False
    """Whether loops are closed at the initial coordinates, where one point states a closure."""

    # ---- joints and coordinates

    joint_types: tuple[str, ...] = ()
    """The words in ``Joint.type``; types are compared between Models with the same words."""
    whole_joint_types: tuple[str, ...] = ()
    """The types of joints of several motions that a tree keeps as one joint."""
    free_without_limits: bool = False
    """Whether a slide without limits is free; else its limits were probably forgotten."""
    free_scopes: tuple[str, ...] = ()
    """The source names of included models in which a slide without limits is free."""
    unstated: frozenset[str] = frozenset()
    """The fields of a Coordinate that the description has no place for."""
    ordered_constraints: bool = False
    """Whether other programs count the constraints, so that their order has a meaning."""

    # ---- contacts

    states_contacts: bool = False
    """Whether the shapes themselves say what they collide with."""
    collides_with_itself: bool = True
    """Whether links of one model collide with each other; else ``<self_collide>`` decides."""

    # ---- other programs

    read_by: frozenset[ConsumerName] = frozenset()
    """The programs that read the description itself; others get it converted."""

    # ---- shapes

    default_color: Optional[Color] = None
    """The color of visuals without one, in the programs that the description is made for."""
    single_color: bool = True
    """Whether all light shows the ``diffuse`` color; else ambient light shows ``ambient``."""
