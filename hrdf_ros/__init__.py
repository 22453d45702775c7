# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read, check and publish robot descriptions: HRDF, SDFormat, SKEL, URDF."""
