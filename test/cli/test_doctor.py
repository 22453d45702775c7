# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What ``hrdf doctor`` prints about hostile systems, without ROS."""

from __future__ import annotations

from collections.abc import Callable
import json
from pathlib import Path
import sys
from types import SimpleNamespace

from hrdf_ros.cli import main
from hrdf_ros.doctor import DescriptionFact, Endpoint, Facts
import pytest

ENDPOINT = Endpoint('/rsp', '/robot_description', 'std_msgs/msg/String', True, True, True)


@pytest.fixture
def see(monkeypatch: pytest.MonkeyPatch) -> Callable[[Facts], None]:
    """Return a function that sets what the command sees."""
    def see(facts: Facts) -> None:
        monkeypatch.setitem(
            sys.modules, 'hrdf_ros.node.examination', SimpleNamespace(examine=lambda *_: facts))
    return see


def test_a_topic_names_no_file(
    see: Callable[[Facts], None], tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """A description that is a path is neither read nor, as xacro, run."""
    file = tmp_path / 'r.urdf.xacro'
    file.write_text('<robot name="r"><link name="a"/></robot>')
    see(Facts(5.0, (ENDPOINT,), (DescriptionFact('/robot_description', str(file)),)))
    assert main(['doctor', '--json']) == 1
    finding = json.loads(capsys.readouterr().out)['findings'][0]
    assert finding['rule'] == 'bad-description'
    assert 'does not begin with <' in finding['message']


def test_many_findings_and_long_names(
    see: Callable[[Facts], None], capsys: pytest.CaptureFixture[str],
) -> None:
    """
    The text lists some findings of a rule and the ends of a long name; JSON has all.

    One more finding is that the node has sent no description.
    """
    refused = tuple((name, 'a name is empty') for name in ('x' * 100_000, *map(str, range(99))))
    see(Facts(5.0, (ENDPOINT,), refused=refused))
    assert main(['doctor']) == 1
    text = capsys.readouterr().out
    assert text.count('is refused') == 20
    assert '\nand 80 more [refused-transform]\n' in text
    assert text.endswith('101 findings: 1 node, 0 descriptions, 0 joints, 0 transforms in '
                         '5 seconds\n')
    assert len(text) < 10_000
    assert main(['doctor', '--json']) == 1
    assert len(json.loads(capsys.readouterr().out)['findings']) == 101
