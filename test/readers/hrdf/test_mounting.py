# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Parts that do not fit: what is said, and that what the hint says fits."""

from __future__ import annotations

from hrdf_ros import load
import pytest

LINK = '<link type="{}" extension="1" twist="0"/>'


def reported(*parts: str) -> list[tuple[str, str | None]]:
    report = load(f'<robot version="1.6.0">{"".join(parts)}</robot>', format='hrdf').report
    return [(found.message, found.hint) for found in report if found.severity == 'error']


def actuator(kind: str) -> str:
    return f'<actuator type="{kind}"/>'


@pytest.mark.parametrize(('first', 'second', 'message', 'hint'), [
    (actuator('X5-4'), actuator('X5-9'), "an X5-9 cannot be mounted on an actuator's output",
     'put an X5 bracket or link between them'),
    (actuator('X5-4'), actuator('T8-3'), 'a T8-3 cannot be mounted on the output of an X5-4',
     'an X5-4 carries an X5 bracket or link'),
    (LINK.format('R8'), '<bracket type="R8LightLeft"/>',
     'an R8LightLeft bracket cannot be mounted on an R8 link',
     'put an R8 or T5 or T8 actuator between them'),
    (LINK.format('X5'), actuator('R8-3'), 'an R8-3 cannot be mounted on an X5 link',
     'use an X5 or X8 actuator here, or another part before it'),
    (actuator('R8-3'), '<bracket type="X5LightLeft"/>',
     'an X5LightLeft bracket cannot be mounted on the output of an R8-3',
     'use an R8 bracket or link here, or another part before it'),
    (LINK.format('X5'), '<end-effector type="R8Parallel"/>',
     'an R8Parallel end effector cannot be mounted on an X5 link',
     'an X5 link carries an X5 or X8 actuator'),
])
def test_parts_that_do_not_fit(first: str, second: str, message: str, hint: str) -> None:
    assert reported(first, second) == [(message, hint)]


@pytest.mark.parametrize('parts', [
    (actuator('X5-4'), LINK.format('X5'), actuator('X5-9')),
    (actuator('X5-4'), '<bracket type="X5HeavyLeftInside"/>', actuator('X8-9')),
    (LINK.format('R8'), actuator('T5-1'), '<bracket type="R8LightLeft"/>'),
    (LINK.format('R25-R8'), actuator('R8-3')),
    (actuator('X5-4'), '<rigid-body mass="1"/>', actuator('R8-3'))])
def test_what_hints_say_fits(parts: tuple[str, ...]) -> None:
    assert reported(*parts) == []
