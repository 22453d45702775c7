# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Writers: one format a module, each from a lowered Model to text."""
