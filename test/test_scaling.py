# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Reading is linear in time and memory, whatever a text consists of."""

from __future__ import annotations

from collections.abc import Callable

from helpers.scaling import (
    Construct,
    constructs,
    FULL_REPORT,
    peak_memory,
    repeated,
    require_linear,
    seconds_of,
)
from hrdf_ros import load_model, write_sdf, write_urdf
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
