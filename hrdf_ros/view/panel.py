# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The panel beside the scene: facts about the robot, its sliders, the display options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from hrdf_ros.view.drawing import FRAME_CHOICES
from hrdf_ros.view.motion import Slider
from hrdf_ros.view.page_text import slider_hint, slider_label, slider_marks, STYLE
import viser

NOTHING = '(none)'
ROOT = '(root)'
POSES = ('Zero', 'Initial', 'Random')
_LAYERS = (
    ('visual', 'Visuals', True), ('collision', 'Collisions', False),
    ('inertia', 'Inertia ellipsoids', False), ('mass', 'Center of mass', False),
    ('axes', 'Joint axes', False))
_DIGITS = 4
_WIDTH = 350
"""Pixels."""

Send = Callable[[str, Any], None]
"""Called by a control with its name and its new value."""


class Panel:
    """
    The controls of one server.

    ``send`` is called from viser's threads: ``('slider', coordinate)`` (see ``values``),
    ``('pose', one of POSES)``, ``('find', name)``, ``('relative', name)``, ``('path', name)``,
    ``('frames', choice)``,
    ``('dark', bool)``, ``('camera', None)``, or a layer's name and whether it is shown.
    """

    def __init__(self, server: viser.ViserServer, send: Send) -> None:
        self._gui = server.gui
        self._send = send
        self._gui.main_panel.dock_right()
        self._gui.main_panel.set_width(_WIDTH)
        self._gui.add_html(STYLE)
        self._over = self._gui.add_html('')
        self._about = self._gui.add_html('')
        self._notes = self._gui.add_html('')
        self._find = self._dropdown('Find', 'find', (NOTHING,))
        self._relative = self._dropdown('Relative to', 'relative', (ROOT,))
        self._selected = self._gui.add_html('')
        tabs = self._gui.add_tab_group()
        with tabs.add_tab('Joints'):
            self._poses = self._gui.add_button_group('Configuration', POSES)
            self._poses.on_click(lambda _: send('pose', self._poses.value))
            self._configuration = self._gui.add_html('')
            self._joints = self._gui.add_folder('Sliders')
        self._rows: dict[int, tuple[Slider, Any]] = {}
        with tabs.add_tab('Show'):
            self._add_switches()

    def show(
        self, title: str, about: str, names: Sequence[str], frames: Sequence[str],
        sliders: Sequence[Slider], vector: Sequence[float],
    ) -> None:
        """Describe another robot; choices stay if the new one has them too."""
        self._gui.set_panel_label(title)
        self._about.content = about
        _offer(self._find, (NOTHING, *names))
        _offer(self._relative, (ROOT, *frames))
        _offer(self._path, (NOTHING, *frames))
        if [row[0] for row in self._rows.values()] != list(sliders):
            for _, handle in self._rows.values():
                handle.remove()
            with self._joints:
                self._rows = {
                    slider.coordinate: (slider, self._slider(slider, vector[slider.coordinate]))
                    for slider in sliders}
        self.set_values(vector, everywhere=True)

    def set_values(self, vector: Sequence[float], *, everywhere: bool) -> None:
        """
        Show the values of all coordinates.

        Sliders that can be moved are left alone unless ``everywhere``: the user may have moved
        one farther while this vector was computed.
        """
        for index, (slider, handle) in self._rows.items():
            value = round(min(max(vector[index], slider.lower), slider.upper), _DIGITS)
            if (everywhere or slider.depends) and abs(handle.value - value) > 1e-9:
                handle.value = value
            label = slider_label(slider, vector[index])
            if handle.label != label:
                handle.label = label

    def values(self, coordinates: Iterable[int]) -> dict[int, float]:
        """
        Return the values of sliders, by coordinate.

        ``send`` passes none: viser's threads overtake each other, so a message may bring an older
        value than the one before it.
        """
        return {index: float(self._rows[index][1].value)
                for index in coordinates if index in self._rows}

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """Show HTML: ``notes``, ``selected`` (a link), ``configuration``, ``over`` the scene."""
        places = {
            'selected': self._selected, 'configuration': self._configuration,
            'over': self._over, 'notes': self._notes}
        for name, text in texts.items():
            if places[name].content != text:
                places[name].content = text

    def show_poses(self, visible: bool) -> None:
        """Show or hide the buttons that choose a configuration."""
        self._poses.visible = visible

    def set_dark(self, dark: bool) -> None:
        """Make the page dark or light."""
        self._gui.configure_theme(
            control_width='large', dark_mode=dark, show_logo=False, show_share_button=False,
            brand_color=(28, 126, 214))

    def _add_switches(self) -> None:
        for name, label, shown in _LAYERS:
            self._checkbox(label, name, shown)
        self._dropdown('Frames', 'frames', FRAME_CHOICES)
        self._path = self._dropdown('Path of', 'path', (NOTHING,))
        self._checkbox('Dark', 'dark', False)
        camera = self._gui.add_button('Whole robot in view')
        camera.on_click(lambda _: self._send('camera', None))

    def _checkbox(self, label: str, name: str, shown: bool) -> None:
        box = self._gui.add_checkbox(label, shown)
        box.on_update(lambda _: self._send(name, box.value))

    def _dropdown(self, label: str, name: str, options: Sequence[str]) -> Any:
        choice = self._gui.add_dropdown(label, tuple(options))
        choice.on_update(lambda _: self._send(name, choice.value))
        return choice

    def _slider(self, slider: Slider, value: float) -> Any:
        step = 0.001 if slider.is_angle else (slider.upper - slider.lower or 1.0) / 1000.0
        handle = self._gui.add_slider(
            slider_label(slider, value), slider.lower, slider.upper, step,
            min(max(value, slider.lower), slider.upper), disabled=bool(slider.depends),
            hint=slider_hint(slider), marks=slider_marks(slider))
        if not slider.depends:
            handle.on_update(partial(self._on_slider, slider.coordinate))
        return handle

    def _on_slider(self, coordinate: int, event: viser.GuiEvent[Any]) -> None:
        """Report a slider that the user moved; ``set_values`` moves them too, but rounded."""
        if event.client_id is not None:
            self._send('slider', coordinate)


def _offer(choice: Any, names: Sequence[str]) -> None:
    """Set the names that a dropdown offers; its value stays if it is among them."""
    options = tuple(dict.fromkeys(names))
    if choice.options != options:
        kept = choice.value if choice.value in options else options[0]
        choice.options = options
        choice.value = kept
