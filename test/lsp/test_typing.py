# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What a person types is what is in the file: lists open where they help, and never take an Enter.

The editor here has VS Code's rules: a list opens after a key that the server names and with the
first letter of a word, is filtered while the word is typed, closes with any other key, and Enter
takes its first item; quotes are closed and typed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor

ROBOTS = {
    'a.urdf': """\
<robot name="r">
  <link name="base"/>
  <link name="arm">
    <inertial>
      <mass value="1.5"/>
    </inertial>
  </link>
  <joint name="j1" type="fixed">
    <parent link="base"/>
    <child link="arm"/>
  </joint>
</robot>
""",
    'a.sdf': """\
<sdf version="1.9">
  <model name="m">
    <link name="a">
      <pose>0 0 1 0 0 0</pose>
    </link>
    <joint name="j" type="fixed">
      <parent>world</parent>
      <child>a</child>
    </joint>
  </model>
</sdf>
""",
    'a.hrdf': """\
<robot version="1.5.0">
  <actuator type="X5-4" tag="J1"/>
  <link type="X5" extension="0.3" twist="0"/>
  <bracket type="X5LightLeft"/>
</robot>
""",
    'a.mjcf': """\
<mujoco model="m">
  <worldbody>
    <body name="b" pos="0 0 1">
      <joint name="j" axis="0 0 1"/>
      <geom type="box" size="1 1 1"/>
    </body>
  </worldbody>
</mujoco>
""",
    'a.skel': """\
<skel version="1.0">
  <skeleton name="s">
    <body name="b">
      <transformation>0 0 0 0 0 0</transformation>
    </body>
  </skeleton>
</skel>
""",
}


class Typist:
    """Types into an editor with VS Code's rules; ``accepted`` are the items that Enter took."""

    def __init__(self, editor: Editor, name: str, triggers: list[str]) -> None:
        self.editor = editor
        self.uri = editor.open(name, '')
        self.before, self.after = '', ''
        self.triggers = triggers
        self.accepted: list[str] = []
        self._items: list[tuple[str, str]] = []
        """The filter text and the label of each item of the open list."""

    @property
    def text(self) -> str:
        return self.before + self.after

    def type(self, text: str) -> None:
        """Press the key of each character."""
        for key in text:
            self.press(key)

    def press(self, key: str) -> None:
        """Press a key, with what the editor does at it."""
        if key == '\n' and self._items:
            self.accepted.append(self._items[0][1])
            self._items = []
            return
        if key in '"' and self.after.startswith('"'):
            self.before, self.after = self.before + key, self.after[1:]
        else:
            pair = '"' if key == '"' and self.before.endswith('=') else ''
            self.before, self.after = self.before + key, pair + self.after
        self.editor.change(self.uri, self.text)
        word = len(self.before) - len(self.before.rstrip(
            'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'))
        if key in self.triggers:
            self._open(key)
        elif word == 1 and key.isalpha() and not self._items:
            self._open(None)
        elif not (key.isalnum() or key in '_-'):
            self._items = []
        typed = self.before[len(self.before) - word:]
        self._items = [one for one in self._items if typed.lower() in one[0].lower()]

    def _open(self, key: str | None) -> None:
        """Ask for a list, as after a key or as with the first letter of a word."""
        from helpers.editor import utf16_position
        from lsprotocol import types as lsp
        kind = lsp.CompletionTriggerKind.Invoked if key is None else (
            lsp.CompletionTriggerKind.TriggerCharacter)
        found = self.editor.ask('completion', lsp.CompletionParams(
            lsp.TextDocumentIdentifier(self.uri), utf16_position(self.text, len(self.before)),
            context=lsp.CompletionContext(kind, key)))
        self._items = [
            (item.filter_text or item.label, item.label)
            for item in (found.items if found else ())]


@pytest.mark.parametrize('name', ROBOTS)
def test_what_is_typed_is_what_is_there(editor: Editor, name: str) -> None:
    completion = editor.answer.capabilities.completion_provider
    assert completion is not None
    typist = Typist(editor, name, list(completion.trigger_characters or ()))
    typist.type(ROBOTS[name])
    assert typist.text == ROBOTS[name]
    assert typist.accepted == []


@pytest.mark.parametrize(('typed', 'expected'), [
    ('<robot name="r">\n  <lin', 'link'), ('<robot name="r">\n  <joint na', 'name'),
    ('<robot name="r">\n  <joint type="rev', 'revolute')])
def test_a_list_that_opened_takes_the_enter(editor: Editor, typed: str, expected: str) -> None:
    typist = Typist(editor, 'a.urdf', ['<', '/', '"', "'"])
    typist.type(typed + '\n')
    assert typist.accepted == [expected]


@pytest.mark.parametrize('text', [
    '<robot name="r">\n  <joint |\n</robot>',
    '<robot name="r">\n  <joint |\n  <link name="a"/></robot>'])
def test_attributes_are_proposed_before_another_tag(editor: Editor, text: str) -> None:
    uri = editor.open('a.urdf', text.replace('|', ''))
    assert 'type' in editor.labels(uri, text.strip())
    assert 'link' not in editor.labels(uri, text.strip())


@pytest.mark.parametrize(('text', 'expected'), [
    ('<robot name="r"><joint>|</robot>', '</joint>'),
    ('<robot name="r"><joint>|</joint></robot>', None),
    ('<robot name="r"><link name="a"/>|</robot>', None), ('<robot name="r">|', '</robot>')])
def test_the_end_tag_that_is_missing(editor: Editor, text: str, expected: str | None) -> None:
    from helpers.editor import utf16_position
    uri = editor.open('a.urdf', text.replace('|', ''))
    at = utf16_position(text.replace('|', ''), text.index('|'))
    found = editor.wait(editor.client.protocol.send_request_async('hrdf/closingTag', {
        'textDocument': {'uri': uri}, 'position': {'line': at.line, 'character': at.character}}))
    assert found == expected


def test_start_and_end_tag_are_edited_together(editor: Editor) -> None:
    from lsprotocol import types as lsp
    uri = editor.open('a.urdf', '<robot name="r"><link name="a"></link></robot>')
    found = editor.ask('linked_editing_range', lsp.LinkedEditingRangeParams(
        **editor.at(uri, '<li|nk name')))
    assert [(one.start.character, one.end.character) for one in found.ranges] == [
        (17, 21), (33, 37)]
    assert editor.ask('linked_editing_range', lsp.LinkedEditingRangeParams(
        **editor.at(uri, 'name="|a"'))) is None
