# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Random edits and hostile documents: every request is answered, and without an exception."""

from __future__ import annotations

from pathlib import Path
import random
from types import SimpleNamespace
from typing import TYPE_CHECKING

from helpers.robots import described, REPOSITORY
import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor

FILES = described(REPOSITORY / 'examples', ('.hrdf', '.sdf', '.skel', '.urdf', '.xacro'))
PIECES = (
    '<', '>', '</', '/>', '"', "'", '=', '&', '&amp;', '<!--', '-->', '--', '<![CDATA[', ']]>',
    '<?xml', '?>', '<!DOCTYPE a [<!ENTITY e "x">]>', '\n', '\r\n', '\r', '\t', ' ', '\0',
    '\U0001f916', '\u2028', '\x0c', '\ufeff', 'version="9.9"', '<link name="a">', '<joint',
    '<include>', 'name="', '::', '${x}', '1e999', 'nan', '<a' * 50, ' b="1"' * 20)
HOSTILE = {
    'deep.sdf': '<sdf version="1.9">' + '<model name="m">' * 3000,
    'wide.urdf': '<robot name="r">' + '<link name="a"/>' * 6_000,
    'long.hrdf': '<robot version="1.5.0"><joint axis="rz" tag="' + 'x' * 1_000_000 + '"/></robot>',
    'laughs.urdf': '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><robot name="&b;"/>',
    'self.hrdf': '<robot version="1.5.0"><include path="self.hrdf"/></robot>',
    'device.hrdf': '<robot version="1.5.0"><include path="../../../../dev/zero"/></robot>',
    'quotes.urdf': '<robot name="' * 6_000, 'comments.urdf': '<!--' * 20_000,
    'open.urdf': '<robot><' + 'a ' * 30_000, 'nul.sdf': '<sdf\0 version="1.9">\0</sdf>',
    'surrogate.urdf': '<robot name="\ud800"/>', 'empty.skel': '', 'text.world': 'no markup'}


def ask_everything(editor: Editor, uri: str, position: tuple[int, int]) -> None:
    """Send every request about a place; an exception in the server is one here."""
    from lsprotocol import types as lsp
    document, place = lsp.TextDocumentIdentifier(uri), lsp.Position(*position)
    for request, params in (
            ('completion', lsp.CompletionParams(document, place)),
            ('hover', lsp.HoverParams(document, place)),
            ('definition', lsp.DefinitionParams(document, place)),
            ('references', lsp.ReferenceParams(lsp.ReferenceContext(True), document, place)),
            ('prepare_rename', lsp.PrepareRenameParams(document, place)),
            ('document_symbol', lsp.DocumentSymbolParams(document)),
            ('formatting', lsp.DocumentFormattingParams(
                document, lsp.FormattingOptions(2, True))),
            ('code_action', lsp.CodeActionParams(
                document, lsp.Range(place, place), lsp.CodeActionContext([])))):
        editor.ask(request, params)


@pytest.mark.parametrize('seed', range(8))
def test_random_edits(editor: Editor, seed: int) -> None:
    choose = random.Random(seed)
    file = choose.choice(FILES)
    text = file.read_text(encoding='utf-8')
    uri = editor.open(file.name, text)
    for _ in range(12):
        start = choose.randrange(len(text) + 1)
        end = start + choose.choice([0, 1, 30, 200])
        text = text[:start] + choose.choice(PIECES) + text[end:]
        editor.change(uri, text)
        lines = text.count('\n') + 2
        ask_everything(editor, uri, (choose.randrange(lines), choose.randrange(90)))
    editor.diagnostics(uri)
    editor.change(uri, '<robot name="r"><link name="a"/></robot>')
    editor.diagnostics(uri)


@pytest.mark.parametrize('name', HOSTILE)
def test_hostile_documents(editor: Editor, folder: Path, name: str) -> None:
    uri = editor.open(name, HOSTILE[name])
    for position in ((0, 0), (0, 14), (0, 40), (0, 10 ** 6), (10 ** 6, 3)):
        ask_everything(editor, uri, position)
    assert editor.diagnostics(uri) or name == 'wide.urdf'
    clean = editor.open('clean.urdf', '<robot name="r"><link name="a"/></robot>')
    assert editor.diagnostics(clean) == []


def test_a_file_that_includes_itself_again_and_again(editor: Editor, folder: Path) -> None:
    include = '<include merge="true"><uri>again.sdf</uri></include>'
    (folder / 'again.sdf').write_text(
        f'<sdf version="1.9"><model name="m"><link name="a"/>{include * 9}'
        '<frame name="f" attached_to="b"/></model></sdf>')
    uri = editor.open('again.sdf')
    assert editor.definition(uri, 'attached_to="|b') == []
    assert 'a' in editor.labels(uri, 'attached_to="|b')


def test_messages_about_documents_that_are_not_open(editor: Editor) -> None:
    from lsprotocol import types as lsp
    uri = editor.uri('nothing.urdf')
    ask_everything(editor, uri, (0, 0))
    editor.client.text_document_did_change(lsp.DidChangeTextDocumentParams(
        lsp.VersionedTextDocumentIdentifier(version=1, uri=uri), [
            lsp.TextDocumentContentChangeWholeDocument('x')]))
    editor.client.text_document_did_close(
        lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    ask_everything(editor, 'untitled:x', (0, 0))
    ask_everything(editor, 'http://[', (0, 0))


def test_a_request_with_values_of_wrong_types_is_an_error(editor: Editor) -> None:
    from lsprotocol import types as lsp
    from pygls.exceptions import JsonRpcInvalidParams
    params = lsp.HoverParams(lsp.TextDocumentIdentifier('file:///r.urdf'), lsp.Position(0, 0))
    params.position = SimpleNamespace(line='here', character=0)
    with pytest.raises(JsonRpcInvalidParams):
        editor.ask('hover', params)
    ask_everything(editor, editor.open('r.urdf', '<robot name="r"/>'), (0, 2))
