# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What runs for long: floods and abuses of a live node; see ``soak.run``."""
