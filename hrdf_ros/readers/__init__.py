# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Readers: one folder a format, each from a SourceFile to a Model and a Report."""
