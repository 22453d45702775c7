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
from typing import NamedTuple, Optional
import warnings

from hrdf_ros.diagnostics import listed, Report
from hrdf_ros.document import escape, parse, SourceFile, XmlElement
from hrdf_ros.file_reader import TEXT
from hrdf_ros.model import RawElement
from hrdf_ros.parsing.gz_systems import KINDS
from hrdf_ros.readers.schema import TypedElement

_KINDS_OF_MJCF = {
    'body': ('link',), 'xbody': ('link',), 'joint': ('coordinate', 'joint'), 'site': ('frame',)}
"""
The kinds of items, by the words that MJCF and its schema have for what an attribute names.

A joint of MJCF is a coordinate of a Model, whose joint has all those of one body.
"""
_SHARED_IN_MJCF = frozenset((
    'default', 'geom', 'hfield', 'material', 'mesh', 'model', 'skin', 'texture'))
"""The kinds of things in MJCF that keep their names: assets, and shapes, which the Model names."""
_WITH_JOINTS = ('ros2_control', 'transmission')
_DELIMITER = '::'


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

    It is an attribute of the element, or its text if ``attribute`` is ''.
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


class RawNames:
    """
    Names of links, joints and frames that are removed or renamed.

    ``removed`` and ``renamed`` are by kind: ``link``, ``joint``, ``coordinate``, ``frame``, and
    the kinds of ``declared_names``. The names are those of the description (``arm::wrist``), whose
    top model is ``top``; in a block of a nested model, names are relative to that model.
    """

    def __init__(
        self, top: str, *, removed: Optional[Mapping[str, set[str]]] = None,
        renamed: Optional[Mapping[str, Mapping[str, str]]] = None, is_nested: bool = False,
    ) -> None:
        self._top = top
        self._is_nested = is_nested
        self._removed = removed or {}
        self._renamed = renamed or {}

    def renamed(
        self, extensions: Sequence[RawElement], notes: Notes, *, owner: Optional[str] = None,
    ) -> tuple[RawElement, ...]:
        """Return blocks with the new names; ``owner`` is the model around blocks of an item."""
        if not any(self._renamed.values()):
            return tuple(extensions)
        return tuple(
            self._relative_to(raw.owner if owner is None else owner)._with_new_names(raw, notes)
            for raw in extensions)

    def without(
        self, extensions: Sequence[RawElement], notes: Notes, *, owner: Optional[str] = None,
    ) -> tuple[RawElement, ...]:
        """Return blocks without those, and without the parts, that name what is removed."""
        kept = (
            self._relative_to(raw.owner if owner is None else owner)._without_removed(raw, notes)
            for raw in extensions)
        return tuple(raw for raw in kept if raw is not None)

    def _relative_to(self, owner: str) -> RawNames:
        """Return these names as a block of a model writes them."""
        if not self._is_nested:
            return self
        starts = tuple(f'{model}{_DELIMITER}' for model in (owner, self._top) if model)

        def relative(name: str) -> str:
            start = next((start for start in starts if name.startswith(start)), '')
            return name.removeprefix(start)

        return RawNames(
            self._top, is_nested=True,
            removed={kind: set(map(relative, names)) for kind, names in self._removed.items()},
            renamed={kind: {relative(old): relative(new) for old, new in names.items()}
                     for kind, names in self._renamed.items()})

    def _with_new_names(self, raw: RawElement, notes: Notes) -> RawElement:
        root = _parsed(raw)
        edits = []
        for value in () if root is None else _values(root, raw):
            scope, own = self._split(value.text)
            new = self._new_name(own, value.kinds)
            if new is not None:
                start = value.offset
                edits.append((
                    start, start + len(escape(value.text).encode()), escape(f'{scope}{new}')))
            elif any(own in known for known in self._renamed.values()):
                notes.add(own, value.element)
        return raw if not edits else raw._replace(text=_edited(raw.text, edits))

    def _split(self, name: str) -> tuple[str, str]:
        """Return the scopes before a name in a block, and the name itself."""
        if self._is_nested:
            return '', name
        scope, separator, own = name.rpartition(_DELIMITER)
        return scope + separator, own

    def _new_name(self, name: str, kinds: Sequence[str]) -> Optional[str]:
        for kind in kinds:
            new = self._renamed.get(kind, {}).get(name)
            if new is not None:
                return new
        return None

    def _without_removed(self, raw: RawElement, notes: Notes) -> Optional[RawElement]:
        root = _parsed(raw)
        if root is None:
            return raw
        gone: list[XmlElement] = []
        for value in _values(root, raw):
            if any(value.text in self._removed.get(kind, ()) for kind in value.kinds):
                gone.append(_whole(root, value.element))
            elif any(value.text in removed for removed in self._removed.values()):
                notes.add(value.text, value.element)
        if root in gone:
            return None
        edits = {
            (element.start, element.start + len(element.raw().encode())): ''
            for element in gone}
        return raw if not edits else raw._replace(
            text=_edited(raw.text, [(start, end, text) for (start, end), text in edits.items()]))


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
    """Return the child of the root around an element; without the element it means nothing."""
    if root.tag == 'transmission':
        return root
    return next(
        (child for child in root.children if any(one is element for one in child.walk())), root)


def _parsed(raw: RawElement) -> Optional[TypedElement]:
    """
    Return the element of a block.

    Elements of MJCF have the rules of its schema.
    """
    source = SourceFile(TEXT, raw.text.encode('utf-8'), encoding='utf-8')
    root = parse(source, Report(), TypedElement)
    if root is not None and _is_mjcf(raw):
        from hrdf_ros.readers.mjcf.schema import SCHEMA  # large; other robots do not need it
        if root.tag in SCHEMA.elements:
            SCHEMA.validate(root, Report(), entry=root.tag)
    return root


def _is_mjcf(raw: RawElement) -> bool:
    return 'mjcf' in raw.held_by


def _edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """Return a text with parts replaced, given in bytes; a part inside another is left out."""
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

    An equality of joints is a <joint> that the schema does not describe; such attributes are taken
    by their names.
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
