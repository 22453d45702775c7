# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Model -> SDFormat."""

from hrdf_ros.formats import SDF_VERSIONS
from hrdf_ros.writers.sdf.write import write_sdf

__all__ = ['SDF_VERSIONS', 'write_sdf']
