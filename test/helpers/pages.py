# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The blocks of code of README and documents, and what is to be done with each.

Every block is fenced. A comment in the line above may say more about it:

- nothing: it is run, by its language: ``console`` (commands behind ``$``, with their whole
  output), ``sh`` (commands that succeed), ``python`` (statements, or ``>>>`` with their output)
- ``<!-- run: ros -->``, ``<!-- run: browser -->``: it is run where there is ROS, or a browser
- ``<!-- run: ros, until: TEXT -->``: its command keeps running while the page is read; the next
  block begins when the command has printed this text. ``until`` alone is for a command without
  ROS.
- ``<!-- exit status: 1 -->``: each command of ``sh`` ends with this status
- ``<!-- not run: REASON -->``: it is shown only

A block with a title (```` ```xml title="arm.urdf" ````) is a file, written where the commands run.
A comment ``<!-- xml, text on this page are not run: REASON -->`` applies to all blocks of these
languages, and ``<!-- examples on this page: arm.hrdf=hrdf/arm_6dof.hrdf -->`` puts copies of
examples, and directories of them, where the commands run.
"""

from __future__ import annotations

from pathlib import Path
import re
from typing import Literal, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PATTERNS = ('*.md', 'docs/**/*.md', 'examples/*/README.md')
PAGES = sorted({page for pattern in PATTERNS for page in ROOT.glob(pattern)})

Doing = Literal['run', 'file', 'shown']
RUNNABLE = ('console', 'sh', 'python')
_BLOCK = re.compile(
    r'(?:^<!-- (?P<remark>[^>]*) -->\n)?'
    r'^(?P<mark>`{3,})(?P<info>.*)\n(?P<body>(?:.*\n)*?)(?P=mark)$', re.MULTILINE)
_TITLE = re.compile(r'title="(.+?)"')
_PAGE_REMARK = re.compile(r'^<!-- (\w+(?:, \w+)*) on this page are not run: (.+) -->$',
                          re.MULTILINE)
_EXAMPLES = re.compile(r'^<!-- examples on this page: (.+) -->$', re.MULTILINE)


class BadPage(Exception):
    """A page does not say what is to be done with a block."""


class Block(NamedTuple):
    """
    A fenced block: its first ``line`` in the page, and what is to be done with it.

    ``needs`` is what the block needs (``ros``, ``browser``) or ''. ``until`` is the text after
    which a command that keeps running is ready. ``title`` is the name of its file. ``reason`` says
    why it is not run.
    """

    page: Path
    line: int
    language: str
    body: str
    doing: Doing
    title: str = ''
    needs: str = ''
    until: str = ''
    status: int = 0
    reason: str = ''

    @property
    def place(self) -> str:
        """The place of the block, for messages."""
        return f'{self.page.relative_to(ROOT)}:{self.line}'


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page; one that nobody can tell how to treat raises BadPage."""
    text = page.read_text(encoding='utf-8')
    reasons = {language: reason for languages, reason in _PAGE_REMARK.findall(text)
               for language in languages.split(', ')}
    found = []
    for each in _BLOCK.finditer(text):
        line = text.count('\n', 0, each.start('mark')) + 1
        language, title = each['info'].split(' ')[0], _TITLE.search(each['info'])
        block = Block(page, line, language, each['body'], 'run', title[1] if title else '')
        found.append(_treated(block, each['remark'] or '', reasons))
    return found


def pages_that_need(what: str) -> list[Path]:
    """Return the pages that have blocks that need ROS or a browser."""
    return [page for page in PAGES if any(block.needs == what for block in blocks(page))]


def examples(page: Path) -> dict[str, str]:
    """Return the examples that a page uses: where they are copied to, and from where."""
    found = _EXAMPLES.search(page.read_text(encoding='utf-8'))
    return dict(entry.split('=') for entry in found[1].split()) if found else {}


def without_blocks(page: Path) -> str:
    """Return the text of a page without its blocks."""
    return _BLOCK.sub('', page.read_text(encoding='utf-8'))


def _treated(block: Block, remark: str, reasons: dict[str, str]) -> Block:
    """Return a block with what its remark, its language and the page say about it."""
    key, _, value = remark.partition(': ')
    if key == 'not run' and value:
        return block._replace(doing='shown', reason=value)
    if key == 'run':
        needs, _, until = value.partition(', until: ')
        if needs not in ('ros', 'browser'):
            raise BadPage(f"{block.place}: '{needs}' is neither ros nor browser")
        block = block._replace(needs=needs, until=until)
    elif key == 'until':
        block = block._replace(until=value)
    elif key == 'exit status':
        block = block._replace(status=int(value))
    if block.title:
        return block._replace(doing='file')
    if block.language in RUNNABLE:
        return block
    if block.language in reasons:
        return block._replace(doing='shown', reason=reasons[block.language])
    raise BadPage(
        f"{block.place}: a block of '{block.language}' is not run: give it a title, or a comment "
        '<!-- not run: REASON --> above it')
