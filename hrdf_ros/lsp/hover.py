# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Documentation of the element, attribute, word or name under the pointer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import math
import os
from typing import Optional

from hrdf_ros.lsp.analysis import FramePlace
from hrdf_ros.lsp.library import Buffer, Library
from hrdf_ros.lsp.places import DeclaredElement, Language, Place, place_at
from hrdf_ros.lsp.syntax import SyntaxNode
from hrdf_ros.lsp.text import code
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.schema import ValueType
from hrdf_ros.schema_export.content import documentation
from lsprotocol import types as lsp

_RPM = 60.0 / math.tau
_SHOWN_FRAMES = 4
Frames = Mapping[FramePlace, list[str]]


def hover(buffer: Buffer, offset: int, library: Library, frames: Frames) -> Optional[lsp.Hover]:
    """Return the documentation of an offset; ``frames`` are those of the last Model."""
    place = place_at(buffer.syntax, offset)
    if place.kind == 'tag':
        place = place._replace(node=next(
            (one for one in buffer.syntax.nodes if one.tag_span == place.span), None))
    language = buffer.language
    found = None if place.node is None or language is None else language.declaration(place.node)
    if place.node is None or language is None or found is None:
        return None
    if place.kind in ('tag', 'end tag'):
        lines = _about_element(buffer, language, place.node, found, frames)
    elif place.kind == 'attribute':
        lines = _about_attribute(language, place, found)
    else:
        lines = _about_value(buffer, place, found, library, frames)
    markdown = '\n\n'.join(lines)
    return lsp.Hover(
        lsp.MarkupContent(lsp.MarkupKind.Markdown, markdown),
        buffer.text.range_of(place.span)) if markdown else None


def _about_element(
    buffer: Buffer, language: Language, node: SyntaxNode, found: DeclaredElement, frames: Frames,
) -> Iterator[str]:
    yield f'**<{node.tag}>** {documentation(found.element)}'
    if found.content.text is not None:
        yield _type(language, found.content.text)
    yield from _frames_of(buffer, node, frames)


def _about_attribute(
    language: Language, place: Place, found: DeclaredElement,
) -> Iterator[str]:
    name = '' if place.attribute is None else place.attribute.name
    declared = found.content.attributes.get(name)
    if declared is not None:
        yield f'**{name}** {documentation(declared)}'
        yield ('required; ' if declared.required else '') + _type(language, declared.type)


def _type(language: Language, kind: ValueType) -> str:
    words = language.words(kind)
    return f"one of {', '.join(words)}" if words else f'type: {kind.name}'


def _about_value(
    buffer: Buffer, place: Place, found: DeclaredElement, library: Library, frames: Frames,
) -> Iterator[str]:
    """Yield the meaning of a value: a part of HEBI's library, a named thing, its attribute."""
    text, attribute, node = buffer.syntax.plain(place.span), place.attribute, place.node
    if node is None or not text:
        return
    name = '' if attribute is None else attribute.name
    part = describe_part(node.tag, text) if name == 'type' else None
    if part is not None:
        yield f'**{text}** {part}'
    for named in library.named_at(buffer, place.span.end)[:1]:
        other = named.scope.buffer
        line = other.text.position(named.span.start).line + 1
        at = code(f'{os.path.basename(other.path)}:{line}')
        yield f'**{code(named.name)}** {named.kind}, {at}'
        yield from _frames_of(other, named.node, frames)
    declared = found.content.attributes.get(name)
    if declared is not None:
        yield f'{name}: {documentation(declared)}'
    elif attribute is None and found.content.text is not None:
        yield f'<{node.tag}>: {documentation(found.element)}'


def _frames_of(buffer: Buffer, node: SyntaxNode, frames: Frames) -> Iterator[str]:
    """Yield the descriptions of the frames that come from an element."""
    source, start = buffer.syntax.source, node.start
    line, column = source.count('\n', 0, start) + 1, start - source.rfind('\n', 0, start)
    yield from frames.get((buffer.real, line, column), [])[:_SHOWN_FRAMES]


# ---- parts of HEBI's library

def describe_part(tag: str, name: str) -> Optional[str]:
    """Return a line about a part by the element that it is the type of, None without one."""
    if tag == 'actuator' and name in catalog.ACTUATORS:
        return _actuator(catalog.ACTUATORS[name])
    if tag == 'bracket' and name in catalog.BRACKETS:
        bracket = catalog.BRACKETS[name]
        return f'bracket for {bracket.interface}: mass {bracket.mass:g} kg'
    if tag == 'link' and name in catalog.LINKS:
        return _link(catalog.LINKS[name])
    if tag == 'end-effector' and name in catalog.END_EFFECTORS:
        found = catalog.END_EFFECTORS[name]
        fits = 'anything' if found.interface is None else found.interface
        return f'end effector for {fits}: mass {found.inertia.mass:g} kg'
    return None


def _actuator(found: catalog.Actuator) -> str:
    family = catalog.FAMILIES[found.family]
    return (
        f'actuator with interface {family.interface}: mass {found.mass:g} kg, '
        f'torque {found.effort:g} Nm, speed {found.speed:.4g} rad/s '
        f'({found.speed * _RPM:.3g} rpm), height {family.height:g} m')


def _link(found: catalog.Link) -> str:
    masses = sorted(found.bases.values())
    base = f'{masses[0]:g}' if len(masses) == 1 else f'{masses[0]:g} to {masses[-1]:g}'
    return (
        f'link from interface {found.interface} to {found.output_interface}: mass '
        f'{found.mass_per_meter:g} kg for each meter of extension, and {base} kg by its ends')
