# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Rename links, joints and frames in the raw XML of other programs.

A scoped name (``arm::wrist``) is changed wherever it stands. The unscoped name of an item is
changed in a plugin of the same model, where it is the whole text of an element or attribute.
Where such a text may mean something else, it stays and is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
import re
from typing import Optional, TypeVar, Union

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable
from hrdf_ros.document import escape
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.target import Target
from hrdf_ros.model import Body, Frame, Joint, Model, RawElement
from hrdf_ros.parsing.gz_systems import IN_ANOTHER_MODEL, KINDS

_DELIMITER = '::'
_TOKEN = r'[^\s<>"\'=,;()\[\]{}|]+'
_PLUGIN = re.compile(r'<plugin\b(?:[^>]*[^/>])?>.*?</plugin\s*>', re.DOTALL)
_TEXT = re.compile(r'(?P<start><(?P<tag>[^\s/<>!?]+)[^<>]*>)(?P<value>[^<>]*)(?=</)')
_START_TAG = re.compile(r'<[^\s/<>!?][^<>]*>')
_ATTRIBUTE = re.compile(
    r'(?P<start>\s(?P<tag>[^\s="\'<>]+)\s*=\s*(?P<quote>["\']))(?P<value>.*?)(?=(?P=quote))')
_NO_NAMES = re.compile('topic|service|namespace|uri|file|message', re.IGNORECASE)
"""Tags of plugin elements whose text names something other than a link, joint or frame."""
_LITERAL = re.compile(r'[-+.\d][-+.\deE]*|true|false', re.IGNORECASE)

_Item = TypeVar('_Item', Body, Joint)
_Key = tuple[str, Locatable]


def rename_in_extensions(
    model: Model, lowered: Model, target: Target, notes: GroupedDiagnostics,
) -> Model:
    """Return a lowered Model whose raw XML uses the names of the target."""
    kept = [
        lowered.extensions, *(body.extensions for body in lowered.bodies),
        *(joint.extensions for joint in lowered.joints)]
    if not any(map(target.holds, chain.from_iterable(kept))):
        return lowered
    renaming = _Renaming(model, lowered, target, notes)
    return lowered._replace(
        bodies=tuple([renaming.of('link', body) for body in lowered.bodies]),
        joints=tuple([renaming.of('joint', joint) for joint in lowered.joints]),
        extensions=tuple(renaming.text(raw, raw.owner) for raw in lowered.extensions))


def _keyed(model: Model) -> Iterator[tuple[_Key, Union[Body, Joint, Frame]]]:
    """Yield the named items with a kind and an index that are the same in both Models."""
    frames = [frame for frame in model.frames if frame.kind not in ('link', 'joint')]
    items: tuple[Union[Body, Joint, Frame], ...] = (*model.bodies, *model.joints, *frames)
    for item in items:
        if item.location is not None:
            kind = item.kind if isinstance(item, Frame) else (
                'link' if isinstance(item, Body) else 'joint')
            yield (kind, item.location), item


def _own(name: str) -> str:
    """Return the last part of a scoped name."""
    return name.rpartition(_DELIMITER)[2]


class _Renaming:
    """The new names of items in the target, by their scoped names in the file."""

    def __init__(
        self, model: Model, lowered: Model, target: Target, notes: GroupedDiagnostics,
    ) -> None:
        self._notes = notes
        self._target = target
        self._is_nested = model.conventions.nested_names
        self._old_names: dict[_Key, str] = {}
        self._new_names: dict[str, list[str]] = {}
        self._of_kind: dict[tuple[str, str], list[str]] = {}
        self._same: set[tuple[str, str]] = set()
        """The kinds and scoped names of items whose names did not change in the target."""
        self._old_tops: dict[str, str] = {}
        robot = '' if model.is_world else f'{lowered.name}{_DELIMITER}'
        items = dict(_keyed(model))
        for key, item in _keyed(lowered):
            old = items.get(key)
            if old is None or not old.source_name:
                continue
            new = item.source_name if target.has_scopes else robot + item.name
            self._old_names.setdefault(key, old.source_name)
            names = self._new_names.setdefault(old.source_name, [])
            if new not in names:  # the item that keeps its name comes first
                names.insert(0 if item.name == old.name else len(names), new)
            of_kind = key[0], old.source_name
            self._of_kind.setdefault(of_kind, []).insert(
                0 if item.name == old.name else len(names), new)
            if item.name == old.name:
                self._same.add(of_kind)
            self._old_tops.setdefault(
                new.partition(_DELIMITER)[0], old.source_name.partition(_DELIMITER)[0])
        self._most_parts = 1 + max(
            (name.count(_DELIMITER) for name in self._new_names), default=0)
        self._changed = {
            name for name, found in self._new_names.items() if _own(found[0]) != _own(name)}

        self._changed_anywhere = {_own(name) for name in self._changed}
        self._has_changes = bool(self._changed) or any(
            _own(names[0]) != _own(old) for (_, old), names in self._of_kind.items())

    def of(self, kind: str, item: _Item) -> _Item:
        """Return a body or joint with new names in its raw XML."""
        if not item.extensions or item.location is None:
            return item
        owner = self._old_names.get((kind, item.location), '').rpartition(_DELIMITER)[0]
        return item._replace(extensions=tuple(self.text(raw, owner) for raw in item.extensions))

    def text(self, raw: RawElement, owner: str) -> RawElement:
        """
        Return an element of a model with new names, which may begin with the names of its scopes.

        An element that the target does not hold stays as it is, because it is not written.
        """
        if not self._target.holds(raw):
            return raw
        parts = self._old_tops.get(owner, owner).split(_DELIMITER) if owner else []
        scopes = [_DELIMITER.join(parts[:count]) for count in range(1, len(parts) + 1)]
        text, changes = raw.text, dict[str, str]()
        if self._has_changes and (scopes or not self._is_nested):
            prefix = f'{scopes[-1]}{_DELIMITER}' if self._is_nested else ''
            text = _PLUGIN.sub(
                lambda found: self._plugin(found.group(), prefix, changes, raw), text)
        if _DELIMITER in text:
            text = re.sub(_TOKEN, lambda found: self._scoped(found[0], scopes, changes), text)
        for name, new in changes.items():
            self._notes.add(
                codes.NAME_CHANGED, 'names in the XML of other programs are changed likewise',
                f'{name} -> {new}', raw.location, severity='info')
        return raw._replace(text=text)

    def _plugin(self, text: str, prefix: str, changes: dict[str, str], raw: RawElement) -> str:
        """Return the text of a plugin with the new names of items in its model."""
        def renamed(found: re.Match[str]) -> str:
            value, tag = found['value'], found['tag']
            word = value.strip()
            new = self._new_name(prefix, word, tag)
            if new is not None:
                if new == word:
                    return found[0]
                changes[word] = new
                return found['start'] + value.replace(word, escape(new))
            is_elsewhere = tag in IN_ANOTHER_MODEL and word in self._changed_anywhere
            is_item = is_elsewhere or prefix + word in self._changed
            for each in [word] if is_item else re.findall(_TOKEN, value):
                if is_elsewhere or prefix + each in self._changed:
                    self._notes.add(
                        codes.NAME_CHANGED,
                        'the XML of other programs contains words that equal renamed items; they '
                        'are not changed', f'{each} in <{tag}>', raw.location,
                        severity='warning', hint='compare them with the names in the output')
            return found[0]

        start = text.index('>') + 1
        content = _TEXT.sub(renamed, text[start:])
        return text[:start] + _START_TAG.sub(
            lambda tag: _ATTRIBUTE.sub(renamed, tag.group()), content)

    def _new_name(self, prefix: str, word: str, tag: str) -> Optional[str]:
        """
        Return the new name of an item that the value with a tag in a plugin names.

        A tag that gz's systems read as the name of a joint, link or frame names one of that kind.
        The value of any other tag names an item if the value can mean nothing else.
        """
        for kind in KINDS.get(tag, ()):
            names = self._of_kind.get((kind, prefix + word))
            if names is not None and (len(names) == 1 or (kind, prefix + word) in self._same):
                return _own(names[0])
        if tag not in KINDS and prefix + word in self._changed and not (
                _NO_NAMES.search(tag) or _LITERAL.fullmatch(word)):
            found = self._new_names[prefix + word]
            return _own(found[0]) if len(found) == 1 else None
        return None

    def _scoped(self, name: str, scopes: Sequence[str], changes: dict[str, str]) -> str:
        """Return a name; the longest beginning that names an item is replaced by its new name."""
        parts = name.split(_DELIMITER)
        for count in range(min(len(parts), self._most_parts), 1, -1):
            head = _DELIMITER.join(parts[:count])
            keys = [*(f'{scope}{_DELIMITER}{head}' for scope in scopes), head]
            key = next((key for key in keys if key in self._new_names), None)
            if key is not None:
                new = self._new_names[key][0]
                local = new if key == head else new.partition(_DELIMITER)[2] or new
                new = _DELIMITER.join([local, *parts[count:]])
                if new != name:
                    changes[name] = new
                return new
        return name
