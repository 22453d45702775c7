# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The reference pages of the documentation, generated from the code when the site is built.

Each module returns Markdown from what it describes: the parsers of the commands, the parameters,
the interface files, the JSON schemas, the codes, the schemas of the formats, the public names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reference.commands import commands_page
from reference.consumers import consumers_page
from reference.elements import element_pages
from reference.interfaces import interfaces_page
from reference.json_schemas import json_page
from reference.parameters import parameters_page
from reference.python_names import python_page

_PAGES: Mapping[str, Callable[[], str]] = {
    'reference/commands.md': commands_page,
    'reference/consumers.md': consumers_page,
    'reference/parameters.md': parameters_page,
    'reference/ros.md': interfaces_page,
    'reference/json.md': json_page,
    'reference/python.md': python_page,
}


def reference_pages() -> dict[str, str]:
    """Return the Markdown of every generated page by its path below ``docs``."""
    return {**{path: page() for path, page in _PAGES.items()}, **element_pages()}
