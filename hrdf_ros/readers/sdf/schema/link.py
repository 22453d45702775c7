# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Links, and what is fixed to them beside shapes and sensors."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element, NOT_NEGATIVE
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    COLOR,
    DOUBLE,
    EMITTER_TYPE,
    FRAME,
    like,
    POSE,
    STRING,
    UNSIGNED,
    value,
    VECTOR3,
)

ELEMENTS: dict[str, Element] = {
    'link': Element(
        'A rigid body with inertia, shapes and sensors.',
        attributes={
            'name': Attribute(
                STRING, 'Name, unique in its scope.', required=True, names='link'),
        },
        children={
            'gravity': value(BOOL, 'Gravity acts on it.', True, handling='preserved'),
            'enable_wind': value(
                BOOL, 'Wind acts on it.', False, since='1.6', handling='preserved'),
            'self_collide': value(
                BOOL, 'It collides with other links of its model.', False, handling='preserved'),
            'kinematic': value(BOOL, 'Forces do not move it.', False, handling='preserved'),
            'must_be_base_link': value(
                BOOL, 'It moves freely against the world, for Simbody.', False,
                handling='preserved'),
            'velocity_decay': Element(
                "Damping of a link's motion against the world.", handling='preserved',
                children={
                    'linear': value(DOUBLE, 'Share of the linear velocity lost.', 0.0),
                    'angular': value(DOUBLE, 'Share of the angular velocity lost.', 0.0),
                }),
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
            'battery': like(
                'battery', 'A battery.', repeated=True, since='1.5', handling='preserved'),
            'light': like(
                'light', 'A lamp fixed to it.', repeated=True, since='1.6', handling='preserved'),
            'particle_emitter': like(
                'particle_emitter', 'A source of particles.', repeated=True, since='1.6',
                handling='preserved'),
        }),
    'inertial': Element(
        'Mass, center of mass and inertia of a link.',
        attributes={
            'auto': Attribute(
                BOOL, 'Compute mass and inertia from the collisions.', default=False,
                since='1.11'),
        },
        children={
            'mass': value(
                DOUBLE, 'Mass; with auto it scales what the collisions give.', 1.0, 'kg'),
            'density': value(
                DOUBLE, 'Density for collisions that have none, with auto.', 1000.0, 'kg/m^3',
                since='1.11'),
            'auto_inertia_params': Element(
                'Parameters of whoever computes the inertia of meshes.', since='1.11',
                handling='skipped'),
            'pose': value(
                POSE, 'Center of mass and axes of the inertia, always relative to the link.',
                unit='m, rad',
                attributes={
                    'relative_to': Attribute(
                        FRAME, "No frame but the link's is possible.", handling='checked'),
                    'rotation_format': Attribute(
                        STRING, 'Whether the rotation is three angles or a quaternion.',
                        default='euler_rpy', since='1.9'),
                    'degrees': Attribute(
                        BOOL, 'The three angles are in degrees.', default=False, since='1.9'),
                }),
            'inertia': Element(
                'The symmetric inertia tensor about the center of mass.',
                children={
                    'ixx': value(
                        DOUBLE, 'Moment about x.', 1.0, 'kg m^2', text_required=True,
                        expected=True),
                    'ixy': value(DOUBLE, 'Product of x and y.', 0.0, 'kg m^2', text_required=True),
                    'ixz': value(DOUBLE, 'Product of x and z.', 0.0, 'kg m^2', text_required=True),
                    'iyy': value(
                        DOUBLE, 'Moment about y.', 1.0, 'kg m^2', text_required=True,
                        expected=True),
                    'iyz': value(DOUBLE, 'Product of y and z.', 0.0, 'kg m^2', text_required=True),
                    'izz': value(
                        DOUBLE, 'Moment about z.', 1.0, 'kg m^2', text_required=True,
                        expected=True),
                }),
            'fluid_added_mass': Element(
                'The symmetric 6 by 6 added mass; x y z is force, p q r torque.', since='1.10',
                handling='checked',
                children={
                    'xx': value(DOUBLE, 'Force along x, acceleration along x.', 0.0, 'kg'),
                    'xy': value(DOUBLE, 'Force along x, acceleration along y.', 0.0, 'kg'),
                    'xz': value(DOUBLE, 'Force along x, acceleration along z.', 0.0, 'kg'),
                    'xp': value(
                        DOUBLE, 'Force along x, angular acceleration about x.', 0.0, 'kg m'),
                    'xq': value(
                        DOUBLE, 'Force along x, angular acceleration about y.', 0.0, 'kg m'),
                    'xr': value(
                        DOUBLE, 'Force along x, angular acceleration about z.', 0.0, 'kg m'),
                    'yy': value(DOUBLE, 'Force along y, acceleration along y.', 0.0, 'kg'),
                    'yz': value(DOUBLE, 'Force along y, acceleration along z.', 0.0, 'kg'),
                    'yp': value(
                        DOUBLE, 'Force along y, angular acceleration about x.', 0.0, 'kg m'),
                    'yq': value(
                        DOUBLE, 'Force along y, angular acceleration about y.', 0.0, 'kg m'),
                    'yr': value(
                        DOUBLE, 'Force along y, angular acceleration about z.', 0.0, 'kg m'),
                    'zz': value(DOUBLE, 'Force along z, acceleration along z.', 0.0, 'kg'),
                    'zp': value(
                        DOUBLE, 'Force along z, angular acceleration about x.', 0.0, 'kg m'),
                    'zq': value(
                        DOUBLE, 'Force along z, angular acceleration about y.', 0.0, 'kg m'),
                    'zr': value(
                        DOUBLE, 'Force along z, angular acceleration about z.', 0.0, 'kg m'),
                    'pp': value(
                        DOUBLE, 'Torque about x, angular acceleration about x.', 0.0, 'kg m^2'),
                    'pq': value(
                        DOUBLE, 'Torque about x, angular acceleration about y.', 0.0, 'kg m^2'),
                    'pr': value(
                        DOUBLE, 'Torque about x, angular acceleration about z.', 0.0, 'kg m^2'),
                    'qq': value(
                        DOUBLE, 'Torque about y, angular acceleration about y.', 0.0, 'kg m^2'),
                    'qr': value(
                        DOUBLE, 'Torque about y, angular acceleration about z.', 0.0, 'kg m^2'),
                    'rr': value(
                        DOUBLE, 'Torque about z, angular acceleration about z.', 0.0, 'kg m^2'),
                }),
        }),
    'audio_sink': Element('A microphone at the link.'),
    'audio_source': Element(
        'A loudspeaker at the link.',
        children={
            'uri': value(STRING, 'Sound file.', text_required=True),
            'pitch': value(DOUBLE, 'Factor on the pitch.', 1.0),
            'gain': value(DOUBLE, 'Factor on the loudness.', 1.0),
            'contact': Element(
                'Collisions whose contacts start the sound.',
                children={
                    'collision': value(
                        STRING, 'Name of a collision.', text_required=True, repeated=True),
                }),
            'loop': value(BOOL, 'Start again at the end.', False),
            'pose': like('pose', 'Pose in the link.'),
        }),
    'battery': Element(
        'A battery of a link.',
        attributes={
            'name': Attribute(STRING, 'Name.', required=True),
        },
        children={
            'voltage': value(DOUBLE, 'Voltage when full.', 0.0, 'V', text_required=True),
        }),
    'projector': Element(
        'A projector that throws a texture onto what is before it.',
        attributes={
            'name': Attribute(STRING, 'Name.', required=True),
        },
        children={
            'texture': value(STRING, 'Texture.', text_required=True),
            'fov': value(DOUBLE, 'Angle of the light cone.', 0.785, 'rad'),
            'near_clip': value(DOUBLE, 'Distance at which the cone begins.', 0.1, 'm'),
            'far_clip': value(DOUBLE, 'Distance at which the cone ends.', 10.0, 'm'),
            'visibility_flags': value(
                UNSIGNED, 'Bits that choose which visuals are lit.', 4294967295, since='1.7'),
            'pose': like('pose', 'Pose in the link.'),
            'plugin': like(
                'plugin', 'Code that a simulator loads for the projector.', repeated=True),
        }),
    'particle_emitter': Element(
        'A source of particles such as smoke.',
        attributes={
            'name': Attribute(STRING, 'Name.', required=True),
            'type': Attribute(
                EMITTER_TYPE, 'Shape of the volume in which particles begin.', required=True,
                default='point'),
        },
        children={
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
            'particle_scatter_ratio': value(
                DOUBLE, 'Share of the particles that sensors see.', 0.65),
            'pose': like('pose', 'Pose in the link.'),
            'material': like('material', 'Look of a particle.'),
        }),
}
