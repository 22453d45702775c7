# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the launch files use of launch and launch_ros, as records: they can be read without ROS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

MODULES = ('launch', 'launch.actions', 'launch.logging', 'launch.substitutions', 'launch_ros',
           'launch_ros.actions', 'launch_ros.parameter_descriptions')
OURS = 'hrdf_ros.node.launching'


class Record:
    """Something that a launch file makes: how it was called."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        self.arguments = arguments
        self.keywords = keywords


class FakeModule(ModuleType):
    """A module with every class that is asked for."""

    def __getattr__(self, name: str) -> type[Record]:
        setattr(self, name, type(name, (Record,), {}))
        found: type[Record] = vars(self)[name]
        return found


@contextmanager
def fake_launch(log_directory: Path) -> Iterator[None]:
    """Let launch files be imported where there is no launch."""
    with pytest.MonkeyPatch.context() as patch:
        for name in MODULES:
            patch.setitem(sys.modules, name, FakeModule(name))
        vars(sys.modules['launch.logging'])['launch_config'] = SimpleNamespace(
            log_dir=str(log_directory))
        patch.delitem(sys.modules, OURS, raising=False)
        yield
        sys.modules.pop(OURS, None)


def declared_by(generate: Callable[[], Any]) -> dict[str, Any]:
    """Return the arguments of a launch file with their defaults."""
    return {
        entity.arguments[0]: entity.keywords['default_value']
        for entity in generate().arguments[0] if type(entity).__name__ == 'DeclareLaunchArgument'}


def actions_of(generate: Callable[[], Any], **given: str) -> list[Record]:
    """Return the actions of a launch file for some arguments."""
    values: dict[str, str] = {}
    for name, default in declared_by(generate).items():
        if isinstance(default, Record):  # the value of another argument
            default = values[default.arguments[0]]
        values[name] = given.get(name, default)
    function = generate().arguments[0][-1].keywords['function']
    actions: list[Record] = function(SimpleNamespace(launch_configurations=values))
    return actions
