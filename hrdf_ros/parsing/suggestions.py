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
"""A pattern for the text between two blanks, as C defines blanks."""
_LISTED = 10
"""The most known words that a hint lists."""
_SHORTEST_ABBREVIATION = 3
"""The fewest letters with which a word may stand for one that begins so."""


def words(text: str) -> Iterator[tuple[str, int]]:
    """
    Yield the words of a text, each with the index of its first character.

    Only the blanks of C separate words; a no-break space is a character like any other.
    """
    for found in re.finditer(WORD, text):
        yield found.group(), found.start()


def closest(word: str, known: Iterable[str]) -> Optional[str]:
    """
    Return the known word that another one most likely means, None where none is near.

    The word is a misspelling of it, or the beginning of that known word alone. The result is None
    where two are equally near, and, because the search would take long, among very many words and
    for a very long one.
    """
    # costs more than a faultless check; only on faults
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
    """Return ``; did you mean 'x'?`` to end a sentence with, empty where no word is near."""
    near = closest(word, known)
    return '' if near is None else f"; did you mean '{near}'?"


def did_you_mean(
    word: str, known: Iterable[str], otherwise: Optional[str] = None,
) -> Suggestion:
    """Return the hint ``did you mean 'x'?``, or another where no word is near."""
    return Suggestion(word, partial(closest, word, known), otherwise)


def one_of(word: str, known: Sequence[str]) -> Suggestion:
    """Return the hint with the known word that is near, or the first few words."""
    return did_you_mean(word, known, f"there are {first_of(known, _LISTED) or 'none'}")
