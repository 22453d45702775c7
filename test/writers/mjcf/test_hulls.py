# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The meshes in place of which MuJoCo takes their convex hulls, and the colors that it lacks."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from hrdf_ros import load_model
from hrdf_ros.meshes import Triangles
from hrdf_ros.writers.mesh_files import binary_stl
from hrdf_ros.writers.mjcf import make_mjcf, MjcfOptions
from hrdf_ros.writers.mjcf.hulls import is_convex
import numpy as np
import pytest

Corner = tuple[float, float, float]
_FACES = (
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6),
    (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3))
"""The faces of a box, counterclockwise from outside, by the indices of its corners."""
HULLS = 'MuJoCo collides with the convex hulls of meshes'


def box(low: Corner, high: Corner) -> list[tuple[Corner, Corner, Corner]]:
    """Return the triangles of a box between two corners (m)."""
    corners = [*product(*zip(low, high))]
    return [(corners[a], corners[b], corners[c]) for a, b, c in _FACES]


WALLS = [*box((-1, -1, 0), (-0.5, 1, 1)), *box((0.5, -1, 0), (1, 1, 1))]
BLOCK = box((-1, -1, 0), (1, 1, 1))


def robot(directory: Path, tag: str, *names: str) -> Path:
    """Write a URDF with a mesh of each name in a link, and the two meshes."""
    (directory / 'walls.stl').write_bytes(binary_stl(WALLS))
    (directory / 'block.stl').write_bytes(binary_stl(BLOCK))
    file = directory / 'robot.urdf'
    file.write_text('<robot name="r"><link name="a">' + '\n'.join(
        f'<{tag}><geometry><mesh filename="{name}"/></geometry></{tag}>' for name in names)
        + '</link></robot>')
    return file


def said(file: Path, start: str) -> list[tuple[str, tuple[str, ...], int | None]]:
    """Return the severity, the subjects and the line of what a conversion says."""
    report = make_mjcf(load_model(file), MjcfOptions(for_mujoco=True)).report
    return [(one.severity, one.subjects, at and at.line) for one in report
            if one.message.startswith(start) for at in [one.resolve()]]


def test_a_hollow_mesh_is_named_where_it_collides(tmp_path: Path) -> None:
    pytest.importorskip('trimesh', reason='trimesh is not installed')
    file = robot(tmp_path, 'collision', 'block.stl', 'walls.stl', 'walls.stl')
    assert said(file, HULLS) == [('info', ('walls.stl',), 2)]
    assert said(robot(tmp_path, 'visual', 'walls.stl'), HULLS) == []


def test_a_mesh_that_only_mujoco_reads_may_have_a_hollow(tmp_path: Path) -> None:
    file = robot(tmp_path, 'collision', 'block.stl', 'other.msh')
    (tmp_path / 'other.msh').write_bytes(b'')
    assert ('info', ('other.msh',), 2) in said(file, HULLS)


def test_a_mesh_that_is_not_written_collides_with_nothing(tmp_path: Path) -> None:
    file = robot(tmp_path, 'collision', 'text.stl', 'missing.stl')
    (tmp_path / 'text.stl').write_text('solid a\nendsolid a\n')
    assert said(file, HULLS) == []


def test_mujoco_fills_the_hollow(tmp_path: Path) -> None:
    """A ball of 0.1 m between two walls that are 1 m apart touches what is between them."""
    mujoco = pytest.importorskip('mujoco', reason='mujoco-core is not installed')
    text = (
        '<mujoco><asset><mesh name="m" file="walls.stl"/></asset><worldbody>'
        '<geom type="mesh" mesh="m"/><body pos="0 0 0.5"><freejoint/><geom size="0.1"/></body>'
        '</worldbody></mujoco>')
    model = mujoco.MjModel.from_xml_string(text, {'walls.stl': binary_stl(WALLS)})
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert [contact.dist < -0.5 for contact in data.contact] == [True]


@pytest.mark.parametrize(('triangles', 'expected'), [
    (BLOCK, True), (WALLS, False), ([], True), ([(a, c, b) for a, b, c in BLOCK], True),
    ([((0, 0, 0), (0, 0, 0), (1, 0, 0))], True),
    ([*BLOCK, *box((-1, -1, 0), (1, 1, 1.001))], True),
    ([*BLOCK, *box((-1, -1, 0), (0, 1, 1.01))], False),
    ([*BLOCK, ((0.9, 0.9, 1), (0.91, 0.9, 1.0005), (0.9, 0.91, 1))], True)])
def test_depth_of_a_hollow_decides(
    triangles: list[tuple[Corner, Corner, Corner]], expected: bool,
) -> None:
    corners = np.asarray(triangles, np.float32).reshape(-1, 3)
    faces = np.arange(len(corners), dtype=np.uint32).reshape(-1, 3)
    assert is_convex(Triangles(corners, faces)) == expected


def test_colors_of_mesh_files_are_reported(tmp_path: Path) -> None:
    """MuJoCo reads neither the colors of COLLADA nor the materials of OBJ."""
    file = robot(tmp_path, 'visual', 'walls.stl', 'colored.obj')
    (tmp_path / 'colored.obj').write_text(
        'mtllib colored.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n'
        'f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n')
    assert said(file, 'MuJoCo reads no colors from meshes') == [('info', ('a',), 2)]
    assert said(file, 'visuals without a color') == [('info', ('a',), 1)]
    text = make_mjcf(load_model(file), MjcfOptions()).text
    assert text.count('material="gray"') == 2
