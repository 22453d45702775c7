# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Elements in context: their file, their default classes, their names in the whole model.

A ``Scope`` is a file with its settings and classes, and with the prefix and suffix that are added
to its names where the file is attached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
import os
from typing import Any, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.codes import Code, Severity
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import IDENTITY, Pose, Vector
from hrdf_ros.readers.mjcf.file_settings import Compiler, Declared
from hrdf_ros.readers.mjcf.schema import SCHEMA
from hrdf_ros.readers.schema import TypedElement

MAIN = 'main'
WORLD = 'world'
_KINDS = {
    **dict.fromkeys((
        'general', 'motor', 'position', 'velocity', 'intvelocity', 'orientation', 'pid', 'damper',
        'cylinder', 'muscle', 'adhesion', 'dcmotor'), 'actuator'),
    **dict.fromkeys(('spatial', 'fixed'), 'tendon'),
    **dict.fromkeys(('connect', 'weld', 'flex', 'flexvert', 'flexstrain'), 'equality')}
"""Elements that share the defaults of another tag: MuJoCo keeps one set for each kind."""
_NAMED_BY_FILE = ('mesh', 'hfield', 'texture', 'model')
_ORIGIN: Vector = (0.0, 0.0, 0.0)
_WHOLE = ('user', 'springlength')
"""Lists that replace the list of a class as a whole, however short they are."""


class Bound:
    """A limit on the parts that a file may multiply; the first excess is reported."""

    def __init__(self, most: int, message: str) -> None:
        self._left, self._message, self.is_exceeded = most, message, False

    def exceeds(self, number: int, item: Item) -> bool:
        """Count the parts that an element makes; return whether there are too many."""
        self._left -= number
        if self._left < 0 and not self.is_exceeded:
            item.add(codes.TOO_MANY_ELEMENTS, self._message)
            self.is_exceeded = True
        return self.is_exceeded


class Scope(NamedTuple):
    """
    A file whose elements are read, and how names in it are changed where it is attached.

    ``assets`` are the assets of the file by kind and name, ``attached`` the models that it
    attaches by prefix, and ``found`` caches the assets found in these. ``settings`` are simulation
    settings by path and name; among them are those that were ``adopted`` from attached models.
    ``find`` returns the file that a URI means beside another file. If the scope is a copy that
    ``<replicate>`` makes, ``outer`` is the scope around the ``<replicate>``, else None.
    ``characters`` bounds the text that copies and default classes make in all files together.
    """

    root: TypedElement
    compiler: Compiler
    classes: Classes
    assets: Mapping[tuple[str, str], TypedElement]
    declared: Declared
    models: Mapping[str, Scope]
    attached: dict[str, list[Scope]]
    found: dict[tuple[str, str], Optional[Item]]
    settings: dict[tuple[str, str], Any]
    adopted: dict[tuple[str, str], Any]
    find: Callable[[str, str], Optional[str]]
    report: Report
    characters: Bound
    prefix: str = ''
    suffix: str = ''
    asset_prefix: str = ''
    outer: Optional[Scope] = None

    def around(self) -> Iterator[Scope]:
        """Yield the scope, then those around its copies, the innermost first."""
        scope: Optional[Scope] = self
        while scope is not None:
            yield scope
            scope = scope.outer

    @property
    def name_length(self) -> int:
        """The length of a name with the prefixes and suffixes that it gets."""
        return len(self.prefix) + len(self.suffix)

    def rename(self, name: str) -> str:
        """Return the name that a name of the file has in the whole model, '' for ''."""
        return f'{self.prefix}{name}{self.suffix}' if name else ''

    @property
    def of_assets(self) -> Scope:
        """The scope without the prefixes of copies: only assets of other files are copied."""
        return self._replace(prefix=self.asset_prefix, suffix='', outer=None)

    def item(
        self, element: TypedElement, around: str = MAIN, frame: Pose = IDENTITY, kind: str = '',
    ) -> Item:
        """Return an element with the defaults of its class, else those of the class around it."""
        return Item(element, self, self.classes.of(element, around, kind), frame)

    def asset(self, kind: str, name: str) -> Optional[Item]:
        """Return an asset of the file or of a model that it attaches, None where there is none."""
        own = self.assets.get((kind, name))
        if own is not None:
            return self.item(own)
        if (kind, name) not in self.found:
            self.found[kind, name] = self._attached_asset(kind, name)
        found = self.found[kind, name]
        return found and found.in_asset_scope(self.asset_prefix)

    def _attached_asset(self, kind: str, name: str) -> Optional[Item]:
        """Return an asset of a model that the file attaches, with names as the file has them."""
        for length in sorted({len(prefix) for prefix in self.attached}):
            for model in self.attached.get(name[:length], ()):
                found = model.asset(kind, name[length:])
                if found is not None:
                    return found.in_asset_scope(name[:length])
        return None

    def file_of(self, asset: TypedElement, attribute: str = 'file') -> Optional[str]:
        """Return the file that an asset names, in the directory of its kind; None without one."""
        name = asset.get(attribute)
        if not name:
            return None
        if self.compiler.strippath:
            name = os.path.basename(name.replace('\\', '/'))
        setting, *_ = SCHEMA.directories.get(asset.tag, ('assetdir',))
        directory = getattr(self.compiler, setting)
        below = name if '://' in name else os.path.join(directory, name)
        main, beside = self.root.document.file, asset.document.file
        return self.find(below, main) or self.find(below, beside) or self.find(name, beside)


class Item(NamedTuple):
    """
    An element in its file; absent attributes come from its default classes, the nearest first.

    Getters return the value, or the default that they are given. As in MuJoCo, a list that is
    shorter than the list of its class replaces only the first numbers of that.
    ``frame`` is the pose of the frames around the element in its body.
    """

    element: TypedElement
    scope: Scope
    defaults: tuple[TypedElement, ...] = ()
    frame: Pose = IDENTITY

    def in_asset_scope(self, prefix: str) -> Item:
        """Return an asset of an attached model with another prefix before its own."""
        prefix += self.scope.asset_prefix
        return self._replace(scope=self.scope._replace(
            prefix=prefix, suffix='', asset_prefix=prefix, outer=None))

    @property
    def tag(self) -> str:
        return self.element.tag

    @property
    def location(self) -> SourceRef:
        return self.element.location

    @property
    def key(self) -> tuple[object, ...]:
        """The identity of the element and its copy: the same when the file is read twice."""
        return id(self.element), self.scope.prefix, self.scope.suffix

    def key_in(self, scope: Scope) -> tuple[object, ...]:
        """Return the identity of an element of a file where the file is attached."""
        return (id(self.element), scope.prefix + self.scope.prefix,
                self.scope.suffix + scope.suffix)

    @property
    def name(self) -> str:
        """The name in the whole model, '' where the element has none."""
        return self.scope.rename(self.element.get('name') or '')

    def source(self, name: str) -> Optional[TypedElement]:
        """Return the element or default that gives an attribute, None where none does."""
        if name in self.element.attributes:
            return self.element
        for source in self.defaults:
            if name in source.attributes:
                return source
        return None

    def has(self, name: str) -> bool:
        """Return whether an attribute is given."""
        return self.source(name) is not None

    def value(self, name: str, default: Any = None) -> Any:
        """Return a value of any type."""
        source = self.source(name)
        if source is None:
            return default
        value = source.values.get(name)
        return source.attributes[name] if value is None else value

    def number(self, name: str, default: float = 0.0) -> float:
        """Return one number, which is the first one of a list."""
        value = self.value(name, default)
        number: float = value[0] if isinstance(value, tuple) and value else value
        return number if isinstance(number, (int, float)) else default

    def vector3(self, name: str, default: Vector = _ORIGIN) -> Vector:
        vector: Vector = self.value(name, default)
        return vector

    def numbers(self, name: str, default: tuple[float, ...] = ()) -> tuple[float, ...]:
        """Return several numbers, each from the nearest source that gives it."""
        result = list(default)
        for source in reversed((self.element, *self.defaults)):
            if name in source.attributes:
                given = source.values.get(name)
                if given is not None:  # not all tags that share a class take several numbers
                    numbers = given if isinstance(given, tuple) else (given,)
                    result[:len(numbers)] = numbers
        return tuple(result)

    def locate(self, name: str) -> SourceRef:
        """Return the place of a value, which may be in a default class."""
        return (self.source(name) or self.element).locate(name)

    def items(self) -> Iterator[tuple[str, str]]:
        """
        Return the attributes as written, defaults after the element's own.

        A default that the element's own attributes exclude has no effect.
        """
        found = dict(self.element.attributes)
        if self.has('sensorsize'):
            found.pop('fovy', None)  # the size of the sensor decides, even if a class gives it
        declared = self.element.rule.content.attributes
        excluded = {
            other for name in found if name in declared for other in declared[name].excludes}
        excluded |= {
            name for name, one in declared.items()
            if not found.keys().isdisjoint(one.excludes)}
        for source in self.defaults:
            for name, text in source.attributes.items():
                if name not in found:
                    if name not in excluded:
                        found[name] = text
                elif _is_list(name, source.values.get(name)):
                    numbers = self.numbers(name)
                    if len(numbers) > len(found[name].split()):
                        found[name] = ' '.join(map(repr, numbers))
        return ((name, text) for name, text in found.items()
                if name not in ('class', 'childclass'))

    def add(
        self, code: Code, message: str, attribute: str = '', *, hint: Optional[str] = None,
        severity: Optional[Severity] = None,
    ) -> None:
        """Report a fault of the element or of an attribute."""
        self.scope.report.add(
            code, message, self.locate(attribute) if attribute else self.location, hint=hint,
            severity=severity)

    def unknown(
        self, kind: str, name: str, known: Iterable[str], attribute: str,
        severity: Optional[Severity] = None,
    ) -> None:
        """Report a name that no element of its kind has."""
        self.scope.report.add(
            codes.MJCF_NAME_UNKNOWN, f"unknown {kind} '{name}'", self.locate(attribute),
            hint=did_you_mean(name, known), cause=name, severity=severity)

    def asset(self, kind: str) -> Optional[Item]:
        """Return the asset of this kind that the element names; report one that is missing."""
        name = self.value(kind, '')
        found = self.scope.asset(kind, name)
        if found is None:
            known = (other for of, other in self.scope.assets if of == kind)
            self.unknown(kind, name, known, kind)
        return found


class Classes:
    """The default classes of a file, each with a chain of elements for each kind of element."""

    def __init__(self, root: TypedElement, report: Report) -> None:
        self._report = report
        self._defaults: dict[str, dict[str, tuple[TypedElement, ...]]] = {MAIN: {}}
        self._names: dict[int, str] = {}
        for element in root.all('default'):
            if element.get('class') not in (None, '', MAIN):
                report.add(
                    codes.BAD_VALUE, "the class of a top-level <default> is 'main'",
                    element.locate('class'))
            self._add(MAIN, element, self._defaults[MAIN])

    def _add(
        self, name: str, section: TypedElement, inherited: Mapping[str, tuple[TypedElement, ...]],
    ) -> None:
        """Add a class and the classes in it; the last of several elements of a kind is nearest."""
        own = dict(inherited)
        for element in section.children:
            if element.tag != 'default':
                kind = _KINDS.get(element.tag, element.tag)
                own[kind] = (element, *own.get(kind, ()))
                self._names[id(element)] = name
        self._defaults[name] = own
        for nested in section.all('default'):
            nested_name = nested.get('class')
            if not nested_name:
                self._report.add(
                    codes.MISSING_ATTRIBUTE, "<default> is missing the required attribute 'class'",
                    nested.location)
            elif nested_name in self._defaults:
                self._report.add(
                    codes.DUPLICATE_NAME, f"duplicate default class '{nested_name}'",
                    nested.locate('class'))
            else:
                self._add(nested_name, nested, own)

    def check(self, items: Iterable[Item]) -> None:
        """Report every class that elements name but the file lacks."""
        for item in items:
            for attribute in ('class', 'childclass'):
                name = item.element.get(attribute)
                if name is not None and name not in self._defaults and item.tag != 'default':
                    item.unknown('default class', name, self._defaults, attribute)

    def chains(self, kind: str) -> Iterator[tuple[TypedElement, ...]]:
        """Yield the defaults that each class has for a kind of element, the nearest first."""
        return (own.get(kind, ()) for own in self._defaults.values())

    def name_of(self, element: TypedElement) -> str:
        """Return the class that an element in ``<default>`` belongs to."""
        return self._names[id(element)]

    def of(
        self, element: TypedElement, around: str, kind: str = '',
    ) -> tuple[TypedElement, ...]:
        """Return the defaults of an element, the nearest first."""
        found = self._defaults.get(element.get('class') or around) or self._defaults[MAIN]
        return found.get(kind or _KINDS.get(element.tag, element.tag), ())


def _is_list(name: str, value: Any) -> bool:
    """Return whether a value is a list of numbers of which a shorter list replaces a part."""
    return name not in _WHOLE and isinstance(value, tuple) and len(value) > 1 and all(
        isinstance(one, (int, float)) for one in value)


def assets_of(root: TypedElement) -> dict[tuple[str, str], TypedElement]:
    """Return the assets of a file by kind and name; the first one of a name counts."""
    return {
        (element.tag, asset_name(element)): element
        for section in reversed(list(root.all('asset'))) for element in reversed(section.children)}


def asset_name(element: TypedElement) -> str:
    """Return the name of an asset, which is the name of its file where none is given."""
    name, file = element.get('name'), element.get('file') or ''
    if name or element.tag not in _NAMED_BY_FILE:
        return name or ''
    return os.path.splitext(os.path.basename(file.replace('\\', '/')))[0]
