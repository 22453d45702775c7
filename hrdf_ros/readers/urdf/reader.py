# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read a URDF as a Model.

Files of version 1.0 are accepted where urdfdom's ``check_urdf`` accepts them; elements that
``check_urdf`` ignores silently are warnings here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Optional

from hrdf_ros import codes, formats
from hrdf_ros.diagnostics import Location, Report
from hrdf_ros.document import parse, SourceFile, SourceRef, XmlElement
from hrdf_ros.formats import DEFAULT_URDF, URDF_VERSIONS
from hrdf_ros.model import Body, Frame, Joint, Model, SourceText
from hrdf_ros.parsing import urdf
from hrdf_ros.parsing.errors import ValueSyntaxError
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import IDENTITY
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.urdf.interfaces import check_interfaces
from hrdf_ros.readers.urdf.joints import JointReader
from hrdf_ros.readers.urdf.links import LinkReader, raw_elements, report_duplicate
from hrdf_ros.readers.urdf.schema import SCHEMA, VALUE_PATHS
from hrdf_ros.readers.urdf.xacro import defines_macros_only, expand, report_markup


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of a URDF or xacro file, None with the reason in the report."""
    report = Report()
    found = expand(source, context, report)
    root = None if found is None else parse(
        found, report, TypedElement, value_paths=VALUE_PATHS, declaration_anywhere=True)
    if root is not None and found is source:
        report_markup(root, source, report)
    model = None if root is None else _read_robot(root, source, context, report)
    ok = report.ok
    report.sort(0)
    context.report.extend(report)
    return model if ok else None


def _read_robot(
    root: TypedElement, source: SourceFile, context: Context, report: Report,
) -> Optional[Model]:
    if not SCHEMA.is_root(root, report) or defines_macros_only(root, source, report):
        return None
    version = _read_version(root, report)
    SCHEMA.validate(root, report, version=version)
    bodies = _read_links(
        root, LinkReader(report, lambda uri: context.resolver.find(uri, source.file)))
    indices = {body.name: index for index, body in enumerate(bodies)}
    reader = JointReader(indices, report)
    for element in root.all('joint'):
        reader.add(element)
    reader.finish()
    joints = tuple(reader.joints.values())
    top = _root_link(root, bodies, joints, report) if report.ok else None
    if top is None:
        return None
    check_references(root.children, indices, reader.joints, report)
    check_interfaces(root.children, {one.name: one for one in reader.coordinates}, report)
    return Model(
        name=root.string('name'), format='urdf', version=version, root=bodies[top].name,
        bodies=bodies, joints=joints, coordinates=tuple(reader.coordinates), canonical_body=top,
        frames=tuple(
            Frame(body.name, body.name, 'link', index, IDENTITY, '', body.location)
            for index, body in enumerate(bodies)),
        extensions=raw_elements(root), source=_original_text(root, source, report),
        location=root.location, conventions=formats.URDF)


def _read_version(root: TypedElement, report: Report) -> str:
    """Return the version of a file, the first version if it names none or an unknown one."""
    text = root.get('version')
    if text is None:
        return DEFAULT_URDF
    try:
        version = '.'.join(map(str, urdf.version(text)))
    except ValueSyntaxError as fault:
        report.add(
            codes.UNKNOWN_VERSION, fault.message, root.attribute_location('version', fault.index))
        return DEFAULT_URDF
    if version not in URDF_VERSIONS:
        report.add(
            codes.UNKNOWN_VERSION, f"unknown URDF version '{text}'", root.locate('version'),
            hint=f"one of {', '.join(URDF_VERSIONS)}")
        return DEFAULT_URDF
    if version != DEFAULT_URDF:
        report.add(
            codes.NEWER_THAN_VERSION, f'readers of URDF 1.0 refuse a file of version {text}',
            root.attribute_location('version'), severity='warning')
    return version


def _read_links(root: TypedElement, reader: LinkReader) -> tuple[Body, ...]:
    """Return the bodies; materials of the robot are known before the first link."""
    for element in root.all('material'):
        reader.define(element)
    bodies: dict[str, Body] = {}
    for element in root.all('link'):
        body = reader.link(element)
        if body.name in bodies:
            report_duplicate(element, reader.report)
        bodies.setdefault(body.name, body)
    return tuple(bodies.values())


def _root_link(
    root: TypedElement, bodies: tuple[Body, ...], joints: tuple[Joint, ...], report: Report,
) -> Optional[int]:
    """Return the index of the one body that is not a child, or report that there is not one."""
    children = {joint.child for joint in joints}
    roots = [index for index in range(len(bodies)) if index not in children]
    if not roots:
        report.add(
            codes.URDF_NOT_A_TREE, 'every link is the child of a joint; one must be the root',
            root.location, cause='<joint>')
    for other in roots[1:]:
        report.add(
            codes.URDF_NOT_A_TREE,
            f"two links are roots: '{bodies[roots[0]].name}' and '{bodies[other].name}'",
            bodies[other].location, hint='add the joint that holds it', cause='<joint>')
    return roots[0] if len(roots) == 1 else None


def _original_text(root: TypedElement, source: SourceFile, report: Report) -> Optional[SourceText]:
    """Return the text to publish unchanged, None if it is not UTF-8, which ROS requires."""
    if root.document.file != source.file:
        return SourceText(root.document.data.decode('utf-8'))
    try:
        return SourceText(source.data.decode('utf-8'))
    except UnicodeDecodeError:
        report.add(
            codes.DETAIL_NOT_PRESERVED,
            'the text is not in UTF-8, which ROS requires: the URDF is written again, without its '
            'comments',
            Location(source.file, 1, 1),
            hint='save the file as UTF-8',
        )
        return None


_OF_JOINTS = ('ros2_control', 'transmission')


def check_references(
    elements: Iterable[XmlElement], links: Collection[str], joints: Collection[str],
    report: Report,
) -> None:
    """Report names of unknown links and joints in elements for other programs."""
    for element in elements:
        name = element.get('reference') if element.tag == 'gazebo' else None
        if name is not None and name not in links and name not in joints:
            report.add(
                codes.URDF_NAME_UNKNOWN,
                f"<gazebo> refers to '{name}', which is not a link or joint",
                element.attribute_location('reference', 0),
                hint=did_you_mean(name, [*links, *joints]), cause=name)
        for joint, location in _joints_in(element) if element.tag in _OF_JOINTS else ():
            if joint not in joints:
                report.add(
                    codes.URDF_NAME_UNKNOWN, f"<{element.tag}> refers to an unknown joint "
                    f"'{joint}'", location, hint=did_you_mean(joint, joints), cause=joint)


def _joints_in(top: XmlElement) -> Iterator[tuple[str, SourceRef]]:
    """Yield the joints that an element names, in ros2_control also those that they mimic."""
    for element in top.walk():
        name = element.get('name')
        if element.tag == 'joint' and name is not None:
            yield name, element.attribute_location('name', 0)
        elif element.tag == 'param' and name == 'mimic':
            yield element.text.strip(), element.text_location()
