# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""Which links collide in MuJoCo: groups, joints between them, SDFormat's models, an SRDF."""

from __future__ import annotations

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.load import load_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.contacts import Contacts, find_contacts, without_touching
from hrdf_ros.lowering.srdf import disabled_pairs
from hrdf_ros.lowering.target import MJCF
from hrdf_ros.model import Model
from hrdf_ros.mujoco_process import is_available
from hrdf_ros.writers.mjcf import write_mjcf
import pytest

needs_mujoco = pytest.mark.skipif(not is_available(), reason='needs mujoco-core')
INERTIAL = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
            'iyz="0"/></inertial>')


def urdf(links: str, *joints: str, bare: str = '') -> Model:
    """Return a robot of links by letter, those in ``bare`` without mass and shape."""
    return load_model('<robot name="r">' + ''.join(
        f'<link name="{name}"/>' if name in bare else
        f'<link name="{name}">{INERTIAL}<collision><geometry><sphere radius="0.1"/></geometry>'
        '</collision></link>' for name in links) + ''.join(
        f'<joint name="{a}{b}" type="{kind}"><parent link="{a}"/><child link="{b}"/>'
        '<origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>'
        for a, b, kind in (joint.split() for joint in joints)) + '</robot>')


def lowered(model: Model) -> Model:
    return lower(model, MJCF).model


def contacts_of(model: Model, notes: GroupedDiagnostics | None = None) -> Contacts:
    found = lower(model, MJCF)
    return find_contacts(found.model, found.topology, (), notes or GroupedDiagnostics())


def pairs(contacts: Contacts) -> list[str]:
    return [''.join(sorted(pair)) for pair in contacts.excluded]


@pytest.mark.parametrize(('links', 'joints', 'bare', 'expected'), [
    ('ab', ['a b continuous'], '', ['ab']),
    ('abc', ['a b continuous', 'b c continuous'], '', ['ab']),  # MuJoCo exempts b and c
    ('abcd', ['a b fixed', 'b c continuous', 'c d fixed'], '', ['ac', 'ad', 'bc', 'bd']),
    ('abc', ['a b continuous', 'b c continuous'], 'b', ['ac']),
    ('abc', ['a b continuous', 'b c continuous'], 'a', []),
    ('abcd', ['a b continuous', 'b c continuous', 'c d fixed'], 'a', [])])
def test_groups_that_a_joint_connects_do_not_collide(
    links: str, joints: list[str], bare: str, expected: list[str],
) -> None:
    """MuJoCo filters parent and child itself, but where the parent is fixed to the world."""
    assert pairs(contacts_of(urdf(links, *joints, bare=bare))) == expected


def sdf(content: str, *, world: bool = False) -> Model:
    model = f'<model name="m">{content}</model>'
    return load_model('<sdf version="1.9">' + (
        f'<world name="w">{model}<model name="floor"><static>1</static>{link("f")}</model>'
        '</world>' if world else model) + '</sdf>')


def link(name: str, more: str = '', x: float = 0.0) -> str:
    return (f'<link name="{name}"><pose>{x} 0 0 0 0 0</pose>{more}<collision name="c"><geometry>'
            '<sphere><radius>0.1</radius></sphere></geometry></collision></link>')


def joint(a: str, b: str, kind: str = 'revolute') -> str:
    return (f'<joint name="{a}{b}" type="{kind}"><parent>{a}</parent><child>{b}</child>'
            '<axis><xyz>0 0 1</xyz></axis></joint>')


def test_a_loop_joint_counts_as_well() -> None:
    """MuJoCo closes a loop by a constraint, which exempts nothing."""
    joints = joint('a', 'b') + joint('b', 'c') + joint('c', 'd') + joint('a', 'd')
    model = sdf('<self_collide>true</self_collide>' + ''.join(map(link, 'abcd')) + joints)
    assert pairs(contacts_of(model)) == ['ab', 'ad']  # a is fixed to the world
    weld = sdf('<self_collide>true</self_collide>' + ''.join(map(link, 'abcd')) + joints.replace(
        '<joint name="ad" type="revolute">', '<joint name="ad" type="fixed">'))
    assert sorted(pairs(contacts_of(weld))) == ['ab', 'ac', 'ad', 'bd']  # a and d are one group


@needs_mujoco
@pytest.mark.parametrize(('model', 'a', 'expected'), [
    ('', '', []),
    ('<self_collide>true</self_collide>', '', ['ab', 'ac', 'bc']),
    ('', '<self_collide>true</self_collide>', ['ab', 'ac']),
    ('<self_collide>false</self_collide>', '<self_collide>1</self_collide>', ['ab', 'ac'])])
def test_links_of_a_model_collide_if_it_says_so(
    model: str, a: str, expected: list[str],
) -> None:
    """Three links at one point, none joined to another; all collide with the floor."""
    import mujoco
    text = write_mjcf(sdf(
        model + link('a', a) + link('b') + link('c'), world=True), free_base=True)[0]
    compiled = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    found = {''.join(sorted(
        compiled.body(compiled.geom_bodyid[geom]).name.rpartition('/')[2]
        for geom in contact.geom)) for contact in data.contact}
    assert sorted(found) == sorted([*expected, 'af', 'bf', 'cf'])


def test_more_models_than_bits_are_reported() -> None:
    model = load_model('<sdf version="1.9"><world name="w">' + ''.join(
        f'<model name="m{count}">{link("a")}{link("b")}{joint("a", "b")}</model>'
        for count in range(31)) + '</world></sdf>')
    notes, report = GroupedDiagnostics(), Report()
    contacts = contacts_of(model, notes)
    notes.into(report)
    assert len(contacts.masks) == 2 * 30
    assert [found.subjects for found in report] == [('m30/a',)]


@pytest.mark.pins('contact-excluded')
def test_pairs_that_touch_are_excluded_by_group() -> None:
    model = urdf('abcd', 'a b continuous', 'a c continuous', 'c d fixed')
    notes, report = GroupedDiagnostics(), Report()
    found = without_touching(
        contacts_of(model), lowered(model), [('b', 'c'), ('c', 'd'), ('b', 'world')], notes)
    notes.into(report)
    assert pairs(found) == ['ab', 'ac', 'ad', 'bc', 'bd']
    assert [(item.code, item.subjects) for item in report] == [
        ('contact-excluded', ('b and c',))]
    free = sdf('<self_collide>1</self_collide>' + link('a') + link('b'))
    assert pairs(without_touching(contacts_of(free), lowered(free), [('a', 'b')], notes)) == []


@needs_mujoco
def test_what_touches_at_first_does_not_collide() -> None:
    model = urdf('abc', 'a b continuous', 'a c continuous')
    text, report = write_mjcf(model)
    assert '<exclude body1="b" body2="c"/>' in text
    assert [found.subjects for found in report if found.code == 'contact-excluded'] == [
        ('b and c',)]


def test_an_srdf_disables_pairs() -> None:
    source = SourceFile('r.srdf', b"""<robot name="r">
<disable_collisions link1="a" link2="b" reason="Never"/><disable_default_collisions link="d"/>
<enable_collisions link1="c" link2="d"/>
<disable_collisions link1="a" link2="z"/></robot>""")
    report = Report()
    found = disabled_pairs(source, 'abcd', report)
    assert sorted(map(''.join, found)) == ['ab', 'ad', 'bd']
    assert [str(one.resolve()) for one in report] == ['r.srdf:4']
    text = write_mjcf(urdf('abcd', 'a b fixed', 'b c fixed', 'c d fixed'), disabled_pairs=found)[0]
    assert text.count('<exclude') == 3
    assert disabled_pairs(SourceFile('x', b'<sdf/>'), 'ab', report) == () and not report.ok


def test_mjcf_keeps_its_own_contacts() -> None:
    model = load_model(
        '<mujoco><worldbody><body name="a"><geom size="1"/><body name="b"><joint/>'
        '<geom size="1"/></body></body></worldbody></mujoco>')
    text, report = write_mjcf(model)
    assert 'exclude' not in text and not list(report)
