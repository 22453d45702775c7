# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Each element of a robot: from its attributes to what it does to the chain."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.document import SourceRef, XmlElement
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Motion
from hrdf_ros.pose import Pose, translation, Z_AXIS
from hrdf_ros.readers.hrdf import catalog, shapes
from hrdf_ros.readers.hrdf.attributes import FileContext, is_known, read_values, read_word, Values
from hrdf_ros.readers.hrdf.grammar import ELEMENTS
from hrdf_ros.readers.hrdf.shapes import Shapes
from hrdf_ros.resolve import Resolver

_TENSOR = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')


class ChainElement(NamedTuple):
    """
    One element as it was read.

    ``type`` is the library's word for it (``X5-4``, ``X5LightLeft``, ``Custom``, ``rx``) or empty.
    ``inertia`` is None for joints only. ``outputs`` are input_from_output with the motion at
    zero; ``motion`` acts behind it. ``accepts`` and ``offers`` are interfaces, None fits all.
    """

    kind: str
    type: str  # noqa: A003
    location: SourceRef
    tag: Optional[str] = None
    inertia: Optional[Inertia] = None
    outputs: tuple[Pose, ...] = (Pose(),)
    motion: Optional[Motion] = None
    velocity: float = float('inf')
    effort: float = float('inf')
    accepts: Optional[str] = None
    offers: Optional[str] = None
    shapes: Shapes = Shapes()
    approximated: bool = False


def read_element(
    node: XmlElement, scope: FileContext, resolver: Resolver
) -> Optional[ChainElement]:
    """Return an element; None where its type is wrong, so that nothing is known of it."""
    if not is_known(f'<{node.tag}>', ELEMENTS[node.tag].since, node, None, scope):
        return None
    values = read_values(node, scope)
    element = _READERS[node.tag](values, scope, resolver)
    tag = values.texts.get('tag')
    return element if element is None or tag is None else element._replace(tag=tag)


def _read_actuator(
    values: Values, scope: FileContext, resolver: Resolver
) -> Optional[ChainElement]:
    name = _read_type(values, catalog.ACTUATORS, scope)
    if name is None:
        return None
    actuator = catalog.ACTUATORS[name]
    family = catalog.FAMILIES[actuator.family]
    is_known(f"the actuator '{name}'", family.since, values.node, 'type', scope)
    library = Inertia(actuator.mass, translation(*family.com), *family.tensor)
    return ChainElement(
        'actuator', name, values.node.location, inertia=_override(values, library),
        outputs=(translation(0.0, 0.0, family.height),),
        motion=Motion('revolute', Z_AXIS, ()),
        velocity=actuator.speed, effort=actuator.effort,
        accepts=f'{family.interface}-AH', offers=f'{family.interface}-AO',
        approximated=family.approximated and not _has_own_tensor(values),
        shapes=shapes.of_actuator(actuator, resolver))


def _read_link(values: Values, scope: FileContext, resolver: Resolver) -> Optional[ChainElement]:
    name = _read_type(values, catalog.LINKS, scope)
    ends = dict.fromkeys(catalog.LINK_ENDS)
    input_end = read_word(values, 'input', ends, scope, catalog.RIGHT_ANGLE)
    output_end = read_word(values, 'output', ends, scope, catalog.RIGHT_ANGLE)
    if name is None or input_end is None or output_end is None:
        return None
    link = catalog.LINKS[name]
    is_known(f"the link '{name}'", link.since, values.node, 'type', scope)
    if (input_end, output_end) not in link.bases:
        scope.report.add(
            codes.BAD_VALUE, f'a link {name} has no {output_end} output',
            values.node.attribute_location('output', 0))
    extension = values.numbers.get('extension', 0.0)
    output = catalog.link_output(
        link, input_end, output_end, extension, values.numbers.get('twist', 0.0))
    return ChainElement(
        'link', name, values.node.location, outputs=(output,),
        inertia=_override(values, catalog.link_inertia(link, input_end, output_end, extension)),
        accepts=f'{link.interface}-AO', offers=f'{link.output_interface}-AH',
        shapes=shapes.of_link(name, (input_end, output_end), extension, output, resolver))


def _read_bracket(
    values: Values, scope: FileContext, resolver: Resolver
) -> Optional[ChainElement]:
    name = _read_type(values, catalog.BRACKETS, scope)
    if name is None:
        return None
    bracket = catalog.BRACKETS[name]
    is_known(f"the bracket '{name}'", bracket.since, values.node, 'type', scope)
    moment = .4 * bracket.mass * catalog.BRACKET_RADIUS ** 2
    library = Inertia(bracket.mass, translation(*bracket.com), moment, moment, moment)
    for number, output in enumerate(_read_outputs(values.node, scope)):
        _check_bracket_output(name, number, output, scope)
    return ChainElement(
        'bracket', name, values.node.location, inertia=_override(values, library),
        outputs=(bracket.input_from_output,),
        accepts=f'{bracket.interface}-AO', offers=f'{bracket.interface}-AH',
        shapes=shapes.of_bracket(name, bracket, resolver))


def _check_bracket_output(name: str, number: int, output: Values, scope: FileContext) -> None:
    """Report an output that the bracket does not have, or that says where it is."""
    if number > 0:
        scope.report.add(
            codes.HRDF_TOO_MANY_OUTPUTS,
            f'a bracket {name} has only one output',
            output.node.location,
        )
    for attribute in ('rot', 'trans'):
        if attribute in output.node.attributes:
            scope.report.add(
                codes.UNKNOWN_ATTRIBUTE,
                f"<output> has no attribute '{attribute}' in a bracket, whose type says where "
                'it is', output.node.attribute_location(attribute), severity='error')


def _read_rigid_body(values: Values, scope: FileContext, resolver: Resolver) -> ChainElement:
    default = values.pose('output_rot', 'output_trans')
    outputs = tuple(
        output.pose('rot', 'trans', default) for output in _read_outputs(values.node, scope))
    for attribute in ('output_rot', 'output_trans'):
        if outputs and attribute in values.node.attributes:
            scope.report.add(
                codes.HRDF_REJECTED_BY_HEBI_PY,
                f"'{attribute}' is the default of each <output>, as HRDF has it; hebi-py refuses "
                'the two together', values.node.attribute_location(attribute))
    mesh = _mesh_path(values, scope)
    return ChainElement(
        'rigid-body', '', values.node.location, inertia=_override(values, Inertia(0.0)),
        outputs=outputs or (default,),
        shapes=shapes.of_rigid_body(
            mesh, values.pose('mesh_rot', 'mesh_trans'), outputs or (default,),
            values.node.attribute_location('mesh_path', 0), resolver))


def _read_outputs(node: XmlElement, scope: FileContext) -> list[Values]:
    return [
        read_values(output, scope) for output in node.all('output')
        if is_known('<output>', ELEMENTS['output'].since, output, None, scope)
    ]


def _mesh_path(values: Values, scope: FileContext) -> Optional[str]:
    """Return where the mesh is; report paths that HRDF has not (FORMAT.md, "rigid-body")."""
    path = values.texts.get('mesh_path')
    location = values.node.attribute_location('mesh_path', 0)
    if path and path.startswith('/'):
        scope.report.add(
            codes.HRDF_PATH_NOT_RELATIVE, f'the path {path} is not relative', location
        )
    elif path and '://' in path and not path.startswith(('http://', 'https://')):
        scope.report.add(
            codes.HRDF_MESH_PATH,
            f'{path} is neither a relative path nor a http or https URL',
            location,
        )
    elif path and '\\' in path:
        scope.report.add(
            codes.HRDF_MESH_PATH,
            f'{path} has a backslash where HRDF has a forward slash',
            location,
        )
    return path


def _read_joint(values: Values, scope: FileContext, resolver: Resolver) -> Optional[ChainElement]:
    name = read_word(values, 'axis', catalog.AXES, scope)
    ratio = values.numbers.get('gear_ratio', 1.0)
    if ratio == 0.0:
        scope.report.add(
            codes.SCALE_ZERO, 'a gear ratio of 0 leaves no finite motion',
            values.node.attribute_location('gear_ratio', 0), severity='error')
    if name is None or ratio == 0.0:
        return None
    kind, axis = catalog.AXES[name]
    motion = Motion('revolute' if kind == 'r' else 'prismatic', axis, (), scale=1.0 / ratio)
    return ChainElement('joint', name, values.node.location, motion=motion)


def _read_end_effector(
    values: Values, scope: FileContext, resolver: Resolver
) -> Optional[ChainElement]:
    name = read_word(values, 'type', catalog.END_EFFECTORS, scope, 'Custom')
    if name is None:
        return None
    part = catalog.END_EFFECTORS[name]
    output = values.pose('output_rot', 'output_trans', part.input_from_output)
    return ChainElement(
        'end-effector', name, values.node.location, inertia=_override(values, part.inertia),
        outputs=(output,), accepts=part.interface and f'{part.interface}-AO',
        shapes=shapes.of_end_effector(name, output))


_READERS: dict[str, Callable[[Values, FileContext, Resolver], Optional[ChainElement]]] = {
    'actuator': _read_actuator,
    'link': _read_link,
    'bracket': _read_bracket,
    'rigid-body': _read_rigid_body,
    'joint': _read_joint,
    'end-effector': _read_end_effector,
}


def _read_type(values: Values, known: Collection[str], scope: FileContext) -> Optional[str]:
    """Return the name of a type as HRDF 1.6.0 was released; its drafts spelt some otherwise."""
    text = values.texts.get('type', '')
    released = catalog.DRAFT_SPELLINGS.get(text.lower())
    if released in known:
        scope.report.add(
            codes.HRDF_DRAFT_SPELLING,
            f"'{text}' is a draft's spelling of '{released}'",
            values.node.attribute_location('type', 0),
            hint=f"write '{released}', hebi-py refuses '{text}'",
        )
        return released
    return read_word(values, 'type', known, scope)


def _override(values: Values, library: Inertia) -> Inertia:
    """
    Return an inertia with what the element offsets or overrides, each number by itself.

    ``com_trans_offset`` is in the element's input frame.
    """
    numbers = values.numbers
    pose = values.pose('com_rot', 'com_trans', library.pose)
    offset = values.translations.get('com_trans_offset')
    if offset is not None:
        pose = pose._replace(x=pose.x + offset[0], y=pose.y + offset[1], z=pose.z + offset[2])
    ixx, iyy, izz, ixy, ixz, iyz = (
        numbers.get(term, value) for term, value in zip(_TENSOR, library[2:8]))
    return Inertia(
        numbers.get('mass', library.mass + numbers.get('mass_offset', 0.0)),
        pose, ixx, iyy, izz, ixy, ixz, iyz, values.node.location)


def _has_own_tensor(values: Values) -> bool:
    return all(term in values.numbers for term in _TENSOR[:3])
