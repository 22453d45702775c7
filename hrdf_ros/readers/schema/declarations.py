# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What a format declares: its elements, attributes, value types, versions, and its policy.

Everything here is immutable data. ``rules`` compiles it when an element of its kind is first met,
``validator`` checks a document against it, ``TypedElement`` reads by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
import math
from types import MappingProxyType
from typing import Any, Literal, Optional, TYPE_CHECKING, Union

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.parsing.errors import ValueSyntaxError

if TYPE_CHECKING:
    from hrdf_ros.readers.schema.element import TypedElement
    from typing_extensions import dataclass_transform, Self
else:
    def dataclass_transform(**_: bool) -> Callable[[type], type]:
        """Return what leaves a class as it is: only type checkers look at this decorator."""
        return lambda declared: declared

Value = Any
"""What a value type's parser returns, or a default: float, int, bool, str, tuple, Pose."""

Parse = Callable[[str, list[int]], Value]
"""
Reads a text or raises ValueSyntaxError.

It may append to the list the index of the first character that is not part of the value and is
ignored (``1 2 3 four``); that is reported as trailing characters.
"""

ParseInContext = Callable[['TypedElement', str, list[int]], Value]
"""The same for a value that also depends on the element: its attributes, its document."""

Handling = Literal[
    'read', 'checked', 'preserved', 'not preserved', 'no effect', 'foreign', 'skipped']
"""
How an element or attribute is handled.

- ``read``: its value becomes part of the Model
- ``checked``: it is validated, but the Model has nothing of it
- ``preserved``: it is validated, and the reader keeps its text (``RawElement``) for a writer that
  can put it back
- ``not preserved``: it means something to the reference implementation that a Model cannot hold;
  reported as ``Policy.not_preserved``; an element is not looked into
- ``no effect``: not even the reference implementation reads it here; reported as
  ``Policy.no_effect``; an element is not looked into
- ``foreign``: exporters write it by custom, for other programs, and nothing is lost without it;
  reported once a file, as ``Policy.foreign``; neither looked into nor suggested for a misspelled
  name
- ``skipped``: neither reported nor looked into, whatever is in it: it belongs to others
"""

Choice = Literal['', 'first', 'declared']
"""
Which children of an element are read.

All of them (empty), or one alternative only: the child that comes ``first`` in the file, or the
one that is ``declared`` first in the schema. Other children are reported as ``Policy.no_effect``
and not looked into. ``TypedElement.choice()`` returns the one that is read.
"""

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_NO_NAME: Callable[[str], bool] = frozenset[str]().__contains__


@dataclass_transform(frozen_default=True)
class Declaration:
    """
    An immutable record whose fields are those that a subclass annotates.

    Making a class of so many fields a NamedTuple or a dataclass would take longer than checking
    a small file does.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        fields = type(self).__annotations__
        values = {**dict(zip(fields, given)), **named}
        if not fields.keys() >= values.keys():
            raise TypeError(f'{type(self).__name__} has no field {values.keys() - fields.keys()}')
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f'{name} of {type(self).__name__} cannot be changed')

    def __repr__(self) -> str:
        """Return the name and the fields that are given."""
        given = ', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())
        return f'{type(self).__name__}({given})'

    def replace(self, **changes: Any) -> Self:
        """Return the record with other values of some fields."""
        return type(self)(**{**self.__dict__, **changes})


class Remark(Declaration):
    """A way to write a value that is accepted and worth a word: ``find`` returns its index."""

    find: Callable[[str], Optional[int]]
    code: Code
    message: str


class ValueType(Declaration):
    """
    A type of values.

    ``name`` is what documentation calls it (``number``, ``vector3``). ``parse`` reads it;
    ``parse_in_context`` does so where it depends on the element; with neither, any text is a
    value. ``before`` names the version since which that holds, and what reads older files.

    ``words`` are the values of an enumeration, each with the version since which it exists
    (empty = always); white space around a word is ignored with ``strips``; with ``ignore_case``
    the wrong case is reported as ``Policy.wrong_case`` and read as the right one; ``spellings``
    maps other spellings, in lower case, to the word that is meant (``Policy.other_spelling``);
    ``fallback`` is what an unknown word is read as, where that is not the default. ``remarks``
    are made about values that were accepted. With ``deferred`` any word passes validation: the
    reader refuses unknown ones where they matter. With ``parses_blank`` a blank text is parsed
    too, because the element may be faulty even so.
    """

    name: str
    parse: Optional[Parse] = None
    parse_in_context: Optional[ParseInContext] = None
    before: Optional[tuple[str, ParseInContext]] = None
    words: Mapping[str, str] = _NOTHING
    strips: bool = False
    ignore_case: bool = False
    spellings: Mapping[str, str] = _NOTHING
    fallback: Optional[str] = None
    remarks: tuple[Remark, ...] = ()
    deferred: bool = False
    parses_blank: bool = False


TEXT = ValueType('text')
"""Any text, as it is: an attribute exactly, an element's text without white space around it."""


def one_of(*words: str, strips: bool = False, fallback: Optional[str] = None) -> ValueType:
    """Return the type of an enumeration."""
    return ValueType('word', words=dict.fromkeys(words, ''), strips=strips, fallback=fallback)


class Bounds(Declaration):
    """The minimum and maximum that a value may have, for each of its numbers."""

    minimum: float = -math.inf
    maximum: float = math.inf
    excludes_minimum: bool = False


NOT_NEGATIVE = Bounds(0.0)
POSITIVE = Bounds(0.0, excludes_minimum=True)


class Attribute(Declaration):
    """
    An attribute of an element.

    - ``type``: of its value; ``unit`` of its numbers (``m``, ``rad``, ``kg``, ...)
    - ``doc``: one line on what it means
    - ``required``: whether its absence is reported (``Policy.missing_attribute``)
    - ``expected``: it may be absent, but nobody means its default (``Policy.expected_attribute``)
    - ``default``: what a getter returns where it is absent or faulty; None where that depends on
      something else, so that the reader has to say it (``inherited``)
    - ``bounds``: of its numbers (``Policy.out_of_range``)
    - ``since``, ``until``: the first and the last version that has it, empty = no limit
      (``Policy.newer``, ``Policy.removed``)
    - ``excludes``: attributes that must not be given with it; reported here (``Policy.exclusive``)
    - ``requires``: attributes without which it has no meaning (``Policy.requires_other``)
    - ``handling``: how it is handled
    - ``deprecated``: what to write instead, empty where it is not deprecated
    - ``hint``: how to fix it where it is missing, or has no effect
    - ``names``: the kind of thing whose name it is (``link``, ``joint``, ...), for editors
    - ``refers``: the kinds of things of which it names one, ``file`` for a path or URI. An
      attribute with both is the name of a thing where its element has children.
    - ``inside``: the name that it refers to is one in the element itself, which is a ``scope``
    """

    type: ValueType = TEXT  # noqa: A003
    doc: str = ''
    required: bool = False
    expected: bool = False
    default: Value = None
    unit: str = ''
    bounds: Optional[Bounds] = None
    since: str = ''
    until: str = ''
    excludes: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    handling: Handling = 'read'
    deprecated: str = ''
    hint: str = ''
    names: str = ''
    refers: tuple[str, ...] = ()
    inside: bool = False


class Element(Declaration):
    """
    An element at one place of a document.

    What may be in it:

    - ``attributes``; ``any_attributes``: others may be there too, which are not read
    - ``any_of``: of these attributes, or of these children, at least one is required
    - ``children``: an Element, or the name of one in ``Schema.elements`` that is the same at
      several places, or contains itself
    - ``like``: the name of one in ``Schema.elements`` whose attributes, children and text it has,
      while the rest (doc, occurrence, handling ...) is said here
    - ``variants``: by the value of an attribute, what differs
    - ``choice``: whether only one of the children is read
    - ``foreign``: tags of children that belong to other programs, neither reported nor looked
      into; ``*:*`` is any with a namespace prefix
    - ``open``: any children may be in it, which are neither reported nor looked into
    - ``text``: the type of its text, None where it has none (``Policy.stray_text``); ``unit``,
      ``bounds`` and ``default`` are of this value. The default is what a getter returns where the
      element is absent, empty or faulty.
    - ``text_required``: whether it is reported that it is there, but empty

    How often it is there, beside at most once (``Policy.duplicate_element``):

    - ``repeated``: as often as one likes
    - ``required``: at least once (``Policy.missing_element``)
    - ``expected``: it may be absent, but nobody means its default (``Policy.expected_element``)
    - ``foreign_again``: exporters repeat it by custom: what follows the first is ``foreign``

    And: ``doc``, ``since``, ``until``, ``deprecated``, ``handling``, ``hint`` as for attributes.
    ``tolerant`` says that the reference implementation goes on without this element where
    something in it is faulty: errors are warnings then (``Policy.tolerated`` is added to the
    message), and the element is removed from its parent.

    For editors: ``names`` and ``refers`` are those of its text, see ``Attribute``; ``scope`` says
    that names in it are its own; ``outside`` that references in it are to names around the
    element that it is in; ``mentioned`` are foreign children that refer to names of this format.
    """

    doc: str = ''
    attributes: Mapping[str, Attribute] = _NOTHING
    children: Mapping[str, Union[Element, str]] = _NOTHING
    like: str = ''
    variants: Optional[Variants] = None
    choice: Choice = ''
    foreign: frozenset[str] = frozenset()
    open: bool = False  # noqa: A003
    any_of: tuple[str, ...] = ()
    any_attributes: bool = False
    text: Optional[ValueType] = None
    default: Value = None
    unit: str = ''
    bounds: Optional[Bounds] = None
    text_required: bool = False
    repeated: bool = False
    required: bool = False
    expected: bool = False
    foreign_again: bool = False
    since: str = ''
    until: str = ''
    deprecated: str = ''
    handling: Handling = 'read'
    hint: str = ''
    tolerant: bool = False
    names: str = ''
    refers: tuple[str, ...] = ()
    scope: bool = False
    outside: bool = False
    mentioned: Mapping[str, Element] = _NOTHING


class Variants(Declaration):
    """
    Contents that depend on the value of an attribute (white space around it is ignored).

    Attributes and children of the variant are added to those of the element, or replace those of
    the same name. A value that is not among ``elements`` leaves the element as it is.
    """

    attribute: str
    elements: Mapping[str, Element]


def has_prefix(name: str) -> bool:
    """Tell whether a name has a namespace prefix."""
    return ':' in name


class Policy(Declaration):
    """
    How a format reports what is wrong: codes with severity and reference; None reports nothing.

    A Code of another severity or reference: ``codes.UNKNOWN_ELEMENT._replace(severity='error')``.

    - ``format``, ``reference``: names of the format and of its reference implementation
    - ``wrong_root``: the root element is another one
    - ``unknown_element``: the schema has no element of this name, or has it elsewhere only
    - ``missing_choice``, ``unknown_choice``: an element with ``choice`` has no child, or with
      ``first`` the first one is unknown
    - ``duplicate_element``: an element that is not ``repeated`` is there again; only the first is
      looked into, the others are removed from their parent. With None all are looked into.
    - ``bad_text``, ``bad_attribute``: a value that its parser refuses; ``unknown_word``: one that
      an enumeration does not have (None: as the two before); ``empty_text``: see
      ``Element.text_required``; ``replaced``: see ``Replaced``; ``faults``: codes for classes of
      ValueSyntaxError
    - ``out_of_range``: a number outside of its bounds; it is read nevertheless where
      ``keeps_out_of_range``, else the default is
    - ``newer``, ``removed``: something that the file's version does not have yet, or no longer;
      with severity error an attribute is not parsed
    - ``blank_is_default``: an empty or blank value counts as absent
    - ``keeps_line_breaks``: attribute values are parsed as they are in the file, without XML's
      replacement of tabs and line breaks by spaces
    - ``is_foreign_element``, ``is_foreign_attribute``: names that belong to others everywhere
    """

    format: str  # noqa: A003
    reference: str
    wrong_root: Code = codes.MISSING_ELEMENT
    unknown_element: Code = codes.UNKNOWN_ELEMENT
    missing_choice: Code = codes.MISSING_ELEMENT
    unknown_choice: Code = codes.UNKNOWN_ELEMENT._replace(severity='error')
    unknown_attribute: Code = codes.UNKNOWN_ATTRIBUTE
    missing_element: Code = codes.MISSING_ELEMENT
    expected_element: Code = codes.MISSING_ELEMENT._replace(severity='warning')
    missing_attribute: Code = codes.MISSING_ATTRIBUTE
    expected_attribute: Code = codes.MISSING_ATTRIBUTE._replace(severity='warning')
    duplicate_element: Optional[Code] = codes.DUPLICATE_ELEMENT
    bad_text: Code = codes.BAD_VALUE
    bad_attribute: Code = codes.BAD_VALUE
    unknown_word: Optional[Code] = None
    empty_text: Optional[Code] = None
    replaced: Optional[Code] = None
    faults: Mapping[type[ValueSyntaxError], Code] = MappingProxyType({})
    out_of_range: Optional[Code] = None
    keeps_out_of_range: bool = False
    wrong_case: Optional[Code] = codes.WRONG_CASE
    other_spelling: Code = codes.WRONG_CASE
    trailing_characters: Code = codes.TRAILING_CHARACTERS
    stray_text: Optional[Code] = codes.STRAY_TEXT
    newer: Optional[Code] = codes.NEWER_THAN_VERSION
    removed: Optional[Code] = None
    deprecated: Code = codes.DEPRECATED
    no_effect: Code = codes.NO_EFFECT
    foreign: Code = codes.NO_EFFECT._replace(severity='info')
    not_preserved: Code = codes.DETAIL_NOT_PRESERVED
    exclusive: Code = codes.EXCLUSIVE_ATTRIBUTES
    requires_other: Code = codes.ATTRIBUTE_REQUIRES_OTHER
    tolerated: str = 'this part is ignored'
    blank_is_default: bool = False
    keeps_line_breaks: bool = False
    is_foreign_element: Callable[[str], bool] = _NO_NAME
    is_foreign_attribute: Callable[[str], bool] = _NO_NAME
