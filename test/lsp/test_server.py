# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The process: its options, its end, and a folder that wants to run code."""

from __future__ import annotations

from importlib.util import find_spec
import os
from pathlib import Path
import subprocess
import sys
import time

from helpers.processes import children
from helpers.robots import REPOSITORY
import pytest

pytestmark = pytest.mark.skipif(
    find_spec('pygls') is None or find_spec('pytest_lsp') is None,
    reason='pygls and pytest-lsp are not installed')
PATIENCE = 60.0
MODULES = ('multiprocessing', 'socket', 'hrdf_ros', 'pygls', 'xacro', 'sitecustomize', 'json')


def test_modules_in_the_folder_of_the_editor_are_not_run(tmp_path: Path) -> None:
    from helpers.editor import Editor
    folder, script = tmp_path / 'workspace', tmp_path / 'bin' / 'hrdf'
    folder.mkdir()
    script.parent.mkdir()
    script.write_text('import sys\nfrom hrdf_ros.cli import main\nsys.exit(main())\n')
    marker = tmp_path / 'ran'
    for module in MODULES:
        (folder / f'{module}.py').write_text(f'open({str(marker)!r}, "w").close()')
    with Editor(folder, command=(str(script),)) as editor:
        uri = editor.open('r.urdf', '<robot name="r"><lnik/></robot>')
        assert [one.code for one in editor.diagnostics(uri)] == ['unknown-element']
        editor.settle(uri)
    assert not marker.exists()


def test_options_are_those_of_check(tmp_path: Path) -> None:
    from helpers.editor import Editor
    (tmp_path / 'models').mkdir()
    (tmp_path / 'models' / 'part.sdf').write_text(
        '<sdf version="1.9"><model name="part"><link name="a"/></model></sdf>')
    with Editor(tmp_path, '--path', 'models', '--ignore', 'missing-version', '--stdio',
                '--docs', 'https://example.org/codes') as editor:
        uri = editor.open('m.sdf', '<sdf version="1.9"><world name="w">'
                                   '<include><uri>part.sdf</uri></include></world></sdf>')
        assert editor.diagnostics(uri) == []
        uri = editor.open('r.hrdf', '<robot><actuator/></robot>')
        found, = editor.diagnostics(uri)
        assert found.code_description.href == 'https://example.org/codes#missing-attribute'


def test_the_editor_is_asked_to_watch_the_files(tmp_path: Path) -> None:
    from helpers.editor import Editor
    from lsprotocol import types as lsp
    capabilities = lsp.ClientCapabilities(workspace=lsp.WorkspaceClientCapabilities(
        did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(
            dynamic_registration=True)))
    asked: list[lsp.Registration] = []
    with Editor(tmp_path, capabilities=capabilities, on_registration=asked.extend) as editor:
        uri = editor.open('r.urdf', '<robot name="r"><link name="a"/></robot>')
        assert editor.diagnostics(uri) == []
    registered, = asked
    assert registered.method == 'workspace/didChangeWatchedFiles'
    assert registered.register_options['watchers'][0]['globPattern'] == (
        '**/*.{hrdf,sdf,world,mjcf,skel,urdf,xacro}')


def test_the_server_ends_with_the_editor(tmp_path: Path) -> None:
    """Nothing is left of it, whatever it does just now."""
    message = (
        b'{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":'
        b'"file:///r.urdf","languageId":"x","version":1,"text":"<robot>%s</robot>"}}}'
        % (b'<link/>' * 200_000))
    begin = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,' \
            b'"rootUri":null,"capabilities":{}}}'
    process = subprocess.Popen(
        [sys.executable, '-m', 'hrdf_ros.cli', 'lsp'], stdin=subprocess.PIPE, cwd=tmp_path,
        stdout=subprocess.PIPE, start_new_session=True,
        env={**os.environ, 'PYTHONPATH': str(REPOSITORY)})
    assert process.stdin is not None and process.stdout is not None
    for body in (begin, message):
        process.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
        process.stdin.flush()
    process.stdout.readline()
    deadline = time.monotonic() + PATIENCE
    while not children(process.pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.stdin.close()
    process.stdout.close()
    assert process.wait(PATIENCE) == 0
    while is_alive(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(process.pid)


def is_alive(group: int) -> bool:
    """Return whether a process of a group runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
