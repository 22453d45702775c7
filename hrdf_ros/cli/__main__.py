# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Make ``python -m hrdf_ros.cli`` the same as ``hrdf``."""

import sys

from hrdf_ros.cli import main

sys.exit(main())
