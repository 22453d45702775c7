# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Who may connect to the viewer's server."""

import pytest

pytest.importorskip('viser', reason='the viewer requires viser')
from hrdf_ros.view.server import is_loopback, is_own_page


def test_a_server_for_the_network_takes_the_name_it_was_called_by() -> None:
    assert is_own_page('http://robot.local:8080', 'robot.local:8080', only_loopback=False)
    assert not is_own_page('http://evil.example', 'robot.local:8080', only_loopback=False)


@pytest.mark.parametrize(('host', 'expected'), [
    ('localhost', True), ('127.0.0.1', True), ('127.1.2.3', True), ('::1', True),
    ('0.0.0.0', False), ('192.168.0.7', False), ('robot.local', False), ('', False)])
def test_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected
