# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The Model: made by every reader, read by every check, tree and writer.

Its records are immutable and without behavior. They are NamedTuples because thirty frozen data
classes cost every start of the command 19 ms, and NamedTuples 1.5 ms. No module with records that
a check needs imports ``annotations`` from ``__future__``: NamedTuple then compiles a string for
each field, which doubles its cost. Records refer to each other by index into the Model's tables,
with -1 for none. All units are SI: meters, radians, kilograms, seconds.
"""

from typing import NamedTuple, Optional, TypeVar

from hrdf_ros.diagnostics import Locatable
from hrdf_ros.inertia import Inertia
from hrdf_ros.model.conventions import ConsumerName, Conventions
from hrdf_ros.model.coordinates import (
    Coordinate,
    CoordinateKind,
    Mimic,
    Motion,
    without_huge_limits,
)
from hrdf_ros.model.shapes import (
    all_finite,
    Asset,
    Box,
    brief,
    Capsule,
    Color,
    Cone,
    Cylinder,
    Ellipsoid,
    Empty,
    Geometry,
    Heightmap,
    Holder,
    Image,
    Material,
    Mesh,
    MultiSphere,
    Plane,
    Polyline,
    Pyramid,
    RawElement,
    Shape,
    size_of_urdf,
    Sphere,
    ZERO,
)
from hrdf_ros.names import unknown_name
from hrdf_ros.pose import IDENTITY, Pose, Vector

__all__ = [
    'all_finite', 'Asset', 'Body', 'Box', 'Capsule', 'Color', 'Cone', 'Configuration',
    'Constraint', 'ConsumerName', 'contents', 'Conventions', 'Coordinate', 'CoordinateKind',
    'Cylinder', 'Ellipsoid', 'Empty', 'Frame', 'FRAME_KINDS', 'Geometry', 'Hardware', 'Heightmap',
    'Holder', 'Image', 'Joint', 'JointItem', 'Material', 'Mesh', 'Mimic', 'Model', 'ModelScope',
    'Motion', 'MultiSphere', 'named', 'NONE', 'Plane', 'Polyline', 'Pyramid', 'RawElement',
    'Shape', 'size_of_urdf', 'Sphere', 'without_huge_limits', 'ZERO',
]

NONE = -1
"""The index of no record."""


# ---- joints

class Joint(NamedTuple):
    """
    A connection of two bodies.

    ``X_parent_child(q) = parent_from_joint * M1(q) * M2(q) * ... * inverse(child_from_joint)``.
    ``type`` is the format's own word for the kind of joint, ``actuator`` its word for the
    actuator, empty where it has none.
    """

    name: str
    source_name: str
    type: str  # noqa: A003
    parent: int
    child: int
    parent_from_joint: Pose = IDENTITY
    child_from_joint: Pose = IDENTITY
    motions: tuple[Motion, ...] = ()
    actuator: str = ''
    extensions: tuple[RawElement, ...] = ()
    location: Optional[Locatable] = None

    @property
    def coordinates(self) -> tuple[int, ...]:
        """The indices of the coordinates that the motions have, in the order of the motions."""
        return tuple([index for motion in self.motions for index in motion.coordinates])

    def __repr__(self) -> str:
        return brief(self)


class Constraint(NamedTuple):
    """
    A relation of bodies or joints that is not a joint; ``kind`` names it (``gearbox``).

    It relates ``joints`` and ``bodies``; ``values`` are its numbers by name. Its effect on
    coordinates is in their ``mimic``; a weld that closes a loop is a joint without motions.
    ``held_by`` are the holders that get its element with the extensions of the Model.
    """

    name: str
    kind: str
    joints: tuple[int, ...] = ()
    bodies: tuple[int, ...] = ()
    values: tuple[tuple[str, float], ...] = ()
    location: Optional[Locatable] = None
    source_name: str = ''
    held_by: tuple[Holder, ...] = ()


class Configuration(NamedTuple):
    """
    A state of the robot with a name, such as ``home``.

    ``positions`` are pairs of a coordinate's index and its value in radians or meters, in the
    order of the coordinates; the other coordinates are at their initial positions.
    """

    name: str
    positions: tuple[tuple[int, float], ...]
    location: Optional[Locatable] = None


class Hardware(NamedTuple):
    """
    Settings of the real robot for its driver.

    ``file`` has all of them; ``settings`` are some by name, with texts as the file has them, such
    as ``('command_lifetime', '0.25')``.
    """

    file: str
    settings: tuple[tuple[str, str], ...] = ()


# ---- bodies

class Body(NamedTuple):
    """
    A rigid body; its frame has the same name.

    ``pose`` is root_from_body with every coordinate at zero; it is read where no joint carries the
    body. ``static`` bodies are fixed to the world.
    """

    name: str
    source_name: str
    inertia: Optional[Inertia] = None
    visuals: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()
    static: bool = False
    pose: Pose = IDENTITY
    tag: str = ''
    extensions: tuple[RawElement, ...] = ()
    location: Optional[Locatable] = None

    def __repr__(self) -> str:
        return brief(self)


FRAME_KINDS = (
    'actor', 'audio_sink', 'audio_source', 'com', 'end_effector', 'frame', 'joint', 'light',
    'marker', 'model', 'output', 'particle_emitter', 'projector', 'sensor')
"""The kinds of frames that the built-in readers make, beside links and the world."""


class Frame(NamedTuple):
    """
    A frame that can be named: ``pose`` is body_from_frame.

    ``kind`` is ``link``, ``world``, one of FRAME_KINDS, or a word of another reader. Each body has
    a frame of its own, with its name and the identity pose. The frame of a joint is on its child,
    at ``child_from_joint``. ``held_by`` are the holders that get its element with the extensions
    of its body or of the Model.
    """

    name: str
    source_name: str
    kind: str
    body: int
    pose: Pose = IDENTITY
    tag: str = ''
    location: Optional[Locatable] = None
    held_by: tuple[Holder, ...] = ()

    def __repr__(self) -> str:
        return brief(self)


class JointItem(NamedTuple):
    """
    A joint with the records that ``record`` refers to by index.

    ``parent_link`` is None where the parent is the root of poses.
    """

    record: Joint
    parent_link: Optional[Body]
    child_link: Body
    coordinates: tuple[Coordinate, ...]

    @property
    def name(self) -> str:
        """The name of the joint."""
        return self.record.name

    @property
    def type(self) -> str:  # noqa: A003
        """The format's own word for the kind of joint."""
        return self.record.type

    @property
    def limits(self) -> tuple[float, float]:
        """The lower and upper limit (rad or m) of a joint with one coordinate."""
        if len(self.coordinates) != 1:
            raise ValueError(
                f'the joint {self.name!r} has {len(self.coordinates)} coordinates, not one; '
                'each of .coordinates has .lower and .upper')
        return self.coordinates[0].lower, self.coordinates[0].upper


class ModelScope(NamedTuple):
    """
    A model within the model: ``pose`` is root_from_scope, ``parent`` the scope around it.

    Its frame has the same pose, and says where it moves to. In a ``static`` model each body is
    static. ``namespace`` stands before topics of its plugins; ``{name}`` in it means the model's
    name.
    """

    name: str
    source_name: str
    parent: int = NONE
    canonical_body: int = NONE
    static: bool = False
    pose: Pose = IDENTITY
    location: Optional[Locatable] = None
    namespace: str = ''


class SourceText(NamedTuple):
    """The text that a Model was read from, and the Model's other fields as they were then."""

    text: str
    records: tuple[object, ...] = ()


class Model(NamedTuple):
    """
    A description: bodies, joints between them, the coordinates that move them, named frames.

    ``root`` names the frame of the file that all poses are given in; ``pose`` is
    root_from_model. ``scopes`` are in document order, a parent before its children.
    ``source`` is the text of a description that goes out as it came in (URDF), as long as the
    Model is as it was read; see ``text_as_read``. ``description`` is a text about the robot for
    people. The names of ``configurations`` are unique.

    ``format`` and ``version`` are for people. What a program has to know of the description
    beside its records are the ``conventions``, which its reader sets:

    - Names: ``nested_names`` says that a source name begins with that of its scope,
      ``separate_shape_names`` that a visual and a collision may share a name,
      ``separate_frame_names`` that frames of different kinds may, and ``names_motions`` that
      motions have names and joints of several motions have none.
    - Poses: ``single_root`` says that the description is one tree, ``places_root`` that the pose
      of its root means something, ``world_is_body`` that the canonical body is the world,
      ``absolute_base`` that the coordinates of a free joint are the pose in the world, and
      ``closes_loops_initially`` that loops are closed at the initial coordinates.
    - Joints: ``joint_types`` are the words in ``Joint.type``, and ``whole_joint_types`` those of
      joints that a tree keeps as one. ``free_without_limits`` says that a slide without limits is
      free, in ``free_scopes`` only those of included models. ``unstated`` are the fields of a
      coordinate that the description has no place for; ``ordered_constraints`` says that the
      order of constraints has a meaning.
    - Contacts and shapes: ``states_contacts`` says that shapes say what they collide with,
      ``collides_with_itself`` that links of one model collide with each other;
      ``default_color`` is the color of visuals without one, ``single_color`` says that all light
      shows the diffuse color, and ``read_by`` are the programs that read the file as it is.

    >>> from hrdf_ros import load_model
    >>> load_model('examples/urdf/gripper_arm.urdf')
    <Model 'gripper_arm': urdf 1.0, 9 links, 8 joints, 7 coordinates>
    """

    name: str
    format: str  # noqa: A003
    version: str
    root: str
    bodies: tuple[Body, ...] = ()
    joints: tuple[Joint, ...] = ()
    coordinates: tuple[Coordinate, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    frames: tuple[Frame, ...] = ()
    scopes: tuple[ModelScope, ...] = ()
    canonical_body: int = NONE
    is_world: bool = False
    static: bool = False
    pose: Pose = IDENTITY
    gravity: Optional[Vector] = None
    files: tuple[str, ...] = ()
    extensions: tuple[RawElement, ...] = ()
    source: Optional[SourceText] = None
    location: Optional[Locatable] = None
    description: str = ''
    configurations: tuple[Configuration, ...] = ()
    hardware: Optional[Hardware] = None
    conventions: Conventions = Conventions()

    def link(self, name: str) -> Body:
        """
        Return the link of this name.

        An unknown name raises UnknownNameError, which is a KeyError.

        >>> from hrdf_ros import load_model
        >>> load_model('examples/urdf/gripper_arm.urdf').link('palm').inertia.mass
        0.5
        """
        return named('link', self.bodies, name)

    def joint(self, name: str) -> JointItem:
        """
        Return the joint of this name with the records that it refers to by index.

        An unknown name raises UnknownNameError, which is a KeyError.

        >>> from hrdf_ros import load_model
        >>> elbow = load_model('examples/urdf/gripper_arm.urdf').joint('elbow')
        >>> elbow.limits, elbow.parent_link.name, elbow.child_link.name
        ((-0.4, 2.6), 'upper_arm', 'forearm')
        """
        joint = named('joint', self.joints, name)
        return JointItem(
            joint, None if joint.parent == NONE else self.bodies[joint.parent],
            self.bodies[joint.child],
            tuple(self.coordinates[index] for index in joint.coordinates))

    def __repr__(self) -> str:
        """Return one line: the name and what the model contains."""
        return f'<Model {self.name!r}: {contents(self)}>'


def with_text(model: Model, text: SourceText) -> Model:
    """Return a Model that is written as this text until one of its records changes."""
    return model._replace(source=SourceText(text.text, _records(model)))


def text_as_read(model: Model) -> Optional[str]:
    """Return the text that a Model was read from, None where it has none or has changed since."""
    if model.source is None or model.source.records != _records(model):
        return None
    return model.source.text


def _records(model: Model) -> tuple[object, ...]:
    """Return all fields of a Model except for its text and the files that were read for it."""
    return tuple(model._replace(source=None, files=()))


def contents(model: Model) -> str:
    """Return the format of a Model and its counts of links, joints and coordinates."""
    counts = (
        (len(model.bodies), 'link', 'links'), (len(model.joints), 'joint', 'joints'),
        (len(model.coordinates), 'coordinate', 'coordinates'))
    parts = ', '.join(f'{count} {one if count == 1 else many}' for count, one, many in counts)
    return f'{model.format} {model.version}'.rstrip() + f', {parts}'


_Record = TypeVar('_Record', Body, Joint, Configuration)


def named(kind: str, records: tuple[_Record, ...], name: str) -> _Record:
    """Return the record of this name; an unknown name raises UnknownNameError."""
    for record in records:
        if record.name == name:
            return record
    raise unknown_name(kind, name, (record.name for record in records))
