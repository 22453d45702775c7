# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Lower a Model to URDF, and write one element for each link and joint.

An unchanged URDF is written byte for byte. In both cases, blocks from a file of
the user are added before the end tag.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
import math
import os
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros import model as m
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, XmlElement
from hrdf_ros.fields import placed, stated
from hrdf_ros.file_writer import write_below
from hrdf_ros.formats import DEFAULT_URDF
from hrdf_ros.inertia import Inertia
from hrdf_ros.load_result import require_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.changes import with_blocks
from hrdf_ros.lowering.target import urdf_target
from hrdf_ros.lowering.urdf import SINGLE_AXIS
from hrdf_ros.names import Names
from hrdf_ros.pose import IDENTITY, Pose, to_rpy
from hrdf_ros.readers.urdf.reader import check_references
from hrdf_ros.resolve import Resolver
from hrdf_ros.writers.files import named_files, Written
from hrdf_ros.writers.mesh_files import binary_stl
from hrdf_ros.writers.urdf_text import file_uri, for_first_readers
from hrdf_ros.writers.xml import element, number, numbers, raw, raws, serialize, with_prefixes
from lxml import etree


class UrdfOptions(NamedTuple):
    """The options of ``write_urdf``."""

    expand_ball: bool = False
    gazebo: bool = False
    extra: Optional[SourceFile] = None
    relative_to: Optional[str] = None
    mesh_directory: Optional[str] = None
    resolver: Optional[Resolver] = None
    version: Optional[str] = None


def write_urdf(
    model: m.Model, *, expand_ball: bool = False, gazebo: bool = False,
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
    for another one of URDF_VERSIONS. The version 1.0 is for urdfdom and RViz: if the text has
    no capsule, only its version, its quaternions and the URIs of files that RViz cannot resolve
    are replaced. Without ``version``, a text that is written anew has version 1.0, which all
    readers know, and which expresses capsules (1.2) as other shapes and quaternions (1.1) as rpy.

    >>> from hrdf_ros import load_model, write_urdf
    >>> text, report = write_urdf(load_model('examples/hrdf/arm_6dof.hrdf'))
    >>> text.splitlines()[1], report.ok
    ('<robot name="arm_6dof">', True)
    """
    require_model(model, 'write_urdf')
    written = make_urdf(model, UrdfOptions(
        expand_ball, gazebo, extra, relative_to, mesh_directory, resolver, version))
    for file, data in written.meshes.items():
        folder, name = os.path.split(file)
        above, folder = os.path.split(folder)
        write_below(above, f'{folder}/{name}', data)
    return written.text, written.report


def make_urdf(model: m.Model, options: UrdfOptions) -> Written:
    """Return the URDF of a Model with all that ``write_urdf`` would write."""
    text = _unchanged_text(model, options)
    if text is not None:
        report = Report()
        added = _extra_blocks(options.extra, model, report)
        return Written(
            with_blocks(text, added, with_prefixes) if added else text, report, {},
            is_unchanged=True)
    lowered = lower(model, urdf_target(
        options.version or DEFAULT_URDF, gazebo=options.gazebo)._replace(
            floating=not options.expand_ball, mesh_directory=options.mesh_directory))
    root = _Writer(lowered.model, options, lowered.report).robot()
    root.extend(map(raw, _extra_blocks(options.extra, lowered.model, lowered.report)))
    meshes = {mesh.file: binary_stl(tuple(mesh.triangles())) for mesh in lowered.meshes}
    return Written(serialize(root), lowered.report, meshes, lowered=lowered.model)


def _unchanged_text(model: m.Model, options: UrdfOptions) -> Optional[str]:
    """Return the text that a Model was read from, or None if Model or options differ from it."""
    is_renamed = options.relative_to is not None and any(
        named.file is not None for named, _ in named_files(model))
    text = None if options.expand_ball or is_renamed else m.text_as_read(model)
    if text is not None and options.version == DEFAULT_URDF:
        return for_first_readers(text, model, (options.resolver or Resolver()).packages)
    return text if options.version in (None, model.version) else None


def _extra_blocks(
    extra: Optional[SourceFile], model: m.Model, report: Report,
) -> Sequence[str]:
    """
    Return the elements of a file as raw text: those in its ``<robot>``, or else its root element.

    A link or joint whose name occurs in the Model, or before in the file, is reported and left
    out. Elements of other programs that name an unknown link or joint are reported.
    """
    root = None if extra is None else parse(extra, report, XmlElement)
    if root is None:
        return ()
    taken = dict.fromkeys([
        *(('link', body.name) for body in model.bodies),
        *(('joint', joint.name) for joint in model.joints)])
    added = []
    for each in root.children if root.tag == 'robot' else [root]:
        key = each.tag, each.get('name') or ''
        if key in taken:
            report.add(
                codes.DUPLICATE_NAME, f"duplicate <{key[0]}> '{key[1]}'",
                each.attribute_location('name', 0), hint='rename one of them')
            continue
        if key[0] in ('link', 'joint'):
            taken[key] = None
        added.append(each)
    links, joints = ([name for of, name in taken if of == kind] for kind in ('link', 'joint'))
    check_references(added, links, joints, report)
    return [each.raw() for each in added]


class _Writer:
    """Writes one lowered Model."""

    def __init__(self, model: m.Model, options: UrdfOptions, report: Report) -> None:
        self._model = model
        self._options = options
        self._packages = (options.resolver or Resolver()).packages
        used = {
            shape.material: None for body in model.bodies
            for shape in (*body.visuals, *body.collisions) if shape.material is not None}
        names, unnamed = Names(report), 0
        self._materials: dict[m.Material, str] = {}
        for material in sorted(used, key=lambda material: not material.name):
            unnamed += not material.name
            self._materials[material] = names.claim(material.name or f'material_{unnamed}')

    def robot(self) -> etree._Element:
        """Return ``<robot>`` with materials, links, joints and raw XML of other programs."""
        model = self._model
        root = element('robot', {'name': model.name})
        if model.version != DEFAULT_URDF:
            root.set('version', model.version)
        root.extend(map(self._material, self._materials))
        root.extend(map(self._link, model.bodies))
        root.extend(map(self._joint, model.joints))
        root.extend(raws(model.extensions, 'urdf'))
        if self._options.gazebo:
            root.extend(self._gazebo_blocks())
        return root

    def _material(self, material: m.Material) -> etree._Element:
        """Return the definition of a material, which visuals refer to by name."""
        made = element('material', {'name': self._materials[material]})
        if material.diffuse is not None:
            made.append(element('color', {'rgba': numbers(material.diffuse)}))
        if material.texture:
            uri = self._uri(material.texture, material.texture_file)
            made.append(element('texture', {'filename': uri}))
        return made

    # ---- links

    def _link(self, body: m.Body) -> etree._Element:
        made = element('link', {'name': body.name})
        if body.inertia is not None:
            made.append(self._inertial(body.inertia))
        for tag, shapes in (('visual', body.visuals), ('collision', body.collisions)):
            made.extend(self._shape(tag, shape) for shape in shapes)
        made.extend(raws(body.extensions, 'urdf'))
        return made

    def _inertial(self, inertia: Inertia) -> etree._Element:
        return element('inertial', None, (
            *self._origin(inertia.pose), element('mass', {'value': number(inertia.mass)}),
            element('inertia', _texts(placed(inertia, 'urdf', 'inertia')))))

    def _shape(self, tag: str, shape: m.Shape) -> etree._Element:
        """Return the element of a visual or collision."""
        made = element(tag, {'name': shape.name} if shape.name else None, (
            *self._origin(shape.pose), element('geometry', None, (
                self._geometry(shape.geometry),))))
        if shape.material is not None:
            made.append(element('material', {'name': self._materials[shape.material]}))
        return made

    def _geometry(self, geometry: m.Geometry) -> etree._Element:
        """Return a geometry of a lowered Model: box, cylinder, sphere, mesh; capsule since 1.2."""
        if isinstance(geometry, m.Box):
            return element('box', {'size': numbers(geometry.size)})
        if not isinstance(geometry, m.Mesh):
            assert isinstance(geometry, (m.Sphere, m.Cylinder, m.Capsule))
            return element(type(geometry).__name__.lower(), _texts(geometry._asdict()))
        made = element('mesh', {'filename': self._uri(geometry.uri, geometry.file)})
        if geometry.scale != (1.0, 1.0, 1.0):
            made.set('scale', numbers(geometry.scale))
        return made

    def _uri(self, uri: str, file: Optional[str]) -> str:
        """
        Return the URI that a URDF names a file by; the URI of a file not found stays as written.

        The URI is a path if ``relative_to`` is given, else ``package://``, else ``file://``.
        """
        is_package = uri.startswith('package://')
        if file is None or is_package and (
                self._options.version != DEFAULT_URDF or self._packages.is_retrieved(uri, file)):
            return uri
        if self._options.relative_to is not None:
            return os.path.relpath(file, self._options.relative_to)
        return self._packages.uri(file) or file_uri(file)

    def _origin(self, pose: Pose) -> tuple[etree._Element, ...]:
        """Return ``<origin>``, unless it is the identity; from URDF 1.1 on it has a quaternion."""
        if pose == IDENTITY:
            return ()
        name, turn = ('quat_xyzw', pose.orientation) if self._model.version >= '1.1' else (
            'rpy', to_rpy(pose))
        return (element('origin', {'xyz': numbers(pose.position), name: numbers(turn)}),)

    # ---- joints

    def _joint(self, joint: m.Joint) -> etree._Element:
        """Return the ``<joint>``; the axis of a planar joint is the one that it turns about."""
        bodies = self._model.bodies
        made = element('joint', {'name': joint.name, 'type': joint.type}, (
            *self._origin(joint.parent_from_joint),
            element('parent', {'link': bodies[joint.parent].name}),
            element('child', {'link': bodies[joint.child].name})))
        if joint.type not in ('fixed', 'floating'):
            made.append(element('axis', {'xyz': numbers(joint.motions[-1].axis)}))
        if joint.type in SINGLE_AXIS:
            made.extend(self._coordinate_elements(joint))
        made.extend(raws(joint.extensions, 'urdf'))
        return made

    def _coordinate_elements(self, joint: m.Joint) -> Iterator[etree._Element]:
        """Yield dynamics, limits (which a continuous joint need not have) and mimic."""
        coordinate = self._model.coordinates[joint.motions[0].coordinates[0]]
        if stated(coordinate, 'urdf', 'dynamics'):
            yield element('dynamics', _texts(placed(coordinate, 'urdf', 'dynamics')))
        limits = {name: value for name, value in placed(coordinate, 'urdf', 'limit').items()
                  if math.isfinite(value)}
        if limits:
            yield element('limit', _texts(limits))
        mimic = coordinate.mimic
        if mimic is not None:
            yield element('mimic', {
                'joint': self._model.coordinates[mimic.leader].name,
                'multiplier': number(mimic.multiplier), 'offset': number(mimic.offset)})

    # ---- for Gazebo

    def _gazebo_blocks(self) -> Iterator[etree._Element]:
        """Yield ``<gazebo>`` blocks: static models, springs, plugins and sensors of SDFormat."""
        model = self._model
        if model.static:
            yield element('gazebo', None, (element('static', text='true'),))
        yield from _wrapped(None, raws(model.extensions, 'gazebo'))
        for body in model.bodies:
            yield from _wrapped(body.name, raws(body.extensions, 'gazebo'))
        for joint in model.joints:
            if joint.type in SINGLE_AXIS:
                coordinate = model.coordinates[joint.motions[0].coordinates[0]]
                if stated(coordinate, 'gazebo', 'joint'):
                    yield from _wrapped(joint.name, [
                        element(name, text=text) for name, text in _texts(
                            placed(coordinate, 'gazebo', 'joint')).items()])
            yield from _wrapped(joint.name, raws(joint.extensions, 'gazebo'))


def _wrapped(name: Optional[str], children: Iterable[etree._Element]) -> Iterator[etree._Element]:
    """Yield a block around the elements of an item, if there are any."""
    if children:
        yield element('gazebo', {'reference': name} if name is not None else None, children)


def _texts(values: dict[str, float]) -> dict[str, str]:
    return {name: number(value) for name, value in values.items()}
