# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where SDFormat writes the values of the Model, from the elements that records are read from."""

from hrdf_ros.document import ValuePaths

VALUE_PATHS: ValuePaths = {
    'parent_from_joint': ('pose',),
    'axis': ('axis/xyz',),
    'lower': ('limit/lower',),
    'upper': ('limit/upper',),
    'velocity': ('limit/velocity',),
    'effort': ('limit/effort',),
    'mimic': ('mimic',),
    'mass': ('mass',),
    'ixx': ('inertia/ixx',),
    'iyy': ('inertia/iyy',),
    'izz': ('inertia/izz',),
    'ixy': ('inertia/ixy',),
    'ixz': ('inertia/ixz',),
    'iyz': ('inertia/iyz',),
    'uri': ('geometry/mesh/uri', 'geometry/heightmap/uri', 'geometry/image/uri'),
    'script': ('material/script/uri',),
    **{name: (f'material/pbr/metal/{name}', f'material/pbr/specular/{name}')
       for name in (
           'albedo_map', 'ambient_occlusion_map', 'emissive_map', 'environment_map',
           'glossiness_map', 'light_map', 'metalness_map', 'normal_map', 'roughness_map',
           'specular_map')},
}
