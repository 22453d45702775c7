# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The writer of SDFormat."""

from hrdf_ros.formats import SDF_VERSIONS
from hrdf_ros.writers.sdf.write import make_sdf, write_sdf

__all__ = ['make_sdf', 'SDF_VERSIONS', 'write_sdf']
