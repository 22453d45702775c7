# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures of a robot as the viewer shows it, drawn by a browser without a window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
import os
from queue import Empty, SimpleQueue
import shutil
import subprocess
from tempfile import TemporaryDirectory
import time
from typing import Any, NamedTuple, Optional

from hrdf_ros.file_writer import replace_file
from hrdf_ros.kinematics import FullConfiguration
from hrdf_ros.kinematics.transforms import Array
from hrdf_ros.meshes import MeshReader
from hrdf_ros.view.comparison import compared_scenes
from hrdf_ros.view.drawing import Drawing, Look
from hrdf_ros.view.motion import PosedModel
from hrdf_ros.view.scene import (
    build_scene,
    camera,
    Extent,
    extent_of,
    FIELD_OF_VIEW,
    Rgb,
    Scene,
)
from hrdf_ros.view.server import start_server
import imageio.v3 as imageio
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Picture = NDArray[np.uint8]
"""A picture (height, width, 3) in red, green and blue."""

BROWSERS = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome')
_BROWSER_OPTIONS = (
    '--headless=new', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
    '--no-first-run', '--no-default-browser-check', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--disable-extensions', '--mute-audio',
    '--hide-scrollbars', '--force-device-scale-factor=1')
PATIENCE = 60.0
"""The seconds that a browser may take to start, and to draw a picture."""
_LOOKS = 20
"""The most pictures that are taken until the page has loaded everything."""
_LOADING = 1.0
"""The seconds between two equal pictures after which the page has also loaded its lights."""
_TURN = 36
"""The number of pictures in one turn around the robot."""
_SWEEP = 96
"""The most pictures of the joints in motion."""
MOVIE_PIXELS = 1920 * 1080
"""The most pixels of one picture of a movie, whose pictures are all in memory."""
_MOVIE_SECONDS = 6.0
"""The duration, in seconds, of a movie with as many pictures as one turn has."""
_WINDOW = (320, 240)
"""
The width and height, in pixels, of the browser's window, which is drawn besides the pictures.

Names in pictures need a larger window.
"""
_REACH = 0.52
"""The radius of the ball around the robot that is seen, as a part of the robot's size."""
_LETTERS, _LINE = 16, 24
"""The size of letters in a legend, and the height of its lines, in pixels."""
_LIGHT, _DARK = (255, 255, 255), (24, 26, 29)
"""The colors of a light and of a dark background."""


class RenderError(Exception):
    """A picture that cannot be made; the text says why."""


class Shot(NamedTuple):
    """
    How pictures are taken: the visible parts, the size in pixels and the direction of view.

    ``azimuth`` and ``elevation`` are in degrees, ``timeout`` is in seconds.
    """

    look: Look
    width: int
    height: int
    azimuth: float
    elevation: float
    timeout: float = PATIENCE


class Compared(NamedTuple):
    """Another robot over the first: its configuration, its scene, and its drawing on the page."""

    motion: PosedModel
    scene: Scene
    drawing: Drawing


class Renderer:
    """
    Takes pictures of a robot in a browser of its own.

    The ``notes`` of its ``scene`` say what the pictures lack.
    """

    def __init__(
        self, client: Any, drawing: Drawing, scene: Scene, shot: Shot,
        other: Optional[Compared] = None,
    ) -> None:
        self.scene = scene
        self._other = other
        self._client = client
        self._drawing = drawing
        self._shot = shot
        self._extent = scene.extent
        self._pause = _LOADING

    def picture(self, motion: PosedModel) -> Picture:
        """Return a picture of a configuration in which the whole robot is seen."""
        placed = motion.frames()[self.scene.body_frames]
        self._drawing.place(placed)
        self._extent = extent_of(self.scene.solids, placed)
        if self._other is not None:
            self._extent = self._place_other(self._other, placed)
        before = self._take()
        for _ in range(_LOOKS):
            time.sleep(self._pause)
            now = self._take()
            if np.array_equal(now, before):
                break
            before = now
        self._pause = 0.0
        return before

    def _place_other(self, other: Compared, placed: Array) -> Extent:
        """Place the other robot; return the extent of both."""
        others = other.motion.frames()[other.scene.body_frames]
        other.drawing.place(others)
        moved = [solid._replace(body=solid.body + len(placed)) for solid in other.scene.solids]
        return extent_of([*self.scene.solids, *moved], np.concatenate([placed, others]))

    def turntable(self, motion: PosedModel) -> list[Picture]:
        """Return the pictures of one turn around the robot."""
        first = self.picture(motion)
        return [first, *(self._take(360.0 * step / _TURN) for step in range(1, _TURN))]

    def sweep(self, motion: PosedModel) -> list[Picture]:
        """Return pictures of the joints in motion, one joint after the other, from one place."""
        places = [motion.kinematics.fk(FullConfiguration(vector))[self.scene.body_frames]
                  for vector in motion.sweep(_SWEEP)]
        self.picture(motion)  # waits until the page has loaded everything
        self._extent = extent_of(self.scene.solids, *places)
        pictures = []
        for placed in places:
            self._drawing.place(placed)
            if self._shot.look.frames != 'off':
                self._take()  # names appear one picture late
            pictures.append(self._take())
        return pictures

    def _take(self, turned: float = 0.0) -> Picture:
        look, width, height, azimuth, elevation, _ = self._shot
        seen_from = camera(
            self._extent, azimuth + turned, elevation, aspect=width / height, reach=_REACH)
        try:
            shot = self._client.get_render(
                height, width, wxyz=seen_from.wxyz, position=seen_from.position,
                fov=FIELD_OF_VIEW, transport_format='png', timeout=self._shot.timeout)
        except TimeoutError:
            raise RenderError(
                f'the browser did not draw the picture within {self._shot.timeout:g} s; '
                '--timeout SECONDS gives it longer') from None
        except RuntimeError as error:
            raise RenderError(str(error)) from None
        return opaque(shot, look.dark)


@contextmanager
def rendering(
    executable: str, motion: PosedModel, shot: Shot, other: Optional[PosedModel] = None,
) -> Iterator[Renderer]:
    """
    Yield a renderer of a robot; RenderError is raised if the browser does not work.

    If ``other`` is drawn over the robot, only the differences have a color.
    """
    meshes = MeshReader()
    scene = build_scene(motion.model, motion.frames(), meshes)
    if other is not None:
        second = build_scene(other.model, other.frames(), meshes)
        scene, second = compared_scenes(motion, scene, other, second)
    server = start_server('localhost', 8080)
    try:
        drawing = Drawing(server, lambda name, content: None)
        drawing.set_look(shot.look)
        drawing.show(scene)
        drawing.frame_camera()
        clients: SimpleQueue[Any] = SimpleQueue()
        server.on_client_connect(clients.put)
        address = f'http://localhost:{server.get_port()}'
        has_names = shot.look.frames != 'off'
        with open_page(
                executable, address, (shot.width, shot.height + 200) if has_names else _WINDOW):
            try:
                client = clients.get(timeout=shot.timeout)
            except Empty:
                raise RenderError(
                    f'{executable} did not open the page within {shot.timeout:g} s; '
                    '--timeout SECONDS gives it longer') from None
            over = None
            if other is not None:
                over = Compared(other, second, Drawing(server, lambda *_: None, root='/second'))
                over.drawing.set_look(shot.look)
                over.drawing.show(second)
            yield Renderer(client, drawing, scene, shot, over)
    finally:
        server.stop()


def opaque(shot: Picture, dark: bool) -> Picture:
    """Return a picture that has opacity (height, width, 4) on a light or dark background."""
    opacity = shot[..., 3:].astype(np.float32) / 255.0
    behind = np.array(_DARK if dark else _LIGHT, np.float32)
    picture: Picture = np.rint(
        shot[..., :3] * opacity + behind * (1.0 - opacity)).astype(np.uint8)
    return picture


def send_picture(client: Any, name: str, dark: bool) -> None:
    """Let a browser save what it shows, without the panel."""
    eye = client.camera
    with suppress(RuntimeError, TimeoutError):  # the browser is gone
        shot = client.get_render(
            eye.image_height, eye.image_width, transport_format='png', timeout=PATIENCE)
        client.send_file_download(
            f'{name}.png', imageio.imwrite('<bytes>', opaque(shot, dark), extension='.png'),
            save_immediately=True)


def with_legend(picture: Picture, lines: Sequence[tuple[Rgb, str]], dark: bool) -> Picture:
    """Return a picture with colors and their meanings in its lower left corner."""
    image = Image.fromarray(picture)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(_LETTERS)
    top = image.height - (len(lines) + 0.5) * _LINE
    for index, (color, text) in enumerate(lines):
        y = top + index * _LINE
        draw.rectangle((_LETTERS, y + 3, 2 * _LETTERS, y + 3 + _LETTERS), fill=color)
        draw.text((2.5 * _LETTERS, y), text, fill=_LIGHT if dark else _DARK, font=font)
    return np.asarray(image)


def stacked(pictures: Sequence[Picture]) -> Picture:
    """Return pictures of one width as one picture, from top to bottom."""
    return np.concatenate(pictures)


def write_picture(file: str, *pictures: Picture) -> None:
    """Write pictures of one height side by side as PNG."""
    replace_file(file, imageio.imwrite(
        '<bytes>', np.concatenate(pictures, axis=1), extension='.png'))


def write_movie(file: str, pictures: Sequence[Picture]) -> None:
    """Write a GIF that repeats forever."""
    replace_file(file, imageio.imwrite(
        '<bytes>', list(pictures), extension='.gif', loop=0,
        duration=1000.0 * _MOVIE_SECONDS / max(len(pictures), _TURN)))


def find_chromium() -> Optional[str]:
    """Return the path of a browser, or None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def open_page(executable: str, address: str, size: tuple[int, int]) -> Iterator[None]:
    """Show a page in a browser of its own, whose window has this size in pixels."""
    root = ('--no-sandbox',) if hasattr(os, 'geteuid') and os.geteuid() == 0 else ()
    with TemporaryDirectory(prefix='hrdf_render_', ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [executable, *_BROWSER_OPTIONS, *root, f'--user-data-dir={profile}',
             f'--window-size={size[0]},{size[1]}', address],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(10.0)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
