# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The page of the Python API: mkdocstrings fills in every public name."""

from __future__ import annotations

import hrdf_ros

_HEAD = """\
# Python API

Every public name of `hrdf_ros`, from its docstrings. [Python](../python.md) is the guide to it,
with a worked example.

"""
_RECORDS = (
    'Body', 'Frame', 'Joint', 'JointItem', 'Motion', 'Coordinate', 'Configuration', 'Constraint',
    'RawElement')
_INHERITS = '    options:\n      inherited_members: true\n'
"""The options of mkdocstrings for ``Kinematics``, whose base class is not public."""
_RECORDS_HEAD = """
## Records of a Model

What the tuples of a `Model` contain; they are in `hrdf_ros.model`.

"""


def python_page() -> str:
    """Return the page: a directive for each public name, then the records of a Model."""
    names = sorted(hrdf_ros.__all__, key=str.lower)
    blocks = (
        f'::: hrdf_ros.{name}\n{_INHERITS if name == "Kinematics" else ""}\n' for name in names)
    return (_HEAD + ''.join(blocks) + _RECORDS_HEAD
            + ''.join(f'::: hrdf_ros.model.{name}\n\n' for name in _RECORDS))
