# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The schema of HRDF 1.0.0 to 1.6.0: elements, attributes, and their first versions (FORMAT.md).

Names are those of the released 1.6.0; the spellings of its drafts are in ``catalog``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
import re
from typing import Any, Optional

from hrdf_ros import codes
from hrdf_ros.document import ValuePaths, XmlElement
from hrdf_ros.parsing import formula
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.schema import (
    Element,
    Elements,
    NewerSyntax,
    Policy,
    Remark,
    Schema,
    ValueType,
)

VERSIONS = ('1.0.0', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0', '1.6.0')
FORMULAS = '1.1.0'
"""The first version in which numbers may be formulas and rotations may be products."""


# ---- values

def _refused(pattern: str) -> Remark:
    """Return the remark about a spelling that the specification allows but hebi-py refuses."""
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


def _older(
    parse: Callable[[str], Any], newer: Callable[[str], Any], what: str, *,
    is_list: bool = False,
) -> Callable[[str], Any]:
    """
    Return the parser of 1.0.0, which reports values that only a newer version would understand.

    hebi-py reads such values as C's atof does, so that ``pi`` means 0; here they are errors. Only
    spaces separate the numbers of a list.
    """
    def parse_older(text: str) -> Any:
        found = re.search(r'[\t\r\n]', text) if is_list else None
        if found is not None:
            raise NewerSyntax('a tab or line break between numbers', found.start(), FORMULAS)
        try:
            return parse(text)
        except ValueSyntaxError as fault:
            try:
                newer(text)
            except ValueSyntaxError:
                raise fault from None
            raise NewerSyntax(f"the {what} '{text}'", fault.index, FORMULAS) from None
    return parse_older


def _typed(
    name: str, parse: Callable[[str], Any], older: Callable[[str], Any], *remarks: Remark,
) -> ValueType:
    return ValueType(
        name, parse_in_context=_bounded(parse), before=(FORMULAS, _bounded(older)),
        remarks=remarks)


def _angle_by(parse: Callable[[str], float]) -> Callable[[str], float]:
    return lambda text: formula.plausible(parse(text))


def _words(words: Mapping[str, str]) -> ValueType:
    """Return the type of an enumeration; HRDF's drafts spelled some words differently."""
    spellings = {
        draft: word for draft, word in catalog.DRAFT_SPELLINGS.items() if word in words}
    return ValueType('word', words=words, ignore_case=True, spellings=spellings)


def _always(words: Iterable[str]) -> ValueType:
    return _words(dict.fromkeys(words, ''))


_FORMULA = _refused(r'(?:^|[-+*/(])\s*\+|[*/]\s*-')
_PLAIN_NUMBER = _older(formula.number, formula.formula, 'formula')
NUMBER = _typed('number', formula.formula, _PLAIN_NUMBER, _FORMULA)
ANGLE = _typed('number', _angle_by(formula.formula), _angle_by(_PLAIN_NUMBER), _FORMULA)
ROTATION = _typed(
    'rotation', partial(formula.rotation, plausible=True),
    _older(formula.matrix_rotation, formula.rotation, 'product', is_list=True),
    _refused(r'[-+*/(]\s*\+|[*/]\s*-|R[xyz]\s'))
TRANSLATION = _typed(
    'translation', formula.translation,
    _older(formula.translation, formula.translation, 'translation', is_list=True))
_OWN_PART = 'a part of your own is a <rigid-body>'
ACTUATOR = _words({
    name: VERSIONS[found.since] for name, found in catalog.ACTUATORS.items()})._replace(
        unlisted='a motor of your own is a <rigid-body>, then a <joint>')
LINK = _words({
    name: VERSIONS[found.since] for name, found in catalog.LINKS.items()})._replace(
        unlisted=_OWN_PART)
BRACKET = _words({
    name: VERSIONS[found.since] for name, found in catalog.BRACKETS.items()})._replace(
        unlisted=_OWN_PART)
LINK_END = _always(catalog.LINK_ENDS)
END_EFFECTOR = _always(catalog.END_EFFECTORS)._replace(
    unlisted='one of your own is Custom, with mass and output_trans')
AXIS = _always(catalog.AXES)._replace(unlisted='r turns about an axis, t shifts along it')


# ---- elements

_ELEMENTS = Elements({
    'number': NUMBER, 'angle': ANGLE, 'rotation': ROTATION, 'translation': TRANSLATION,
    'actuator_type': ACTUATOR, 'link_type': LINK, 'bracket_type': BRACKET, 'link_end': LINK_END,
    'end_effector_type': END_EFFECTOR, 'axis_type': AXIS,
    'version': _always(VERSIONS)._replace(deferred=True),
}, {}, """
_moments
  @ixx,iyy,izz,ixy,ixz,iyz number [kg m^2] 1.1.0+
      | a component of the inertia tensor about the center of mass

_overrides with=moments
  @mass number [kg] 1.1.0+                      | instead of the component's mass
  @mass_offset number [kg] excludes=mass 1.1.0+ | added to the component's mass
  @com_rot rotation 1.1.0+                      | the axes of the inertia tensor
  @com_trans translation [m] 1.1.0+             | instead of the component's center of mass
  @com_trans_offset translation [m] excludes=com_trans 1.1.0+
      | added to the component's center of mass
  @tag names=tag 1.4.0+                         | a name of its own

_chain
  actuator,link,bracket,rigid-body,joint,end-effector,include same

robot with=chain                                | a robot: a chain of elements
  @version version =1.0.0                       | the version of HRDF, 1.0.0 where it is absent
  @rot rotation                                 | the orientation of the first element
  @trans translation [m]                        | the position of the first element
  @description 1.2.0+                           | a description of the robot

actuator repeated with=overrides                | an actuator of the library
  @type actuator_type required                  | which component of the library it is

link repeated with=overrides                    | a tube with an interface on each end
  @type link_type required                      | which component of the library it is
  @extension number =0 [m] required             | the length of the tube
  @twist angle =0 [rad] required                | how far the output is turned
  @input link_end =RightAngle 1.2.0+            | the interface at the input
  @output link_end =RightAngle 1.2.0+           | the interface at the output

bracket repeated with=overrides                 | a bracket of the library
  @type bracket_type required                   | which component of the library it is
  output repeated with=chain 1.3.0+
      | the elements after the bracket, whose type says where

rigid-body repeated with=moments                | a body of any shape
  @mass number [kg] required                    | the mass
  @com_rot rotation                             | the axes of the inertia tensor
  @com_trans translation [m]                    | the center of mass
  @output_rot rotation                          | the orientation of the output
  @output_trans translation [m]                 | the position of the output
  @mesh_path refers=file 1.3.0+                 | the mesh: a relative path or a URL
  @mesh_rot rotation requires=mesh_path 1.3.0+  | the orientation of the mesh
  @mesh_trans translation [m] requires=mesh_path 1.3.0+
      | the position of the mesh
  @tag names=tag 1.4.0+                         | a name of its own
  output repeated with=chain 1.3.0+             | an output, with the elements after it
    @rot rotation                               | the orientation, as output_rot where it is absent
    @trans translation [m]                      | the position, as output_trans where it is absent

joint repeated                                  | a joint of one axis
  @axis axis_type required                      | r turns about, t shifts along x, y or z
  @gear_ratio number =1 1.5.0+                  | turns of the coordinate for one of the joint
  @tag names=tag 1.4.0+                         | a name of its own

end-effector repeated with=overrides 1.2.0+     | the end of a chain
  @type end_effector_type =Custom               | which component of the library it is
  @output_rot rotation                          | the orientation of the output
  @output_trans translation [m]                 | the position of the output

include repeated 1.3.0+                         | the elements of another file
  @path = required refers=file                  | the file, relative to this one
""")

SCHEMA = Schema(
    root='robot', versions=VERSIONS,
    policy=Policy(
        'HRDF', 'hebi-py',
        wrong_root=codes.UNKNOWN_ELEMENT._replace(severity='error'),
        unknown_element=codes.UNKNOWN_ELEMENT._replace(severity='error'),
        unknown_attribute=codes.UNKNOWN_ATTRIBUTE._replace(severity='error'),
        other_spelling=codes.HRDF_DRAFT_SPELLING,
        stray_text=codes.STRAY_TEXT._replace(severity='error'),
        other_words={
            'name': 'tag', 'id': 'tag', 'gripper': 'end-effector', 'tool': 'end-effector',
            'motor': 'actuator', 'tube': 'link', 'body': 'rigid-body', 'length': 'extension',
            'xyz': 'trans'},
        own_parts={'rigid-body': _OWN_PART}),
    elements={
        **_ELEMENTS,
        'included robot': Element(
            'the robot of an included file, of which only the chain is read',
            children=_ELEMENTS['robot'].children, any_attributes=True)})


VALUE_PATHS: ValuePaths = {
    'parent_from_joint': ('@extension', '@output_trans', '@trans'),
    'mass': ('@mass', '@mass_offset'),
    **{
        term: (f'@{term}',) for term in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')},
}
