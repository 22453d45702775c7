# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Collisions, visuals and their geometries."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element, NOT_NEGATIVE
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    DOUBLE,
    INT,
    like,
    STRING,
    UNSIGNED,
    value,
    VECTOR2,
    VECTOR3,
)

_EMPTY = Element('An element without content.')

ELEMENTS: dict[str, Element] = {
    'collision': Element(
        'A shape for contacts.',
        attributes={
            'name': Attribute(STRING, 'Name, unique in its link.', required=True),
        },
        children={
            'laser_retro': value(
                DOUBLE, 'How strongly it reflects a laser.', 0.0, handling='preserved'),
            'max_contacts': value(
                INT, 'Contacts with another collision that count.', 10, handling='preserved'),
            'density': value(
                DOUBLE, "Density, where the link's inertia is automatic.", 1000.0, 'kg/m^3',
                since='1.11'),
            'auto_inertia_params': Element(
                'Parameters of whoever computes the inertia of meshes.', since='1.11',
                handling='skipped'),
            'pose': like('pose', 'Pose in the link.'),
            'geometry': like('geometry', 'Its shape.', expected=True),
            'surface': like(
                'surface', 'Friction, bounce and contact stiffness.', handling='preserved'),
        }),
    'visual': Element(
        'A shape to look at.',
        attributes={
            'name': Attribute(STRING, 'Name, unique in its link.', required=True),
        },
        children={
            'cast_shadows': value(BOOL, 'It throws shadows.', True, handling='preserved'),
            'laser_retro': value(
                DOUBLE, 'How strongly it reflects a laser.', 0.0, handling='preserved'),
            'transparency': value(
                DOUBLE, '0 is opaque, 1 is invisible.', 0.0, handling='preserved'),
            'visibility_flags': value(
                UNSIGNED, 'Bits that choose which cameras see it.', 4294967295, since='1.7',
                handling='preserved'),
            'meta': Element(
                'What only a user interface reads.', since='1.5', handling='preserved',
                children={
                    'layer': value(INT, 'Layer that can be hidden.', 0),
                }),
            'pose': like('pose', 'Pose in the link.'),
            'material': like('material', 'Its look.'),
            'geometry': like('geometry', 'Its shape.', expected=True),
            'plugin': like(
                'plugin', 'Code that a simulator loads for the visual.', repeated=True,
                handling='preserved'),
        }),
    'geometry': Element(
        'One shape.',
        children={
            'empty': Element('No shape.'),
            'box': like('box', 'A box.'),
            'capsule': like('capsule', 'A cylinder with half spheres at both ends.', since='1.8'),
            'cone': like('cone', 'A cone.', since='1.11'),
            'cylinder': like('cylinder', 'A cylinder.'),
            'ellipsoid': like('ellipsoid', 'An ellipsoid.', since='1.8'),
            'heightmap': like('heightmap', 'Terrain from an image.'),
            'image': like('image', 'Boxes from the dark pixels of an image.'),
            'mesh': like('mesh', 'A mesh file.'),
            'plane': like('plane', 'A plane.'),
            'polyline': like('polyline', 'An outline that is extruded along z.', since='1.5'),
            'sphere': like('sphere', 'A sphere.'),
        }),
    'box': Element(
        'A box about its center.',
        children={
            'size': value(
                VECTOR3, 'Lengths of its sides.', (1.0, 1.0, 1.0), 'm', text_required=True,
                expected=True),
        }),
    'capsule': Element(
        'A cylinder along z with half spheres at both ends.',
        children={
            'radius': value(DOUBLE, 'Radius.', 0.5, 'm', text_required=True, expected=True),
            'length': value(
                DOUBLE, 'Length of the cylinder without the half spheres.', 1.0, 'm',
                text_required=True, expected=True),
        }),
    'cone': Element(
        'A cone along z about the middle of its axis, its tip up.',
        children={
            'radius': value(
                DOUBLE, 'Radius of the base.', 1.0, 'm', text_required=True, expected=True),
            'length': value(DOUBLE, 'Height.', 1.0, 'm', text_required=True, expected=True),
        }),
    'cylinder': Element(
        'A cylinder along z about its center.',
        children={
            'radius': value(DOUBLE, 'Radius.', 1.0, 'm', text_required=True, expected=True),
            'length': value(DOUBLE, 'Length.', 1.0, 'm', text_required=True, expected=True),
        }),
    'ellipsoid': Element(
        'An ellipsoid about its center.',
        children={
            'radii': value(
                VECTOR3, 'Half lengths of its three axes.', (1.0, 1.0, 1.0), 'm',
                text_required=True, expected=True),
        }),
    'heightmap': Element(
        'Terrain from a gray-scale image.',
        children={
            'uri': value(
                STRING, 'Image file.', text_required=True, expected=True, refers=('file',)),
            'size': value(VECTOR3, 'Size of the terrain.', (1.0, 1.0, 1.0), 'm'),
            'pos': value(VECTOR3, 'Position of its center.', (0.0, 0.0, 0.0), 'm'),
            'texture': Element(
                'An image to paint terrain with.', repeated=True, handling='checked',
                children={
                    'size': value(
                        DOUBLE, 'Length of terrain that the image covers.', 10.0, 'm',
                        text_required=True),
                    'diffuse': value(STRING, 'Image with the colors.', text_required=True),
                    'normal': value(STRING, 'Image with the normals.', text_required=True),
                }),
            'blend': Element(
                'How two textures go over into each other.', repeated=True, handling='checked',
                children={
                    'min_height': value(
                        DOUBLE, 'Height at which the next texture begins.', 0.0, 'm',
                        text_required=True),
                    'fade_dist': value(
                        DOUBLE, 'Height over which they blend.', 0.0, 'm', text_required=True),
                }),
            'use_terrain_paging': value(
                BOOL, 'Load the terrain in pieces.', False, handling='checked'),
            'sampling': value(
                UNSIGNED, 'Samples for each pixel.', 1, since='1.6', handling='checked'),
        }),
    'image': Element(
        'Boxes from the dark pixels of an image.',
        children={
            'uri': value(
                STRING, 'Image file.', text_required=True, expected=True, refers=('file',)),
            'scale': value(DOUBLE, 'Factor on the size.', 1.0, text_required=True),
            'threshold': value(INT, 'Gray below which a pixel is a box.', 200, text_required=True),
            'height': value(DOUBLE, 'Height of the boxes.', 1.0, 'm', text_required=True),
            'granularity': value(INT, 'Pixels that one box stands for.', 1, text_required=True),
        }),
    'mesh': Element(
        'A mesh file.',
        attributes={
            'optimization': Attribute(
                STRING, 'How a physics engine may simplify the mesh.', since='1.11',
                handling='checked'),
        },
        children={
            'convex_decomposition': Element(
                'How to cut a mesh into convex parts.', since='1.11', handling='checked',
                children={
                    'max_convex_hulls': value(UNSIGNED, 'Maximum number of parts.', 16),
                    'voxel_resolution': value(UNSIGNED, 'Voxels for the decomposition.', 200000),
                }),
            'uri': value(
                STRING, 'Mesh file.', text_required=True, expected=True, refers=('file',)),
            'submesh': Element(
                'One named part of a mesh file.',
                children={
                    'name': value(STRING, 'Name of the part.', text_required=True),
                    'center': value(BOOL, 'Move the part to its origin.', False),
                }),
            'scale': value(VECTOR3, 'Factors along x, y and z.', (1.0, 1.0, 1.0)),
        }),
    'plane': Element(
        'A plane through the origin.',
        children={
            'normal': value(
                VECTOR3, 'Direction that it faces.', (0.0, 0.0, 1.0), text_required=True),
            'size': value(
                VECTOR2, 'Lengths of its sides, for drawing.', (1.0, 1.0), 'm', text_required=True,
                bounds=NOT_NEGATIVE),
        }),
    'polyline': Element(
        'An outline in the x-y plane that is extruded along z.',
        children={
            'point': value(
                VECTOR2, 'A corner.', (0.0, 0.0), 'm', text_required=True, repeated=True,
                expected=True),
            'height': value(
                DOUBLE, 'Length of the extrusion.', 1.0, 'm', text_required=True, expected=True),
        }),
    'sphere': Element(
        'A sphere about its center.',
        children={
            'radius': value(DOUBLE, 'Radius.', 1.0, 'm', text_required=True, expected=True),
        }),
}
