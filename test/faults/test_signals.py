# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SIGTERM and Ctrl-C at each operation of a command: all that it writes is there, or nothing."""

from __future__ import annotations

from hashlib import sha256
from itertools import count
import json
from pathlib import Path
import signal

from helpers.folders import content_of, fill
from helpers.system_faults import ended_by_signal
from hrdf_ros.cli import main
import pytest

ARM = """<sdf version="1.11"><model name="m"><link name="a">
<visual name="v"><geometry><mesh><uri>parts/a.stl</uri></mesh></geometry></visual>
<visual name="w"><geometry><cone><radius>1</radius><length>1</length></cone></geometry></visual>
</link></model></sdf>"""
FILES = {'arm.sdf': ARM.encode(), 'parts/a.stl': b'\0' * 84}
STATUSES = {signal.SIGTERM: {-signal.SIGTERM, 128 + signal.SIGTERM},
            signal.SIGINT: {128 + signal.SIGINT}}


OLD = {'arm.urdf': b'<robot name="old"/>', 'meshes/old.stl': b'old'}
LIST = json.dumps({'files': {name: sha256(data).hexdigest() for name, data in OLD.items()}})
COMMANDS = {
    'new bundle': ('convert arm.sdf --bundle new/out', {}),
    'bundle': ('convert arm.sdf --bundle out', {
        **{f'out/{name}': data for name, data in OLD.items()},
        'out/.hrdf-bundle.json': LIST.encode()}),
    'new file': ('convert arm.sdf -o arm.urdf', {}),
    'file': ('convert arm.sdf -o arm.urdf', {'arm.urdf': b'<robot name="old"/>'})}
"""Each with the files that are there before."""


@pytest.mark.parametrize('kind, is_after', [
    (signal.SIGTERM, False), (signal.SIGTERM, True), (signal.SIGINT, True)])
@pytest.mark.parametrize('command', COMMANDS)
def test_all_is_there_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, kind: signal.Signals,
    is_after: bool,
) -> None:
    arguments, others = COMMANDS[command]
    files = {**FILES, **others}
    monkeypatch.chdir(tmp_path)
    fill(tmp_path, files)
    before = content_of(tmp_path)
    assert main(arguments.split()) == 0
    complete = content_of(tmp_path)
    found = []
    for number in count(1):
        fill(tmp_path, files)
        status = ended_by_signal(
            lambda: main(arguments.split()), number, kind, is_after=is_after)
        if status is None:
            break
        assert status in STATUSES[kind]
        found.append(content_of(tmp_path))
        assert found[-1] in (before, complete), f'at operation {number}'
    assert before in found and complete in found
