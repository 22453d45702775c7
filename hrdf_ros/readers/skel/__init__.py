# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The reader of SKEL, the format of DART up to version 6: it reads a file as DART 6.20 does."""

from __future__ import annotations

from hrdf_ros.readers.skel.world import read

__all__ = ('read',)
