# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
# PYTHON_ARGCOMPLETE_OK
"""The ``hrdf`` command; only this package prints."""

from hrdf_ros.cli.command import main

__all__ = ['main']
