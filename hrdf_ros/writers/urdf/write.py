# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The URDF of a Model: lowered, then one element for each link and joint."""

from __future__ import annotations

import os
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile
from hrdf_ros.file_writer import write_below
from hrdf_ros.load_result import require_model
from hrdf_ros.lowering import lower, urdf_target, URDF_VERSIONS
from hrdf_ros.lowering.uris import named_files
from hrdf_ros.model import Model
from hrdf_ros.resolve import Resolver
from hrdf_ros.writers.mesh_files import binary_stl
from hrdf_ros.writers.urdf.elements import (
    gazebo_blocks,
    joint_element,
    link_element,
    material_elements,
    name_materials,
    UrdfOptions,
)
from hrdf_ros.writers.urdf.merge import blocks, merge
from hrdf_ros.writers.xml import element, raw, raws, serialize
from lxml import etree


def write_urdf(
    model: Model, *, expand_ball: bool = False, gazebo: bool = False,
    extra: Optional[SourceFile] = None, relative_to: Optional[str] = None,
    mesh_directory: Optional[str] = None, resolver: Optional[Resolver] = None,
    version: Optional[str] = None,
) -> tuple[str, Report]:
    """
    Return the URDF of a Model, and a report of what URDF cannot express.

    ``expand_ball`` writes ball and free joints as chains of single-axis joints instead of
    ``floating``. ``gazebo`` adds ``<gazebo>`` blocks for what only Gazebo reads. ``extra`` is a
    file whose elements are added without its root (``<robot>``). Meshes are named relative to
    the directory ``relative_to``, else by ``package://`` or ``file://``; shapes that URDF lacks
    become STL files in ``mesh_directory``, else the nearest primitives. ``resolver`` knows the
    packages, those of the ament index by default.

    A Model that came from URDF text goes out as it came, byte for byte, unless ``expand_ball``
    asks for something else, ``relative_to`` for other names of files that it has, or ``version``
    for another one of URDF_VERSIONS. What is written anew has the version 1.0, which all readers
    know, without ``version``: capsules (1.2) and quaternions (1.1) as it can express them.

    >>> from hrdf_ros import load_model, write_urdf
    >>> text, report = write_urdf(load_model('examples/hrdf/arm_6dof.hrdf'))
    >>> text.splitlines()[1], report.ok
    ('<robot name="arm_6dof">', True)
    """
    require_model(model, 'write_urdf')
    text, report, meshes = make_urdf(model, UrdfOptions(
        expand_ball, gazebo, extra, relative_to, mesh_directory, resolver, version))
    for file, data in meshes.items():
        folder, name = os.path.split(file)
        above, folder = os.path.split(folder)
        write_below(above, f'{folder}/{name}', data)
    return text, report


class Written(NamedTuple):
    """A URDF, the report of its losses, and the content of generated meshes by their file."""

    text: str
    report: Report
    meshes: dict[str, bytes]


def make_urdf(model: Model, options: UrdfOptions) -> Written:
    """Return the URDF of a Model with all that ``write_urdf`` would write."""
    report = Report()
    if is_unchanged(model, options.expand_ball, options.relative_to, options.version):
        assert model.source is not None
        added = _added(options.extra, model, report)
        return Written(merge(model.source, added), report, {})
    target = urdf_target(options.version or URDF_VERSIONS[0], gazebo=options.gazebo)._replace(
        floating=not options.expand_ball, mesh_directory=options.mesh_directory)
    lowered = lower(model, target)
    report.extend(lowered.report)
    root = _robot_element(lowered.model, options._replace(
        resolver=options.resolver or Resolver(), version=target.version), report)
    if options.gazebo:
        root.extend(gazebo_blocks(lowered.model))
    root.extend(map(raw, _added(options.extra, lowered.model, report)))
    meshes = {mesh.file: binary_stl(tuple(mesh.triangles())) for mesh in lowered.meshes}
    return Written(serialize(root), report, meshes)


def _added(extra: Optional[SourceFile], model: Model, report: Report) -> tuple[str, ...]:
    return () if extra is None else blocks(extra, model, report)


def is_unchanged(
    model: Model, expand_ball: bool, relative_to: Optional[str], version: Optional[str],
) -> bool:
    """Return whether ``write_urdf`` returns the text that a Model came from."""
    is_renamed = relative_to is not None and any(
        named.file is not None for named, _ in named_files(model))
    return model.source is not None and version in (None, model.version) and not (
        expand_ball or is_renamed)


def _robot_element(model: Model, options: UrdfOptions, report: Report) -> etree._Element:
    """Return ``<robot>`` with materials, links, joints and XML of other programs."""
    materials = name_materials(model, report)
    root = element('robot', {'name': model.name})
    if model.version != '1.0':
        root.set('version', model.version)
    root.extend(material_elements(materials, options))
    root.extend(link_element(body, materials, options) for body in model.bodies)
    root.extend(joint_element(joint, model) for joint in model.joints)
    root.extend(raws(model.extensions, 'urdf'))
    return root
