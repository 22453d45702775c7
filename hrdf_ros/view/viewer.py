# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer: loads a robot, draws it, follows its files and the controls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from random import Random
from threading import Event
import time
from typing import Any, Optional

from hrdf_ros.file_watch import FileWatch
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.load_result import LoadResult
from hrdf_ros.model import Mesh, Model, NONE
from hrdf_ros.topology import find_frame
from hrdf_ros.view.drawing import Drawing
from hrdf_ros.view.meshes import MeshCache
from hrdf_ros.view.motion import PosedModel, Slider
from hrdf_ros.view.panel import NOTHING, Panel
from hrdf_ros.view.scene import build_scene, Layer, Scene
from hrdf_ros.view.texts import (
    about_body,
    about_configuration,
    about_frame,
    about_model,
    overlay,
)
import viser

_LAYERS: tuple[Layer, ...] = ('visual', 'collision', 'inertia')
_WITHOUT_ROBOT = ('description', 'transforms', 'dark')
_SETTLING = 10.0
"""Seconds within which a page has found its layout; later the camera is the user's."""
_TICK = 0.25
"""Seconds between two looks at the files."""


class Viewer:
    """
    Shows what ``load`` returns on the page of a server.

    Controls only put messages into a queue; ``run`` works on them, so that there is one thread
    that changes anything.
    """

    def __init__(
        self, server: viser.ViserServer, load: Optional[Callable[[], LoadResult]],
    ) -> None:
        self._load = load
        self._messages: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._stopped = Event()
        self._drawing = Drawing(server, lambda body: self._messages.put(('click', body)))
        server.on_client_connect(self._watch_width)
        self._panel = Panel(server, lambda name, value: self._messages.put((name, value)))
        self._meshes = MeshCache()
        self._random = Random(1)
        self._watch = FileWatch(())
        self._motion: Optional[PosedModel] = None
        self._scene: Optional[Scene] = None
        self._path_frame: Optional[int] = None
        self._mass_is_shown = False
        self._handlers: dict[str, Callable[[Any], None]] = {
            'pose': self._on_pose, 'click': self._on_click, 'find': self._on_find,
            'frames': self._drawing.show_frames, 'path': self._on_path,
            'axes': self._drawing.show_axes, 'mass': self._on_mass, 'dark': self._on_dark,
            'camera': lambda _: self._drawing.frame_camera(),
            'client': self._drawing.frame_narrow,
            **{layer: partial(self._drawing.show_layer, layer) for layer in _LAYERS}}
        self._panel.set_dark(False)
        if load is not None:
            self.reload()

    def run(self) -> None:
        """Serve until ``stop`` is called from another thread."""
        looked = time.monotonic()
        while not self._stopped.is_set():
            try:
                self._handle(self._messages.get(timeout=_TICK))
            except Empty:
                pass
            if time.monotonic() - looked >= _TICK:
                looked = time.monotonic()
                if self._watch.changed():
                    self.reload()

    def stop(self) -> None:
        """Let ``run`` return soon."""
        self._stopped.set()

    def _watch_width(self, client: viser.ClientHandle) -> None:
        """Let one who comes see the whole robot when the panel has taken its part of the page."""
        until = time.monotonic() + _SETTLING
        framed = Event()

        def look(_: object) -> None:
            if client.camera.aspect < 1.0 and time.monotonic() < until and not framed.is_set():
                framed.set()
                self._messages.put(('client', client))

        client.camera.on_update(look)

    def reload(self) -> None:
        """Load the files again; with errors the last good robot stays."""
        assert self._load is not None
        began = time.time_ns()
        result = self._load()
        meshes = () if result.model is None else _mesh_files(result.model)
        known = self._watch.files if result.model is None else ()
        self._watch = FileWatch(tuple(dict.fromkeys((*result.files, *meshes, *known))), began)
        if result.model is None:
            kept = 'The last good robot is shown.' if self._motion else 'Save it to try again.'
            self._panel.set_texts({'over': overlay(
                f'The description has errors. {kept}', result.report)})
        else:
            self._show_result(result)

    def _show_result(self, result: LoadResult) -> None:
        """Draw a new robot; coordinates of the same name keep their values."""
        model = result.model
        assert model is not None
        self._panel.set_texts({'over': ''})
        warnings = sum(found.severity == 'warning' for found in result.report)
        before, self._motion = self._motion, PosedModel(model)
        self._scene = build_scene(model, self._frames(), self._meshes)
        if before is not None:
            self._motion.adopt(before)
        self._drawing.show(model, self._scene)
        if before is None:
            self._drawing.frame_camera()
        frames = [frame.name for frame in model.frames]
        tags = [frame.tag for frame in model.frames if frame.tag]
        about = about_model(
            model, self._motion.sliders(self._scene.size), self._scene.notes, warnings)
        self._panel.show(
            model.name, about, sorted({*frames, *tags}), frames, self._sliders(),
            self._motion.vector.tolist())
        self._refresh(everywhere=True)

    def _sliders(self) -> tuple[Slider, ...]:
        assert self._motion is not None and self._scene is not None
        return self._motion.sliders(self._scene.size)

    def _handle(self, message: tuple[str, Any]) -> None:
        """Work on a message and on all that came behind it, then draw once."""
        moved: set[int] = set()
        is_posed = False
        while True:
            name, value = message
            is_posed |= name == 'pose'
            if name == 'slider':
                moved.add(value)
            elif self._motion is not None or name in _WITHOUT_ROBOT:
                self._handlers[name](value)
            try:
                message = self._messages.get_nowait()
            except Empty:
                break
        if self._motion is not None:
            if moved:
                self._motion.move(self._panel.values(moved))
            self._refresh(everywhere=is_posed)

    def _refresh(self, *, everywhere: bool) -> None:
        """Bring the configuration to the page."""
        assert self._motion is not None and self._scene is not None
        root_from_frames = self._frames()
        self._place(root_from_frames[list(self._scene.body_frames)])
        self._panel.set_values(self._motion.vector.tolist(), everywhere=everywhere)
        self._panel.set_texts({'configuration': self._configuration()})
        if self._path_frame is not None:
            x, y, z = root_from_frames[self._path_frame, :3, 3].tolist()
            self._drawing.extend_path((x, y, z))
        if self._mass_is_shown:
            self._show_center_of_mass()

    def _frames(self) -> Array:
        """Return root_from_frame of all frames, (F, 4, 4)."""
        assert self._motion is not None
        return self._motion.frames()

    def _place(self, root_from_bodies: Array) -> None:
        """Draw the bodies where the configuration has them."""
        self._drawing.place(root_from_bodies)

    def _configuration(self) -> str:
        """Return what the page says about the configuration."""
        assert self._motion is not None
        return about_configuration(self._motion.positions(), self._motion.open_loops())

    def _on_pose(self, value: str) -> None:
        assert self._motion is not None and self._scene is not None
        if value == 'Zero':
            self._motion.move_to_zero()
        elif value == 'Initial':
            self._motion.move_to_start()
        else:
            self._motion.move_to_random(self._random, self._scene.size)

    def _on_click(self, body: int) -> None:
        assert self._motion is not None
        self._drawing.select(body)
        model = self._motion.model
        self._panel.set_texts({'selected': about_body(model, model.bodies[body])})

    def _on_find(self, name: str) -> None:
        assert self._motion is not None
        model = self._motion.model
        index = None if name == NOTHING else find_frame(model, name)
        if index is None:
            self._drawing.select(NONE)
            self._panel.set_texts({'selected': ''})
            return
        frame = model.frames[index]
        self._drawing.select(frame.body)
        is_body = frame.body != NONE and model.bodies[frame.body].name == frame.name
        self._panel.set_texts({'selected': about_body(model, model.bodies[frame.body])
                               if is_body else about_frame(model, index)})

    def _on_path(self, name: str) -> None:
        assert self._motion is not None
        self._drawing.extend_path(None)
        self._path_frame = None if name == NOTHING else find_frame(self._motion.model, name)

    def _on_mass(self, shown: bool) -> None:
        self._mass_is_shown = shown
        self._drawing.show_layer('mass', shown)
        self._show_center_of_mass()

    def _on_dark(self, dark: bool) -> None:
        self._panel.set_dark(dark)
        self._drawing.set_dark(dark)

    def _show_center_of_mass(self) -> None:
        """Show the center of mass of the whole robot, where it has one."""
        assert self._motion is not None
        kinematics = self._motion.kinematics
        has_one = self._mass_is_shown and 0.0 < kinematics.mass < float('inf')
        self._drawing.show_center_of_mass(
            kinematics.center_of_mass(self._motion.vector) if has_one else None)


def _mesh_files(model: Model) -> tuple[str, ...]:
    """Return the mesh files of a model."""
    shapes = (shape for body in model.bodies for shape in (*body.visuals, *body.collisions))
    return tuple(
        shape.geometry.file for shape in shapes
        if isinstance(shape.geometry, Mesh) and shape.geometry.file is not None)
