# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Two descriptions over each other: what differs, and in which color."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from hrdf_ros.diff import Difference
from hrdf_ros.model import Model
from hrdf_ros.view.scene import Rgb, Scene, Solid

ONLY_FIRST: Rgb = (224, 49, 49)
ONLY_SECOND: Rgb = (47, 158, 68)
CHANGED: Rgb = (245, 159, 0)
_SAME: Rgb = (176, 180, 186)
_GHOST = 0.4
_MOST_LISTED = 12


class Colors(NamedTuple):
    """The color of each body that differs, by index, in the first Model and the second."""

    first: Mapping[int, Rgb]
    second: Mapping[int, Rgb]


def color_differences(a: Model, b: Model, differences: Sequence[Difference]) -> Colors:
    """Return the colors of what differs; what a Model has alone wins over what changed."""
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
    """Return a scene in which only what differs has a color; a ghost can be looked through."""
    return scene._replace(solids=tuple(
        _painted(solid, colors, is_ghost) if solid.layer == 'visual' else solid
        for solid in scene.solids))


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
        f'{escape(found.b)}</td></tr>' for found in differences[:_MOST_LISTED])
    more = len(differences) - _MOST_LISTED
    rest = f'<div>and {more} more: see hrdf diff</div>' if more > 0 else ''
    count = f'{len(differences)} difference{"" if len(differences) == 1 else "s"}'
    return (f'<div class="hrdf"><h4>{count if differences else "no differences"}</h4>'
            f'{legend}<div class="quiet">{escape(second)} is the transparent one.</div>'
            f'<table>{rows}</table>{rest}</div>')


def _bodies(model: Model, name: str) -> Iterator[int]:
    """Yield the bodies that a name of a difference is about: a body, joint, coordinate, frame."""
    for index, body in enumerate(model.bodies):
        if body.name == name:
            yield index
    for joint in model.joints:
        moved_by = {model.coordinates[index].name
                    for motion in joint.motions for index in motion.coordinates}
        if name == joint.name or name in moved_by:
            yield joint.child
    for frame in model.frames:
        if frame.name == name and frame.body >= 0:
            yield frame.body


def _painted(solid: Solid, colors: Mapping[int, Rgb], is_ghost: bool) -> Solid:
    return solid._replace(
        color=colors.get(solid.body, _SAME), glb=None, opacity=_GHOST if is_ghost else 1.0)
