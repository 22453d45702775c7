# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Links, what is fixed to them, and their shapes."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element, NOT_NEGATIVE
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    COLOR,
    DOUBLE,
    element,
    EMITTER_TYPE,
    FRAME,
    INT,
    like,
    POSE,
    STRING,
    UNSIGNED,
    value,
    VECTOR2,
    VECTOR3,
)

_EMPTY = Element('An element without content.')
_WRENCH = {'x': 'Force along x', 'y': 'Force along y', 'z': 'Force along z',
           'p': 'Torque about x', 'q': 'Torque about y', 'r': 'Torque about z'}
_ACCELERATION = {'x': 'acceleration along x', 'y': 'acceleration along y',
                 'z': 'acceleration along z', 'p': 'angular acceleration about x',
                 'q': 'angular acceleration about y', 'r': 'angular acceleration about z'}
_ADDED_MASS = {
    row + column: value(
        DOUBLE, f'{_WRENCH[row]}, {_ACCELERATION[column]}.', 0.0,
        'kg' if column in 'xyz' else 'kg m' if row in 'xyz' else 'kg m^2')
    for index, row in enumerate(_WRENCH) for column in list(_ACCELERATION)[index:]}
"""The upper triangle of the matrix."""

ELEMENTS: dict[str, Element] = {
    'link': element('A rigid body with inertia, shapes and sensors.', {
        '@name': Attribute(STRING, 'Name, unique in its scope.', required=True, names='link'),
        'gravity': value(BOOL, 'Gravity acts on it.', True, handling='preserved'),
        'enable_wind': value(BOOL, 'Wind acts on it.', False, since='1.6', handling='preserved'),
        'self_collide': value(
            BOOL, 'It collides with other links of its model.', False, handling='preserved'),
        'kinematic': value(BOOL, 'Forces do not move it.', False, handling='preserved'),
        'must_be_base_link': value(
            BOOL, 'It moves freely against the world, for Simbody.', False, handling='preserved'),
        'velocity_decay': element("Damping of a link's motion against the world.", {
            'linear': value(DOUBLE, 'Share of the linear velocity lost.', 0.0),
            'angular': value(DOUBLE, 'Share of the angular velocity lost.', 0.0),
        }, handling='preserved'),
        'pose': like('pose', "Pose, relative to its model's frame by default."),
        'inertial': like('inertial', 'Mass, center of mass and inertia.'),
        'collision': like('collision', 'A shape for contacts.', repeated=True),
        'visual': like('visual', 'A shape to look at.', repeated=True),
        'sensor': like('sensor', 'A sensor fixed to it.', repeated=True, handling='preserved'),
        'projector': like(
            'projector', 'A projector of textures.', repeated=True, handling='preserved'),
        'audio_sink': like('audio_sink', 'A microphone.', repeated=True, handling='preserved'),
        'audio_source': like(
            'audio_source', 'A loudspeaker.', repeated=True, handling='preserved'),
        'battery': like('battery', 'A battery.', repeated=True, since='1.5', handling='preserved'),
        'light': like(
            'light', 'A lamp fixed to it.', repeated=True, since='1.6', handling='preserved'),
        'particle_emitter': like(
            'particle_emitter', 'A source of particles.', repeated=True, since='1.6',
            handling='preserved'),
    }),
    'inertial': element('Mass, center of mass and inertia of a link.', {
        '@auto': Attribute(
            BOOL, 'Compute mass and inertia from the collisions.', default=False, since='1.11'),
        'mass': value(DOUBLE, 'Mass; with auto it scales the computed inertia.', 1.0, 'kg'),
        'density': value(
            DOUBLE, 'Density for collisions that have none, with auto.', 1000.0, 'kg/m^3',
            since='1.11'),
        'auto_inertia_params': Element(
            'Parameters for computing the inertia of meshes.', since='1.11',
            handling='skipped'),
        'pose': value(
            POSE, 'Center of mass and axes of the inertia, always relative to the link.',
            unit='m, rad', attributes={
                'relative_to': Attribute(
                    FRAME, "No frame but the link's is possible.", handling='checked'),
                'rotation_format': Attribute(
                    STRING, 'Whether the rotation is three angles or a quaternion.',
                    default='euler_rpy', since='1.9'),
                'degrees': Attribute(
                    BOOL, 'The three angles are in degrees.', default=False, since='1.9'),
            }),
        'inertia': element('The symmetric inertia tensor about the center of mass.', {
            'ixx': value(
                DOUBLE, 'Moment about x.', 1.0, 'kg m^2', text_required=True, expected=True),
            'ixy': value(DOUBLE, 'Product of x and y.', 0.0, 'kg m^2', text_required=True),
            'ixz': value(DOUBLE, 'Product of x and z.', 0.0, 'kg m^2', text_required=True),
            'iyy': value(
                DOUBLE, 'Moment about y.', 1.0, 'kg m^2', text_required=True, expected=True),
            'iyz': value(DOUBLE, 'Product of y and z.', 0.0, 'kg m^2', text_required=True),
            'izz': value(
                DOUBLE, 'Moment about z.', 1.0, 'kg m^2', text_required=True, expected=True),
        }),
        'fluid_added_mass': Element(
            'The symmetric 6 by 6 added mass; x y z is force, p q r torque.', since='1.10',
            handling='not preserved', children=_ADDED_MASS),
    }),
    'audio_sink': Element('A microphone at the link.'),
    'audio_source': element('A loudspeaker at the link.', {
        'uri': value(STRING, 'Sound file.', text_required=True),
        'pitch': value(DOUBLE, 'Factor on the pitch.', 1.0),
        'gain': value(DOUBLE, 'Factor on the loudness.', 1.0),
        'contact': element('Collisions whose contacts start the sound.', {
            'collision': value(STRING, 'Name of a collision.', text_required=True, repeated=True),
        }),
        'loop': value(BOOL, 'Start again at the end.', False),
        'pose': like('pose', 'Pose in the link.'),
    }),
    'battery': element('A battery of a link.', {
        '@name': Attribute(STRING, 'Name.', required=True),
        'voltage': value(DOUBLE, 'Voltage when full.', 0.0, 'V', text_required=True),
    }),
    'projector': element('A projector that throws a texture onto the scene before it.', {
        '@name': Attribute(STRING, 'Name.', required=True),
        'texture': value(STRING, 'Texture.', text_required=True),
        'fov': value(DOUBLE, 'Angle of the light cone.', 0.785, 'rad'),
        'near_clip': value(DOUBLE, 'Distance at which the cone begins.', 0.1, 'm'),
        'far_clip': value(DOUBLE, 'Distance at which the cone ends.', 10.0, 'm'),
        'visibility_flags': value(
            UNSIGNED, 'Bits that choose which visuals are lit.', 4294967295, since='1.7'),
        'pose': like('pose', 'Pose in the link.'),
        'plugin': like('plugin', 'Code that a simulator loads for the projector.', repeated=True),
    }),
    'particle_emitter': element('A source of particles such as smoke.', {
        '@name': Attribute(STRING, 'Name.', required=True),
        '@type': Attribute(
            EMITTER_TYPE, 'Shape of the volume in which particles begin.', required=True,
            default='point'),
        'emitting': value(BOOL, 'It is switched on.', True),
        'duration': value(DOUBLE, 'How long it emits; 0 is without end.', 0.0, 's'),
        'size': value(VECTOR3, 'Size of the volume.', (1.0, 1.0, 1.0), 'm'),
        'particle_size': value(VECTOR3, 'Size of a particle.', (1.0, 1.0, 1.0), 'm'),
        'lifetime': value(DOUBLE, 'How long a particle lives.', 5.0, 's'),
        'rate': value(DOUBLE, 'Particles in a second.', 10.0, '1/s', bounds=NOT_NEGATIVE),
        'min_velocity': value(
            DOUBLE, 'Minimum speed of a new particle.', 1.0, 'm/s', bounds=NOT_NEGATIVE),
        'max_velocity': value(
            DOUBLE, 'Maximum speed of a new particle.', 1.0, 'm/s', bounds=NOT_NEGATIVE),
        'scale_rate': value(DOUBLE, 'Growth of a particle.', 0.0, 'm/s', bounds=NOT_NEGATIVE),
        'color_start': value(COLOR, 'Color of a new particle.', (1.0, 1.0, 1.0, 1.0)),
        'color_end': value(COLOR, 'Color at the end of its life.', (1.0, 1.0, 1.0, 1.0)),
        'color_range_image': value(
            STRING, 'Image whose colors run over its life, instead of two colors.'),
        'topic': value(STRING, 'Topic that changes the emitter.'),
        'particle_scatter_ratio': value(DOUBLE, 'Share of the particles that sensors see.', 0.65),
        'pose': like('pose', 'Pose in the link.'),
        'material': like('material', 'Look of a particle.'),
    }),
    'collision': element('A shape for contacts.', {
        '@name': Attribute(STRING, 'Name, unique in its link.', required=True),
        'laser_retro': value(
            DOUBLE, 'How strongly it reflects a laser.', 0.0, handling='preserved'),
        'max_contacts': value(
            INT, 'Contacts with another collision that count.', 10, handling='preserved'),
        'density': value(
            DOUBLE, "Density, where the link's inertia is automatic.", 1000.0, 'kg/m^3',
            since='1.11'),
        'auto_inertia_params': Element(
            'Parameters for computing the inertia of meshes.', since='1.11',
            handling='skipped'),
        'pose': like('pose', 'Pose in the link.'),
        'geometry': like('geometry', 'Its shape.', expected=True),
        'surface': like(
            'surface', 'Friction, bounce and contact stiffness.', handling='preserved'),
    }),
    'visual': element('A shape to look at.', {
        '@name': Attribute(STRING, 'Name, unique in its link.', required=True),
        'cast_shadows': value(BOOL, 'It throws shadows.', True, handling='preserved'),
        'laser_retro': value(
            DOUBLE, 'How strongly it reflects a laser.', 0.0, handling='preserved'),
        'transparency': value(DOUBLE, '0 is opaque, 1 is invisible.', 0.0, handling='preserved'),
        'visibility_flags': value(
            UNSIGNED, 'Bits that choose which cameras see it.', 4294967295, since='1.7',
            handling='preserved'),
        'meta': element('Settings for a user interface.', {
            'layer': value(INT, 'Layer that can be hidden.', 0),
        }, since='1.5', handling='preserved'),
        'pose': like('pose', 'Pose in the link.'),
        'material': like('material', 'Its look.'),
        'geometry': like('geometry', 'Its shape.', expected=True),
        'plugin': like(
            'plugin', 'Code that a simulator loads for the visual.', repeated=True,
            handling='preserved'),
    }),
    'geometry': element('One shape.', {
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
    'box': element('A box about its center.', {
        'size': value(
            VECTOR3, 'Lengths of its sides.', (1.0, 1.0, 1.0), 'm', text_required=True,
            expected=True),
    }),
    'capsule': element('A cylinder along z with half spheres at both ends.', {
        'radius': value(DOUBLE, 'Radius.', 0.5, 'm', text_required=True, expected=True),
        'length': value(
            DOUBLE, 'Length of the cylinder without the half spheres.', 1.0, 'm',
            text_required=True, expected=True),
    }),
    'cone': element('A cone along z about the middle of its axis, its tip up.', {
        'radius': value(
            DOUBLE, 'Radius of the base.', 1.0, 'm', text_required=True, expected=True),
        'length': value(DOUBLE, 'Height.', 1.0, 'm', text_required=True, expected=True),
    }),
    'cylinder': element('A cylinder along z about its center.', {
        'radius': value(DOUBLE, 'Radius.', 1.0, 'm', text_required=True, expected=True),
        'length': value(DOUBLE, 'Length.', 1.0, 'm', text_required=True, expected=True),
    }),
    'ellipsoid': element('An ellipsoid about its center.', {
        'radii': value(
            VECTOR3, 'Half lengths of its three axes.', (1.0, 1.0, 1.0), 'm', text_required=True,
            expected=True),
    }),
    'heightmap': element('Terrain from a gray-scale image.', {
        'uri': value(STRING, 'Image file.', text_required=True, expected=True, refers=('file',)),
        'size': value(VECTOR3, 'Size of the terrain.', (1.0, 1.0, 1.0), 'm'),
        'pos': value(VECTOR3, 'Position of its center.', (0.0, 0.0, 0.0), 'm'),
        'texture': element('An image to paint terrain with.', {
            'size': value(
                DOUBLE, 'Length of terrain that the image covers.', 10.0, 'm', text_required=True),
            'diffuse': value(STRING, 'Image with the colors.', text_required=True),
            'normal': value(STRING, 'Image with the normals.', text_required=True),
        }, repeated=True, handling='not preserved'),
        'blend': element('How two textures go over into each other.', {
            'min_height': value(
                DOUBLE, 'Height at which the next texture begins.', 0.0, 'm', text_required=True),
            'fade_dist': value(
                DOUBLE, 'Height over which they blend.', 0.0, 'm', text_required=True),
        }, repeated=True, handling='not preserved'),
        'use_terrain_paging': value(
            BOOL, 'Load the terrain in pieces.', False, handling='not preserved'),
        'sampling': value(
            UNSIGNED, 'Samples for each pixel.', 1, since='1.6', handling='not preserved'),
    }),
    'image': element('Boxes from the dark pixels of an image.', {
        'uri': value(STRING, 'Image file.', text_required=True, expected=True, refers=('file',)),
        'scale': value(DOUBLE, 'Factor on the size.', 1.0, text_required=True),
        'threshold': value(INT, 'Gray below which a pixel is a box.', 200, text_required=True),
        'height': value(DOUBLE, 'Height of the boxes.', 1.0, 'm', text_required=True),
        'granularity': value(INT, 'Pixels that one box stands for.', 1, text_required=True),
    }),
    'mesh': element('A mesh file.', {
        '@optimization': Attribute(
            STRING, 'How a physics engine may simplify the mesh.', since='1.11',
            handling='not preserved'),
        'convex_decomposition': element('How to cut a mesh into convex parts.', {
            'max_convex_hulls': value(UNSIGNED, 'Maximum number of parts.', 16),
            'voxel_resolution': value(UNSIGNED, 'Voxels for the decomposition.', 200000),
        }, since='1.11', handling='not preserved'),
        'uri': value(STRING, 'Mesh file.', text_required=True, expected=True, refers=('file',)),
        'submesh': element('One named part of a mesh file.', {
            'name': value(STRING, 'Name of the part.', text_required=True),
            'center': value(BOOL, 'Move the part to its origin.', False),
        }),
        'scale': value(VECTOR3, 'Factors along x, y and z.', (1.0, 1.0, 1.0)),
    }),
    'plane': element('A plane through the origin.', {
        'normal': value(VECTOR3, 'Direction that it faces.', (0.0, 0.0, 1.0), text_required=True),
        'size': value(
            VECTOR2, 'Lengths of its sides, for drawing.', (1.0, 1.0), 'm', text_required=True,
            bounds=NOT_NEGATIVE),
    }),
    'polyline': element('An outline in the x-y plane that is extruded along z.', {
        'point': value(
            VECTOR2, 'A corner.', (0.0, 0.0), 'm', text_required=True, repeated=True,
            expected=True),
        'height': value(
            DOUBLE, 'Length of the extrusion.', 1.0, 'm', text_required=True, expected=True),
    }),
    'sphere': element('A sphere about its center.', {
        'radius': value(DOUBLE, 'Radius.', 1.0, 'm', text_required=True, expected=True),
    }),
}
