# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Helpers that several tests share: robots, texts, live nodes."""
