# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The texts of the page, as HTML.

All text from a file passes ``escape``: a link named ``<img onerror=...>`` is shown as text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape
from math import degrees
import os

from hrdf_ros.diagnostics import Diagnostic
from hrdf_ros.document import SourceRef
from hrdf_ros.model import Body, Model, NONE
from hrdf_ros.pose import Pose, to_rpy
from hrdf_ros.topology import Topology
from hrdf_ros.view.motion import shown_value, Slider, Unit

_DIAGNOSTICS = 20
_NOTES = 10
_LINKS = 1000
_DEPTH = 12
"""Indented levels of the tree of links."""
_REACH = 70
_CUT = '...'

_COPY = 'navigator.clipboard.writeText(this.previousElementSibling.textContent)'
EVENTS = 'event:'
"""How the value of the hidden text box begins into which page.js writes clicks."""


def about_model(
    model: Model, sliders: Sequence[Slider], notes: Sequence[str], warnings: int,
) -> str:
    """Return format, size and problems of a robot."""
    mass = sum(body.inertia.mass for body in model.bodies if body.inertia is not None)
    free = sum(not slider.depends for slider in sliders)
    facts = [
        f'{model.format.upper()} {model.version}'.strip(), f'{len(model.bodies)} links',
        f"{free} degree{'' if free == 1 else 's'} of freedom", f'{mass:.4g} kg']
    if warnings:
        facts.append(f'{warnings} warnings: see hrdf check')
    wide = [slider.name for slider in sliders if not slider.is_limited]
    if wide:
        rest = f' and {len(wide) - _NOTES} more' if len(wide) > _NOTES else ''
        facts.append(f'no limits, or wide ones: {", ".join(wide[:_NOTES])}{rest}')
    more = ''.join(f'<div class="bad">{escape(note)}</div>' for note in notes[:_NOTES])
    return _box(f'<div class="quiet">{escape(", ".join(facts))}</div>{more}')


def link_tree(
    model: Model, topology: Topology, hidden: Collection[int], with_axes: Collection[int],
) -> str:
    """Return the tree of links; a click writes select, show or axes and the index of a link."""
    depths: dict[int, int] = {NONE: -1}
    rows = []
    for body in topology.order:
        depth = depths[body] = depths[topology.parent[body]] + 1
        rows.append(
            f'<div class="hrdf-link" style="padding-left: {min(depth, _DEPTH) * 0.7}em">'
            f'<span data-event="select {body}">{escape(model.bodies[body].name)}</span>'
            + _toggle('show', body, body not in hidden) + _toggle('axes', body, body in with_axes)
            + '</div>')
    rest = len(rows) - _LINKS
    more = f'<div>and {rest} more</div>' if rest > 0 else ''
    return _box(''.join(rows[:_LINKS]) + more)


def _toggle(name: str, body: int, is_on: bool) -> str:
    return f'<button class="{"on" if is_on else ""}" data-event="{name} {body}">{name}</button>'


def about_body(model: Model, body: Body) -> str:
    """Return name, tag, mass, joint and source of a link."""
    index = model.bodies.index(body)
    carrier = next((joint for joint in model.joints if joint.child == index), None)
    rows = []
    if body.tag not in ('', body.name):
        rows.append(('tag', body.tag))
    if carrier is not None:
        rows.append(('joint', f'{carrier.name} ({carrier.type})'))
        rows.append((
            'moves on' if carrier.motions else 'fixed to',
            model.bodies[carrier.parent].name if carrier.parent >= 0 else model.root))
    if body.inertia is not None:
        rows.append(('mass', f'{body.inertia.mass:.4g} kg'))
    if body.source_name not in ('', body.name):
        rows.append(('in the file', body.source_name))
    if body.location is not None:
        at = body.location.resolve()
        rows.append(('source', f'{os.path.relpath(at.file)}:{at.line}'))
    return _box(_title(body.name) + _table(rows))


def about_pose(pose: Pose, unit: Unit) -> str:
    """Return the numbers of a pose, which can be copied: meters, and degrees or radians."""
    is_degrees = unit == 'degrees'
    angles = [degrees(angle) if is_degrees else angle for angle in to_rpy(pose)]
    rows = (
        ('x y z', 'position (m)', pose.position),
        ('roll pitch yaw', 'rpy ' + ('(\u00b0)' if is_degrees else '(rad)'), angles),
        ('x y z w', 'quaternion', pose.orientation))
    cells = ''.join(
        f'<tr><td title="{order}">{name}</td><td><code>{_numbers(values)}</code> '
        f'<button onclick="{_COPY}">copy</button></td></tr>' for order, name, values in rows)
    return _box(f'<table class="hrdf-pose">{cells}</table>')


def _numbers(values: Sequence[float]) -> str:
    return ' '.join(f'{round(value, 5) + 0.0:.7g}' for value in values)


def about_frame(model: Model, frame: int) -> str:
    """Return kind, link, tag and source of a frame, and more of a link."""
    found = model.frames[frame]
    if found.body >= 0 and model.bodies[found.body].name == found.name:
        return about_body(model, model.bodies[found.body])
    rows = [('kind', found.kind), ('fixed to', model.bodies[found.body].name if found.body >= 0
                                   else model.root)]
    if found.tag:
        rows.insert(0, ('tag', found.tag))
    if found.location is not None:
        at = found.location.resolve()
        rows.append(('source', f'{os.path.relpath(at.file)}:{at.line}'))
    return _box(_title(found.name) + _table(rows))


def about_positions(positions: str) -> str:
    """Return the configuration for the command line, which can be copied."""
    if not positions:
        return _box('The robot has no moving joints.')
    return _box(
        f'<code>{escape(positions)}</code> <button onclick="{_COPY}">copy</button>'
        '<div class="quiet">for hrdf frames, convert and render: radians and meters</div>')


def about_open_loops(names: Sequence[str]) -> str:
    """Return which loops are open."""
    return _box(f'<div class="bad">The loop through {escape(", ".join(names))} cannot close here.'
                '</div>') if names else ''


def about_missing_transforms(count: int) -> str:
    """Return how many links are not drawn."""
    return _box(f'<div class="bad">TF has no transform of {count} links: not drawn.</div>'
                ) if count else ''


def slider_label(slider: Slider) -> str:
    """Return the name of a coordinate, and what it depends on; text, not HTML."""
    return f'{slider.name}  ({slider.depends})' if slider.depends else slider.name


def slider_marks(
    slider: Slider, unit: Unit, ends: tuple[float, float],
) -> tuple[tuple[float, str], ...]:
    """Return the limits at the ends of a slider, whose values there are ``ends``."""
    if not slider.is_limited:
        return ()
    texts = (shown_value(slider, limit, unit) for limit in (slider.lower, slider.upper))
    return tuple(zip(ends, texts))


def overlay(title: str, diagnostics: Iterable[Diagnostic]) -> str:
    """Return diagnostics to show over the scene, each with file, line and source excerpt."""
    found = [each for each in diagnostics if each.severity != 'info']
    found.sort(key=lambda each: each.severity != 'error')
    parts = [_diagnostic(each) for each in found[:_DIAGNOSTICS]]
    if len(found) > _DIAGNOSTICS:
        parts.append(f'<div>and {len(found) - _DIAGNOSTICS} more: see hrdf check</div>')
    return f'<div class="hrdf-over" role="alert"><h4>{escape(title)}</h4>{"".join(parts)}</div>'


def _diagnostic(found: Diagnostic) -> str:
    at = found.resolve()
    place = '' if at is None else f'<span class="place">{escape(str(at))}</span>: '
    head = (f'<div>{place}<span class="{found.severity}">{found.severity}[{escape(found.code)}]'
            f'</span>: {escape(found.message)}</div>')
    return head + ''.join(_excerpt(found)) + (
        '' if found.hint is None else f'<div class="hint">hint: {escape(found.hint)}</div>')


def _excerpt(found: Diagnostic) -> Iterator[str]:
    """Yield the line of source with a caret under the column."""
    if not isinstance(found.location, SourceRef):
        return
    excerpt = found.location.document.excerpt(found.location.offset(), _REACH)
    before = (_CUT if excerpt.is_cut_before else '') + excerpt.before.replace('\t', '    ')
    after = excerpt.after + (_CUT if excerpt.is_cut_after else '')
    if before.strip() or after.strip():
        yield f'<pre>{escape(before + after)}\n{" " * len(before)}^</pre>'


def _title(text: str) -> str:
    return f'<h4>{escape(text)}</h4>'


def _table(rows: Iterable[tuple[str, str]]) -> str:
    cells = ''.join(
        f'<tr><td>{escape(key)}</td><td>{escape(value)}</td></tr>' for key, value in rows)
    return f'<table>{cells}</table>'


def _box(content: str) -> str:
    return f'<div class="hrdf">{content}</div>'
