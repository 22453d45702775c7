# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Functions that take a Model and return a changed one; the given Model stays as it is.

Names are looked up as in the rest of the API: an unknown name raises UnknownNameError, which
proposes a similar one. A pose is a ``Pose`` or a homogeneous 4x4 matrix; anything that is not a
rigid transform raises ValueError. The result is consistent: an edit whose result would not be
raises ``InconsistentModelError``, which is a ValueError.

The XML of other programs follows renames and removals where it is known to name a link or joint.
Where it may name one, an ``EditWarning`` says so.
"""

from hrdf_ros.edit.arguments import PoseLike
from hrdf_ros.edit.raw_blocks import EditWarning
from hrdf_ros.edit.records import (
    add_frame,
    add_joint,
    add_link,
    new,
    set_configuration,
    set_joint,
    set_link,
)
from hrdf_ros.edit.renaming import rename
from hrdf_ros.edit.structure import attach, remove
from hrdf_ros.model.consistency import InconsistentModelError

__all__ = [
    'add_frame', 'add_joint', 'add_link', 'attach', 'EditWarning', 'InconsistentModelError', 'new',
    'PoseLike', 'remove', 'rename', 'set_configuration', 'set_joint', 'set_link',
]
