# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The inertia of every body of a model, by ``<inertial>`` or from its geoms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import os
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.inertia import from_tensor, Inertia, principal_axes
from hrdf_ros.pose import compose, IDENTITY
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.mjcf import meshes
from hrdf_ros.readers.mjcf.assets import Assets
from hrdf_ros.readers.mjcf.bodies import BodyNode, Item, joint_kind, Scope
from hrdf_ros.readers.mjcf.geoms import Solid
from hrdf_ros.readers.mjcf.inertia import (
    bounded_inertia,
    given_inertia,
    inertia_from_geoms,
    Massive,
    principal_frame,
    scaled_to,
)
from hrdf_ros.readers.mjcf.kept import plugins_of, raw_element
from hrdf_ros.readers.mjcf.settings import Resolved

_MESH_ATTRIBUTES = (
    'vertex', 'normal', 'texcoord', 'face', 'refpos', 'refquat', 'scale', 'smoothnormal',
    'maxhullvert', 'inertia', 'builtin', 'params')
_GEOM_ATTRIBUTES = ('type', 'mass', 'density', 'fitscale')
_MESHES = ('mesh', 'sdf')


class BodyInertias:
    """Finds the inertias of bodies; meshes and shells are measured by MuJoCo, all at once."""

    def __init__(self, scope: Scope, context: Context) -> None:
        self._scope, self._report = scope, context.report
        self._allows = context.resolver.allows
        self.assets = Assets(context.report)
        self._measured: dict[int, meshes.Measured] = {}

    def find(
        self, nodes: Sequence[BodyNode], solids: Mapping[int, Solid],
    ) -> list[Optional[Inertia]]:
        """Return the inertia of each body, None for the world and for bodies without mass."""
        self._measure(nodes, solids)
        found = [self._aligned(node, self._inertia(node, solids)) for node in nodes]
        total = self._scope.compiler.settotalmass
        if total > 0.0:
            scaled = iter(scaled_to([one for one in found if one is not None], total))
            found = [None if one is None else next(scaled) for one in found]
        self._check_moving(nodes, found)
        return found

    def fitted(self, item: Item, solid: Solid) -> Solid:
        """Return the shape that MuJoCo fits to a mesh, the one given where it does not."""
        measured = self._measured.get(id(item))
        if measured is None or measured.fault or solid.kind in _MESHES:
            return solid
        return Solid(solid.kind, measured.size, compose(solid.pose, measured.pose))

    def _inertia(self, node: BodyNode, solids: Mapping[int, Solid]) -> Optional[Inertia]:
        if node.source is None:
            return None
        compiler = node.source.scope.compiler
        inertia: Optional[Inertia] = None
        if node.inertial is not None and compiler.inertiafromgeom != 'true':
            inertia = given_inertia(node.inertial, compiler, self._report)
        elif compiler.inertiafromgeom != 'false':
            inertia = inertia_from_geoms([
                Massive(item, self._massive_solid(item, solids[id(item)]),
                        self._by_mujoco(item, solids[id(item)]))
                for item in self._massive(node) if id(item) in solids], self._report)
        if inertia is None and (compiler.boundmass or compiler.boundinertia):
            inertia = Inertia(0.0, location=node.source.element.element.location)
        return None if inertia is None else bounded_inertia(
            inertia, node, compiler, self._report)

    def _aligned(self, node: BodyNode, inertia: Optional[Inertia]) -> Optional[Inertia]:
        """Return the inertia after ``alignfree``: a free body gets its inertial frame."""
        joints = list(node.all('joint', 'freejoint'))
        if inertia is None or len(joints) != 1 or node.bodies:
            return inertia
        if joint_kind(joints[0]) != 'free':
            return inertia
        align = joints[0].element.value('align', 'auto')
        if align == 'false' or align == 'auto' and not joints[0].scope.compiler.alignfree:
            return inertia
        moments, turn = inertia.tensor[:3], IDENTITY
        if self._is_combined(node):
            moments, turn = principal_frame(inertia.tensor)
        node.align(compose(inertia.pose, turn))
        return from_tensor(
            inertia.mass, IDENTITY, (*moments, 0.0, 0.0, 0.0), inertia.location)

    def _is_combined(self, node: BodyNode) -> bool:
        """Return whether MuJoCo has to find the principal axes of a body itself."""
        if node.inertial is not None:
            return 'fullinertia' in node.inertial.element
        return len(self._massive(node)) > 1

    def _massive(self, node: BodyNode) -> list[Item]:
        """Return the geoms of a body that are in the groups that have mass."""
        return [
            item for item in node.all('geom')
            if item.scope.compiler.inertiagrouprange[0] <= item.element.value('group', 0)
            <= item.scope.compiler.inertiagrouprange[1]]

    def _massive_solid(self, item: Item, solid: Solid) -> Solid:
        """Return the shape that has the mass of a geom: of a height field a box."""
        if solid.kind != 'hfield':
            return solid
        return solid._replace(size=self.assets.height_field_box(item))

    def _by_mujoco(self, item: Item, solid: Solid) -> Optional[Inertia]:
        if not _is_for_mujoco(item, solid):
            return None
        measured = self._measured.get(id(item))
        if measured is None or measured.inertia is None:
            return Inertia(0.0)
        inertia = measured.inertia
        return inertia._replace(
            pose=compose(solid.pose, inertia.pose), location=item.element.element.location)

    def _measure(self, nodes: Sequence[BodyNode], solids: Mapping[int, Solid]) -> None:
        """Let MuJoCo measure the meshes that give a body its mass, or a geom its shape."""
        found = [
            (item, node.name, request) for node in nodes for item in node.all('geom')
            if (request := self._request(node, item, solids.get(id(item)))) is not None]
        if found and not meshes.is_available():
            self._report.add(
                codes.MESH_INERTIA_UNKNOWN,
                'masses of meshes and shells, and fitted shapes, need MuJoCo: '
                + ', '.join(f"'{name}'" for name in dict.fromkeys(name for _, name, _ in found)),
                found[0][0].element.element.location, severity='warning',
                hint='pip install mujoco-core')
        elif found:
            answers = meshes.measure([request for _, _, request in found])
            for (item, _, _), measured in zip(found, answers):
                self._measured[id(item)] = measured
                if measured.fault:
                    self._report.add(
                        codes.MESH_INERTIA_UNKNOWN, f'MuJoCo: {measured.fault}',
                        item.element.locate('mesh'), severity='error')

    def _request(
        self, node: BodyNode, item: Item, solid: Optional[Solid],
    ) -> Optional[meshes.MeshGeom]:
        """Return the mesh and geom to measure, None where that is not needed or not possible."""
        if solid is None or not _is_for_mujoco(item, solid):
            return None
        by_geoms = node.source is not None and (
            node.inertial is None or node.source.scope.compiler.inertiafromgeom == 'true')
        geom = {name: text for name, text in item.element.items() if name in _GEOM_ATTRIBUTES}
        if not solid.mesh:
            size = ' '.join(map(repr, self._massive_solid(item, solid).size))
            return meshes.MeshGeom({}, {
                **geom, 'type': 'box' if solid.kind == 'hfield' else solid.kind, 'size': size,
                'shellinertia': 'true'}, False) if by_geoms else None
        asset = self.assets.require(item, 'mesh', solid.mesh)
        if asset is None or solid.kind in _MESHES and not by_geoms:
            return None
        mesh = {name: text for name, text in asset.items() if name in _MESH_ATTRIBUTES}
        if asset.element.get('file'):
            file = item.scope.file_of(asset.element)
            if file is None or not (self._allows(file) and os.path.isfile(file)):
                self._report.add(
                    codes.MESH_INERTIA_UNKNOWN,
                    f"the mass of '{node.name}' is not known: "
                    f"mesh '{asset.element.get('file')}' was not found",
                    asset.element.locate('file'), severity='warning')
                return None
            mesh['file'] = os.path.abspath(file)
        plain = item.scope._replace(prefix='', suffix='')
        return meshes.MeshGeom(
            {'name': 'm', **mesh}, {**geom, 'mesh': 'm'}, item.scope.compiler.fitaabb,
            (plugins_of(asset.element, plain), plugins_of(item.element.element, plain)),
            ''.join(raw_element(Resolved(section, ()), plain).text
                    for section in plain.root.all('extension')))

    def _check_moving(
        self, nodes: Sequence[BodyNode], found: Sequence[Optional[Inertia]],
    ) -> None:
        """Report bodies that move and have no mass: MuJoCo refuses them."""
        solid = {
            id(node) for node, inertia in zip(nodes, found)
            if inertia is not None and inertia.mass >= 1e-15 and min(
                principal_axes(inertia.tensor)[0]) >= 1e-15}
        for node in nodes:
            moving = node.source is not None and any(node.all('joint', 'freejoint'))
            if moving and not _has_mass(node, solid) and not self._is_unknown(node):
                assert node.source is not None
                self._report.add(
                    codes.MJCF_INERTIA_REFUSED,
                    f"body '{node.name}' moves, but has no mass or inertia",
                    node.source.element.element.location,
                    hint='give it an <inertial>, or a geom with mass')

    def _is_unknown(self, node: BodyNode) -> bool:
        """Return whether the mass of a body or of one fixed to it is in a mesh, not measured."""
        return any(
            (item.element.value('mesh') or item.element.value('shellinertia'))
            and id(item) not in self._measured
            for below, _ in node.walk() for item in below.all('geom'))


def _is_for_mujoco(item: Item, solid: Solid) -> bool:
    """Return whether MuJoCo measures a geom: a mesh, what is fitted to one, or a shell."""
    return bool(solid.mesh or item.element.value('shellinertia', False))


def _has_mass(node: BodyNode, solid: set[int]) -> bool:
    return id(node) in solid or any(
        _has_mass(child, solid) for child in node.bodies
        if not any(child.all('joint', 'freejoint')))
