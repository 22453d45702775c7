# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Split a value into words with their positions, and suggest known words for a misspelled one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
import re
from typing import Optional

from hrdf_ros.diagnostics import Suggestion
from hrdf_ros.limits import SUGGESTED_LENGTH, SUGGESTED_NAMES
from hrdf_ros.listing import first_of

WORD = r'[^ \t\n\v\f\r]+'
"""A pattern for a word, which ends at the white space that C's ``isspace`` accepts."""
_LISTED = 10
"""The most known words that a hint lists."""
_SHORTEST_ABBREVIATION = 3
"""The fewest letters of a word that may abbreviate a known word."""


def words(text: str) -> Iterator[tuple[str, int]]:
    """
    Yield the words of a text, each with the index of its first character.

    Only what C's ``isspace`` accepts separates words; a no-break space does not.
    """
    for found in re.finditer(WORD, text):
        yield found.group(), found.start()


def closest(word: str, known: Iterable[str]) -> Optional[str]:
    """
    Return the known word that another word most likely means, or None if none is near.

    The word is a misspelling of the known word, or a prefix of this known word only. The result is
    None if two known words are equally near, and, because the search would take long, if there are
    more than SUGGESTED_NAMES known words or the word is longer than SUGGESTED_LENGTH.
    """
    # this import takes longer than checking a faultless file, so only a fault causes it
    from difflib import get_close_matches, SequenceMatcher
    names = list(islice(known, SUGGESTED_NAMES + 1))
    if len(word) > SUGGESTED_LENGTH or len(names) > SUGGESTED_NAMES:
        return None
    by_folded = {
        name.lower(): name for name in sorted(names, reverse=True)
        if len(name) <= SUGGESTED_LENGTH}
    found = get_close_matches(word.lower(), by_folded, n=2, cutoff=0.6)
    if len(found) > 1:
        first, second = (SequenceMatcher(None, one, word.lower()).ratio() for one in found)
        found = found[:1] if first > second else found
    if not found and len(word) >= _SHORTEST_ABBREVIATION:
        found = [name for name in by_folded if name.startswith(word.lower())]
    return by_folded[found[0]] if len(found) == 1 else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` to end a sentence with, or '' if no word is near."""
    near = closest(word, known)
    return '' if near is None else f"; did you mean '{near}'?"


def did_you_mean(
    word: str, known: Iterable[str], otherwise: Optional[str] = None,
) -> Suggestion:
    """Return the hint ``did you mean 'x'?``, or ``otherwise`` if no word is near."""
    return Suggestion(word, partial(closest, word, known), otherwise)


def one_of(word: str, known: Sequence[str]) -> Suggestion:
    """Return the hint with the known word that is near, or with the first few known words."""
    return did_you_mean(word, known, f"there are {first_of(known, _LISTED) or 'none'}")
