# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the viewer's page says: complete, and never more than text."""

from html import escape
from html.parser import HTMLParser
from math import pi
from pathlib import Path

from hrdf_ros import load, load_model
from hrdf_ros.diff import diff_models
from hrdf_ros.pose import from_rpy, IDENTITY
from hrdf_ros.topology import span
from hrdf_ros.view.motion import PosedModel, UNITS
from hrdf_ros.view.page_html import (
    about_differences,
    about_frame,
    about_model,
    about_positions,
    about_problem,
    link_tree,
    overlay,
)
import pytest

HOSTILE = '<img src=x onerror="alert(1)">'
OURS = {'div', 'h4', 'table', 'tr', 'td', 'code', 'button', 'span', 'pre'}


class Tags(HTMLParser):
    """Collects the elements and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ''
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def hostile_urdf(file: Path) -> Path:
    name = escape(HOSTILE)
    file.write_text(
        f'<robot name="{name}">\n<link name="{name}">\n<inertial><mass value="2.5"/><inertia '
        'ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        f'<link name="b"/><joint name="{name}" type="continuous"><parent link="{name}"/>'
        '<child link="b"/><axis xyz="0 0 1"/></joint></robot>', encoding='utf-8')
    return file


def test_names_stay_text_everywhere(tmp_path: Path) -> None:
    model = load_model(str(hostile_urdf(tmp_path / 'hostile.urdf')))
    other = load_model('<robot name="r"><link name="b"/></robot>')
    for text in (
            about_model(model, PosedModel(model).sliders(), (HOSTILE,), 0),
            *(about_frame(model, frame, IDENTITY, 'degrees') for frame in (0, 1)),
            about_problem(HOSTILE),
            link_tree(model, span(model), (), ()),
            about_differences(diff_models(model, other), HOSTILE, 'b.urdf')):
        page = Tags(text)
        assert page.tags <= OURS
        assert HOSTILE in page.text


def test_a_frame_shows_mass_joint_source_and_pose(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_model(str(hostile_urdf(tmp_path / 'hostile.urdf')))
    monkeypatch.chdir(tmp_path)
    names = [frame.name for frame in model.frames]
    pose = from_rpy((0.1, -0.25, 0.0), (0.0, 0.0, pi / 2))
    first, second = (
        Tags(about_frame(model, names.index(body.name), pose, unit)).text
        for body, unit in zip(model.bodies, UNITS))
    assert '2.5 kg' in first and 'hostile.urdf:2' in first
    assert 'continuous' in second and f'moves on{HOSTILE}' in second
    monkeypatch.chdir('/')
    assert f"{tmp_path.resolve() / 'hostile.urdf'}:2" in Tags(
        about_frame(model, names.index(HOSTILE), pose, 'degrees')).text
    assert '0.1 -0.25 0' in first and '0 0 90' in first and '0 0 0.70711 0.70711' in first
    assert '0 0 1.5708' in second


def test_the_tree_of_links_says_what_is_shown() -> None:
    model = load_model('examples/urdf/gripper_arm.urdf')
    page = link_tree(model, span(model), {1}, {2})
    assert '<button class="" data-event="show 1">' in page
    assert '<button class="on" data-event="axes 2">' in page
    assert page.count('data-event="select') == len(model.bodies)


def test_the_overlay_shows_file_line_source_and_caret(tmp_path: Path) -> None:
    file = tmp_path / 'broken.urdf'
    file.write_text('<robot name="r">\n  <link nome="<a>"/>\n</robot>', encoding='utf-8')
    page = Tags(overlay('It is broken.', load(str(file)).report))
    assert page.tags <= OURS
    assert f'{file}:2:' in page.text and 'error[' in page.text
    assert '<link nome=' in page.text and '^' in page.text


def test_the_overlay_shows_errors_first_up_to_a_limit(tmp_path: Path) -> None:
    file = tmp_path / 'broken.urdf'
    content = '<colision/>' * 40
    file.write_text(
        f'<robot name="r"><link name="a">{content}</link><link name="b"/></robot>',
        encoding='utf-8')
    text = Tags(overlay('It is broken.', load(str(file)).report)).text
    assert text.index('error[') < text.index('warning[')
    assert 'more: see hrdf check' in text


def test_what_does_not_move_has_no_configuration() -> None:
    assert 'copy' not in about_positions('')
