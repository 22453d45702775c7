# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The viewer: a robot in the browser.

``scene`` is the drawing of a model, ``motion`` its configuration and ``live`` the state of running
robots, all without a browser; ``drawing`` and ``panel`` put them on a page through viser;
``viewer`` connects them.
"""

CORNER = (-40.0, 24.0)
VIEWS = {
    'corner': CORNER, 'front': (0.0, 8.0), 'left': (90.0, 8.0), 'back': (180.0, 8.0),
    'right': (-90.0, 8.0), 'top': (-90.0, 89.9),
}
"""The azimuth (from x to y) and elevation, in degrees, of the camera seen from the robot."""
