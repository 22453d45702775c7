# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Names in the XML of other programs, changed with the links, joints and frames that they name.

A scoped name (``arm::wrist``) is changed anywhere. The name of an item alone is changed in a
plugin of the same model, where it is the whole text of an element or attribute; where that may
mean something else it is reported and stays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
import re
from typing import NamedTuple, TypeVar, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics, Locatable
from hrdf_ros.document import escape
from hrdf_ros.model import Body, Frame, Joint, Model, RawElement

_DELIMITER = '::'
_TOKEN = r'[^\s<>"\'=,;()\[\]{}|]+'
_PLUGIN = re.compile(r'<plugin\b(?:[^>]*[^/>])?>.*?</plugin\s*>', re.DOTALL)
_TEXT = re.compile(r'(?P<start><(?P<tag>[^\s/<>!?]+)[^<>]*>)(?P<value>[^<>]*)(?=</)')
_START_TAG = re.compile(r'<[^\s/<>!?][^<>]*>')
_ATTRIBUTE = re.compile(
    r'(?P<start>\s(?P<tag>[^\s="\'<>]+)\s*=\s*(?P<quote>["\']))(?P<value>.*?)(?=(?P=quote))')
_NO_NAMES = re.compile('topic|service|namespace|uri|file|message', re.IGNORECASE)
"""In the tags of plugins: their text is a name of something else."""
_LITERAL = re.compile(r'[-+.\d][-+.\deE]*|true|false', re.IGNORECASE)


_Named = Union[Body, Joint, Frame]
_Item = TypeVar('_Item', Body, Joint)
_Key = tuple[str, Locatable]


class _NewName(NamedTuple):
    """The name of an item in the target: from anywhere, from the robot, and in its model."""

    whole: str
    local: str
    own: str


def rename_in_extensions(
    model: Model, lowered: Model, notes: GroupedDiagnostics,
) -> Model:
    """Return a lowered Model in whose kept XML the names are those of the target."""
    kept = [
        lowered.extensions, *(body.extensions for body in lowered.bodies),
        *(joint.extensions for joint in lowered.joints)]
    if not any(kept):
        return lowered
    renaming = _Renaming(model, lowered, notes)
    return lowered._replace(
        bodies=tuple([renaming.of('link', body) for body in lowered.bodies]),
        joints=tuple([renaming.of('joint', joint) for joint in lowered.joints]),
        extensions=tuple(
            renaming.text(raw, renaming.scopes(raw.owner)) for raw in lowered.extensions))


def _keyed(model: Model) -> Iterator[tuple[_Key, _Named]]:
    """Yield named items with their kind and place, which are the same in both Models."""
    kinds: tuple[tuple[str, Sequence[_Named]], ...] = (
        ('link', model.bodies), ('joint', model.joints))
    for kind, items in kinds:
        for item in items:
            if item.location is not None:
                yield (kind, item.location), item
    for frame in model.frames:
        if frame.location is not None and frame.kind not in ('link', 'joint'):
            yield (frame.kind, frame.location), frame


class _Renaming:
    """The new names of items, by their scoped names in the file."""

    def __init__(self, model: Model, lowered: Model, notes: GroupedDiagnostics) -> None:
        self._notes = notes
        self._is_sdf = lowered.format == 'sdf'
        self._robot = '' if model.is_world else f'{lowered.name}{_DELIMITER}'
        self._old_names: dict[_Key, str] = {}
        self._new_names: defaultdict[str, list[_NewName]] = defaultdict(list)
        self._old_tops: dict[str, str] = {}
        items = dict(_keyed(model))
        for key, item in _keyed(lowered):
            old = items.get(key)
            if old is not None and old.source_name:
                self._add(key, old, self._new_name(item), item.name == old.name)
        self._most_parts = 1 + max(
            (name.count(_DELIMITER) for name in self._new_names), default=0)
        self._changed = {
            name for name, found in self._new_names.items()
            if found[0].own != name.rpartition(_DELIMITER)[2]}

    def _add(self, key: _Key, old: _Named, new: _NewName, is_main: bool) -> None:
        """Add a new name; of several items that one becomes, one with its name comes first."""
        self._old_names.setdefault(key, old.source_name)
        names = self._new_names[old.source_name]
        if new not in names:
            names.insert(0 if is_main else len(names), new)
        self._old_tops.setdefault(
            new.whole.partition(_DELIMITER)[0], old.source_name.partition(_DELIMITER)[0])

    def _new_name(self, item: _Named) -> _NewName:
        if self._is_sdf:
            name = item.source_name
            return _NewName(
                name, name.partition(_DELIMITER)[2], name.rpartition(_DELIMITER)[2])
        return _NewName(self._robot + item.name, item.name, item.name)

    def scopes(self, owner: str) -> list[str]:
        """Return the models, the outermost first, that names in the XML of one may begin in."""
        parts = self._old_tops.get(owner, owner).split(_DELIMITER) if owner else []
        return [_DELIMITER.join(parts[:count]) for count in range(1, len(parts) + 1)]

    def of(self, kind: str, item: _Item) -> _Item:
        """Return a body or joint with new names in its XML."""
        if not item.extensions or item.location is None:
            return item
        owner = self._old_names.get((kind, item.location), '').rpartition(_DELIMITER)[0]
        scopes = self.scopes(owner)
        return item._replace(extensions=tuple(self.text(raw, scopes) for raw in item.extensions))

    def text(self, raw: RawElement, scopes: Sequence[str]) -> RawElement:
        """Return an element with new names in its text."""
        text, changes = raw.text, dict[str, str]()
        if self._changed and scopes:
            text = _PLUGIN.sub(
                lambda found: self._plugin(found.group(), scopes[-1], changes, raw), text)
        if _DELIMITER in text:
            text = re.sub(_TOKEN, lambda found: self._scoped(found[0], scopes, changes), text)
        for name, new in changes.items():
            self._notes.add(
                codes.NAME_CHANGED, 'names in the XML of other programs are changed likewise',
                f'{name} -> {new}', raw.location, severity='info')
        return raw._replace(text=text)

    # ---- names of items in plugins

    def _plugin(self, text: str, scope: str, changes: dict[str, str], raw: RawElement) -> str:
        """Return the text of a plugin with new names of items of its model."""
        def renamed(found: re.Match[str]) -> str:
            value = found['value']
            new = self._changed_value(value, found['tag'], scope, raw)
            if new != value:
                changes[value.strip()] = new.strip()
            return found['start'] + new

        start = text.index('>') + 1
        content = _TEXT.sub(renamed, text[start:])
        return text[:start] + _START_TAG.sub(
            lambda tag: _ATTRIBUTE.sub(renamed, tag.group()), content)

    def _changed_value(self, value: str, tag: str, scope: str, raw: RawElement) -> str:
        """Return the text of an element or attribute with the new name of the item it names."""
        name = value.strip()
        key = f'{scope}{_DELIMITER}{name}'
        if key in self._changed:
            new = self._new_names[key]
            if len(new) == 1 and not _NO_NAMES.search(tag) and not _LITERAL.fullmatch(name):
                return value.replace(name, escape(new[0].own))
            self._note_undecided(name, tag, raw)
        elif len(words := re.findall(_TOKEN, value)) > 1:
            for word in words:
                if f'{scope}{_DELIMITER}{word}' in self._changed:
                    self._note_undecided(word, tag, raw)
        return value

    def _note_undecided(self, name: str, tag: str, raw: RawElement) -> None:
        self._notes.add(
            codes.NAME_CHANGED,
            'the XML of other programs contains words that equal renamed items; they are not '
            'changed', f'{name} in <{tag}>', raw.location, severity='warning',
            hint='compare them with the names in the output')

    # ---- scoped names

    def _scoped(self, name: str, scopes: Sequence[str], changes: dict[str, str]) -> str:
        """Return a name of which the beginning names something that has a new name."""
        parts = name.split(_DELIMITER)
        for count in range(min(len(parts), self._most_parts), 1, -1):
            head = _DELIMITER.join(parts[:count])
            new = next(self._candidates(head, scopes), None)
            if new is not None:
                new = _DELIMITER.join([new, *parts[count:]])
                if new != name:
                    changes[name] = new
                return new
        return name

    def _candidates(self, name: str, scopes: Sequence[str]) -> Iterator[str]:
        for scope in scopes:
            new = self._new_names.get(f'{scope}{_DELIMITER}{name}')
            if new is not None:
                yield new[0].local
        whole = self._new_names.get(name)
        if whole is not None:
            yield whole[0].whole
