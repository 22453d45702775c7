# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The requests of a node to its worker: functions that import what they need when they run.

A function is sent to the worker process by name, with its arguments. So a node with such a
process imports no reader and no writer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hrdf_ros.node.answers import FileAnswer, LoadAnswer
from hrdf_ros.node.settings import Settings

if TYPE_CHECKING:
    from hrdf_ros.load_result import LoadResult


def load_description(settings: Settings) -> LoadAnswer:
    """Return the robot that the settings describe, or the reasons why there is none."""
    from hrdf_ros.node import jobs
    return jobs.load_description(settings)


def load_text(text: str) -> LoadResult:
    """Return the result of loading a text, with its shapes."""
    from hrdf_ros.node import jobs
    return jobs.load_text(text)


def check_or_convert(
    settings: Settings, *, path: str = '', text: str = '', format: str = '',  # noqa: A002
    target: str = '', loaded: bytes = b'',
) -> FileAnswer:
    """Check a file, a text or the description that is ``loaded``; with ``target`` convert it."""
    from hrdf_ros.node import jobs
    return jobs.check_or_convert(
        settings, path=path, text=text, format=format, target=target, loaded=loaded)
