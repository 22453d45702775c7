# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The page of topics and services names those that a node has, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from helpers.live_node import ARM, Client
from reference.interfaces import ACTIONS, services, TOPICS

# What each node has, whatever it does.
OF_EACH_NODE = ('/parameter_events', '/rosout', '/clock')
OF_PARAMETERS = (
    'describe_parameters', 'get_parameter_types', 'get_parameters', 'list_parameters',
    'set_parameters', 'set_parameters_atomically', 'get_type_description')


def absolute(name: str) -> str:
    return name.replace('~', '/hrdf_ros') if name.startswith('~') else '/' + name.lstrip('/')


def known(found: Iterable[tuple[str, list[str]]]) -> set[tuple[str, str]]:
    """Return name and type of what a node has, but for what each one has."""
    return {(name, kind) for name, kinds in found for kind in kinds
            if name not in OF_EACH_NODE and '/_action/' not in name
            and name.rpartition('/')[2] not in OF_PARAMETERS}


def test_topics_and_services_are_those_of_the_page(
        start: Callable[..., object], domain: int, tmp_path: Path) -> None:
    model = tmp_path / 'arm.hrdf'
    model.write_text(ARM)
    start(model=model)
    client = Client(domain)
    try:
        client.wait_for(lambda: client.received['/robot_description'], 'the description')
        client.wait_for(lambda: client.received['/diagnostics'], 'diagnostics')
        node = client.node
        published = known(node.get_publisher_names_and_types_by_node('hrdf_ros', '/'))
        subscribed = known(node.get_subscriber_names_and_types_by_node('hrdf_ros', '/'))
        offered = node.get_service_names_and_types_by_node('hrdf_ros', '/')
        served = known(offered)
        actions = {name.partition('/_action/')[0] for name, _ in offered if '/_action/' in name}
    finally:
        client.end()
    for way, found in (('published', published), ('subscribed', subscribed)):
        assert found == {(absolute(name), kind) for name, kind, how, _ in TOPICS
                         if how.startswith(way)}
    assert served == {(absolute(name), kind) for name, kind, _ in services()}
    assert actions == {absolute(name) for name, *_ in ACTIONS}
