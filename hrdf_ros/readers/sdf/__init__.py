# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SDFormat 1.4 to 1.12."""

from hrdf_ros.readers.sdf.reader import read

__all__ = ['read']
