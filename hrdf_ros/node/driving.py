# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Which joints drive closed loops when more of them are reported than the loops have freedom."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hrdf_ros.kinematics.dependent_solver import DependentSolver
from hrdf_ros.model import Model
from hrdf_ros.node.texts import listed, one_line


def overruled(model: Model, solver: DependentSolver, given: Collection[int]) -> str:
    """Say which given coordinates of closed loops are computed all the same; '' where none is."""
    loops = []
    for loop in solver.loop_solvers:
        passive = loop.passive.tolist()
        computed = [index for index in passive if index in given]
        if computed:
            driving = [index for index in loop.moving.tolist() if index not in passive]
            loops.append(f'{_names(model, driving)} used, {_names(model, computed)} computed')
    if not loops:
        return ''
    return one_line(
        f'joint_states reports more joints of a closed loop than drive it: {"; ".join(loops)} '
        '(the parameter actuated_joints chooses others)')


def _names(model: Model, indices: Sequence[int]) -> str:
    names = listed([model.coordinates[index].name for index in indices])
    return f'{names or "none"} {"are" if len(indices) > 1 else "is"}'
