# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<link>`` element: its inertia, its shapes, and what else stands in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import RawElement, Shape
from hrdf_ros.readers.sdf.inertial import read_inertial
from hrdf_ros.readers.sdf.nodes import raw_text
from hrdf_ros.readers.sdf.shapes import check_material, read_collision, read_visual
from hrdf_ros.readers.sdf.state import State
from hrdf_ros.readers.sdf.text import attribute_bool
from hrdf_ros.readers.sdf.words import check_sensor

_FRAMED = ('sensor', 'light', 'particle_emitter', 'projector', 'audio_source', 'audio_sink')
_NEVER_RESERVED = (
    'collision', 'light', 'particle_emitter', 'physics', 'projector', 'sensor', 'visual')
_NEVER_TWICE = (*_NEVER_RESERVED, 'actor', 'animation')
_NOT_KEPT = ('pose', 'inertial', 'visual', 'collision')
_READ_OF_MATERIALS = ('ambient', 'diffuse', 'specular', 'emissive')
_READ_OF_SHAPES = ('pose', 'geometry', 'material', 'density', 'auto_inertia_params')


class Placed(NamedTuple):
    """A shape, the frame that its pose is relative to ('' is the link), and its element."""

    shape: Shape
    relative_to: str
    node: XmlElement


class LinkFacts(NamedTuple):
    """
    What stands in a ``<link>``; ``framed`` are sensors, lights and the like, with poses.

    ``inertia`` is None where it is to be computed from the collisions (SDF 1.11), ``others`` are
    all elements that are only kept, the framed ones too.
    """

    inertia: Optional[Inertia]
    visuals: tuple[Placed, ...]
    collisions: tuple[Placed, ...]
    framed: tuple[XmlElement, ...]
    others: tuple[XmlElement, ...]


def read_link_facts(node: XmlElement, state: State) -> LinkFacts:
    """Return what stands in a link."""
    visuals, collisions, framed, others = [], [], [], []
    for child in node.children:
        tag = child.tag
        if tag == 'visual':
            visuals.append(_placed(read_visual(child, state.context), child, state))
        elif tag == 'collision':
            collisions.append(_placed(read_collision(child, state.context), child, state))
        elif tag not in _NOT_KEPT:
            others.append(child)
            if tag in _FRAMED:
                framed.append(child)
            material = child.child('material') if tag == 'particle_emitter' else None
            if material is not None:
                check_material(material, state.context)
    check_names(node, state.semantics)
    inertial = node.child('inertial')
    auto = inertial is not None and attribute_bool(inertial, 'auto')
    inertia = None if auto else read_inertial(node, (), state.semantics)
    return LinkFacts(
        inertia, tuple(visuals), tuple(collisions), tuple(framed), tuple(others))


def _placed(shape: Shape, node: XmlElement, state: State) -> Placed:
    """Return a shape with what else stands in it and in its material, such as its surface."""
    extensions = _kept(node, _READ_OF_SHAPES, state)
    if extensions:
        shape = shape._replace(extensions=extensions)
    look = node.child('material') if shape.material is not None else None
    if shape.material is not None and look is not None:
        extensions = _kept(look, _READ_OF_MATERIALS, state)
        if extensions:
            shape = shape._replace(material=shape.material._replace(extensions=extensions))
    return Placed(shape, relative_to(node), node)


def _kept(node: XmlElement, read: tuple[str, ...], state: State) -> tuple[RawElement, ...]:
    return tuple(keep(child, state) for child in node.children if child.tag not in read)


def relative_to(node: XmlElement) -> str:
    """Return the name of the frame that an element's pose is relative to, '' for the default."""
    for child in node.children:
        if child.tag == 'pose':
            return child.attributes.get('relative_to', '').strip()
    return ''


def keep(node: XmlElement, state: State) -> RawElement:
    """Return an element as raw text, and remember that nothing else becomes of it."""
    state.kept.setdefault(node.tag, []).append(node)
    return RawElement(node.tag, raw_text(node), node.location, format='sdf')


def is_reserved(name: str) -> bool:
    """Tell whether a name is reserved: ``world`` and ``__...__`` (SDF 1.7)."""
    return name == 'world' or len(name) >= 4 and name[:2] == '__' and name[-2:] == '__'


def check_names(node: XmlElement, report: Report) -> None:
    """Refuse wrong names of a link's or joint's children, and wrong words in its sensors."""
    named = [child for child in node.children if 'name' in child.attributes]
    if named:
        check_siblings(named, {}, report)
        for child in named:
            if child.tag == 'sensor':
                check_sensor(child, report)


def check_siblings(nodes: Iterable[XmlElement], taken: dict[str, str], report: Report) -> None:
    """Refuse reserved names and those that are taken, by an element of the tag that is given."""
    for node in nodes:
        name = node.attributes.get('name', '').strip()
        if not name or node.tag == 'plugin':
            continue
        if node.tag == 'actor':
            check_siblings(node.all('animation'), {}, report)
        if is_reserved(name) and node.tag in _NEVER_RESERVED:
            report.add(
                codes.SDF_RESERVED_NAME, f"the {node.tag} name '{name}' is reserved",
                node.attribute_location('name', 0))
        if name in taken:
            _report_repeated(node, name, taken[name], report)
        taken.setdefault(name, node.tag)


def _report_repeated(node: XmlElement, name: str, tag: str, report: Report) -> None:
    """Report a repeated name; libsdformat minds other elements only when it is asked to check."""
    if tag == node.tag and tag in _NEVER_TWICE:
        report.add(
            codes.DUPLICATE_NAME,
            f"there is a {tag} '{name}' already",
            node.attribute_location('name', 0),
            reference='DUPLICATE_NAME',
        )
    else:
        report.add(
            codes.DUPLICATE_NAME,
            f"a {tag} beside this {node.tag} is named '{name}' too",
            node.attribute_location('name', 0),
            hint='gz sdf --check refuses this', severity='warning', reference='PARSING_ERROR')
