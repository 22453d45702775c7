# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A run of the tests on Python 3.14, which Pyodide has."""
