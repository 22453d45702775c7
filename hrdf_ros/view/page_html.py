# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The texts of the page, as HTML.

All texts from a file pass through ``escape``: a link named ``<img onerror=...>`` is shown as text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from html import escape
from math import degrees
import os
import re
from typing import Union

from hrdf_ros.diagnostics import Diagnostic
from hrdf_ros.diff import Difference
from hrdf_ros.document import SourceRef
from hrdf_ros.listing import and_more, first_of
from hrdf_ros.model import Body, Frame, Model, NONE
from hrdf_ros.pose import Pose, to_rpy
from hrdf_ros.topology import Topology
from hrdf_ros.view.motion import Slider, Unit
from hrdf_ros.view.scene import CHANGED, ONLY_FIRST, ONLY_SECOND

_DIAGNOSTICS = 20
"""The most diagnostics shown over the scene; the text refers to ``hrdf check`` for the rest."""
_DIFFERENCES = 12
"""The most differences in the panel; the text refers to ``hrdf diff`` for the rest."""
_NOTES = 10
"""The most notes and names of joints in the panel."""
_LINKS = 1000
"""The most links in the tree of links; the others are counted."""
_DEPTH = 12
"""The most levels by which the tree of links is indented."""
_REACH = 70
"""The most bytes of a source line that are shown on either side of the column."""

_COPY = 'navigator.clipboard.writeText(this.previousElementSibling.textContent)'
"""The JavaScript of a button that copies the text before it."""
EVENTS = 'event:'
"""The start of the value of the hidden text box into which page.js writes clicks."""
_LINK_EVENT = re.compile(rf'{EVENTS}(select|show|axes) ([0-9]{{1,9}})\b')
"""The value after a click in the tree of links, whose elements have it as ``data-event``."""


def about_model(
    model: Model, sliders: Sequence[Slider], notes: Sequence[str], warnings: int,
) -> str:
    """Return the format, size and problems of a robot."""
    mass = sum(body.inertia.mass for body in model.bodies if body.inertia is not None)
    free = sum(not slider.depends for slider in sliders)
    facts = [
        f'{model.format.upper()} {model.version}'.strip(), f'{len(model.bodies)} links',
        f"{free} degree{'' if free == 1 else 's'} of freedom", f'{mass:.4g} kg']
    if warnings:
        facts.append(f'{warnings} warnings: see hrdf check')
    wide = [slider.name for slider in sliders if not slider.is_limited]
    if wide:
        facts.append(f'no limits, or wide ones: {first_of(wide, _NOTES)}')
    more = ''.join(f'<div class="bad">{escape(note)}</div>' for note in notes[:_NOTES])
    return _box(f'<div class="quiet">{escape(", ".join(facts))}</div>{more}')


def link_tree(
    model: Model, topology: Topology, hidden: Collection[int], with_axes: Collection[int],
) -> str:
    """Return the tree of links; a click sends select, show or axes with the index of a link."""
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
    more = f'<div>{and_more(rest)}</div>' if rest > 0 else ''
    return _box(''.join(rows[:_LINKS]) + more)


def _toggle(name: str, body: int, is_on: bool) -> str:
    return f'<button class="{"on" if is_on else ""}" data-event="{name} {body}">{name}</button>'


def link_event(value: str) -> tuple[str, int]:
    """Return the event of a click in the tree of links and its body; or '' and NONE for others."""
    found = _LINK_EVENT.match(value)
    return ('', NONE) if found is None else (found[1], int(found[2]))


def about_frame(model: Model, frame: int, pose: Pose, unit: Unit) -> str:
    """Return the facts about a frame: name, tag, place, source, pose; mass and joint of a link."""
    found = model.frames[frame]
    body = model.bodies[found.body] if found.body >= 0 else None
    of: Union[Frame, Body] = found
    rows = [('kind', found.kind), ('fixed to', model.root if body is None else body.name)]
    if body is not None and body.name == found.name:
        of, rows = body, list(_about_link(model, found.body))
    if of.tag and (of is found or of.tag != of.name):
        rows.insert(0, ('tag', of.tag))
    if of.location is not None:
        at = of.location.resolve()
        # a viewer beside a text runs in the root directory, like its language server
        file = at.file if os.getcwd() == os.sep else os.path.relpath(at.file)
        rows.append(('source', f'{file}:{at.line}'))
    return _box(f'<h4>{escape(of.name)}</h4>{_table(rows)}{_about_pose(pose, unit)}')


def _about_link(model: Model, index: int) -> Iterator[tuple[str, str]]:
    body = model.bodies[index]
    carrier = next((joint for joint in model.joints if joint.child == index), None)
    if carrier is not None:
        yield 'joint', f'{carrier.name} ({carrier.type})'
        yield ('moves on' if carrier.motions else 'fixed to',
               model.bodies[carrier.parent].name if carrier.parent >= 0 else model.root)
    if body.inertia is not None:
        yield 'mass', f'{body.inertia.mass:.4g} kg'
    if body.source_name not in ('', body.name):
        yield 'in the file', body.source_name


def _about_pose(pose: Pose, unit: Unit) -> str:
    """Return the numbers of a pose for copying: meters, and degrees or radians."""
    angles, mark = [*to_rpy(pose)], '(rad)'
    if unit == 'degrees':
        angles, mark = [degrees(angle) for angle in angles], '(\u00b0)'
    rows = (
        ('x y z', 'position (m)', pose.position), ('roll pitch yaw', f'rpy {mark}', angles),
        ('x y z w', 'quaternion', pose.orientation))
    cells = ''.join(
        f'<tr><td title="{order}">{name}</td><td><code>{_numbers(values)}</code> '
        f'<button onclick="{_COPY}">copy</button></td></tr>' for order, name, values in rows)
    return f'<table class="hrdf-pose">{cells}</table>'


def _numbers(values: Sequence[float]) -> str:
    return ' '.join(f'{round(value, 5) + 0.0:.7g}' for value in values)


def about_positions(positions: str) -> str:
    """Return the configuration as an option of the command line, for copying."""
    if not positions:
        return _box('The robot has no moving joints.')
    return _box(
        f'<code>{escape(positions)}</code> <button onclick="{_COPY}">copy</button>'
        '<div class="quiet">for hrdf frames, convert and render: radians and meters</div>')


def about_problem(text: str) -> str:
    """Return a sentence in red, or nothing."""
    return _box(f'<div class="bad">{escape(text)}</div>') if text else ''


def about_differences(differences: Sequence[Difference], first: str, second: str) -> str:
    """Return the legend and the list of differences."""
    legend = ''.join(
        f'<div><span style="color: rgb{color}">\u25a0</span> {escape(text)}</div>'
        for color, text in (
            (CHANGED, 'differs'), (ONLY_FIRST, f'only in {first}'),
            (ONLY_SECOND, f'only in {second}')))
    more = len(differences) - _DIFFERENCES
    count = f'{len(differences) or "no"} difference{"" if len(differences) == 1 else "s"}'
    table = _table((found.what, f'{found.name}: {found.a} \u2192 {found.b}')
                   for found in differences[:_DIFFERENCES])
    return _box(
        f'<h4>{count}</h4>{legend}<div class="quiet">{escape(second)} is the transparent one.'
        f'</div>{table}' + (f'<div>{and_more(more)}: see hrdf diff</div>' if more > 0 else ''))


def overlay(title: str, diagnostics: Iterable[Diagnostic]) -> str:
    """Return diagnostics as shown over the scene, each with file, line and source excerpt."""
    found = [each for each in diagnostics if each.severity != 'info']
    found.sort(key=lambda each: each.severity != 'error')
    parts = [_diagnostic(each) for each in found[:_DIAGNOSTICS]]
    if len(found) > _DIAGNOSTICS:
        parts.append(f'<div>{and_more(len(found) - _DIAGNOSTICS)}: see hrdf check</div>')
    return f'<div class="hrdf-over" role="alert"><h4>{escape(title)}</h4>{"".join(parts)}</div>'


def _diagnostic(found: Diagnostic) -> str:
    """Return a diagnostic with its place, and its source line with a caret below the column."""
    at = found.resolve()
    place = '' if at is None else f'<span class="place">{escape(str(at))}</span>: '
    lines = [f'<div>{place}<span class="{found.severity}">{found.severity}[{escape(found.code)}]'
             f'</span>: {escape(found.message)}</div>']
    if isinstance(found.location, SourceRef):
        excerpt = found.location.document.lines.excerpt(found.location.offset(), _REACH)
        before = excerpt.before.replace('\t', '    ')
        lines.append(f'<pre>{escape(before + excerpt.after)}\n{" " * len(before)}^</pre>')
    if found.hint is not None:
        lines.append(f'<div class="hint">hint: {escape(found.hint)}</div>')
    return ''.join(lines)


def _table(rows: Iterable[tuple[str, str]]) -> str:
    cells = ''.join(
        f'<tr><td>{escape(key)}</td><td>{escape(value)}</td></tr>' for key, value in rows)
    return f'<table>{cells}</table>'


def _box(content: str) -> str:
    return f'<div class="hrdf">{content}</div>'
