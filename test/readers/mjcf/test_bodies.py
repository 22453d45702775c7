# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Copies of parts: ``<replicate>``, ``<attach>``, and what refers to the parts in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
import sys
from typing import Any

from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
import pytest

_COPIES = (
    '<worldbody><body name="l"><joint name="L"/><geom size=".1"/></body>'
    '<replicate count="2" sep="_" offset="1 0 0"><body name="b"><joint name="j"/>'
    '<joint name="k" axis="1 0 0"/><geom size=".1"/><replicate count="2"><body name="c">'
    '<joint name="i"/><geom size=".1"/></body></replicate></body></replicate></worldbody>')
_CHILD = (
    '<mujoco model="child"><asset><material name="m" rgba="1 0 0 1"/>'
    '<mesh name="s" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>'
    '<hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>'
    '<worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>'
    '<keyframe><key name="up" qpos="1"/></keyframe></mujoco>')


def found(text: str) -> LoadResult:
    return load(f'<mujoco>{text}</mujoco>')


def said(loaded: LoadResult) -> list[tuple[str, str]]:
    return [(one.severity, one.code) for one in loaded.report if one.severity != 'info']


@pytest.mark.parametrize(('text', 'constraints'), [
    ('<joint joint1="j"/>', 2), ('<joint joint1="i"/>', 4),
    ('<joint joint1="j" polycoef="1"/>', 2), ('<joint joint1="j_0" polycoef="1"/>', 1),
])
def test_an_equality_in_a_copy_is_made_for_each_copy(text: str, constraints: int) -> None:
    model = found(_COPIES + f'<equality>{text}</equality>').model
    assert model is not None and len(model.constraints) == constraints


@pytest.mark.parametrize('text', [
    '<joint joint1="j" joint2="L"/>', '<joint joint1="L" joint2="j"/>',
    '<connect body1="l" body2="b" anchor="0 0 0"/>', '<joint joint1="i" joint2="j"/>'])
def test_an_equality_between_a_copy_and_another_part_is_dropped(text: str) -> None:
    loaded = found(_COPIES + f'<equality>{text}</equality>')
    assert loaded.model is not None and not loaded.model.constraints
    assert said(loaded) == [('warning', 'mjcf-part-ignored')]


@pytest.mark.parametrize(('text', 'names'), [
    ('<exclude body1="b" body2="l"/>', ['body1="b_0" body2="l"', 'body1="b_1" body2="l"']),
    ('<exclude body1="b" body2="c"/>', [
        'body1="b_0" body2="c0_0"', 'body1="b_0" body2="c1_0"', 'body1="b_1" body2="c0_1"',
        'body1="b_1" body2="c1_1"']),
])
def test_what_refers_to_copies_is_kept_for_each(text: str, names: list[str]) -> None:
    model = found(_COPIES + f'<contact>{text}</contact>').model
    assert model is not None
    [contact] = [one.text for one in model.extensions if one.tag == 'contact']
    assert contact == f'<contact>{"".join(f"<exclude {name}/>" for name in names)}</contact>'


def test_a_negative_count_makes_nothing_and_says_so() -> None:
    loaded = found('<worldbody><replicate count="-5"><body name="b"/></replicate></worldbody>')
    assert loaded.model is not None and len(loaded.model.bodies) == 1
    assert said(loaded) == [('warning', 'bad-value')]


@pytest.mark.parametrize(('text', 'code'), [
    ('<attach body="b" prefix="p"/><body name="b"/>', 'mjcf-not-allowed'),
    ('<replicate count="2"><body name="b"/></replicate><attach body="b" prefix="p"/>',
     'mjcf-name-unknown'),
    ('<body name="b"><body><attach body="b" prefix="p"/></body></body>', 'include-cycle'),
])
def test_only_parts_before_it_can_be_attached(text: str, code: str) -> None:
    assert said(found(f'<worldbody>{text}</worldbody>')) == [('error', code)]


@pytest.mark.parametrize(('text', 'is_good'), [
    ('<geom size="1" material="p_m"/>', True), ('<geom type="mesh" mesh="p_s"/>', True),
    ('<geom type="hfield" hfield="p_h"/>', True), ('<geom size="1" material="m"/>', False),
    ('<geom size="1" material="q_m"/>', False)])
def test_a_file_may_name_assets_of_what_it_attaches(
    text: str, is_good: bool, tmp_path: Path,
) -> None:
    (tmp_path / 'child.xml').write_text(_CHILD)
    parent = tmp_path / 'parent.xml'
    parent.write_text(
        '<mujoco><asset><model name="child" file="child.xml"/></asset><worldbody>'
        f'{text}<attach model="child" prefix="p_"/></worldbody></mujoco>')
    loaded = load(parent)
    assert loaded.ok == is_good, loaded.report
    if 'p_m' in text:
        assert loaded.model is not None
        [shape] = loaded.model.bodies[0].visuals
        assert shape.material is not None
        assert (shape.material.name, shape.material.diffuse) == ('p_m', (1.0, 0.0, 0.0, 1.0))


# ---- work is linear in what is read


def _calls(run: Callable[[], object]) -> int:
    """Return how many functions, of Python and of C, a run calls."""
    count = 0

    def count_calls(_frame: Any, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ('call', 'c_call')

    sys.setprofile(count_calls)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


def _many(count: int, text: str) -> str:
    return ''.join(text.replace('#', str(index)) for index in range(count))


_CONSTRUCTS: dict[str, Callable[[int], str]] = {
    'replicate': lambda n: (
        f'<worldbody><replicate count="{n}"><body name="b"><geom size="1"/></body></replicate>'
        '</worldbody>'),
    'replicates': lambda n: '<worldbody>' + _many(
        n, '<replicate count="2"><body name="b#_"><geom size="1"/></body></replicate>'
    ) + '</worldbody>',
    'attach': lambda n: '<worldbody><body name="b"/>' + '<geom size="1"/>' * n + _many(
        n, '<attach body="b" prefix="p#_"/>') + '</worldbody>',
    'unknown attach': lambda n: '<worldbody><body name="b"/>' + _many(
        n, '<geom size="1"/><attach body="z" prefix="p#_"/>') + '</worldbody>',
    'attach in itself': lambda n: '<worldbody><body name="b">' + _many(
        n, '<attach body="b" prefix="p#_"/>') + '</body></worldbody>',
    'frame': lambda n: '<worldbody>' + _many(
        n, '<frame name="f#" pos="1 0 0"><geom size="1"/></frame>') + '</worldbody>',
    'default classes': lambda n: (
        '<default>' + _many(n, '<default class="c#"><geom size="#1"/></default>') + '</default>'
        '<worldbody>' + _many(n, '<geom class="c#"/>') + '</worldbody>'),
    'sensors on replicas': lambda n: (
        f'<worldbody><replicate count="{n}"><body name="b"><geom size="1"/></body></replicate>'
        '</worldbody><sensor><framepos objtype="body" objname="b"/></sensor>'),
    'unknown names beside replicas': lambda n: (
        f'<worldbody><replicate count="{n}"><body name="b"><geom size="1"/></body></replicate>'
        '</worldbody><sensor>' + _many(n, '<framepos objtype="body" objname="z#"/>')
        + '</sensor>'),
    'keyframes': lambda n: (
        '<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><keyframe>'
        + _many(n, '<key name="k#" qpos="1"/>') + '</keyframe>'),
    'tuples': lambda n: (
        '<worldbody><body name="b"/></worldbody><custom>' + _many(
            n, '<tuple name="t#"><element objtype="body" objname="b"/></tuple>') + '</custom>'),
    'equality': lambda n: '<worldbody>' + _many(
        n, '<body><joint name="j#"/><geom size="1"/></body>') + '</worldbody><equality>' + _many(
            n, '<joint joint1="j#"/>') + '</equality>',
    'exclude': lambda n: '<worldbody>' + _many(
        n, '<body name="b#"/>') + '</worldbody><contact>' + _many(
            n, '<exclude body1="b#" body2="b0"/>') + '</contact>',
    'tendons': lambda n: '<worldbody>' + _many(
        n, '<body><joint name="j#"/><geom size="1"/></body>') + '</worldbody><tendon>' + _many(
            n, '<fixed name="t#"><joint joint="j#" coef="1"/></fixed>') + '</tendon>',
    'one tendon': lambda n: '<worldbody>' + _many(
        n, '<body><joint name="j#"/><geom size="1"/></body>') + '</worldbody><tendon><fixed>'
        + _many(n, '<joint joint="j#" coef="1"/>') + '</fixed></tendon>',
    'actuators': lambda n: '<worldbody>' + _many(
        n, '<body><joint name="j#"/><geom size="1"/></body>') + '</worldbody><actuator>' + _many(
            n, '<motor name="m#" joint="j#"/>') + '</actuator>',
    'assets': lambda n: '<asset>' + _many(
        n, '<material name="m#"/>') + '</asset><worldbody>' + _many(
            n, '<geom size="1" material="m#"/>') + '</worldbody>',
    'unknown assets': lambda n: '<asset>' + _many(
        n, '<material name="m#"/>') + '</asset><worldbody>' + _many(
            n, '<geom size="1" material="z#"/>') + '</worldbody>',
}


@pytest.mark.parametrize('name', _CONSTRUCTS)
def test_work_grows_as_the_file(name: str) -> None:
    small, large = (
        _calls(lambda n=n: found(_CONSTRUCTS[name](n))) for n in (300, 600))  # type: ignore[misc]
    assert large < 2.2 * small


@pytest.mark.parametrize('text', [
    '<worldbody><replicate count="199000" sep="{}"/></worldbody>',
    '<worldbody><body name="b"/><replicate count="9000"><attach body="b" prefix="{}"/>'
    '</replicate></worldbody>',
    '<default><geom user="{}"/></default><worldbody>' + '<geom size="1"/>' * 9000
    + '</worldbody>'])
def test_characters_of_copies_are_bounded(text: str) -> None:
    loaded = found(text.replace('{}', '1 ' * 5000))
    assert ('error', 'too-many-elements') in said(loaded)
