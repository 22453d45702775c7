# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Documentation of the element, attribute, word or name under the pointer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import math
import os
from typing import NamedTuple, Optional

from hrdf_ros.lsp.analysis import FrameFact
from hrdf_ros.lsp.documents import Buffer
from hrdf_ros.lsp.library import Library, Named
from hrdf_ros.lsp.places import DeclaredElement, Language, Place, place_at
from hrdf_ros.lsp.syntax import SyntaxNode
from hrdf_ros.lsp.text import Span
from hrdf_ros.pose import Pose, to_rpy
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.schema import Attribute, ValueType
from hrdf_ros.schema_export.content import documentation

_RPM = 60.0 / math.tau
_SHOWN_FRAMES = 4
_OWN_KINDS = ('link', 'end_effector', 'frame', 'model')


class Shown(NamedTuple):
    """Markdown about a part of a text."""

    markdown: str
    span: Span


def hover(
    buffer: Buffer, offset: int, library: Library, frames: Sequence[FrameFact],
) -> Optional[Shown]:
    """Return the documentation of an offset; ``frames`` are those of the last Model."""
    place = place_at(buffer.syntax, offset)
    if place.kind == 'tag':
        node = next((one for one in buffer.syntax.nodes if one.tag_span == place.span), None)
    else:
        node = place.node
    language = buffer.language
    found = None if node is None or language is None else language.declaration(node)
    if node is None or language is None or found is None:
        return None
    lines = list(_lines(buffer, language, found, place._replace(node=node), library, frames))
    return Shown('\n\n'.join(lines), place.span) if lines else None


def _lines(
    buffer: Buffer, language: Language, found: DeclaredElement, place: Place, library: Library,
    frames: Sequence[FrameFact],
) -> Iterator[str]:
    node = place.node
    assert node is not None
    if place.kind in ('tag', 'end tag'):
        yield f'**<{node.tag}>** {documentation(found.element)}'
        if found.content.text is not None:
            yield _type(language, found.content.text)
        yield from _frames_of(buffer, node, frames)
        return
    attribute = place.attribute
    declared = None if attribute is None else found.content.attributes.get(attribute.name)
    if place.kind == 'attribute' and attribute is not None and declared is not None:
        yield f'**{attribute.name}** {documentation(declared)}'
        yield _requirement(declared) + _type(language, declared.type)
    elif place.kind in ('value', 'text') and place.span.start < place.span.end:
        yield from _value(buffer, place, library, frames)
        if attribute is not None and declared is not None:
            yield f'{attribute.name}: {documentation(declared)}'
        elif attribute is None and found.content.text is not None:
            yield f'<{node.tag}>: {documentation(found.element)}'


def _requirement(declared: Attribute) -> str:
    return 'required; ' if declared.required else ''


def _type(language: Language, kind: ValueType) -> str:
    words = language.words(kind)
    return f"one of {', '.join(words)}" if words else f'type: {kind.name}'


def _value(
    buffer: Buffer, place: Place, library: Library, frames: Sequence[FrameFact],
) -> Iterator[str]:
    """Yield the meaning of a value: a part of the library, or a named thing."""
    assert place.node is not None
    text = buffer.syntax.plain(place.span)
    part = describe_part(place.node.tag, text) if place.attribute is not None and (
        place.attribute.name == 'type') else None
    if part is not None:
        yield f'**{text}** {part}'
    for named in library.named_at(buffer, place.span.end)[:1]:
        where = os.path.basename(named.buffer.path)
        line = named.buffer.text.position(named.definition.span.start)[0] + 1
        yield f'**{named.definition.name}** {named.definition.kind}, {where}:{line}'
        yield from _frames(named, frames)


def _frames(named: Named, frames: Sequence[FrameFact]) -> Iterator[str]:
    yield from _frames_of(named.buffer, named.definition.node, frames)


def _frames_of(buffer: Buffer, node: SyntaxNode, frames: Sequence[FrameFact]) -> Iterator[str]:
    """Yield the frames that come from an element, its own ones first."""
    start = node.start
    line = buffer.syntax.source.count('\n', 0, start) + 1
    column = start - buffer.syntax.source.rfind('\n', 0, start)
    real = os.path.realpath(buffer.path)
    found = [
        frame for frame in frames if frame.location is not None
        and (frame.location.line, frame.location.column) == (line, column)
        and os.path.realpath(frame.location.file) == real]
    found.sort(key=lambda frame: frame.kind not in _OWN_KINDS)
    for frame in found[:_SHOWN_FRAMES]:
        yield _frame(frame)


def _frame(frame: FrameFact) -> str:
    mass = '' if frame.mass is None else f', mass {frame.mass:.4g} kg'
    lines = [f'frame `{frame.name}` ({frame.kind}{mass}), joints at zero']
    lines.append(f'- in `{frame.root}`: {_pose(frame.pose)}')
    if frame.parent_pose != frame.pose and frame.kind not in ('link', 'world'):
        lines.append(f'- in `{frame.parent}`: {_pose(frame.parent_pose)}')
    return '\n'.join(lines)


def _pose(pose: Pose) -> str:
    position = ' '.join(_number(value) for value in pose.position)
    rotation = ' '.join(_number(value) for value in to_rpy(pose))
    return f'xyz {position} m, rpy {rotation} rad'


def _number(value: float) -> str:
    return f'{round(value, 6) + 0.0:g}'


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
