# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SDF 1.0 wrote as attributes what is an element since 1.2: the renames as data."""

from __future__ import annotations

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.readers.sdf.nodes import made, ours, take_attribute

_BECOME_CHILDREN = {
    'model': ('static',),
    'link': ('gravity', 'self_collide', 'kinematic'),
    'inertial': ('mass', 'density'),
    'inertia': ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'),
    'collision': ('laser_retro',),
    'visual': ('cast_shadows', 'laser_retro', 'transparency'),
    'box': ('size',),
    'sphere': ('radius',),
    'cylinder': ('radius', 'length'),
    'mesh': ('filename', 'scale'),
    'image': ('filename', 'scale', 'threshold', 'height', 'granularity'),
    'heightmap': ('filename', 'size', 'origin'),
    'plane': ('normal',),
    'axis': ('xyz',),
    'axis2': ('xyz',),
    'dynamics': ('damping', 'friction'),
    'limit': ('lower', 'upper', 'effort', 'velocity', 'cfm', 'erp'),
    'suspension': ('cfm', 'erp'),
    'sensor': ('always_on', 'update_rate', 'visualize', 'topic'),
    'light': ('cast_shadows',),
}
"""Element: its attributes that become child elements."""

_BECOME_TEXT = {
    'origin': 'pose', 'parent': 'link', 'child': 'link', 'ambient': 'rgba', 'diffuse': 'rgba',
    'specular': 'rgba', 'emissive': 'rgba',
}
"""Element: its attribute that becomes its text."""

_NEW_TAGS = {
    ('heightmap', 'origin'): 'pos', ('mesh', 'filename'): 'uri', ('heightmap', 'filename'): 'uri',
    ('image', 'filename'): 'uri',
}


def rename_attributes(sdf: XmlElement, _: Report) -> None:
    """Rename what a file of SDF 1.0 holds, in place."""
    for node in list(ours(sdf)):
        for attribute in _BECOME_CHILDREN.get(node.tag, ()):
            if attribute in node.attributes:
                tag = _NEW_TAGS.get((node.tag, attribute), attribute)
                node.children.append(made(node, tag, take_attribute(node, attribute)))
        value = _BECOME_TEXT.get(node.tag, '')
        if value in node.attributes:
            node.text = take_attribute(node, value)
        if node.tag == 'origin':
            node.tag = 'pose'
