# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The Model: made by every reader, read by every check, tree and writer."""

from hrdf_ros.model.records import (
    Body,
    Configuration,
    Constraint,
    contents,
    Coordinate,
    CoordinateKind,
    Frame,
    FRAME_KINDS,
    Hardware,
    Joint,
    JointItem,
    Mimic,
    Model,
    ModelScope,
    Motion,
    named,
    NONE,
    without_huge_limits,
)
from hrdf_ros.model.shapes import (
    all_finite,
    Asset,
    Box,
    Capsule,
    Color,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Geometry,
    Heightmap,
    Image,
    Material,
    Mesh,
    MultiSphere,
    Plane,
    Polyline,
    Pyramid,
    RawElement,
    Shape,
    Sphere,
    ZERO,
)

__all__ = [
    'all_finite', 'Asset', 'Body', 'Box', 'Capsule', 'Color', 'Cone', 'Configuration',
    'Constraint', 'contents', 'Coordinate', 'CoordinateKind', 'Cylinder', 'Ellipsoid', 'Empty',
    'Frame', 'FRAME_KINDS', 'Geometry', 'Hardware', 'Heightmap', 'Image', 'Joint', 'JointItem',
    'Material', 'Mesh', 'Mimic', 'Model', 'ModelScope', 'Motion', 'MultiSphere', 'named', 'NONE',
    'Plane', 'Polyline', 'Pyramid', 'RawElement', 'Shape', 'Sphere', 'without_huge_limits', 'ZERO',
]
