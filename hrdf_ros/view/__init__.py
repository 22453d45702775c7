# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The viewer: a robot in the browser.

``scene`` says what there is to draw and ``motion`` how it moves, both without a browser;
``drawing`` and ``panel`` bring them to a page through viser, ``viewer`` connects them.
"""
