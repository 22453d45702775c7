# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Report what SDFormat does not have in the XML that other formats hold for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import meant_hint, Report
from hrdf_ros.document import SourceRef
from hrdf_ros.formats import NEWEST_SDF
from hrdf_ros.model import Material, Model, RawElement
from hrdf_ros.model.raw_xml import as_in_file, parsed_as, place_in
from hrdf_ros.parsing.gazebo import NOT_CONTENT
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import made_element
from hrdf_ros.readers.sdf.file import checked_file

_REPORTED = {code.name: code for code in (
    codes.UNKNOWN_ELEMENT, codes.UNKNOWN_ATTRIBUTE, codes.TOO_MANY_DIAGNOSTICS)}
_ATTRIBUTES = {'joint': {'name': 'joint', 'type': 'revolute'}, 'material': {}}
_WITH_SETTINGS = ('model', 'link', 'joint')
"""The elements whose ``<gazebo>`` also has settings."""


class _Source(NamedTuple):
    """The raw XML of a document, and the tag of the element around it in SDFormat."""

    tag: str
    raw: RawElement


def report_unknown(model: Model, report: Report) -> None:
    """
    Report elements and attributes that SDFormat lacks in the raw XML of a lowered Model.

    They are written as they are, as libsdformat copies them from ``<gazebo>``. The content of
    plugins and names with a prefix belong to other programs.
    """
    sources: dict[int, _Source] = {}
    found = {tag: list(_parsed(tag, raws, sources)) for tag, raws in _by_owner(model)}
    origin = next((element for elements in found.values() for element in elements), None)
    if origin is None:
        return

    def owner(tag: str, *below: TypedElement) -> TypedElement:
        return made_element(
            origin, tag, attributes=_ATTRIBUTES.get(tag, {'name': tag}),
            children=[*found.get(tag, ()), *below])

    root = made_element(origin, 'sdf', children=[owner(
        'model', owner('link', owner('visual', owner('material')), owner('collision')),
        owner('joint'))])
    unknown = Report()
    checked_file(root, NEWEST_SDF.number, unknown)
    for one in unknown:
        if one.code in _REPORTED and isinstance(one.location, SourceRef):
            source, offset = sources[id(one.location.document)], one.location.offset()
            raw, is_setting = source.raw, source.tag in _WITH_SETTINGS and offset == 0
            setting = closest(raw.tag, NOT_CONTENT) if is_setting else None
            report.add(
                _REPORTED[one.code], one.message,
                place_in(raw.location, offset) if as_in_file(raw) else raw.location,
                hint=meant_hint(setting) if setting else one.hint, subjects=one.subjects)


def _by_owner(model: Model) -> Iterator[tuple[str, Iterable[RawElement]]]:
    """Yield the tags of elements, each with the raw XML in all elements of this tag."""
    shapes = {
        'visual': [shape for body in model.bodies for shape in body.visuals],
        'collision': [shape for body in model.bodies for shape in body.collisions]}
    yield 'model', model.extensions
    yield 'link', (raw for body in model.bodies for raw in body.extensions)
    yield 'joint', (raw for joint in model.joints for raw in joint.extensions)
    for tag, of_tag in shapes.items():
        yield tag, (raw for shape in of_tag for raw in shape.extensions)
    looks = (shape.material or Material() for shape in shapes['visual'])
    yield 'material', (raw for look in looks for raw in look.extensions)


def _parsed(
    tag: str, raws: Iterable[RawElement], sources: dict[int, _Source],
) -> Iterator[TypedElement]:
    """
    Yield the elements of raw XML that SDFormat holds, and note their sources by document.

    Each is yielded once: an element of a ``<gazebo>`` is in each shape of its link.
    """
    for raw in dict.fromkeys(raws):
        element = parsed_as(raw, TypedElement) if 'sdf' in raw.held_by else None
        if element is not None:
            sources[id(element.document)] = _Source(tag, raw)
            yield element
