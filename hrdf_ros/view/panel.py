# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The panel beside the scene: facts, sliders, and switches for layers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from hrdf_ros.view import VIEWS
from hrdf_ros.view.motion import POSES, Slider, Unit, UNITS
from hrdf_ros.view.page_html import EVENTS
from hrdf_ros.view.render import send_picture
from hrdf_ros.view.scene import FRAME_CHOICES
import viser

NOTHING = '(none)'
"""The choice in a dropdown that stands for none."""
_DIGITS = 4
"""The number of decimal digits in the value of a slider."""
_MANY = 10
"""The number of sliders that fit on a page; a filter stands above a greater number."""
_STEPS: dict[Unit, float] = {'degrees': 0.01, 'radians': 0.001}
"""The step of an angle's slider, by the unit that the page shows."""
_WIDTH = 350
"""The width of the panel in pixels."""

_CONTROLS: dict[str, dict[str, tuple[Any, ...]]] = {
    '': {
        'link': ('text', 'Events', EVENTS),
        'over': ('html', ''), 'about': ('html', ''), 'notes': ('html', ''),
        'selected': ('html', '')},
    'Joints': {
        'loops': ('html', ''),
        'filter': ('text', 'Filter', ''),
        'sliders': ('folder', None),
        'pose': ('button_group', 'Configuration', POSES),
        'named': ('dropdown', 'of the file', (NOTHING,)),
        'unit': ('button_group', 'Angles in', UNITS),
        'positions': ('fold', 'Option for the command line')},
    'Links': {
        'find': ('dropdown', 'Find', (NOTHING,)),
        'relative': ('dropdown', 'Relative to', ('(root)',)),
        'links': ('html', '')},
    'Show': {
        'camera': ('button_group', 'View from', tuple(VIEWS)),
        'picture': ('button', 'Save a picture'),
        'visual': ('checkbox', 'Visuals', True),
        'collision': ('checkbox', 'Collisions', False),
        'inertia': ('checkbox', 'Inertia ellipsoids', False),
        'mass': ('checkbox', 'Center of mass', False),
        'axes': ('checkbox', 'Joint axes', False),
        'icon': ('checkbox', 'Marks of lights and actors', True),
        'lights': ('checkbox', 'Lights of the file', True),
        'frames': ('dropdown', 'Frames', FRAME_CHOICES),
        'path': ('dropdown', 'Path of', (NOTHING,)),
        'dark': ('checkbox', 'Dark', False)}}
"""
The controls from top to bottom, by tab and name; controls of the tab '' are above all tabs.

Each has its kind in viser, its label and its options or start value. A fold is a closed folder of
HTML; the folder without a label holds the sliders.
"""
LAYERS = tuple(name for name, (kind, *_) in _CONTROLS['Show'].items()
               if kind == 'checkbox' and name != 'dark')
"""The names of the switches that show or hide a layer."""


class Panel:
    """
    The controls of one server, by their names in ``_CONTROLS``.

    ``send`` is called from viser's threads with the name and value of a control, and with
    ``('slider', coordinate)``. ``value`` and ``values`` return what the controls show.
    """

    def __init__(
        self, server: viser.ViserServer, send: Callable[[str, Any], None], *, can_pose: bool,
    ) -> None:
        self._gui = server.gui
        self._send = send
        self._title = ''
        self._rows: dict[int, tuple[Slider, Any]] = {}
        self._controls: dict[str, Any] = {}
        self._gui.main_panel.dock_right()
        self._gui.main_panel.set_width(_WIDTH)
        program = escape(_file('page.js'))
        self._gui.add_html(f'<style onload="{program}">{_file("page.css")}</style>')
        self._add_controls('')
        tabs = self._gui.add_tab_group()
        for name in filter(None, _CONTROLS):
            with tabs.add_tab(name):
                self._add_controls(name)
        for name in ('relative', 'filter'):
            self._controls[name].visible = False
        self._controls['pose'].visible = can_pose
        self.set_dark(False)

    def minimize(self) -> None:
        """Leave the room of a narrow page to the picture; a click brings the panel back."""
        self._gui.main_panel.minimize()

    def show(
        self, title: str, options: Mapping[str, Sequence[str]], sliders: Sequence[Slider],
        vector: Sequence[float],
    ) -> None:
        """Offer the names of another robot; choices stay if the robot has them too."""
        self._title = title
        self._gui.set_panel_label(title)
        for name, names in options.items():
            choice = self._controls[name]
            offered = tuple(dict.fromkeys((choice.options[0], *names)))
            if choice.options != offered:
                kept = choice.value if choice.value in offered else offered[0]
                choice.options = offered
                choice.value = kept
        self._controls['named'].visible = (
            len(self._controls['named'].options) > 1 and self._controls['pose'].visible)
        if [row[0] for row in self._rows.values()] != list(sliders):
            self._make_rows(sliders, vector)
        self.set_values(vector, everywhere=True)

    def value(self, name: str) -> Any:
        return self._controls[name].value

    def choose(self, name: str, value: object) -> None:
        self._controls[name].value = value

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """Set the HTML of controls by their names."""
        for name, text in texts.items():
            self._controls[name].content = text
        if 'selected' in texts:
            self._controls['relative'].visible = bool(texts['selected'])

    def set_dark(self, dark: bool) -> None:
        self._gui.configure_theme(
            control_width='large', dark_mode=dark, show_logo=False, show_share_button=False,
            brand_color=(28, 126, 214))

    def set_values(self, vector: Sequence[float], *, everywhere: bool) -> None:
        """
        Show the values of all coordinates.

        Sliders that the user can move stay as they are unless ``everywhere``: one may have been
        moved again while this vector was computed.
        """
        for index, (slider, handle) in self._rows.items():
            value = self._shown(slider, vector[index])
            if (everywhere or slider.depends) and abs(handle.value - value) > 1e-9:
                handle.value = value

    def values(self, coordinates: Iterable[int]) -> dict[int, float]:
        """
        Return the values of sliders by coordinate.

        The sliders are asked, since ``send`` passes no values: viser's threads overtake each
        other, so a message may bring an older value than the message before it.
        """
        unit = self.value('unit')
        return {index: float(handle.value) / slider.shown(1.0, unit)
                for index, (slider, handle) in self._rows.items() if index in coordinates}

    def set_unit(self, vector: Sequence[float]) -> None:
        """Show angles in the chosen unit."""
        self._make_rows([slider for slider, _ in self._rows.values()], vector)

    def filter(self, text: str) -> None:
        """Show the sliders whose names contain a text."""
        for slider, handle in self._rows.values():
            handle.visible = text.lower() in slider.name.lower()

    def _add_controls(self, tab: str) -> None:
        for name, (kind, *arguments) in _CONTROLS[tab].items():
            if kind == 'fold':
                with self._gui.add_folder(*arguments, expand_by_default=False):
                    self._controls[name] = self._gui.add_html('')
                continue
            handle = self._controls[name] = getattr(self._gui, f'add_{kind}')(*arguments)
            if kind not in ('html', 'folder'):
                follow = handle.on_click if 'button' in kind else handle.on_update
                follow(partial(self._on_event, name))

    def _on_event(self, name: str, event: viser.GuiEvent[Any]) -> None:
        if name == 'picture':
            send_picture(event.client, self._title, self.value('dark'))
        else:
            self._send(name, event.target.value)

    def _make_rows(self, sliders: Sequence[Slider], vector: Sequence[float]) -> None:
        for _, handle in self._rows.values():
            handle.remove()
        with self._controls['sliders']:
            self._rows = {
                slider.coordinate: (slider, self._slider(slider, vector[slider.coordinate]))
                for slider in sliders}
        self._controls['filter'].visible = len(sliders) > _MANY or bool(self.value('filter'))
        self.filter(self.value('filter'))

    def _slider(self, slider: Slider, value: float) -> Any:
        unit, ends = self.value('unit'), (slider.lower, slider.upper)
        low, high = (self._shown(slider, end) for end in ends)
        step = _STEPS[unit] if slider.is_angle else (high - low or 1.0) / 1000.0
        marks = ((low, slider.text(slider.lower, unit)), (high, slider.text(slider.upper, unit)))
        handle = self._gui.add_slider(
            slider.name + (f'  ({slider.depends})' if slider.depends else ''), low, high, step,
            self._shown(slider, value), disabled=bool(slider.depends),
            marks=marks if slider.is_limited else ())
        if not slider.depends:
            handle.on_update(partial(self._on_slider, slider.coordinate))
        return handle

    def _shown(self, slider: Slider, value: float) -> float:
        inside = min(max(value, slider.lower), slider.upper)
        return round(slider.shown(inside, self.value('unit')), _DIGITS)

    def _on_slider(self, coordinate: int, event: viser.GuiEvent[Any]) -> None:
        """
        Report a slider that the user moved.

        ``set_values`` moves sliders too, but to rounded values, which are not reported.
        """
        if event.client_id is not None:
            self._send('slider', coordinate)


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding='utf-8')
