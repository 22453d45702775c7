# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Make unified diffs of files that change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
import re

from hrdf_ros.cli import output
from hrdf_ros.diagnostics import printable
from hrdf_ros.document import SourceFile
from hrdf_ros.document.prolog import encoding_of

_COMPARED_LINES = 20_000
"""
The maximum number of lines of a file whose diff is computed; in the worst case this takes
quadratic time.
"""


def unified(source: SourceFile, after: bytes) -> Iterator[str]:
    """
    Yield the lines of a unified diff.

    The diff of a long file replaces all of its lines, which takes linear time.
    """
    from difflib import unified_diff

    encoding, name = encoding_of(source), printable(source.file)
    old, new = (
        re.findall('[^\n]*\n|[^\n]+', encoding.decode(data)) for data in (source.data, after))
    if max(len(old), len(new)) > _COMPARED_LINES:
        lines: Iterable[str] = (
            f'--- {name}\n', f'+++ {name}\n', f'@@ -1,{len(old)} +1,{len(new)} @@\n',
            *(f'-{line}' for line in old), *(f'+{line}' for line in new))
    else:
        lines = unified_diff(old, new, name, name)
    for line in lines:
        whole = line if line.endswith('\n') else f'{line}\n\\ No newline at end of file\n'
        yield output.harmless(output.for_terminal(whole))
