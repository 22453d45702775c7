# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where SKEL writes the values of the Model, from the elements that records are read from."""

from hrdf_ros.document import ValuePaths

VALUE_PATHS: ValuePaths = {
    'parent_from_joint': ('transformation',),
    'axis': ('axis/xyz',),
    'lower': (
        'axis/limit/lower', 'axis2/limit/lower', 'axis3/limit/lower', 'dof/position/@lower'),
    'upper': (
        'axis/limit/upper', 'axis2/limit/upper', 'axis3/limit/upper', 'dof/position/@upper'),
    'mass': ('mass',),
    'ixx': ('moment_of_inertia/ixx',),
    'iyy': ('moment_of_inertia/iyy',),
    'izz': ('moment_of_inertia/izz',),
    'ixy': ('moment_of_inertia/ixy',),
    'ixz': ('moment_of_inertia/ixz',),
    'iyz': ('moment_of_inertia/iyz',),
    'uri': ('geometry/mesh/file_name',),
}
