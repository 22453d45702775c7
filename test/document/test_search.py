# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Values found again in the bytes of an element."""

from __future__ import annotations

from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import parse, SourceFile
import pytest

LINK = """<robot>
<!-- <mass value="0"/> --><link name="a > b">
  <inertial><mass
    value="-1"/><inertia ixx='1'/></inertial>
  <visual><mesh><uri>  a.stl</uri></mesh></visual>
</link>
<link mass="3"><pose/><![CDATA[<mass>4</mass>]]></link>
<mass>5</mass>
</robot>"""


def found(index: int, *steps: str) -> tuple[int | None, int | None]:
    """Return where a value is in an element below the root, which is at 2:27, 7:1 or 8:1."""
    root = parse(SourceFile('a.urdf', LINK.encode()), Report())
    assert root is not None
    at = root.children[index].location.within(*steps).resolve()
    return at.line, at.column


@pytest.mark.parametrize(('index', 'steps', 'expected'), [
    (0, ('mass',), (4, 12)),
    (0, ('ixx',), (4, 31)),
    (0, ('izz iyy ixx',), (4, 31)),
    (0, ('inertia',), (4, 17)),
    (0, ('mesh', 'uri filename'), (5, 24)),
    (0, ('visual', 'nothing'), (5, 11)),
    (0, ('nothing',), (2, 27)),
    (1, ('mass',), (7, 13)),
    (1, ('pose',), (7, 16)),
    (1, (), (7, 1)),
    (2, ('mass',), (8, 1))])
def test_values(index: int, steps: tuple[str, ...], expected: tuple[int, int]) -> None:
    assert found(index, *steps) == expected


def test_a_location_has_nothing_in_it() -> None:
    assert Location('a', 1, 2).within('mass') == Location('a', 1, 2)
