# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Draw a scene on the page: viser's nodes for links, their surfaces and their marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from math import floor, log10
from threading import Event
import time
from typing import Any, Literal, NamedTuple, Optional

from hrdf_ros.kinematics.transforms import Array, pose_of
from hrdf_ros.model import Joint, NONE
from hrdf_ros.pose import Pose, rotate, Vector
from hrdf_ros.view import CORNER
from hrdf_ros.view.lights import Light
from hrdf_ros.view.scene import (
    camera,
    FIELD_OF_VIEW,
    frame_labels,
    FrameChoice,
    joint_axes,
    NO_SCENE,
    Scene,
    Solid,
)
import numpy as np
import viser

_SELECTED = (255, 160, 0)
"""The color of the selected link."""
_TURNS = (255, 190, 0)
"""The color of the axes of joints that turn."""
_SLIDES = (0, 200, 230)
"""The color of the axes of joints that slide."""
_PATH = (255, 60, 140)
"""The color of the path of the chosen frame."""
_CENTER = (220, 30, 90)
"""The color of the center of mass."""
_GRID = {False: ((205, 209, 214), (150, 156, 164)), True: ((70, 74, 80), (110, 116, 124))}
"""The colors of thin and of strong grid lines, by whether the page is dark."""
_OPACITY_WITH_FRAMES = 0.5
"""The factor of a surface's opacity while frames are shown, which may be inside of it."""
_REACH = 0.56
"""The radius of the ball around the robot that the camera sees, as a part of the robot's size."""
LIVE_REACH = 0.95
"""The radius for a running robot, which moves by itself and needs more room."""
_ANCHORS: tuple[Literal['bottom-left', 'top-left', 'bottom-right', 'top-right'], ...] = (
    'bottom-left', 'top-left', 'bottom-right', 'top-right')
"""
The anchors of labels, taken in turn by the bodies: the frames of two bodies coincide at a joint.
"""
_PATH_POINTS = 3000
"""The most points of a path; then the oldest is dropped for each new one."""
_SURROUNDINGS: Literal['city'] = 'city'
"""The environment map from which viser's default light comes."""
_DIM_LIGHT = 0.4
"""The intensity of the default light while the lights of the file shine."""
_FAR_AWAY = 1e6
"""
The distance in meters of a directional light, so large that the place of a body has no effect.
"""
_SETTLING = 20.0
"""The seconds in which a new page settles its layout; later the camera is left to the user."""

Drag = tuple[int, Vector, Vector]
"""A body, a point of it, and the point that it is dragged to; both are in the root."""


class Look(NamedTuple):
    """
    What is visible of a scene, and whether the page is dark.

    ``layers`` has the layers of solids, ``axes`` for the axes of joints, and ``lights``. The
    frames of the bodies ``with_axes`` are shown in addition to those of ``frames``.
    """

    layers: frozenset[str] = frozenset({'visual', 'icon', 'lights'})
    frames: FrameChoice = 'off'
    dark: bool = False
    hidden: frozenset[int] = frozenset()
    with_axes: frozenset[int] = frozenset()


class Drawing:
    """
    The scene on the page of one server.

    ``send`` is called from viser's threads with ``('click', body)``, and with ``('drag', Drag)``
    for a link that is dragged while Shift is down. The nodes of bodies are below ``root`` and are
    named by the body's index.
    """

    def __init__(
        self, server: viser.ViserServer, send: Callable[[str, Any], None], root: str = '/robot',
    ) -> None:
        self._server = server
        self._nodes_of = server.scene
        self._send = send
        self._root = root
        self._scene = NO_SCENE
        self._look = Look()
        self._bodies: dict[int, Any] = {}
        self._placed = np.zeros((0, 4, 4))
        self._layers: dict[str, list[Any]] = {}
        self._surfaces: list[tuple[Solid, Any]] = []
        self._frames: list[Any] = []
        self._marks: list[Any] = []
        self._shines = False
        self._selected = NONE
        self._path: list[Vector] = []
        self._reach = _REACH
        self._view = CORNER

    def show(self, scene: Scene) -> None:
        """Draw another robot instead of the current one; the camera stays."""
        for node in self._bodies.values():
            node.remove()
        self._scene = scene
        self._layers.clear()
        self._surfaces.clear()
        self._frames.clear()
        self._marks.clear()
        self._placed = np.zeros((0, 4, 4))
        self._selected = NONE
        self._bodies = {
            index: self._nodes_of.add_frame(self._node(index), show_axes=False)
            for index in (NONE, *range(len(scene.model.bodies)))}
        look, self._look = self._look, Look(frozenset())
        self.set_look(look)
        self._draw_grid()

    def set_look(self, look: Look) -> None:
        """Show what a look says; the nodes of a layer are made when the layer is first shown."""
        before, self._look = self._look, look
        if look == before:
            return
        for layer in {*self._layers, *look.layers}:
            is_shown = layer in look.layers
            if is_shown and layer not in self._layers:
                self._layers[layer] = list(self._layer_nodes(layer))
            for node in self._layers.get(layer, ()):
                node.visible = is_shown
        for index in range(len(self._scene.model.bodies)):
            self._bodies[index].visible = index not in look.hidden
        if (look.frames, look.with_axes) != (before.frames, before.with_axes):
            while self._frames:
                self._frames.pop().remove()
            self._frames += self._frame_nodes()
            for solid, node in self._surfaces:
                node.opacity = self._opacity(solid)
        if look.dark != before.dark:
            self._draw_grid()
        self._set_default_lights()

    def frame_camera(self, view: tuple[float, float] = CORNER, reach: float = _REACH) -> None:
        """Let all clients, also those that connect later, see the whole robot from a direction."""
        self._reach, self._view = reach, view
        self._look_from(self._server.initial_camera, 1.0)
        for client in self._server.get_clients().values():
            self._look_from(client.camera, client.camera.aspect)

    def watch_width(self) -> None:
        """Show the whole robot again on a new narrow page, once the panel has taken its part."""
        def watch(client: viser.ClientHandle) -> None:
            until = time.monotonic() + _SETTLING
            framed = Event()

            def look(_: object) -> None:
                if client.camera.aspect < 1.0 and time.monotonic() < until and not framed.is_set():
                    framed.set()
                    self._look_from(client.camera, client.camera.aspect)

            client.camera.on_update(look)

        self._server.on_client_connect(watch)

    def _look_from(self, eye: Any, aspect: float) -> None:
        seen_from = camera(self._scene.extent, *self._view, aspect=aspect, reach=self._reach)
        eye.near, eye.far, eye.fov = seen_from.near, seen_from.far, FIELD_OF_VIEW
        eye.position, eye.look_at = seen_from.position, seen_from.look_at

    def place(self, root_from_bodies: Array) -> None:
        """Move the bodies to their poses in the root (B, 4, 4)."""
        moved = range(len(root_from_bodies)) if not len(self._placed) else np.flatnonzero(
            (self._placed != root_from_bodies).any(axis=(1, 2))).tolist()
        self._placed = root_from_bodies
        with self._server.atomic():
            for index in moved:
                pose, node = pose_of(root_from_bodies[index]), self._bodies[index]
                node.position, node.wxyz = pose.position, _wxyz(pose)

    def show_center_of_mass(self, position: Optional[Array]) -> None:
        """Show the robot's center of mass at a point, or hide it."""
        if position is None:
            self._nodes_of.remove_by_name('/center_of_mass')
        else:
            self._nodes_of.add_icosphere(
                '/center_of_mass', radius=0.02 * self._scene.extent.size, color=_CENTER,
                position=position)

    def select(self, body: int) -> None:
        """Highlight one body, and restore the colors of the previous one."""
        if body != self._selected:
            for solid, node in self._surfaces:
                if solid.body in (self._selected, body):
                    node.color = _SELECTED if solid.body == body else solid.color
            self._selected = body

    def mark_joint(self, joint: Optional[Joint]) -> None:
        """Show the axes of one joint in addition to other axes; None hides them again."""
        while self._marks:
            self._marks.pop().remove()
        self._marks += () if joint is None else self._axis_nodes([joint], 'mark')

    def extend_path(self, point: Optional[Vector]) -> None:
        """Add a point to the path of the chosen frame; None removes the path."""
        if point is None:
            self._path.clear()
            self._nodes_of.remove_by_name('/path')
        elif not self._path or self._path[-1] != point:
            self._path = [*self._path[-_PATH_POINTS:], point]
            if len(self._path) > 1:
                points = np.array(self._path)
                self._nodes_of.add_line_segments(
                    '/path', np.stack((points[:-1], points[1:]), 1), _PATH, line_width=4.0)

    def _node(self, body: int) -> str:
        """Return the name of a body's node; -1 stands for the root of poses."""
        return f'{self._root}/{body if body != NONE else "root"}'

    def _layer_nodes(self, layer: str) -> Iterator[Any]:
        if layer == 'axes':
            yield from self._axis_nodes(self._scene.model.joints, 'axes')
        elif layer == 'lights':
            for index, light in enumerate(self._scene.lights):
                yield self._light_node(f'{self._node(light.body)}/light_{index}', light)
        else:
            for index, solid in enumerate(self._scene.solids):
                if solid.layer == layer and len(solid.triangles.faces):
                    yield self._solid_node(f'{self._node(solid.body)}/{layer}_{index}', solid)

    def _axis_nodes(self, joints: Iterable[Joint], name: str) -> Iterator[Any]:
        """Yield the axes of joints as arrows; their color says whether the joint turns."""
        length = 0.14 * self._scene.extent.size
        for (body, turns), axes in joint_axes(joints).items():
            ends = [(origin - 0.5 * length * axis, origin + length * axis)
                    for origin, axis in axes]
            yield self._nodes_of.add_arrows(
                f'{self._node(body)}/{"turning" if turns else "sliding"}_{name}', np.array(ends),
                _TURNS if turns else _SLIDES, shaft_radius=0.04 * length,
                head_radius=0.1 * length, head_length=0.25 * length)

    def _solid_node(self, name: str, solid: Solid) -> Any:
        placed = {'position': solid.pose.position, 'wxyz': _wxyz(solid.pose)}
        if solid.glb is not None:
            node: Any = self._nodes_of.add_glb(name, solid.glb, **placed)
        else:
            node = self._nodes_of.add_mesh_simple(
                name, solid.triangles.vertices, solid.triangles.faces, color=solid.color,
                opacity=self._opacity(solid), side='double', **placed)
            if solid.layer == 'visual':
                self._surfaces.append((solid, node))
        body = solid.body
        node.on_click(lambda _: self._send('click', body))
        node.on_drag('left', modifier='shift')(lambda event: self._send(
            'drag', (body, event.start_position, event.end_position)))
        return node

    def _light_node(self, name: str, light: Light) -> Any:
        """
        Return the node of a light.

        A directional light shines from afar toward the origin.
        """
        add = self._nodes_of
        placed = {'color': light.color, 'intensity': light.intensity, 'wxyz': _wxyz(light.pose)}
        if light.kind == 'directional':
            x, y, z = rotate(light.pose, light.along)
            return add.add_light_directional(
                name, **placed, position=(-_FAR_AWAY * x, -_FAR_AWAY * y, -_FAR_AWAY * z))
        placed |= {'position': light.pose.position, 'distance': light.reach, 'decay': light.decay}
        if light.kind == 'point':
            return add.add_light_point(name, **placed)
        return add.add_light_spot(
            name, **placed, angle=light.angle, penumbra=light.penumbra, direction=light.along)

    def _set_default_lights(self) -> None:
        """
        Let the file's lights replace the default lights, except for a dim one.

        Without the dim light, surfaces that no light of the file reaches would be black.
        """
        shines = 'lights' in self._look.layers and bool(self._scene.lights)
        if shines != self._shines:
            self._shines = shines
            self._nodes_of.configure_default_lights(enabled=not shines)
            self._nodes_of.configure_environment_map(
                _SURROUNDINGS, environment_intensity=_DIM_LIGHT if shines else 1.0)

    def _opacity(self, solid: Solid) -> Optional[float]:
        """Return the opacity of a surface, which is reduced while frames are shown."""
        has_frames = self._look.frames != 'off' or solid.body in self._look.with_axes
        opacity = solid.opacity * (_OPACITY_WITH_FRAMES if has_frames else 1.0)
        return opacity if opacity < 1.0 else None

    def _frame_nodes(self) -> Iterator[Any]:
        """Yield the axes of frames, and one label for all frames of one origin."""
        length = 0.06 * self._scene.extent.size
        shown = frame_labels(self._scene, self._look.frames, self._look.with_axes)
        for body, frames in shown.items():
            yield self._nodes_of.add_batched_axes(
                f'{self._node(body)}/frames', np.array([_wxyz(pose) for pose, _ in frames]),
                np.array([pose.position for pose, _ in frames]), axes_length=length,
                axes_radius=0.05 * length)
            names: dict[Vector, list[str]] = defaultdict(list)
            for pose, name in frames:
                names[pose.position].append(name)
            for index, (position, there) in enumerate(names.items()):
                yield self._nodes_of.add_label(
                    f'{self._node(body)}/frame_{index}', ', '.join(there), position=position,
                    anchor=_ANCHORS[body % len(_ANCHORS)], font_screen_scale=1.0)

    def _draw_grid(self) -> None:
        size, low = self._scene.extent.size, self._scene.extent.floor
        cell = 10.0 ** floor(log10(max(size, 1e-6) / 2.0))
        height = low if low < -1e-3 * size or low > size else 0.0
        width = 2.0 * cell * (1 + int(3.0 * size / cell))
        light, strong = _GRID[self._look.dark]
        center = [round(value / cell) * cell for value in self._scene.extent.center[:2]]
        self._nodes_of.add_grid(
            '/grid', width, width, cell_size=cell, section_size=10.0 * cell, cell_color=light,
            section_color=strong, position=(*center, height), fade_distance=12.0 * size,
            fade_strength=1.0)


def _wxyz(pose: Pose) -> tuple[float, float, float, float]:
    x, y, z, w = pose.orientation
    return w, x, y, z
