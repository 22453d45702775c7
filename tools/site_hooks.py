# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Hooks of MkDocs: the pages of the site that are not files below ``docs``.

The reference is generated from the code, the first page is the README, and CONTRIBUTING and
CHANGELOG are pages too. Links that lead out of ``docs`` become links to the page made from the
file, or, where there is none, plain text.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
import re
import sys
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
for folder in (ROOT, ROOT / 'tools'):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

from hrdf_ros.cli.reference import summaries  # noqa: E402
from hrdf_ros.codes import CODES  # noqa: E402
from reference import reference_pages  # noqa: E402
from reference.markdown import table, text  # noqa: E402

_LINK = re.compile(r'(!?)\[([^\]]*)\]\(([^)\s]+)\)')
_HEADING = re.compile(r'^### `([a-z0-9-]+)`\n', re.MULTILINE)
_PAGES_OF_FILES = {
    'README.md': 'index.md', 'CONTRIBUTING.md': 'contributing.md', 'CHANGELOG.rst': 'changelog.md',
    'config/hrdf_ros.yaml': 'reference/parameters.md', 'hrdf_ros/cli': 'reference/commands.md',
    'hrdf_ros/cli/check.schema.json': 'reference/json.md',
    'hrdf_ros/consumers': 'reference/consumers.md',
    'hrdf_ros/readers/mjcf/schema': 'reference/mjcf.md',
    'hrdf_ros/readers/sdf/schema': 'reference/sdf.md'}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the pages that the navigation does not name to the how-to pages."""
    named = set(re.findall(r'[\w/-]+\.md', str(config.nav)))
    docs = Path(config.docs_dir)
    found = {str(page.relative_to(docs)) for page in docs.rglob('*.md')}
    [how_to] = [entry['How to'] for entry in config.nav or () if 'How to' in entry]
    how_to += sorted(found - named)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    pages = {**reference_pages(), 'index.md': _page_of('README.md'),
             'contributing.md': _page_of('CONTRIBUTING.md'), 'changelog.md': _changelog()}
    for path, content in pages.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Put severities into the page of the diagnostics; keep links within the site."""
    path = page.file.src_uri
    if path == 'diagnostics.md':
        markdown = _with_severities(markdown)
    depth = path.count('/')
    return _outside_of_fences(markdown, lambda part: _LINK.sub(
        lambda found: _inward(found, depth), part))


def _page_of(name: str) -> str:
    """Return a file of the root as a page of the site."""
    markdown = (ROOT / name).read_text(encoding='utf-8')
    return _outside_of_fences(markdown, lambda part: _LINK.sub(_from_root, part))


def _from_root(found: re.Match[str]) -> str:
    """Return a link in a file of the root as one in a page directly below ``docs``."""
    mark, label, target = found.groups()
    if ':' in target or target.startswith('#'):
        return found[0]
    inside = target.removeprefix('docs/')
    return f'{mark}[{label}]({inside if inside != target else f"../{target}"})'


def _inward(found: re.Match[str], depth: int) -> str:
    """Return a link that does not leave the site."""
    _, label, target = found.groups()
    up = '../' * (depth + 1)
    if not target.startswith(up):
        return found[0]
    file, hash_mark, anchor = target.removeprefix(up).partition('#')
    if file not in _PAGES_OF_FILES:
        return label
    return f'[{label}]({"../" * depth}{_PAGES_OF_FILES[file]}{hash_mark}{anchor})'


def _outside_of_fences(markdown: str, change: Callable[[str], str]) -> str:
    parts = re.split(r'(^```.*?^```$)', markdown, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = map(change, parts[::2])
    return ''.join(parts)


def _with_severities(markdown: str) -> str:
    """Return the page with a table of all codes, and each one's severity at its section."""
    overview = table(('code', 'severity', 'reported when'), (
        (f'[`{name}`](#{name})', CODES[name].severity, text(summary))
        for name, summary in summaries().items()))
    first = re.search('^## ', markdown, re.MULTILINE)
    assert first is not None
    sections = _HEADING.sub(
        lambda found: f'{found[0]}\n{_facts(found[1])}\n\n', markdown[first.start():])
    return f'{markdown[:first.start()]}{sections}\n## All codes\n\n{overview}'


def _facts(name: str) -> str:
    code = CODES[name]
    reference = f' · `{code.reference}` in the reference implementation' if code.reference else ''
    return f'**{code.severity}**{reference}'


def _changelog() -> str:
    """Return CHANGELOG.rst, which uses little of RST, as Markdown."""
    lines = (ROOT / 'CHANGELOG.rst').read_text(encoding='utf-8').splitlines()[3:]
    result = ['# Changes', '']
    for line, below in zip(lines, [*lines[1:], '']):
        if re.fullmatch('-{3,}', below):
            result.append(f'## {line}')
        elif re.fullmatch('-{3,}', line):
            result.append('')
        elif line.startswith('* ') and result[-1] and not result[-1].startswith(('*', ' ')):
            result += ['', line]
        else:
            result.append(line)
    return re.sub('``', '`', '\n'.join(result)) + '\n'
