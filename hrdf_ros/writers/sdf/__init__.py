# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Model -> SDFormat."""

from hrdf_ros.writers.sdf.write import VERSIONS, write_sdf

__all__ = ['VERSIONS', 'write_sdf']
