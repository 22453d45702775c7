# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Resource limits; a user can change ``ResourceLimits`` (docs/security.md)."""

from typing import NamedTuple

DIAGNOSTICS_PER_CODE = 1000
"""The most diagnostics of one code and severity in a report; the next one says there are more."""
HINTS = 50
"""The hints of one report that are computed, which takes time where there are many names."""
SETTINGS_BYTES = 1 << 20
"""The bytes of a project's settings file."""
SETTINGS_DOTS = 10_000_000
"""
The sum of the squared numbers of dots on the lines of the settings file.

The memory that TOML's dotted keys take grows with this sum.
"""
SUGGESTED_NAMES = 2000
"""The names among which the one meant by a misspelled name is searched."""
SUGGESTED_LENGTH = 64
"""The characters of a name that is searched, or suggested, for a misspelled one."""
REPLICATED_ELEMENTS = 200_000
"""The elements and repetitions that <replicate> and <attach> of MJCF make."""
MADE_CHARACTERS = 1 << 26
"""The characters of names and kept XML that copies and default classes of an MJCF file make."""
KEYFRAME_POSITIONS = 2_000_000
"""The positions of joints in all keyframes of an MJCF file."""
POLYLINE_POINTS = 50_000
"""The points of one polyline, or of all polylines in one file."""
FETCH_FILES = 20_000
"""The files of a downloaded archive, and the URIs that one command downloads."""
FETCH_DEPTH = 32
"""The depth of directories in a downloaded archive."""
FETCH_REDIRECTS = 5
"""The redirects that one download follows."""
FETCH_SILENCE = 30.0
"""The seconds for which a server may be silent."""
FETCH_SECONDS = 1800
"""The seconds that one download may take."""
YAML_BYTES = 1 << 18
"""The bytes of a YAML file of a robot or fleet; PyYAML reads some 100,000 in a second."""
LIST_BYTES = 1 << 24
"""The bytes of the list of the files in a bundle or MoveIt package."""
COMPARED_BYTES = 1 << 29
"""The bytes of an existing file that is compared with the file that replaces it."""
HEARD_CHARACTERS = 64 << 20
"""The characters of the names of frames and joints that a command keeps of a running system."""
HEARD_RECORD = 200
"""The characters that the other facts about such a name count as."""
WAITING_REQUESTS = 100
"""The requests to validate and convert that wait for the node's worker."""
WAITING_CHARACTERS = 64 << 20
"""The characters of all texts in the waiting requests together."""
WORKER_BYTES = 2 << 30
"""The bytes of address space of the process that reads for the node."""
JOINT_STATE_BYTES = 1 << 19
"""The bytes of a JointState with new names, beside ``JOINT_BYTES`` for each coordinate."""
JOINT_BYTES = 128
"""The bytes of a JointState for each coordinate."""
LAYOUT_BYTES = 1 << 22
"""The bytes of the JointState layouts that the node remembers."""
MULTI_DOF_BYTES = 1 << 18
"""The bytes of a MultiDOFJointState, which hold some 3,000 transforms."""
HISTORY_BYTES = 64 << 20
"""The bytes of the joint states that the node keeps for lookups."""
GOALS = 100
"""The goals of the action tf2_buffer_server that wait."""
GOAL_NAME = 10_000
"""The characters of a frame's name in a goal of tf2_buffer_server."""
JOINT_SETS = 64
"""The sets of joints, and the lists of names, whose plans the node keeps."""
PLANNING_LINKS = 1000
"""The links of a robot for which planning groups are found: the time grows with their square."""
COLLISION_PAIRS = 50_000
"""The pairs of collision shapes that are tested in 1000 configurations."""
REVISION_FILES = 200_000
"""The files of a git revision that is compared."""
REVISION_LIST_BYTES = 64 << 20
"""The bytes of the list of the files of a revision."""
REVISION_SECONDS = 60.0
"""The seconds that one command of git may take."""
_LEAST_TEXT = 1 << 12
"""The bytes that every text counts for at least, since short texts may have long names."""


class ResourceLimits(NamedTuple):
    """
    Limits of one load, each the maximum that is accepted.

    ``elements`` counts the elements and attributes of a document and of all that it includes, by
    their ``<`` and ``=`` (in comments and texts too). ``includes`` counts every file as often as
    it is included, ``frames`` the frames of the Model. ``name_length`` and ``formula_length`` are
    in characters. ``all_names`` is the length of the names and source names of all frames and of
    the names of their bodies, ``names_per_byte`` the same for each byte that was read.
    ``mesh_points`` counts the points of a mesh that has to be measured, as often as its scene
    repeats them. ``bundle_bytes`` limits all files together that are copied into a bundle,
    ``fetch_bytes`` one download and its content, and ``all_fetch_bytes`` all downloads of a
    command.

    >>> from hrdf_ros import load, ResourceLimits
    >>> load('examples/urdf/gripper_arm.urdf', limits=ResourceLimits(frames=3)).ok
    False
    """

    file_bytes: int = 64 * 1024 * 1024
    all_bytes: int = 256 * 1024 * 1024
    include_depth: int = 64
    includes: int = 10_000
    element_depth: int = 1000
    elements: int = 1_000_000
    frames: int = 200_000
    name_length: int = 10_000
    all_names: int = 1 << 24
    names_per_byte: int = 24
    formula_length: int = 10_000
    mesh_points: int = 1 << 21
    bundle_bytes: int = 1 << 29
    fetch_bytes: int = 1 << 29
    all_fetch_bytes: int = 1 << 32

    def most_names(self, size: int) -> int:
        """Return the most characters of all names in a model, by the bytes of its files."""
        return min(self.all_names, self.names_per_byte * max(size, _LEAST_TEXT))


class MeshLimits(NamedTuple):
    """
    Limits of reading the meshes and textures of a robot, to draw them or to find collisions.

    ``memory`` limits the process that reads, in bytes, and ``all_bytes`` the size of all that it
    reads. ``seconds`` limits the real time for all files, ``file_seconds`` the CPU time for each
    one.
    """

    memory: int = 3 << 30
    all_bytes: int = 1 << 30
    seconds: float = 120.0
    file_seconds: int = 30


def parse_limit(text: str) -> tuple[str, int]:
    """Return the name and value of a limit written as ``NAME=VALUE``, or raise ValueError."""
    name, _, value = text.partition('=')
    if name not in ResourceLimits._fields:
        raise ValueError(
            f"'{name}' is not a resource limit; one of {', '.join(ResourceLimits._fields)}"
        )
    if not (value.isascii() and value.isdigit()):
        raise ValueError(f"'{text}' is not {name}=NUMBER, a whole number without a sign")
    return name, int(value)
