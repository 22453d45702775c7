# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A person who types into VS Code, key by key, with our extension and a real language server.

The rules are those of VS Code 1.100: quotes are closed and typed over, Enter and ``</`` indent by
the extension's language configuration, a list opens after a key that the server names and with a
letter, is filtered while one types, and takes Enter and Tab; a snippet has tab stops; start and
end tag are edited together. Every answer comes before the next key; only the names of the tags are
not asked for again while keys come fast.
"""

from __future__ import annotations

from functools import partial
import json
import re
from typing import NamedTuple, Optional

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from helpers.editor import Editor, utf16_offset, utf16_position
from helpers.robots import REPOSITORY

_CONFIGURATION = json.loads(
    (REPOSITORY / 'editors' / 'vscode' / 'language-configuration.json').read_text('utf-8'))
_INCREASE = re.compile(_CONFIGURATION['indentationRules']['increaseIndentPattern'])
_DECREASE = re.compile(_CONFIGURATION['indentationRules']['decreaseIndentPattern'])
_BETWEEN_TAGS = [
    (re.compile(rule['beforeText']), re.compile(rule['afterText']))
    for rule in _CONFIGURATION['onEnterRules']]
_WORD = re.compile(f"(?:{_CONFIGURATION['wordPattern']})\\Z")
_NUMBER = re.compile(r'[+-]?(\d+\.?\d*|\.\d+)\Z')
_QUOTED = re.compile(r"<[\w/][^<>]*?=\s*(\"[^\"]*|'[^']*)\Z")
_TAG_NAME = re.compile(r'</?[\w.:-]*\Z')
_STOP = re.compile(r'\$\{?(\d)\}?')
_EMPTY_VALUE = re.compile(r'="(\$\{?1\}?)?"')
_KEY = re.compile(r'\{[A-Z][A-Za-z+]*\}|.', re.DOTALL)
_WORD_START = re.compile(r'(?<=[\W_])\w|[A-Z]')
_INDENTATION = '  '
_PAUSE = 100
"""The milliseconds without a key after which VS Code asks where the names of the tags are."""


class _Proposal(NamedTuple):
    """An item of the open list: it replaces the text from ``start`` to ``after`` characters on."""

    item: lsp.CompletionItem
    start: int
    after: int


class Typist:
    """
    Types into a document, with ``delay`` milliseconds from key to key.

    ``accepted`` are the labels of the proposals that a key took.
    """

    def __init__(self, editor: Editor, name: str, before: str = '|', delay: int = 250) -> None:
        completion = editor.answer.capabilities.completion_provider
        assert completion is not None
        self._triggers = list(completion.trigger_characters or ())
        self._editor = editor
        self.text, self.here = before.replace('|', '', 1), before.index('|')
        self._uri = editor.open(name, self.text)
        self.accepted: list[str] = []
        self.keys = 0
        self.depends_on_delay = False
        """Whether another delay may give another text."""
        self._asks_for_tags = delay >= _PAUSE
        self._tags: Optional[list[tuple[int, int]]] = None
        """The spans of the names that the last key has edited, None if it was in no name."""
        self._list: list[_Proposal] = []
        self._focus = 0
        self._is_asked = False
        """Whether the list was asked for by hand: then it stays where nothing fits."""
        self._indented: Optional[int] = None
        """The offset to which the editor has indented a line; Enter there leaves it empty."""
        self._undo: list[tuple[str, int]] = []
        """The texts to which Ctrl+Z goes back, each with the place of the cursor."""
        self._step = ''
        """What the last change was; changes of one kind are undone together."""
        self._closed: list[int] = []
        """The offsets of the quotes that the editor wrote."""
        self._stops: list[int] = []
        """The offsets of the tab stops that follow."""
        self._commands = {
            '\n': self._enter, '{Tab}': self._tab, '{Esc}': self._close, '{Backspace}':
            self._backspace, '{Left}': partial(self._move, -1), '{Right}': partial(self._move, 1),
            '{End}': self._end, '{Down}': self._down, '{Ctrl+Z}': self._go_back,
            '{Ctrl+Space}': partial(self._open, None, by_hand=True)}

    @property
    def shown(self) -> str:
        """The text, with ``|`` for the cursor."""
        return self.text[:self.here] + '|' + self.text[self.here:]

    def type(self, keys: str) -> None:
        """Press keys; a name in braces, such as ``{End}``, is one key."""
        for key in _KEY.findall(keys):
            self.keys += 1
            tags = self._tags
            self._commands.get(key, partial(self._character, key))()
            if self._tags is tags:
                self._tags = None

    # ---- the text

    def _replace(self, start: int, end: int, new: str, *, here: int | None = None) -> None:
        """Replace a part of the text; cursor and tab stops after the part move with the text."""
        shift = len(new) - (end - start)
        self.text = self.text[:start] + new + self.text[end:]
        self._closed = [at + shift if at >= end else at for at in self._closed
                        if not start <= at < end]
        self._stops = [at + shift if at >= end else at for at in self._stops]
        if here is not None:
            self.here = here
        elif self.here >= end:
            self.here += shift
        self._editor.change(self._uri, self.text)

    @property
    def _line(self) -> str:
        """The line before the cursor."""
        return self.text[self.text.rfind('\n', 0, self.here) + 1:self.here]

    @property
    def _rest(self) -> str:
        """The line after the cursor."""
        return self.text[self.here:].partition('\n')[0]

    @property
    def _word(self) -> str:
        found = _WORD.search(self.text, 0, self.here)
        return '' if found is None else found[0]

    def _is_in_comment(self) -> bool:
        return self.text.rfind('<!--', 0, self.here) > self.text.rfind('-->', 0, self.here)

    # ---- keys

    def _begin(self, step: str) -> None:
        """Begin a change; successive changes of one step are undone together, except for edits."""
        if step != self._step or step == 'edit':
            self._undo.append((self.text, self.here))
        self._step = step

    def _go_back(self) -> None:
        self._close()
        self._step = ''
        if self._undo:
            text, here = self._undo.pop()
            self._replace(0, len(self.text), text, here=here)

    def _character(self, key: str) -> None:
        if key in '"\'' and self.here in self._closed and self.text.startswith(key, self.here):
            self._closed.remove(self.here)
            self.here += 1
        elif not self._type_in_tags(key):
            is_paired = key in '"\'' and self._closes_quote()
            self._begin('edit' if is_paired else 'blank' if key == ' ' else 'letters')
            self._replace(self.here, self.here, key + (key if is_paired else ''),
                          here=self.here + 1)
            if is_paired:
                self._closed.append(self.here)
                self._step = 'letters'
        self._outdent(key)
        self._suggest(key)
        if key in '>/':
            self._follow()

    def _closes_quote(self) -> bool:
        """Return whether the editor writes the second quote."""
        is_free = not self._rest or self._rest[0] in ';:.,=}])> \t'
        return is_free and not (
            self._word or self._is_in_comment() or _QUOTED.search(self.text, 0, self.here))

    def _type_in_tags(self, key: str) -> bool:
        """Type into the names of start and end tag; return whether the cursor is in one."""
        return (key.isalnum() or key in '_-') and self._edit_tags(0, key)

    def _edit_tags(self, removed: int, new: str) -> bool:
        if _TAG_NAME.search(self.text, 0, self.here) is None:
            return False
        self.depends_on_delay |= bool(self._tags)
        spans = self._tags
        if spans is None or self._asks_for_tags:
            spans = self._tag_names()
        self._tags = [*spans]
        own = next((start for start, end in spans if start <= self.here <= end), None)
        if own is None or self.here - removed < own:
            return False
        here, within = self.here, self.here - own
        for start, _ in reversed(spans):
            self._replace(start + within - removed, start + within, new, here=here)
        shift = len(new) - removed
        self.here = here + (sum(start < own for start, _ in spans) + 1) * shift
        self._tags = [(start + index * shift, end + (index + 1) * shift)
                      for index, (start, end) in enumerate(spans)]
        return True

    def _tag_names(self) -> list[tuple[int, int]]:
        """Return where the names of the start and end tag at the cursor are."""
        try:
            found = self._editor.ask('linked_editing_range', lsp.LinkedEditingRangeParams(
                lsp.TextDocumentIdentifier(self._uri), utf16_position(self.text, self.here)))
        except (AttributeError, JsonRpcException):
            return []
        return sorted((utf16_offset(self.text, one.start), utf16_offset(self.text, one.end))
                      for one in (found.ranges if found else ()))

    def _outdent(self, key: str) -> None:
        """Give a line its indentation when it begins with an end tag."""
        line = self._line
        if not _DECREASE.match(line + self._rest) or _DECREASE.match(line[:-1] + self._rest) or (
                key != '/'):
            return
        own = re.match(r'[ \t]*', line)
        assert own is not None
        start = self.here - len(line)
        wanted = self._inherited(self.text[:start])[len(_INDENTATION):]
        self._replace(start, start + own.end(), wanted)

    def _inherited(self, above: str) -> str:
        """Return the indentation of a line below others."""
        last = next((line for line in reversed(above.split('\n')) if line.strip()), '')
        indentation = last[:len(last) - len(last.lstrip())]
        return indentation + (_INDENTATION if _INCREASE.search(last) else '')

    def _enter(self) -> None:
        if self._list:
            self._accept()
            return
        self._begin('edit')
        line, rest = self._line, self._rest
        blank = len(line) if self.here == self._indented else 0
        after = len(rest) - len(rest.lstrip(' \t'))
        indentation = line[:len(line) - len(line.lstrip())]
        below = ''
        if any(before.search(line) and behind.search(rest) for before, behind in _BETWEEN_TAGS):
            new, below = indentation + _INDENTATION, '\n' + indentation
        else:
            new = self._inherited(self.text[:self.here])
            if _DECREASE.match(rest):
                new = new[len(_INDENTATION):]
        start = self.here - blank
        self._replace(start, self.here + after, f'\n{new}{below}', here=start + 1 + len(new))
        self._stops, self._indented = [], self.here

    def _tab(self) -> None:
        if self._list:
            self._accept()
        elif self._stops:
            self.here = self._stops.pop(0)
        else:
            self._replace(self.here, self.here, _INDENTATION)

    def _backspace(self) -> None:
        self._begin('backspace')
        pair = self.text[self.here - 1:self.here + 1]
        if pair in ('""', "''") and self.here in self._closed:
            self._replace(self.here - 1, self.here + 1, '', here=self.here - 1)
        elif not self._edit_tags(1, ''):
            self._replace(self.here - 1, self.here, '', here=self.here - 1)
        is_open = bool(self._list)
        self._close()
        if is_open and self._word:
            self._open(None)

    def _move(self, by: int) -> None:
        self.here += by
        self._close()

    def _end(self) -> None:
        self.here += len(self._rest)
        self._close()
        self._stops = []

    def _down(self) -> None:
        if len(self._list) > 1:
            self._focus = (self._focus + 1) % len(self._list)
            return
        self._close()
        column = len(self._line)
        start = self.here + len(self._rest) + 1
        if start <= len(self.text):
            self.here = start + min(column, len(self.text[start:].partition('\n')[0]))

    # ---- the list

    def _close(self) -> None:
        self._list, self._is_asked = [], False

    def _suggest(self, key: str) -> None:
        """Open, filter or close the list after a character."""
        if key in self._triggers:
            self._open(key)
            return
        was_open = bool(self._list)
        if was_open:
            fitting = self._fitting(self._list)
            if fitting or not self._is_asked:
                self._list, self._focus = fitting, 0
        word = self._word
        if not was_open and word and not _NUMBER.match(word) and not self._is_in_comment():
            self._open(None)

    def _open(self, key: str | None, *, by_hand: bool = False) -> None:
        """Ask for a list, as after a key, with a letter, or by hand."""
        kind = lsp.CompletionTriggerKind.Invoked if key is None else (
            lsp.CompletionTriggerKind.TriggerCharacter)
        found = self._editor.ask('completion', lsp.CompletionParams(
            lsp.TextDocumentIdentifier(self._uri), utf16_position(self.text, self.here),
            context=lsp.CompletionContext(kind, key)))
        self._list = self._fitting([
            _Proposal(item, utf16_offset(self.text, item.text_edit.range.start),
                      utf16_offset(self.text, item.text_edit.range.end) - self.here)
            for item in (found.items if isinstance(found, lsp.CompletionList) else found or ())])
        self._focus, self._is_asked = 0, by_hand

    def _fitting(self, proposals: list[_Proposal]) -> list[_Proposal]:
        """Return the proposals that fit what is typed, the best first."""
        fitting = []
        for one in proposals:
            typed = self.text[one.start:self.here].lstrip().lower()
            label = one.item.filter_text or one.item.label
            name, letters = label.lower(), iter(label.lower())
            starts = label[0].lower() + ''.join(_WORD_START.findall(label)).lower()
            if not typed or typed[0] in starts and all(letter in letters for letter in typed):
                order = typed != name, not name.startswith(typed), one.item.sort_text or ''
                fitting.append((order, one))
        return [one for _, one in sorted(fitting, key=lambda pair: pair[0])]

    def _accept(self) -> None:
        """Take the proposal in focus, with its tab stops."""
        item, start, after = self._list[self._focus]
        self._close()
        self._begin('edit')
        self.accepted.append(item.label)
        assert isinstance(item.text_edit, lsp.TextEdit)
        new = item.text_edit.new_text
        if item.insert_text_format == lsp.InsertTextFormat.Snippet:
            text, stops = '', {}
            for position, part in enumerate(_STOP.split(new)):
                if position % 2:
                    stops[int(part) or 9] = start + len(text)
                else:
                    text += part
            ordered = [stops[number] for number in sorted(stops)]
            if 9 not in stops:
                ordered.append(start + len(text))
            self._replace(start, self.here + after, text, here=ordered[0])
            self._stops = ordered[1:] + self._stops
        else:
            self._replace(start, self.here + after, new, here=start + len(new))
        if _EMPTY_VALUE.search(new):
            self._open(None)

    # ---- the extension

    def _follow(self) -> None:
        """Make the edits of the server that belong to a key."""
        at = utf16_position(self.text, self.here)
        try:
            edits = self._editor.wait(self._editor.client.protocol.send_request_async(
                'hrdf/typed', {'textDocument': {'uri': self._uri}, 'position': {
                    'line': at.line, 'character': at.character}}))
        except JsonRpcException:
            return
        for edit in edits or ():
            self._begin('edit')
            start, end = (
                utf16_offset(self.text, lsp.Position(one['line'], one['character']))
                for one in (edit['range']['start'], edit['range']['end']))
            self._replace(start, end, edit['newText'], here=self.here)
