# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Calls that reading and writing take as each element of a schema repeats thousands of times.

`python -m fuzz.growth [--format mjcf] [--elements 5000] [TEXT...]`, with the project and its
directory `test` on the Python path, prints a line for each construct whose name has one of the
texts: the calls of Python and C functions at an eighth of the elements, a fourth, a half and all
of them, and the greatest factor between two of them. The exit status is 1 where a factor is
larger than a linear function has. `test_scaling.py` does the same with few elements.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from cProfile import Profile
from functools import partial
import sys
from unittest.mock import patch

from fuzz.corpus import FORMATS
from helpers.schema_constructs import repeated_elements, Repetition
from hrdf_ros import load, write_mjcf

GREATEST_FACTOR = 2.05
"""The most that twice the elements may cost: 2, and what a sorted list adds."""


def main() -> int:
    """Print the growth of each construct, and how many are not linear."""
    parser = argparse.ArgumentParser(prog='fuzz.growth')
    parser.add_argument('--format', choices=FORMATS, default='mjcf')
    parser.add_argument('--elements', type=int, default=5000)
    parser.add_argument('texts', nargs='*', metavar='TEXT')
    arguments = parser.parse_args()
    sizes = [arguments.elements // part for part in (8, 4, 2, 1)]
    steep = measured = 0
    # each unknown name is compared with this many names, whatever their number is
    with patch('hrdf_ros.parsing.suggestions.SUGGESTED_NAMES', 2):
        for each in repeated_elements(arguments.format, parents=0):
            if arguments.texts and not any(text in each.name for text in arguments.texts):
                continue
            measured += 1
            steep += show(each, sizes)
    print(f'{measured} constructs, {steep} of them not linear')
    return 1 if steep else 0


def show(each: Repetition, sizes: Sequence[int]) -> bool:
    """Print what reading and writing a construct takes, and return whether it is not linear."""
    texts = [each.text(size) for size in sizes]
    read = [calls(partial(report, text)) for text in texts]
    models = [model for text in texts if (model := load(text).model) is not None]
    written = [calls(partial(write_mjcf, model)) for model in models]
    factor = max(factors(read) + factors(written))
    print(f'{factor:.2f} {each.name}: read {read}, written {written or "not"}', flush=True)
    return factor > GREATEST_FACTOR


def report(text: str) -> str:
    """Read a text, and find the place of each diagnostic."""
    return str(load(text).report)


def factors(counts: Sequence[int]) -> list[float]:
    """Return each count divided by the one before."""
    return [after / before for before, after in zip(counts, counts[1:])]


def calls(work: Callable[[], object]) -> int:
    """Count the calls of Python and C functions that some work makes."""
    profile = Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


if __name__ == '__main__':
    sys.exit(main())
