# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""
Make the pictures of README and docs, docs/pictures/*.png.

    python tools/make_pictures.py [SHARE]

Needs chromium and mujoco-core; runs in the environment .venv/view. The humanoid is a Unitree G1
(BSD-3-Clause) of the package example-robot-data on PyPI; without SHARE, its directory
share/example-robot-data, its picture stays as it is. The pictures of VS Code
and of the page check/ were taken by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
import sys
from threading import Thread

from hrdf_ros import load, load_model
from hrdf_ros.view.motion import PosedModel
from hrdf_ros.view.render import find_chromium, Look, Picture, rendering, Shot
from hrdf_ros.view.server import start_server
from hrdf_ros.view.viewer import Source, Viewer
from hrdf_ros.writers.mjcf import make_mjcf, MjcfOptions
import numpy as np
from PIL import Image, ImageDraw
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / 'examples'
PICTURES = ROOT / 'docs' / 'pictures'
ARM = EXAMPLES / 'hrdf' / 'arm_6dof.hrdf'
WORLD = EXAMPLES / 'sdf' / 'two_arm_world.sdf'
HUMANOID = Path('robots', 'g1_description', 'urdf', 'g1_29dof_rev_1_0.urdf')
POSE = (0.5, 0.7, 1.4, 0.5, 0.6)
ROBOTS = (
    'hrdf/hexapod.hrdf', 'sdf/mobile_base.sdf', 'urdf/gripper_arm.urdf',
    'sdf/delta.sdf', 'skel/humanoid.skel', 'hrdf/arm_r25.hrdf')
COLUMNS = 3
PLOT = (640, 320)
COLORS = ('#1f77b4', '#d62728', '#2ca02c', '#ff7f0e', '#9467bd', '#555555')
SOFTWARE_RENDERING = (
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader')
HIDE_NOTICES = '.mantine-Notifications-root { display: none !important; }'


def robot(executable: str, file: Path) -> Picture:
    """Return the picture of one robot."""
    motion = PosedModel(load_model(file))
    with rendering(executable, motion, Shot(Look(), 480, 360, -40.0, 24.0)) as renderer:
        return renderer.picture(motion)


def sheet(executable: str) -> Picture:
    """Return the bundled robots in rows."""
    pictures = [robot(executable, EXAMPLES / name) for name in ROBOTS]
    rows = [np.concatenate(pictures[start:start + COLUMNS], axis=1)
            for start in range(0, len(pictures), COLUMNS)]
    return np.concatenate(rows)


def arm_of_the_first_page(executable: str) -> Picture:
    """Return the picture of the arm that docs/start.md lets its reader write and correct."""
    page = (ROOT / 'docs' / 'start.md').read_text(encoding='utf-8')
    text = page.partition('title="arm.hrdf"\n')[2].partition('```')[0].replace('Hevy', 'Heavy')
    motion = PosedModel(load_model(text))
    motion.move(dict(enumerate((0.4, 0.8, 1.4, 0.6))))
    with rendering(executable, motion, Shot(Look(), 960, 540, 125.0, 20.0)) as renderer:
        return renderer.picture(motion)[80:485, 120:840]


def simulated() -> Image.Image:
    """Return a plot of the arm's joints in MuJoCo, as docs/how-to/mujoco.md steps it."""
    import mujoco
    text = make_mjcf(load_model(ARM), MjcfOptions(actuators='position')).text
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.ctrl[:] = (*POSE, 0.0)
    rows = []
    while data.time < 1.0:
        mujoco.mj_step(model, data)
        rows.append(data.qpos.copy())
    picture = Image.new('RGB', PLOT, 'white')
    draw = ImageDraw.Draw(picture)
    left, top, right, bottom = 60, 20, PLOT[0] - 100, PLOT[1] - 40
    along = np.linspace(left, right, len(rows))
    heights = bottom - (np.array(rows) + 0.25) / 2.0 * (bottom - top)
    for level in np.arange(0.0, 1.6, 0.5):
        y = bottom - (level + 0.25) / 2.0 * (bottom - top)
        draw.line([(left, y), (right, y)], fill='#dddddd')
        draw.text((10, y - 6), f'{level:.1f} rad', fill='black')
    for second in (0.0, 0.5, 1.0):
        draw.text((left + second * (right - left) - 8, bottom + 12), f'{second} s', fill='black')
    for index, color in enumerate(COLORS):
        draw.line([*zip(along, heights[:, index])], fill=color, width=2)
        draw.text(
            (right + 8, heights[-1, index] - (12 if index == 1 else 4)), model.joint(index).name,
            fill=color)
    return picture


def pose_arm(page: Page) -> None:
    """Move the arm into a pose and select a part."""
    page.get_by_role('button', name='radians').click()
    page.wait_for_timeout(2000)
    boxes = page.locator('.mantine-Slider-root + .mantine-NumberInput-root input')
    for index, value in enumerate(POSE):
        boxes.nth(index).fill(str(value))
    page.get_by_role('button', name='degrees').click()
    page.get_by_role('tab', name='Links').click()
    page.get_by_label('Find').click()
    page.get_by_role('option', name='elbow', exact=True).click()
    page.get_by_role('tab', name='Joints').click()


def show_links(page: Page) -> None:
    """Show the tree of links, with the axes of some."""
    page.get_by_role('tab', name='Links').click()
    for name in ('pelvis', 'left_knee_link', 'right_ankle_roll_link', 'torso_link'):
        row = page.locator('.hrdf-link', has=page.get_by_text(name, exact=True))
        row.locator('[data-event^="axes"]').dispatch_event('click')
        page.wait_for_timeout(1000)
    page.wait_for_function(
        'Object.keys(window.__viserMutable.nodeRefFromName).filter('
        "name => name.endsWith('/frames')).length === 4")


def show_options(page: Page) -> None:
    """Open the tab with the switches of the layers."""
    page.get_by_role('tab', name='Show').click()


def page_of_the_viewer(
    executable: str, robot: Path, act: Callable[[Page], None], file: Path, **options: object,
) -> None:
    """Write a picture of the viewer's page after some actions."""
    server = start_server('localhost', 8080)
    viewer = Viewer(server, Source(lambda: load(robot, **options)))
    thread = Thread(target=viewer.run)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=executable, args=list(SOFTWARE_RENDERING))
            page = browser.new_page(viewport={'width': 1280, 'height': 720})
            page.set_default_timeout(120_000)
            page.goto(f'http://localhost:{server.get_port()}')
            page.add_style_tag(content=HIDE_NOTICES)
            page.wait_for_function('window.__viserMutable?.nodeRefFromName["/robot/0"]')
            page.wait_for_timeout(3000)
            act(page)
            page.wait_for_timeout(8000)
            page.screenshot(path=file)
            browser.close()
    finally:
        viewer.stop()
        thread.join()
        server.stop()


def compress(file: Path) -> None:
    """Rewrite a picture with 256 colors, which are enough for these pictures."""
    Image.open(file).convert('RGB').quantize(256, Image.Quantize.MAXCOVERAGE).save(
        file, optimize=True)


def main(share: str = '') -> int:
    """Make all pictures."""
    executable = find_chromium()
    if executable is None:
        print('There is no chromium; on Debian: apt install chromium', file=sys.stderr)
        return 1
    PICTURES.mkdir(exist_ok=True)
    page_of_the_viewer(executable, ARM, pose_arm, PICTURES / 'viewer.png')
    page_of_the_viewer(executable, WORLD, show_options, PICTURES / 'world.png')
    if share:
        page_of_the_viewer(
            executable, Path(share) / HUMANOID, show_links, PICTURES / 'humanoid.png',
            packages={'example-robot-data': share})
    Image.fromarray(sheet(executable)).save(PICTURES / 'robots.png')
    simulated().save(PICTURES / 'mujoco.png')
    Image.fromarray(arm_of_the_first_page(executable)).save(PICTURES / 'start.png')
    for file in PICTURES.glob('*.png'):
        compress(file)
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
