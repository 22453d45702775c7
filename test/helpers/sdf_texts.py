# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Short SDFormat texts, and facts about their Models, for the tests of the SDFormat reader."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Model
from hrdf_ros.pose import compose, Pose


def in_model(inside: str, version: str = '1.12', attributes: str = '') -> str:
    """Return a file with one model ``m``."""
    return f'<sdf version="{version}"><model name="m"{attributes}>{inside}</model></sdf>'


def in_world(inside: str, version: str = '1.12') -> str:
    """Return a file with one world ``w``."""
    return f'<sdf version="{version}"><world name="w">{inside}</world></sdf>'


def errors_of(text: str) -> list[Optional[str]]:
    """Return libsdformat's names of all errors."""
    return [found.reference for found in load(text).report if found.severity == 'error']


def codes_of(loaded: LoadResult) -> list[str]:
    """Return the codes of all diagnostics."""
    return [found.code for found in loaded.report]


def pose_of(model: Model, name: str) -> Pose:
    """Return the pose of a frame, by its name in SDFormat."""
    frame = next(frame for frame in model.frames if frame.source_name == name)
    return compose(model.bodies[frame.body].pose, frame.pose)


def position(model: Model, name: str) -> tuple[float, ...]:
    """Return the position of a frame's origin in the file, rounded to nine digits."""
    return tuple(round(value, 9) + 0.0 for value in pose_of(model, name).position)


def body_of(model: Model, name: str) -> str:
    """Return the body that carries a frame; both have their names in SDFormat."""
    frame = next(frame for frame in model.frames if frame.source_name == name)
    return model.bodies[frame.body].source_name


def with_names_of_sdf(model: Model) -> Model:
    """Return the Model with other names for bodies whose name a joint or coordinate has, too."""
    taken = {item.name for item in (*model.joints, *model.coordinates)}
    renamed = {body.name: f'{body.name}/body' for body in model.bodies if body.name in taken}
    return model._replace(
        bodies=tuple(
            body._replace(name=renamed.get(body.name, body.name)) for body in model.bodies),
        frames=tuple(
            frame._replace(name=renamed.get(frame.name, frame.name)) for frame in model.frames))
