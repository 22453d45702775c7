# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer: draws robots, follows their files or their messages, and the controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
import os
from queue import Empty, SimpleQueue
from random import Random
import re
from threading import Event
import time
from typing import Any, NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.diff import diff_models
from hrdf_ros.file_reader import FileWatch
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array, matrices
from hrdf_ros.load_result import LoadResult
from hrdf_ros.meshes import MeshReader
from hrdf_ros.model import Model
from hrdf_ros.pose import IDENTITY
from hrdf_ros.view import CORNER, VIEWS
from hrdf_ros.view.comparison import about_differences, color_differences, painted
from hrdf_ros.view.drawing import Drag, Drawing, LIVE_REACH
from hrdf_ros.view.live import combine, LiveRobots
from hrdf_ros.view.motion import PosedModel, Slider, Unit, UNITS
from hrdf_ros.view.page_text import (
    about_model,
    about_positions,
    about_problem,
    link_tree,
    overlay,
)
from hrdf_ros.view.panel import NOTHING, Panel, Selection
from hrdf_ros.view.scene import build_scene, Layer, mesh_files, NO_MODEL, NO_SCENE, Scene
import numpy as np
import viser

_LAYERS: tuple[Layer, ...] = ('visual', 'collision', 'inertia', 'icon')
_LINK_EVENT = re.compile(r'(select|show|axes) ([0-9]{1,9})\b')
_TICK = 0.25
"""Seconds between two looks at the files."""

Load = Callable[[], LoadResult]
Publish = Callable[[Mapping[str, float]], None]
"""Takes positions by coordinate name; a later call replaces them."""


class Source(NamedTuple):
    """
    The robots that a viewer shows.

    Either ``load`` reads a description, and ``second`` another one to be drawn over it, with
    ``names`` of the two files; or ``live`` are running robots, whose messages ``Viewer.receive``
    takes. With ``publish`` the sliders drive the robot: it gets the coordinates that can be
    moved; its receivers compute the dependent ones.
    """

    load: Optional[Load] = None
    second: Optional[Load] = None
    names: tuple[str, str] = ('', '')
    live: Optional[LiveRobots] = None
    publish: Optional[Publish] = None


class Viewer:
    """
    Shows robots on the page of a server.

    Controls and ROS only put messages into a queue; ``run`` handles them, so that one thread
    changes the page.
    """

    def __init__(self, server: viser.ViserServer, source: Source) -> None:
        self._source = source
        self._messages: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._stopped = Event()
        self._drawing = Drawing(server, self.receive)
        self._second_drawing = Drawing(server, lambda name, content: None, root='/second')
        self._drawing.watch_width()
        self._panel = Panel(server, self.receive)
        self._meshes = MeshReader()
        self._random = Random(1)
        self._watch = FileWatch(())
        self._motion = PosedModel(NO_MODEL)
        self._scene = NO_SCENE
        self._second: Optional[tuple[PosedModel, Scene]] = None
        self._selection = Selection()
        self._mass_is_shown = False
        self._unit: Unit = UNITS[0]
        self._handlers: dict[str, Callable[[Any], object]] = {
            'description': self._on_description, 'joints': self._on_joints,
            'transforms': self._on_transforms, 'pose': self._on_pose,
            'click': self._on_click, 'find': self._on_find,
            'link': self._on_link, 'unit': self._on_unit, 'filter': self._panel.filter,
            'relative': lambda name: self._selection.choose('relative', name),
            'frames': self._drawing.show_frames, 'path': self._on_path,
            'axes': self._drawing.show_axes, 'lights': self._drawing.show_lights,
            'mass': self._on_mass, 'dark': self._on_dark,
            'camera': lambda view: self._drawing.frame_camera(VIEWS.get(view, CORNER)),
            'client': self._drawing.frame_narrow,
            **{layer: partial(self._drawing.show_layer, layer) for layer in _LAYERS}}
        self._panel.set_dark(False)
        if source.live is None:
            self.reload()
        else:
            self._panel.set_texts({'over': overlay('Waiting for a robot_description.', ())})
            self._panel.show_poses(source.publish is not None)

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

    def receive(self, name: str, content: object) -> None:
        """
        Take a message, from any thread: of a control, or of a running robot.

        Those of a robot are ``('description', (namespace, LoadResult))``,
        ``('joints', (namespace, {name: position}))`` and
        ``('transforms', [(parent, child, parent_from_child), ...])``.
        """
        self._messages.put((name, content))

    def _handle(self, message: tuple[str, Any]) -> None:
        """Handle a message and all that have come since, then draw once."""
        moved: set[int] = set()
        dragged: Optional[Drag] = None
        is_posed = False
        while True:
            name, value = message
            is_posed |= name in ('pose', 'drag')
            if name == 'slider':
                moved.add(value)
            elif name == 'drag':
                dragged = value  # each has its own start: only the last one counts
            else:
                self._handlers[name](value)
            try:
                message = self._messages.get_nowait()
            except Empty:
                break
        if moved:
            self._motion.move(self._panel.values(moved))
        if dragged is not None and not self._is_driven:
            self._motion.drag(*dragged)
        if self._has_robot:
            self._refresh(everywhere=is_posed)

    # ---- descriptions

    def reload(self) -> None:
        """Load the files again; with errors the last good robot stays."""
        assert self._source.load is not None
        began = time.time_ns()
        result = self._source.load()
        second = None if self._source.second is None else self._source.second()
        self._watch = FileWatch(tuple(dict.fromkeys((
            *result.files, *(() if second is None else second.files),
            *(self._watch.files if result.model is None else mesh_files(result.model))))), began)
        if result.model is None:
            kept = 'The last good robot is shown.' if self._has_robot else 'Save it to try again.'
            self._panel.set_texts({'over': overlay(
                f'The description has errors. {kept}', result.report)})
        else:
            self._show_result(result.model, result.report)
            if second is not None:
                self._compare(result.model, second)

    def _compare(self, first: Model, result: LoadResult) -> None:
        """Color the differences, and draw the second robot."""
        names = [os.path.basename(name) for name in self._source.names]
        if result.model is None:
            self._panel.set_texts({'over': overlay(f'{names[1]} has errors.', result.report)})
            return
        differences = diff_models(first, result.model)
        colors = color_differences(first, result.model, differences)
        self._panel.set_texts({'notes': about_differences(differences, *names)})
        self._drawing.show(first, painted(self._scene, colors.first, is_ghost=False))
        motion = PosedModel(result.model)
        scene = build_scene(result.model, motion.frames(), self._meshes)
        self._second = motion, scene
        self._second_drawing.show(result.model, painted(scene, colors.second, is_ghost=True))
        self._refresh(everywhere=True)

    def _on_description(self, content: tuple[str, LoadResult]) -> None:
        """Show a robot that a node describes."""
        live, (namespace, result) = self._source.live, content
        assert live is not None
        if result.model is None:
            live.failed[namespace] = result.report
            self._show_failures(live)
        else:
            size = build_scene(
                result.model, Kinematics(result.model).fk(), self._meshes).extent.size
            self._show_live(live, is_elsewhere=live.describe(namespace, result.model, size))

    def _show_live(self, live: LiveRobots, *, is_elsewhere: bool) -> None:
        """Draw all running robots anew; the camera stays unless one of them is elsewhere."""
        live.arrange()
        self._show_result(combine(live.robots), Report())
        if is_elsewhere:
            self._drawing.frame_camera(reach=LIVE_REACH)
        self._show_failures(live)

    def _show_failures(self, live: LiveRobots) -> None:
        for namespace, report in live.failed.items():
            of = f' of {namespace}' if namespace else ''
            self._panel.set_texts({'over': overlay(
                f'The robot_description{of} has errors.', report)})

    def _show_result(self, model: Model, report: Report) -> None:
        """Draw a new robot; coordinates of the same name keep their values."""
        self._panel.set_texts({'over': ''})
        warnings = sum(found.severity == 'warning' for found in report)
        is_first, before, self._motion = not self._has_robot, self._motion, PosedModel(model)
        self._scene = build_scene(model, self._frames(), self._meshes)
        self._motion.adopt(before)
        self._drawing.show(model, self._scene)
        self._selection.adopt(model)
        if is_first:
            self._drawing.frame_camera()
        frames = [frame.name for frame in model.frames]
        tags = [frame.tag for frame in model.frames if frame.tag]
        sliders = self._sliders()
        self._panel.show(
            model.name, sorted({*frames, *tags}), frames,
            [each.name for each in model.configurations], sliders, self._motion.vector.tolist())
        self._panel.set_texts({
            'about': about_model(
                model, sliders, (*self._scene.missing, *self._scene.notes), warnings)})
        self._show_links()
        self._refresh(everywhere=True)

    # ---- the configuration

    @property
    def _has_robot(self) -> bool:
        return self._motion.model is not NO_MODEL

    @property
    def _is_driven(self) -> bool:
        """Whether others move the robot, and the sliders only show its joints."""
        return self._source.live is not None and self._source.publish is None

    def _sliders(self) -> tuple[Slider, ...]:
        sliders = self._motion.sliders(self._scene.extent.size)
        if not self._is_driven:
            return sliders
        return tuple(slider._replace(depends='as published') for slider in sliders)

    def _refresh(self, *, everywhere: bool) -> None:
        """Bring the configuration to the page."""
        live, publish = self._source.live, self._source.publish
        if live is not None and live.arrange():
            self._show_live(live, is_elsewhere=True)
            return
        root_from_frames = self._frames()
        self._place(root_from_frames)
        self._panel.set_values(
            self._motion.vector.tolist(), everywhere=everywhere or self._is_driven)
        self._panel.set_texts({'selected': self._selection.about(root_from_frames, self._unit)})
        traced = self._selection.traced(root_from_frames)
        if traced is not None:
            self._drawing.extend_path(traced)
        if self._mass_is_shown:
            self._show_center_of_mass()
        if publish is not None:
            publish(self._motion.independent())

    def _frames(self) -> Array:
        """Return root_from_frame of all frames, (F, 4, 4)."""
        frames = self._motion.frames()
        live = self._source.live
        if live is None:
            return frames
        counts = [len(robot.model.frames) for robot in live.robots]
        roots: Array = np.repeat(matrices([place.pose for place in live.places]), counts, axis=0)
        return roots @ frames

    def _place(self, root_from_frames: Array) -> None:
        """Draw the links where the configuration has them, or TF for running robots."""
        live, problem = self._source.live, ''
        if live is None:
            self._drawing.place(self._scene.place(root_from_frames))
            if names := self._motion.open_loops():
                problem = f'The loop through {", ".join(names)} cannot close here.'
        else:
            poses = live.link_poses()
            self._drawing.place(matrices([pose or IDENTITY for pose in poses]))
            self._drawing.show_bodies([pose is not None for pose in poses])
            if None in poses:
                problem = f'TF has no transform of {poses.count(None)} links: not drawn.'
            self._panel.set_texts({'notes': live.about()})
        self._panel.set_texts({
            'positions': about_positions(self._motion.positions()),
            'loops': about_problem(problem)})
        if self._second is not None:
            motion, scene = self._second
            motion.adopt(self._motion)
            self._second_drawing.place(scene.place(motion.frames()))

    def _on_joints(self, content: tuple[str, Mapping[str, float]]) -> None:
        """Show published positions; sliders that drive the robot have the target instead."""
        namespace, positions = content
        if self._is_driven:
            prefix = f'{namespace.strip("/")}/' if namespace else ''
            named = {prefix + name: value for name, value in positions.items()}
            self._motion.move({
                index: named[name]
                for index, name in enumerate(self._motion.kinematics.coordinates)
                if name in named})

    def _on_transforms(self, transforms: Any) -> None:
        assert self._source.live is not None
        self._source.live.update(transforms)

    def _on_pose(self, value: str) -> None:
        if self._is_driven or value == NOTHING:
            return
        if value == 'Zero':
            self._motion.move_to_zero()
        elif value == 'Initial':
            self._motion.move_to_start()
        elif value == 'Random':
            self._motion.move_to_random(self._random, self._scene.extent.size)
        elif value in (each.name for each in self._motion.model.configurations):
            self._motion.move_to_configuration(value)

    def _on_unit(self, unit: Unit) -> None:
        self._unit = unit
        self._panel.set_unit(unit, self._motion.vector.tolist())

    # ---- the selection and the switches

    def _on_click(self, body: int) -> None:
        if body < len(self._scene.body_frames):  # else it is of an earlier robot
            self._on_find(self._motion.model.frames[self._scene.body_frames[body]].name)

    def _on_find(self, name: str) -> None:
        """Highlight the link of a frame; ``_refresh`` describes it."""
        self._selection.choose('find', name)
        self._drawing.select(self._selection.body)

    def _on_link(self, event: str) -> None:
        """Handle a click in the tree of links: select, show or axes, and the index."""
        found = _LINK_EVENT.match(event)
        if found is not None and int(found[2]) < len(self._motion.model.bodies):
            {'select': self._on_click, 'show': self._drawing.toggle_body,
             'axes': self._drawing.toggle_axes}[found[1]](int(found[2]))
            self._show_links()

    def _show_links(self) -> None:
        self._panel.set_texts({'links': link_tree(
            self._motion.model, self._motion.kinematics.topology, self._drawing.hidden,
            self._drawing.with_axes)})

    def _on_path(self, name: str) -> None:
        self._drawing.extend_path(None)
        self._selection.choose('path', name)

    def _on_mass(self, shown: bool) -> None:
        self._mass_is_shown = shown
        self._drawing.show_layer('mass', shown)
        self._show_center_of_mass()

    def _on_dark(self, dark: bool) -> None:
        self._panel.set_dark(dark)
        self._drawing.set_dark(dark)

    def _show_center_of_mass(self) -> None:
        """Show the center of mass of the whole robot, if it has one; several have none."""
        kinematics, live = self._motion.kinematics, self._source.live
        is_one = live is None or len(live.robots) == 1
        has_one = self._mass_is_shown and is_one and 0.0 < kinematics.mass < float('inf')
        self._drawing.show_center_of_mass(
            kinematics.center_of_mass(self._motion.vector) if has_one else None)
