# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Write a document into a directory of its own with the files it names, for MuJoCo to load."""

from __future__ import annotations

from collections.abc import Mapping
import os
from pathlib import Path
from typing import Union

from lxml import etree

Files = Mapping[str, Union[str, bytes]]
"""The files of a document by the path that it names; each is a file or its future content."""


def stage(text: str, files: Files, directory: str) -> str:
    """
    Write a document, line by line, into a directory to load it; return its path.

    What is no regular file is not there: MuJoCo would wait for a pipe.
    """
    root = etree.fromstring(text.encode(), etree.XMLParser(huge_tree=True))
    placed: dict[str, str] = {}
    for made in root.iter(etree.Element):
        for name, path in made.attrib.items():
            content = files.get(path) if name.startswith('file') else None
            if isinstance(content, bytes) and path not in placed:
                placed[path] = os.path.join(
                    directory, f'{len(placed)}{os.path.splitext(path)[1]}')
                Path(placed[path]).write_bytes(content)
            if isinstance(content, str):
                made.set(name, content if os.path.isfile(content) else os.path.join(
                    directory, 'missing', os.path.basename(content)))
            elif content is not None:
                made.set(name, placed[path])
    document = os.path.join(directory, 'robot.xml')
    Path(document).write_bytes(etree.tostring(root, encoding='utf-8', xml_declaration=True))
    return document
