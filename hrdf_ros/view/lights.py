# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The lights of a description, in the terms of a renderer, without any browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist, isfinite, pi, radians
from typing import Any, NamedTuple, Optional

from hrdf_ros.kinematics.transforms import Array, matrices
from hrdf_ros.model import Model
from hrdf_ros.pose import IDENTITY, Pose, Vector
from hrdf_ros.writers.xml import parse_raw

_SHOWN = 12
"""Lights that are shown: a renderer computes each surface for each of them."""
_FAR, _BRIGHTEST = 1e6, 1e6
"""Meters, and candela: beyond these a light is as far and as bright as there."""


class Light(NamedTuple):
    """
    A light fixed to a body; ``pose`` is body_from_light, ``along`` its direction in its own frame.

    ``kind`` is directional, point or spot. The intensity falls with the power ``decay`` of the
    distance and ends at ``reach`` (m), 0 for none. ``angle`` is half of a spot's cone,
    ``penumbra`` the part of it in which it fades.
    """

    kind: str
    along: Vector
    color: tuple[int, int, int]
    intensity: float
    reach: float
    decay: int
    angle: float = 0.0
    penumbra: float = 0.0
    body: int = 0
    pose: Pose = IDENTITY


def lights_of(model: Model, root_from_bodies: Array, center: Vector) -> tuple[Light, ...]:
    """Return the lights that are on, as strong at ``center`` as their attenuation makes them."""
    elements = dict(_elements(model))
    found = []
    for frame in model.frames:
        name, element = elements.get(frame.source_name, ('', None))
        if frame.kind == 'light' and element is not None:
            at = root_from_bodies[frame.body] @ matrices([frame.pose])[0]
            distance = dist(at[:3, 3].tolist(), center)
            light = _of_mjcf(element, distance) if name == 'mjcf' else _of_sdf(element, distance)
            if light is not None:
                found.append(light._replace(body=frame.body, pose=frame.pose))
    return tuple(found[:_SHOWN])


def _elements(model: Model) -> Iterator[tuple[str, tuple[str, Any]]]:
    """Yield the source name of each light, and its format and element."""
    kept = [(each.owner, each) for each in model.extensions] + [
        (body.source_name, each) for body in model.bodies for each in body.extensions]
    for scope, raw in kept:
        element = parse_raw(raw.text) if raw.tag == 'light' else None
        if element is not None:
            name = element.get('name', '')
            is_scoped = scope and raw.format != 'mjcf'
            yield f'{scope}::{name}' if is_scoped else name, (raw.format, element)


def _of_sdf(element: Any, distance: float) -> Optional[Light]:
    def numbers(path: str, *default: float) -> tuple[float, ...]:
        return _numbers(element.findtext(path), default)

    kind = element.get('type')
    if kind not in ('directional', 'point', 'spot') or element.findtext('light_on') in (
            '0', 'false'):
        return None
    x, y, z = numbers('direction', 0.0, 0.0, -1.0)
    color, (power,) = numbers('diffuse', 1.0, 1.0, 1.0), numbers('intensity', 1.0)
    inner, outer = (*numbers('spot/inner_angle', 0.0), *numbers('spot/outer_angle', 0.0))
    fading = [*numbers('attenuation/constant', 1.0), *numbers('attenuation/linear', 1.0),
              *numbers('attenuation/quadratic', 0.0)]
    light = _light(kind, (x, y, z), color, power, fading, distance)
    return light._replace(
        reach=numbers('attenuation/range', 10.0)[0], angle=min(max(0.5 * outer, 0.0), 0.5 * pi),
        penumbra=min(max(1.0 - inner / outer, 0.0), 1.0) if outer else 0.0)


def _of_mjcf(element: Any, distance: float) -> Optional[Light]:
    def numbers(name: str, *default: float) -> tuple[float, ...]:
        return _numbers(element.get(name), default)

    kind = 'directional' if element.get('directional') == 'true' else element.get('type', 'spot')
    if kind not in ('directional', 'point', 'spot') or element.get('active') == 'false':
        return None
    light = _light(
        kind, (0.0, 0.0, -1.0), numbers('diffuse', 0.7, 0.7, 0.7), 1.0,
        numbers('attenuation', 1.0, 0.0, 0.0), distance)
    return light._replace(
        reach=numbers('range', 10.0)[0], angle=radians(min(numbers('cutoff', 45.0)[0], 90.0)),
        penumbra=0.5)


def _light(
    kind: str, along: Vector, color: Sequence[float],
    power: float, fading: Sequence[float], distance: float,
) -> Light:
    """Return a light; ``fading`` are its coefficients of 1, the distance and its square."""
    decay = 0 if kind == 'directional' else max(
        (exponent for exponent, each in enumerate(fading) if each > 0.0), default=0)
    attenuation = 1.0 if kind == 'directional' else sum(
        each * min(distance, _FAR) ** exponent for exponent, each in enumerate(fading))
    red, green, blue = (round(255.0 * min(max(each, 0.0), 1.0)) for each in color)
    intensity = power * (min(distance, _FAR) ** decay / (attenuation or 1.0))
    return Light(
        kind, along, (red, green, blue), pi * min(max(intensity, 0.0), _BRIGHTEST), 0.0, decay)


def _numbers(text: Optional[str], default: tuple[float, ...]) -> tuple[float, ...]:
    """Return the first numbers of a text, as many as the default has, or the default."""
    try:
        found = tuple(map(float, (text or '').split()))
    except ValueError:
        return default
    found = found[:len(default)]
    return found if len(found) == len(default) and all(map(isfinite, found)) else default
