# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Large texts: a key reads what is near it, and the rest is answered by another process."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, TYPE_CHECKING

from hrdf_ros.document import tokenizer
from hrdf_ros.lsp import excerpts
from hrdf_ros.lsp.excerpts import Pieces
from hrdf_ros.lsp.positions import Span, Text
from hrdf_ros.lsp.syntax import cursor_at, Syntax
import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor

PARTS = ('<a>', '</a>', '<b x="1">', '</b>', '<c/>', "<c y='2'/>")
ODD_PARTS = (
    *PARTS, ' t ', '\n', '\r', '\r\n', '<!-- <a> -->', '<!--', '-->', '<', '>', '/', '=', '<a b="',
    '<![CDATA[ </a> ]]>', '<d>1 2</d>', '<?x ?>', 'é😀')
LINKS = 2600


def shown(syntax: Syntax, offset: int) -> list[Any]:
    """Return what is at an offset, and the elements around it."""
    found = cursor_at(syntax, offset)
    around = [] if found.node is None else found.node.path()
    return [found.kind, found.attribute and found.attribute.span, [
        (one.tag, one.start, one.end, one.content, one.is_closed, one.is_broken, one.close_span,
         [attribute.span for attribute in one.attributes]) for one in around]]


@pytest.mark.parametrize('seed', range(8))
def test_what_is_near_is_what_is_in_the_whole_text(
        seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is so after any changes, well-formed or not, with pieces of one tag or more."""
    random = Random(seed)
    monkeypatch.setattr(excerpts, '_PIECE', random.choice((1, 20, 60)))
    source = ''.join(random.choices(PARTS, k=60))
    text, pieces = Text(source), Pieces(source)
    for _ in range(60):
        start = random.randrange(len(source) + 1)
        span = Span(start, min(start + random.choice((0, 0, 1, 3, 10)), len(source)))
        text = text.changed(span, random.choice(('', *ODD_PARTS)))
        source = text.source
        pieces = pieces.changed(span, source)
        whole, fresh = Syntax(source), Text(source)
        for offset in (min(start, len(source)), random.randrange(len(source) + 1)):
            assert shown(pieces.around(offset), offset) == shown(whole, offset)
            assert text.position(offset) == fresh.position(offset)


def test_a_key_reads_its_own_part_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    source = f'<robot name="r">{"<link><visual/></link>" * 20_000}</robot>'
    pieces, count = Pieces(source), 0
    tokens = tokenizer.tokens

    def counted(text: str, start: int = 0) -> Iterator[tokenizer.Token]:
        nonlocal count
        for token in tokens(text, start):
            count += 1
            yield token
    monkeypatch.setattr(tokenizer, 'tokens', counted)
    middle = len(source) // 2
    changed = pieces.changed(Span(middle, middle), f'{source[:middle]}<{source[middle:]}')
    assert changed.around(middle + 1).roots[0].tag == 'robot'
    assert 500 < count < 6000


def test_a_large_file_in_an_editor(editor: Editor) -> None:
    """All requests are answered, also those about what is far away."""
    links = ''.join(
        f'  <link name="link_{index}"/>\n  <joint name="joint_{index}" type="fixed">\n'
        f'    <parent link="base"/><child link="link_{index}"/>\n  </joint>\n'
        for index in range(LINKS))
    text = f'<robot name="r">\n  <link name="base"/>\n{links}  <!-- here --></robot>\n'
    uri = editor.open('large.urdf', text)
    editor.settle(uri)
    (name, _, inner), (rest, _, _) = editor.outline(uri)
    assert name == 'r' and len(inner) == 4999 and rest == '202 more elements are not listed'
    assert editor.definition(uri, 'child link="link_2|"') == [
        'large.urdf: <link name="[link_2]']
    assert 'frame `link_2`' in editor.hover(uri, '<link name="lin|k_2"')
    editor.rename(uri, 'child link="link_3|"', 'third')
    assert editor.texts[uri] == text.replace('"link_3"', '"third"')

    joint = '  <joint name="last" type="fixed">\n    <parent link="in99"/>\n'
    editor.change(uri, text.replace('  <!-- here', joint + '  <!-- here'))
    # names of the last analysis, with the letters that were typed
    labels = editor.labels(uri, '<parent link="in99|"')
    assert 'link_99' in labels and 'link_1993' in labels and 'link_3' not in labels
    assert 'child' in editor.labels(uri, '    <|parent link="in99"')
    assert editor.diagnostics(uri)[0].code == 'xml-syntax'
