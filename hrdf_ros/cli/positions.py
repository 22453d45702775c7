# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The options for configurations: positions, with or without a unit."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple, Optional

from hrdf_ros.cli.loading import model_of
from hrdf_ros.cli.options import Group, Option, valid
from hrdf_ros.parsing.quantities import parse_quantity, Quantity


class Positions(NamedTuple):
    """The positions that the user gives: a list of all coordinates, and single ones by name."""

    listed: Optional[Sequence[Quantity]]
    named: Sequence[tuple[str, Quantity]]

    @property
    def are_given(self) -> bool:
        """Whether the user gives any position."""
        return bool(self.named) or self.listed is not None


def positions_of(options: argparse.Namespace) -> Positions:
    """Return the positions that the options POSITIONS give."""
    return Positions(options.positions, options.position)


# ---- options

_quantity = valid(
    parse_quantity,
    'a finite number, alone or with a unit: 0.5, 30deg, pi/6, -1.2rad, 50mm, 0.2m')


def _quantities(text: str) -> tuple[Quantity, ...]:
    return tuple(map(_quantity, text.split(','))) if text.strip() else ()


def named_position(text: str) -> Optional[tuple[str, Quantity]]:
    """Return the name and position of ``NAME=VALUE``, None for a text without a name."""
    name, _, value = text.rpartition('=')
    return (name, _quantity(value)) if name else None


def _complete_coordinates(parsed_args: argparse.Namespace, **_: object) -> list[str]:
    model = model_of(parsed_args)
    return [] if model is None else [f'{coordinate.name}=' for coordinate in model.coordinates]


POSITIONS = Group('configuration', (
    Option(
        '--position NAME=VALUE', 'one coordinate, by name; repeat the option for others',
        valid(named_position, 'NAME=VALUE'), many=True, complete=_complete_coordinates),
    Option(
        '--positions V1,V2,...', 'all coordinates in one list, in the order of the file (with or '
        'without the dependent ones)', _quantities)),
    'in radians and meters, or with a unit: 30deg, pi/6, -1.2rad, 50mm;\n'
    'a coordinate that is not given has its initial value')
DEGREES = Option('--degrees', 'print angles in degrees')
