# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""No object is made past its constructor, and each constructor sets every slot."""

from __future__ import annotations

import ast
from collections.abc import Iterator
import importlib
import os
from pathlib import Path
import pkgutil
import subprocess
import sys
from types import FrameType
from typing import Any

import hrdf_ros
from hrdf_ros import load, Report
from hrdf_ros.document import parse, SourceFile, XmlElement

ROOT = Path(__file__).parent.parent
FILES = [*(ROOT / 'examples').rglob('*.*'), *(ROOT / 'test' / 'diagnostics').rglob('*.*')]
SUFFIXES = ('.hrdf', '.mjcf', '.sdf', '.skel', '.urdf', '.xml')
ROOMS = ('document', 'model', 'readers', 'diagnostics')


def slots_of(kind: type) -> list[str]:
    return [name for base in kind.__mro__ for name in base.__dict__.get('__slots__', ())]


def slotted_classes() -> Iterator[type]:
    for module in pkgutil.walk_packages(hrdf_ros.__path__, 'hrdf_ros.'):
        if module.name.split('.')[1] in ROOMS:
            for kind in vars(importlib.import_module(module.name)).values():
                if isinstance(kind, type) and kind.__module__ == module.name and (
                        '__slots__' in kind.__dict__ and not issubclass(kind, tuple)):
                    yield kind


def watch_loads() -> list[str]:
    """Return the slots that constructors leave unset, and the classes that no load makes."""
    made: set[type] = set()
    found: set[str] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == 'return' and frame.f_code.co_name == '__init__':
            instance = next(iter(frame.f_locals.values()))
            kind = type(instance)
            if getattr(kind.__init__, '__code__', None) is frame.f_code:
                made.add(kind)
                found.update(
                    f'{kind.__name__}.{name}' for name in slots_of(kind)
                    if not hasattr(instance, name))

    sys.setprofile(watch)
    for file in sorted(FILES):
        if file.suffix in SUFFIXES:
            load(str(file))
    parse(SourceFile('', b'<a/>'), Report(), XmlElement)  # what is not a description
    sys.setprofile(None)
    return sorted(found | {kind.__name__ for kind in {*slotted_classes()} - made})


def test_constructors_set_every_slot() -> None:
    # in a process of its own: schemas that other tests have used are compiled already
    run = subprocess.run(
        [sys.executable, __file__], stdout=subprocess.PIPE, text=True, check=True,
        env={**os.environ, 'PYTHONPATH': str(ROOT)})
    assert run.stdout == '[]\n'


def test_no_object_is_made_without_its_constructor() -> None:
    found = [
        (file.name, node.lineno) for file in (ROOT / 'hrdf_ros').rglob('*.py')
        for node in ast.walk(ast.parse(file.read_text(encoding='utf-8')))
        if isinstance(node, ast.Attribute) and node.attr == '__new__']
    assert found == []


if __name__ == '__main__':
    print(watch_loads())
