# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The ``<link>`` element: its inertia, its shapes, and what else is in it."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import RawElement, Shape
from hrdf_ros.parsing.sdf import is_reserved
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.context import SdfContext
from hrdf_ros.readers.sdf.element import name_of, raw_text, relative_to
from hrdf_ros.readers.sdf.enumerations import check_sensor
from hrdf_ros.readers.sdf.inertial import read_inertial
from hrdf_ros.readers.sdf.shapes import check_material, read_collision, read_visual

_FRAMED = ('sensor', 'light', 'particle_emitter', 'projector', 'audio_source', 'audio_sink')
_NEVER_RESERVED = (
    'collision', 'light', 'particle_emitter', 'physics', 'projector', 'sensor', 'visual')
_NEVER_TWICE = (*_NEVER_RESERVED, 'actor', 'animation')
_READ = ('pose', 'inertial', 'visual', 'collision')
_READ_OF_MATERIALS = frozenset(('ambient', 'diffuse', 'specular', 'emissive'))
_READ_OF_SHAPES = frozenset(('pose', 'geometry', 'material', 'density', 'auto_inertia_params'))


class SdfLink(NamedTuple):
    """
    What a ``<link>`` says.

    ``inertia`` is None where it is to be computed from the collisions (SDF 1.11). The poses of
    shapes are as they are written; ``relative`` are the elements of those that are relative to
    another frame than the link's. ``framed`` are sensors, lights and the like, with poses;
    ``preserved`` all elements that are kept as raw text, the framed ones too.
    """

    inertia: Optional[Inertia]
    visuals: tuple[Shape, ...]
    collisions: tuple[Shape, ...]
    relative: tuple[TypedElement, ...]
    framed: tuple[TypedElement, ...]
    preserved: tuple[TypedElement, ...]


_new_link = partial(SdfLink.__new__, SdfLink)
"""To call the class with keywords takes twice as long."""


def read_link(element: TypedElement, context: SdfContext) -> SdfLink:
    """Return what a link says."""
    visuals: list[Shape] = []
    collisions: list[Shape] = []
    relative, framed, preserved = [], [], []
    for child in element.children:
        tag = child.tag
        if tag in ('visual', 'collision'):
            shapes, read = (
                (visuals, read_visual) if tag == 'visual' else (collisions, read_collision))
            shapes.append(_complete(read(child, context.reading), child, context))
            if relative_to(child):
                relative.append(child)
        elif tag not in _READ:
            preserved.append(child)
            if tag in _FRAMED:
                framed.append(child)
            material = child.child('material') if tag == 'particle_emitter' else None
            if material is not None:
                check_material(material, context.reading)
    check_children(element.children, context.semantics)
    return _new_link(
        inertia=read_inertial(element, context.semantics), visuals=tuple(visuals),
        collisions=tuple(collisions), relative=tuple(relative), framed=tuple(framed),
        preserved=tuple(preserved))


def _complete(shape: Shape, element: TypedElement, context: SdfContext) -> Shape:
    """Return a shape with what else is in it and in its material, such as its surface."""
    extensions = _extensions(element, _READ_OF_SHAPES, context)
    if extensions:
        shape = shape._replace(extensions=extensions)
    look = element.child('material') if shape.material is not None else None
    if shape.material is not None and look is not None:
        extensions = _extensions(look, _READ_OF_MATERIALS, context)
        if extensions:
            shape = shape._replace(material=shape.material._replace(extensions=extensions))
    return shape


def _extensions(
    element: TypedElement, read: frozenset[str], context: SdfContext,
) -> tuple[RawElement, ...]:
    kept = [child for child in element.children if child.tag not in read]
    if not kept:
        return ()
    for child in kept:
        context.preserve(child)
    return tuple([
        RawElement(tag=child.tag, text=raw_text(child), location=child.location, format='sdf')
        for child in kept])


# ---- names

def check_children(elements: Iterable[TypedElement], report: Report) -> None:
    """Refuse wrong names of what is in a link or joint, and unknown words in its sensors."""
    named = [child for child in elements if 'name' in child.attributes]
    if named:
        check_siblings(named, {}, report)
        for child in named:
            if child.tag == 'sensor':
                check_sensor(child, report)


def check_siblings(
    elements: Iterable[TypedElement], taken: dict[str, str], report: Report,
) -> None:
    """Refuse reserved names and those that are taken, by an element of the tag that is given."""
    for element in elements:
        name, tag = name_of(element), element.tag
        if not name or tag == 'plugin':
            continue
        if tag == 'actor':
            check_siblings(element.all('animation'), {}, report)
        if element.tag in _NEVER_RESERVED and is_reserved(name):
            report.add(
                codes.SDF_RESERVED_NAME, f"the {element.tag} name '{name}' is reserved",
                element.attribute_location('name', 0))
        if name in taken:
            _report_duplicate(element, name, taken[name], report)
        else:
            taken[name] = tag


def _report_duplicate(element: TypedElement, name: str, tag: str, report: Report) -> None:
    """Report a duplicate name; between tags libsdformat does only when it is asked to check."""
    location = element.attribute_location('name', 0)
    if tag == element.tag and tag in _NEVER_TWICE:
        report.add(
            codes.DUPLICATE_NAME, f"duplicate <{tag}> '{name}'", location,
            reference='DUPLICATE_NAME')
    else:
        report.add(
            codes.DUPLICATE_NAME,
            f"a <{tag}> beside this <{element.tag}> is also named '{name}'", location,
            hint='gz sdf --check refuses this', severity='warning', reference='PARSING_ERROR')
