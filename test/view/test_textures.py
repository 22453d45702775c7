# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Textures on primitives."""

from __future__ import annotations

import io
from pathlib import Path

from hrdf_ros import load_model
from hrdf_ros.meshes import MeshReader
import pytest

pytest.importorskip('PIL', reason='textures need Pillow')
pytest.importorskip('viser', reason='the viewer requires viser')
from hrdf_ros.view.motion import PosedModel
from hrdf_ros.view.scene import build_scene, Scene
from PIL import Image
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


def test_textures_of_a_mesh_that_are_too_large_are_said(tmp_path: Path) -> None:
    file = tmp_path / 'r.urdf'
    file.write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="a.obj"/></geometry>'
        '</visual><visual><geometry><mesh filename="b.obj"/></geometry></visual></link></robot>')
    (tmp_path / 'a.obj').write_text(
        'mtllib a.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\n'
        'vt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n')
    (tmp_path / 'a.mtl').write_text('newmtl m\nmap_Kd a.png\n')
    for side, lost in ((8192, False), (8193, True)):
        Image.new('1', (side, 8192)).save(tmp_path / 'a.png')
        scene = scene_of(file)
        assert [note.partition(':')[0] for note in scene.notes] == [
            "textures of the mesh 'a.obj'"] * lost
        assert scene.missing == ("mesh 'b.obj': the file was not found",)


@pytest.mark.parametrize('content', [b'', b'not an image', b'\x89PNG\r\n\x1a\n broken'])
def test_an_image_that_cannot_be_read_is_said(tmp_path: Path, content: bytes) -> None:
    (tmp_path / 'r.urdf').write_text(BOX)
    (tmp_path / 't.png').write_bytes(content)
    scene = scene_of(tmp_path / 'r.urdf')
    assert scene.solids[0].glb is None
    assert scene.notes[0].startswith("texture '") and "t.png'" in scene.notes[0]
