# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Two descriptions over each other: a color for each difference, and the list of differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from hrdf_ros.diff import Difference
from hrdf_ros.model import Model
from hrdf_ros.view.scene import QUIET_GRAY, Rgb, Scene, Solid

ONLY_FIRST: Rgb = (224, 49, 49)
ONLY_SECOND: Rgb = (47, 158, 68)
CHANGED: Rgb = (245, 159, 0)
_GHOST_OPACITY = 0.4
_LISTED = 12
"""Differences that the panel lists."""


class Colors(NamedTuple):
    """The color of each body that differs, by index, in the first Model and the second."""

    first: Mapping[int, Rgb]
    second: Mapping[int, Rgb]


def color_differences(a: Model, b: Model, differences: Sequence[Difference]) -> Colors:
    """Return a color for each body that differs; being in one Model only wins over a change."""
    first: dict[int, Rgb] = {}
    second: dict[int, Rgb] = {}
    for found in sorted(differences, key=lambda each: each.is_of_one and each.what == 'body'):
        alone = found.is_of_one and found.what == 'body'
        for index in _bodies(a, found.name):
            first[index] = ONLY_FIRST if alone else CHANGED
        for index in _bodies(b, found.name):
            second[index] = ONLY_SECOND if alone else CHANGED
    return Colors(first, second)


def painted(scene: Scene, colors: Mapping[int, Rgb], *, is_ghost: bool) -> Scene:
    """Return a scene in which only the differences have a color; a ghost is transparent."""
    opacity = _GHOST_OPACITY if is_ghost else 1.0

    def paint(solid: Solid) -> Solid:
        if solid.layer != 'visual':
            return solid
        color = colors.get(solid.body, QUIET_GRAY)
        return solid._replace(color=color, glb=None, opacity=opacity)

    return scene._replace(solids=tuple(map(paint, scene.solids)))


def about_differences(
    differences: Sequence[Difference], first: str, second: str,
) -> str:
    """Return the legend and the list of differences as HTML."""
    legend = ''.join(
        f'<div><span style="color: rgb{color}">\u25a0</span> {escape(text)}</div>'
        for color, text in (
            (CHANGED, 'differs'), (ONLY_FIRST, f'only in {first}'),
            (ONLY_SECOND, f'only in {second}')))
    rows = ''.join(
        f'<tr><td>{escape(found.what)}</td><td>{escape(found.name)}: {escape(found.a)} \u2192 '
        f'{escape(found.b)}</td></tr>' for found in differences[:_LISTED])
    more = len(differences) - _LISTED
    rest = f'<div>and {more} more: see hrdf diff</div>' if more > 0 else ''
    count = f'{len(differences)} difference{"" if len(differences) == 1 else "s"}'
    return (f'<div class="hrdf"><h4>{count if differences else "no differences"}</h4>'
            f'{legend}<div class="quiet">{escape(second)} is the transparent one.</div>'
            f'<table>{rows}</table>{rest}</div>')


def _bodies(model: Model, name: str) -> Iterator[int]:
    """Yield the bodies of a body, joint, coordinate or frame of this name."""
    for index, body in enumerate(model.bodies):
        if body.name == name:
            yield index
    for joint in model.joints:
        names = {model.coordinates[index].name
                 for motion in joint.motions for index in motion.coordinates}
        if name == joint.name or name in names:
            yield joint.child
    for frame in model.frames:
        if frame.name == name and frame.body >= 0:
            yield frame.body
