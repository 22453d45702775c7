# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SKEL, the format of DART up to version 6: to the Model that DART 6.20 makes of a file."""

from __future__ import annotations

from hrdf_ros.readers.skel.world import read

__all__ = ('read',)
