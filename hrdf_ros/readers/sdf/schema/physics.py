# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The physics of a world, and its saved states."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element
from hrdf_ros.readers.sdf.schema.types import (
    BOOL,
    DOUBLE,
    element,
    INT,
    like,
    STRING,
    TIME,
    UNSIGNED,
    value,
    VECTOR3,
)

_VALUE = value(
    DOUBLE, 'A position, velocity or acceleration of an axis.', 0.0, unit='rad or m', attributes={
        'degrees': Attribute(BOOL, 'It is in degrees.', default=False),
    })
_RATE = value(
    VECTOR3, 'An angular velocity or acceleration.', (0.0, 0.0, 0.0), unit='rad/s or rad/s^2',
    attributes={
        'degrees': Attribute(BOOL, 'It is in degrees.', default=False),
    })
_AXIS_STATE = element('State of an axis.', {
    'position': _VALUE._replace(doc='Position.'),
    'velocity': _VALUE._replace(doc='Velocity.'),
    'acceleration': _VALUE._replace(doc='Acceleration.'),
    'effort': value(DOUBLE, 'Effort.', 0.0, 'N or N m'),
})

ELEMENTS: dict[str, Element] = {
    'physics': element('Step size and engine of a simulation.', {
        '@name': Attribute(STRING, 'Name.', default='default_physics', since='1.5'),
        '@default': Attribute(BOOL, 'This one is used.', default=False, since='1.5'),
        '@type': Attribute(STRING, 'Physics engine.', required=True, default='ode'),
        'max_step_size': value(DOUBLE, 'Maximum time step.', 0.001, 's', text_required=True),
        'real_time_factor': value(DOUBLE, 'Simulated time by real time.', 1.0, text_required=True),
        'real_time_update_rate': value(
            DOUBLE, 'Steps in a second of real time.', 1000.0, 'Hz', text_required=True),
        'max_contacts': value(INT, 'Contacts between two collisions that count.', 20),
        'dart': element('Parameters of DART.', {
            'solver': element('Solver of constraints in DART.', {
                'solver_type': value(STRING, 'Dantzig or pgs.', 'dantzig', text_required=True),
            }),
            'collision_detector': value(
                STRING, 'Collision detector: dart, fcl, bullet or ode.', 'fcl'),
        }, since='1.6'),
        'simbody': element('Parameters of Simbody.', {
            'min_step_size': value(DOUBLE, 'Minimum time step.', 0.0001, 's'),
            'accuracy': value(DOUBLE, 'Relative error of the integrator.', 0.001),
            'max_transient_velocity': value(
                DOUBLE, 'Speed at which friction counts as sticking.', 0.01, 'm/s'),
            'contact': element('Contacts in Simbody.', {
                'stiffness': value(DOUBLE, 'Stiffness.', 100000000.0, 'N/m'),
                'dissipation': value(DOUBLE, 'Damping by stiffness.', 100.0, 's/m'),
                'plastic_coef_restitution': value(DOUBLE, 'Restitution of fast impacts.', 0.5),
                'plastic_impact_velocity': value(
                    DOUBLE, 'Speed above which impacts are fast.', 0.5, 'm/s'),
                'static_friction': value(DOUBLE, 'Coefficient of static friction.', 0.9),
                'dynamic_friction': value(DOUBLE, 'Coefficient of dynamic friction.', 0.9),
                'viscous_friction': value(DOUBLE, 'Coefficient of viscous friction.', 0.0),
                'override_impact_capture_velocity': value(
                    DOUBLE, 'Speed below which nothing bounces.', 0.001, 'm/s'),
                'override_stiction_transition_velocity': value(
                    DOUBLE, 'Speed below which contacts stick.', 0.001, 'm/s'),
            }),
        }),
        'bullet': element('Parameters of Bullet.', {
            'solver': element('Solver of constraints in Bullet.', {
                'type': value(
                    STRING, 'Sequential_impulse.', 'sequential_impulse', text_required=True),
                'min_step_size': value(DOUBLE, 'Minimum time step.', 0.0001, 's'),
                'iters': value(INT, 'Iterations in each step.', 50, text_required=True),
                'sor': value(DOUBLE, 'Over-relaxation.', 1.3, text_required=True),
            }),
            'constraints': element('Stiffness of constraints in Bullet.', {
                'cfm': value(DOUBLE, 'Constraint force mixing.', 0.0, text_required=True),
                'erp': value(DOUBLE, 'Error reduction.', 0.2, text_required=True),
                'contact_surface_layer': value(
                    DOUBLE, 'Depth to which contacts may sink in.', 0.001, 'm',
                    text_required=True),
                'split_impulse': value(
                    BOOL, 'Correct depth apart from velocity.', True, text_required=True),
                'split_impulse_penetration_threshold': value(
                    DOUBLE, 'Depth beyond which the correction is apart.', -0.01, 'm',
                    text_required=True),
            }),
        }),
        'ode': element('Parameters of ODE.', {
            'solver': element('Solver of constraints in ODE.', {
                'type': value(STRING, 'World or quick.', 'quick', text_required=True),
                'min_step_size': value(DOUBLE, 'Minimum time step.', 0.0001, 's'),
                'island_threads': value(
                    INT, 'Threads for separate groups of bodies.', 0, since='1.6'),
                'iters': value(INT, 'Iterations in each step.', 50, text_required=True),
                'precon_iters': value(INT, 'Iterations before the main ones.', 0),
                'sor': value(DOUBLE, 'Over-relaxation.', 1.3, text_required=True),
                'thread_position_correction': value(
                    BOOL, 'Correct positions in a thread of their own.', False, since='1.6'),
                'use_dynamic_moi_rescaling': value(
                    BOOL, 'Rescale inertias for stability.', False, text_required=True),
                'friction_model': value(
                    STRING, 'Pyramid_model, box_model or cone_model.', 'pyramid_model',
                    since='1.6'),
            }),
            'constraints': element('Stiffness of constraints in ODE.', {
                'cfm': value(DOUBLE, 'Constraint force mixing.', 0.0, text_required=True),
                'erp': value(DOUBLE, 'Error reduction.', 0.2, text_required=True),
                'contact_max_correcting_vel': value(
                    DOUBLE, 'Maximum speed of contact correction.', 100.0, 'm/s',
                    text_required=True),
                'contact_surface_layer': value(
                    DOUBLE, 'Depth to which contacts may sink in.', 0.001, 'm',
                    text_required=True),
            }),
        }),
    }),
    'state': element('A state of a world in which a simulation was saved.', {
        '@world_name': Attribute(STRING, 'The world.', required=True),
        'sim_time': value(TIME, 'Simulated time.', (0.0, 0.0), 's, ns'),
        'wall_time': value(TIME, 'Time of the day.', (0.0, 0.0), 's, ns'),
        'real_time': value(TIME, 'Real time since the start.', (0.0, 0.0), 's, ns'),
        'iterations': value(
            UNSIGNED, 'Steps since the start.', 0, text_required=True, since='1.5'),
        'insertions': element('Additions since the start.', {
            'model': like('model', 'A model.', repeated=True),
            'light': like('light', 'A light.', repeated=True, since='1.6'),
            'joint': like('joint', 'A joint.', repeated=True, since='1.12'),
        }),
        'deletions': element('Removals since the start.', {
            'name': value(STRING, 'Name of a model or light.', text_required=True, repeated=True),
        }),
        'model_state': like('model_state', 'State of a model.', repeated=True, since='1.12'),
        'light_state': like('light_state', 'State of a light.', repeated=True, since='1.12'),
        'joint_state': like('joint_state', 'State of a joint.', repeated=True, since='1.12'),
    }),
    'model_state': element('State of a model.', {
        '@name': Attribute(STRING, 'The model.', required=True),
        'model_state': like('model_state', 'State of a nested model.', repeated=True),
        'scale': value(VECTOR3, 'Factors along x, y and z.', (1.0, 1.0, 1.0)),
        'joint_state': like('joint_state', 'State of a joint.', repeated=True),
        'frame': like('frame', 'A named frame.', repeated=True),
        'pose': like('pose', 'Pose of the model.'),
        'link_state': like('link_state', 'State of a link.', repeated=True),
    }),
    'light_state': element('State of a light.', {
        '@name': Attribute(STRING, 'The light.', required=True),
        'pose': like('pose', 'Pose of the light.'),
    }),
    'link_state': element('State of a link, against the world.', {
        '@name': Attribute(STRING, 'The link.', required=True),
        'angular_velocity': _RATE._replace(doc='Angular velocity.'),
        'linear_velocity': value(VECTOR3, 'Velocity of its origin.', (0.0, 0.0, 0.0), 'm/s'),
        'velocity': like(
            'pose', 'Both velocities.', deprecated='<linear_velocity> and <angular_velocity>'),
        'angular_acceleration': _RATE._replace(doc='Angular acceleration.'),
        'linear_acceleration': value(
            VECTOR3, 'Acceleration of its origin.', (0.0, 0.0, 0.0), 'm/s^2'),
        'acceleration': like(
            'pose', 'Both accelerations.',
            deprecated='<linear_acceleration> and <angular_acceleration>'),
        'torque': value(VECTOR3, 'Torque on the link.', (0.0, 0.0, 0.0), 'N m'),
        'force': value(VECTOR3, 'Force on the link.', (0.0, 0.0, 0.0), 'N'),
        'wrench': like('pose', 'Force and torque.', deprecated='<force> and <torque>'),
        'collision_state': element('State of a collision.', {
            '@name': Attribute(STRING, 'The collision.', required=True),
        }, repeated=True),
        'pose': like('pose', 'Pose of the link.'),
    }),
    'joint_state': element('State of a joint.', {
        '@name': Attribute(STRING, 'The joint.', required=True),
        'angle': value(
            DOUBLE, 'Position of an axis.', 0.0, unit='rad or m',
            deprecated='<axis_state> and <axis2_state>', attributes={
                'axis': Attribute(
                    UNSIGNED, 'Number of the axis, from 0.', required=True, default=0),
            }),
        'axis_state': _AXIS_STATE._replace(doc='State of the first axis.'),
        'axis2_state': _AXIS_STATE._replace(doc='State of the second axis.'),
    }),
}
