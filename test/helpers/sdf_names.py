# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What bodies are called in a written SDFormat file, which has one namespace for all."""

from __future__ import annotations

from hrdf_ros.model import Model


def with_names_of_sdf(model: Model) -> Model:
    """Return the Model with other names for bodies that a joint or coordinate is called like."""
    taken = {item.name for item in (*model.joints, *model.coordinates)}
    renamed = {body.name: f'{body.name}/body' for body in model.bodies if body.name in taken}
    return model._replace(
        bodies=tuple(
            body._replace(name=renamed.get(body.name, body.name)) for body in model.bodies),
        frames=tuple(
            frame._replace(name=renamed.get(frame.name, frame.name)) for frame in model.frames))
