# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The declarations of a format: its elements, attributes, value types, versions, and its policy.

Declarations are immutable data. ``rules`` compiles them, ``validator`` checks a document against
them, and ``TypedElement`` uses them to read values.
"""

from collections.abc import Callable, Mapping
import math
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Optional, Union

from hrdf_ros import codes
from hrdf_ros.codes import Code
from hrdf_ros.document import XmlElement
from hrdf_ros.parsing.errors import ValueSyntaxError

Value = Any
"""A parsed value or a default: float, int, bool, str, tuple, Pose."""

Parse = Callable[[str, list[int]], Value]
"""
A function that reads a text or raises ValueSyntaxError.

It may append to the list the index of the first character that is not part of the value and is
ignored (``1 2 3 four``); that is reported as trailing characters.
"""

ParseInContext = Callable[[XmlElement, str, list[int]], Value]
"""A function like Parse, for a value that also depends on its element or document."""

Handling = Literal[
    'read', 'checked', 'preserved', 'not preserved', 'no effect', 'foreign', 'skipped']
"""
How an element or attribute is handled.

- ``read``: its value becomes part of the Model
- ``checked``: it is validated, but the Model does not have it
- ``preserved``: it is validated, and the reader keeps its text (``RawElement``) for a writer that
  can put it back
- ``not preserved``: the reference implementation reads it, and the Model cannot hold it; this is
  reported, and an element is examined further where its content is declared
- ``no effect``: not even the reference implementation reads it here; this is reported, and an
  element is not examined further
- ``foreign``: exporters usually write it, for other programs, and nothing is lost without it;
  reported once a file; neither examined further nor suggested for a misspelled name
- ``skipped``: neither reported nor examined further: it belongs to other programs
"""

Choice = Literal['', 'first', 'declared']
"""
The children of an element that are read.

These are all of them (empty), or one alternative only: the child that comes ``first`` in the
file, or the one that is ``declared`` first in the schema. Other children are reported and not
examined further. ``TypedElement.choice()`` returns the one that is read.
"""

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_NO_NAME: Callable[[str], bool] = frozenset[str]().__contains__


class Remark(NamedTuple):
    """A diagnostic about an accepted value; ``find`` returns the index of the faulty character."""

    find: Callable[[str], Optional[int]]
    code: Code
    message: str


class ValueType(NamedTuple):
    """
    A type of values.

    ``name`` is its name in documentation (``number``, ``vector3``). ``parse`` reads a value, and
    ``parse_in_context`` one that depends on the element; with neither, any text is a value.
    ``before`` is the first version that ``parse`` is for, and the parser for older files.

    ``words`` are the values of an enumeration, each with the first version that has it (empty for
    all versions). With ``strips`` white space around a word is ignored. With ``ignore_case`` a
    word in the wrong case is reported, and read. ``spellings`` maps other spellings, in lower
    case, to the word that is meant (``Policy.other_spelling``). An unknown word has the value
    ``fallback``, or else the default; ``unlisted`` says what to do where no word fits. With
    ``deferred`` any word passes validation, and the reader refuses unknown ones where they matter.

    ``remarks`` are reported about accepted values. With ``parses_blank`` a blank text is parsed
    too, because the element may be faulty even so. ``default`` is used where a declaration in a
    table has no default of its own.
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
    unlisted: str = ''
    remarks: tuple[Remark, ...] = ()
    deferred: bool = False
    parses_blank: bool = False
    default: Value = None


TEXT = ValueType('text')
"""Any text as it is written: an attribute exactly, a text without white space around it."""


def one_of(*words: str, strips: bool = False, fallback: Optional[str] = None) -> ValueType:
    """Return the type of an enumeration."""
    return ValueType('word', words=dict.fromkeys(words, ''), strips=strips, fallback=fallback)


class Bounds(NamedTuple):
    """The minimum and maximum of a value, for each of its numbers."""

    minimum: float = -math.inf
    maximum: float = math.inf
    excludes_minimum: bool = False


NOT_NEGATIVE = Bounds(0.0)
POSITIVE = Bounds(0.0, excludes_minimum=True)


class Attribute(NamedTuple):
    """
    An attribute of an element.

    - ``type``: the type of its value; ``unit``: the unit of its numbers (``m``, ``rad``, ...)
    - ``doc``: one line on its meaning
    - ``required``: whether its absence is reported (``Policy.missing_attribute``)
    - ``expected``: optional, but its absence is usually a mistake: a warning
    - ``default``: the value where it is absent or faulty; None where that depends on something
      else, so that the reader has to give it (``inherited``)
    - ``bounds``: the minimum and maximum of its numbers (``Policy.out_of_range``)
    - ``since``: the first version that has it, empty for all
    - ``excludes``: attributes that must not be given with it; reported here (``Policy.exclusive``)
    - ``requires``: attributes without which it has no meaning
    - ``handling``: how it is handled
    - ``deprecated``: the replacement, empty where it is not deprecated
    - ``hint``: how to fix it where it is missing, or has no effect
    - ``names``: the kind of thing that gets its name here (``link``, ``joint``, ...), for editors
    - ``refers``: the kinds of things that the value may refer to, ``file`` for a path or URI. An
      attribute with ``names`` and ``refers`` gives a name where its element has children.
    - ``inside``: the value refers to a name in the element itself, which is a ``scope``
    """

    type: ValueType = TEXT  # noqa: A003
    doc: str = ''
    required: bool = False
    expected: bool = False
    default: Value = None
    unit: str = ''
    bounds: Optional[Bounds] = None
    since: str = ''
    excludes: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    handling: Handling = 'read'
    deprecated: str = ''
    hint: str = ''
    names: str = ''
    refers: tuple[str, ...] = ()
    inside: bool = False


class Variants(NamedTuple):
    """
    Contents that depend on the value of an attribute (white space around it is ignored).

    Attributes and children of the variant are added to those of the element, or replace those of
    the same name. A value that is not among ``elements`` leaves the element as it is.
    """

    attribute: str
    elements: Mapping[str, 'Element']


class Element(NamedTuple):
    """
    An element at one place of a document.

    These fields declare its content:

    - ``attributes``; ``any_attributes``: others are accepted too, and not read
    - ``any_of``: of these attributes, or of these children, at least one is required
    - ``children``: an Element, or the name of one in ``Schema.elements`` that is the same at
      several places, or contains itself; that one is neither ``required`` nor ``expected``, so
      that it is not read before it is met
    - ``like``: the name of one in ``Schema.elements`` whose attributes, children and text it has,
      while the rest (doc, occurrence, handling ...) is declared here
    - ``variants``: the differences by the value of an attribute
    - ``choice``: whether only one of the children is read
    - ``foreign``: tags of children that belong to other programs, neither reported nor examined;
      ``*:*`` is any with a namespace prefix
    - ``open``: any children are accepted, neither reported nor examined
    - ``text``: the type of its text, None where it has none (``Policy.stray_text``); ``unit``,
      ``bounds`` and ``default`` are of this value. The default is the value where the element is
      absent, empty or faulty.
    - ``text_required``: whether an empty text is reported

    An element occurs at most once (``Policy.duplicate_element``) unless these say otherwise:

    - ``repeated``: any number of times
    - ``required``: at least once (``Policy.missing_element``)
    - ``expected``: optional, but its absence is usually a mistake: a warning
    - ``foreign_again``: exporters usually repeat it: all but the first are ``foreign``

    ``doc``, ``since``, ``deprecated``, ``handling`` and ``hint`` mean the same as for attributes.
    ``tolerant`` is given where the reference implementation continues although something in the
    element is faulty: errors are warnings then, with this text added to the message, and the
    element is removed from its parent.

    Editors ask for ``names`` and ``refers``, which are about its text (see ``Attribute``);
    ``scope`` says that the element has a scope of names of its own; ``outside`` says that
    references in the element are to names outside the scope that it is in; ``mentioned`` are
    foreign children that refer to names of this format.
    """

    doc: str = ''
    attributes: Mapping[str, Attribute] = _NOTHING
    children: Mapping[str, 'Union[Element, str]'] = _NOTHING
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
    deprecated: str = ''
    handling: Handling = 'read'
    hint: str = ''
    tolerant: str = ''
    names: str = ''
    refers: tuple[str, ...] = ()
    scope: bool = False
    outside: bool = False
    mentioned: Mapping[str, 'Element'] = _NOTHING


def has_prefix(name: str) -> bool:
    """Return whether a name has a namespace prefix."""
    return ':' in name


def stripped(text: str, _: list[int]) -> str:
    """Return the text of an element, whose beginning is stripped already."""
    return text.rstrip()


class Policy(NamedTuple):
    """
    How a format reports faults: codes with severity and reference; None reports nothing.

    A Code gets another severity or reference by
    ``codes.UNKNOWN_ELEMENT._replace(severity='error')``.

    - ``format``, ``reference``: names of the format and of its reference implementation
    - ``wrong_root``: the root element is another one
    - ``unknown_element``: the schema has no element of this name, or has it elsewhere only
    - ``missing_choice``: an element with ``choice`` has no child
    - ``duplicate_element``: an element that is not ``repeated`` is there again; only the first is
      examined, the others are removed from their parent. With None all are examined.
    - ``bad_text``, ``bad_attribute``: a value that its parser refuses; ``faults`` has other codes
      for classes of ValueSyntaxError
    - ``unknown_word``: a word that an enumeration does not have; with None it is reported as
      ``bad_text`` or ``bad_attribute``
    - ``empty_text``: a text that is empty in spite of ``Element.text_required``
    - ``out_of_range``: a number outside of its bounds; with ``keeps_out_of_range`` the number is
      read nevertheless, otherwise the default is
    - ``newer``: a name that the file's version does not have yet; with severity error an attribute
      is not parsed
    - ``blank_is_default``: an empty or blank value counts as absent
    - ``keeps_line_breaks``: attribute values are parsed as they are in the file, without XML's
      replacement of tabs and line breaks by spaces
    - ``any_text``: reads the text of an element that may be any text
    - ``other_words``: the element or attribute that newcomers mean by a word of other formats
    - ``own_parts``: the hint for an element that is not known, where its parent may have the
      element for parts of one's own
    - ``is_foreign_element``, ``is_foreign_attribute``: names that belong to others everywhere
    """

    format: str  # noqa: A003
    reference: str
    wrong_root: Code = codes.MISSING_ELEMENT
    unknown_element: Code = codes.UNKNOWN_ELEMENT
    missing_choice: Code = codes.MISSING_ELEMENT
    unknown_attribute: Code = codes.UNKNOWN_ATTRIBUTE
    missing_element: Code = codes.MISSING_ELEMENT
    missing_attribute: Code = codes.MISSING_ATTRIBUTE
    duplicate_element: Optional[Code] = codes.DUPLICATE_ELEMENT
    bad_text: Code = codes.BAD_VALUE
    bad_attribute: Code = codes.BAD_VALUE
    unknown_word: Optional[Code] = None
    empty_text: Optional[Code] = None
    faults: Mapping[type[ValueSyntaxError], Code] = MappingProxyType({})
    out_of_range: Optional[Code] = None
    keeps_out_of_range: bool = False
    other_spelling: Code = codes.WRONG_CASE
    stray_text: Optional[Code] = codes.STRAY_TEXT
    newer: Optional[Code] = codes.NEWER_THAN_VERSION
    deprecated: Code = codes.DEPRECATED
    exclusive: Code = codes.EXCLUSIVE_ATTRIBUTES
    blank_is_default: bool = False
    keeps_line_breaks: bool = False
    any_text: Parse = stripped
    other_words: Mapping[str, str] = _NOTHING
    own_parts: Mapping[str, str] = _NOTHING
    is_foreign_element: Callable[[str], bool] = _NO_NAME
    is_foreign_attribute: Callable[[str], bool] = _NO_NAME
