# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read each element of a robot: from its attributes to its part of the chain."""

from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceRef
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import Motion
from hrdf_ros.pose import Pose, Z_AXIS
from hrdf_ros.readers.hrdf import catalog, component_shapes
from hrdf_ros.readers.hrdf.catalog import Part
from hrdf_ros.readers.hrdf.component_shapes import Shapes
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.resolve import Resolver

_LIBRARY = {
    'actuator': catalog.ACTUATORS,
    'bracket': catalog.BRACKETS,
    'end-effector': catalog.END_EFFECTORS,
}
_MOMENTS = ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
_OF_ANY_BODY = Part()


class ChainElement(NamedTuple):
    """
    One element as it was read.

    ``type`` is the library's word for it (``X5-4``, ``X5LightLeft``, ``Custom``, ``rx``) or empty.
    ``inertia`` is None for joints only. ``outputs`` are input_from_output with the motion at
    zero; ``motion`` acts after that pose. ``part`` has the interfaces and the limits of the
    motion.
    """

    kind: str
    type: str  # noqa: A003
    location: SourceRef
    tag: str = ''
    inertia: Optional[Inertia] = None
    outputs: tuple[Pose, ...] = (Pose(),)
    motion: Optional[Motion] = None
    part: Part = _OF_ANY_BODY
    shapes: Shapes = Shapes()


def read_element(
    element: TypedElement, report: Report, resolver: Resolver,
) -> Optional[ChainElement]:
    """Return an element, None if its type is wrong: then nothing else is known about it."""
    kind = element.tag
    if element.rule.is_newer:
        return None
    if kind == 'rigid-body':
        return _read_rigid_body(element, report, resolver)
    if kind == 'joint':
        return _read_joint(element, report)
    name, motion = element.string('type'), None
    if not name:
        return None
    if kind == 'link':
        ends, extension = (element.string('input'), element.string('output')), element.number(
            'extension')
        if ends not in catalog.LINKS[name].bases:
            report.add(
                codes.BAD_VALUE, f'a link {name} has no {ends[1]} output',
                element.locate('output'))
        part = catalog.link_part(name, ends, extension, element.number('twist'))
        drawn = component_shapes.of_link(name, ends, extension, part.output, resolver)
    else:
        part = _LIBRARY[kind][name]
    if kind == 'actuator':
        motion = Motion('revolute', Z_AXIS, ())
        drawn = component_shapes.of_actuator(part.family, resolver)
    elif kind == 'bracket':
        drawn = component_shapes.of_bracket(name, resolver)
        for second in element.all('output')[1:]:
            report.add(
                codes.HRDF_TOO_MANY_OUTPUTS, f'a bracket {name} has only one output',
                second.location)
    elif kind == 'end-effector':
        part = part._replace(output=read_pose(element, 'output_rot', 'output_trans', part.output))
        if name == 'Custom':
            drawn = component_shapes.of_custom_end_effector(part.output)
        else:
            from hrdf_ros.readers.hrdf import gripper  # few robots have a mesh
            drawn = gripper.as_one_body(resolver)
    return ChainElement(
        kind, name, element.location, element.get('tag') or '', _override(element, part.inertia),
        (part.output,), motion, part, drawn)


def read_pose(
    element: TypedElement, rotation: str, position: str, default: Pose = Pose(),
) -> Pose:
    """Return a pose from two attributes, each of which replaces its part of the default."""
    turned = element.values.get(rotation) or default
    x, y, z = element.values.get(position) or default[:3]
    return Pose(x, y, z, *turned[3:])


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
    outputs = outputs or (default,)
    mesh, location = element.string('mesh_path'), element.locate('mesh_path')
    fault = _fault_of_path(mesh)
    if fault is not None:
        report.add(*fault, location)
    inertia = _override(element, _OF_ANY_BODY.inertia)
    return ChainElement(
        'rigid-body', '', element.location, element.get('tag') or '', inertia, outputs,
        shapes=component_shapes.of_rigid_body(
            mesh, read_pose(element, 'mesh_rot', 'mesh_trans'), outputs, inertia, location,
            resolver))


def _fault_of_path(path: str) -> Optional[tuple[codes.Code, str]]:
    """Return why HRDF allows no such path of a mesh (FORMAT.md, "rigid-body"), None if it does."""
    if path.startswith('/'):
        return codes.HRDF_PATH_NOT_RELATIVE, f'the path {path} is not relative'
    if '://' in path and not path.startswith(('http://', 'https://')):
        return codes.HRDF_MESH_PATH, f'{path} is neither a relative path nor a http or https URL'
    if '\\' in path:
        return codes.HRDF_MESH_PATH, f'{path} has a backslash where HRDF has a forward slash'
    return None


def _read_joint(element: TypedElement, report: Report) -> Optional[ChainElement]:
    name, ratio = element.string('axis'), element.number('gear_ratio')
    if ratio == 0.0:
        report.add(
            codes.SCALE_ZERO, 'a gear ratio of 0 leaves no finite motion',
            element.locate('gear_ratio'), severity='error')
    if not name or ratio == 0.0:
        return None
    kind, axis = catalog.AXES[name]
    motion = Motion('revolute' if kind == 'r' else 'prismatic', axis, (), scale=1.0 / ratio)
    return ChainElement(
        'joint', name, element.location, element.get('tag') or '', motion=motion)


def _override(element: TypedElement, library: Inertia) -> Inertia:
    """
    Return an inertia with the offsets and overrides of an element, each number separately.

    ``com_trans_offset`` is in the element's input frame.
    """
    values, pose = element.values, read_pose(element, 'com_rot', 'com_trans', library.pose)
    offset = values.get('com_trans_offset')
    if offset is not None:
        pose = pose._replace(x=pose.x + offset[0], y=pose.y + offset[1], z=pose.z + offset[2])
    mass = element.number('mass', library.mass + (values.get('mass_offset') or 0.0))
    xx, yy, zz, xy, xz, yz = (
        moment if values.get(name) is None else values[name]
        for name, moment in zip(_MOMENTS, library.tensor))
    return Inertia(mass, pose, xx, yy, zz, xy, xz, yz, element.location)
