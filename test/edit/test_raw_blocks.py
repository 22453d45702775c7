# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Edits in nested models, and names in the XML of other programs."""

from __future__ import annotations

from pathlib import Path
import re
from typing import Any

from hrdf_ros import edit, Kinematics, load_model, Model, write_mjcf, write_sdf
from hrdf_ros.model.consistency import InconsistentModelError
import pytest

EXAMPLES = Path(__file__).parents[2] / 'examples'
ARM = load_model(EXAMPLES / 'urdf' / 'gripper_arm.urdf')
GRIPPER = load_model(EXAMPLES / 'sdf' / 'parallel_gripper.sdf')
WORLD = """<sdf version="1.11"><world name="w"><model name="{}">
<link name="base"/><link name="wheel"><pose>0 0 1 0 0 0</pose></link>
<joint name="turn" type="revolute"><parent>base</parent><child>wheel</child>
<axis><xyz>1 0 0</xyz></axis></joint>
<plugin name="gz::sim::systems::DiffDrive" filename="gz-sim-diff-drive-system">
<left_joint>turn</left_joint><right_joint>turn</right_joint></plugin></model></world></sdf>"""
CARS = load_model(WORLD.format('red').replace(
    '</world>', re.findall('(?s)<model.*</model>', WORLD.format('blue'))[0] + '</world>'))
HAND = load_model("""<mujoco model="hand"><worldbody><body name="palm"><geom size="0.1"/>
<body name="finger"><joint name="close"/><geom size="0.1"/></body></body></worldbody>
<tendon><fixed name="pull"><joint joint="close" coef="1"/></fixed></tendon>
<actuator><general name="motor" tendon="pull"/></actuator>
<sensor><actuatorpos name="feel" actuator="motor"/><framepos objtype="body" objname="palm"/>
</sensor>
</mujoco>""")


def blocks(model: Model) -> str:
    """Return all the XML for other programs."""
    owners: list[Any] = [model, *model.bodies, *model.joints]
    return '\n'.join(raw.text for owner in owners for raw in owner.extensions)


def test_a_plugin_of_one_of_two_models_follows() -> None:
    model = edit.rename(CARS, {'blue/turn': 'spin', 'red/wheel': 'tire'})
    assert [joint.name for joint in model.joints] == ['red/turn', 'blue/spin']
    text = blocks(model)
    assert text.count('<left_joint>turn<') == text.count('<left_joint>spin<') == 1
    again = load_model(write_sdf(model)[0])
    assert {'red/tire', 'blue/wheel'} <= {body.name for body in again.bodies}
    assert blocks(edit.remove(CARS, 'blue/wheel')).count('<left_joint>') == 1


def test_a_link_in_a_model_of_a_world() -> None:
    model = edit.add_link(CARS, 'blue/mast', parent='blue/base')
    model = edit.attach(model, GRIPPER, to='red/base', prefix='red/left_')
    again = load_model(write_sdf(model)[0])
    assert {'blue/mast', 'red/left_palm'} <= {body.name for body in again.bodies}


def test_two_of_one_robot_have_names_of_their_own() -> None:
    with pytest.raises(InconsistentModelError, match="both have a tendon with the name 'pull'"):
        edit.attach(edit.rename(HAND, {
            'palm': 'p', 'finger': 'f', 'close': 'c'}), HAND, to='p')
    both = edit.attach(edit.new('robot'), HAND, to='base_link', prefix='left_')
    both = edit.attach(both, HAND, to='base_link', prefix='right_')
    text = write_mjcf(both)[0]
    for side in ('left', 'right'):
        for expected in (f'tendon="{side}_pull"', f'name="{side}_motor"', f'"{side}_feel"',
                         f'actuator="{side}_motor"', f'objname="{side}_palm"'):
            assert expected in text
    assert load_model(text).format == 'mjcf'


def test_what_needs_what_is_removed_goes_with_it() -> None:
    text = write_mjcf(edit.remove(HAND, 'finger'))[0]
    assert not re.search('pull|motor|feel', text)
    assert 'objname="palm"' in text


@pytest.mark.parametrize(('kind', 'old'), [
    ('frame', 'palm'), ('link', 'palm'), ('joint', 'elbow'), ('coordinate', 'elbow')])
def test_items_of_one_name_change_together(kind: Any, old: str) -> None:
    model = edit.rename(ARM, {old: 'new'}, kind=kind)
    names = {item.name for table in (model.bodies, model.joints, model.coordinates, model.frames)
             for item in table}
    assert 'new' in names and old not in names
    assert Kinematics(model).fk().shape == (len(ARM.frames), 4, 4)


def test_a_site_that_is_removed_is_not_written() -> None:
    hand = load_model(
        '<mujoco><worldbody><body name="b"><geom size="1"/><site name="s" rgba="1 0 0 1"/></body>'
        '</worldbody><sensor><force site="s"/></sensor></mujoco>')
    text = write_mjcf(edit.remove(hand, 's'))[0]
    assert '<site' not in text and '<force' not in text


def test_a_coupling_of_joints_follows() -> None:
    hand = load_model(
        '<mujoco><worldbody><body name="b"><geom size="1"/><body name="c"><joint name="i"/>'
        '<geom size="1"/></body><body name="d"><joint name="j"/><geom size="1"/></body></body>'
        '</worldbody><equality><joint joint1="i" joint2="j" solref="0.005 1"/></equality>'
        '</mujoco>')
    assert 'joint1="new"' in blocks(edit.rename(hand, {'i': 'new'}))
    assert 'joint1' not in blocks(edit.remove(hand, 'c'))
