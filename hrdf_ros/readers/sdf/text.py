# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The values of SDFormat elements.

``grammar.validate`` has read them, and has reported whatever is unreadable: that has the default
then, as an absent or empty element has.
"""

from __future__ import annotations

from typing import Optional

from hrdf_ros.document import XmlElement
from hrdf_ros.model import Color, ZERO
from hrdf_ros.parsing import sdf
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import IDENTITY, Pose, Vector


def read_pose(node: Optional[XmlElement]) -> Pose:
    """Return a ``<pose>`` as it stands, honouring ``@degrees`` and ``@rotation_format``."""
    if node is None or node.value is None:
        return IDENTITY
    pose: Pose = node.value
    return pose


def read_double(node: Optional[XmlElement], default: float = 0.0) -> float:
    """Return a number."""
    if node is None or node.value is None:
        return default
    number: float = node.value
    return number


def read_integer(node: Optional[XmlElement], default: int = 0) -> int:
    """Return an integer."""
    if node is None or node.value is None:
        return default
    number: int = node.value
    return number


def read_bool(node: Optional[XmlElement], default: bool = False) -> bool:
    """Return a truth value."""
    if node is None or node.value is None:
        return default
    truth: bool = node.value
    return truth


def read_vector3(node: Optional[XmlElement], default: Vector = ZERO) -> Vector:
    """Return three numbers."""
    if node is None or node.value is None:
        return default
    vector: Vector = node.value
    return vector


def read_vector2(
    node: Optional[XmlElement], default: tuple[float, float] = (0.0, 0.0),
) -> tuple[float, float]:
    """Return two numbers."""
    if node is None or node.value is None:
        return default
    vector: tuple[float, float] = node.value
    return vector


def read_color(node: Optional[XmlElement], default: Optional[Color] = None) -> Optional[Color]:
    """Return red, green, blue, alpha in 0 .. 1."""
    if node is None or node.value is None:
        return default
    color: Color = node.value
    return color


def attribute_bool(node: XmlElement, name: str, default: bool = False) -> bool:
    """Return the truth value of an attribute."""
    text = node.get(name)
    try:
        return sdf.boolean(text) if text and not text.isspace() else default
    except ValueSyntaxError:
        return default


def read_string(node: Optional[XmlElement], default: str = '') -> str:
    """Return the text without the white space around it."""
    return node.text.rstrip() or default if node is not None else default
