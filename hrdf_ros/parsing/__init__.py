# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Parse values as the formats write them, each grammar in one place."""
