# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""No object is made past its constructor, and each constructor sets every slot."""

from __future__ import annotations

from collections.abc import Iterator
import importlib
from pathlib import Path
import pkgutil
import sys
from types import FrameType
from typing import Any

import hrdf_ros
from hrdf_ros import load

ROOT = Path(__file__).parent.parent
FILES = [*(ROOT / 'examples').rglob('*.*'), *(ROOT / 'test' / 'diagnostics').rglob('*.*')]
SUFFIXES = ('.hrdf', '.sdf', '.skel', '.urdf')
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


def test_constructors_set_every_slot() -> None:
    made: set[type] = set()
    unset: set[tuple[str, str]] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event == 'return' and frame.f_code.co_name == '__init__':
            made_here = next(iter(frame.f_locals.values()))
            kind = type(made_here)
            if getattr(kind.__init__, '__code__', None) is frame.f_code:
                made.add(kind)
                unset.update(
                    (kind.__name__, name) for name in slots_of(kind)
                    if not hasattr(made_here, name))

    sys.setprofile(watch)
    try:
        for file in sorted(FILES):
            if file.suffix in SUFFIXES:
                load(str(file))
    finally:
        sys.setprofile(None)
    assert unset == set()
    assert set(slotted_classes()) <= made


def test_nothing_calls_new() -> None:
    found = [
        file for file in (ROOT / 'hrdf_ros').rglob('*.py') if '__new__' in file.read_text()]
    assert found == []
