# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Names in the XML of other programs that a Model keeps: renamed, or removed with their item.

A name is changed where the XML is known to name a link, joint or frame: ``<gazebo reference=``,
the joints of ``<ros2_control>`` and ``<transmission>``, the elements of MJCF, ``<joint_name>`` and
the like in plugins. Any other value that equals the name may mean something else: it stays, and a
warning names it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Optional
import warnings

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import escape, XmlElement
from hrdf_ros.listing import listed
from hrdf_ros.model import RawElement
from hrdf_ros.model.raw_xml import parsed_as
from hrdf_ros.parsing.gz_systems import KINDS
from hrdf_ros.readers.schema import TypedElement

_KINDS_OF_MJCF = {
    'body': ('link',), 'xbody': ('link',), 'joint': ('coordinate', 'joint'),
    'site': ('frame',), 'camera': ('frame',), 'light': ('frame',)}
"""
The kinds of a Model's items, by MJCF's word for what an attribute names.

A joint of MJCF is a coordinate of the Model, in which one joint has all MJCF joints of a body.
"""
_SHARED_IN_MJCF = frozenset((
    'default', 'geom', 'hfield', 'material', 'mesh', 'model', 'skin', 'texture'))
"""
The kinds of things in MJCF that keep their names.

They are assets and classes, which robots share, and shapes, whose names the Model has itself.
"""
_WITH_JOINTS = ('ros2_control', 'transmission')
_DELIMITER = '::'

PartKey = tuple[str, str]
"""The tag and the name of a part that has a frame."""


class EditWarning(UserWarning):
    """XML of other programs has a name that an edit changed or removed, and that it may mean."""


class Notes:
    """Collects the words that stay as they are, for one warning."""

    def __init__(self) -> None:
        self._words: dict[str, None] = {}

    def add(self, word: str, element: XmlElement) -> None:
        """Note a word in an element."""
        self._words[f'{word} in <{element.tag}>'] = None

    def warn(self, text: str) -> None:
        """Warn about the collected words, if there are any."""
        if self._words:
            warnings.warn(f'{text}: {listed(self._words)}', EditWarning, stacklevel=4)


class _Value(NamedTuple):
    """
    A value in a block, and the kinds of items that it names.

    The value is an attribute of the element, or the element's text if ``attribute`` is ''.
    """

    element: TypedElement
    attribute: str
    text: str
    kinds: tuple[str, ...]

    @property
    def offset(self) -> int:
        """The offset in bytes at which the value begins."""
        if self.attribute:
            return self.element.attribute_location(self.attribute, 0).offset()
        return self.element.text_location().offset()


def _replacement(value: _Value, new: str) -> tuple[int, int, str]:
    """Return the first byte of a value, the byte after its last, and the text that replaces it."""
    start = value.offset
    return start, start + len(escape(value.text).encode()), escape(new)


class Names(NamedTuple):
    """
    Names of removed items, and the new names of renamed ones, by the kind of item.

    Kinds are ``link``, ``joint``, ``coordinate``, ``frame``, and those of ``declared_names``.
    """

    removed: Mapping[str, set[str]] = MappingProxyType({})
    renamed: Mapping[str, Mapping[str, str]] = MappingProxyType({})

    def relative_to(self, *models: str) -> Names:
        """Return the names relative to the first of these models that they begin with."""
        starts = tuple(f'{model}{_DELIMITER}' for model in models if model)

        def relative(name: str) -> str:
            start = next((start for start in starts if name.startswith(start)), '')
            return name.removeprefix(start)

        return Names(
            {kind: set(map(relative, names)) for kind, names in self.removed.items()},
            {kind: {relative(old): relative(new) for old, new in names.items()}
             for kind, names in self.renamed.items()})

    def new_name(self, name: str, kinds: Sequence[str]) -> Optional[str]:
        """Return the new name of an item of one of these kinds, None if it keeps its name."""
        found = (self.renamed.get(kind, {}).get(name) for kind in kinds)
        return next((new for new in found if new is not None), None)


class RawNames:
    """
    Names of links, joints and frames that are removed or renamed, as blocks write them.

    ``names`` are those of the robot as a whole. ``scoped``, for a robot with nested models, are
    those of its description (``arm::wrist``), whose top model ``top`` is: a block of SDFormat
    writes them relative to the model that it is in. Blocks of formats without nested models have
    the names of the robot as a whole.
    """

    def __init__(self, top: str, names: Names, scoped: Optional[Names] = None) -> None:
        self._top = top
        self._names = names
        self._scoped = scoped

    def renamed(
        self, extensions: Sequence[RawElement], notes: Notes, *, owner: Optional[str] = None,
    ) -> tuple[RawElement, ...]:
        """Return blocks with the new names; ``owner`` is the model around blocks of an item."""
        if not any(self._names.renamed.values()):
            return tuple(extensions)
        return tuple(self._with_new_names(raw, owner, notes) for raw in extensions)

    def without(
        self, extensions: Sequence[RawElement], notes: Notes, *, owner: Optional[str] = None,
    ) -> tuple[RawElement, ...]:
        """Return the blocks, leaving out those and the parts of them that name a removed item."""
        kept = (_without_removed(raw, self._names_in(raw, owner), notes) for raw in extensions)
        return tuple(raw for raw in kept if raw is not None)

    def _is_scoped(self, raw: RawElement) -> bool:
        return self._scoped is not None and 'sdf' in raw.held_by

    def _names_in(self, raw: RawElement, owner: Optional[str]) -> Names:
        """Return the names as a block writes them."""
        if self._scoped is None or not self._is_scoped(raw):
            return self._names
        return self._scoped.relative_to(raw.owner if owner is None else owner, self._top)

    def _with_new_names(
        self, raw: RawElement, owner: Optional[str], notes: Notes,
    ) -> RawElement:
        root, names = _parsed(raw), self._names_in(raw, owner)
        edits = []
        for value in () if root is None else _values(root, raw):
            scope, own = self._split(value.text, raw)
            new = names.new_name(own, value.kinds)
            if new is not None:
                edits.append(_replacement(value, f'{scope}{new}'))
            elif any(own in known for known in names.renamed.values()):
                notes.add(own, value.element)
        return raw if not edits else raw._replace(text=_edited(raw.text, edits))

    def _split(self, name: str, raw: RawElement) -> tuple[str, str]:
        """Return the scopes before a name in a block, and the name itself."""
        if self._is_scoped(raw):
            return '', name
        scope, separator, own = name.rpartition(_DELIMITER)
        return scope + separator, own


def _without_removed(raw: RawElement, names: Names, notes: Notes) -> Optional[RawElement]:
    root = _parsed(raw)
    if root is None:
        return raw
    gone: list[XmlElement] = []
    for value in _values(root, raw):
        if any(value.text in names.removed.get(kind, ()) for kind in value.kinds):
            gone.append(_whole(root, value.element))
        elif any(value.text in removed for removed in names.removed.values()):
            notes.add(value.text, value.element)
    if root in gone:
        return None
    edits = {
        (element.start, element.start + len(element.raw().encode())): '' for element in gone}
    return raw if not edits else raw._replace(
        text=_edited(raw.text, [(start, end, text) for (start, end), text in edits.items()]))


# ---- parts with frames, such as sensors

def with_parts(
    extensions: Sequence[RawElement], names: Mapping[PartKey, str],
) -> tuple[RawElement, ...]:
    """Return blocks in which parts, by tag and name, have new names."""
    return tuple(_with_part(raw, names) for raw in extensions)


def _with_part(raw: RawElement, names: Mapping[PartKey, str]) -> RawElement:
    root = _parsed(raw) if any(tag == raw.tag for tag, _ in names) else None
    new = None if root is None else names.get((raw.tag, root.get('name') or ''))
    if root is None or new is None:
        return raw
    name = _Value(root, 'name', root.attributes['name'], ())
    return raw._replace(text=_edited(raw.text, [_replacement(name, new)]))


def without_part(extensions: Sequence[RawElement], part: PartKey) -> tuple[RawElement, ...]:
    """Return blocks without a part, which is given by tag and name."""
    return tuple(raw for raw in extensions if raw.tag != part[0] or not _has_name(raw, part[1]))


def _has_name(raw: RawElement, name: str) -> bool:
    root = _parsed(raw)
    return root is not None and root.get('name') == name


def declared_names(extensions: Iterable[RawElement]) -> Mapping[str, set[str]]:
    """
    Return the names that blocks give to things of their own, by kind.

    Such things are actuators, sensors and tendons of MJCF, ``ros2_control`` and ``transmission``.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for raw in extensions:
        root = _parsed(raw)
        for value in () if root is None else _values(root, raw):
            kind = _declared_kind(value.element, value.attribute, is_mjcf=_is_mjcf(raw))
            if kind and kind not in _KINDS_OF_MJCF:
                found[kind].add(value.text)
    return found


def _whole(root: XmlElement, element: XmlElement) -> XmlElement:
    """Return the part of a block that means nothing without an element that it contains."""
    if root.tag == 'transmission':
        return root
    return next(
        (child for child in root.children if any(one is element for one in child.walk())), root)


def _parsed(raw: RawElement) -> Optional[TypedElement]:
    """
    Return the element of a block.

    Elements of MJCF have the rules of its schema.
    """
    root = parsed_as(raw, TypedElement)
    if root is not None and _is_mjcf(raw):
        from hrdf_ros.readers.mjcf.schema import SCHEMA  # large; other robots do not need it
        if root.tag in SCHEMA.elements:
            SCHEMA.validate(root, Report(), entry=root.tag)
    return root


def _is_mjcf(raw: RawElement) -> bool:
    return 'mjcf' in raw.held_by


def _edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """Return a text with some of its bytes replaced; an edit inside another one is left out."""
    data, done, parts = text.encode('utf-8'), 0, []
    for start, end, new in sorted(edits):
        if start >= done:
            parts += [data[done:start], new.encode('utf-8')]
            done = end
    return b''.join([*parts, data[done:]]).decode('utf-8')


def _values(root: TypedElement, raw: RawElement) -> Iterator[_Value]:
    """Yield the values in a block that are one word, with the kinds of items that they name."""
    is_mjcf = _is_mjcf(raw)
    pending = [(root, '')]
    while pending:
        element, block = pending.pop()
        block = element.tag if element.tag in ('plugin', *_WITH_JOINTS) else block
        for name, text in element.attributes.items():
            kinds = _kinds_in_mjcf(element, name) if is_mjcf else _kinds_of(element, name, block)
            yield _Value(element, name, text, kinds)
        text = element.text.strip()
        if text and not element.children:
            yield _Value(element, '', text, _kinds_of_text(element, block))
        pending += [(child, block) for child in reversed(element.children)]


def _kinds_in_mjcf(element: TypedElement, attribute: str) -> tuple[str, ...]:
    """
    Return the kinds of items that an attribute of MJCF names, or gives a name to.

    An equality of joints is a <joint> that the schema does not describe; its attributes are
    recognized by their names.
    """
    rule = element.rule.attributes.get(attribute)
    named: Sequence[str] = [attribute.rstrip('12')] if rule is None else rule.attribute.refers
    if attribute in ('objname', 'refname'):
        named = [element.get(attribute.replace('name', 'type')) or '']
    declared = _declared_kind(element, attribute, is_mjcf=True)
    return tuple(kind for word in (*named, *([declared] if declared else ()))
                 for kind in _KINDS_OF_MJCF.get(word, (word,)))


def _declared_kind(element: TypedElement, attribute: str, *, is_mjcf: bool) -> str:
    """Return the kind of thing that an attribute gives its name, '' if it is not renamed."""
    if not is_mjcf:
        return element.tag if element.tag in _WITH_JOINTS and attribute == 'name' else ''
    rule = element.rule.attributes.get(attribute)
    return '' if rule is None or rule.attribute.names in _SHARED_IN_MJCF else rule.attribute.names


def _kinds_of(element: TypedElement, attribute: str, block: str) -> tuple[str, ...]:
    """Return the kinds of items that an attribute names."""
    declared = _declared_kind(element, attribute, is_mjcf=False)
    if declared:
        return (declared,)
    if element.tag == 'gazebo' and attribute == 'reference':
        return 'link', 'joint'
    if element.tag == 'joint' and attribute == 'name' and block in _WITH_JOINTS:
        return ('joint',)
    return KINDS.get(attribute, ()) if block == 'plugin' else ()


def _kinds_of_text(element: XmlElement, block: str) -> tuple[str, ...]:
    """Return the kinds of items that the text of an element names."""
    if block in _WITH_JOINTS and element.tag == 'param' and element.get('name') == 'mimic':
        return ('joint',)
    return KINDS.get(element.tag, ()) if block == 'plugin' else ()
