# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Load a document in MuJoCo, from a directory with its files; `answer` runs in its process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import os
from pathlib import Path
from typing import Any, NamedTuple, Union

from hrdf_ros.mujoco_process import ask
from lxml import etree

Files = Mapping[str, Union[str, bytes]]
"""The files of a document by the path that it names; each is a file or its future content."""
_TOUCHING = 1e-6
"""The distance in meters below which shapes touch."""


class Loaded(NamedTuple):
    """
    The bodies of a file as MuJoCo loads them; ``refused`` is its message if it loads none.

    ``poses`` are by configuration, then by body: position (3) and rotation matrix (9).
    """

    refused: str = ''
    names: Sequence[str] = ()
    masses: Sequence[float] = ()
    poses: Sequence[Sequence[tuple[Sequence[float], Sequence[float]]]] = ()


def stage(text: str, files: Files, directory: str) -> str:
    """
    Write a document, each element on its line, and its files; return its path.

    A file that is not a regular file is left out: MuJoCo would wait for a pipe.
    """
    root = etree.fromstring(text.encode(), etree.XMLParser(huge_tree=True))
    placed: dict[str, str] = {}
    for made in root.iter(etree.Element):
        for name, path in made.attrib.items():
            content = files.get(path) if name.startswith('file') else None
            if isinstance(content, bytes) and path not in placed:
                placed[path] = os.path.join(
                    directory, f'{len(placed)}{os.path.splitext(path)[1]}')
                Path(placed[path]).write_bytes(content)
            if isinstance(content, str):
                made.set(name, content if os.path.isfile(content) else os.path.join(
                    directory, 'missing', os.path.basename(content)))
            elif content is not None:
                made.set(name, placed[path])
    document = os.path.join(directory, 'robot.xml')
    Path(document).write_bytes(etree.tostring(root, encoding='utf-8', xml_declaration=True))
    return document


def load_in_mujoco(file: str, configurations: Sequence[Sequence[float]]) -> Loaded:
    """Return a file's bodies and poses; raise MujocoFailedError if MuJoCo does not answer."""
    return Loaded(**ask(__name__, {'file': file, 'configurations': configurations}))


def touching_pairs(file: str) -> list[tuple[str, str]]:
    """
    Return the names of bodies that touch in the initial configuration, none if MuJoCo refuses.

    A MujocoFailedError says that MuJoCo did not answer.
    """
    return [
        (first, second) for first, second in ask(__name__, {'file': file, 'touching': _TOUCHING})]


def answer(request: Mapping[str, Any]) -> Any:
    """Return the bodies of a file; this function runs in MuJoCo's process."""
    return _touching(request) if 'touching' in request else _loaded(request)


def _touching(request: Mapping[str, Any]) -> list[tuple[str, str]]:
    import mujoco
    try:
        model = mujoco.MjModel.from_xml_path(request['file'])
    except ValueError:
        return []
    model.geom_margin[:] = request['touching']
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return sorted({
        tuple(sorted(model.body(model.geom_bodyid[geom]).name for geom in contact.geom))
        for contact in data.contact})


def _loaded(request: Mapping[str, Any]) -> dict[str, Any]:
    import mujoco
    try:
        model = mujoco.MjModel.from_xml_path(request['file'])
    except ValueError as error:
        return Loaded(str(error))._asdict()
    data, bodies, poses = mujoco.MjData(model), range(model.nbody), []
    for qpos in request['configurations']:
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        poses.append([(data.xpos[body].tolist(), data.xmat[body].tolist()) for body in bodies])
    names = [model.body(body).name for body in bodies]
    return Loaded('', names, model.body_mass.tolist(), poses)._asdict()
