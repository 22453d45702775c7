# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The lights of a description as a renderer needs them; no browser is needed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist, isfinite, pi, radians
from typing import Any, NamedTuple, Optional

from hrdf_ros.kinematics.transforms import Array, matrices
from hrdf_ros.model import Model
from hrdf_ros.pose import IDENTITY, Pose, Vector
from hrdf_ros.writers.xml import parse_raw

_SHOWN = 12
"""The most lights that are shown: a renderer computes every surface once for each light."""
_FAR, _BRIGHTEST = 1e6, 1e6
"""The distance (m) and intensity (cd) that stand for all greater ones."""

_SDF: dict[str, tuple[tuple[Any, ...], ...]] = {
    'on': (('light_on', 1.0),), 'along': (('direction', 0.0, 0.0, -1.0),),
    'color': (('diffuse', 1.0, 1.0, 1.0),), 'power': (('intensity', 1.0),),
    'fading': (('attenuation/constant', 1.0), ('attenuation/linear', 1.0),
               ('attenuation/quadratic', 0.0)),
    'reach': (('attenuation/range', 10.0),),
    'cone': (('spot/inner_angle', 0.0), ('spot/outer_angle', 0.0))}
_MJCF: dict[str, tuple[tuple[Any, ...], ...]] = {
    'on': (('active', 1.0),), 'along': (('', 0.0, 0.0, -1.0),),
    'color': (('diffuse', 0.7, 0.7, 0.7),), 'power': (('', 1.0),),
    'fading': (('attenuation', 1.0, 0.0, 0.0),), 'reach': (('range', 10.0),),
    'cone': (('cutoff', 45.0),)}
"""
The elements or attributes of each fact of a light in SDFormat and in MJCF, each with its default
numbers.
"""
_WORDS: dict[str, str] = {'true': '1', 'false': '0'}
"""The numbers for the words of a boolean."""


class Light(NamedTuple):
    """
    A light fixed to a body; ``pose`` is body_from_light, ``along`` its direction in its own frame.

    ``kind`` is directional, point or spot. The intensity falls with the power ``decay`` of the
    distance, and is zero beyond ``reach`` (m) unless that is 0. ``angle`` is half of a spot's cone
    (rad), and ``penumbra`` the part of the cone in which the light fades.
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
    """Return the lights that are on, with the intensity that they have at ``center``."""
    elements = dict(_elements(model))
    found = []
    for frame in model.frames:
        if frame.kind == 'light' and frame.source_name in elements:
            at = root_from_bodies[frame.body] @ matrices([frame.pose])[0]
            light = _light(*elements[frame.source_name], dist(at[:3, 3].tolist(), center))
            if light is not None:
                found.append(light._replace(body=frame.body, pose=frame.pose))
    return tuple(found[:_SHOWN])


def _elements(model: Model) -> Iterator[tuple[str, tuple[bool, Any]]]:
    """Yield the source name of each light, whether it is a light of MJCF, and its element."""
    kept = [(each.owner, each) for each in model.extensions] + [
        (body.source_name, each) for body in model.bodies for each in body.extensions]
    for scope, raw in kept:
        element = parse_raw(raw.text) if raw.tag == 'light' else None
        if element is not None:
            name = element.get('name', '')
            is_mjcf = 'mjcf' in raw.held_by
            yield name if is_mjcf or not scope else f'{scope}::{name}', (is_mjcf, element)


def _light(is_mjcf: bool, element: Any, distance: float) -> Optional[Light]:
    """Return the light of an element, or None if it is off."""
    read = element.get if is_mjcf else element.findtext

    def numbers(name: str) -> tuple[float, ...]:
        parts = (_MJCF if is_mjcf else _SDF)[name]
        return tuple(each for path, *default in parts
                     for each in _numbers(read(path) if path else '', default))

    kind = element.get('type', 'spot' if is_mjcf else '')
    if is_mjcf and element.get('directional') == 'true':
        kind = 'directional'
    if kind not in ('directional', 'point', 'spot') or numbers('on') == (0.0,):
        return None
    fading = (1.0,) if kind == 'directional' else numbers('fading')
    far = min(distance, _FAR)
    decay = max((power for power, each in enumerate(fading) if each > 0.0), default=0)
    attenuation = sum(each * far ** power for power, each in enumerate(fading)) or 1.0
    intensity = numbers('power')[0] * far ** decay / attenuation
    inner, outer = numbers('cone') if not is_mjcf else (
        radians(part * numbers('cone')[0]) for part in (1.0, 2.0))
    (x, y, z), (red, green, blue) = numbers('along'), (
        round(255.0 * _between(each, 1.0)) for each in numbers('color'))
    return Light(
        kind, (x, y, z), (red, green, blue), pi * _between(intensity, _BRIGHTEST),
        numbers('reach')[0], decay, _between(0.5 * outer, 0.5 * pi),
        _between(1.0 - inner / outer, 1.0) if outer else 0.0)


def _between(value: float, most: float) -> float:
    return min(max(value, 0.0), most)


def _numbers(text: Optional[str], default: Sequence[float]) -> Sequence[float]:
    """Return as many numbers from the start of a text as the default has, else the default."""
    try:
        found = [float(_WORDS.get(word, word)) for word in (text or '').split()]
    except ValueError:
        return default
    found = found[:len(default)]
    return found if len(found) == len(default) and all(map(isfinite, found)) else default
