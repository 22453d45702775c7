# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""States of worlds, models, links and joints."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    DOUBLE,
    like,
    STRING,
    TIME,
    UNSIGNED,
    value,
    VECTOR3,
)

_VALUE = value(
    DOUBLE, 'A position, velocity or acceleration of an axis.', 0.0, unit='rad or m',
    attributes={
        'degrees': Attribute(BOOL, 'It is in degrees.', default=False),
    })
_RATE = value(
    VECTOR3, 'An angular velocity or acceleration.', (0.0, 0.0, 0.0), unit='rad/s or rad/s^2',
    attributes={
        'degrees': Attribute(BOOL, 'It is in degrees.', default=False),
    })
_AXIS_STATE = Element(
    'State of an axis.',
    children={
        'position': _VALUE.replace(doc='Position.'),
        'velocity': _VALUE.replace(doc='Velocity.'),
        'acceleration': _VALUE.replace(doc='Acceleration.'),
        'effort': value(DOUBLE, 'Effort.', 0.0, 'N or N m'),
    })

ELEMENTS: dict[str, Element] = {
    'state': Element(
        'A state of a world in which a simulation was saved.',
        attributes={
            'world_name': Attribute(STRING, 'The world.', required=True),
        },
        children={
            'sim_time': value(TIME, 'Simulated time.', (0.0, 0.0), 's, ns'),
            'wall_time': value(TIME, 'Time of the day.', (0.0, 0.0), 's, ns'),
            'real_time': value(TIME, 'Real time since the start.', (0.0, 0.0), 's, ns'),
            'iterations': value(
                UNSIGNED, 'Steps since the start.', 0, text_required=True, since='1.5'),
            'insertions': Element(
                'What was added since the start.',
                children={
                    'model': like('model', 'A model.', repeated=True),
                    'light': like('light', 'A light.', repeated=True, since='1.6'),
                    'joint': like('joint', 'A joint.', repeated=True, since='1.12'),
                }),
            'deletions': Element(
                'What was removed since the start.',
                children={
                    'name': value(
                        STRING, 'Name of a model or light.', text_required=True, repeated=True),
                }),
            'model_state': like('model_state', 'State of a model.', repeated=True, since='1.12'),
            'light_state': like('light_state', 'State of a light.', repeated=True, since='1.12'),
            'joint_state': like('joint_state', 'State of a joint.', repeated=True, since='1.12'),
        }),
    'model_state': Element(
        'State of a model.',
        attributes={
            'name': Attribute(STRING, 'The model.', required=True),
        },
        children={
            'model_state': like('model_state', 'State of a nested model.', repeated=True),
            'scale': value(VECTOR3, 'Factors along x, y and z.', (1.0, 1.0, 1.0)),
            'joint_state': like('joint_state', 'State of a joint.', repeated=True),
            'frame': like('frame', 'A named frame.', repeated=True),
            'pose': like('pose', 'Pose of the model.'),
            'link_state': like('link_state', 'State of a link.', repeated=True),
        }),
    'light_state': Element(
        'State of a light.',
        attributes={
            'name': Attribute(STRING, 'The light.', required=True),
        },
        children={
            'pose': like('pose', 'Pose of the light.'),
        }),
    'link_state': Element(
        'State of a link, against the world.',
        attributes={
            'name': Attribute(STRING, 'The link.', required=True),
        },
        children={
            'angular_velocity': _RATE.replace(doc='Angular velocity.'),
            'linear_velocity': value(VECTOR3, 'Velocity of its origin.', (0.0, 0.0, 0.0), 'm/s'),
            'velocity': like(
                'pose', 'Both velocities.', deprecated='<linear_velocity> and <angular_velocity>'),
            'angular_acceleration': _RATE.replace(doc='Angular acceleration.'),
            'linear_acceleration': value(
                VECTOR3, 'Acceleration of its origin.', (0.0, 0.0, 0.0), 'm/s^2'),
            'acceleration': like(
                'pose', 'Both accelerations.',
                deprecated='<linear_acceleration> and <angular_acceleration>'),
            'torque': value(VECTOR3, 'Torque on the link.', (0.0, 0.0, 0.0), 'N m'),
            'force': value(VECTOR3, 'Force on the link.', (0.0, 0.0, 0.0), 'N'),
            'wrench': like('pose', 'Force and torque.', deprecated='<force> and <torque>'),
            'collision_state': Element(
                'State of a collision.', repeated=True,
                attributes={
                    'name': Attribute(STRING, 'The collision.', required=True),
                }),
            'pose': like('pose', 'Pose of the link.'),
        }),
    'joint_state': Element(
        'State of a joint.',
        attributes={
            'name': Attribute(STRING, 'The joint.', required=True),
        },
        children={
            'angle': value(
                DOUBLE, 'Position of an axis.', 0.0, unit='rad or m',
                deprecated='<axis_state> and <axis2_state>',
                attributes={
                    'axis': Attribute(
                        UNSIGNED, 'Number of the axis, from 0.', required=True, default=0),
                }),
            'axis_state': _AXIS_STATE.replace(doc='State of the first axis.'),
            'axis2_state': _AXIS_STATE.replace(doc='State of the second axis.'),
        }),
}
