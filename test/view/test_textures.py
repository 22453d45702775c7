# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Textures on primitives."""

from __future__ import annotations

import io
from pathlib import Path

from hrdf_ros import load_model
from hrdf_ros.meshes import MeshReader
import pytest

pytest.importorskip('viser', reason='the viewer requires viser')
from hrdf_ros.view.motion import PosedModel
from hrdf_ros.view.scene import build_scene, Scene
import trimesh

EXAMPLE = Path(__file__).parents[2] / 'examples' / 'sdf' / 'features' / 'materials.sdf'
BOX = ('<robot name="r"><link name="a"><visual><geometry><box size="1 2 3"/></geometry>'
       '<material name="m"><texture filename="t.png"/></material></visual></link></robot>')


def scene_of(file: Path) -> Scene:
    motion = PosedModel(load_model(file))
    return build_scene(motion.model, motion.frames(), MeshReader())


def test_a_primitive_shows_its_texture() -> None:
    plain, wood = (solid for solid in scene_of(EXAMPLE).solids if solid.layer == 'visual')
    assert plain.glb is None and wood.glb is not None
    mesh, = trimesh.load_scene(io.BytesIO(wood.glb), file_type='glb').geometry.values()
    assert mesh.visual.material.baseColorTexture.size == (64, 64)
    assert mesh.visual.uv.min() >= 0.0 and mesh.visual.uv.max() <= 1.0
    assert mesh.bounds.ravel() == pytest.approx([-0.2, -0.2, -0.2, 0.2, 0.2, 0.2], abs=1e-6)


@pytest.mark.parametrize('content', [b'', b'not an image', b'\x89PNG\r\n\x1a\n broken'])
def test_an_image_that_cannot_be_read_is_said(tmp_path: Path, content: bytes) -> None:
    (tmp_path / 'r.urdf').write_text(BOX)
    (tmp_path / 't.png').write_bytes(content)
    scene = scene_of(tmp_path / 'r.urdf')
    assert scene.solids[0].glb is None
    assert scene.notes[0].startswith("texture '") and "t.png'" in scene.notes[0]
