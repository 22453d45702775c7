# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What may stand where in a SKEL file, as a table, and the one pass that finds the rest.

The table holds what DART 6.20 reads and what the format's text lists. A child is written
``tag``, ``tag:kind`` where the element of that name differs by place, and with ``*`` where it
may be repeated. Two kinds stand for themselves: ``ignored`` is never read by DART and means
nothing here; ``unkept`` is read by DART, but no description made from the file can hold it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import XmlElement
from hrdf_ros.parsing.suggestions import did_you_mean


class Element(NamedTuple):
    """The children of an element with their kinds, which of them repeat, and its attributes."""

    children: dict[str, str]
    repeated: frozenset[str]
    attributes: frozenset[str]


def _element(children: str = '', attributes: str = '') -> Element:
    entries = [entry.partition(':') for entry in children.split()]
    kinds = {tag.rstrip('*'): kind or tag.rstrip('*') for tag, _, kind in entries}
    repeated = frozenset(tag[:-1] for tag, _, _ in entries if tag.endswith('*'))
    return Element(kinds, repeated, frozenset(attributes.split()))


_LEAF = _element()
_GRAMMAR = {
    'skel': _element('world skeleton', 'version'),
    'world': _element('physics skeleton*', 'name'),
    'physics': _element('time_step:unkept gravity collision_detector:unkept'),
    'skeleton': _element(
        'transformation mobile immobile self_collide:ignored body* joint*', 'name'),
    'body': _element(
        'gravity self_collide:ignored transformation inertia visualization_shape* '
        'collision_shape* marker* soft_shape:unkept', 'name'),
    'inertia': _element('mass offset transformation:ignored moment_of_inertia'),
    'moment_of_inertia': _element('ixx iyy izz ixy ixz iyz'),
    'marker': _element('offset', 'name'),
    'visualization_shape': _element('transformation color geometry collidable:ignored'),
    'collision_shape': _element('transformation geometry collidable'),
    'geometry': _element(
        'sphere box ellipsoid cylinder capsule cone pyramid plane multi_sphere mesh'),
    'sphere': _element('radius'),
    'box': _element('size'),
    'ellipsoid': _element('size'),
    'cylinder': _element('radius height length'),
    'capsule': _element('radius height'),
    'cone': _element('radius height'),
    'pyramid': _element('base_width base_depth height'),
    'plane': _element('normal offset point'),
    'multi_sphere': _element('sphere*:ball'),
    'ball': _element('radius position'),
    'mesh': _element('file_name scale'),
    'joint': _element(
        'parent child transformation axis axis2:axis axis3:axis init_pos init_vel axis_order '
        'plane:joint_plane dof*', 'name type actuator'),
    'axis': _element('xyz pitch limit dynamics damping'),
    'limit': _element('lower upper effort velocity'),
    'dynamics': _element(
        'damping friction spring_rest_position spring_stiffness '
        'sprint_rest_position sprint_stiffness'),
    'joint_plane': _element(
        'translation_axis1:translation_axis translation_axis2:translation_axis', 'type'),
    'translation_axis': _element('xyz'),
    'dof': _element(
        'position:range velocity:range acceleration:unkept force:range damping friction '
        'spring_rest_position spring_stiffness', 'local_index name'),
    'range': _element('', 'lower upper initial'),
}


def check_names(root: XmlElement, report: Report) -> None:
    """Report every element and attribute that is not in the table, repeated or without effect."""
    pending = [(root, 'skel')]
    while pending:
        node, kind = pending.pop()
        element = _GRAMMAR.get(kind, _LEAF)
        if node.attributes:
            _check_attributes(node, element, report)
        if node.children:
            pending += reversed(_check_children(node, element, report))


def _check_attributes(node: XmlElement, element: Element, report: Report) -> None:
    for name in node.attributes:
        if name not in element.attributes and not name.startswith('xml'):
            report.add(
                codes.UNKNOWN_ATTRIBUTE,
                f"<{node.tag}> has no attribute '{name}'",
                node.attribute_location(name),
                hint=did_you_mean(name, element.attributes),
            )


def _check_children(
    node: XmlElement, element: Element, report: Report
) -> list[tuple[XmlElement, str]]:
    """Return the children that are worth a look inside, each with its kind."""
    seen = set()
    inside = []
    for child in node.children:
        tag = child.tag
        kind = element.children.get(tag)
        if kind is None:
            _report_unknown(child, node, element.children, report)
        elif tag in seen and tag not in element.repeated:
            report.add(
                codes.DUPLICATE_ELEMENT, f'<{tag}> stands here once more; only the first is read',
                child.location)
        elif kind in ('ignored', 'unkept'):
            _report_without_effect(child, kind, report)
        elif child.children or child.attributes:
            inside.append((child, kind))
        seen.add(tag)
    return inside


def _report_unknown(
    child: XmlElement, node: XmlElement, known: Iterable[str], report: Report
) -> None:
    report.add(
        codes.UNKNOWN_ELEMENT, f'<{child.tag}> has no meaning in <{node.tag}> and is not read',
        child.location, hint=did_you_mean(child.tag, known))


def _report_without_effect(child: XmlElement, kind: str, report: Report) -> None:
    if kind == 'ignored':
        report.add(
            codes.NO_EFFECT, f'<{child.tag}> has no effect here: DART does not read it',
            child.location)
    elif child.tag == 'soft_shape':
        report.add(
            codes.SKEL_SOFT_BODY, 'of this soft body only the rigid part is read', child.location)
    else:
        report.add(
            codes.DETAIL_NOT_PRESERVED,
            f'<{child.tag}> is about simulation in DART and is not kept',
            child.location,
        )
