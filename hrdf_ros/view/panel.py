# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The panel beside the scene: facts, sliders, display options, and the frames that are chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Literal, Optional

from hrdf_ros.kinematics.transforms import Array, invert
from hrdf_ros.model import Model, NONE
from hrdf_ros.pose import from_matrix, Vector
from hrdf_ros.topology import find_frame
from hrdf_ros.view import VIEWS
from hrdf_ros.view.drawing import FRAME_CHOICES
from hrdf_ros.view.motion import in_unit, shown_value, Slider, Unit, UNITS
from hrdf_ros.view.page_text import about_frame, about_pose, EVENTS
from hrdf_ros.view.render import send_picture
from hrdf_ros.view.scene import NO_MODEL
import viser

NOTHING = '(none)'
ROOT = '(root)'
POSES = ('Zero', 'Initial', 'Random')
_LAYERS = (
    ('visual', 'Visuals', True), ('collision', 'Collisions', False),
    ('inertia', 'Inertia ellipsoids', False), ('mass', 'Center of mass', False),
    ('axes', 'Joint axes', False), ('icon', 'Marks of lights and actors', True),
    ('lights', 'Lights of the file', True))
_DIGITS = 4
_STEPS: dict[Unit, float] = {'degrees': 0.01, 'radians': 0.001}
_WIDTH = 350
"""Pixels."""

Send = Callable[[str, Any], None]
"""Called by a control with its name and its new value."""
Purpose = Literal['find', 'relative', 'path']
"""Of a frame: selected, that which this is relative to, traced."""


class Panel:
    """
    The controls of one server.

    ``send`` is called from viser's threads: ``('slider', coordinate)`` (see ``values``),
    ``('pose', one of POSES or a named configuration)``, ``('find', name)``, ``('relative',
    name)``, ``('path', name)``, ``('unit', unit)``, ``('filter', text)``, ``('frames', choice)``,
    ``('link', 'select 3', 'show 3' or 'axes 3')``, ``('dark', bool)``, ``('camera', view)``,
    or a layer's name and whether it is shown.
    """

    def __init__(self, server: viser.ViserServer, send: Send) -> None:
        self._gui = server.gui
        self._send = send
        self._title = ''
        self._unit: Unit = UNITS[0]
        self._rows: dict[int, tuple[Slider, Any]] = {}
        self._gui.main_panel.dock_right()
        self._gui.main_panel.set_width(_WIDTH)
        program = escape(_file('page.js'))
        self._gui.add_html(f'<style onload="{program}">{_file("page.css")}</style>')
        events = self._gui.add_text('Events', EVENTS)
        events.on_update(lambda _: send('link', events.value.removeprefix(EVENTS)))
        self._texts = {name: self._gui.add_html('') for name in ('over', 'about', 'notes')}
        self._find = self._dropdown('Find', 'find', (NOTHING,))
        self._relative = self._dropdown('Relative to', 'relative', (ROOT,))
        self._relative.visible = False
        self._texts['selected'] = self._gui.add_html('')
        tabs = self._gui.add_tab_group()
        self._joints = tabs.add_tab('Joints')
        with self._joints:
            self._add_joint_controls()
        with tabs.add_tab('Links'):
            self._texts['links'] = self._gui.add_html('')
        with tabs.add_tab('Show'):
            self._add_switches()

    def show(
        self, title: str, names: Sequence[str], frames: Sequence[str],
        configurations: Sequence[str], sliders: Sequence[Slider], vector: Sequence[float],
    ) -> None:
        """Describe another robot; choices stay if the new one has them too."""
        self._title = title
        self._gui.set_panel_label(title)
        _offer(self._find, (NOTHING, *names))
        _offer(self._relative, (ROOT, *frames))
        _offer(self._path, (NOTHING, *frames))
        _offer(self._named, (NOTHING, *configurations))
        self._named.visible = bool(configurations) and self._poses.visible
        if [row[0] for row in self._rows.values()] != list(sliders):
            self._make_rows(sliders, vector)
        self.set_values(vector, everywhere=True)

    def set_values(self, vector: Sequence[float], *, everywhere: bool) -> None:
        """
        Show the values of all coordinates.

        Sliders that can be moved are left alone unless ``everywhere``: the user may have moved
        one farther while this vector was computed.
        """
        for index, (slider, handle) in self._rows.items():
            value = self._shown(slider, min(max(vector[index], slider.lower), slider.upper))
            if (everywhere or slider.depends) and abs(handle.value - value) > 1e-9:
                handle.value = value

    def values(self, coordinates: Iterable[int]) -> dict[int, float]:
        """
        Return the values of sliders, by coordinate.

        ``send`` passes none: viser's threads overtake each other, so a message may bring an older
        value than the one before it.
        """
        return {index: float(self._rows[index][1].value) / in_unit(
                    self._rows[index][0], 1.0, self._unit)
                for index in coordinates if index in self._rows}

    def set_unit(self, unit: Unit, vector: Sequence[float]) -> None:
        """Show angles in degrees or radians."""
        self._unit = unit
        self._make_rows([slider for slider, _ in self._rows.values()], vector)

    def filter(self, text: str) -> None:
        """Show the sliders whose names contain a text."""
        for slider, handle in self._rows.values():
            handle.visible = text.lower() in slider.name.lower()

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """
        Show HTML.

        ``about`` the robot, ``notes``, the ``selected`` link, ``positions``, open ``loops``, the
        tree of ``links``, and what lies ``over`` the scene.
        """
        if 'selected' in texts:
            self._relative.visible = bool(texts['selected'])
        for name, text in texts.items():
            if self._texts[name].content != text:
                self._texts[name].content = text

    def show_poses(self, visible: bool) -> None:
        """Show or hide the controls that choose a configuration."""
        self._poses.visible = visible

    def set_dark(self, dark: bool) -> None:
        """Make the page dark or light."""
        self._gui.configure_theme(
            control_width='large', dark_mode=dark, show_logo=False, show_share_button=False,
            brand_color=(28, 126, 214))

    def _add_joint_controls(self) -> None:
        self._poses = self._gui.add_button_group('Configuration', POSES)
        self._poses.on_click(lambda _: self._send('pose', self._poses.value))
        self._named = self._dropdown('of the file', 'pose', (NOTHING,))
        unit = self._gui.add_button_group('Angles in', UNITS)
        unit.on_click(lambda _: self._send('unit', unit.value))
        self._filter = self._gui.add_text('Filter', '')
        self._filter.on_update(lambda _: self._send('filter', self._filter.value))
        self._texts['loops'] = self._gui.add_html('')
        with self._gui.add_folder('Option for the command line', expand_by_default=False):
            self._texts['positions'] = self._gui.add_html('')

    def _add_switches(self) -> None:
        views = self._gui.add_button_group('View from', tuple(VIEWS))
        views.on_click(lambda _: self._send('camera', views.value))
        picture = self._gui.add_button('Save a picture')
        for name, label, shown in _LAYERS:
            self._checkbox(label, name, shown)
        self._dropdown('Frames', 'frames', FRAME_CHOICES)
        self._path = self._dropdown('Path of', 'path', (NOTHING,))
        dark = self._checkbox('Dark', 'dark', False)
        picture.on_click(lambda event: send_picture(event.client, self._title, dark.value))

    def _checkbox(self, label: str, name: str, shown: bool) -> Any:
        box = self._gui.add_checkbox(label, shown)
        box.on_update(lambda _: self._send(name, box.value))
        return box

    def _dropdown(self, label: str, name: str, options: Sequence[str]) -> Any:
        choice = self._gui.add_dropdown(label, tuple(options))
        choice.on_update(lambda _: self._send(name, choice.value))
        return choice

    def _make_rows(self, sliders: Sequence[Slider], vector: Sequence[float]) -> None:
        for _, handle in self._rows.values():
            handle.remove()
        with self._joints:
            self._rows = {
                slider.coordinate: (slider, self._slider(slider, vector[slider.coordinate]))
                for slider in sliders}
        self.filter(self._filter.value)

    def _slider(self, slider: Slider, value: float) -> Any:
        low, high = ends = (
            self._shown(slider, slider.lower), self._shown(slider, slider.upper))
        step = _STEPS[self._unit] if slider.is_angle else (high - low or 1.0) / 1000.0
        limits = [shown_value(slider, limit, self._unit) for limit in (slider.lower, slider.upper)]
        handle = self._gui.add_slider(
            slider.name + (f'  ({slider.depends})' if slider.depends else ''), low, high, step,
            self._shown(slider, min(max(value, slider.lower), slider.upper)),
            disabled=bool(slider.depends),
            marks=tuple(zip(ends, limits)) if slider.is_limited else ())
        if not slider.depends:
            handle.on_update(partial(self._on_slider, slider.coordinate))
        return handle

    def _shown(self, slider: Slider, value: float) -> float:
        return round(in_unit(slider, value, self._unit), _DIGITS)

    def _on_slider(self, coordinate: int, event: viser.GuiEvent[Any]) -> None:
        """Report a slider that the user moved; ``set_values`` moves them too, but rounded."""
        if event.client_id is not None:
            self._send('slider', coordinate)


class Selection:
    """Frames by purpose; they are chosen by name, and stay where a new model has the name too."""

    def __init__(self) -> None:
        self._model = NO_MODEL
        self._names: dict[Purpose, str] = {}
        self._frames: dict[Purpose, Optional[int]] = {}

    def adopt(self, model: Model) -> None:
        """Find the chosen names in another model."""
        self._model = model
        for purpose, name in self._names.items():
            self.choose(purpose, name)

    def choose(self, purpose: Purpose, name: str) -> None:
        """Choose a frame by name, source name or tag; another text chooses none."""
        self._names[purpose] = name
        self._frames[purpose] = find_frame(self._model, name)

    @property
    def body(self) -> int:
        """The body of the selected frame, -1 for none."""
        frame = self._frames.get('find')
        return NONE if frame is None else self._model.frames[frame].body

    def traced(self, root_from_frames: Array) -> Optional[Vector]:
        """Return the position of the frame whose path is drawn."""
        frame = self._frames.get('path')
        if frame is None:
            return None
        x, y, z = root_from_frames[frame, :3, 3].tolist()
        return x, y, z

    def about(self, root_from_frames: Array, unit: Unit) -> str:
        """Return the description of the selected frame and its pose, empty where there is none."""
        frame, origin = self._frames.get('find'), self._frames.get('relative')
        if frame is None:
            return ''
        matrix = root_from_frames[frame]
        if origin is not None:
            matrix = invert(root_from_frames[origin]) @ matrix
        pose = from_matrix(matrix[:3, 3].tolist(), matrix[:3, :3].ravel().tolist())
        return about_frame(self._model, frame) + about_pose(pose, unit)


def _file(name: str) -> str:
    """Return a file of this package."""
    return Path(__file__).with_name(name).read_text(encoding='utf-8')


def _offer(choice: Any, names: Sequence[str]) -> None:
    """Set the names that a dropdown offers; its value stays if it is among them."""
    options = tuple(dict.fromkeys(names))
    if choice.options != options:
        kept = choice.value if choice.value in options else options[0]
        choice.options = options
        choice.value = kept
