# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is not XML, but is read by the parsers that these formats are used with."""

import re
from typing import NamedTuple, Optional

_COMMENT, _CDATA, _INSTRUCTION = b'<!--', b'<![CDATA[', b'<?'
_MARKUP = rb'<!--|<!\[CDATA\[|<\?'
_ENDS = {_COMMENT: b'-->', _CDATA: b']]>', _INSTRUCTION: b'?>'}
_IS_DECLARATION = rb'<\?xml(?=[\s?])'
_DECLARATION = (
    rb'<\?xml\s+version\s*=\s*(["\'])1\.[0-9]+\1'
    rb'(?:\s+encoding\s*=\s*(["\'])[A-Za-z][A-Za-z0-9._-]*\2)?'
    rb'(?:\s+standalone\s*=\s*(["\'])(?:yes|no)\3)?\s*\?>')


class Fault(NamedTuple):
    """What is not well-formed at a byte."""

    start: int
    message: str
    hint: Optional[str] = None


class Recovered(NamedTuple):
    """A document of the same length in which the faults are blank."""

    data: bytes
    faults: tuple[Fault, ...]


def recover(data: bytes, *, declaration_anywhere: bool = False) -> Recovered:
    """
    Return a document without what tinyxml2 and pugixml ignore, although XML forbids it.

    That is ``--`` inside of comments, XML declarations that are malformed or follow only white
    space and other declarations, and a NUL byte with all that follows. With
    ``declaration_anywhere``, as for TinyXML 1 and pugixml, a declaration may follow anything.
    """
    recovery = _Recovery(data, declaration_anywhere)
    return Recovered(bytes(recovery.clean), tuple(recovery.faults))


class _Recovery:
    """One pass over a document that blanks its faults."""

    def __init__(self, data: bytes, declaration_anywhere: bool) -> None:
        self.data = data
        self.clean = bytearray(data)
        self.faults: list[Fault] = []
        self.declaration_may_follow = True
        self.declaration_anywhere = declaration_anywhere
        self._markup(self._end_before_nul())
        self.faults.sort()

    def _end_before_nul(self) -> int:
        nul = self.data.find(b'\0')
        if nul < 0:
            return len(self.data)
        self._blank(nul, len(self.data), 'a NUL byte ends the text; the rest is ignored')
        return nul

    def _markup(self, end: int) -> None:
        position, markup = 0, re.compile(_MARKUP)
        found = markup.search(self.data, position, end)
        while found is not None:
            stop = self.data.find(_ENDS[found[0]], found.end(), end)
            if stop < 0:
                break
            self.declaration_may_follow &= not self.data[position:found.start()].strip()
            position = stop + len(_ENDS[found[0]])
            if found[0] == _COMMENT:
                self._comment(found.end(), stop)
            elif re.compile(_IS_DECLARATION).match(self.data, found.start()):
                self._declaration(found.start(), position)
            else:
                self.declaration_may_follow = False
            found = markup.search(self.data, position, end)

    def _comment(self, start: int, stop: int) -> None:
        self.declaration_may_follow = False
        dashes = self.data.find(b'--', start, stop + 1)
        if dashes >= 0:
            self.clean[start:stop] = self.data[start:stop].replace(b'-', b' ')
            self.faults.append(Fault(dashes, "'--' inside of a comment"))

    def _declaration(self, start: int, stop: int) -> None:
        if start > 0 and (self.declaration_may_follow or self.declaration_anywhere):
            self._blank(start, stop, 'an XML declaration after the start of the file; ignored')
        elif start == 0 and not re.fullmatch(_DECLARATION, self.data[:stop]):
            self._blank(start, stop, 'a malformed XML declaration; ignored')

    def _blank(self, start: int, stop: int, message: str) -> None:
        self.clean[start:stop] = b' ' * (stop - start)
        self.faults.append(Fault(start, message))
