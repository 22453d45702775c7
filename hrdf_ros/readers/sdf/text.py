# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The values of SDFormat elements.

``grammar.validate`` has found and reported whatever is unreadable, so these functions are silent
and answer with the default then. An absent or empty element has its default too.
"""

from __future__ import annotations

from typing import Optional

from hrdf_ros.document import Node
from hrdf_ros.model import Color, ZERO
from hrdf_ros.pose import IDENTITY, Pose, Vector
from hrdf_ros.values import sdf
from hrdf_ros.values.fault import Fault


def read_pose(node: Optional[Node]) -> Pose:
    """Return a ``<pose>`` as it stands, honouring ``@degrees`` and ``@rotation_format``."""
    if node is None:
        return IDENTITY
    degrees = attribute_bool(node, 'degrees')
    quaternion = (node.get('rotation_format') or '').strip() == 'quat_xyzw'
    try:
        return sdf.pose(node.text, degrees, quaternion)
    except Fault:
        return IDENTITY


def read_double(node: Optional[Node], default: float = 0.0) -> float:
    """Return a number."""
    try:
        return sdf.double(node.text) if node is not None and node.text else default
    except Fault:
        return default


def read_integer(node: Optional[Node], default: int = 0) -> int:
    """Return an integer."""
    try:
        return sdf.integer(node.text) if node is not None and node.text else default
    except Fault:
        return default


def read_bool(node: Optional[Node], default: bool = False) -> bool:
    """Return a truth value."""
    try:
        return sdf.boolean(node.text) if node is not None and node.text else default
    except Fault:
        return default


def attribute_bool(node: Node, name: str, default: bool = False) -> bool:
    """Return the truth value of an attribute."""
    text = node.get(name)
    try:
        return sdf.boolean(text) if text and not text.isspace() else default
    except Fault:
        return default


def read_vector3(node: Optional[Node], default: Vector = ZERO) -> Vector:
    """Return three numbers."""
    if node is None or not node.text:
        return default
    try:
        x, y, z = sdf.vector(node.text, 3)
    except Fault:
        return default
    return x, y, z


def read_vector2(
    node: Optional[Node], default: tuple[float, float] = (0.0, 0.0),
) -> tuple[float, float]:
    """Return two numbers."""
    if node is None or not node.text:
        return default
    try:
        x, y = sdf.vector(node.text, 2)
    except Fault:
        return default
    return x, y


def read_color(node: Optional[Node], default: Optional[Color] = None) -> Optional[Color]:
    """Return red, green, blue, alpha in 0 .. 1."""
    try:
        return sdf.color(node.text) if node is not None and node.text else default
    except Fault:
        return default


def read_string(node: Optional[Node], default: str = '') -> str:
    """Return the text without the white space around it."""
    return node.text.rstrip() or default if node is not None else default
