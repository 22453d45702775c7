# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The answers of a worker to a node: records that are sent from process to process."""

from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model


class LoadAnswer(NamedTuple):
    """
    A robot ready to be published, or the errors that it has: then ``model`` is None.

    ``model`` has one body for each link of the URDF, and nothing but kinematics; ``loaded`` is
    the LoadResult, pickled and compressed. ``written`` are the diagnostics of the URDF, and
    ``unseen`` are sentences about what RViz will not show of it.
    """

    report: Report
    files: tuple[str, ...]
    model: Optional[Model] = None
    urdf: str = ''
    loaded: bytes = b''
    written: Optional[Report] = None
    unseen: tuple[str, ...] = ()


class FileAnswer(NamedTuple):
    """The answer about a file or text; ``text`` is the converted file."""

    ok: bool
    text: str
    report: Report
