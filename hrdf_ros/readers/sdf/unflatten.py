# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Flattened models made nested again.

Until SDF 1.7 libsdformat flattened an included model into its parent: link ``arm::wrist`` and a
frame ``arm::__model__`` that carries the pose and the canonical link. libsdformat turns that back
into ``<model name="arm">`` in the models of a world; so does this.
"""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf.element import new_element, set_attribute, set_text

_FLATTENED = ('frame', 'joint', 'link', 'model', 'gripper')
_REFERRING_TEXTS = ('parent', 'child', 'gripper_link', 'palm_link')
_REFERRING_ATTRIBUTES = {'pose': 'relative_to', 'frame': 'attached_to', 'xyz': 'expressed_in'}


def unflatten(model: TypedElement, report: Report) -> None:
    """Nest the flattened models of a model, and those in them, in place; iterative."""
    pending = [model]
    while pending:
        node = pending.pop()
        for prefix in _prefixes(node):
            _nest(node, prefix)
            report.add(
                codes.SDF_MODEL_UNFLATTENED,
                f"the flattened names '{prefix}::...' become a nested model", node.location)
        pending.extend(node.all('model'))


def _prefixes(model: TypedElement) -> list[str]:
    """Return the names of the models that were flattened into this one, in document order."""
    names = (_name(child) for child in model.children if child.tag in _FLATTENED)
    return list(dict.fromkeys(name.partition('::')[0] for name in names if '::' in name))


def _name(node: TypedElement) -> str:
    return node.get('name') or ''


def _nest(model: TypedElement, prefix: str) -> None:
    """Move what carries a prefix into a nested model, which becomes the last child."""
    below = [child for child in model.children if _belongs(child, f'{prefix}::')]
    kept = [child for child in model.children if not _belongs(child, f'{prefix}::')]
    nested = new_element(below[0], 'model')
    set_attribute(nested, 'name', prefix)
    moved = [_moved(child, f'{prefix}::', nested) for child in below]
    nested.children = [child for child in moved if child is not None]
    model.children = [*kept, nested]


def _belongs(child: TypedElement, prefix: str) -> bool:
    """Tell whether an element was in the model: by its name, or a gripper by its links."""
    if child.tag == 'gripper' and not _name(child).startswith(prefix):
        links = child.all('gripper_link')
        return bool(links) and all(link.text.startswith(prefix) for link in links)
    return child.tag in _FLATTENED and _name(child).startswith(prefix)


def _moved(child: TypedElement, prefix: str, nested: TypedElement) -> Optional[TypedElement]:
    """Strip the prefix; the frame of the model itself leaves only its pose behind."""
    _strip(child, prefix)
    if child.tag == 'frame' and child.get('name') == '__model__':
        set_attribute(nested, 'canonical_link', child.get('attached_to') or '')
        return child.child('pose')
    return child


def _strip(top: TypedElement, prefix: str) -> None:
    """Strip a prefix from the name of an element and from every reference in it."""
    _strip_attribute(top, 'name', prefix)
    for node in top.walk():
        attribute = _REFERRING_ATTRIBUTES.get(node.tag)
        if attribute is not None:
            _strip_attribute(node, attribute, prefix)
        elif node.tag in _REFERRING_TEXTS:
            if node.text.startswith(prefix):
                set_text(node, node.text.removeprefix(prefix))


def _strip_attribute(node: TypedElement, attribute: str, prefix: str) -> None:
    value = node.get(attribute)
    if value is not None and value.startswith(prefix):
        set_attribute(node, attribute, value.removeprefix(prefix))
