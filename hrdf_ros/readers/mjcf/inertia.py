# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The inertia of every body: as given, or from its geoms as MuJoCo computes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import math
import os
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.inertia import (
    box,
    capsule,
    combine,
    cylinder,
    ellipsoid,
    from_tensor,
    Inertia,
    moves_in_mujoco,
    MUJOCO_LEAST,
    principal_axes,
    rotate_tensor,
    scale,
    sphere,
    Tensor,
)
from hrdf_ros.inertia import (
    Solid as HomogeneousSolid,
)
from hrdf_ros.mujoco_process import is_available
from hrdf_ros.pose import AXES, compose, from_axis_angle, IDENTITY, inverse, Pose, relative, Vector
from hrdf_ros.readers.mjcf import meshes
from hrdf_ros.readers.mjcf.bodies import BodyNode
from hrdf_ros.readers.mjcf.elements import Item, Scope
from hrdf_ros.readers.mjcf.geoms import MESHES, Solid
from hrdf_ros.readers.mjcf.kept import plugins_of, raw_element, xml
from hrdf_ros.readers.mjcf.orientations import read_pose
from hrdf_ros.readers.schema import TypedElement

_SMALLEST = 1e-14
"""The mass (kg) or volume (m^3) below which a geom has no mass (MuJoCo's mjEPS)."""
_DENSITY = 1000.0
"""The density in kg/m^3 of a geom that states none, that of water."""
_SWEEPS = 500
"""The most Jacobi rotations for the principal axes of a tensor, as in MuJoCo's ``mju_eig3``."""
_EIGEN = 1e-12
"""The number below which ``mju_eig3`` takes a product of inertia or a rotation for zero."""
_PRODUCTS = {(0, 1): 3, (0, 2): 4, (1, 2): 5}
"""The index of the product of inertia of two axes in a tensor."""
_MESH_ATTRIBUTES = (
    'vertex', 'normal', 'texcoord', 'face', 'refpos', 'refquat', 'scale', 'smoothnormal',
    'maxhullvert', 'inertia', 'builtin', 'params')
_GEOM_ATTRIBUTES = ('type', 'mass', 'density', 'fitscale')


def find_inertias(
    nodes: Sequence[BodyNode], total: float, allows: Callable[[str], bool],
) -> None:
    """
    Give each body its inertia; the world and bodies without mass have none.

    ``total``, if positive, is the mass (kg) to which all bodies together are scaled, by 1e-15 at
    least. Only meshes in files that ``allows`` accepts are measured.
    """
    _measure(nodes, allows)
    for node in nodes:
        node.inertia = _aligned(node, _inertia(node))
    before = sum(node.inertia.mass for node in nodes if node.inertia is not None)
    for node in nodes if total > 0.0 else ():
        if node.inertia is not None and node.inertia.mass > 0.0:
            factor = max(total / before, MUJOCO_LEAST)
            node.inertia = scale(node.inertia, node.inertia.mass * factor)
    for node in nodes:
        if node.source is not None and node.joints and not (
                _has_mass(node) or _is_unknown(node)):
            node.source.add(
                codes.MJCF_INERTIA_REFUSED,
                f"body '{node.name}' moves, but has no mass or inertia",
                hint='give it an <inertial>, or a geom with mass')


def _has_mass(node: BodyNode) -> bool:
    """Return whether a body and the bodies fixed to it have mass and inertia."""
    return moves_in_mujoco(node.inertia) or any(
        _has_mass(child) for child in node.bodies if not child.joints)


def _is_unknown(node: BodyNode) -> bool:
    """Return whether a mesh that was not measured has mass of a body or of one fixed to it."""
    return any(
        _is_for_mujoco(solid) and solid.measured is None
        for below in node.walk() for solid in below.solids)


def _inertia(node: BodyNode) -> Optional[Inertia]:
    if node.source is None:
        return None
    compiler = node.source.scope.compiler
    inertia: Optional[Inertia] = None
    given = None if node.inertial is None else _given_inertia(node.inertial)
    if compiler.inertiafromgeom == 'true' or (
            compiler.inertiafromgeom == 'auto' and node.inertial is None):
        parts = [part for part in map(_inertia_of, _massive(node))
                 if part is not None and part.mass > _SMALLEST]
        inertia = combine(parts) if len(parts) > 1 else parts[0] if parts else None
    if inertia is None:
        inertia = given
    if inertia is None and (compiler.boundmass or compiler.boundinertia):
        # as in MuJoCo, the inertia is at the body's pose in its parent, in the body's own frame
        own_pose = relative(node.source.frame, node.pose)
        inertia = Inertia(0.0, own_pose, location=node.source.location)
    return None if inertia is None else _bounded(inertia, node, node.source)


def _aligned(node: BodyNode, inertia: Optional[Inertia]) -> Optional[Inertia]:
    """Turn a free body to its inertial frame, as ``alignfree`` does; return the inertia."""
    if inertia is None or [joint.kind for joint in node.joints] != ['free'] or node.bodies:
        return inertia
    joint = node.joints[0].item
    align = joint.value('align', 'auto')
    if align == 'false' or align == 'auto' and not joint.scope.compiler.alignfree:
        return inertia
    # MuJoCo computes the principal axes of a full or combined tensor only
    is_combined = len(_massive(node)) > 1 if node.inertial is None else (
        node.inertial.has('fullinertia'))
    moments, turn = principal_frame(inertia.tensor) if is_combined else (
        inertia.tensor[:3], IDENTITY)
    body_from_frame = compose(inertia.pose, turn)
    node.pose, node.shift = compose(node.pose, body_from_frame), inverse(body_from_frame)
    return from_tensor(inertia.mass, IDENTITY, (*moments, 0.0, 0.0, 0.0), inertia.location)


def _inertia_of(solid: Solid) -> Optional[Inertia]:
    """Return the inertia of a geom in the frame of the body, None where it has none."""
    item = solid.item
    if _is_for_mujoco(solid):
        found = solid.measured and solid.measured.inertia
        return found and found._replace(
            pose=compose(solid.pose, found.pose), location=item.location)
    homogeneous = _homogeneous(solid.kind, solid.size)
    volume = 0.0 if homogeneous is None else homogeneous.volume
    mass, density = item.value('mass'), item.number('density', _DENSITY)
    if mass is None:
        mass = density * volume
    elif volume <= _SMALLEST:
        mass = 0.0
    if mass < 0.0 or density < 0.0:
        item.add(
            codes.BAD_VALUE, 'mass and density must not be negative',
            'mass' if item.has('mass') else 'density')
    elif mass > 0.0 and homogeneous is not None:
        return homogeneous.with_mass(mass, solid.pose, item.location)
    return None


def _is_for_mujoco(solid: Solid) -> bool:
    """Return whether MuJoCo measures a geom: a mesh, a shape fitted to one, or a shell."""
    return bool(solid.mesh or solid.item.value('shellinertia', False))


def _massive(node: BodyNode) -> list[Solid]:
    """Return the geoms of a body that are in a group with mass."""
    return [
        solid for solid in node.solids
        for first, last in [solid.item.scope.compiler.inertiagrouprange]
        if first <= solid.item.value('group', 0) <= last]


# ---- measured by MuJoCo

def _measure(nodes: Sequence[BodyNode], allows: Callable[[str], bool]) -> None:
    """Let MuJoCo measure all meshes that give a body its mass or a geom its shape, at once."""
    found = [
        (solid, node.name, request) for node in nodes for solid in node.solids
        if _is_for_mujoco(solid) and (request := _request(node, solid, allows)) is not None]
    if found and not is_available():
        found[0][0].item.add(
            codes.MESH_INERTIA_UNKNOWN,
            'masses of meshes and shells, and fitted shapes, need MuJoCo: '
            + ', '.join(f"'{name}'" for name in dict.fromkeys(name for _, name, _ in found)),
            severity='warning', hint='pip install mujoco-core')
    elif found:
        answers = meshes.measure([request for _, _, request in found])
        for (solid, _, _), measured in zip(found, answers):
            solid.measured = measured
            if measured.fault:
                solid.item.add(
                    codes.MESH_INERTIA_UNKNOWN, f'MuJoCo: {measured.fault}', 'mesh',
                    severity='error')


def _request(
    node: BodyNode, solid: Solid, allows: Callable[[str], bool],
) -> Optional[str]:
    """Return the model to measure, None where none is needed or possible."""
    item = solid.item
    by_geoms = node.source is not None and (
        node.inertial is None or node.source.scope.compiler.inertiafromgeom == 'true')
    geom = {
        **{name: text for name, text in item.items() if name in _GEOM_ATTRIBUTES},
        'contype': '0', 'conaffinity': '0'}
    if not solid.mesh:
        geom.update({
            'type': 'box' if solid.kind == 'hfield' else solid.kind,
            'size': ' '.join(map(repr, solid.size)), 'shellinertia': 'true'})
        return meshes.request('', xml('geom', geom.items())) if by_geoms else None
    asset = item.asset('mesh')
    if asset is None or solid.kind in MESHES and not by_geoms:
        return None
    mesh = {'name': solid.mesh, **{
        name: text for name, text in asset.items() if name in _MESH_ATTRIBUTES}}
    uri = asset.element.get('file')
    if uri:
        file = asset.scope.file_of(asset.element)
        if file is None or not (allows(file) and os.path.isfile(file)):
            asset.add(
                codes.MESH_INERTIA_UNKNOWN,
                f"the mass of '{node.name}' is not known: mesh '{uri}' was not found", 'file',
                severity='warning')
            return None
        mesh['file'] = os.path.abspath(file)
    asset, item = (
        one._replace(scope=one.scope._replace(prefix='', suffix='', asset_prefix=''))
        for one in (asset, item))
    return meshes.request(
        xml('mesh', mesh.items(), plugins_of(asset)),
        xml('geom', {**geom, 'mesh': solid.mesh}.items(), plugins_of(item)),
        item.scope.compiler.fitaabb,
        _extension(asset.scope, asset.element, item.element))


def _extension(scope: Scope, *elements: TypedElement) -> str:
    """Return an ``<extension>`` with only the plugins that these elements name."""
    used = {
        name for element in elements for plugin in element.all('plugin')
        for name in (plugin.get('plugin'), plugin.get('instance')) if name}
    return xml('extension', (), ''.join(
        raw_element(Item(plugin, scope)).text
        for section in scope.root.all('extension') for plugin in section.children
        if not used.isdisjoint((plugin.get('plugin'), *(
            instance.get('name') for instance in plugin.children)))))


# ---- inertia as given, and its limits

def _given_inertia(item: Item) -> Optional[Inertia]:
    """Return the inertia of an ``<inertial>`` in the body, None where it is faulty."""
    full = item.value('fullinertia')
    diagonal = item.vector3('diaginertia')
    if full is not None and any(diagonal):
        item.add(
            codes.EXCLUSIVE_ATTRIBUTES, "'fullinertia' and 'diaginertia' exclude each other",
            'fullinertia')
        return None
    tensor: Tensor = full if full is not None else (*diagonal, 0.0, 0.0, 0.0)
    return from_tensor(
        item.number('mass'), compose(item.frame, read_pose(item)), tensor, item.location)


def _bounded(inertia: Inertia, node: BodyNode, source: Item) -> Inertia:
    """Return an inertia limited by ``boundmass``, ``boundinertia`` and ``balanceinertia``."""
    compiler, report = source.scope.compiler, source.scope.report
    moments, turn = principal_axes(inertia.tensor)
    mass = max(inertia.mass, compiler.boundmass)
    a, b, c = bounded = tuple(max(moment, compiler.boundinertia) for moment in moments)
    if mass < 0.0 or min(bounded) < -_SMALLEST:
        report.add(
            codes.MJCF_INERTIA_REFUSED, f"mass and inertia of body '{node.name}' are negative",
            inertia.location)
    excess = max(a - b - c, b - a - c, c - a - b)
    if excess > 1e-12 * max(bounded) and compiler.balanceinertia:
        mean = (a + b + c) / 3.0
        return from_tensor(mass, inertia.pose, (mean, mean, mean, 0.0, 0.0, 0.0), inertia.location)
    if excess > 1e-12 * max(bounded):
        report.add(
            codes.MJCF_INERTIA_REFUSED, f"no body has the inertia of '{node.name}': a moment is "
            'greater than the sum of the other two', inertia.location,
            hint='<compiler balanceinertia="true"/> makes them equal')
    if bounded == moments:
        return inertia._replace(mass=mass)
    return from_tensor(
        mass, compose(inertia.pose, turn), (a, b, c, 0.0, 0.0, 0.0), inertia.location)


# ---- solids and axes

def _homogeneous(kind: str, size: Vector) -> Optional[HomogeneousSolid]:
    """Return the solid of a geom of this kind and these half sizes, None for a plane."""
    x, y, z = size
    if kind in ('box', 'hfield'):
        return box(2.0 * x, 2.0 * y, 2.0 * z)
    if kind == 'ellipsoid':
        return ellipsoid(x, y, z)
    if kind == 'sphere':
        return sphere(x)
    if kind == 'cylinder':
        return cylinder(x, 2.0 * y)
    return capsule(x, 2.0 * y) if kind == 'capsule' else None


def principal_frame(tensor: Tensor) -> tuple[Vector, Pose]:
    """
    Return the principal moments, the largest first, and the rotation to their axes.

    Several frames have these axes. This function chooses the same one as MuJoCo: by Jacobi's
    method, then by turns of 90 degrees that sort the moments.
    """
    turn = IDENTITY
    for _ in range(_SWEEPS):
        moments = rotate_tensor(inverse(turn), tensor)
        xy, xz, yz = map(abs, moments[3:])
        row, column, axis = (
            (0, 1, 2) if xy > xz and xy > yz else (0, 2, 1) if xz > yz else (1, 2, 0))
        product = moments[_PRODUCTS[row, column]]
        if abs(product) < _EIGEN:
            break
        tau = (moments[column] - moments[row]) / (2.0 * product)
        tangent = math.copysign(1.0, tau) / (abs(tau) + math.sqrt(1.0 + tau * tau))
        angle = -math.atan(tangent) if axis != 1 else math.atan(tangent)
        if math.cos(angle) > 1.0 - _EIGEN:
            break
        turn = compose(turn, from_axis_angle(AXES[axis], angle))
    sorted_moments = list(rotate_tensor(inverse(turn), tensor)[:3])
    for first in (0, 1, 0):
        if sorted_moments[first] + _EIGEN < sorted_moments[first + 1]:
            sorted_moments[first:first + 2] = sorted_moments[first + 1], sorted_moments[first]
            turn = compose(turn, from_axis_angle(AXES[(first + 2) % 3], math.pi / 2.0))
    a, b, c = sorted_moments
    return (a, b, c), turn
