# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The plugin for pytest: the fixture ``robot``.

It is a module of its own because pytest imports it in every session of an environment where
hrdf_ros is installed. Nothing else is imported until a test asks for the fixture.
"""

from __future__ import annotations

from collections.abc import Callable
import os
from typing import Any, TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hrdf_ros import Kinematics


@pytest.fixture
def robot(request: pytest.FixtureRequest) -> Callable[..., Kinematics]:
    """
    Load robot descriptions: ``robot('arm.urdf')`` returns its hrdf_ros.Kinematics.

    The path is relative to the file of the test; further arguments are options of hrdf_ros.load.
    A description with errors fails the test with its diagnostics.
    """
    folder = request.path.parent

    def load_robot(path: str | os.PathLike[str], **options: Any) -> Kinematics:
        __tracebackhide__ = True
        from hrdf_ros import Kinematics, load
        from hrdf_ros.testing import shown
        result = load(folder / path, **options)
        if result.model is None:
            pytest.fail(shown(result.report), pytrace=False)
        return Kinematics(result.model)

    return load_robot
