# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Colors: what is shown beside a value, and what is written when another one is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp
import pytest

if TYPE_CHECKING:
    from helpers.editor import Editor

URDF = ('<robot name="r"><material name="m"><color rgba="0.3 0.123456789  1 1"/></material>'
        '<link name="l"/></robot>')
SDF = ('<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><material>'
       '<diffuse> 1e-1 0.5 1 </diffuse></material></visual></link></model></sdf>')
SKEL = ('<skel version="1.0"><skeleton name="s"><body name="b"><visualization_shape>'
        '<color>0.5 0.5 0.5</color></visualization_shape></body></skeleton></skel>')
MJCF = ('<mujoco><asset><texture name="t" type="2d" builtin="flat" rgb1=".25 .5 1"/></asset>'
        '<worldbody><geom size="1" rgba="2 0 0 1"/></worldbody></mujoco>')


def shown(editor: Editor, uri: str) -> list[lsp.ColorInformation]:
    """Return the colors of a document."""
    return list(editor.ask(
        'document_color', lsp.DocumentColorParams(lsp.TextDocumentIdentifier(uri))))


def choose(editor: Editor, uri: str, part: lsp.Range, *color: float) -> None:
    """Choose another color for a part of a document."""
    [found] = editor.ask('color_presentation', lsp.ColorPresentationParams(
        lsp.TextDocumentIdentifier(uri), lsp.Color(*color), part))
    editor.edit(uri, [found.text_edit])


@pytest.mark.parametrize(('name', 'text', 'colors'), [
    ('r.urdf', URDF, [(0.3, 0.123456789, 1.0, 1.0)]),
    ('r.urdf', URDF.replace('  1 1', ' 1'), []),
    ('r.urdf', URDF.replace('0.3', '${red}'), []),
    ('m.sdf', SDF, [(0.1, 0.5, 1.0, 1.0)]),
    ('s.skel', SKEL, [(0.5, 0.5, 0.5, 1.0)]),
    ('m.xml', MJCF, [(0.25, 0.5, 1.0, 1.0), (1.0, 0.0, 0.0, 1.0)]),
    ('m.xml', '<mujoco><asset><material name="m" specular="0.5"/></asset></mujoco>', []),
    ('m.xml', '<svg><color rgba="1 1 1 1"/></svg>', [])])
def test_colors_of_each_format(
        editor: Editor, name: str, text: str, colors: list[tuple[float, ...]]) -> None:
    uri = editor.open(name, text)
    assert [(one.color.red, one.color.green, one.color.blue, one.color.alpha)
            for one in shown(editor, uri)] == colors


@pytest.mark.parametrize(('name', 'text', 'chosen', 'expected'), [
    ('r.urdf', URDF, (0.3, 0.123456789, 0.4, 1.0), '0.3 0.123456789  0.4 1'),
    ('r.urdf', URDF, (77 / 255, 31 / 255, 1.0, 0.5), '0.3 0.123456789  1 0.5'),
    ('m.sdf', SDF, (0.1, 0.0, 1.0, 1.0), '1e-1 0 1'),
    ('m.sdf', SDF, (0.1, 0.5, 1.0, 0.25), '1e-1 0.5 1 0.25'),
    ('s.skel', SKEL, (1 / 255, 0.5, 0.5, 0.5), '0.004 0.5 0.5 0.5'),
    ('m.xml', MJCF, (0.25, 1.0, 1.0, 0.5), '.25 1 1')])
def test_what_did_not_change_keeps_its_digits(
        editor: Editor, name: str, text: str, chosen: tuple[float, ...], expected: str) -> None:
    """A format without alpha gets none, and the numbers are in its own form."""
    uri = editor.open(name, text)
    part = shown(editor, uri)[0].range
    old = text[part.start.character:part.end.character]
    choose(editor, uri, part, *chosen)
    assert editor.texts[uri] == text.replace(old, expected)


def test_no_color_is_written_elsewhere(editor: Editor) -> None:
    uri = editor.open('r.urdf', URDF)
    part = lsp.Range(lsp.Position(0, 7), lsp.Position(0, 11))
    assert not editor.ask('color_presentation', lsp.ColorPresentationParams(
        lsp.TextDocumentIdentifier(uri), lsp.Color(1.0, 1.0, 1.0, 1.0), part))
