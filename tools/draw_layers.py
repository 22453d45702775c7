#!/usr/bin/env python3
# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""
Draw which part of the package imports which: docs/layers.dot, and docs/layers.svg by Graphviz.

The text source is exactly what the imports make it, so that a test can compare it. Imports that
follow from others are left out (the transitive reduction); what is imported by its name, when it
is needed, is dashed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
import re
import shutil
import subprocess
import sys

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / 'hrdf_ros'
DRAWING = ROOT / 'docs' / 'layers.dot'
# Folders whose subfolders are drawn as parts of their own: one for each format.
SPLIT = ('readers', 'writers')
NAME = re.compile(r'hrdf_ros(\.\w+)+')

Edges = dict[str, set[str]]


def part_of(module: str) -> str:
    """Return the part of the package that a module below `hrdf_ros` belongs to."""
    names = module.split('.')
    split = names[0] in SPLIT and len(names) > 1 and (PACKAGE / names[0] / names[1]).is_dir()
    return '/'.join(names[:2] if split else names[:1])


def module_at(name: str) -> str:
    """Return the module below `hrdf_ros` that a dotted name lies in, '' where there is none."""
    names = name.split('.')
    if names[0] != 'hrdf_ros':
        return ''
    while len(names) > 1:
        path = ROOT.joinpath(*names)
        if path.is_dir() or path.with_suffix('.py').is_file():
            return '.'.join(names[1:])
        names.pop()
    return ''


def imported(tree: ast.AST, package: tuple[str, ...]) -> Iterator[str]:
    """Yield the full name of everything that the import statements of a file import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[:len(package) - node.level + 1] if node.level else ()
            prefix = '.'.join((*base, *filter(None, [node.module])))
            yield from (f'{prefix}.{alias.name}' for alias in node.names)


def named(tree: ast.AST) -> Iterator[str]:
    """Yield the names of modules that a file has as strings: they are imported when needed."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if NAME.fullmatch(node.value):
                yield node.value


def collect() -> tuple[Edges, Edges]:
    """Return what each part imports, and what it imports by name."""
    direct: Edges = {}
    by_name: Edges = {}
    for file in sorted(PACKAGE.rglob('*.py')):
        names = file.relative_to(ROOT).with_suffix('').parts
        if file == PACKAGE / '__init__.py':
            continue
        importer = part_of('.'.join(names[1:]))
        tree = ast.parse(file.read_text(encoding='utf-8'))
        for edges, found in ((direct, imported(tree, names[:-1])), (by_name, named(tree))):
            parts = {part_of(module) for name in found if (module := module_at(name))}
            edges.setdefault(importer, set()).update(parts - {importer})
    return direct, by_name


def reach(edges: Edges, start: str) -> set[str]:
    """Return every part that one leads to."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = edges.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def reduced(edges: Edges) -> Edges:
    """Return the transitive reduction of edges without a circle."""
    return {part: {each for each in found
                   if not any(each in reach(edges, other) for other in found - {each})}
            for part, found in edges.items()}


def source() -> str:
    """Return the drawing as Graphviz text."""
    direct, by_name = collect()
    parts = sorted({*direct, *(part for found in direct.values() for part in found)})
    lines = ['// Written by tools/draw_layers.py from the imports. An arrow goes from what',
             '// imports to what is imported; a dashed one where that happens by name.',
             'digraph layers {',
             '  graph [rankdir=TB, nodesep=0.25, ranksep=0.45]',
             '  node [shape=box, style="rounded,filled", fillcolor="#eef3f8", color="#4a6785",'
             ' fontname="Helvetica", fontsize=11, height=0.3]',
             '  edge [dir=back, color="#4a6785", arrowsize=0.6]']
    lines += [f'  "{part}"' for part in parts]
    lines += [f'  "{used}" -> "{part}"'
              for part, found in sorted(reduced(direct).items()) for used in sorted(found)]
    lines += [f'  "{used}" -> "{part}" [style=dashed, constraint=false]'
              for part, found in sorted(by_name.items())
              for used in sorted(found - reach(direct, part))]
    return '\n'.join([*lines, '}', ''])


def main() -> int:
    """Write the text source and, where Graphviz is installed, the drawing."""
    DRAWING.write_text(source(), encoding='utf-8')
    if shutil.which('dot') is None:
        print('Graphviz is not installed: docs/layers.svg is as it was', file=sys.stderr)
        return 1
    svg = subprocess.run(['dot', '-Tsvg', DRAWING], capture_output=True, text=True, check=True)
    DRAWING.with_suffix('.svg').write_text(svg.stdout, encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main())
