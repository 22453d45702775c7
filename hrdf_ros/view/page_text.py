# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The texts of the page, as HTML.

All text from a file passes ``escape``: a link named ``<img onerror=...>`` is shown as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import degrees
import os

from hrdf_ros.diagnostics import Diagnostic
from hrdf_ros.document import SourceRef
from hrdf_ros.model import Body, Model
from hrdf_ros.pose import Pose, to_rpy
from hrdf_ros.view.motion import shown_value, Slider

_DIAGNOSTICS = 20
_NOTES = 10
_REACH = 70
_CUT = '...'

_COPY = 'navigator.clipboard.writeText(this.previousElementSibling.textContent)'

STYLE = """
<style>
.hrdf { font-size: 0.95rem; line-height: 1.45; padding: 0 0.75em 0.5em;
        overflow-wrap: anywhere; }
.hrdf table { border-collapse: collapse; width: 100%; }
.hrdf td { padding: 0.1em 0.6em 0.1em 0; vertical-align: top; }
.hrdf td:first-child { opacity: 0.7; white-space: nowrap; width: 1%; }
.hrdf h4 { margin: 0.2em 0; font-size: 1.1rem; }
.hrdf code { font-size: 0.9rem; user-select: all; }
.hrdf button { font: inherit; padding: 0 0.7em; border: 1px solid currentColor;
  border-radius: 0.25em; background: none; color: inherit; cursor: pointer; }
.hrdf button:active { background: rgba(28, 126, 214, 0.4); }
.hrdf .quiet { opacity: 0.7; }
.hrdf .bad { color: #e03131; font-weight: 600; }
.hrdf-over { position: fixed; left: 1rem; bottom: 1rem; z-index: 50; box-sizing: border-box;
  width: min(60rem, calc(100vw - 2rem)); max-height: 50vh; overflow: auto;
  background: #2b0b0e; color: #ffe9e9; border-left: 0.4rem solid #ff5c5c; border-radius: 0.4rem;
  padding: 0.8rem 1.1rem; font-size: 1rem; line-height: 1.45;
  box-shadow: 0 0.3rem 1.5rem rgba(0, 0, 0, 0.5); overflow-wrap: anywhere; }
.hrdf-over h4 { margin: 0 0 0.5em; font-size: 1.15rem; color: #ff8f8f; }
.hrdf-over pre { margin: 0.25em 0 0.75em; font-size: 0.95rem; overflow-x: auto;
  color: #ffd0d0; }
.hrdf-over .hint { margin: -0.5em 0 0.75em; }
.hrdf-over .place { color: #fff; font-weight: 600; }
.hrdf-over .warning { color: #ffd43b; }
p:has(> label) { font-size: 0.95rem !important; letter-spacing: 0 !important;
  color: inherit !important; font-weight: 500 !important; }
div:has(> p > label) { width: 9.5em !important; }
div:has(> div > p > label):has(> div .mantine-Slider-root) { flex-wrap: wrap; }
div:has(> p > label):has(+ div .mantine-Slider-root) { width: 100% !important; }
.mantine-Slider-root + .mantine-NumberInput-root { width: 5rem !important; }
.mantine-Slider-root { margin: 0 0.8em !important; }
.mantine-Slider-markLabel { font-size: 0.75rem !important; color: inherit !important; }
.mantine-Input-input { font-size: 0.9rem !important; letter-spacing: 0 !important; }
.mantine-Button-label { font-size: 0.9rem; }
</style>
"""


def about_model(
    model: Model, sliders: Sequence[Slider], notes: Sequence[str], warnings: int,
) -> str:
    """Return name, format, size and problems of a robot."""
    mass = sum(body.inertia.mass for body in model.bodies if body.inertia is not None)
    free = sum(not slider.depends for slider in sliders)
    rows = [
        ('format', f'{model.format.upper()} {model.version}'.strip()),
        ('links', str(len(model.bodies))),
        ('degrees of freedom', str(free)),
        ('mass', f'{mass:.4g} kg'),
    ]
    if warnings:
        rows.append(('warnings', f'{warnings}: see hrdf check'))
    more = ''.join(f'<div class="bad">{escape(note)}</div>' for note in notes[:_NOTES])
    return _box(_title(model.name) + _table(rows) + more)


def about_body(model: Model, body: Body) -> str:
    """Return name, tag, mass, joint and source of a link."""
    index = model.bodies.index(body)
    carrier = next((joint for joint in model.joints if joint.child == index), None)
    rows = []
    if body.tag:
        rows.append(('tag', body.tag))
    if carrier is not None:
        rows.append(('joint', carrier.name))
        rows.append(('type', carrier.type))
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


def about_pose(pose: Pose) -> str:
    """Return the numbers of a pose, which can be copied: meters and degrees."""
    roll_pitch_yaw = [degrees(angle) for angle in to_rpy(pose)]
    rows = (
        ('x y z (m)', pose.position), ('roll pitch yaw (\u00b0)', roll_pitch_yaw),
        ('quaternion x y z w', pose.orientation))
    cells = ''.join(
        f'<tr><td>{name}</td><td><code>{_numbers(values)}</code> '
        f'<button onclick="{_COPY}">copy</button></td></tr>' for name, values in rows)
    return _box(f'<table>{cells}</table>')


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


def about_configuration(positions: str, open_loops: Sequence[str]) -> str:
    """Return the configuration for the command line, and whether loops are open."""
    if not positions:
        return _box('The robot has no moving joints.')
    loops = ''
    if open_loops:
        names = ', '.join(escape(name) for name in open_loops)
        loops = f'<div class="bad">The loop through {names} cannot close here.</div>'
    return _box(
        f'{loops}<code>{escape(positions)}</code> '
        f'<button onclick="{_COPY}">copy</button>'
        '<div class="quiet">for hrdf frames; the boxes below: radians, or meters</div>')


def about_missing_transforms(count: int) -> str:
    """Return how many links are not drawn, or how to read the boxes."""
    if not count:
        return _box('<div class="quiet">as published; boxes: radians, or meters</div>')
    return _box(f'<div class="bad">TF has no transform of {count} links: not drawn.</div>')


def slider_label(slider: Slider, value: float) -> str:
    """Return the name of a coordinate and its value with a unit; text, not HTML."""
    moved_by = f'  ({slider.depends})' if slider.depends else ''
    return f'{slider.name}:  {shown_value(slider, value)}{moved_by}'


def slider_marks(slider: Slider) -> tuple[tuple[float, str], ...]:
    """Return the labels at the ends of a slider."""
    if not slider.is_limited:
        return (slider.lower, 'no limit'), (slider.upper, 'no limit')
    return tuple(
        (limit, shown_value(slider, limit)) for limit in (slider.lower, slider.upper))


def slider_hint(slider: Slider) -> str:
    """Return unit and limits of a coordinate; text, not HTML."""
    unit = 'radians' if slider.is_angle else 'meters'
    limits = (f'{shown_value(slider, slider.lower)} to {shown_value(slider, slider.upper)}'
              if slider.is_limited else 'no limits')
    return f'{slider.name}: {unit}, {limits}' + (f'; {slider.depends}' if slider.depends else '')


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
