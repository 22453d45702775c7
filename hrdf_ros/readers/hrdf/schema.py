# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
HRDF 1.0.0 to 1.6.0: elements and attributes, and since which version (FORMAT.md).

Names are those of the released 1.6.0; the spellings of its drafts are in ``catalog``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
import re
from typing import Any, Optional, TypeVar

from hrdf_ros import codes
from hrdf_ros.document import ValuePaths, XmlElement
from hrdf_ros.parsing import formula
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.pose import Pose, Vector
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.schema import (
    Attribute,
    Element,
    NewerSyntax,
    Policy,
    Remark,
    Schema,
    TEXT,
    ValueType,
)

Parsed = TypeVar('Parsed')

VERSIONS = ('1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0', '1.6.0')
FORMULAS = '1.1.0'
"""The version since which numbers may be formulas and rotations products."""


# ---- values

def _refused(pattern: str) -> Remark:
    """Return the remark about a spelling that the specification allows and hebi-py refuses."""
    def find(text: str) -> Optional[int]:
        found = re.search(pattern, text)
        return None if found is None else found.start()
    return Remark(
        find, codes.HRDF_REJECTED_BY_HEBI_PY,
        'HRDF allows this way to write a value, hebi-py refuses it')


def _bounded(parse: Callable[[str], Any]) -> Callable[[XmlElement, str, list[int]], Any]:
    """Return a parser of values that are not longer than the resource limit."""
    def parse_bounded(element: XmlElement, text: str, _: list[int]) -> Any:
        longest = element.document.limits.formula_length
        if len(text) > longest:
            raise ValueSyntaxError(f'a value of more than {longest} characters', longest)
        return parse(text)
    return parse_bounded


def _angle(text: str) -> float:
    return formula.plausible(formula.formula(text))


def _rotation(text: str) -> Pose:
    return formula.rotation(text, plausible=True)


def _plain_number(text: str) -> float:
    return _plain(text, formula.number, formula.formula, 'formula')


def _plain_angle(text: str) -> float:
    return formula.plausible(_plain_number(text))


def _plain_rotation(text: str) -> Pose:
    _check_separators(text)
    return _plain(text, formula.matrix_rotation, formula.rotation, 'product')


def _plain_translation(text: str) -> Vector:
    _check_separators(text)
    return formula.translation(text)


def _check_separators(text: str) -> None:
    """Refuse separators of numbers other than spaces, as 1.0.0 does."""
    found = re.search(r'[\t\r\n]', text)
    if found is not None:
        raise NewerSyntax('a tab or line break between numbers', found.start(), FORMULAS)


def _plain(
    text: str, parse: Callable[[str], Parsed], newer: Callable[[str], Parsed], what: str,
) -> Parsed:
    """
    Read a value as 1.0.0 has it; say so where a newer version would understand it.

    hebi-py reads such values like C's atof, so that ``pi`` is 0 there: an error here.
    """
    try:
        return parse(text)
    except ValueSyntaxError as fault:
        try:
            newer(text)
        except ValueSyntaxError:
            raise fault from None
        raise NewerSyntax(f"the {what} '{text}'", fault.index, FORMULAS) from None


def _words(words: Mapping[str, str]) -> ValueType:
    """Return the type of an enumeration; drafts of HRDF spelled some words otherwise."""
    spellings = {
        draft: word for draft, word in catalog.DRAFT_SPELLINGS.items() if word in words}
    return ValueType('word', words=words, ignore_case=True, spellings=spellings)


def _always(words: Iterable[str]) -> ValueType:
    return _words(dict.fromkeys(words, ''))


NUMBER = ValueType(
    'number', parse_in_context=_bounded(formula.formula),
    before=(FORMULAS, _bounded(_plain_number)),
    remarks=(_refused(r'(?:^|[-+*/(])\s*\+|[*/]\s*-'),))
ANGLE = NUMBER._replace(
    parse_in_context=_bounded(_angle), before=(FORMULAS, _bounded(_plain_angle)))
ROTATION = ValueType(
    'rotation', parse_in_context=_bounded(_rotation), before=(FORMULAS, _bounded(_plain_rotation)),
    remarks=(_refused(r'[-+*/(]\s*\+|[*/]\s*-|R[xyz]\s'),))
TRANSLATION = ValueType(
    'translation', parse_in_context=_bounded(formula.translation),
    before=(FORMULAS, _bounded(_plain_translation)))
ACTUATOR = _words({
    name: VERSIONS[found.since] for name, found in catalog.ACTUATORS.items()})
LINK = _words({name: VERSIONS[found.since] for name, found in catalog.LINKS.items()})
BRACKET = _words({name: VERSIONS[found.since] for name, found in catalog.BRACKETS.items()})
LINK_END = _always(catalog.LINK_ENDS)
END_EFFECTOR = _always(catalog.END_EFFECTORS)
AXIS = _always(catalog.AXES)


# ---- attributes

_TAG = {'tag': Attribute(TEXT, 'a name of its own', since='1.4.0', names='tag')}
_MOMENTS = {
    term: Attribute(
        NUMBER, 'a component of the inertia tensor about the center of mass', unit='kg m^2',
        since='1.1.0')
    for term in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')}
_OVERRIDES = {
    'mass': Attribute(NUMBER, "instead of the component's mass", unit='kg', since='1.1.0'),
    'mass_offset': Attribute(
        NUMBER, "added to the component's mass", unit='kg', since='1.1.0', excludes=('mass',)),
    'com_rot': Attribute(ROTATION, 'the axes of the inertia tensor', since='1.1.0'),
    'com_trans': Attribute(
        TRANSLATION, "instead of the component's center of mass", unit='m', since='1.1.0'),
    'com_trans_offset': Attribute(
        TRANSLATION, "added to the component's center of mass", unit='m', since='1.1.0',
        excludes=('com_trans',)),
    **_MOMENTS,
    **_TAG,
}
_OUTPUT = {
    'output_rot': Attribute(ROTATION, 'the orientation of the output'),
    'output_trans': Attribute(TRANSLATION, 'the position of the output', unit='m'),
}


def _type(words: ValueType) -> dict[str, Attribute]:
    return {'type': Attribute(words, 'which component of the library it is', required=True)}


# ---- elements

_CHAIN: Mapping[str, str] = {
    tag: tag for tag in (
        'actuator', 'link', 'bracket', 'rigid-body', 'joint', 'end-effector', 'include')}

SCHEMA = Schema(
    root='robot', versions=VERSIONS,
    policy=Policy(
        'HRDF', 'hebi-py',
        wrong_root=codes.UNKNOWN_ELEMENT._replace(severity='error'),
        unknown_element=codes.UNKNOWN_ELEMENT._replace(severity='error'),
        unknown_attribute=codes.UNKNOWN_ATTRIBUTE._replace(severity='error'),
        other_spelling=codes.HRDF_DRAFT_SPELLING,
        stray_text=codes.STRAY_TEXT._replace(severity='error')),
    elements={
        'robot': Element('a robot: a chain of elements', {
            'version': Attribute(
                _words(dict.fromkeys(VERSIONS, ''))._replace(deferred=True),
                'the version of HRDF, 1.0.0 where it is absent', default=VERSIONS[0]),
            'rot': Attribute(ROTATION, 'the orientation of the first element'),
            'trans': Attribute(TRANSLATION, 'the position of the first element', unit='m'),
            'description': Attribute(TEXT, 'a description of the robot', since='1.2.0'),
        }, _CHAIN),
        'included robot': Element(
            'the robot of an included file, of which only the chain is read', children=_CHAIN,
            any_attributes=True),
        'actuator': Element(
            'an actuator of the library', {**_type(ACTUATOR), **_OVERRIDES}, repeated=True),
        'link': Element('a tube with an interface on each end', {
            **_type(LINK),
            'extension': Attribute(
                NUMBER, 'the length of the tube', required=True, default=0.0, unit='m'),
            'twist': Attribute(
                ANGLE, 'how far the output is turned', required=True, default=0.0, unit='rad'),
            'input': Attribute(
                LINK_END, 'the interface at the input', default=catalog.RIGHT_ANGLE,
                since='1.2.0'),
            'output': Attribute(
                LINK_END, 'the interface at the output', default=catalog.RIGHT_ANGLE,
                since='1.2.0'),
            **_OVERRIDES,
        }, repeated=True),
        'bracket': Element('a bracket of the library', {**_type(BRACKET), **_OVERRIDES}, {
            'output': Element(
                'the elements after the bracket, whose type says where', children=_CHAIN,
                repeated=True, since='1.3.0'),
        }, repeated=True),
        'rigid-body': Element('a body of any shape', {
            'mass': Attribute(NUMBER, 'the mass', required=True, unit='kg'),
            'com_rot': Attribute(ROTATION, 'the axes of the inertia tensor'),
            'com_trans': Attribute(TRANSLATION, 'the center of mass', unit='m'),
            **_OUTPUT,
            **_MOMENTS,
            'mesh_path': Attribute(
                TEXT, 'the mesh: a relative path or a URL', since='1.3.0', refers=('file',)),
            'mesh_rot': Attribute(
                ROTATION, 'the orientation of the mesh', since='1.3.0', requires=('mesh_path',)),
            'mesh_trans': Attribute(
                TRANSLATION, 'the position of the mesh', unit='m', since='1.3.0',
                requires=('mesh_path',)),
            **_TAG,
        }, {
            'output': Element('an output, with the elements after it', {
                'rot': Attribute(ROTATION, 'the orientation, as output_rot where it is absent'),
                'trans': Attribute(
                    TRANSLATION, 'the position, as output_trans where it is absent', unit='m'),
            }, _CHAIN, repeated=True, since='1.3.0'),
        }, repeated=True),
        'joint': Element('a joint of one axis', {
            'axis': Attribute(
                AXIS, 'r turns about, t shifts along x, y or z', required=True),
            'gear_ratio': Attribute(
                NUMBER, 'turns of the coordinate for one of the joint', default=1.0,
                since='1.5.0'),
            **_TAG,
        }, repeated=True),
        'end-effector': Element('the end of a chain', {
            'type': Attribute(
                END_EFFECTOR, 'which component of the library it is', default='Custom'),
            **_OUTPUT, **_OVERRIDES,
        }, repeated=True, since='1.2.0'),
        'include': Element('the elements of another file', {
            'path': Attribute(
                TEXT, 'the file, relative to this one', required=True, default='',
                refers=('file',)),
        }, repeated=True, since='1.3.0'),
    })


VALUE_PATHS: ValuePaths = {
    'parent_from_joint': ('@extension', '@output_trans', '@trans'),
    'mass': ('@mass', '@mass_offset'),
    'ixx': ('@ixx',),
    'iyy': ('@iyy',),
    'izz': ('@izz',),
    'ixy': ('@ixy',),
    'ixz': ('@ixz',),
    'iyz': ('@iyz',),
}
