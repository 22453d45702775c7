# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Where HRDF writes the values of the Model, from the elements that records are read from."""

from hrdf_ros.document import ValuePaths

VALUE_PATHS: ValuePaths = {
    'parent_from_joint': ('@extension', '@output_trans', '@trans'),
    'mass': ('@mass', '@mass_offset'),
    'ixx': ('@ixx',),
    'iyy': ('@iyy',),
    'izz': ('@izz',),
    'ixy': ('@ixy',),
    'ixz': ('@ixz',),
    'iyz': ('@iyz',),
}
