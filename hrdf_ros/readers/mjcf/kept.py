# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Elements that a Model has no place for, kept as text for a writer that can put them back.

Their default classes are resolved, so that the text means the same without the classes. Their
names and references are those of the whole model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
import os
from types import MappingProxyType
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.document import escape, start_tag
from hrdf_ros.limits import REPLICATED_ELEMENTS
from hrdf_ros.model import RawElement
from hrdf_ros.readers.mjcf.actuators import ActuatorClasses, check_actuator, Records
from hrdf_ros.readers.mjcf.bodies import Draft
from hrdf_ros.readers.mjcf.efforts import Efforts
from hrdf_ros.readers.mjcf.elements import asset_name, Bound, Item, Scope, WORLD
from hrdf_ros.readers.mjcf.refusals import check, DRIVEN, driven, is_limited
from hrdf_ros.readers.schema import TypedElement

Names = Mapping[str, set[str]]
"""The names of the whole model by kind."""
NO_NAMES: Names = MappingProxyType({})
_KIND_ATTRIBUTES = {'objname': 'objtype', 'refname': 'reftype'}
"""Attributes that hold a name, each with the attribute that gives the kind of thing named."""
_NAMED_TOGETHER = ('tendon', 'actuator', 'sensor')
"""Sections in which names are unique among elements of all tags."""
_SETTINGS = ('size', 'option', 'statistic')
"""Sections whose own attributes MuJoCo checks."""
_ATTACHED = ('contact', 'tendon', 'actuator', 'sensor', 'custom')
"""
The sections of an attached model that are kept; each comes after those that it refers to.

The other sections are settings of the attached file alone.
"""
_PARTS = frozenset((
    'body', 'joint', 'site', 'geom', 'camera', 'tendon', 'actuator', 'flex'))
"""The kinds of things that ``<replicate>`` copies, and the elements that refer to them."""
_ASSETS = frozenset(('mesh', 'hfield', 'texture', 'material', 'skin'))
_Reference = tuple[TypedElement, str, str, str]
"""An element, an attribute that names another element, the kind of the latter, and its name."""


class Sections:
    """
    The sections that are kept, as text.

    An element that refers to replicated parts is written once for each copy of them.
    """

    def __init__(self, main: Scope, draft: Draft) -> None:
        self._main, self._draft = main, draft
        self._records, self._classes, self._efforts = Records(), ActuatorClasses(), Efforts()
        self._tendons: dict[str, Item] = {}
        self._bound = Bound(
            REPLICATED_ELEMENTS, f'<replicate> makes more than {REPLICATED_ELEMENTS} elements')

    def all(self, attached: Collection[Scope]) -> Iterator[RawElement]:  # noqa: A003
        """Yield the sections of a file, then those of the models that it attaches."""
        main = self._main
        found = [
            (section, main) for section in main.root.children
            if section.rule.element.handling == 'preserved']
        found += [
            (section, scope) for scope in attached if scope.root is not main.root
            for section in scope.root.children if section.tag in _ATTACHED]
        for section, scope in sorted(found, key=lambda each: (
                _ATTACHED.index(each[0].tag) if each[0].tag in _ATTACHED else -1)):
            if section.tag in _SETTINGS:
                check(scope.item(section), section.tag)
            text = ''.join(
                self._copy(child, copy, section.tag)
                for child in section.children for copy in self.places(child, scope)
                if not scope.characters.is_exceeded)
            yield _raw(section, section.tag, xml(section.tag, section.attributes.items(), text))
        draft = self._draft
        draft.coordinates[:] = self._efforts.applied(draft.coordinates)
        draft.joints[:] = [self._efforts.noted(joint, draft.coordinates) for joint in draft.joints]
        if any(self._classes):
            yield _raw(main.root, 'default', xml('default', (), ''.join(
                _class_text(*each) for each in self._classes)))
        for path in dict.fromkeys(path for path, _ in main.adopted):
            tag, _, inner = path.partition('/')
            text = xml(inner or tag, [
                (name, text_of(value)) for (where, name), value in main.adopted.items()
                if where == path])
            yield _raw(main.root, tag, xml(tag, (), text) if inner else text)

    def looks(self, scopes: Collection[Scope]) -> Iterator[RawElement]:
        """Yield the textures and materials of files, each with a name; check all assets."""
        assets = [
            scope.of_assets.item(element) for scope in scopes
            for section in scope.root.all('asset') for element in section.children]
        for item in assets:
            name = asset_name(item.element)
            self._draft.claim(item.tag, item.scope.rename(name), item)
            check(item, item.tag)
            for plugin in item.element.all('plugin'):
                check(item.scope.item(plugin), 'plugin')
        for item in assets:
            for attribute, name in item.items():
                for kind in _ASSETS.intersection(_kinds(item.element, attribute)):
                    if name and item.scope.rename(name) not in self._draft.names[kind]:
                        item.unknown(  # the geoms of a mesh report its material
                            kind, name, self._draft.names[kind], attribute,
                            'warning' if item.tag == 'mesh' else None)
            if item.tag in ('texture', 'material'):
                yield raw_element(item, 'asset', asset_name(item.element))
        self._check_files(assets)

    def _check_files(self, assets: Iterable[Item]) -> None:
        """Report the missing files of assets that no geom uses; geoms report their own."""
        shapes = [
            shape for body in self._draft.bodies for shape in (*body.visuals, *body.collisions)]
        used = {getattr(shape.geometry, 'uri', '') for shape in shapes}
        used |= {shape.material.texture for shape in shapes if shape.material is not None}
        for item in assets:
            for attribute, name in item.element.attributes.items():
                if item.tag != 'model' and 'file' in _kinds(item.element, attribute) and (
                        name and name not in used
                        and item.scope.file_of(item.element, attribute) is None):
                    item.add(
                        codes.MESH_NOT_FOUND if item.tag == 'mesh' else codes.TEXTURE_NOT_FOUND,
                        f"the file '{name}' is not found; MuJoCo refuses it, though no geom uses "
                        'it', attribute)

    def _copy(self, element: TypedElement, scope: Scope, section: str) -> str:
        """Yield the text of an element with the defaults of its classes."""
        is_actuator = section == 'actuator'
        item = scope.item(element, kind='actuator' if is_actuator else '')
        kind = section if section in _NAMED_TOGETHER else item.tag
        self._draft.claim(kind, item.name, item)
        check(item, item.tag)
        if section in ('actuator', 'sensor'):
            check(item, section)
        if section == 'tendon':
            self._tendons[item.name] = item
        if item.tag.startswith(('jointlimit', 'tendonlimit')):
            self._check_limited(item)
        keep_assets(item, self._draft)
        for child in element.children if item.tag == 'fixed' else ():
            joint = self._draft.parts.get(scope.rename(child.get('joint') or ''))
            if joint is not None and joint.kind in ('ball', 'free'):
                Item(child, scope).add(
                    codes.BAD_VALUE, f"'{joint.name}' is not a hinge or slide", 'joint')
        for child in element.all('geom') if item.tag == 'spatial' else ():
            name = scope.rename(child.get('geom') or '')
            if self._draft.shapes.get(name, 'sphere') not in ('sphere', 'cylinder'):
                Item(child, scope).add(
                    codes.BAD_VALUE, f"'{name}' is not a sphere or cylinder", 'geom')
        class_name = None
        if is_actuator:
            record = self._records.of(item)
            check_actuator(item, record, self._draft.parts, self._tendons)
            self._efforts.add(item, record)
            class_name = self._classes.name_for(item)
        text = _text(item, self._draft.names) if class_name is None else _text(
            item._replace(defaults=()), self._draft.names, class_name=class_name)
        scope.characters.exceeds(len(text), item)
        return text

    def _check_limited(self, item: Item) -> None:
        """Report a sensor of a limit of a joint or tendon that has none."""
        kind = 'tendon' if item.tag.startswith('tendon') else 'joint'
        name = item.scope.rename(item.value(kind) or '')
        joint = self._draft.parts.get(name) if kind == 'joint' else None
        sensed = self._tendons.get(name) if joint is None else joint.item
        if sensed is not None and not is_limited(sensed):
            item.add(codes.MJCF_NOT_ALLOWED, f"<{item.tag}>: {kind} '{name}' has no limits", kind)

    def places(
        self, element: TypedElement, scope: Scope, *, is_whole: bool = False,
    ) -> Sequence[Scope]:
        """
        Return the scopes of an element: one, or one for each copy of the parts that it refers to.

        With ``is_whole`` only copies that have all of the parts count, because MuJoCo drops
        equality constraints between copies and other parts. An element of an attached model that
        refers to something that is not attached has no scope.
        """
        references = list(_references(element, scope))
        missing = [one for one in references if not self._is_known(one, [scope])]
        candidates = [scope] if not missing else self._candidates(missing, scope)
        is_main = scope.root is self._main.root
        count = len(candidates) if missing else int(not is_main)
        item = scope.item(element)
        characters = sum(one.name_length for one in candidates) * len(references)
        if self._bound.exceeds(count, item) or scope.characters.exceeds(characters, item):
            return ()
        copies = [
            candidate for candidate in candidates
            if all(self._is_known(one, candidate.around()) for one in references)]
        if missing and not copies and is_main:
            at, attribute, kind, name = missing[0]
            self._draft.unknown(kind, name, Item(at, scope), attribute)
        if not (missing and copies and is_whole):
            return copies
        whole = [
            copy for copy in copies if all(self._is_known(one, [copy]) for one in references)]
        if not whole:
            scope.item(element).add(
                codes.MJCF_PART_IGNORED,
                f'MuJoCo drops <{element.tag}>: it refers to a part in <replicate> and to another '
                'outside')
        return whole

    def _candidates(self, missing: Sequence[_Reference], scope: Scope) -> Sequence[Scope]:
        """Return the copies of the innermost of several parts, or nothing if one has no copy."""
        copies = [
            self._draft.copies.get((id(scope.root), kind, name), ())
            for _, _, kind, name in missing]
        return max(copies, key=len) if all(copies) else ()

    def _is_known(self, reference: _Reference, scopes: Iterable[Scope]) -> bool:
        *_, kind, name = reference
        return any(scope.rename(name) in self._draft.names[kind] for scope in scopes)


def keep_assets(item: Item, draft: Draft) -> None:
    """Report the missing assets that an element and those in it name; keep the meshes."""
    for inner in item.element.walk():
        for attribute, name in (item if inner is item.element else item.scope.item(inner)).items():
            for kind in _ASSETS.intersection(_kinds(inner, attribute)):
                asset = item.scope.asset(kind, name)
                if name and asset is None:
                    item.unknown(kind, name, (other for of, other in item.scope.assets
                                              if of == kind), attribute)
                elif asset is not None and kind == 'mesh':
                    keep_asset(asset, draft)


def keep_asset(asset: Item, draft: Draft) -> None:
    """Keep an asset as text, once."""
    asset = asset._replace(scope=asset.scope.of_assets)
    key = asset.tag, asset.scope.rename(asset_name(asset.element))
    if key not in draft.kept_assets:
        draft.kept_assets.add(key)
        draft.kept.append(raw_element(asset, 'asset', asset_name(asset.element)))


def _references(element: TypedElement, scope: Scope) -> Iterator[_Reference]:
    """Yield the references in an element and its descendants, except those to the world."""
    for inner in element.walk():
        item = scope.item(inner)
        target = driven(item) if inner is element else ''
        for attribute, text in item.items():
            if target and attribute in DRIVEN and attribute != target:
                continue  # an actuator has one target, though several may be given
            for kind in _PARTS.intersection(_kinds(inner, attribute)):
                if text and not _is_world(inner, attribute, text):
                    yield inner, attribute, kind, text


def _kinds(element: TypedElement, name: str) -> Sequence[str]:
    """Return the kinds of parts that an attribute may name."""
    if name in _KIND_ATTRIBUTES:
        kind = element.get(_KIND_ATTRIBUTES[name]) or ''
        return ('body' if kind == 'xbody' else kind,)
    rule = element.rule.attributes.get(name)
    return () if rule is None else rule.attribute.refers


def _is_world(element: TypedElement, name: str, text: str) -> bool:
    """Return whether an attribute names the world, which no file renames."""
    return text == WORLD and 'body' in _kinds(element, name)


def xml(tag: str, attributes: Iterable[tuple[str, str]], inner: str = '') -> str:
    """Return an element as text; ``inner`` is XML."""
    head = start_tag(tag, attributes)
    return f'{head}>{inner}</{tag}>' if inner else f'{head}/>'


def _class_text(scope: Scope, levels: Sequence[tuple[str, Sequence[TypedElement]]]) -> str:
    """Return a default class of actuators and the classes around it as text."""
    text = ''
    for name, elements in reversed(levels):
        own = ''.join(_text(Item(element, scope)) for element in elements)
        text = xml('default', [('class', name)], own + text)
    return text


def _text(
    item: Item, known: Names = NO_NAMES, name: str = '', *, class_name: Optional[str] = None,
) -> str:
    """Return an element with the defaults of its class as text; it gets a name if it has none."""
    attributes = [('name', item.scope.rename(name))] if name and not item.has('name') else []
    attributes += [('class', class_name)] if class_name else []
    attributes += [
        (name, _renamed(item, name, text, known)) for name, text in item.items()
        if name in item.element.rule.attributes]
    return xml(item.tag, attributes, escape(item.element.text.strip()) + ''.join(
        _text(item.scope.item(child), known) for child in item.element.children))


def _renamed(item: Item, name: str, text: str, known: Names = NO_NAMES) -> str:
    """Return the value of an attribute, with names as in the whole model."""
    element, scope = item.element, item.scope
    kinds = _kinds(element, name)
    if 'file' in kinds:
        file = scope.file_of(element, name)
        return text if file is None else os.path.abspath(file)
    if name not in element.rule.attributes or name != 'name' and not any(kinds) or (
            _is_world(element, name, text)):
        return text
    is_asset = not _ASSETS.isdisjoint((*kinds, element.tag if name == 'name' else ''))
    changed = (scope.of_assets if is_asset else scope).rename(text)
    if name == 'name':
        return changed
    for found in (changed, *(outer.rename(text) for outer in scope.around()), text):
        if any(found in known.get(kind, ()) for kind in kinds):
            return found
    return changed


def raw_element(item: Item, section: str = '', name: str = '') -> RawElement:
    """Return an element with the defaults of its class, in ``section`` if that is given."""
    text = _text(item, NO_NAMES, name)
    return _raw(item.element, section or item.tag, xml(section, (), text) if section else text)


def plugins_of(item: Item) -> str:
    """Return the ``<plugin>``s in an element as text."""
    plugins = [item.scope.item(child) for child in item.element.all('plugin')]
    for plugin in plugins:
        check(plugin, 'plugin')
    return ''.join(map(_text, plugins))


def left_over(
    item: Item, name: str, read: Collection[str], more: Sequence[tuple[str, str]] = (),
) -> tuple[RawElement, ...]:
    """Return an element with attributes that were not read and ``more``, if there are any."""
    attributes = [*(
        (key, _renamed(item, key, text)) for key, text in item.items() if key not in read), *more]
    inner = plugins_of(item)
    if not attributes and not inner:
        return ()
    named = [('name', name)] if name else []
    text = xml(item.tag, [*named, *attributes], inner)
    if item.scope.characters.exceeds(len(text), item):
        return ()
    return (_raw(item.element, item.tag, text),)


def text_of(value: Any) -> str:
    """Return a value as text of a file."""
    return ' '.join(map(str, value)) if isinstance(value, tuple) else str(value)


def _raw(element: TypedElement, tag: str, text: str) -> RawElement:
    return RawElement(tag, text, element.location, '', ('mjcf',))
