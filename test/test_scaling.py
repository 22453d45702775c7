# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Work is linear in time and memory, whatever a text consists of.

Time is counted in lines of this project that run, so that the machine has no part in it; what the
lines call in C is measured by the clock in `make fuzz` (``fuzz.commands``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from fuzz.corpus import FORMATS
from helpers.scaling import (
    Construct,
    constructs,
    FULL_REPORT,
    gearboxes,
    growth,
    parallel_joints,
    peak_memory,
    repeated,
    SIZES,
)
from helpers.schema_constructs import repeated_elements, repeated_pairs, Repetition
from hrdf_ros import load, load_model, write_mjcf, write_sdf, write_urdf
from hrdf_ros.cli import main
from hrdf_ros.diff import diff_models
from hrdf_ros.model import Model
import pytest

SIZE = 1 << 16
TEXT_SIZES = (1 << 12, 1 << 13, 1 << 14, 1 << 15)
"""Bytes of texts: doubled three times."""

EACH_CONSTRUCT = pytest.mark.parametrize(
    'construct', list(constructs()), ids=lambda construct: construct.name)
EACH_FORMAT = pytest.mark.parametrize('name', FORMATS)
WORK: dict[str, Callable[[Model], object]] = {
    'URDF': write_urdf, 'SDFormat': write_sdf, 'MJCF': write_mjcf,
    'diff': lambda model: diff_models(model, model)}
"""What is done with a Model."""


@pytest.fixture(autouse=True)
def few_suggestions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Suggest names among very few: so far, each unknown name costs as much as there are names."""
    monkeypatch.setattr('hrdf_ros.parsing.suggestions.SUGGESTED_NAMES', 2)


@pytest.fixture(autouse=True)
def one_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare poses in one configuration: each other one does the same again."""
    monkeypatch.setattr('hrdf_ros.diff.poses.CONFIGURATIONS', 0)


@EACH_FORMAT
@pytest.mark.parametrize('repetitions', [repeated_elements, repeated_pairs])
def test_reading_is_linear_in_what_a_schema_declares(
        name: str, repetitions: Callable[[str], Iterator[Repetition]]) -> None:
    found = {
        each.name: growth([partial(read, each.text(count)) for count in SIZES])
        for each in repetitions(name)}
    assert {each: lines for each, lines in found.items() if lines} == {}


@EACH_FORMAT
def test_writing_is_linear_in_what_a_schema_declares(name: str) -> None:
    found = {
        (each.name, target): lines
        for each in repeated_elements(name, parents=0) for models in [models_of(each)] if models
        for target, work in WORK.items()
        if (lines := growth([partial(work, model) for model in models]))}
    assert found == {}


def models_of(each: Repetition) -> Sequence[Model]:
    """Return a Model for each size, none where one has an error."""
    models = [model for count in SIZES if (model := load(each.text(count)).model) is not None]
    return models if len(models) == len(SIZES) else ()


def read(text: str) -> None:
    """Read a text, and find the place of each diagnostic."""
    str(load(text).report)


@EACH_CONSTRUCT
def test_reading_is_linear_in_the_text(construct: Construct) -> None:
    assert not growth([partial(construct.read, construct.text(size)) for size in TEXT_SIZES])


@EACH_CONSTRUCT
def test_memory_is_in_proportion_to_the_text(construct: Construct) -> None:
    text = construct.text(SIZE)
    construct.read(construct.text(1000))  # what is imported or cached once is not the text's
    taken = peak_memory(lambda: construct.read(text))
    assert taken <= construct.memory * len(text) + FULL_REPORT


def plugin_with(text: str) -> str:
    """Return a model with a plugin that has this text."""
    return (
        '<sdf version="1.9"><model name="m"><link name="l"/><plugin name="p" filename="f">'
        f'<x>{text}</x></plugin></model></sdf>')


@pytest.mark.parametrize('piece', ['a::', '::', 'a', 'x::y '])
@pytest.mark.parametrize('write', [write_sdf, write_urdf])
def test_names_in_the_text_of_plugins(write: Callable[[Model], object], piece: str) -> None:
    models = [load_model(plugin_with(f'n::m {repeated(piece, size)}')) for size in TEXT_SIZES]
    assert not growth([partial(write, model) for model in models])


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
    files = [tmp_path / f'{size}.sdf' for size in TEXT_SIZES]
    for file, size in zip(files, TEXT_SIZES):
        file.write_text(plugin_with(f'<![CDATA[{"<plugin " * (size // 8)}]]>'))
    assert not growth([partial(main, ['info', str(file)]) for file in files])


@pytest.mark.parametrize(('text', 'work'), [
    (gearboxes, write_sdf), (parallel_joints, lambda model: diff_models(model, model))],
    ids=['gearboxes in the SDFormat writer', 'parallel joints in diff'])
def test_work_on_models(text: Callable[[int], str], work: Callable[[Model], object]) -> None:
    models = [load_model(text(count)) for count in (100, 200, 400, 800)]
    assert not growth([partial(work, model) for model in models])
