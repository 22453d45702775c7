# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The viewer: a robot in the browser.

``scene`` makes the drawing of a model, ``motion`` has its configuration, and ``live`` the state of
running robots; none of them needs a browser. ``drawing`` and ``panel`` put the results on a page
through viser, and ``viewer`` connects them.
"""

CORNER = (-40.0, 24.0)
"""The azimuth and elevation of the first view, as in ``VIEWS``."""
VIEWS = {
    'corner': CORNER, 'front': (0.0, 8.0), 'left': (90.0, 8.0), 'back': (180.0, 8.0),
    'right': (-90.0, 8.0), 'top': (-90.0, 89.9),
}
"""
The azimuth (from x to y) and elevation, in degrees, at which the camera stands around the robot.
"""
