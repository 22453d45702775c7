# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Reading is linear in time and memory, whatever a text consists of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from helpers.scaling import (
    Construct,
    constructs,
    FULL_REPORT,
    gearboxes,
    parallel_joints,
    peak_memory,
    repeated,
    require_linear,
    seconds_of,
)
from hrdf_ros import load, load_model, write_sdf, write_urdf
from hrdf_ros.cli import main
from hrdf_ros.diff import diff_models
from hrdf_ros.model import Model
import pytest

SIZE = 1 << 16

EACH_CONSTRUCT = pytest.mark.parametrize(
    'construct', list(constructs()), ids=lambda construct: construct.name)


@EACH_CONSTRUCT
def test_time_at_most_doubles_with_the_text(construct: Construct) -> None:
    small, large = construct.text(SIZE), construct.text(2 * SIZE)
    require_linear(
        lambda: seconds_of(lambda: read(construct, small)),
        lambda: seconds_of(lambda: read(construct, large)))


def read(construct: Construct, text: str) -> None:
    """Read a text, and find the place of each diagnostic."""
    str(construct.load(text).report)


@EACH_CONSTRUCT
def test_memory_is_in_proportion_to_the_text(construct: Construct) -> None:
    text = construct.text(SIZE)
    read(construct, construct.text(1000))  # what is imported or cached once is not the text's
    assert peak_memory(lambda: read(construct, text)) <= construct.memory * len(text) + FULL_REPORT


def plugin_with(text: str) -> str:
    """Return a model with a plugin that has this text."""
    return (
        '<sdf version="1.9"><model name="m"><link name="l"/><plugin name="p" filename="f">'
        f'<x>{text}</x></plugin></model></sdf>')


@pytest.mark.parametrize('piece', ['a::', '::', 'a', 'x::y '])
@pytest.mark.parametrize('write', [write_sdf, write_urdf])
def test_names_in_the_text_of_plugins(write: Callable[[Model], object], piece: str) -> None:
    small, large = (
        load_model(plugin_with(f'n::m {repeated(piece, size)}')) for size in (SIZE, 2 * SIZE))
    require_linear(
        lambda: seconds_of(lambda: write(small)), lambda: seconds_of(lambda: write(large)))


def test_memory_is_in_proportion_to_what_is_included() -> None:
    model = '<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>'

    def world(count: int) -> str:
        includes = ''.join(
            f'<include><name>n{index}</name><uri>/m.sdf</uri></include>' for index in range(count))
        return f'<sdf version="1.9"><world name="w">{includes}</world></sdf>'

    overlay = {'/m.sdf': model}
    load(world(10), overlay=overlay)
    taken = peak_memory(lambda: load(world(500), overlay=overlay))
    assert taken <= 60 * (len(world(500)) + 500 * len(model))


def test_plugins_in_a_summary(tmp_path: Path) -> None:
    small, large = tmp_path / 'small.sdf', tmp_path / 'large.sdf'
    for file, size in ((small, SIZE), (large, 2 * SIZE)):
        file.write_text(plugin_with(f'<![CDATA[{"<plugin " * (size // 8)}]]>'))
    require_linear(
        lambda: seconds_of(lambda: main(['info', str(small)])),
        lambda: seconds_of(lambda: main(['info', str(large)])))


@pytest.mark.parametrize(('text', 'work'), [
    (gearboxes, write_sdf), (parallel_joints, lambda model: diff_models(model, model))],
    ids=['gearboxes in the SDFormat writer', 'parallel joints in diff'])
def test_work_on_models(text: Callable[[int], str], work: Callable[[Model], object]) -> None:
    small, large = load_model(text(500)), load_model(text(1000))
    require_linear(
        lambda: seconds_of(lambda: work(small)), lambda: seconds_of(lambda: work(large)))
