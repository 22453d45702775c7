# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Documents, and points in them that become locations when they are needed."""

from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter
from typing import NamedTuple, Optional, TYPE_CHECKING

from hrdf_ros.diagnostics import Edit, Fix, Location, Rewrite
from hrdf_ros.document.tokenizer import (
    child_starts,
    end_of_element,
    escape,
    find_text,
    root_start,
    Run,
    scan_start_tag,
    StartTag,
)
from hrdf_ros.limits import ResourceLimits

if TYPE_CHECKING:
    from hrdf_ros.document.lines import Lines

ValuePaths = Mapping[str, tuple[str, ...]]
"""
The paths at which a format writes the values of the Model, by the field names of its records.

A path leads from the element of a record down by tags to an element, which means its text, or
with ``@`` to an attribute: ``limit/@lower``.
"""

NO_PATHS: ValuePaths = {}
_ITEM_BYTES = 4
"""The size in bytes of the shortest element, ``<a/>``; an attribute takes more."""


class Size:
    """The number of elements, attributes and bytes in a document and everything it includes."""

    __slots__ = ('items', 'bytes', '_uncounted', '_uncounted_bytes')

    def __init__(self) -> None:
        self.items = 0
        """The elements and attributes counted so far, with the elements that a reader made."""
        self.bytes = 0
        self._uncounted: list[bytes] = []
        self._uncounted_bytes = 0

    def add(self, data: bytes) -> None:
        """Add a text; its elements and attributes are counted once there might be too many."""
        self.bytes += len(data)
        self._uncounted.append(data)
        self._uncounted_bytes += len(data)

    def exceeds(self, limit: int) -> bool:
        """Return whether there are more items than ``limit``; each has a ``<`` or a ``=``."""
        if self.items + self._uncounted_bytes // _ITEM_BYTES > limit:
            for data in self._uncounted:
                self.items += data.count(b'<') - data.count(b'</') + data.count(b'=')
            self._uncounted.clear()
            self._uncounted_bytes = 0
        return self.items > limit


class Document:
    """
    The text of one file, which turns places in it into locations.

    ``data`` are its bytes; ``well_formed`` are the same bytes with blanks for faults
    (``recover``).
    """

    __slots__ = (
        'file', 'data', 'well_formed', 'included_from', 'limits', 'size', 'stray', 'changed',
        'value_paths', 'source_map', 'is_program', '_lines', '_tag')

    def __init__(self, source: 'SourceFile', value_paths: ValuePaths = NO_PATHS) -> None:
        self.file = source.file
        self.data = self.well_formed = source.data
        self.included_from = location = source.included_from
        self.limits = source.limits
        self.size: Size = Size() if location is None else location.document.size
        self.size.add(source.data)
        self._lines: Optional[Lines] = None
        self.stray: list[SourceRef] = []
        """The text beside child elements, and the processing instructions in the root."""
        self.changed: set[int] = set()
        """The start offsets of elements that a reader changed or made, for their text as XML."""
        self.value_paths = value_paths
        self._tag: Optional[StartTag] = None
        self.source_map = source.source_map
        self.is_program = False
        """Whether a value with ``$`` is an expression, as in a xacro file."""

    def __eq__(self, other: object) -> bool:
        """Return whether two documents are the same text of the same file at the same include."""
        if self is other:
            return True
        if not isinstance(other, Document):
            return NotImplemented
        return (self.file, self.data, self.included_from) == (
            other.file, other.data, other.included_from)

    def __hash__(self) -> int:
        return hash((self.file, len(self.data)))

    @property
    def is_full(self) -> bool:
        """Return whether the document and its includes exceed the limit on elements."""
        return self.size.exceeds(self.limits.elements)

    def location(self, start: int) -> Location:
        """Return the point of a byte offset, with the include elements that led to the file."""
        point = self.point(start)
        return point._replace(included_from=(*point.included_from, *self.chain))

    def point(self, start: int) -> Location:
        """Return the line and column of a byte offset; columns count code points, a tab is one."""
        found = None if self.source_map is None else self.source_map(start)
        return found or Location(self.file, self.lines.line(start), self.lines.column(start))

    def start_tag(self, start: int) -> Optional[StartTag]:
        """Return the start tag at a byte; the last one is remembered."""
        if self._tag is None or self._tag.start != start:
            self._tag = scan_start_tag(self.data, start)
        return self._tag

    def child_start(self, start: int, tag: str) -> Optional[int]:
        """Return the byte at which the first child with a tag of the element at a byte starts."""
        element, wanted = self.start_tag(start), tag.encode()
        children = () if element is None else child_starts(self.data, element)
        return next((child for found, child in children if found == wanted), None)

    @property
    def lines(self) -> 'Lines':
        """The index of lines and columns, made only when a diagnostic is shown."""
        if self._lines is None:
            from hrdf_ros.document.lines import Lines
            self._lines = Lines(self.data)
        return self._lines

    @property
    def chain(self) -> tuple[Location, ...]:
        """The include elements that led to this file, the innermost first."""
        chain = []
        location = self.included_from
        while location is not None:
            chain.append(location.document.point(location.start))
            location = location.document.included_from
        return tuple(chain)

    def offset_of(self, at: Location) -> int:
        """Return the byte of a point in the document; a missing line raises ValueError."""
        lines = self.data.split(b'\n', at.line or 1)
        line, column = lines[(at.line or 1) - 1:at.line], (at.column or 1) - 1
        if not line:
            raise ValueError(f'{at} is not in the file')
        before = sum(len(one) + 1 for one in lines[:(at.line or 1) - 1])
        return before + len(line[0].decode('utf-8', 'ignore')[:column].encode())

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Return the edit that replaces the bytes between two offsets by a text."""
        return Edit(self.location(start), self.location(end), text)


class SourceRef:
    """
    A point in a document, resolved to a Location when it is needed.

    ``part`` is None for the element (its ``<``), the name of an attribute, or the empty string for
    the element's text; ``character`` is the index of the faulty character in it. With ``paths``
    the point is the first value in the file that one of them leads to from the element. Every
    record of a Model has a SourceRef, and making it takes a third less time than a NamedTuple.
    """

    __slots__ = ('document', 'start', 'part', 'character', 'paths')

    def __init__(
        self, document: Document, start: int, part: Optional[str] = None,
        character: Optional[int] = None, paths: tuple[str, ...] = (),
    ) -> None:
        self.document = document
        self.start = start
        self.part = part
        self.character = character
        self.paths = paths

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SourceRef) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def _fields(self) -> tuple[object, ...]:
        return self.document, self.start, self.part, self.character, self.paths

    def __repr__(self) -> str:
        """Return the point in the file in short form."""
        return f'<{self.resolve()}>'

    def of(self, *fields: str) -> 'SourceRef':
        """
        Return the place of the first of some fields of the record that was read from here.

        The fields have the Model's names, and the reader says where the file has them. The place
        is as near as these paths lead, at worst the element itself.
        """
        paths = self.document.value_paths
        return SourceRef(
            self.document, self.start, self.part, self.character,
            tuple(path for name in fields for path in paths.get(name, ())))

    def resolve(self) -> Location:
        """Return the point in the file."""
        return self.document.location(self.offset())

    def edits(self, word: str, text: str) -> tuple[Edit, ...]:
        """
        Return the edits that replace a word at the point by a text, none if the word is not there.

        The tag of an element is edited at its start and its end. In place of a generated text its
        origin is edited, if the same word is written there.
        """
        origin = self.origin()
        if origin is not self:
            return () if origin is None else origin.edits(word, text)
        data, old = self.document.data, word.encode()
        runs = self._runs()
        starts = [data.find(old, run.start, run.end) for run in runs]
        if not old or -1 in starts or self.document.is_program and any(
                b'$' in data[run.start:run.end] for run in runs):
            return ()
        return tuple(
            self.document.edit(start, start + len(old), escape(text)) for start in starts)

    def rewritten(self, rewrite: Rewrite) -> tuple[Edit, ...]:
        """Return the edit of the value at the point, or no edit if there is nothing to write."""
        origin = self.origin()
        if origin is not self:
            return () if origin is None else origin.rewritten(rewrite)
        run = self._value()
        old = None if run is None else run.text(self.document.data)
        new = None if old is None or self.document.is_program and '$' in old else rewrite(old)
        if run is None or run.is_cdata or new is None:
            return ()
        return (self.document.edit(run.start, run.end, escape(new)),)

    def is_written(self) -> bool:
        """Return whether the file has a value at the point; blank text is no value."""
        return self._value() is not None

    def insertion(self, attribute: str, value: str) -> tuple[Edit, ...]:
        """Return the edit that adds an attribute to the element."""
        origin = self.origin()
        if origin is not self:
            return () if origin is None else origin.insertion(attribute, value)
        tag = self.document.start_tag(self.start)
        if tag is None or attribute.encode() in tag.attributes:
            return ()
        end = max((run.end + 1 for _, run in tag.attributes.values()), default=tag.name_end)
        return (self.document.edit(end, end, f' {attribute}="{escape(value)}"'),)

    def origin(self) -> 'Optional[SourceRef]':
        """Return the place that a generated text comes from; any other text is its own origin."""
        document = self.document
        if document.source_map is None:
            return self
        at = document.source_map(self.start)
        tag = document.start_tag(self.start)
        if at is None or tag is None:
            return None
        try:
            with open(at.file, 'rb') as stream:
                data = stream.read(document.limits.file_bytes)
            found = Document(SourceFile(at.file, data))
            found.is_program = True
            start = found.offset_of(at)
        except (OSError, ValueError):
            return None
        own = found.start_tag(start)
        if own is None or own.tag != tag.tag:  # as with <xacro:element>
            return None
        return SourceRef(found, start, self.part, self.character, self.paths)

    def _value(self) -> Optional[Run]:
        """Return where the value is written that this point refers to."""
        for path in self.paths:
            start: Optional[int] = self.start
            elements, _, attribute = path.partition('@')
            for step in elements.strip('/').split('/') if elements else ():
                start = None if start is None else self.document.child_start(start, step)
            written = None if start is None else _written(self.document, start, attribute)
            if written is not None:
                return written[1]
        written = None if self.part is None or self.paths else _written(
            self.document, self.start, self.part)
        return None if written is None else written[1]

    def version_fix(self, version: str, *, is_safe: bool = True) -> Fix:
        """Return the fix that sets the version on the root element of the document."""
        return Fix(f'Set version="{version}"', partial(self._version_edits, version), is_safe)

    def _version_edits(self, version: str) -> tuple[Edit, ...]:
        document = self.document
        tag = document.start_tag(root_start(document.data))
        if tag is None or document.source_map is not None:
            return ()
        found = tag.attributes.get(b'version')
        if found is not None:
            _, run = found
            return (document.edit(run.start, run.end, escape(version)),)
        return (document.edit(tag.name_end, tag.name_end, f' version="{escape(version)}"'),)

    def _runs(self) -> list[Run]:
        """Return the places in the file at which the target of the point is written."""
        document, data, part = self.document, self.document.data, self.part
        if part is not None:
            found = _written(document, self.start, part)
            if found is None:
                return []
            name, value = found
            is_value = part == '' or self.character is not None
            return [value if is_value else Run(name, name + len(part.encode()))]
        tag = document.start_tag(self.start)
        if tag is None:
            return []
        start = Run(tag.start + 1, tag.name_end)
        if tag.is_empty:
            return [start]
        end = end_of_element(document.well_formed, tag.start)
        return [start, Run(data.rfind(b'</', tag.end, end) + len(b'</'), end)]

    def offset(self) -> int:
        """Return the byte of the document at which the point is."""
        found = [_follow(self.document, self.start, path) for path in self.paths]
        complete = [offset for offset, _, is_complete in found if is_complete]
        if complete:
            return min(complete)
        nearest, depth, _ = max(found, key=itemgetter(1), default=(0, 0, False))
        if depth > 0:
            return nearest
        if self.part is None:
            return self.start
        return _offset_of_part(self.document, self.start, self.part, self.character)


SourceMap = Callable[[int], Optional[Location]]
"""A function that returns the origin of the element around a byte of a generated text."""


class SourceFile(NamedTuple):
    """
    The name and bytes of a file, the include that led to it, and its resource limits.

    ``encoding`` is the encoding of the bytes if it is known, whatever the XML declaration says.
    ``source_map`` is for a generated text.
    """

    file: str
    data: bytes
    included_from: Optional[SourceRef] = None
    limits: ResourceLimits = ResourceLimits()
    encoding: Optional[str] = None
    source_map: Optional[SourceMap] = None


def _follow(document: Document, start: int, path: str) -> tuple[int, int, bool]:
    """Return the byte that a path leads to, the elements passed, and whether it ends there."""
    elements, _, attribute = path.partition('@')
    steps = elements.strip('/').split('/') if elements else []
    for depth, step in enumerate(steps):
        child = document.child_start(start, step)
        if child is None:
            return start, depth, False
        start = child
    offset = _offset_of_part(document, start, attribute, 0)
    return offset, len(steps), offset != start or not attribute


def _offset_of_part(
    document: Document, start: int, part: str, character: Optional[int],
) -> int:
    """Return the byte of a character of an attribute or the text, the element's ``<`` if none."""
    found = _written(document, start, part)
    if found is None:
        return start
    name, value = found
    return name if character is None else value.character(document.data, character)


def _written(document: Document, start: int, part: str) -> Optional[tuple[int, Run]]:
    """Return the byte of an attribute's name and its value, or those of the text; else None."""
    tag = document.start_tag(start)
    if tag is None or part:
        return None if tag is None else tag.attributes.get(part.encode())
    text = find_text(document.data, tag)
    return None if text is None else (text.start, text)
