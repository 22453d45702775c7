# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Each element of a robot: from its attributes to its part of the chain."""

from collections.abc import Callable
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.inertia import from_tensor, Inertia
from hrdf_ros.model import Motion
from hrdf_ros.pose import Pose, translation, Z_AXIS
from hrdf_ros.readers.hrdf import catalog, shapes
from hrdf_ros.readers.hrdf.shapes import Shapes
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.resolve import Resolver


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
    element: TypedElement, report: Report, resolver: Resolver,
) -> Optional[ChainElement]:
    """Return an element; None where its type is wrong, so that nothing is known of it."""
    if element.rule.is_newer:
        return None
    found = _READERS[element.tag](element, report, resolver)
    tag = element.get('tag')
    return found if found is None or tag is None else found._replace(tag=tag)


def read_pose(
    element: TypedElement, rotation: str, position: str, default: Pose = Pose(),
) -> Pose:
    """Return a pose from two attributes, each on its own replacing its part of the default."""
    turned = element.values.get(rotation) or default
    x, y, z = element.values.get(position) or default[:3]
    return Pose(x, y, z, *turned[3:])


def _read_actuator(
    element: TypedElement, _: Report, resolver: Resolver,
) -> Optional[ChainElement]:
    name = element.string('type')
    if not name:
        return None
    actuator = catalog.ACTUATORS[name]
    family = catalog.FAMILIES[actuator.family]
    library = from_tensor(actuator.mass, translation(*family.com), family.tensor)
    return ChainElement(
        'actuator', name, element.location, inertia=_override(element, library),
        outputs=(translation(0.0, 0.0, family.height),),
        motion=Motion('revolute', Z_AXIS, ()),
        velocity=actuator.speed, effort=actuator.effort,
        accepts=f'{family.interface}-AH', offers=f'{family.interface}-AO',
        approximated=family.approximated and any(
            element.values.get(term) is None for term in _MOMENTS[:3]),
        shapes=shapes.of_actuator(actuator, resolver))


def _read_link(
    element: TypedElement, report: Report, resolver: Resolver,
) -> Optional[ChainElement]:
    name = element.string('type')
    ends = element.string('input'), element.string('output')
    if not name:
        return None
    link = catalog.LINKS[name]
    if ends not in link.bases:
        report.add(
            codes.BAD_VALUE, f'a link {name} has no {ends[1]} output', element.locate('output'))
    extension = element.number('extension')
    output = catalog.link_output(link, *ends, extension, element.number('twist'))
    return ChainElement(
        'link', name, element.location, outputs=(output,),
        inertia=_override(element, catalog.link_inertia(link, *ends, extension)),
        accepts=f'{link.interface}-AO', offers=f'{link.output_interface}-AH',
        shapes=shapes.of_link(name, ends, extension, output, resolver))


def _read_bracket(
    element: TypedElement, report: Report, resolver: Resolver,
) -> Optional[ChainElement]:
    name = element.string('type')
    if not name:
        return None
    bracket = catalog.BRACKETS[name]
    moment = .4 * bracket.mass * catalog.BRACKET_RADIUS ** 2
    library = Inertia(
        bracket.mass, translation(*bracket.com), ixx=moment, iyy=moment, izz=moment)
    for output in element.all('output')[1:]:
        report.add(
            codes.HRDF_TOO_MANY_OUTPUTS, f'a bracket {name} has only one output', output.location)
    return ChainElement(
        'bracket', name, element.location, inertia=_override(element, library),
        outputs=(bracket.input_from_output,),
        accepts=f'{bracket.interface}-AO', offers=f'{bracket.interface}-AH',
        shapes=shapes.of_bracket(name, bracket, resolver))


def _read_rigid_body(
    element: TypedElement, report: Report, resolver: Resolver,
) -> ChainElement:
    default = read_pose(element, 'output_rot', 'output_trans')
    outputs = tuple(
        read_pose(output, 'rot', 'trans', default) for output in element.all('output'))
    for attribute in ('output_rot', 'output_trans'):
        if outputs and attribute in element.attributes:
            report.add(
                codes.HRDF_REJECTED_BY_HEBI_PY,
                f"'{attribute}' is the default of each <output>, as HRDF has it; hebi-py refuses "
                'the two together', element.attribute_location(attribute))
    mesh = _mesh_path(element, report)
    inertia = _override(element, Inertia(0.0))
    return ChainElement(
        'rigid-body', '', element.location, inertia=inertia, outputs=outputs or (default,),
        shapes=shapes.of_rigid_body(
            mesh, read_pose(element, 'mesh_rot', 'mesh_trans'), outputs or (default,), inertia,
            element.locate('mesh_path'), resolver))


def _mesh_path(element: TypedElement, report: Report) -> str:
    """Return where the mesh is; report paths that HRDF has not (FORMAT.md, "rigid-body")."""
    path = element.string('mesh_path')
    if path.startswith('/'):
        report.add(
            codes.HRDF_PATH_NOT_RELATIVE, f'the path {path} is not relative',
            element.locate('mesh_path'))
    elif '://' in path and not path.startswith(('http://', 'https://')):
        report.add(
            codes.HRDF_MESH_PATH, f'{path} is neither a relative path nor a http or https URL',
            element.locate('mesh_path'))
    elif '\\' in path:
        report.add(
            codes.HRDF_MESH_PATH, f'{path} has a backslash where HRDF has a forward slash',
            element.locate('mesh_path'))
    return path


def _read_joint(
    element: TypedElement, report: Report, _: Resolver,
) -> Optional[ChainElement]:
    name, ratio = element.string('axis'), element.number('gear_ratio')
    if ratio == 0.0:
        report.add(
            codes.SCALE_ZERO, 'a gear ratio of 0 leaves no finite motion',
            element.locate('gear_ratio'), severity='error')
    if not name or ratio == 0.0:
        return None
    kind, axis = catalog.AXES[name]
    motion = Motion('revolute' if kind == 'r' else 'prismatic', axis, (), scale=1.0 / ratio)
    return ChainElement('joint', name, element.location, motion=motion)


def _read_end_effector(
    element: TypedElement, _: Report, resolver: Resolver,
) -> ChainElement:
    name = element.string('type')
    part = catalog.END_EFFECTORS[name]
    output = read_pose(element, 'output_rot', 'output_trans', part.input_from_output)
    return ChainElement(
        'end-effector', name, element.location, inertia=_override(element, part.inertia),
        outputs=(output,), accepts=part.interface and f'{part.interface}-AO',
        shapes=shapes.of_end_effector(name, output, resolver))


_READERS: dict[str, Callable[[TypedElement, Report, Resolver], Optional[ChainElement]]] = {
    'actuator': _read_actuator,
    'link': _read_link,
    'bracket': _read_bracket,
    'rigid-body': _read_rigid_body,
    'joint': _read_joint,
    'end-effector': _read_end_effector,
}
_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')


def _override(element: TypedElement, library: Inertia) -> Inertia:
    """
    Return an inertia with the offsets and overrides of an element, each number on its own.

    ``com_trans_offset`` is in the element's input frame.
    """
    pose = read_pose(element, 'com_rot', 'com_trans', library.pose)
    offset = element.values.get('com_trans_offset')
    if offset is not None:
        pose = pose._replace(x=pose.x + offset[0], y=pose.y + offset[1], z=pose.z + offset[2])
    mass = library.mass + (element.values.get('mass_offset') or 0.0)
    values = element.values
    xx, yy, zz, xy, xz, yz = [
        moment if values.get(name) is None else values[name]
        for name, moment in zip(_MOMENTS, library.tensor)]
    return Inertia(
        element.number('mass', mass), pose, xx, yy, zz, xy, xz, yz, element.location)


def describe_mismatch(element: ChainElement, before: ChainElement) -> tuple[str, str]:
    """Return the message and the hint that an element cannot follow another one."""
    wanted, needs_actuator = _interface(element.accepts)
    offered, is_actuator = _interface(before.offers)
    place = _with_article(_name(before))
    if before.kind == 'actuator':
        place = "an actuator's output" if wanted == offered else f'the output of {place}'
    message = f'{_with_article(_name(element))} cannot be mounted on {place}'
    if wanted == offered:
        between = _carried_by(offered) if is_actuator else _carriers_of(offered)
        return message, f'put {between} between them'
    fitting = _carried_by(offered) if is_actuator else _carriers_of(offered)
    if needs_actuator != is_actuator:
        return message, f'{_with_article(_name(before))} carries {fitting}'
    return message, f'use {fitting} here, or another part before it'


def _interface(name: Optional[str]) -> tuple[str, bool]:
    """Return the family of an interface, and whether it is the output of an actuator."""
    family, _, end = (name or '').rpartition('-')
    return family, end == 'AO'


def _carried_by(family: str) -> str:
    """Return the parts that an actuator of a family of interfaces carries."""
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
