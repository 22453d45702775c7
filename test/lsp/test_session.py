# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The set-ups of editors."""

from __future__ import annotations

from helpers.robots import REPOSITORY
from hrdf_ros.readers.registry import FORMATS

PAGE = (REPOSITORY / 'docs' / 'editors.md').read_text(encoding='utf-8')


def test_the_set_ups_name_every_suffix() -> None:
    for section in ('## Neovim', '## Emacs'):
        text = PAGE.partition(section)[2].partition('\n## ')[0]
        for found in FORMATS:
            for suffix in found.suffixes:
                assert suffix[1:] in text
