# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What HRDF knows: versions, elements and attributes, and since which version (FORMAT.md).

A version is its minor number: 6 is HRDF 1.6.0. What the released 1.6.0 renamed from its drafts
has the released name here; the drafts' spellings stand in ``parts``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

VERSIONS = ('1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0', '1.6.0')
NEWEST = len(VERSIONS) - 1
UNDOCUMENTED = '1.7.0'
"""A version that hebi-py takes and no specification describes."""
FORMULAS = 1
"""The version since which numbers may be formulas and rotations products."""
IMPLICIT_END_EFFECTOR_UNTIL = 1
"""The last version in which every robot ends in an end effector that is not written."""

Kind = Literal['number', 'rotation', 'translation', 'word', 'text']


class Attribute(NamedTuple):
    """What the value of an attribute is, since which version, and whether it must be there."""

    kind: Kind
    since: int = 0
    required: bool = False


class Grammar(NamedTuple):
    """
    An element: since when, its attributes, what may stand in it.

    Of ``exclusive`` pairs only one may be given; of ``needs`` the first only with the second.
    """

    since: int
    attributes: dict[str, Attribute]
    contains: tuple[str, ...] = ()
    exclusive: tuple[tuple[str, str], ...] = ()
    needs: tuple[tuple[str, str], ...] = ()


_TAG = {'tag': Attribute('text', 4)}
_INERTIA_TERMS = {
    term: Attribute('number', 1) for term in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')}
_OVERRIDES = {
    'mass': Attribute('number', 1),
    'mass_offset': Attribute('number', 1),
    'com_rot': Attribute('rotation', 1),
    'com_trans': Attribute('translation', 1),
    'com_trans_offset': Attribute('translation', 1),
    **_INERTIA_TERMS,
    **_TAG,
}
_EITHER = (('mass', 'mass_offset'), ('com_trans', 'com_trans_offset'))
_OUTPUT = {'output_rot': Attribute('rotation'), 'output_trans': Attribute('translation')}
_TYPE = {'type': Attribute('word', required=True)}
_IN_CHAIN = (
    'actuator', 'link', 'bracket', 'rigid-body', 'joint', 'end-effector', 'include')

ELEMENTS = {
    'robot': Grammar(0, {
        'version': Attribute('word'),
        'rot': Attribute('rotation'),
        'trans': Attribute('translation'),
        'description': Attribute('text', 2),
    }, _IN_CHAIN),
    'actuator': Grammar(0, {**_TYPE, **_OVERRIDES}, exclusive=_EITHER),
    'link': Grammar(0, {
        **_TYPE,
        'extension': Attribute('number', required=True),
        'twist': Attribute('number', required=True),
        'input': Attribute('word', 2),
        'output': Attribute('word', 2),
        **_OVERRIDES,
    }, exclusive=_EITHER),
    'bracket': Grammar(0, {**_TYPE, **_OVERRIDES}, ('output',), _EITHER),
    'rigid-body': Grammar(0, {
        'mass': Attribute('number', required=True),
        'com_rot': Attribute('rotation'),
        'com_trans': Attribute('translation'),
        **_OUTPUT,
        **_INERTIA_TERMS,
        'mesh_path': Attribute('text', 3),
        'mesh_rot': Attribute('rotation', 3),
        'mesh_trans': Attribute('translation', 3),
        **_TAG,
    }, ('output',), needs=(('mesh_rot', 'mesh_path'), ('mesh_trans', 'mesh_path'))),
    'joint': Grammar(0, {
        'axis': Attribute('word', required=True),
        'gear_ratio': Attribute('number', 5),
        **_TAG,
    }),
    'end-effector': Grammar(
        2, {'type': Attribute('word'), **_OUTPUT, **_OVERRIDES}, exclusive=_EITHER),
    'include': Grammar(3, {'path': Attribute('text', required=True)}),
    'output': Grammar(
        3, {'rot': Attribute('rotation'), 'trans': Attribute('translation')}, _IN_CHAIN),
}
