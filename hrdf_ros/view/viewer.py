# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The viewer: draw robots, follow their files or their messages, and handle the controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import os
from queue import Empty, SimpleQueue
from threading import Event
import time
from types import MappingProxyType
from typing import Any, NamedTuple, Optional

from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.diff import diff_models
from hrdf_ros.file_reader import FileWatch
from hrdf_ros.kinematics import Kinematics
from hrdf_ros.kinematics.transforms import Array, invert, matrices, pose_of
from hrdf_ros.load_result import LoadResult
from hrdf_ros.meshes import MeshReader
from hrdf_ros.model import Model, NONE
from hrdf_ros.pose import IDENTITY
from hrdf_ros.topology import name_frames
from hrdf_ros.view import CORNER, page_html, VIEWS
from hrdf_ros.view.drawing import Drag, Drawing, LIVE_REACH, Look
from hrdf_ros.view.live import combine, LiveRobots
from hrdf_ros.view.motion import marked_at, PosedModel, POSES, Slider
from hrdf_ros.view.panel import LAYERS, NOTHING, Panel
from hrdf_ros.view.scene import (
    build_scene,
    difference_colors,
    mesh_files,
    NO_SCENE,
    ONLY_FIRST,
    ONLY_SECOND,
    painted,
    Scene,
)
import viser

_TICK = 0.25
"""The seconds between two checks whether the files have changed."""

Load = Callable[[], LoadResult]
Publish = Callable[[Mapping[str, float]], None]
"""
A function that takes positions by coordinate name; a later call replaces earlier positions.
"""


class Source(NamedTuple):
    """
    The robots that a viewer shows.

    Either ``load`` reads a description, which is first shown at the ``positions`` by coordinate,
    and ``second`` another one that is drawn over it, with the ``names`` of the two files; or
    ``live`` has the running robots, whose messages ``Viewer.receive`` takes.

    With ``publish`` the sliders drive the robot: it is called with the coordinates that can be
    moved, and its receivers compute the dependent ones. With ``clicked`` the robot stands beside a
    text: it is called with the place of the link that is clicked.
    """

    load: Optional[Load] = None
    second: Optional[Load] = None
    names: tuple[str, str] = ('', '')
    positions: Mapping[str, float] = MappingProxyType({})
    live: Optional[LiveRobots] = None
    publish: Optional[Publish] = None
    clicked: Optional[Callable[[Location], object]] = None


class Viewer:
    """
    Shows robots on the page of a server.

    Controls and ROS only put messages into a queue, and ``run`` handles them, so that only one
    thread changes the page. The state of the page is the configuration, the values of the panel's
    controls, the hidden links and the links with axes. Beside a text, the robot is up to date
    unless the text has errors.
    """

    def __init__(self, server: viser.ViserServer, source: Source) -> None:
        self._source = source
        self._messages: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._stopped = Event()
        self._drawing = Drawing(server, self.receive)
        self._second_drawing = Drawing(server, lambda name, content: None, root='/second')
        self._drawing.watch_width()
        self._panel = Panel(server, self.receive, can_pose=not self._is_driven)
        self._meshes = MeshReader()
        self._watch = FileWatch(())
        self._motion = PosedModel(NO_SCENE.model)
        self._scene = NO_SCENE
        self._second: Optional[tuple[PosedModel, Scene]] = None
        self._names: dict[str, int] = {}
        self._marked: dict[str, set[int]] = {'show': set(), 'axes': set()}
        self._absent: frozenset[int] = frozenset()
        self._cursor: tuple[Location, ...] = ()
        self._is_current = False
        self._handlers: dict[str, Callable[[Any], object]] = {
            'description': self._on_description, 'joints': self._on_joints,
            'transforms': (source.live or LiveRobots()).tree.update,
            'pose': self._on_pose, 'named': self._on_pose,
            'click': self._on_pick, 'link': self._on_link, 'filter': self._panel.filter,
            'unit': lambda _: self._panel.set_unit(self._motion.vector.tolist()),
            'path': lambda _: self._drawing.extend_path(None), 'dark': self._panel.set_dark,
            'camera': lambda view: self._drawing.frame_camera(VIEWS.get(view, CORNER)),
            'reload': lambda _: self.reload(), 'cursor': self._on_cursor}
        if source.clicked is not None:
            self._panel.minimize()
        if source.live is None:
            self.reload()
        else:
            self._show_errors('Waiting for a robot_description.', Report())

    def run(self) -> None:
        """Handle messages until ``stop`` is called from another thread."""
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
        """Let ``run`` return at its next message or check of the files."""
        self._stopped.set()

    def receive(self, name: str, content: object) -> None:
        """
        Take a message of a control or of a running robot, from any thread.

        The messages of a robot are ``('description', (namespace, LoadResult))``, ``('joints',
        (namespace, {name: position}))`` and ``('transforms', [(parent, child, parent_from_child),
        ...])``.
        """
        self._messages.put((name, content))

    def _handle(self, message: tuple[str, Any]) -> None:
        """Handle a message and all that have arrived since, then draw once."""
        moved: set[int] = set()
        dragged: Optional[Drag] = None
        is_posed = False
        while True:
            name, value = message
            is_posed |= name in ('pose', 'named', 'drag')
            if name == 'slider':
                moved.add(value)
            elif name == 'drag':
                dragged = value  # each drag states its start, so only the last one counts
            elif name in self._handlers:
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
        """Load the files again; if they have errors, the last good robot stays."""
        assert self._source.load is not None
        began = time.time_ns()
        result = self._source.load()
        second = None if self._source.second is None else self._source.second()
        self._watch = FileWatch(tuple(dict.fromkeys((
            *result.files, *(() if second is None else second.files),
            *(self._watch.files if result.model is None else mesh_files(result.model))))), began)
        self._is_current = result.model is not None
        if result.model is None:
            kept = 'The last good robot is shown.' if self._has_robot else 'Save it to try again.'
            self._show_errors(f'The description has errors. {kept}', result.report)
        else:
            self._show_result(result.model, result.report)
            if second is not None:
                self._compare(result.model, second)

    def _compare(self, first: Model, result: LoadResult) -> None:
        """Color the differences, and draw the second robot."""
        names = [os.path.basename(name) for name in self._source.names]
        if result.model is None:
            self._show_errors(f'{names[1]} has errors.', result.report)
            return
        second, motion = result.model, PosedModel(result.model)
        differences = diff_models(first, second)
        self._panel.set_texts({'notes': page_html.about_differences(differences, *names)})
        self._drawing.show(painted(
            self._scene, difference_colors(first, differences, ONLY_FIRST), is_ghost=False))
        scene = build_scene(second, motion.frames(), self._meshes)
        self._second = motion, scene
        self._second_drawing.show(painted(
            scene, difference_colors(second, differences, ONLY_SECOND), is_ghost=True))
        self._refresh(everywhere=True)

    def _on_description(self, content: tuple[str, LoadResult]) -> None:
        """Show a robot that a node has described."""
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
        """Draw all running robots again; the camera moves only if ``is_elsewhere``."""
        live.arrange()
        self._show_result(combine(live.robots), Report())
        if is_elsewhere:
            self._drawing.frame_camera(reach=LIVE_REACH)
        self._show_failures(live)

    def _show_failures(self, live: LiveRobots) -> None:
        for namespace, report in live.failed.items():
            of = f' of {namespace}' if namespace else ''
            self._show_errors(f'The robot_description{of} has errors.', report)

    def _show_errors(self, title: str, report: Report) -> None:
        self._panel.set_texts({'over': page_html.overlay(title, report)})

    def _show_result(self, model: Model, report: Report) -> None:
        """Draw a new robot; coordinates of the same name keep their values."""
        is_first, before = not self._has_robot, self._motion
        if before.model.bodies != model.bodies:
            for marked in self._marked.values():
                marked.clear()
        self._motion = PosedModel(model)
        self._scene = build_scene(model, self._frames(), self._meshes)
        if is_first:
            self._motion.move_by_name(self._source.positions)
        else:
            self._motion.adopt(before)
        self._names = name_frames(model)
        self._drawing.show(self._scene)
        if is_first:
            self._drawing.frame_camera()
        self._on_cursor(self._cursor)
        frames = [frame.name for frame in model.frames]
        tags = [frame.tag for frame in model.frames if frame.tag]
        sliders = self._sliders()
        self._panel.show(model.name, {
            'find': sorted({*frames, *tags}), 'relative': frames, 'path': frames,
            'named': [each.name for each in model.configurations]}, sliders,
            self._motion.vector.tolist())
        self._panel.set_texts({'over': '', 'about': page_html.about_model(
            model, sliders, (*self._scene.missing, *self._scene.notes),
            sum(found.severity == 'warning' for found in report))})
        self._refresh(everywhere=True)

    # ---- the configuration

    @property
    def _has_robot(self) -> bool:
        return self._scene is not NO_SCENE

    @property
    def _is_driven(self) -> bool:
        """Return whether others move the robot, so that the sliders only show its positions."""
        return self._source.live is not None and self._source.publish is None

    def _sliders(self) -> tuple[Slider, ...]:
        sliders = self._motion.sliders()
        if not self._is_driven:
            return sliders
        return tuple(slider._replace(depends='as published') for slider in sliders)

    def _refresh(self, *, everywhere: bool) -> None:
        """Bring the page up to date with the configuration and the controls of the panel."""
        live, publish = self._source.live, self._source.publish
        if live is not None and live.arrange():
            self._show_live(live, is_elsewhere=True)
            return
        root_from_frames = self._frames()
        self._place(root_from_frames)
        look = Look(
            frozenset(filter(self._panel.value, LAYERS)), self._panel.value('frames'),
            self._panel.value('dark'), self._absent.union(self._marked['show']),
            frozenset(self._marked['axes']))
        self._drawing.set_look(look)
        is_one = live is None or len(live.robots) == 1
        self._drawing.show_center_of_mass(
            self._motion.center_of_mass() if is_one and 'mass' in look.layers else None)
        self._show_chosen(root_from_frames)
        self._panel.set_values(
            self._motion.vector.tolist(), everywhere=everywhere or self._is_driven)
        self._panel.set_texts({
            'positions': page_html.about_positions(self._motion.positions()),
            'links': page_html.link_tree(
                self._motion.model, self._motion.kinematics.topology, self._marked['show'],
                self._marked['axes'])})
        if publish is not None:
            publish(self._motion.independent())

    def _frames(self) -> Array:
        """Return root_from_frame (F, 4, 4) of all frames."""
        frames = self._motion.frames()
        live = self._source.live
        if live is None:
            return frames
        roots = matrices([robot.pose for robot in live.robots for _ in robot.model.frames])
        return roots @ frames

    def _place(self, root_from_frames: Array) -> None:
        """Draw the links where the configuration, or TF for running robots, has them."""
        live, problem = self._source.live, ''
        if live is None:
            self._drawing.place(root_from_frames[self._scene.body_frames])
            if names := self._motion.open_loops():
                problem = f'The loop through {", ".join(names)} cannot close here.'
        else:
            poses = live.link_poses()
            self._drawing.place(matrices([pose or IDENTITY for pose in poses]))
            self._absent = frozenset(i for i, pose in enumerate(poses) if pose is None)
            if self._absent:
                problem = f'TF has no transform of {len(self._absent)} links: not drawn.'
            self._panel.set_texts({'notes': live.about()})
        self._panel.set_texts({'loops': page_html.about_problem(problem)})
        if self._second is not None:
            motion, scene = self._second
            motion.adopt(self._motion)
            self._second_drawing.place(motion.frames()[scene.body_frames])

    def _show_chosen(self, root_from_frames: Array) -> None:
        """Show the facts about the selected frame, and extend the path of the chosen frame."""
        model, text = self._motion.model, ''
        selected, origin, traced = (
            self._names.get(self._panel.value(name)) for name in ('find', 'relative', 'path'))
        if selected is not None:
            matrix = root_from_frames[selected]
            if origin is not None:
                matrix = invert(root_from_frames[origin]) @ matrix
            text = page_html.about_frame(
                model, selected, pose_of(matrix), self._panel.value('unit'))
        self._drawing.select(NONE if selected is None else model.frames[selected].body)
        self._panel.set_texts({'selected': text})
        if traced is not None:
            x, y, z = root_from_frames[traced, :3, 3].tolist()
            self._drawing.extend_path((x, y, z))

    # ---- messages

    def _on_joints(self, content: tuple[str, Mapping[str, float]]) -> None:
        """Show published positions; sliders that drive the robot keep showing their targets."""
        namespace, positions = content
        if self._is_driven:
            prefix = f'{namespace.strip("/")}/' if namespace else ''
            self._motion.move_by_name(
                {prefix + name: value for name, value in positions.items()})

    def _on_pose(self, name: str) -> None:
        names = {each.name for each in self._motion.model.configurations}
        if not self._is_driven and name in names.union(POSES):
            self._motion.move_to(name)

    def _on_click(self, body: int) -> None:
        if body < len(self._scene.body_frames):  # otherwise it belongs to an earlier robot
            frame = self._motion.model.frames[self._scene.body_frames[body]]
            self._panel.choose('find', frame.name)

    def _on_pick(self, body: int) -> None:
        """Handle a click on a link in the picture."""
        self._on_click(body)
        bodies = self._motion.model.bodies
        at = bodies[body].location if body < len(bodies) else None
        if self._source.clicked is not None and at is not None:
            self._source.clicked(at.resolve())

    def _on_cursor(self, places: tuple[Location, ...]) -> None:
        """Mark the link, or the joint's axis and its child, at the cursor of an editor."""
        self._cursor = places  # while the text has errors, the last mark stays
        if self._source.clicked is not None and self._is_current:
            body, joint = marked_at(self._motion.model, self._cursor)
            self._drawing.mark_joint(joint)
            if body == NONE:
                self._panel.choose('find', NOTHING)
            else:
                self._on_click(body)

    def _on_link(self, event: str) -> None:
        """Handle a click in the tree of links."""
        name, body = page_html.link_event(event)
        if name and body < len(self._motion.model.bodies):
            if name == 'select':
                self._on_click(body)
            else:
                self._marked[name] ^= {body}
