# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the launch files use of launch and launch_ros, as records: they can be read without ROS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
import sys
from types import ModuleType
from typing import Any

import pytest

NAMES = {
    'launch': ('LaunchDescription',),
    'launch.actions': (
        'DeclareLaunchArgument', 'LogInfo', 'OpaqueFunction', 'Shutdown'),
    'launch.launch_context': ('LaunchContext',),
    'launch.logging': ('launch_config',),
    'launch.substitutions': ('LaunchConfiguration',),
    'launch_ros': (),
    'launch_ros.actions': ('Node',),
    'launch_ros.parameter_descriptions': ('ParameterValue',),
}
"""The modules and their classes."""
OURS = 'hrdf_ros.node.launching'


class Record:
    """Something that a launch file makes: how it was called."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        self.arguments = arguments
        self.keywords = keywords


def record(name: str) -> type[Record]:
    """Return a class of records."""
    return type(name, (Record,), {})


class Context:
    """The values of the arguments."""

    def __init__(self, given: dict[str, str]) -> None:
        self.launch_configurations = given


@contextmanager
def fake_launch(log_directory: Path) -> Iterator[None]:
    """Let launch files be imported where there is no launch."""
    modules = {name: ModuleType(name) for name in NAMES}
    for name, classes in NAMES.items():
        for each in classes:
            setattr(modules[name], each, record(each))
    modules['launch.logging'].launch_config.log_dir = str(log_directory)  # type: ignore
    with pytest.MonkeyPatch.context() as patch:
        for name, module in modules.items():
            patch.setitem(sys.modules, name, module)
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
    [function] = [
        entity.keywords['function'] for entity in generate().arguments[0]
        if type(entity).__name__ == 'OpaqueFunction']
    actions: list[Record] = function(Context(values))
    return actions
