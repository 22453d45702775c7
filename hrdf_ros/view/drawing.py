# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A scene on the page: viser's nodes for links, their surfaces and marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import floor, log10
from threading import Event
import time
from typing import Any, Literal, Optional

from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.model import Model, NONE
from hrdf_ros.pose import from_matrix, Pose, rotate, Vector
from hrdf_ros.view import CORNER
from hrdf_ros.view.lights import Light
from hrdf_ros.view.scene import (
    camera,
    FIELD_OF_VIEW,
    FrameMark,
    Layer,
    NO_MODEL,
    NO_SCENE,
    Scene,
    Solid,
)
import numpy as np
import viser

FrameChoice = Literal['off', 'links', 'tagged', 'all']
FRAME_CHOICES: tuple[FrameChoice, ...] = ('off', 'links', 'tagged', 'all')

_SELECTED = (255, 160, 0)
_TURNS = (255, 190, 0)
_SLIDES = (0, 200, 230)
_PATH = (255, 60, 140)
_OPACITY_WITH_FRAMES = 0.5
_REACH = 0.56
"""Radius of the ball around the robot that is seen, by its size."""
LIVE_REACH = 0.95
"""The same for a running robot, which moves by itself."""
_ANCHORS: tuple[Literal['bottom-left', 'top-left', 'bottom-right', 'top-right'], ...] = (
    'bottom-left', 'top-left', 'bottom-right', 'top-right')
"""Of the labels of successive bodies, whose frames coincide at a joint."""
_PATH_POINTS = 3000
_SURROUNDINGS: Literal['city'] = 'city'
"""The picture whose light viser uses by default."""
_DIM = 0.4
_FAR = 1e6
"""Meters from which a directional light shines: the place of its body does not count."""
_SETTLING = 20.0
"""Seconds in which a new page finds its layout; later the camera is the user's."""

Drag = tuple[int, Vector, Vector]
"""A body, a point of it, and the point it is dragged to, both in the root."""


class Drawing:
    """
    The scene on the page of one server.

    ``send`` is called from viser's threads with ``('click', body)`` and, for a link that is
    dragged with Shift, ``('drag', Drag)``. Bodies have nodes below ``root``, named after their
    index. The user hides the bodies ``hidden``, and wants the axes of those ``with_axes``.
    """

    def __init__(
        self, server: viser.ViserServer, send: Callable[[str, Any], None], root: str = '/robot',
    ) -> None:
        self._server = server
        self._scene_api = server.scene
        self._send = send
        self._root = root
        self._model = NO_MODEL
        self._scene = NO_SCENE
        self._bodies: dict[int, Any] = {}
        self._placed: dict[int, Pose] = {}
        self._solids: dict[Layer, list[tuple[Solid, Any]]] = {}
        self._shown: set[Layer] = {'visual', 'icon'}
        self.hidden: set[int] = set()
        self._frames: list[Any] = []
        self._frame_choice: FrameChoice = 'off'
        self.with_axes: set[int] = set()
        self._axes: list[Any] = []
        self._has_axes = False
        self._lights: list[Any] = []
        self._has_lights = True
        self._shines = False
        self._center_of_mass: Any = None
        self._selected = NONE
        self._path: list[Vector] = []
        self._path_node: Any = None
        self._dark = False
        self._reach = _REACH
        self._view = CORNER

    def show(self, model: Model, scene: Scene) -> None:
        """Draw another robot instead of the current one; the camera stays."""
        for node in self._bodies.values():
            node.remove()
        if self._model.bodies != model.bodies:
            self.hidden.clear()
            self.with_axes.clear()
        self._model, self._scene = model, scene
        self._placed.clear()
        self._solids.clear()
        self._frames.clear()
        self._axes.clear()
        self._lights.clear()
        self._selected = NONE
        self._bodies = {
            index: self._scene_api.add_frame(self._node(index), show_axes=False)
            for index in (NONE, *range(len(model.bodies)))}
        for layer in sorted(self._shown):
            self._make_layer(layer)
        self.show_frames(self._frame_choice)
        self.show_axes(self._has_axes)
        self.show_lights(self._has_lights)
        self._draw_grid()

    def frame_camera(
        self, view: tuple[float, float] = CORNER, reach: float = _REACH,
    ) -> None:
        """Show the whole robot to all clients, connected now or later, from a direction."""
        self._reach, self._view = reach, view
        self._look_from(self._server.initial_camera, 1.0)
        for client in self._server.get_clients().values():
            self._look_from(client.camera, client.camera.aspect)

    def watch_width(self) -> None:
        """Send ``('client', client)`` once the panel has taken its part of a narrow new page."""
        def watch(client: viser.ClientHandle) -> None:
            until = time.monotonic() + _SETTLING
            framed = Event()

            def look(_: object) -> None:
                if client.camera.aspect < 1.0 and time.monotonic() < until and not framed.is_set():
                    framed.set()
                    self._send('client', client)

            client.camera.on_update(look)

        self._server.on_client_connect(watch)

    def frame_narrow(self, client: viser.ClientHandle) -> None:
        """Show the whole robot to a client with a narrow window."""
        if client.camera.aspect < 1.0:
            self._look_from(client.camera, client.camera.aspect)

    def _look_from(self, eye: Any, aspect: float) -> None:
        seen_from = camera(self._scene.extent, *self._view, aspect=aspect, reach=self._reach)
        eye.near, eye.far, eye.fov = seen_from.near, seen_from.far, FIELD_OF_VIEW
        eye.position, eye.look_at = seen_from.position, seen_from.look_at

    def place(self, root_from_bodies: Array) -> None:
        """Put the bodies where the configuration has them, (B, 4, 4)."""
        with self._server.atomic():
            for index, matrix in enumerate(root_from_bodies):
                pose = from_matrix(matrix[:3, 3].tolist(), matrix[:3, :3].ravel().tolist())
                if self._placed.get(index) != pose:
                    self._placed[index] = pose
                    node = self._bodies[index]
                    node.position = pose.position
                    node.wxyz = _wxyz(pose)

    def show_bodies(self, visible: Sequence[bool]) -> None:
        """Show each body or hide it, as those that the user hides."""
        for index, is_visible in enumerate(visible):
            node = self._bodies[index]
            if node.visible != (is_visible and index not in self.hidden):
                node.visible = not node.visible

    def toggle_body(self, body: int) -> None:
        """Hide a body, or show it again."""
        self.hidden ^= {body}
        self._bodies[body].visible = body not in self.hidden

    def toggle_axes(self, body: int) -> None:
        """Show the axes of a body, or hide them again."""
        self.with_axes ^= {body}
        self.show_frames(self._frame_choice)

    def show_layer(self, layer: Layer, visible: bool) -> None:
        """Show or hide a layer; its nodes are created when it is first shown."""
        (self._shown.add if visible else self._shown.discard)(layer)
        if visible and layer not in self._solids:
            self._make_layer(layer)
        for _, node in self._solids.get(layer, ()):
            node.visible = visible

    def set_layers(self, layers: Iterable[Layer]) -> None:
        """Show these layers and no others."""
        for layer in {*self._shown, *layers}:
            self.show_layer(layer, layer in layers)

    def show_frames(self, choice: FrameChoice) -> None:
        """Show the axes and names of frames."""
        self._frame_choice = choice
        _remove(self._frames)
        by_body: dict[int, list[FrameMark]] = defaultdict(list)
        for mark in self._scene.frames:
            body = self._model.frames[mark.frame].body
            if _is_chosen(mark, choice) or (mark.is_link and body in self.with_axes):
                by_body[body].append(mark)
        for body, marks in by_body.items():
            poses = [self._model.frames[mark.frame].pose for mark in marks]
            self._frames += self._frame_nodes(body, marks, poses)
        for solid, node in self._solids.get('visual', ()):
            if solid.glb is None:
                node.opacity = self._opacity(solid)

    def show_axes(self, visible: bool) -> None:
        """Show the axes of joints: arrows of one color for rotations, another for translations."""
        self._has_axes = visible
        _remove(self._axes)
        if not visible:
            return
        length = 0.14 * self._scene.extent.size
        arrows: dict[tuple[int, bool], list[Array]] = defaultdict(list)
        for mark in self._scene.axes:
            origin, axis = np.asarray(mark.origin), np.asarray(mark.axis)
            arrows[mark.body, mark.turns].append(
                np.array([origin - 0.5 * length * axis, origin + length * axis]))
        for (body, turns), ends in arrows.items():
            self._axes.append(self._scene_api.add_arrows(
                f'{self._node(body)}/{"turning" if turns else "sliding"}_axes', np.array(ends),
                _TURNS if turns else _SLIDES, shaft_radius=0.04 * length,
                head_radius=0.1 * length, head_length=0.25 * length))

    def show_lights(self, visible: bool) -> None:
        """
        Let the lights of the description shine in place of the default ones, if there are any.

        The light of the surroundings gets dimmer; with one dim light nothing is black.
        """
        self._has_lights = visible
        _remove(self._lights)
        lights = self._scene.lights if visible else ()
        self._lights += [
            self._light_node(f'{self._node(light.body)}/light_{index}', light)
            for index, light in enumerate(lights)]
        if bool(lights) != self._shines:
            self._shines = bool(lights)
            self._scene_api.configure_default_lights(enabled=not lights)
            self._scene_api.configure_environment_map(
                _SURROUNDINGS, environment_intensity=_DIM if lights else 1.0)

    def show_center_of_mass(self, position: Optional[Array]) -> None:
        """Show the center of mass of the whole robot at a point, or hide it."""
        _remove([] if self._center_of_mass is None else [self._center_of_mass])
        self._center_of_mass = None if position is None else self._scene_api.add_icosphere(
            '/center_of_mass', radius=0.02 * self._scene.extent.size, color=(220, 30, 90),
            position=position)

    def select(self, body: int) -> None:
        """Highlight one body, and restore the colors of the one before."""
        for index in (self._selected, body):
            for solid, node in self._solids.get('visual', ()):
                if solid.body == index and solid.glb is None:
                    node.color = _SELECTED if index == body else solid.color
        self._selected = body

    def extend_path(self, point: Optional[Vector]) -> None:
        """Add a point to the path of the chosen frame; None removes the path."""
        if point is None:
            self._path.clear()
            _remove([] if self._path_node is None else [self._path_node])
            self._path_node = None
        elif not self._path or self._path[-1] != point:
            self._path = [*self._path[-_PATH_POINTS:], point]
            if len(self._path) > 1:
                points = np.array(self._path)
                self._path_node = self._scene_api.add_line_segments(
                    '/path', np.stack((points[:-1], points[1:]), 1), _PATH, line_width=4.0)

    def set_dark(self, dark: bool) -> None:
        """Draw for a dark page or a light one."""
        self._dark = dark
        self._draw_grid()

    def _node(self, body: int) -> str:
        """Return the name of the node of a body, by its index; -1 is the root of poses."""
        return f'{self._root}/{body if body != NONE else "root"}'

    def _make_layer(self, layer: Layer) -> None:
        self._solids[layer] = [
            (solid, self._solid_node(f'{self._node(solid.body)}/{layer}_{index}', solid))
            for index, solid in enumerate(self._scene.solids)
            if solid.layer == layer and len(solid.triangles.faces)]

    def _solid_node(self, name: str, solid: Solid) -> Any:
        placed = {'position': solid.pose.position, 'wxyz': _wxyz(solid.pose)}
        if solid.glb is not None:
            node = self._scene_api.add_glb(name, solid.glb, **placed)
        else:
            node = self._scene_api.add_mesh_simple(
                name, solid.triangles.vertices, solid.triangles.faces, color=solid.color,
                opacity=self._opacity(solid), side='double', **placed)
        body = solid.body
        node.on_click(lambda _: self._send('click', body))
        node.on_drag('left', modifier='shift')(lambda event: self._send(
            'drag', (body, event.start_position, event.end_position)))
        return node

    def _light_node(self, name: str, light: Light) -> Any:
        """Return the node of a light; a directional one shines from afar to the origin."""
        add = self._scene_api
        placed = {'color': light.color, 'intensity': light.intensity, 'wxyz': _wxyz(light.pose)}
        if light.kind == 'directional':
            x, y, z = rotate(light.pose, light.along)
            return add.add_light_directional(
                name, **placed, position=(-_FAR * x, -_FAR * y, -_FAR * z))
        placed |= {'position': light.pose.position, 'distance': light.reach, 'decay': light.decay}
        if light.kind == 'point':
            return add.add_light_point(name, **placed)
        return add.add_light_spot(
            name, **placed, angle=light.angle, penumbra=light.penumbra, direction=light.along)

    def _opacity(self, solid: Solid) -> Optional[float]:
        """Return the opacity of a surface: frames inside it have to be visible."""
        has_frames = self._frame_choice != 'off' or solid.body in self.with_axes
        opacity = solid.opacity * (_OPACITY_WITH_FRAMES if has_frames else 1.0)
        return opacity if opacity < 1.0 else None

    def _frame_nodes(
        self, body: int, marks: Iterable[FrameMark], poses: list[Pose],
    ) -> Iterable[Any]:
        length = 0.06 * self._scene.extent.size
        yield self._scene_api.add_batched_axes(
            f'{self._node(body)}/frames', np.array([_wxyz(pose) for pose in poses]),
            np.array([pose.position for pose in poses]), axes_length=length,
            axes_radius=0.05 * length)
        names: dict[Vector, list[FrameMark]] = defaultdict(list)
        for mark, pose in zip(marks, poses):
            names[pose.position].append(mark)
        for position, there in names.items():
            yield self._scene_api.add_label(
                f'{self._node(body)}/frame_{there[0].frame}',
                ', '.join(mark.name for mark in there), position=position,
                anchor=_ANCHORS[body % len(_ANCHORS)], font_screen_scale=1.0)

    def _draw_grid(self) -> None:
        size, low = self._scene.extent.size, self._scene.extent.floor
        cell = 10.0 ** floor(log10(max(size, 1e-6) / 2.0))
        height = low if low < -1e-3 * size or low > size else 0.0
        width = 2.0 * cell * (1 + int(3.0 * size / cell))
        light, strong = ((70, 74, 80), (110, 116, 124)) if self._dark else (
            (205, 209, 214), (150, 156, 164))
        center = [round(value / cell) * cell for value in self._scene.extent.center[:2]]
        self._scene_api.add_grid(
            '/grid', width, width, cell_size=cell, section_size=10.0 * cell, cell_color=light,
            section_color=strong, position=(*center, height), fade_distance=12.0 * size,
            fade_strength=1.0)


def _is_chosen(mark: FrameMark, choice: FrameChoice) -> bool:
    if choice == 'tagged':
        return mark.is_tagged
    return choice == 'all' or (choice == 'links' and mark.is_link)


def _remove(nodes: list[Any]) -> None:
    for node in nodes:
        node.remove()
    nodes.clear()


def _wxyz(pose: Pose) -> tuple[float, float, float, float]:
    x, y, z, w = pose.orientation
    return w, x, y, z
