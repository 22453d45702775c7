# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""One cause, one diagnostic: misspelled names and what follows from them."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.load import load
import pytest

JOINT = (
    '<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>'
    '</joint>')
SDF_JOINT = (
    '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>'
    '</axis></joint>')

Found = tuple[str, str, str, Optional[str]]


def found(text: str) -> list[Found]:
    return [
        (one.severity, one.code, one.message, one.hint) for one in load(text).report
        if one.severity != 'info']


def urdf(inside: str, name: str = 'name') -> str:
    return f'<robot {name}="r">{inside}</robot>'


def sdf(inside: str) -> str:
    return f'<sdf version="1.9"><model name="m">{inside}</model></sdf>'


def skel(inside: str) -> str:
    return (
        f'<skel version="1.0"><world name="w"><skeleton name="s">{inside}</skeleton></world>'
        '</skel>')


@pytest.mark.parametrize(('text', 'message', 'meant'), [
    (urdf('<link name="a"/>', 'nmae'),
     "unknown attribute 'nmae' in <robot>, which is missing the required attribute 'name'",
     'name'),
    (urdf('<lnk name="a"/>'),
     'unknown element <lnk> in <robot>, which is missing the required element <link>', 'link'),
    (urdf('<link name="a"/><link name="b"/>' + JOINT.replace('parent', 'parnt')),
     'unknown element <parnt> in <joint>, which is missing the required element <parent>',
     'parent'),
    (urdf('<link name="a"/><link name="b"/>' + JOINT.replace('child link', 'child lnk')),
     "unknown attribute 'lnk' in <child>, which is missing the required attribute 'link'",
     'link'),
    (sdf('<link name="a"/><link name="b"/>' + SDF_JOINT.replace('type', 'tpye')),
     "unknown attribute 'tpye' in <joint>, which is missing the required attribute 'type'",
     'type'),
    ('<robot version="1.5.0"><actuator typ="X5-4"/></robot>',
     "unknown attribute 'typ' in <actuator>, which is missing the required attribute 'type'",
     'type'),
    (skel('<body name="a"><inertia><mas>1</mas></inertia></body><joint type="free" name="j">'
          '<parent>world</parent><child>a</child></joint>'),
     'unknown element <mas> in <inertia>, which is missing the required element <mass>', 'mass'),
])
def test_a_required_name_that_is_misspelled(text: str, message: str, meant: str) -> None:
    [(severity, code, said, hint)] = found(text)
    assert (severity, said, hint) == ('error', message, f"did you mean '{meant}'?")
    assert code in ('unknown-attribute', 'unknown-element')


@pytest.mark.parametrize(('text', 'tag', 'parent', 'meant'), [
    (urdf('<lnk name="a"/><link name="b"/>' + JOINT), 'lnk', 'robot', 'link'),
    (urdf('<link name="a"/><link name="b"/>' + JOINT.replace('joint', 'jont')), 'jont', 'robot',
     'joint'),
    (sdf('<lnk name="a"/><link name="b"/>' + SDF_JOINT), 'lnk', 'model', 'link'),
    (sdf('<lnk name="a"/>'), 'lnk', 'model', 'link'),
    (sdf('<link name="b"/><frme name="f"/><frame name="g" attached_to="f"/>'), 'frme', 'model',
     'frame'),
])
def test_an_element_that_is_misspelled_is_the_only_error(
        text: str, tag: str, parent: str, meant: str) -> None:
    assert found(text) == [(
        'error', 'unknown-element', f'unknown element <{tag}> in <{parent}>; ignored',
        f"did you mean '{meant}'?")]
    assert load(text).model is None


@pytest.mark.parametrize('text', [
    '<sdf version="1.9"><modle name="m"><link name="a"/></modle></sdf>',
    skel('<body name="a"/><jont name="j" type="free"><parent>world</parent><child>a</child>'
         '</jont><joint name="k" type="free"><parent>world</parent><child>a</child></joint>'),
    skel('<body name="a"/><bdy name="b"/><joint name="j" type="free"><parent>world</parent>'
         '<child>a</child></joint><joint name="k" type="weld"><parent>a</parent><child>b</child>'
         '</joint>'),
])
def test_what_is_accepted_nevertheless_is_one_warning(text: str) -> None:
    [(severity, code, _, hint)] = found(text)
    assert (severity, code) == ('warning', 'unknown-element')
    assert hint is not None and hint.startswith('did you mean ')
    assert load(text).model is not None


def test_the_reference_is_that_of_the_first_error() -> None:
    [cause] = [one for one in load(sdf('<lnk name="a"/>')).report if one.severity == 'error']
    assert cause.reference == 'MODEL_WITHOUT_LINK'
    [cause] = load(sdf('<link name="a"/><link name="b"/>' + SDF_JOINT.replace(
        'type', 'tpye'))).report
    assert cause.reference == 'ATTRIBUTE_MISSING'


@pytest.mark.parametrize(('text', 'format', 'root'), [
    ('<robt name="r"/>', 'urdf', 'robot'), ('<robt/>', 'hrdf', 'robot'),
    ('<sfd version="1.9"/>', 'sdf', 'sdf'), ('<skl/>', 'skel', 'skel')])
def test_a_misspelled_root(text: str, format: str, root: str) -> None:  # noqa: A002
    [cause] = load(text, format=format).report
    assert cause.hint == f"did you mean '{root}'?"


def test_a_misspelled_version() -> None:
    [cause] = load('<sdf verison="1.9"><model name="m"/></sdf>').report
    assert (cause.hint, str(cause.resolve())) == ("did you mean 'version'?", '<text>:1:6')


def test_a_name_that_is_not_near_is_what_it_was() -> None:
    text = urdf('<link name="a"/><link name="b"/>' + JOINT.replace('<parent', '<holder'))
    assert [one[:2] for one in found(text)] == [
        ('error', 'missing-element'), ('warning', 'unknown-element')]


def test_other_faults_are_reported_beside_it() -> None:
    text = urdf('<lnk name="a"/><link name="b"/>' + JOINT + JOINT.replace(
        'name="j"', 'name="k"').replace('link="b"', 'link="c"'))
    assert [one[:3] for one in found(text)] == [
        ('error', 'unknown-element', 'unknown element <lnk> in <robot>; ignored'),
        ('error', 'joint-child-unknown', "unknown link 'c'")]
