# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
An independent reader of our URDF: npm's urdf-loader with three.js, in a browser.

Every robot is bundled with its meshes. Joints and limits have to be equal, links where our
kinematics has them, and shapes as large and of the color that they are in the source.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from helpers.robots import CORPORA, name_of, robots
from hrdf_ros import Kinematics, load_model
from hrdf_ros.cli import main
from hrdf_ros.kinematics.transforms import matrices
from hrdf_ros.meshes import MeshError, MeshReader, Request, surface
from hrdf_ros.model import Body, Heightmap, Image, Mesh, Model, Plane, Shape
from hrdf_ros.topology import span
import numpy as np
from numpy.typing import NDArray
import pytest

from .conftest import SITE

Array = NDArray[np.float64]
ROBOTS = robots('.hrdf', '.sdf', '.world', '.skel', '.urdf', '.xacro')
PATH = str(CORPORA / 'sdf' / 'resources')
CONFIGURATIONS = 3
MOVED = ('revolute', 'continuous', 'prismatic')
UNLIKE = (Plane, Heightmap, Image)
"""What a URDF has a thin box for, or nothing."""
ROUND = 0.01
"""Of its size: a circle of three.js has 30 corners."""
MISSING = object()


@pytest.fixture(params=ROBOTS, ids=name_of)
def source(request: pytest.FixtureRequest) -> Path:
    """Return the file of a robot."""
    return request.param


def test_the_robot_is_the_same(
        source: Path, page: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if main(['convert', str(source), '--bundle', str(tmp_path), '--expand-ball', '--path', PATH]):
        assert 'error' in capsys.readouterr().err, 'it has no URDF, which is said'
        return
    urdf = next(tmp_path.glob('*.urdf'))
    model, before = load_model(urdf), load_model(source, path=[PATH])
    configurations = list(random_configurations(model))
    loaded = page.evaluate('arguments => window.check(...arguments)', [
        urdf.read_text(), f'{SITE}{tmp_path}/', configurations])
    assert not [url for url in loaded['failed'] if Path(url.removeprefix(SITE)).is_file()]
    check_joints(loaded['joints'], model)
    for values, poses in zip(configurations, loaded['poses']):
        check_poses(poses, Kinematics(model), values)
        check_poses_of_source(poses, before, model, values)
    bodies = {body.name: body for body in before.bodies}
    for name, found in loaded['bounds'].items():
        if name in bodies:
            check_bounds(found, bodies[name])
            check_colors(loaded['colors'][name], bodies[name], before)


def random_configurations(model: Model) -> list[dict[str, float]]:
    """Return values for the joints that move on their own, within their limits."""
    random, found = Random(7), []
    for _ in range(CONFIGURATIONS):
        values = {}
        for joint in model.joints:
            if joint.type in MOVED:
                coordinate = model.coordinates[joint.motions[0].coordinates[0]]
                low, high = max(coordinate.lower, -3.0), min(coordinate.upper, 3.0)
                if coordinate.mimic is None:
                    values[joint.name] = random.uniform(min(low, high), max(low, high))
        found.append(values)
    return found


def check_joints(found: dict[str, Any], model: Model) -> None:
    assert list(found) == [joint.name for joint in model.joints]
    for joint in model.joints:
        kind, lower, upper = found[joint.name]
        assert kind == joint.type
        if kind in ('revolute', 'prismatic'):
            coordinate = model.coordinates[joint.motions[0].coordinates[0]]
            assert (lower, upper) == (coordinate.lower, coordinate.upper)


def check_poses(poses: dict[str, Any], kinematics: Kinematics, values: dict[str, float]) -> None:
    expected = kinematics.fk(values)
    for frame, matrix in zip(kinematics.model.frames, expected):
        assert np.allclose(world(poses[frame.name]), matrix, rtol=0.0, atol=1e-6), frame.name


def check_poses_of_source(
        poses: dict[str, Any], source: Model, urdf: Model, values: dict[str, float]) -> None:
    """Compare with the source where its coordinates are those of the URDF."""
    names = {coordinate.name for coordinate in source.coordinates}
    kinematics = Kinematics(source)
    if not set(values) <= names or span(source).loops or any(
            joint.type not in (*MOVED, 'fixed') for joint in urdf.joints):
        return
    independent = {index for index, each in enumerate(source.coordinates) if each.mimic is None}
    if {source.coordinates[index].name for index in independent} != set(values):
        return
    links = [body.name for body in source.bodies]
    for first, link in zip(links, links[1:]):
        expected = kinematics.pose(link, values, relative_to=first)
        found = np.linalg.inv(world(poses[first])) @ world(poses[link])
        assert np.allclose(found, expected, rtol=0.0, atol=1e-6), link


def world(elements: list[float]) -> Array:
    """Return a matrix of three.js, whose elements are in columns."""
    return np.array(elements).reshape(4, 4).T


def check_bounds(found: Any, body: Body) -> None:
    boxes = [bounds_of(shape) for shape in body.visuals]
    if any(box is None for box in boxes):
        return
    drawn = [box for box in boxes if box is not None and len(box)]
    if not drawn:
        assert found is None
        return
    least, greatest = (np.min([box[0] for box in drawn], 0), np.max([box[1] for box in drawn], 0))
    tolerance = ROUND * np.max(greatest - least) + 1e-6
    assert np.allclose(found, [least, greatest], rtol=1e-5, atol=tolerance), body.name


def bounds_of(shape: Shape) -> Array | None:
    """Return the corners of a shape in the frame of its body, None where it cannot be compared."""
    geometry = shape.geometry
    if isinstance(geometry, UNLIKE):
        return None
    if isinstance(geometry, Mesh):
        request = Request(geometry._replace(submesh=None))
        found = MeshReader().read([request])[request]
        if isinstance(found, MeshError):
            return None
        vertices = found.triangles.vertices
    else:
        vertices = surface(geometry).vertices
    if not len(vertices):
        return np.empty((0, 3))
    matrix = matrices([shape.pose])[0]
    points = vertices.astype(float) @ matrix[:3, :3].T + matrix[:3, 3]
    return np.array([points.min(0), points.max(0)])


def check_colors(found: list[Any], body: Body, source: Model) -> None:
    """Compare the colors of the shapes that are one shape in a URDF, too."""
    if len(found) != len(body.visuals):
        return
    for color, shape in zip(found, body.visuals):
        material = shape.material
        expected = None if material is None else material.diffuse or material.ambient
        if color is not None and expected is not None:
            assert color == pytest.approx(expected, abs=1e-9), body.name
