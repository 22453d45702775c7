# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
A session with the language server, step by step, as docs/editors.md shows it.

    python test/helpers/editor_session.py     prints it
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
import sys
import tempfile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from helpers.editor import Editor

ARM = """\
<robot version="1.5.0">
  <actuator type="x5-9" tag="shoulder"/>
  <lin
</robot>
"""
CELL = """\
<sdf version="1.9">
  <world name="cell">
    <include><name>left</name><uri>arm.hrdf</uri></include>
    <frame name="camera" attached_to="left::"/>
  </world>
</sdf>
"""


def session(folder: Path) -> Iterator[str]:
    """Yield what is done and what is seen, line by line."""
    with Editor(folder) as editor:
        yield from _type(editor)
        yield from _include(editor)
        yield from _tidy(editor)


def _type(editor: Editor) -> Iterator[str]:
    """Write an arm."""
    uri = editor.open('arm.hrdf', ARM)
    yield '== Open a new file arm.hrdf and type, up to <lin'
    yield from _text(editor, uri)
    yield from _diagnostics(editor, uri)
    yield '== Ask for completion behind <lin'
    for item in editor.complete(uri, '<lin|\n'):
        if item.label.startswith('lin'):
            yield f'  {item.label}: {item.detail}'
            yield f'  inserts {item.text_edit.new_text}'
    yield '== Take it and fill it in; ask for completion in output=""'
    editor.type(uri, '<lin|\n', 'k type="X5" extension="0.3" twist="0" output="" tag="upper"/>')
    yield _listed(editor, uri, 'output="|"')
    editor.type(uri, 'output="|"', 'RightAngle')
    yield from _diagnostics(editor, uri)
    yield '== Take the quick fix of the diagnostic'
    title, fix = next(iter(editor.fixes(uri).items()))
    yield f'  {title}'
    editor.perform(fix.edit)
    yield from _diagnostics(editor, uri)
    editor.settle(uri)
    for at in ('X5|-9', 'up|per'):
        yield f'== Point at {at.replace("|", "")}'
        yield from (f'  {line}' for line in editor.hover(uri, at).splitlines() if line)


def _include(editor: Editor) -> Iterator[str]:
    """Use the arm in a world, though it was never saved."""
    arm, cell = editor.uri('arm.hrdf'), editor.open('cell.sdf', CELL)
    yield '== Open cell.sdf, which includes arm.hrdf; that is not saved yet'
    yield from _text(editor, cell)
    yield '== Ask for completion behind left::'
    yield _listed(editor, cell, '"left::|"')
    editor.type(cell, '"left::|"', 'upper')
    yield '== Take left::upper'
    yield from _diagnostics(editor, cell)
    yield '== Go to the definition of upper'
    yield from (f'  {target}' for target in editor.definition(cell, '"left::up|per"'))
    yield '== Rename it to forearm: both files change'
    editor.rename(cell, '"left::up|per"', 'forearm')
    for uri in (arm, cell):
        yield from (f'  {line.strip()}' for line in editor.texts[uri].splitlines()
                    if 'forearm' in line)


def _tidy(editor: Editor) -> Iterator[str]:
    """Repair a comment and format."""
    uri = editor.uri('arm.hrdf')
    yield '== Type a comment with -- and spaces too many'
    editor.type(uri, '"1.5.0">|', '   <!-- the arm -- of the cell -->\n\n\n')
    yield from _diagnostics(editor, uri)
    yield '== Take the quick fix, then format'
    title, fix = next(iter(editor.fixes(uri).items()))
    yield f'  {title}'
    editor.perform(fix.edit)
    editor.edit(uri, editor.formatting(uri))
    yield from _text(editor, uri)
    yield from _diagnostics(editor, uri)
    yield '== Look at the outline'
    for name, detail, below in editor.outline(uri):
        yield f'  {name} {detail}'.rstrip()
        yield from (f'    {inner} ({what})' for inner, what, _ in below)


def _listed(editor: Editor, uri: str, at: str) -> str:
    return f"  {', '.join(editor.labels(uri, at))}"


def _text(editor: Editor, uri: str) -> Iterator[str]:
    yield from (f'  | {line}' for line in editor.texts[uri].splitlines())


def _diagnostics(editor: Editor, uri: str) -> Iterator[str]:
    found = editor.diagnostics(uri)
    for one in found:
        place = f'{one.range.start.line + 1}:{one.range.start.character + 1}'
        yield f'  {place} {one.severity.name.lower()} {one.code}: ' + one.message.replace(
            '\n', '; ')
    if not found:
        yield '  no diagnostics'


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as name:
        print('\n'.join(session(Path(name))))
