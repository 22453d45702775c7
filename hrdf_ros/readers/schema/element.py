# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Elements that answer with typed values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, TYPE_CHECKING, TypeVar

from hrdf_ros.document import Document, SourceRef, XmlElement
from hrdf_ros.model import Color
from hrdf_ros.pose import Pose, Vector

if TYPE_CHECKING:
    from hrdf_ros.readers.schema.rules import Rule

Record = TypeVar('Record')

_NO_VALUES: Mapping[str, Any] = {}


class TypedElement(XmlElement):
    """
    An element whose getters return parsed values.

    A name means the attribute or else the child element of that name, as the schema has it, no
    name the element's own text. A getter returns the value, where that is absent or faulty
    ``inherited`` if it is given, else the schema's default. It never reports: the validator has
    done so, and it is what makes the getters work. ``child`` and ``all`` are those of XmlElement.

    ``rule`` is what the schema says about the element, ``value`` what its text was parsed as,
    ``values`` what its attributes were, None or absent for whatever is plain text, absent or
    faulty.
    """

    __slots__ = ('rule', 'values')

    rule: Rule

    def __init__(
        self, document: Document, tag: str, attributes: Mapping[str, str], start: int,
    ) -> None:
        self.document = document  # as XmlElement does: calling it costs 5 % of a load
        self.tag = tag
        self.attributes = attributes
        self.children = []
        self.text = ''
        self.start = start
        self.value = None
        self.values: Mapping[str, Any] = _NO_VALUES

    def read(self, name: str = '', inherited: Any = None) -> Any:
        """Return a value of any type, None where there is none and no default."""
        value = self.values.get(name)
        return self._text_value(name, inherited) if value is None else value

    def _text_value(self, name: str, inherited: Any = None) -> Any:
        """Return what the text of a child element or of the element itself was parsed as."""
        if name:
            for child in self.children:
                if child.tag == name:
                    if child.value is not None:
                        return child.value
                    break
        elif self.value is not None:
            return self.value
        return self.rule.defaults[name] if inherited is None else inherited

    def record(self, tag: str, kind: Callable[..., Record], names: tuple[str, ...]) -> Record:
        """
        Return a record of values in a child element, of the defaults where that is absent.

        ``names`` are the child elements of the child, in the order of the record's fields.
        """
        section = self.child(tag)
        if section is not None:
            return kind(*section.values_of(*names))
        record: Record = self.rule.absent_records.get((tag, kind)) or self.rule.add_record(
            tag, kind, names)
        return record

    def values_of(self, *tags: str) -> Sequence[Any]:
        """Return the values of several child elements: faster than one by one."""
        rule = self.rule
        defaults, index_of = rule.fields.get(tags) or rule.add_fields(tags)
        values = list(defaults)
        for child in reversed(self.children):
            index = index_of.get(child.tag)
            if index is not None:
                values[index] = defaults[index] if child.value is None else child.value
        return values

    @property
    def is_newer(self) -> bool:
        """Tell whether the file's version does not have this element, which is reported."""
        return self.rule.is_newer

    def has(self, name: str) -> bool:
        """Tell whether an attribute or child element is there, whatever its value."""
        return name in self.attributes or self.child(name) is not None

    def number(self, name: str = '', inherited: Optional[float] = None) -> float:
        """Return a number in the unit of the schema."""
        value = self.values.get(name)
        number: float = self._text_value(name, inherited) if value is None else value
        return number

    def integer(self, name: str = '') -> int:
        """Return an integer."""
        value: int = self.read(name)
        return value

    def boolean(self, name: str = '') -> bool:
        """Return a truth value."""
        value: bool = self.read(name)
        return value

    def vector2(self, name: str = '') -> tuple[float, float]:
        """Return two numbers."""
        value: tuple[float, float] = self.read(name)
        return value

    def vector3(self, name: str = '', inherited: Optional[Vector] = None) -> Vector:
        """Return three numbers."""
        value = self.values.get(name)
        vector: Vector = self._text_value(name, inherited) if value is None else value
        return vector

    def numbers(self, name: str = '') -> tuple[float, ...]:
        """Return several numbers."""
        value: tuple[float, ...] = self.read(name)
        return value

    def color(self, name: str = '') -> Optional[Color]:
        """Return red, green, blue and alpha in 0 .. 1, None where the schema has no default."""
        value: Optional[Color] = self.read(name)
        return value

    def pose(self, name: str = 'pose', inherited: Optional[Pose] = None) -> Pose:
        """Return a pose."""
        value: Pose = self._text_value(name, inherited)
        return value

    def enum(self, name: str = '') -> str:
        """Return a word of an enumeration, empty where there is none and no default."""
        value: Optional[str] = self.values.get(name)
        if value is None:
            is_attribute = name in self.rule.attributes
            value = self.rule.defaults[name] if is_attribute else self._text_value(name)
        return value or ''

    def string(self, name: str = '') -> str:
        """Return a text: an attribute exactly, an element's without white space around it."""
        text: Optional[str] = self.values.get(name)
        if text is not None:
            return text
        attribute = self.rule.attributes.get(name)
        if attribute is not None:
            text = self.attributes.get(name) if attribute.parse is None else None
            if text is None or (self.rule.rules.policy.blank_is_default and not text.strip()):
                text = attribute.default
            return text or ''
        element = self.child(name) if name else self
        default = self.rule.defaults[name]
        text = '' if element is None else element.text.rstrip()
        return text or default or ''

    def default(self, name: str) -> Any:
        """Return the default of an attribute or child element."""
        return self.rule.defaults[name]

    def section(self, tag: str) -> TypedElement:
        """Return a child element, one without content where it is absent, which has defaults."""
        return self.child(tag) or self.rule.absent(tag)

    def choice(self) -> Optional[TypedElement]:
        """Return the child that is read where the schema has a choice, None without one."""
        alternatives = self.rule.content.children
        if len(self.children) == 1 or self.rule.content.choice == 'first':
            first = self.children[0] if self.children else None
            return first if first is not None and first.tag in alternatives else None
        known = [child for child in self.children if child.tag in alternatives]
        order = list(alternatives)
        return min(known, key=lambda child: order.index(child.tag), default=None)

    def locate(self, name: str) -> SourceRef:
        """Return where the value of an attribute or child element is, else the element."""
        if name in self.attributes:
            return self.attribute_location(name, 0)
        child = self.child(name)
        if child is None:
            return self.location
        return child.text_location() if child.text else child.location
