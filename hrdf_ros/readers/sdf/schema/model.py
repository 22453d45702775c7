# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Models, what is directly in them, and joints."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element, Variants
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    DOUBLE,
    element,
    FRAME,
    FRAMES,
    INF,
    INT,
    JOINT_TYPE,
    like,
    POSE,
    ROTATION_FORMAT,
    STRING,
    UNSIGNED,
    value,
    VECTOR3,
    VERSION,
)

_PARENT = value(
    STRING, 'Parent frame, or world.', required=True, text_required=True, refers=FRAMES)
_CHILD = value(
    STRING, "Child frame, which the joint's pose is relative to by default.", required=True,
    text_required=True, refers=FRAMES)
_OF_TYPE = Variants('type', {
    'ball': Element(children={
        'parent': _PARENT._replace(required=False), 'child': _CHILD._replace(required=False)}),
})
_XYZ = value(
    VECTOR3, 'The direction of an axis.', (0.0, 0.0, 1.0), text_required=True, expected=True,
    attributes={
        'expressed_in': Attribute(
            STRING, "Frame in which the numbers are; the joint's by default.", since='1.7',
            refers=FRAMES),
    })
_DYNAMICS = element('Damping, friction and spring of an axis.', {
    'damping': value(DOUBLE, 'Viscous damping.', 0.0, 'N s/m or N m s/rad'),
    'friction': value(DOUBLE, 'Static friction.', 0.0, 'N or N m'),
    'spring_reference': value(
        DOUBLE, 'Position at which the spring is at rest.', 0.0, 'm or rad', text_required=True,
        since='1.5'),
    'spring_stiffness': value(
        DOUBLE, 'Stiffness of the spring.', 0.0, 'N/m or N m/rad', text_required=True,
        since='1.5'),
})
_RATES_AND_STOPS = {
    'effort': value(DOUBLE, 'Maximum effort; a negative one means no limit.', INF, 'N or N m'),
    'velocity': value(
        DOUBLE, 'Maximum velocity; a negative one means no limit.', INF, 'm/s or rad/s'),
    'stiffness': value(
        DOUBLE, 'Stiffness of the stops.', 100000000.0, 'N/m or N m/rad',
        handling='not preserved'),
    'dissipation': value(
        DOUBLE, 'Damping of the stops.', 1.0, 'N s/m or N m s/rad', handling='not preserved'),
}
_MIMIC = element('q = multiplier * (q_leader - reference) + offset.', {
    '@joint': Attribute(STRING, 'Joint that leads.', required=True, refers=('joint',)),
    '@axis': Attribute(STRING, 'Which axis of the leading joint.', default='axis'),
    'multiplier': value(DOUBLE, 'Ratio of the two positions.', 1.0, text_required=True),
    'offset': value(
        DOUBLE, 'Position where the leader is at its reference.', 0.0, 'm or rad',
        text_required=True),
    'reference': value(
        DOUBLE, 'Position of the leader at which the offset applies.', 0.0, 'm or rad',
        text_required=True),
}, since='1.11')
_CFM_ERP = element('How stiff ODE makes a constraint.', {
    'cfm': value(DOUBLE, 'Constraint force mixing.', 0.0, text_required=True),
    'erp': value(DOUBLE, 'Error reduction.', 0.2, text_required=True),
})

ELEMENTS: dict[str, Element] = {
    'sdf': element('An SDFormat file: worlds, or one model, actor or light.', {
        '@version': Attribute(
            VERSION, 'Version of SDFormat that the file is written in.', required=True,
            default='1.12'),
        'world': like(
            'world', 'A world: models, frames and joints, with gravity and scenery.',
            repeated=True),
        'model': like('model', 'The one model of a file without worlds.'),
        'include': like('include', 'Another file with the one model of a file.'),
        'actor': like('actor', 'The one actor of a file without worlds.', handling='checked'),
        'light': like('light', 'The one light of a file without worlds.', handling='checked'),
    }),
    'model': element('Links and joints that move as one, and the models nested in it.', {
        '@name': Attribute(
            STRING, 'Name, unique in the scope around it.', required=True, names='model'),
        '@namespace': Attribute(
            STRING, 'Prefix that consumers put before the topics of its plugins.', since='1.11',
            handling='not preserved'),
        '@canonical_link': Attribute(
            FRAME, "Link that the model's frame is attached to; the first one by default.",
            since='1.7', refers=('link',), inside=True),
        '@placement_frame': Attribute(
            FRAME, 'Frame in the model that its pose places, instead of its own.', since='1.8',
            refers=FRAMES, inside=True),
        'static': value(BOOL, 'The model never moves.', False),
        'self_collide': value(
            BOOL, 'Its links collide with each other.', False, since='1.5', handling='preserved'),
        'allow_auto_disable': value(
            BOOL, 'A physics engine may put it to sleep while it rests.', True,
            handling='preserved'),
        'include': like(
            'include', "Another model's file, as a nested model or merged into this one.",
            repeated=True, since='1.5'),
        'model': like(
            'model', 'A nested model with a scope of its own.', repeated=True, since='1.5'),
        'enable_wind': value(
            BOOL, 'Wind acts on all its links.', False, since='1.6', handling='preserved'),
        'frame': like('frame', 'A named frame.', repeated=True, since='1.5'),
        'pose': like('pose', 'Pose of the model, or of its placement frame.', outside=True),
        'link': like('link', 'A rigid body.', repeated=True),
        'joint': like('joint', 'A connection of two frames of the model.', repeated=True),
        'plugin': like(
            'plugin', 'Code that a simulator loads for the model.', repeated=True,
            handling='preserved'),
        'gripper': like(
            'gripper', 'Links that grasp, for simulators that fix the grasped object.',
            repeated=True, handling='preserved'),
        'model_state': like(
            'model_state', 'Pose and joint positions with which a simulator begins.', since='1.12',
            handling='not preserved'),
    }, scope=True),
    'include': element('Another file put here: a model, or an actor or light of a world.', {
        '@merge': Attribute(
            BOOL, 'Its links, joints and frames go into the scope around the include.',
            default=False, since='1.9'),
        'uri': value(
            STRING, 'The file, or the directory with a model.config.', text_required=True,
            refers=('file',)),
        'name': value(STRING, 'Name instead of the one in the file.', since='1.5', names='model'),
        'namespace': value(
            STRING, 'Namespace instead of the one in the file.', since='1.11',
            handling='not preserved'),
        'static': value(
            BOOL, 'Whether the model moves, instead of the flag in the file.', False, since='1.5'),
        'placement_frame': value(
            STRING, 'Frame of the included model that the pose places.', since='1.8',
            refers=FRAMES),
        'model_state': like(
            'model_state', 'Pose and joint positions with which a simulator begins.', since='1.12',
            handling='not preserved'),
        'pose': like('pose', 'Pose instead of the one in the file.', since='1.5'),
        'plugin': like(
            'plugin', 'A plugin added to the included model.', repeated=True, since='1.5',
            handling='preserved'),
        'joint': like('joint', 'A joint added to the included model.', repeated=True),
        'frame': like('frame', 'A frame added to the included model.', repeated=True),
    }),
    'frame': element('A named frame that is fixed to a link, joint, model or other frame.', {
        '@name': Attribute(STRING, 'Name, unique in its scope.', required=True, names='frame'),
        '@attached_to': Attribute(
            FRAME, "What it moves with; the scope's own frame by default.", since='1.7',
            refers=FRAMES),
        'pose': like('pose', 'Pose, relative to attached_to by default.'),
    }),
    'pose': value(
        POSE, 'Position and orientation: x y z roll pitch yaw.', unit='m, rad', attributes={
            'relative_to': Attribute(
                FRAME, 'Frame that the pose is relative to.', since='1.7', refers=FRAMES),
            'rotation_format': Attribute(
                ROTATION_FORMAT, 'Whether the rotation is three angles or a quaternion.',
                default='euler_rpy', since='1.9'),
            'degrees': Attribute(
                BOOL, 'The three angles are in degrees.', default=False, since='1.9'),
        }),
    'plugin': element('Code that a simulator loads, with parameters of its own inside.', {
        '@name': Attribute(STRING, 'Name, for the user.'),
        '@filename': Attribute(STRING, 'Shared library.', required=True),
    }, open=True),
    'gripper': element('Links that hold an object by touching it.', {
        '@name': Attribute(STRING, 'Name.', required=True),
        'grasp_check': element('When something counts as grasped or released.', {
            'detach_steps': value(INT, 'Steps without contact after which it is released.', 40),
            'attach_steps': value(INT, 'Steps with contact after which it is grasped.', 20),
            'min_contact_count': value(UNSIGNED, 'Links that have to touch it.', 2),
        }),
        'gripper_link': value(
            STRING, 'A finger: a link whose contacts count.', text_required=True, repeated=True,
            expected=True, refers=('link',)),
        'palm_link': value(
            STRING, 'Link that a grasped object is fixed to.', text_required=True, expected=True,
            refers=('link',)),
    }),
    'joint': element(
        'A connection of a child frame to a parent frame, with up to three degrees of freedom.', {
            '@name': Attribute(STRING, 'Name, unique in its scope.', required=True, names='joint'),
            '@type': Attribute(JOINT_TYPE, 'How the child can move.', required=True),
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
            'axis': element('An axis: its direction, limits and dynamics.', {
                'xyz': _XYZ,
                'dynamics': _DYNAMICS,
                'limit': element('Limits of an axis.', {
                    'lower': value(
                        DOUBLE, 'Minimum position.', -INF, 'm or rad', text_required=True),
                    'upper': value(
                        DOUBLE, 'Maximum position.', INF, 'm or rad', text_required=True),
                    **_RATES_AND_STOPS,
                }),
                'mimic': _MIMIC,
            }),
            'axis2': element('The second axis of a joint that has two.', {
                'xyz': _XYZ,
                'dynamics': _DYNAMICS,
                'limit': element('Limits of the second axis.', {
                    'lower': value(DOUBLE, 'Minimum position.', -INF, 'm or rad'),
                    'upper': value(DOUBLE, 'Maximum position.', INF, 'm or rad'),
                    **_RATES_AND_STOPS,
                }),
                'mimic': _MIMIC,
            }),
            'physics': element('Parameters of physics engines for a joint.', {
                'simbody': element('Parameters of Simbody for a joint.', {
                    'must_be_loop_joint': value(BOOL, 'Cut loops at this joint.', False),
                }),
                'ode': element('Parameters of ODE for a joint.', {
                    'cfm_damping': value(BOOL, 'Damping by constraint force mixing.', False),
                    'implicit_spring_damper': value(
                        BOOL, 'Springs and dampers by constraint force mixing.', False),
                    'fudge_factor': value(DOUBLE, "Scale of a motor's force at the limits.", 0.0),
                    'cfm': value(DOUBLE, 'Constraint force mixing.', 0.0),
                    'erp': value(DOUBLE, 'Error reduction.', 0.2),
                    'bounce': value(DOUBLE, 'Bounce at the limits.', 0.0),
                    'max_force': value(
                        DOUBLE, 'Maximum effort to reach the velocity.', 0.0, 'N or N m'),
                    'velocity': value(
                        DOUBLE, 'Velocity that is wanted at the start.', 0.0, 'm/s or rad/s'),
                    'limit': _CFM_ERP._replace(doc='At the limits.'),
                    'suspension': _CFM_ERP._replace(doc='Of the suspension.'),
                }),
                'provide_feedback': value(BOOL, 'Compute the forces in the joint.', False),
            }, handling='preserved'),
            'pose': like('pose', "Pose of the joint's frame."),
            'sensor': like(
                'sensor', 'A sensor at the joint, such as force and torque.', repeated=True,
                handling='preserved'),
        }, variants=_OF_TYPE),
}
