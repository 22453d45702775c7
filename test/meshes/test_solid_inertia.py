# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""The inertia of shapes: primitives, meshes that are closed or not, and links that keep theirs."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros.diagnostics import Report
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.load import load_model
from hrdf_ros.meshes.solid_inertia import with_inertia_of_shapes
from hrdf_ros.model import Model
import pytest

BOX = """v 0 0 0\nv .1 0 0\nv .1 .2 0\nv 0 .2 0\nv 0 0 .3\nv .1 0 .3\nv .1 .2 .3\nv 0 .2 .3
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5
f 4 5 8\n"""


def robot(shapes: str, tag: str = 'collision') -> Model:
    made = ''.join(f'<{tag}>{shape}</{tag}>' for shape in shapes.split('|'))
    return load_model(f'<robot name="r"><link name="l">{made}</link></robot>')


def measured(model: Model, density: float = 1000.0) -> tuple[list[float], str]:
    """Return mass, center and moments of the link, and the report."""
    notes, report = GroupedDiagnostics(), Report()
    inertia = with_inertia_of_shapes(model, density, notes).bodies[0].inertia
    notes.into(report)
    assert inertia is not None
    return [inertia.mass, *inertia.pose.position, *inertia.tensor], str(report)


@pytest.mark.parametrize('tag', ['collision', 'visual'])
def test_shapes_of_a_link_add_up(tag: str) -> None:
    """Two boxes side by side are one of twice the size."""
    half = '<origin xyz="{} 0 0"/><geometry><box size="0.1 0.2 0.3"/></geometry>'
    both = measured(robot(half.format(-0.05) + '|' + half.format(0.05), tag), 500.0)[0]
    one = measured(robot('<geometry><box size="0.2 0.2 0.3"/></geometry>'), 500.0)[0]
    assert both == pytest.approx(one) and one[0] == pytest.approx(6.0)


@pytest.mark.parametrize(('shape', 'mass', 'moments'), [
    ('<sphere radius="0.1"/>', 4.18879, (0.016755, 0.016755, 0.016755)),
    ('<cylinder radius="0.1" length="0.3"/>', 9.424778, (0.094248, 0.094248, 0.047124))])
def test_primitives_are_exact(
    shape: str, mass: float, moments: tuple[float, float, float],
) -> None:
    found = measured(robot(f'<geometry>{shape}</geometry>'))[0]
    assert found[0] == pytest.approx(mass, rel=1e-5)
    assert found[4:7] == pytest.approx(moments, rel=1e-4)


@pytest.mark.parametrize('is_closed', [True, False])
def test_a_mesh_counts_as_what_it_encloses(is_closed: bool, tmp_path: Path) -> None:
    pytest.importorskip('trimesh')
    (tmp_path / 'm.obj').write_text(BOX if is_closed else BOX.replace('f 4 5 8\n', ''))
    (tmp_path / 'r.urdf').write_text(
        '<robot name="r"><link name="l"><collision><origin xyz="1 0 0"/><geometry>'
        '<mesh filename="m.obj"/></geometry></collision></link></robot>')
    found, report = measured(load_model(tmp_path / 'r.urdf'))
    box = measured(robot(
        '<origin xyz="1.05 0.1 0.15"/><geometry><box size="0.1 0.2 0.3"/></geometry>'))[0]
    assert found == pytest.approx(box, rel=1e-5, abs=1e-9)
    assert ('not closed' in report) == (not is_closed)


def test_a_flat_mesh_has_no_volume(tmp_path: Path) -> None:
    pytest.importorskip('trimesh')
    (tmp_path / 'm.obj').write_text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
    (tmp_path / 'r.urdf').write_text(
        '<robot name="r"><link name="l"><collision><geometry><mesh filename="m.obj"/></geometry>'
        '</collision></link></robot>')
    notes, report = GroupedDiagnostics(), Report()
    model = load_model(tmp_path / 'r.urdf')
    assert with_inertia_of_shapes(model, 1000.0, notes) is model
    notes.into(report)
    assert [found.code for found in report] == ['inertia-not-representable']
    assert "it is flat, or cannot be drawn: 'l'" in str(report)


def test_links_with_mass_and_without_shapes_keep_what_they_have() -> None:
    model = load_model(
        '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" '
        'izz="1" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry>'
        '<box size="1 1 1"/></geometry></collision></link><link name="b"/><joint name="j" '
        'type="fixed"><parent link="a"/><child link="b"/></joint></robot>')
    assert with_inertia_of_shapes(model, 1.0, GroupedDiagnostics()) is model
