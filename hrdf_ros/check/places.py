# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Places of values, by the names that the formats have for them."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.document import SourceRef


def within(location: Optional[SourceRef], *steps: str) -> Optional[SourceRef]:
    """Return the place of a value in an element (``Place.within``), None where that has none."""
    return None if location is None else location.within(*steps)
