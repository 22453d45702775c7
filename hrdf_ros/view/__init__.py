# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The viewer: a robot in the browser.

``scene`` is the drawing of a model, ``motion`` its configuration and ``live`` the state of running
robots, all without a browser; ``drawing`` and ``panel`` put them on a page through viser;
``viewer`` connects them.
"""
