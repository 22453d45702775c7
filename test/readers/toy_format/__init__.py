# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A format that only tests have: a stack of boxes. Its folder is all that a format needs."""

from toy_format.reader import read

__all__ = ['read']
