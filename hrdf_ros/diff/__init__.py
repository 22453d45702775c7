# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Differences in meaning between two Models, found by name, whatever their formats are.

Frames are compared by their poses at zero, and in a few configurations of the coordinates that
both Models have. It does not matter how a Model spreads a motion over joints and links.
"""

from hrdf_ros.diff.agreement import Agreement, agreement, Largest, renamed_in
from hrdf_ros.diff.compare import diff_models, Difference, GROUPS

__all__ = [
    'Agreement', 'agreement', 'diff_models', 'Difference', 'GROUPS', 'Largest', 'renamed_in']
