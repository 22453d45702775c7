# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What can be mounted on what, for people: the message about parts that do not fit."""

from __future__ import annotations

from typing import NamedTuple, Optional

from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.hrdf.elements import ChainElement


class Mismatch(NamedTuple):
    """What does not fit, and what to do about it."""

    message: str
    hint: str


def describe_mismatch(element: ChainElement, before: ChainElement) -> Mismatch:
    """Return why an element cannot follow another one, whose interfaces are not the same."""
    wanted, needs_actuator = _interface(element.accepts)
    offered, is_actuator = _interface(before.offers)
    place = _with_article(_name(before))
    if before.kind == 'actuator':
        place = "an actuator's output" if wanted == offered else f'the output of {place}'
    message = f'{_with_article(_name(element))} cannot be mounted on {place}'
    if wanted == offered:
        between = _carried_by(offered) if is_actuator else _carriers_of(offered)
        return Mismatch(message, f'put {between} between them')
    fitting = _carried_by(offered) if is_actuator else _carriers_of(offered)
    if needs_actuator != is_actuator:
        return Mismatch(message, f'{_with_article(_name(before))} carries {fitting}')
    return Mismatch(message, f'use {fitting} here, or another part before it')


def _interface(name: Optional[str]) -> tuple[str, bool]:
    """Return the family of an interface, and whether it is the output of an actuator."""
    family, _, end = (name or '').rpartition('-')
    return family, end == 'AO'


def _carried_by(family: str) -> str:
    """Return what an actuator of a family of interfaces carries."""
    links = [name for name, link in catalog.LINKS.items() if link.interface == family]
    return f'{_with_article(links[0])} bracket or link'


def _carriers_of(family: str) -> str:
    """Return the actuators of a family of interfaces."""
    names = [name for name, found in catalog.FAMILIES.items() if found.interface == family]
    return f'{_with_article(" or ".join(names))} actuator'


def _name(element: ChainElement) -> str:
    kind = element.kind.replace('-', ' ')
    return element.type if element.kind == 'actuator' else f'{element.type} {kind}'


def _with_article(name: str) -> str:
    return f'an {name}' if name[:1] in 'AEIORX' else f'a {name}'
