# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Lower a Model to MJCF, in which all links are in one tree below ``world``.

The joints that close loops come after those of the tree. Masses that MuJoCo refuses are replaced,
and links keep their names.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
import math

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.fields import fields_of
from hrdf_ros.inertia import from_tensor, moves_in_mujoco
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.coordinates import name_after
from hrdf_ros.lowering.losses import report_losses
from hrdf_ros.lowering.mjcf_inertia import (
    accepted_inertia,
    note_mass,
    SMALL_MASS,
    SMALL_MOMENT,
    with_some_mass,
    without_mass_below,
)
from hrdf_ros.lowering.shape_lowering import ShapeLowering
from hrdf_ros.lowering.target import GeneratedMesh, Target
from hrdf_ros.lowering.tree import lower_to_tree
from hrdf_ros.model import Body, Coordinate, Joint, Model, Motion, NONE, Plane
from hrdf_ros.names import Names
from hrdf_ros.pose import AXES, compose, IDENTITY, inverse, rotation_vector, X_AXIS
from hrdf_ros.topology import displacement, mimic_rules, span, Topology

WORLD = 'world'
_LOCKED = 1e-9
"""
The width, in rad or m, of the range that is written for equal limits; it is relative beyond 1.
"""
_FREE = ['prismatic'] * 3 + ['rotation_vector']
"""The kinds of motions of a joint that MJCF writes as a free joint."""
_FREE_NAMES = ('pos_x', 'pos_y', 'pos_z', 'rot_x', 'rot_y', 'rot_z')
"""The endings of the names of the six coordinates of a free joint."""


def lower_to_mjcf(
    model: Model, target: Target, notes: GroupedDiagnostics, report: Report,
) -> tuple[Model, Topology, tuple[GeneratedMesh, ...]]:
    """
    Return the Model with a tree below ``world``, then the joints that close loops.

    The result has the topology, and the meshes that the shapes need.
    """
    report_losses(model, target, notes)
    tree = lower_to_tree(_with_names(model, notes), target, notes, report)
    lowered = _without_lost_mimics(tree._replace(constraints=()), notes)
    lowered = _with_locked_fixed(lowered, notes)
    if target.free_base:
        lowered = _with_free_base(lowered, {joint.name for joint in model.joints}, notes)
    lowered = lowered._replace(coordinates=_coordinates(lowered, notes))
    topology = span(lowered)
    carriers, between = _carriers(lowered, topology), between_joints(lowered)
    enough = between | {
        carriers[index] for index, body in enumerate(lowered.bodies)
        if moves_in_mujoco(body.inertia)}
    massless = without_mass_below(lowered, topology) & {*range(len(model.bodies))} | {
        joint.child for joint in lowered.joints if is_free(joint, lowered)}
    without_planes = tuple(shape for shape in target.shapes if shape is not Plane)
    shapes = [
        ShapeLowering(each, model.conventions, notes)
        for each in (target, target._replace(shapes=without_planes))]
    bodies = []
    for index, (body, carrier) in enumerate(zip(lowered.bodies, carriers)):
        is_moved = lowered.bodies[carrier].name != WORLD
        if is_moved and body.static:
            notes.about(
                codes.DETAIL_NOT_REPRESENTABLE,
                'MJCF fixes no link that a joint moves; these static links move', body)
        needs_mass = is_moved and index == carrier and index not in enough
        if needs_mass:
            note_mass(body, index in massless, notes)
        if index == carrier and not is_moved and body.inertia is not None:
            notes.about(
                codes.INERTIA_NOT_REPRESENTABLE, 'the world of MJCF has no mass; omitted', body)
            body = body._replace(inertia=None)
        elif not (needs_mass or model.conventions.states_contacts):
            body = with_some_mass(body, notes)
        bodies.append(_body(body, needs_mass, shapes[is_moved], notes))
    meshes = tuple(mesh for each in shapes for mesh in each.meshes())
    return lowered._replace(bodies=tuple(bodies)), topology, meshes


def _with_names(model: Model, notes: GroupedDiagnostics) -> Model:
    """Return the Model with a name for each link; only the world is called ``world``."""
    names = Names(taken=(body.name for body in model.bodies))
    worlds = {
        body for body in span(model).roots
        if model.bodies[body].name == WORLD and model.bodies[body].pose == IDENTITY}
    bodies = [
        body if body.name and (body.name != WORLD or index in worlds) else body._replace(
            name=names.claim(f'{body.name}_link' if body.name else 'link'))
        for index, body in enumerate(model.bodies)]
    notes.about(
        codes.NAME_CHANGED, f"links without a name or named '{WORLD}' are renamed",
        *(new for new, old in zip(bodies, model.bodies) if new is not old))
    return model._replace(bodies=tuple(bodies), frames=tuple([
        frame._replace(name=bodies[frame.body].name)
        if frame.name == model.bodies[frame.body].name else frame for frame in model.frames]))


def _without_lost_mimics(tree: Model, notes: GroupedDiagnostics) -> Model:
    """Return the Model without the mimics whose coordinates an equality cannot name."""
    joints = tree_joints(tree)
    known, single = (
        {index for joint in joints for motion in joint.motions for index in motion.coordinates
         if is_any or motion.kind != 'rotation_vector' and not is_free(joint, tree)}
        for is_any in (True, False))
    coordinates = list(tree.coordinates)
    for index, coordinate in enumerate(coordinates):
        pair = set() if coordinate.mimic is None else {index, coordinate.mimic.leader}
        if not single >= pair:
            coordinates[index] = coordinate._replace(mimic=None)
            notes.about(
                codes.MIMIC_NOT_REPRESENTABLE,
                'MJCF has no coordinates for joints that close loops; mimics are omitted'
                if not known >= pair else 'MJCF cannot couple joints with ball and free joints; '
                'mimics are omitted', coordinate)
    return tree._replace(coordinates=tuple(coordinates))


def _with_locked_fixed(tree: Model, notes: GroupedDiagnostics) -> Model:
    """
    Return the Model with a fixed joint in place of each joint whose limits are one position.

    MuJoCo reads a range without width as no range. Coordinates that follow such a coordinate are
    fixed, too.
    """
    coordinates = tree.coordinates
    locked = {
        index: multiplier * coordinates[leader].lower + offset
        for index, (leader, multiplier, offset) in enumerate(mimic_rules(coordinates, ()))
        if coordinates[leader].lower == coordinates[leader].upper}

    def fixed(joint: Joint) -> Joint:
        value = locked.get(joint.motions[0].coordinates[0]) if len(joint.motions) == 1 else None
        if value is None or joint.motions[0].kind == 'rotation_vector':
            return joint
        notes.about(
            codes.DETAIL_NOT_REPRESENTABLE,
            'limits that leave a joint one position make it a fixed joint at that position', joint)
        at_limit = compose(joint.parent_from_joint, displacement(joint.motions[0], [value]))
        return joint._replace(motions=(), parent_from_joint=at_limit)

    return tree._replace(joints=tuple([fixed(joint) for joint in tree.joints]))


def _with_free_base(tree: Model, own: Container[str], notes: GroupedDiagnostics) -> Model:
    """Return the Model with a free joint for each root; ``own`` are the joints of the file."""
    coordinates = list(tree.coordinates)
    names = Names(taken=(coordinate.name for coordinate in coordinates))

    def freed(joint: Joint) -> Joint:
        """Return the free joint that replaces a fixed one and starts at its pose."""
        if joint.motions or tree.bodies[joint.parent].name != WORLD:
            return joint
        child = tree.bodies[joint.child]
        if child.static or joint.name in own:
            notes.about(
                codes.NO_EFFECT,
                'a free base moves no link that is static or that the file fixes to the world',
                child)
            return joint
        name = f'{child.name}_free'
        pose = compose(joint.parent_from_joint, inverse(joint.child_from_joint))
        x, y, z, *turns = range(len(coordinates), len(coordinates) + 6)
        for value, kind in zip((*pose.position, *rotation_vector(pose)), _FREE_NAMES):
            coordinates.append(Coordinate(
                names.claim(f'{name}_{kind}'), 'length' if kind[0] == 'p' else 'angle',
                initial_position=value, location=joint.location))
        return Joint(
            name, '', 'free', joint.parent, joint.child, location=joint.location, motions=(
                *(Motion('prismatic', axis, (at,)) for axis, at in zip(AXES, (x, y, z))),
                Motion('rotation_vector', X_AXIS, tuple(turns))))

    joints = tuple([freed(joint) for joint in tree.joints])
    return tree._replace(joints=joints, coordinates=tuple(coordinates))


def is_free(joint: Joint, model: Model) -> bool:
    """Return whether a joint is MuJoCo's free joint, whose coordinates are its world pose."""
    slides = [(motion.axis, motion.scale, motion.offset) for motion in joint.motions[:3]]
    return (
        [motion.kind for motion in joint.motions] == _FREE
        and slides == [(axis, 1.0, 0.0) for axis in AXES]
        and model.bodies[joint.parent].name == WORLD
        and joint.parent_from_joint == IDENTITY == joint.child_from_joint)


def _coordinates(model: Model, notes: GroupedDiagnostics) -> tuple[Coordinate, ...]:
    """Return the coordinates with names, limits and starts that MuJoCo's joints can have."""
    moved = {index for joint in model.joints for index in joint.coordinates}
    found = [
        _limited(coordinate, notes) if index in moved else coordinate
        for index, coordinate in enumerate(model.coordinates)]
    names = {coordinate.name for coordinate in found}
    for joint in model.joints:
        free = is_free(joint, model)
        if free:
            slides = [index for motion in joint.motions[:3] for index in motion.coordinates]
            name_after(found, slides, [f'{joint.name}_pos_{axis}' for axis in 'xyz'], joint, notes)
        for motion in joint.motions:
            if motion.kind == 'rotation_vector':
                stem = found[motion.coordinates[0]].name.removesuffix('_x')
                if free or stem in names:
                    stem = f'{joint.name}_rot' if free else joint.name
                name_after(
                    found, motion.coordinates, [f'{stem}_{axis}' for axis in 'xyz'], joint, notes)
                turned = joint.motions if free else (motion,)
                _as_one_joint(found, [i for one in turned for i in one.coordinates], free, notes)
    return tuple(found)


def _as_one_joint(
    found: list[Coordinate], indices: Sequence[int], is_free: bool, notes: GroupedDiagnostics,
) -> None:
    """
    Replace the coordinates of a ball or free joint by those that MuJoCo's one element can state.

    A ball joint starts without rotation. The dynamics are those of the first coordinate.
    """
    first = found[indices[0]]
    shared = {name: getattr(first, name) for name in _dynamics()}
    for index in indices:
        coordinate = found[index]
        start = coordinate.initial_position if is_free else 0.0
        plain = coordinate._replace(
            initial_position=start, spring_reference=0.0, lower=-math.inf, upper=math.inf,
            effort=math.inf)
        if plain != coordinate:
            notes.about(
                codes.DETAIL_NOT_REPRESENTABLE,
                "MuJoCo's free joints have no limits and no reference of springs" if is_free else
                "MuJoCo's ball joints begin without rotation and have no limits about an axis",
                coordinate)
        found[index] = plain._replace(**shared)
        if found[index] != plain:
            notes.about(
                codes.DETAIL_NOT_REPRESENTABLE,
                "MuJoCo's ball and free joints have one number for all directions, that of the "
                'first is written for damping, friction, springs and rotors', coordinate)


def _dynamics() -> Iterator[str]:
    """Yield the numbers of a coordinate that MJCF has for a joint as a whole."""
    for name, field in fields_of(Coordinate).items():
        if name not in ('initial_position', 'spring_reference') and (
                field.mjcf or '').startswith('joint '):
            yield name


def _limited(coordinate: Coordinate, notes: GroupedDiagnostics) -> Coordinate:
    """Return a coordinate whose limits MuJoCo does not read as no limits."""
    lower, upper, effort = coordinate.lower, coordinate.upper, coordinate.effort
    if lower <= upper and coordinate.mimic is None and not (
            lower <= coordinate.initial_position <= upper):
        notes.about(
            codes.POSITION_OUTSIDE_LIMITS,
            'MuJoCo pushes joints that begin outside of their limits into these', coordinate)
    if lower > upper:
        lower, upper = -math.inf, math.inf
    elif lower == upper:
        upper = lower + max(_LOCKED, abs(lower) * _LOCKED)
    limited = coordinate._replace(
        lower=lower, upper=upper, effort=effort if effort > 0.0 else math.inf)
    if limited != coordinate:
        notes.about(
            codes.DETAIL_NOT_REPRESENTABLE,
            f'MuJoCo has no range without width ({_LOCKED} is written), none that is reversed, '
            'and no effort limit of 0 or less (both are omitted)', coordinate)
    return limited


def _carriers(model: Model, topology: Topology) -> list[int]:
    """Return for each body the one that it is fixed to: the world, a moving body, or itself."""
    found = [*range(len(model.bodies))]
    for body in topology.order:
        joint = topology.joint[body]
        if joint != NONE and not model.joints[joint].motions:
            found[body] = found[topology.parent[body]]
    return found


def tree_and_loops(model: Model) -> tuple[list[Joint], list[Joint]]:
    """Return the joints that carry bodies, and the others, which close loops."""
    carriers: dict[int, Joint] = {}
    loops = []
    for joint in model.joints:
        if model.bodies[joint.child].name != WORLD and joint.child not in carriers:
            carriers[joint.child] = joint
        else:
            loops.append(joint)
    return list(carriers.values()), loops


def tree_joints(model: Model) -> list[Joint]:
    """Return the joints that carry bodies, without those that close loops."""
    return tree_and_loops(model)[0]


def between_joints(model: Model) -> set[int]:
    """
    Return the bodies that stand between two joints of a body in a description of motions.

    Such bodies have nothing but these joints, and no name in the file. The writer makes one body
    of them again. A body that a joint of a loop names is none of them.
    """
    if not model.conventions.names_motions:
        return set()
    below: dict[int, list[Joint]] = {}
    joints, loops = tree_and_loops(model)
    for joint in joints:
        below.setdefault(joint.parent, []).append(joint)
    named = {frame.body for frame in model.frames if frame.kind != 'link'}
    for joint in loops:
        named |= {joint.parent, joint.child}

    def is_between(joint: Joint) -> bool:
        body = model.bodies[joint.child]
        return bool(joint.motions) and joint.child not in named and not any((
            body.source_name, body.inertia, body.visuals, body.collisions, body.extensions)) and [
                bool(one.motions) for one in below.get(joint.child, ())] == [True]

    return {joint.child for joint in joints if is_between(joint)}


def _body(
    body: Body, needs_mass: bool, shapes: ShapeLowering, notes: GroupedDiagnostics,
) -> Body:
    inertia = accepted_inertia(body, notes)
    if needs_mass:
        mass = SMALL_MASS if inertia is None else max(inertia.mass, SMALL_MASS)
        pose = IDENTITY if inertia is None else inertia.pose
        inertia = from_tensor(mass, pose, (SMALL_MOMENT,) * 3 + (0.0, 0.0, 0.0))
    same = body.visuals == body.collisions
    visuals = shapes.visible(body.visuals, body)
    collisions = visuals if same else shapes.lowered(body.collisions, body)
    return body._replace(inertia=inertia, visuals=visuals, collisions=collisions)
