# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""No object is made past its constructor, and each constructor sets every slot."""

from __future__ import annotations

import ast
from collections.abc import Iterator
import importlib
import inspect
from pathlib import Path
import pkgutil
from textwrap import dedent

import hrdf_ros

PACKAGE = Path(hrdf_ros.__file__).parent
ROOMS = ('document', 'model', 'readers', 'diagnostics')


def slotted_classes() -> Iterator[type]:
    for module in pkgutil.walk_packages(hrdf_ros.__path__, 'hrdf_ros.'):
        if module.name.split('.')[1] in ROOMS:
            for kind in vars(importlib.import_module(module.name)).values():
                if isinstance(kind, type) and kind.__module__ == module.name and (
                        '__slots__' in kind.__dict__ and not issubclass(kind, tuple)):
                    yield kind


def test_constructors_set_every_slot() -> None:
    kinds = list(slotted_classes())
    assert kinds
    for kind in kinds:
        bases = [base for base in kind.__mro__ if base.__module__.startswith('hrdf_ros')]
        slots = {name for base in bases for name in base.__dict__.get('__slots__', ())}
        constructors = [base.__init__ for base in bases if '__init__' in base.__dict__]
        nodes = (node for each in constructors
                 for node in ast.walk(ast.parse(dedent(inspect.getsource(each)))))
        assert slots <= {node.attr for node in nodes if isinstance(node, ast.Attribute)
                         and isinstance(node.ctx, ast.Store)}, kind


def test_nothing_calls_new() -> None:
    assert [file for file in PACKAGE.rglob('*.py') if '__new__' in file.read_text()] == []
