# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What README and docs show is so: commands run, shown output is the output, links lead somewhere.

`helpers/pages.py` says how a page says what is to be done with a block. Blocks that need ROS are
run by `ros/test_live_scripts.py`, those that need a browser by
`view/browser/test_documentation.py`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
import re

from helpers.page_session import read_page
from helpers.pages import blocks, PAGES, ROOT, without_blocks
from hrdf_ros.cli.command import make_parsers
from hrdf_ros.consumers import CONSUMERS, RULES
import pytest
from reference import reference_pages
from reference.markdown import text

TEXTS = {file: file.read_text(encoding='utf-8') for file in PAGES}
INDENTED = re.compile(r'(?:\A|\n)(?![ ]*[-*\d]|[ ]{2}).*\n\n(?:[ ]{4}|\t)')
LINK = re.compile(r'\]\(([^)#:]+)(?:#[^)]*)?\)')


def identifier(value: object) -> str:
    """Return the name of a parameter: a page's path."""
    return str(value.relative_to(ROOT)) if isinstance(value, Path) else str(value)


@pytest.mark.parametrize('page', PAGES, ids=identifier)
def test_page_does_what_it_shows(page: Path, tmp_path: Path) -> None:
    read_page(page, tmp_path, able=())


@pytest.mark.parametrize('page', PAGES, ids=identifier)
def test_links_lead_to_files_and_code_is_fenced(page: Path) -> None:
    text = without_blocks(page)
    assert [link for link in LINK.findall(text) if not (page.parent / link).exists()] == []
    assert INDENTED.search(text) is None


def test_reference_pages_can_be_generated() -> None:
    """Their contents are looked at when the site is built, which needs more."""
    pages = reference_pages()
    assert {'reference/commands.md', 'reference/parameters.md', 'reference/sdf.md'} <= set(pages)
    consumers = pages['reference/consumers.md']
    assert all(f'## {consumer.title}\n' in consumers for consumer in CONSUMERS.values())
    assert all(text(rule.cure) in consumers for rule in RULES)
    assert '### `--sheet` { #hrdf-render-sheet }' in pages['reference/commands.md']
    assert all(page.startswith('# ') and '\n| ' in page or ':::' in page
               for page in pages.values())


def test_every_command_is_on_the_page_and_has_the_schema_of_its_json() -> None:
    rows = re.findall(r'^\| `hrdf ([a-z0-9-]+)', TEXTS[ROOT / 'docs' / 'command-line.md'],
                      re.MULTILINE)
    assert sorted(rows) == sorted(make_parsers([])[1])
    commands = {name for name in rows if '--json' in make_parsers([name])[1][name].format_help()}
    schemas = {file.name.partition('.')[0] for file in (ROOT / 'docs' / 'schema').iterdir()}
    assert commands == schemas


def test_steps_of_the_architecture_are_in_the_files_that_it_names() -> None:
    """Each file of a table exists, and defines the entry points beside it."""
    page = (ROOT / 'docs' / 'architecture.md').read_text(encoding='utf-8')
    rows = re.findall(r'^\|[^|]*\|([^|]*hrdf_ros/[^|]*)\|([^|]*)\|$', page, re.MULTILINE)
    assert len(rows) > 20
    for files, names in rows:
        code = ''.join((ROOT / file).read_text(encoding='utf-8')
                       for file in re.findall(r'`(hrdf_ros/[\w/]+\.py)`', files))
        for name in re.findall(r'`(\w+)`', names):
            assert re.search(rf'^\s*(def|class) {name}\b|^{name}\b', code, re.MULTILINE), name


@pytest.mark.parametrize(('text', 'fault'), [
    ('```console\n$ echo one\ntwo\n```\n', '--- printed\none'),
    ('```console\n$ echo one\n```\n', '--- printed\none'),
    ('```sh\nfalse\n```\n', 'ended with status 1'),
    ('<!-- exit status: 1 -->\n```sh\ntrue\n```\n', 'ended with status 0'),
    ('```python\nassert 1 == 2\n```\n', ''),
    ('```python\n>>> 1 + 1\n3\n```\n', 'Expected:\n    3\nGot:\n    2')])
def test_a_page_that_is_wrong_is_found(text: str, fault: str, tmp_path: Path) -> None:
    page = ROOT / 'docs' / 'wrong.md'
    with pytest.MonkeyPatch.context() as patch, pytest.raises(
            AssertionError, match=re.escape(fault) or None):
        patch.setattr(Path, 'read_text', lambda *_, **__: text)
        read_page(page, tmp_path, able=())


def test_every_block_is_run_or_says_why_not() -> None:
    found = [block for page in PAGES for block in blocks(page)]
    count = Counter(block.needs or block.doing for block in found)
    assert count.total() == len(found) == sum(
        len(re.findall('^```', text, re.MULTILINE)) // 2 for text in TEXTS.values())
    assert count['run'] >= 30
    assert all(block.reason for block in found if block.doing == 'shown')


def test_make_targets_exist() -> None:
    targets = re.findall(r'^(\w+):', (ROOT / 'Makefile').read_text(), re.MULTILINE)
    named = {name for text in TEXTS.values() for name in re.findall(r'`make (\w+)', text)}
    assert named <= set(targets)
