# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Random sequences of edits of a robot: every function of ``hrdf_ros.edit``, in any order.

What comes out is written to each format, read again and compared. Names in the XML of other
programs are read here with another parser: none may lead to a link or joint that is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
import math
from random import Random
from typing import Any, Optional
from warnings import catch_warnings, simplefilter
from xml.etree.ElementTree import Element

from fuzz.corpus import corpus, FORMATS, tree_of
from fuzz.oracles import Broken, check_kinematics, require
from fuzz.robots import WRITERS
from hrdf_ros import edit, Kinematics, load, load_model, Model
from hrdf_ros.diff import renamed_in
from hrdf_ros.inertia import Inertia
from hrdf_ros.kinematics.transforms import matrices
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import MJCF, sdf_target, URDF
from hrdf_ros.model import Body, Box, Cylinder, Shape, Sphere
from hrdf_ros.model.consistency import InconsistentModelError, require_consistent
from hrdf_ros.pose import from_rpy, Pose
from hrdf_ros.topology import span
import numpy as np
from pytest import approx

STEPS = 8
"""The smallest number of edits in a sequence; the largest is twice as much."""
MOST_LINKS = 60
"""Links from which on nothing is added to a robot."""
_GRIPPER = """<robot name="gripper">
<link name="palm"><inertial><mass value="0.5"/>
<inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="finger"/>
<joint name="close" type="prismatic"><parent link="palm"/><child link="finger"/>
<origin xyz="0 0 0.1" rpy="0 0.2 0"/><axis xyz="0 1 0"/>
<limit lower="0" upper="0.04" effort="10" velocity="0.1"/></joint>
<gazebo reference="finger"><mu1>0.9</mu1></gazebo>
<ros2_control name="hand" type="system"><joint name="close">
<command_interface name="position"/></joint></ros2_control>
<transmission name="t"><joint name="close"/><actuator name="m"/></transmission>
</robot>"""
_TARGETS = {'urdf': URDF, 'sdf': sdf_target('1.11'), 'mjcf': MJCF}
_JOINT_ATTRIBUTES = ('joint', 'joint1', 'joint2', 'jointinparent')
_BODY_ATTRIBUTES = ('body1', 'body2')
_WITHOUT_ELEMENT = ('joint', 'link', 'model', 'world')
"""Kinds of frames that are there with something else."""
_WITH_JOINTS = ('ros2_control', 'transmission')


# ---- the edits

def _pose(rng: Random) -> Pose:
    return from_rpy([rng.uniform(-1.0, 1.0) for _ in range(3)],
                    [rng.uniform(-3.0, 3.0) for _ in range(3)])


def _near(model: Model, frame: str, name: str) -> str:
    """Return a name for something in the model that a frame is in, where models are nested."""
    within = frame.rpartition('/')[0] if model.conventions.nested_names else ''
    return f'{within}/{name}' if within else name


def _depth(name: str) -> int:
    """Return in how many models something is: a joint to the world belongs to the model."""
    return name.count('/')


def _axis(rng: Random) -> list[float]:
    return [rng.uniform(0.1, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)]


def _shapes(rng: Random) -> list[Shape]:
    sizes = [rng.uniform(0.01, 0.5) for _ in range(3)]
    geometry = rng.choice((Box((sizes[0], sizes[1], sizes[2])), Sphere(sizes[0]),
                           Cylinder(sizes[0], sizes[1])))
    return [Shape('shape', geometry, _pose(rng))]


def _inertia(rng: Random) -> Inertia:
    moment = rng.uniform(0.001, 0.1)
    return Inertia(
        mass=rng.uniform(0.01, 5.0), pose=_pose(rng), ixx=moment, iyy=moment, izz=moment)


def _set_link(rng: Random, model: Model, _: str) -> Model:
    return edit.set_link(
        model, rng.choice([one.name for one in model.bodies if one.name != 'world']),
        inertia=_inertia(rng), visuals=_shapes(rng), collisions=_shapes(rng))


def _set_joint(rng: Random, model: Model, _: str) -> Model:
    numbers: dict[str, Any] = {
        'lower': -rng.uniform(0.0, 2.0), 'upper': rng.uniform(0.0, 2.0),
        'velocity': rng.uniform(0.1, 5.0), 'effort': rng.uniform(0.1, 50.0),
        'damping': rng.uniform(0.0, 1.0), 'friction': rng.uniform(0.0, 1.0)}
    chosen = dict(rng.sample(sorted(numbers.items()), rng.randint(1, len(numbers))))
    if 'lower' in chosen or 'upper' in chosen:
        chosen.update(lower=numbers['lower'], upper=numbers['upper'])
    single = [joint for joint in model.joints if len(joint.motions) == 1
              and len(joint.motions[0].coordinates) == 1]
    if not single:
        joint = rng.choice(model.joints)
        return edit.set_joint(model, joint.name, origin=_pose(rng))
    return edit.set_joint(
        model, rng.choice(single).name, origin=_pose(rng), axis=_axis(rng), **chosen)


def _add_link(rng: Random, model: Model, name: str) -> Model:
    leaders = [one.name for one in model.coordinates if one.mimic is None and one.kind == 'angle']
    kind = rng.choice(('fixed', 'revolute', 'continuous', 'prismatic'))
    mimic = None
    if kind == 'revolute' and leaders and rng.random() < 0.3:
        mimic = (rng.choice(leaders), rng.uniform(-2.0, 2.0), rng.uniform(-0.5, 0.5))
    limits = {'lower': -0.5, 'upper': 0.5} if kind in ('revolute', 'prismatic') else {}
    parent = rng.choice(model.frames).name
    return edit.add_link(
        model, _near(model, parent, f'link_{name}'), parent=parent, joint=kind, pose=_pose(rng),
        axis=_axis(rng), inertia=_inertia(rng), shapes=_shapes(rng), velocity=1.0, effort=2.0,
        mimic=mimic, **limits)


def _add_joint(rng: Random, model: Model, name: str) -> Model:
    """Close a loop at the present place of two links."""
    first, second = rng.sample([body.name for body in model.bodies], 2)
    pose = matrices([_pose(rng)])[0]
    placed = np.linalg.inv(Kinematics(model).pose(second, relative_to=first)) @ pose
    own = _near(model, max(first, second, key=_depth), f'loop_{name}')
    return edit.add_joint(
        model, own, parent=first, child=second, pose=pose, child_pose=placed, axis=_axis(rng))


def _add_frame(rng: Random, model: Model, name: str) -> Model:
    parent = rng.choice(model.frames).name
    return edit.add_frame(
        model, _near(model, parent, f'frame_{name}'), parent=parent, pose=_pose(rng))


def _set_configuration(rng: Random, model: Model, name: str) -> Model:
    if model.configurations and rng.random() < 0.3:
        return edit.set_configuration(model, rng.choice(model.configurations).name, None)
    chosen = rng.sample(model.coordinates, rng.randint(1, len(model.coordinates)))
    return edit.set_configuration(
        model, f'home_{name}', {one.name: rng.uniform(-1.0, 1.0) for one in chosen})


def _attach(rng: Random, model: Model, name: str) -> Model:
    place = rng.choice(model.frames).name
    others = _others()[:2] if '/' in place else _others()  # MJCF has no names in nested models
    return edit.attach(
        model, rng.choice(others), to=place, pose=_pose(rng),
        prefix=_near(model, place, f'g{name}_'))


def _remove(rng: Random, model: Model, _: str) -> Model:
    """Remove something small, so that there is a robot in the end."""
    small = [
        one.name for one in model.bodies[1:]
        if sum(joint.parent == model.bodies.index(one) for joint in model.joints) == 0]
    frames = [one.name for one in model.frames if one.kind == 'frame']
    return edit.remove(model, rng.choice(small or frames))


def _rename(rng: Random, model: Model, name: str) -> Model:
    kind, table = rng.choice((
        ('link', model.bodies), ('joint', model.joints), ('coordinate', model.coordinates),
        ('frame', model.frames)))
    return edit.rename(model, {rng.choice(table).name: f'new_{name}'}, kind=kind)


EDITS: Mapping[str, Callable[[Random, Model, str], Model]] = {
    'set_link': _set_link, 'set_joint': _set_joint, 'add_link': _add_link,
    'add_joint': _add_joint, 'add_frame': _add_frame, 'set_configuration': _set_configuration,
    'attach': _attach, 'remove': _remove, 'rename': _rename}


@lru_cache(1)
def _others() -> tuple[Model, ...]:
    """Return robots to attach, in three formats."""
    gripper = load_model(_GRIPPER)
    from hrdf_ros import write_mjcf, write_sdf
    return gripper, *(load_model(write(gripper)[0]) for write in (write_sdf, write_mjcf))


# ---- a sequence

def edited(model: Model, rng: Random) -> tuple[Model, list[str]]:
    """
    Return a Model after a random sequence of edits, and the names of the functions.

    A refusal of an edit is an answer, too, as long as it is a sentence; the edit is left out then.
    """
    done: list[str] = []
    count = rng.randint(STEPS, 2 * STEPS)
    for step in range(10 * count):
        if len(done) == count:
            break
        name = rng.choice(list(EDITS))
        if len(model.bodies) > MOST_LINKS and name in ('add_link', 'attach'):
            continue
        try:
            model = EDITS[name](rng, model, str(step))
        except (InconsistentModelError, ValueError) as error:
            require(bool(str(error)), f'{name} is refused without a word')
            continue
        except IndexError:  # rng.choice of nothing
            continue
        require_consistent(model)
        done.append(name)
    return model, done


def generate_edits(rng: Random) -> bytes:
    """Return a seed and a robot of the corpus."""
    return b'%d\n%s' % (rng.getrandbits(64), rng.choice(corpus().files[rng.choice(FORMATS)]))


def run_edits(data: bytes) -> None:
    """Edit a robot that can be read; the first line seeds the edits."""
    seed, _, text = data.partition(b'\n')
    model = load(text.decode('utf-8', 'replace')).model
    if model is not None and len(model.bodies) <= MOST_LINKS and model.joints:
        check_edits(model, Random(seed))


def check_edits(model: Model, rng: Random) -> list[str]:
    """Require that what a random sequence makes of a Model is written; return the functions."""
    with catch_warnings():
        simplefilter('ignore')  # of words that may mean a name, and positions outside of limits
        result, done = edited(model, rng)
        _check_result(result, model, rng, done)
    return done


def _check_result(result: Model, original: Model, rng: Random, done: Sequence[str]) -> None:
    try:
        new = dangling(result) - dangling(original)
        require(not new, f'XML of other programs names what is gone: {sorted(new)[:3]}')
        check_kinematics(result)
        for name, write in WRITERS.items():
            _check_written(result, original, name, write, rng)
    except Exception as error:
        raise Broken(f'after {", ".join(done)}: {type(error).__name__}: {error}') from error


# ---- what is written

def _check_written(
    model: Model, original: Model, target: str, write: Any, rng: Random,
) -> None:
    """
    Require that links, frames, their poses and masses, limits and names are read again.

    What other programs' XML in the original makes unreadable is not the fault of an edit.
    """
    text, report = write(model)
    require(report.ok, f'{target} is not written: {list(report)[:1]}')
    loaded = load(text, format=target)
    if loaded.model is None and load(write(original)[0], format=target).model is None:
        return
    if loaded.model is None:
        fault = next(str(found) for found in loaded.report if found.severity == 'error')
        raise Broken(f'{target} is not read: {fault}')
    again = loaded.model
    told = {found.code for found in report}
    loops = set(span(model).loops)
    require(not loops or target != 'urdf' or 'loop-not-representable' in told,
            'a loop is cut silently')
    if 'loop-not-representable' in told:
        return  # without the loop, or with another one, other joints move
    missing = _missing_coordinates(model, again, loops if target == 'mjcf' else set())
    require(not missing or 'name-changed' in told, f'{target} lacks coordinates {missing[:3]}')
    names = {} if target == 'urdf' else renamed_in(model, lower(model, _TARGETS[target]).model)
    links = [
        body.name for body in model.bodies if body.name != 'world' and body.source_name]
    theirs = {body.name: body for body in again.bodies}
    lost = [name for name in links if names.get(name, name) not in theirs]
    require(not lost, f'{target} lacks links {lost[:3]}')
    if 'name-changed' not in told:
        gone = dangling(again) - dangling(model)
        require(not gone, f'XML of other programs in {target} names no item: {sorted(gone)[:3]}')
    own = [] if target == 'urdf' or 'frame-not-representable' in told else [
        frame for frame in model.frames if frame.kind not in _WITHOUT_ELEMENT]
    frames = {frame.name for frame in again.frames}
    for frame in own:  # one whose name a link had has its own name when the link is renamed
        if names.get(frame.name, frame.name) not in frames:
            names[frame.name] = frame.source_name
    lost = [frame.name for frame in own if names.get(frame.name, frame.name) not in frames]
    require(not lost, f'{target} lacks frames {lost[:3]}')
    massive = [body for body in model.bodies if target != 'mjcf' or body.name != 'world']
    mass, written = sum(map(_mass, massive)), sum(map(_mass, again.bodies))
    brings_links = any(raw.tag == 'gazebo' and '<inertial' in raw.text for raw in model.extensions)
    require(mass == approx(written, rel=1e-6, abs=1e-4) or brings_links and mass < written,
            f'{target}: {mass} kg and {written}')
    nested = [
        frame.name for frame in model.frames if target == 'sdf' and frame.name in frames
        and frame.kind in ('joint', 'model') and model.conventions.nested_names
        and 'name-changed' not in told]
    if model.constraints or 'mimic-not-representable' in told or not links:
        return  # poses depend on how constraints are solved, or on what the report names
    ours, others = Kinematics(model), Kinematics(again)
    lights = {frame.name for frame in own if frame.kind == 'light'}
    if 'name-changed' in told and not {one.name for one in model.coordinates} <= {
            one.name for one in again.coordinates}:
        return  # there are coordinates that cannot be set by their names
    counted_backwards = {
        name for found in report if 'counts the other way' in found.message
        for name in found.subjects}
    backwards = {
        model.coordinates[index].name for joint in model.joints if joint.name in counted_backwards
        for motion in joint.motions for index in motion.coordinates}
    for count in range(1 if loops or missing else 3):
        positions = {
            one.name: rng.uniform(-1.0, 1.0) if count else 0.0 for one in model.coordinates
            if one.mimic is None and one.name in others.coordinates}
        theirs_at = {
            name: -value if name in backwards else value for name, value in positions.items()}
        if loops and not all(state.closed.all() for state in ours.loop_states(positions)):
            return  # where a loop is torn apart depends on the order of its joints
        for name in (*links, *nested, *(frame.name for frame in own)):
            expected = ours.pose(name, positions, relative_to=links[0])
            found = others.pose(
                names.get(name, name), theirs_at, relative_to=names.get(links[0], links[0]))
            apart = np.abs(found - expected)
            if target == 'mjcf' and name in lights:
                apart = apart[:, 2:]  # a direction, which is -z, and a place
            require(bool(apart.max() < 1e-6), f'{target}: the pose of {name}')


def _missing_coordinates(model: Model, again: Model, loops: set[int]) -> list[str]:
    """
    Return the coordinates of joints of one motion that are not read again; limits are the same.

    ``loops`` are the joints that are written as constraints. A joint with one position is fixed;
    limits that are reversed mean none in MuJoCo.
    """
    theirs, missing = {one.name: one for one in again.coordinates}, []
    for index, joint in enumerate(model.joints):
        if index in loops or len(joint.motions) != 1 or joint.motions[0].kind == 'rotation_vector':
            continue
        one = model.coordinates[joint.motions[0].coordinates[0]]
        other = theirs.get(one.name)
        if other is None:
            missing += [one.name] if one.lower < one.upper else []
            continue
        for mine, written in ((one.lower, other.lower), (one.upper, other.upper)):
            require(math.isinf(mine) or one.lower > one.upper or mine == approx(written, abs=1e-9),
                    f'limits of {one.name}: {mine} and {written}')
    return missing


def _mass(body: Body) -> float:
    return 0.0 if body.inertia is None else body.inertia.mass


# ---- names in the XML of other programs

def dangling(model: Model) -> set[str]:
    """Return the names in XML of other programs that no link, joint or frame has."""
    known = {
        'link': {body.name for body in model.bodies},
        'joint': {one.name for one in (*model.joints, *model.coordinates)}}
    known['either'] = known['link'] | known['joint']
    owners: list[Any] = [model, *model.bodies, *model.joints]
    return {
        name for owner in owners for raw in owner.extensions
        for kind, name in _references(tree_of(raw.text.encode()), 'mjcf' in raw.held_by)
        if name not in known[kind]}


def _references(root: Optional[Element], is_mjcf: bool) -> Iterator[tuple[str, str]]:
    """Yield kind and name of what a block names, as far as that is certain."""
    for element in () if root is None else root.iter():
        if is_mjcf:
            yield from (('joint', element.attrib[name]) for name in _JOINT_ATTRIBUTES
                        if name in element.attrib)
            yield from (('link', element.attrib[name]) for name in _BODY_ATTRIBUTES
                        if name in element.attrib and element.attrib[name] != 'world')
        elif element.tag == 'gazebo' and 'reference' in element.attrib:
            yield 'either', element.attrib['reference']
    if root is not None and root.tag in _WITH_JOINTS:
        yield from (('joint', joint.attrib['name']) for joint in root.iter('joint')
                    if 'name' in joint.attrib)
