# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Products of transforms along a tree of nodes, for many configurations at once.

The products along parents are taken in a few batched steps instead of one for each node: level by
level where the tree is flat or the batch large, else by sweeps that double the range of parents
that a node's transform covers.
"""

from __future__ import annotations

from collections.abc import Sequence

from hrdf_ros.kinematics.joint_factors import ROOT, TreeNode
from hrdf_ros.kinematics.joint_transforms import JointTransforms
from hrdf_ros.kinematics.transforms import Array, Indices
import numpy as np

Product = tuple[Indices, Indices]

# What a batched product costs, and each 4x4 product in it, in microseconds.
BATCH_COST = 4.0
PRODUCT_COST = 0.1


class Forward:
    """Forward kinematics of a list of nodes, parents before children."""

    def __init__(self, nodes: Sequence[TreeNode]) -> None:
        self.joint_transforms = JointTransforms([node.factor for node in nodes])
        parents = np.array([max(node.parent, ROOT) for node in nodes], dtype=np.intp)
        depths = _depths(parents)
        self._plans = (_levels(parents, depths), _sweeps(parents, depths))

    def __call__(self, q: Array) -> Array:
        """Return root_from_node (nodes, K, 4, 4) for coordinates (n + 1, K), the last one zero."""
        result = self.joint_transforms(q)
        for target, source in self._plan(q.shape[1]):
            result[target] = result.take(source, 0) @ result.take(target, 0)
        return result

    def _plan(self, configurations: int) -> list[Product]:
        def cost(plan: list[Product]) -> float:
            work = sum(len(target) for target, _ in plan)
            return BATCH_COST * len(plan) + PRODUCT_COST * work * configurations
        return min(self._plans, key=cost)


def _depths(parents: Indices) -> Indices:
    depths = np.zeros_like(parents)
    for node in range(1, len(parents)):
        depths[node] = depths[parents[node]] + 1
    return depths


def _levels(parents: Indices, depths: Indices) -> list[Product]:
    """Return one batch for each depth from 2 on; the root is the identity."""
    order = np.argsort(depths, kind='stable')
    bounds = np.searchsorted(depths[order], np.arange(2, depths.max() + 2))
    targets = [order[start:end] for start, end in zip(bounds, bounds[1:])]
    return [(target, parents[target]) for target in targets]


def _sweeps(parents: Indices, depths: Indices) -> list[Product]:
    """
    Return about 2 log2(depth) batches (the parallel prefix of Brent and Kung, over a tree).

    Upwards, a node whose depth is a multiple of 2, 4, 8, ... comes to cover as many steps;
    downwards, the others get the rest from the nearest such node above.
    """
    upwards, downwards, above, span = [], [], parents, 2
    while span <= depths.max() * 2:
        target = np.flatnonzero((depths % span == 0) & (depths > 0))
        rest = np.flatnonzero((depths % span == span // 2) & (depths > span))
        upwards.append((target, above[target]))
        downwards.append((rest, above[rest]))
        above, span = above[above], span * 2
    return [product for product in upwards + downwards[::-1] if len(product[0])]
