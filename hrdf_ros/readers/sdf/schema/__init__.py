# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The schema of the newest SDFormat, which every file is upgraded to before it is read.

The schema has the facts of libsdformat's ``sdf/1.12/*.sdf`` (``tools/compare_sdf_schema.py``
compares the two) and of the checks that libsdformat's objects add:

- ``text_required`` is set where libsdformat has ``required="1"`` or ``"+"``: if such an element is
  absent, libsdformat puts in the default, but it refuses an empty value
- ``required`` is set where libsdformat refuses the absence of an element, ``expected`` where it
  accepts an absence that is usually a mistake
- ``since`` is for people and for writing: libsdformat reads each file as one of the newest
  version, so that nothing is reported as too new for its file
- of elements that are not ``repeated`` the first one counts, without a diagnostic
- ``handling`` is that of the outermost element that is not ``read``
"""

from __future__ import annotations

from hrdf_ros import codes
from hrdf_ros.document import ValuePaths
from hrdf_ros.formats import NEWEST_SDF, SDFORMAT
from hrdf_ros.readers.schema import Elements, has_prefix, Policy, Schema
from hrdf_ros.readers.sdf.schema import robots, sensors, worlds
from hrdf_ros.readers.sdf.schema.types import collapsed, FRAMES, TYPES

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
    'auto': ('@auto',),
    'uri': ('geometry/mesh/uri', 'geometry/heightmap/uri', 'geometry/image/uri'),
    'script': ('material/script/uri',),
    **{name: (f'material/pbr/metal/{name}', f'material/pbr/specular/{name}')
       for name in (
           'albedo_map', 'ambient_occlusion_map', 'emissive_map', 'environment_map',
           'glossiness_map', 'light_map', 'metalness_map', 'normal_map', 'roughness_map',
           'specular_map')},
}
"""The paths of the Model's values in SDFormat, from the elements that records are read from."""


_OLDEST = (1, 4)
"""The oldest supported version; elements that it and later versions lack are not declared."""
_BAD_TEXT = codes.BAD_VALUE._replace(reference='ELEMENT_INVALID')

SCHEMA = Schema(
    root='sdf',
    elements=Elements(
        TYPES, {'frame': FRAMES}, robots.TABLE.replace('=NEWEST', f'={NEWEST_SDF.name}'),
        sensors.TABLE, worlds.TABLE),
    versions=tuple(version.name for version in SDFORMAT if version.number >= _OLDEST),
    policy=Policy(
        format='SDFormat',
        reference='libsdformat',
        unknown_element=codes.UNKNOWN_ELEMENT._replace(reference='ELEMENT_INCORRECT_TYPE'),
        unknown_attribute=codes.UNKNOWN_ATTRIBUTE._replace(reference='ATTRIBUTE_INCORRECT_TYPE'),
        missing_element=codes.MISSING_ELEMENT._replace(reference='ELEMENT_MISSING'),
        missing_attribute=codes.MISSING_ATTRIBUTE._replace(reference='ATTRIBUTE_MISSING'),
        duplicate_element=None,
        bad_text=_BAD_TEXT,
        bad_attribute=codes.BAD_VALUE._replace(reference='ATTRIBUTE_INVALID'),
        empty_text=_BAD_TEXT,
        out_of_range=None,
        stray_text=None,
        newer=None,
        deprecated=codes.DEPRECATED._replace(reference='ELEMENT_DEPRECATED'),
        blank_is_default=True,
        any_text=collapsed,
        is_foreign_element=has_prefix,
        is_foreign_attribute=has_prefix,
    ))
