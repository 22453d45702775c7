# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The schema of SDFormat 1.12, which every file is upgraded to before it is read.

It has the facts of libsdformat's ``sdf/1.12/*.sdf`` (``tools/compare_sdf_schema.py`` compares the
two) and of the checks that its objects add:

- ``text_required`` is set where libsdformat has ``required="1"`` or ``"+"``: it accepts that such
  an element is absent, and puts in the default, but not that its value is empty
- ``required`` is set where libsdformat refuses the absence, ``expected`` where it does not but
  its absence is usually a mistake
- of elements that are not ``repeated`` the first one counts, without a diagnostic
- ``handling`` is that of the outermost element that is not ``read``

A module is imported when one of its elements is first met: a robot has no physics engine, and
most have no sensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from hrdf_ros import codes
from hrdf_ros.document import ValuePaths
from hrdf_ros.readers.schema import Element, has_prefix, Policy, Schema

_SHARED = {
    'link': ('audio_sink', 'audio_source', 'battery', 'box', 'capsule', 'collision', 'cone',
             'cylinder', 'ellipsoid', 'geometry', 'heightmap', 'image', 'inertial', 'link',
             'mesh', 'particle_emitter', 'plane', 'polyline', 'projector', 'sphere', 'visual'),
    'model': ('frame', 'gripper', 'include', 'joint', 'model', 'plugin', 'pose', 'sdf'),
    'physics': ('joint_state', 'light_state', 'link_state', 'model_state', 'physics', 'state'),
    'sensor': ('air_pressure', 'air_speed', 'altimeter', 'camera', 'contact', 'force_torque',
               'imu', 'logical_camera', 'navsat', 'noise', 'ray', 'sensor', 'sonar',
               'transceiver'),
    'surface': ('material', 'surface'),
    'world': ('actor', 'atmosphere', 'gui', 'light', 'population', 'road', 'scene',
              'spherical_coordinates', 'world'),
}
"""The elements of each module that others refer to by name."""

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
"""Where SDFormat writes the values of the Model, from the elements that records are read from."""


class _Elements(Mapping[str, Element]):
    """The shared elements of all modules, which are imported on demand."""

    def __init__(self) -> None:
        self._modules = {name: module for module, names in _SHARED.items() for name in names}

    def __getitem__(self, name: str) -> Element:
        module = import_module(f'{__name__}.{self._modules[name]}')
        element: Element = module.ELEMENTS[name]
        return element

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


_BAD_TEXT = codes.BAD_VALUE._replace(reference='ELEMENT_INVALID')

SCHEMA = Schema(
    root='sdf',
    elements=_Elements(),
    versions=('1.4', '1.5', '1.6', '1.7', '1.8', '1.9', '1.10', '1.11', '1.12'),
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
        is_foreign_element=has_prefix,
        is_foreign_attribute=has_prefix,
    ))
