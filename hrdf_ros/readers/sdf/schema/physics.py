# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The physics of a world."""

from __future__ import annotations

from hrdf_ros.readers.schema import Attribute, Element
from hrdf_ros.readers.sdf.schema.types import BOOL, DOUBLE, INT, STRING, value

ELEMENTS: dict[str, Element] = {
    'physics': Element(
        'Step size and engine of a simulation.',
        attributes={
            'name': Attribute(STRING, 'Name.', default='default_physics', since='1.5'),
            'default': Attribute(BOOL, 'This one is used.', default=False, since='1.5'),
            'type': Attribute(STRING, 'Physics engine.', required=True, default='ode'),
        },
        children={
            'max_step_size': value(DOUBLE, 'Maximum time step.', 0.001, 's', text_required=True),
            'real_time_factor': value(
                DOUBLE, 'Simulated time by real time.', 1.0, text_required=True),
            'real_time_update_rate': value(
                DOUBLE, 'Steps in a second of real time.', 1000.0, 'Hz', text_required=True),
            'max_contacts': value(INT, 'Contacts between two collisions that count.', 20),
            'dart': Element(
                'Parameters of DART.', since='1.6',
                children={
                    'solver': Element(
                        'Solver of constraints in DART.',
                        children={
                            'solver_type': value(
                                STRING, 'Dantzig or pgs.', 'dantzig', text_required=True),
                        }),
                    'collision_detector': value(
                        STRING, 'Collision detector: dart, fcl, bullet or ode.', 'fcl'),
                }),
            'simbody': Element(
                'Parameters of Simbody.',
                children={
                    'min_step_size': value(DOUBLE, 'Minimum time step.', 0.0001, 's'),
                    'accuracy': value(DOUBLE, 'Relative error of the integrator.', 0.001),
                    'max_transient_velocity': value(
                        DOUBLE, 'Speed at which friction counts as sticking.', 0.01, 'm/s'),
                    'contact': Element(
                        'Contacts in Simbody.',
                        children={
                            'stiffness': value(DOUBLE, 'Stiffness.', 100000000.0, 'N/m'),
                            'dissipation': value(DOUBLE, 'Damping by stiffness.', 100.0, 's/m'),
                            'plastic_coef_restitution': value(
                                DOUBLE, 'Restitution of fast impacts.', 0.5),
                            'plastic_impact_velocity': value(
                                DOUBLE, 'Speed above which impacts are fast.', 0.5, 'm/s'),
                            'static_friction': value(
                                DOUBLE, 'Coefficient of static friction.', 0.9),
                            'dynamic_friction': value(
                                DOUBLE, 'Coefficient of dynamic friction.', 0.9),
                            'viscous_friction': value(
                                DOUBLE, 'Coefficient of viscous friction.', 0.0),
                            'override_impact_capture_velocity': value(
                                DOUBLE, 'Speed below which nothing bounces.', 0.001, 'm/s'),
                            'override_stiction_transition_velocity': value(
                                DOUBLE, 'Speed below which contacts stick.', 0.001, 'm/s'),
                        }),
                }),
            'bullet': Element(
                'Parameters of Bullet.',
                children={
                    'solver': Element(
                        'Solver of constraints in Bullet.',
                        children={
                            'type': value(
                                STRING, 'Sequential_impulse.', 'sequential_impulse',
                                text_required=True),
                            'min_step_size': value(DOUBLE, 'Minimum time step.', 0.0001, 's'),
                            'iters': value(
                                INT, 'Iterations in each step.', 50, text_required=True),
                            'sor': value(DOUBLE, 'Over-relaxation.', 1.3, text_required=True),
                        }),
                    'constraints': Element(
                        'Stiffness of constraints in Bullet.',
                        children={
                            'cfm': value(
                                DOUBLE, 'Constraint force mixing.', 0.0, text_required=True),
                            'erp': value(DOUBLE, 'Error reduction.', 0.2, text_required=True),
                            'contact_surface_layer': value(
                                DOUBLE, 'Depth to which contacts may sink in.', 0.001, 'm',
                                text_required=True),
                            'split_impulse': value(
                                BOOL, 'Correct depth apart from velocity.', True,
                                text_required=True),
                            'split_impulse_penetration_threshold': value(
                                DOUBLE, 'Depth beyond which the correction is apart.', -0.01, 'm',
                                text_required=True),
                        }),
                }),
            'ode': Element(
                'Parameters of ODE.',
                children={
                    'solver': Element(
                        'Solver of constraints in ODE.',
                        children={
                            'type': value(STRING, 'World or quick.', 'quick', text_required=True),
                            'min_step_size': value(DOUBLE, 'Minimum time step.', 0.0001, 's'),
                            'island_threads': value(
                                INT, 'Threads for separate groups of bodies.', 0, since='1.6'),
                            'iters': value(
                                INT, 'Iterations in each step.', 50, text_required=True),
                            'precon_iters': value(INT, 'Iterations before the main ones.', 0),
                            'sor': value(DOUBLE, 'Over-relaxation.', 1.3, text_required=True),
                            'thread_position_correction': value(
                                BOOL, 'Correct positions in a thread of their own.', False,
                                since='1.6'),
                            'use_dynamic_moi_rescaling': value(
                                BOOL, 'Rescale inertias for stability.', False,
                                text_required=True),
                            'friction_model': value(
                                STRING, 'Pyramid_model, box_model or cone_model.', 'pyramid_model',
                                since='1.6'),
                        }),
                    'constraints': Element(
                        'Stiffness of constraints in ODE.',
                        children={
                            'cfm': value(
                                DOUBLE, 'Constraint force mixing.', 0.0, text_required=True),
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
}
