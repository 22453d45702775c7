# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Joints."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element, Variants
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    DOUBLE,
    FRAMES,
    INF,
    JOINT_TYPE,
    like,
    STRING,
    value,
    VECTOR3,
)

_PARENT = value(
    STRING, 'Parent frame, or world.', required=True, text_required=True, refers=FRAMES)
_CHILD = value(
    STRING, "Child frame, which the joint's pose is relative to by default.", required=True,
    text_required=True, refers=FRAMES)
_XYZ = value(
    VECTOR3, 'The direction of an axis.', (0.0, 0.0, 1.0), text_required=True, expected=True,
    attributes={
        'expressed_in': Attribute(
            STRING, "Frame in which the numbers are; the joint's by default.", since='1.7',
            refers=FRAMES),
    })
_DYNAMICS = Element(
    'Damping, friction and spring of an axis.',
    children={
        'damping': value(DOUBLE, 'Viscous damping.', 0.0, 'N s/m or N m s/rad'),
        'friction': value(DOUBLE, 'Static friction.', 0.0, 'N or N m'),
        'spring_reference': value(
            DOUBLE, 'Position at which the spring is at rest.', 0.0, 'm or rad',
            text_required=True, since='1.5'),
        'spring_stiffness': value(
            DOUBLE, 'Stiffness of the spring.', 0.0, 'N/m or N m/rad', text_required=True,
            since='1.5'),
    })
_RATES_AND_STOPS = {
    'effort': value(
        DOUBLE, 'Maximum effort; a negative one means no limit.', INF, 'N or N m'),
    'velocity': value(
        DOUBLE, 'Maximum velocity; a negative one means no limit.', INF, 'm/s or rad/s'),
    'stiffness': value(
        DOUBLE, 'Stiffness of the stops.', 100000000.0, 'N/m or N m/rad', handling='checked'),
    'dissipation': value(
        DOUBLE, 'Damping of the stops.', 1.0, 'N s/m or N m s/rad', handling='checked'),
}
_MIMIC = Element(
    'q = multiplier * (q_leader - reference) + offset.', since='1.11',
    attributes={
        'joint': Attribute(STRING, 'Joint that leads.', required=True, refers=('joint',)),
        'axis': Attribute(STRING, 'Which axis of the leading joint.', default='axis'),
    },
    children={
        'multiplier': value(DOUBLE, 'Ratio of the two positions.', 1.0, text_required=True),
        'offset': value(
            DOUBLE, 'Position where the leader is at its reference.', 0.0, 'm or rad',
            text_required=True),
        'reference': value(
            DOUBLE, 'Position of the leader at which the offset applies.', 0.0, 'm or rad',
            text_required=True),
    })
_CFM_ERP = Element(
    'How stiff ODE makes a constraint.',
    children={
        'cfm': value(DOUBLE, 'Constraint force mixing.', 0.0, text_required=True),
        'erp': value(DOUBLE, 'Error reduction.', 0.2, text_required=True),
    })

ELEMENTS: dict[str, Element] = {
    'joint': Element(
        'What connects a child frame to a parent frame, with up to three degrees of freedom.',
        attributes={
            'name': Attribute(
                STRING, 'Name, unique in its scope.', required=True, names='joint'),
            'type': Attribute(JOINT_TYPE, 'How the child can move.', required=True),
        },
        children={
            'parent': _PARENT,
            'child': _CHILD,
            'gearbox_ratio': value(
                DOUBLE, 'Angle of the parent by the angle of the child, negative.', 1.0),
            'gearbox_reference_body': value(
                STRING, 'Frame that both angles of a gearbox are measured against.',
                refers=FRAMES),
            'thread_pitch': value(
                DOUBLE, 'Turn for a length, positive for a left-handed screw.', 1.0, 'rad/m',
                deprecated='screw_thread_pitch'),
            'screw_thread_pitch': value(
                DOUBLE, 'Length for one full turn, positive for a right-handed screw.', 1.0, 'm',
                since='1.10'),
            'axis': Element(
                'An axis: its direction, limits and dynamics.',
                children={
                    'xyz': _XYZ,
                    'dynamics': _DYNAMICS,
                    'limit': Element(
                        'Limits of an axis.',
                        children={
                            'lower': value(
                                DOUBLE, 'Minimum position.', -INF, 'm or rad', text_required=True),
                            'upper': value(
                                DOUBLE, 'Maximum position.', INF, 'm or rad', text_required=True),
                            **_RATES_AND_STOPS,
                        }),
                    'mimic': _MIMIC,
                }),
            'axis2': Element(
                'The second axis of a joint that has two.',
                children={
                    'xyz': _XYZ,
                    'dynamics': _DYNAMICS,
                    'limit': Element(
                        'Limits of the second axis.',
                        children={
                            'lower': value(DOUBLE, 'Minimum position.', -INF, 'm or rad'),
                            'upper': value(DOUBLE, 'Maximum position.', INF, 'm or rad'),
                            **_RATES_AND_STOPS,
                        }),
                    'mimic': _MIMIC,
                }),
            'physics': Element(
                'Parameters of physics engines for a joint.', handling='preserved',
                children={
                    'simbody': Element(
                        'Parameters of Simbody for a joint.',
                        children={
                            'must_be_loop_joint': value(BOOL, 'Cut loops at this joint.', False),
                        }),
                    'ode': Element(
                        'Parameters of ODE for a joint.',
                        children={
                            'cfm_damping': value(
                                BOOL, 'Damping by constraint force mixing.', False),
                            'implicit_spring_damper': value(
                                BOOL, 'Springs and dampers by constraint force mixing.', False),
                            'fudge_factor': value(
                                DOUBLE, "Scale of a motor's force at the limits.", 0.0),
                            'cfm': value(DOUBLE, 'Constraint force mixing.', 0.0),
                            'erp': value(DOUBLE, 'Error reduction.', 0.2),
                            'bounce': value(DOUBLE, 'Bounce at the limits.', 0.0),
                            'max_force': value(
                                DOUBLE, 'Maximum effort to reach the velocity.', 0.0, 'N or N m'),
                            'velocity': value(
                                DOUBLE, 'Velocity that is wanted at the start.', 0.0,
                                'm/s or rad/s'),
                            'limit': _CFM_ERP.replace(doc='At the limits.'),
                            'suspension': _CFM_ERP.replace(doc='Of the suspension.'),
                        }),
                    'provide_feedback': value(BOOL, 'Compute the forces in the joint.', False),
                }),
            'pose': like('pose', "Pose of the joint's frame."),
            'sensor': like(
                'sensor', 'A sensor at the joint, such as force and torque.', repeated=True,
                handling='preserved'),
        },
        variants=Variants('type', {
            'ball': Element(children={
                'parent': _PARENT.replace(required=False),
                'child': _CHILD.replace(required=False),
            }),
        })),
}
