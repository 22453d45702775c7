# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What holds for all tests.

Property tests try the same examples in every run, so that a failure is of the change at hand.
``--hypothesis-profile=explore`` tries new ones.
"""

from hypothesis import settings

settings.register_profile('repeatable', derandomize=True)
settings.register_profile('explore', derandomize=False)
settings.load_profile('repeatable')
