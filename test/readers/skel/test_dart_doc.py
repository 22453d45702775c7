# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The SKEL files of Debian's package dart-doc, where it is installed.

``HRDF_DART_DOC`` may name another directory that the package was unpacked to. As a script this
prints what was found in each file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
import os
from pathlib import Path

from hrdf_ros.diagnostics import Report
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.load import load, load_model
from hrdf_ros.model import Model
from hrdf_ros.writers.sdf import write_sdf
from hrdf_ros.writers.urdf import write_urdf
import numpy as np
import pytest

DATA = Path(os.environ.get('HRDF_DART_DOC', '/usr/share/doc/dart')) / 'data' / 'skel'
FILES = sorted(DATA.rglob('*.skel'))
WRITERS: dict[str, Callable[[Model], tuple[str, Report]]] = {'urdf': write_urdf, 'sdf': write_sdf}

pytestmark = pytest.mark.skipif(not FILES, reason='the Debian package dart-doc is not installed')


@pytest.mark.parametrize('file', FILES, ids=lambda file: str(file.relative_to(DATA)))
@pytest.mark.parametrize('target', WRITERS)
def test_file_of_dart_is_the_same_robot_in_another_format(target: str, file: Path) -> None:
    model = load_model(file)
    text, report = WRITERS[target](model)
    assert report.ok
    back = load_model(text, format=target)
    values = np.random.default_rng(1).uniform(-1.0, 1.0, len(model.coordinates))
    shared = {found.name for found in back.coordinates}
    q = {
        found.name: value for found, value in zip(model.coordinates, values)
        if found.name in shared}
    before, after = poses(model, q), poses(back, q)
    masses = {body.name: body.inertia.mass for body in back.bodies if body.inertia is not None}
    for body in model.bodies:
        if body.inertia is not None:
            np.testing.assert_allclose(after[body.name], before[body.name], rtol=0.0, atol=1e-9)
            assert masses[body.name] == body.inertia.mass


def poses(model: Model, q: dict[str, float]) -> dict[str, Array]:
    """Return root_from_frame by frame; coordinates not named are 0."""
    tree = Kinematics(model)
    vector = np.array([q.get(name, 0.0) for name in tree.coordinates])
    return {frame.name: pose for frame, pose in zip(model.frames, tree.fk(vector))}


def main() -> None:
    """Print what is found in each file."""
    for file in FILES:
        loaded = load(file)
        found = Counter(diagnostic.code for diagnostic in loaded.report)
        size = f'{len(loaded.model.bodies)} bodies' if loaded.model is not None else 'refused'
        codes = ', '.join(f'{code} {count}' for code, count in sorted(found.items()))
        print(f'{file.relative_to(DATA)}: {size}; {codes}')


if __name__ == '__main__':
    main()
