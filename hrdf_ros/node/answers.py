# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The answers of a worker to a node: records that are sent from process to process."""

from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model


class LoadAnswer(NamedTuple):
    """
    A robot ready to be published; if it has errors, ``model`` is None.

    ``model`` has one body for each link of the URDF, and only what kinematics needs. ``loaded`` is
    the LoadResult, pickled and compressed. ``written`` has the diagnostics about the URDF, and
    ``unseen`` sentences about the parts of the URDF that RViz will not show.
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
