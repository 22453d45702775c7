# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Places of values, by the names that the formats have for them."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.document import Place


def within(place: Optional[Place], *steps: str) -> Optional[Place]:
    """Return the place of a value in an element (``Place.within``), None where that has none."""
    return None if place is None else place.within(*steps)
