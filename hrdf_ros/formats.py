# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The conventions of Models and the versions of each format that is both read and written.

The reader of a format that is only read has the conventions and versions of that format.
"""

import re
from typing import Literal, NamedTuple, Optional

from hrdf_ros.fields import unheld
from hrdf_ros.model import Conventions, Coordinate, Holder

# ---- conventions

URDF = Conventions(
    single_root=True, places_root=False,
    joint_types=('revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar'),
    whole_joint_types=('planar',),
    unstated=frozenset(unheld(Coordinate, ['urdf'])),
    read_by=frozenset(['moveit', 'rviz']),
    default_color=(1.0, 0.0, 0.0, 1.0))
"""The conventions of URDF: a robot has no pose, and RViz shows visuals without a color in red."""

SDF = Conventions(
    nested_names=True,
    separate_shape_names=True,
    joint_types=(
        'ball', 'continuous', 'fixed', 'gearbox', 'prismatic', 'revolute', 'revolute2', 'screw',
        'universal'),
    unstated=frozenset(unheld(Coordinate, ['sdf'])),
    read_by=frozenset(['gazebo']),
    collides_with_itself=False,
    single_color=False)
"""The conventions of SDFormat: names are scoped by models, and by visuals and collisions."""
SDF_HOLDERS: tuple[Holder, ...] = ('sdf', 'gazebo')
"""The holders of unchanged elements of SDFormat."""

MJCF = Conventions(
    separate_frame_names=True,
    names_motions=True,
    world_is_body=True,
    absolute_base=True,
    closes_loops_initially=True,
    joint_types=('free', 'ball', 'slide', 'hinge', 'fixed', 'connect', 'weld'),
    unstated=frozenset(unheld(Coordinate, ['mjcf'])),
    read_by=frozenset(['mujoco']),
    ordered_constraints=True,
    states_contacts=True,
    default_color=(0.5, 0.5, 0.5, 1.0))
"""The conventions of MJCF: everything begins at the world body and in configuration qpos0."""


# ---- versions

URDF_VERSIONS = ('1.0', '1.1', '1.2')
DEFAULT_URDF = URDF_VERSIONS[0]
"""The version that every reader knows: urdfdom refuses others in ROS 2 up to Kilted."""

Version = tuple[int, ...]
"""The numbers of a version, so that 1.10 is newer than 1.9."""
SdfFeature = Literal[
    'values_in_elements', 'gravity_of_worlds', 'relative_to', 'nested_names',
    'screw_thread_pitch', 'joints_of_worlds', 'mimic', 'cone', 'namespace']


class SdfVersion(NamedTuple):
    """A version of SDFormat, and the features that it adds; later versions have them too."""

    name: str
    adds: tuple[SdfFeature, ...] = ()

    @property
    def number(self) -> Version:
        """The numbers in the name."""
        return tuple(map(int, self.name.split('.')))


SDFORMAT = (
    SdfVersion('1.0'),
    SdfVersion('1.2', adds=('values_in_elements',)),
    SdfVersion('1.3'),
    SdfVersion('1.4'),
    SdfVersion('1.5'),
    SdfVersion('1.6', adds=('gravity_of_worlds',)),
    SdfVersion('1.7', adds=('relative_to',)),
    SdfVersion('1.8', adds=('nested_names',)),
    SdfVersion('1.9'),
    SdfVersion('1.10', adds=('screw_thread_pitch', 'joints_of_worlds')),
    SdfVersion('1.11', adds=('mimic', 'cone', 'namespace')),
    SdfVersion('1.12'),
)
"""
All versions of SDFormat, in their order; a new version is one row here. The schema says since
which version elements and attributes that only readers need exist.
"""
NEWEST_SDF = SDFORMAT[-1]
DEFAULT_SDF = '1.11'
"""The newest version that the Gazebo of ROS 2 Jazzy and Kilted (Harmonic) reads."""


def parse_version(text: str) -> Optional[Version]:
    """Return the numbers of a version, None where it is not dotted numbers."""
    found = re.fullmatch(r'[0-9]{1,9}(?:\.[0-9]{1,9})*', text.strip())
    return tuple(map(int, text.split('.'))) if found else None


def sdf_number(name: str) -> Version:
    """Return the numbers of a version of SDFormat; raise ValueError for an unknown name."""
    for version in SDFORMAT:
        if version.name == name:
            return version.number
    raise ValueError(f'there is no version {name} of SDFormat')


_SINCE = {feature: version.number for version in SDFORMAT for feature in version.adds}


def sdf_has(version: Version, feature: SdfFeature) -> bool:
    """Return whether files of a version of SDFormat have a feature."""
    return version >= _SINCE[feature]


def sdf_features(version: Version) -> frozenset[str]:
    """Return all features that files of a version of SDFormat have."""
    return frozenset(feature for feature, since in _SINCE.items() if version >= since)


def first_sdf_with(feature: str) -> str:
    """Return the first version of SDFormat with a feature."""
    return next(version.name for version in SDFORMAT if feature in version.adds)


SDF_VERSIONS = tuple(
    version.name for version in SDFORMAT if sdf_has(version.number, 'nested_names'))
"""The versions that can be written, in which nested models have names of their own."""
