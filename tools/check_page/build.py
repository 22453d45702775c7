# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Build the page that checks a robot description in the browser.

    python tools/check_page/build.py TARGET PYODIDE

It is made of the files beside this one, of Pyodide, whose npm package is in ``PYODIDE``, of the
package hrdf_ros, and of the explanations and element references of the documentation.
"""

from __future__ import annotations

from collections.abc import Iterator
import json
from pathlib import Path
import re
import shutil
import sys
import zipfile

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
for folder in (ROOT, ROOT / 'tools'):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from hrdf_ros.readers.registry import format_names  # noqa: E402
from markdown import markdown  # noqa: E402
from reference.elements import element_pages  # noqa: E402

PYODIDE_FILES = (
    'pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'pyodide-lock.json',
    'python_stdlib.zip')
PAGE_FILES = ('index.html', 'page.css', 'page.js', 'worker.js', 'example.urdf')
NOT_NEEDED = ('kinematics', 'lsp', 'meshes', 'moveit', 'node', 'schema_export', 'view', 'writers')
"""Parts of the package that a check does not import."""
SECTION = re.compile(r'^### `(.*)`\n((?:(?!#{2,3} ).*\n)*)', re.MULTILINE)
LINK = re.compile(r'\[([^]]*)\]\([^)]*\)')
COMMENT = re.compile(r'^<!-- .* -->\n', re.MULTILINE)
FENCE = re.compile(r'^(```\w+) .*$', re.MULTILINE)
TIMESTAMP = (1980, 1, 1, 0, 0, 0)


def main(target: Path, pyodide: Path) -> None:
    """Write the page into a directory, in place of what is there; without Pyodide say so."""
    shutil.rmtree(target, ignore_errors=True)
    if not pyodide.is_dir():
        print('hrdf_ros: Pyodide is not installed (npm does): the page check/ is skipped')
        return
    (target / 'pyodide').mkdir(parents=True)
    for name in PAGE_FILES:
        shutil.copy(HERE / name, target)
    for name in PYODIDE_FILES:
        shutil.copy(pyodide / name, target / 'pyodide')
    write_archive(target / 'hrdf_ros.zip')
    write_json(target / 'explanations.json', explanations())
    write_json(target / 'reference.json', references())


def write_json(file: Path, content: dict[str, str]) -> None:
    """Write texts by their names."""
    file.write_text(json.dumps(content), encoding='utf-8')


def write_archive(file: Path) -> None:
    """Write what the page's Python imports; the same sources give the same bytes."""
    with zipfile.ZipFile(file, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name, source in sorted(archived()):
            archive.writestr(zipfile.ZipInfo(name, TIMESTAMP), source.read_bytes(),
                             zipfile.ZIP_DEFLATED)


def archived() -> Iterator[tuple[str, Path]]:
    """Yield the name in the archive of each file, and the file."""
    package = ROOT / 'hrdf_ros'
    for source in package.rglob('*'):
        below = source.relative_to(package)
        if source.is_file() and source.suffix != '.pyc' and below.parts[0] not in NOT_NEEDED:
            yield f'hrdf_ros/{below.as_posix()}', source
    yield 'bridge.py', HERE / 'bridge.py'
    yield 'lxml/etree.py', HERE / 'etree.py'


def explanations() -> dict[str, str]:
    """Return the section of each diagnostic code as HTML, without links."""
    page = (ROOT / 'docs' / 'diagnostics.md').read_text(encoding='utf-8')
    return {code: html(section) for code, section in SECTION.findall(page)}


def references() -> dict[str, str]:
    """Return the elements of each format as HTML, without links."""
    pages = element_pages()
    return {name: html(pages[f'reference/{name}.md']) for name in format_names()}


def html(text: str) -> str:
    """Return Markdown as HTML."""
    plain = FENCE.sub(r'\1', COMMENT.sub('', LINK.sub(r'\1', text)))
    return markdown(plain, extensions=['tables', 'fenced_code', 'attr_list'])


if __name__ == '__main__':
    main(*map(Path, sys.argv[1:]))
