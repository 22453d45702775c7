# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Words: splitting a value with positions, and what a misspelt word may have meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
import re
from typing import Optional

_WORD = re.compile(r'\S+')


def words(text: str) -> Iterator[tuple[str, int]]:
    """Yield the words of a text, each with the index of its first character."""
    for found in _WORD.finditer(text):
        yield found.group(), found.start()


def closest(word: str, known: Iterable[str]) -> Optional[str]:
    """Return the known word that a misspelt one most likely meant, None where none is near."""
    from difflib import get_close_matches  # costs more than a faultless check; only on faults
    by_folded = {name.lower(): name for name in sorted(known, reverse=True)}
    found = get_close_matches(word.lower(), by_folded, n=1, cutoff=0.6)
    return by_folded[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> Optional[str]:
    """Return the hint ``did you mean 'x'?``, None where no known word is near."""
    near = closest(word, known)
    return None if near is None else f"did you mean '{near}'?"
