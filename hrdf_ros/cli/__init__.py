# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
# PYTHON_ARGCOMPLETE_OK
"""The ``hrdf`` command, the only package that prints."""

from hrdf_ros.cli.command import main

__all__ = ['main']
