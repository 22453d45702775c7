# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where URDF writes the values of the Model, from the elements that records are read from."""

from hrdf_ros.document import ValuePaths

VALUE_PATHS: ValuePaths = {
    'parent_from_joint': ('origin/@xyz',),
    'axis': ('axis/@xyz',),
    'lower': ('limit/@lower',),
    'upper': ('limit/@upper',),
    'velocity': ('limit/@velocity',),
    'effort': ('limit/@effort',),
    'mimic': ('mimic',),
    'mass': ('mass/@value',),
    'ixx': ('inertia/@ixx',),
    'iyy': ('inertia/@iyy',),
    'izz': ('inertia/@izz',),
    'ixy': ('inertia/@ixy',),
    'ixz': ('inertia/@ixz',),
    'iyz': ('inertia/@iyz',),
    'uri': ('geometry/mesh/@filename',),
    'texture': ('material/texture/@filename',),
}
