# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The readers, one folder for each format: each reads a SourceFile to a Model and a Report."""
