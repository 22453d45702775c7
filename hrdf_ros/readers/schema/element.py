# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements whose getters return typed values."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Optional

from hrdf_ros.document import Document, SourceRef, XmlElement
from hrdf_ros.pose import Pose, Vector
from hrdf_ros.readers.schema.rules import Rule, UNDECLARED

_NO_ATTRIBUTES: Mapping[str, str] = {}
_NO_VALUES: Mapping[str, Any] = {}


class TypedElement(XmlElement):
    """
    An element whose getters return parsed values.

    A name means the attribute of that name, or else the child element; without a name the
    element's own text is meant. Where a value is absent or faulty, a getter returns ``inherited``
    if it is given, else the schema's default. Getters never report: the validator has done so, and
    it parses the values. ``child`` and ``all`` are those of XmlElement.

    ``rule`` is compiled from the schema's declaration, ``value`` is the parsed text, None where
    that is absent or faulty, and ``values`` are the parsed attributes without those that are. An
    element that was not validated has no values, and the rule of an undeclared element.
    """

    __slots__ = ('rule', 'values')

    def __init__(
        self, document: Document, tag: str, attributes: Mapping[str, str], start: int,
    ) -> None:
        # the arguments of XmlElement too, without a second call: a file has thousands of elements
        self.document = document
        self.tag = tag
        self.attributes = attributes
        self.children = []
        self.text = ''
        self.start = start
        self.value = None
        self.rule: Rule = UNDECLARED
        self.values: Mapping[str, Any] = _NO_VALUES

    def read(self, name: str = '', inherited: Any = None) -> Any:
        """Return a value of any type, None where there is none and no default."""
        value = self.values.get(name)
        return self._read_text(name, inherited) if value is None else value

    def _read_text(self, name: str, inherited: Any) -> Any:
        """Return the value of a child element or of the element itself, as ``read`` does."""
        value = None if name else self.value
        for child in self.children if name else ():
            if child.tag == name:
                value = child.value
                break
        if value is not None:
            return value
        return self.rule.defaults[name] if inherited is None else inherited

    def values_of(self, *names: str) -> Sequence[Any]:
        """Return several values with the schema's defaults, which is faster than one by one."""
        values = list(map(self.rule.defaults.__getitem__, names))
        for child in reversed(self.children):
            if child.tag in names:
                index = names.index(child.tag)
                values[index] = child.value
                if child.value is None:
                    values[index] = self.rule.defaults[child.tag]
        for name, value in self.values.items():
            if name in names and value is not None:
                values[names.index(name)] = value
        return values

    def has(self, name: str) -> bool:
        """Return whether an attribute or child element exists, with any value."""
        return name in self.attributes or self.child(name) is not None

    def number(self, name: str = '', inherited: Optional[float] = None) -> float:
        """Return a number in the unit of the schema."""
        value: Optional[float] = self.values.get(name)
        number: float = self._read_text(name, inherited) if value is None else value
        return number

    def boolean(self, name: str = '') -> bool:
        """Return a truth value."""
        return bool(self.read(name))

    def vector3(self, name: str = '', inherited: Optional[Vector] = None) -> Vector:
        value: Optional[Vector] = self.values.get(name)
        vector: Vector = self._read_text(name, inherited) if value is None else value
        return vector

    def numbers(self, name: str = '') -> tuple[float, ...]:
        value: tuple[float, ...] = self.read(name)
        return value

    def pose(self, name: str = 'pose', inherited: Optional[Pose] = None) -> Pose:
        value: Pose = self.read(name, inherited)
        return value

    def string(self, name: str = '') -> str:
        """
        Return a text, empty where there is none and no default.

        The text of an attribute is exact; that of an element has no white space around it.
        """
        text: Optional[str] = self.read(name)
        return text or ''

    def section(self, tag: str) -> 'TypedElement':
        """Return a child element; an empty one with defaults stands for one that is absent."""
        found = self.child(tag)
        if found is None:
            rule = self.rule.children[tag]
            assert rule is not None, f'the schema has no <{tag}> here'
            found = TypedElement(self.document, tag, _NO_ATTRIBUTES, self.start)
            found.rule = rule
        return found

    def choice(self) -> 'Optional[TypedElement]':
        """Return the child that is read where the schema has a choice, None if there is none."""
        alternatives = self.rule.content.children
        if len(self.children) == 1 or self.rule.content.choice == 'first':
            first = self.children[0] if self.children else None
            return first if first is not None and first.tag in alternatives else None
        return next(filter(None, map(self.child, alternatives)), None)

    def locate(self, name: str) -> SourceRef:
        """Return the location of the value of an attribute or child, else that of the element."""
        if name in self.attributes:
            return self.attribute_location(name, 0)
        child = self.child(name)
        if child is None:
            return self.location
        return child.text_location() if child.text else child.location


class Subject(NamedTuple):
    """An element or one of its attributes that is checked."""

    element: TypedElement
    attribute: Optional[str] = None

    def location(self, character: Optional[int] = None) -> SourceRef:
        """Return the location of the element or attribute, or of a character of its value."""
        if self.attribute is not None:
            return self.element.attribute_location(self.attribute, character)
        if character is None:
            return self.element.location
        return self.element.text_location(character)

    def __str__(self) -> str:
        """Return the name of the element or attribute in messages."""
        if self.attribute is None:
            return f'<{self.element.tag}>'
        return f"<{self.element.tag}> attribute '{self.attribute}'"
