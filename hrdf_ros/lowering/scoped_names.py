# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Scoped names (``arm::wrist``) in kept XML, changed as what they name is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import re
from typing import NamedTuple, Protocol, TypeVar

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics, Locatable
from hrdf_ros.model import Model, RawElement

_DELIMITER = '::'
_TOKEN = r'[^\s<>"\'=,;()\[\]{}|]+'


class _Named(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def source_name(self) -> str: ...

    @property
    def location(self) -> Locatable | None: ...


class _Owner(_Named, Protocol):
    @property
    def extensions(self) -> tuple[RawElement, ...]: ...

    def _replace(self: _Item, *, extensions: tuple[RawElement, ...]) -> _Item: ...


_Item = TypeVar('_Item', bound=_Owner)
_Key = tuple[str, Locatable]


class _NewName(NamedTuple):
    """What something is called in the target: from anywhere, and in its model."""

    whole: str
    local: str


def rename_in_extensions(
    model: Model, lowered: Model, notes: GroupedDiagnostics,
) -> Model:
    """Return a lowered Model in whose kept XML scoped names are those of the target."""
    kept = [
        lowered.extensions, *(body.extensions for body in lowered.bodies),
        *(joint.extensions for joint in lowered.joints)]
    if not any(_DELIMITER in raw.text for raws in kept for raw in raws):
        return lowered
    renaming = _Renaming(model, lowered, notes)
    return lowered._replace(
        bodies=tuple([renaming.of('link', body) for body in lowered.bodies]),
        joints=tuple([renaming.of('joint', joint) for joint in lowered.joints]),
        extensions=tuple(
            renaming.text(raw, renaming.scopes(raw.owner)) for raw in lowered.extensions))


def _keyed(model: Model) -> Iterator[tuple[_Key, _Named]]:
    """Yield what has a name, with what it is and where it was read, in whatever model it is."""
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
    """The new names of what has a scoped name, by its name in the file."""

    def __init__(self, model: Model, lowered: Model, notes: GroupedDiagnostics) -> None:
        self._notes = notes
        self._is_sdf = lowered.format == 'sdf'
        self._robot = '' if model.is_world else f'{lowered.name}{_DELIMITER}'
        self._old_names: dict[_Key, str] = {}
        self._new_names: dict[str, _NewName] = {}
        self._old_tops: dict[str, str] = {}
        old_names = {key: item.source_name for key, item in _keyed(model)}
        for key, item in _keyed(lowered):
            old = old_names.get(key)
            if old is not None:
                self._old_names.setdefault(key, old)
                new = self._new_name(item)
                self._new_names.setdefault(old, new)
                self._old_tops.setdefault(
                    new.whole.partition(_DELIMITER)[0], old.partition(_DELIMITER)[0])
        self._most_parts = 1 + max(
            (name.count(_DELIMITER) for name in self._new_names), default=0)

    def _new_name(self, item: _Named) -> _NewName:
        if self._is_sdf:
            return _NewName(item.source_name, item.source_name.partition(_DELIMITER)[2])
        return _NewName(self._robot + item.name, item.name)

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
        if _DELIMITER not in raw.text:
            return raw
        changes: dict[str, str] = {}

        def replace(found: re.Match[str]) -> str:
            name = found.group()
            if _DELIMITER not in name:
                return name
            new = self._renamed(name, scopes)
            if new != name:
                changes[name] = new
            return new

        text = re.sub(_TOKEN, replace, raw.text)
        for name, new in changes.items():
            self._notes.add(
                codes.NAME_CHANGED, 'names in the XML of other programs are changed likewise',
                f'{name} -> {new}', raw.location, severity='info')
        return raw._replace(text=text)

    def _renamed(self, name: str, scopes: Sequence[str]) -> str:
        """Return a name of which the beginning names something that has a new name."""
        parts = name.split(_DELIMITER)
        for count in range(min(len(parts), self._most_parts), 1, -1):
            head = _DELIMITER.join(parts[:count])
            new = next(self._candidates(head, scopes), None)
            if new is not None:
                return _DELIMITER.join([new, *parts[count:]])
        return name

    def _candidates(self, name: str, scopes: Sequence[str]) -> Iterator[str]:
        for scope in scopes:
            new = self._new_names.get(f'{scope}{_DELIMITER}{name}')
            if new is not None:
                yield new.local
        whole = self._new_names.get(name)
        if whole is not None:
            yield whole.whole
