# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Which link is marked for a place in a text."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from hrdf_ros import load, load_model
from hrdf_ros.diagnostics import Location
from hrdf_ros.model import Joint, NONE
from hrdf_ros.view.motion import marked_at
import pytest

SECONDS = 60.0
URDF = """<robot name="r">
<link name="base"/>
<link name="arm"/>
<joint name="j" type="fixed"><parent link="base"/><child link="arm"/></joint>
</robot>"""
SDF = """<sdf version="1.9"><model name="m">
<link name="a"/>
<link name="b"/>
<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>
</model></sdf>"""
MJCF = """<mujoco><worldbody>
<body name="a"><geom size="1"/>
<joint name="j"/>
</body></worldbody></mujoco>"""
HRDF = """<robot version="1.5.0">
<actuator type="X5-1" tag="a"/>
<link type="X5" extension="0.3" twist="0" tag="b"/>
</robot>"""


@pytest.mark.parametrize(('text', 'line', 'expected'), [
    (URDF, 2, ('base', False)), (URDF, 3, ('arm', False)), (URDF, 4, ('arm', True)),
    (SDF, 2, ('a', False)), (SDF, 4, ('b', True)), (MJCF, 2, ('a', False)),
    (HRDF, 2, ('a', False)), (HRDF, 3, ('b', False))])
def test_a_link_or_the_child_of_a_joint(text: str, line: int, expected: tuple[str, bool]) -> None:
    model = load_model(text)
    file = model.bodies[-1].location
    assert file is not None
    name = file.resolve().file
    inner = Location(name, line, 20)
    body, joint = marked_at(model, [inner, Location(name, line, 1), Location(name, 1, 1)])
    assert (model.bodies[body].name, joint is not None) == expected


def test_nothing_outside_of_links() -> None:
    model = load_model(URDF)
    assert marked_at(model, [Location('<text>', 1, 1)]) == (NONE, None)
    assert marked_at(model, []) == (NONE, None)


def test_the_viewer_marks_what_is_at_the_cursor(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does so in the present text, keeps the mark while that has errors, reports clicks."""
    pytest.importorskip('viser', reason='the viewer requires viser')
    from hrdf_ros.view.drawing import Drawing
    from hrdf_ros.view.panel import Panel
    from hrdf_ros.view.server import start_server
    from hrdf_ros.view.viewer import Source, Viewer
    file, texts, seen = str(tmp_path.resolve() / 'r.urdf'), [URDF], SimpleQueue[Any]()
    choose = Panel.choose

    def chosen(panel: Panel, name: str, value: object) -> None:
        choose(panel, name, value)
        seen.put(value)

    def marked(_: object, joint: Joint | None) -> None:
        seen.put(joint and f'joint {joint.name}')

    monkeypatch.setattr(Panel, 'choose', chosen)
    monkeypatch.setattr(Drawing, 'mark_joint', marked)
    server = start_server('localhost', 8080, 'token')
    viewer = Viewer(server, Source(
        load=lambda: load(file, overlay={file: texts[-1]}), clicked=seen.put))
    thread = Thread(target=viewer.run)
    thread.start()

    def after(name: str, content: object) -> list[Any]:
        viewer.receive(name, content)
        return [seen.get(timeout=SECONDS), seen.get(timeout=SECONDS)]

    try:
        assert [seen.get(timeout=SECONDS), seen.get(timeout=SECONDS)] == [None, '(none)']
        assert after('cursor', (Location(file, 4, 30), Location(file, 4, 1))) == ['joint j', 'arm']
        texts.append(f'\n{URDF}')
        assert after('reload', None) == [None, 'arm']  # line 4 is the link now
        assert after('cursor', (Location(file, 5, 1),)) == ['joint j', 'arm']
        texts.append('<robot')
        viewer.receive('reload', None)
        assert after('click', 0) == ['base', Location(file, 3, 1)]
        viewer.receive('cursor', ())
        viewer.receive('cursor', (Location(file, 2, 1),))
        texts.append(URDF)
        assert after('reload', None) == [None, 'base']
        assert after('click', 1) == ['arm', Location(file, 3, 1)]
        assert seen.empty()
    finally:
        viewer.stop()
        thread.join()
        server.stop()
