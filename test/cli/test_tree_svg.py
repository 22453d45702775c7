# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf tree --to svg``."""

from pathlib import Path
import shutil
from xml.etree import ElementTree

from hrdf_ros.cli import main
import pytest

SVG = '{http://www.w3.org/2000/svg}'
ROBOT = """<robot name="r"><link name="a &amp; b"/><link name="&lt;script&gt;"/>
<joint name="j" type="fixed"><parent link="a &amp; b"/><child link="&lt;script&gt;"/></joint>
</robot>"""


@pytest.fixture
def robot(tmp_path: Path) -> str:
    file = tmp_path / 'r.urdf'
    file.write_text(ROBOT)
    return str(file)


@pytest.mark.skipif(shutil.which('dot') is None, reason='there is no Graphviz on this machine')
def test_the_drawing_has_every_body_and_joint(
        robot: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['tree', robot, '--to', 'svg']) == 0
    root = ElementTree.fromstring(capsys.readouterr().out)
    texts = {text.text for text in root.iter(f'{SVG}text')}
    assert {'a & b', '<script>', 'j'} <= texts
    assert not list(root.iter(f'{SVG}script'))


def test_a_missing_graphviz_is_reported(
        robot: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('PATH', '/nowhere')
    assert main(['tree', robot, '--to', 'svg']) == 2
    assert 'apt install graphviz' in capsys.readouterr().err
