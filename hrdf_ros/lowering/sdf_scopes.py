# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The models that a Model is in SDFormat, their namespaces, and the world above them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hrdf_ros import codes
from hrdf_ros.diagnostics import GroupedDiagnostics
from hrdf_ros.lowering.sdf_names import SdfNames
from hrdf_ros.model import Body, Joint, Model, ModelScope, NONE
from hrdf_ros.topology import reverse

WORLD = -1
"""The scope of what is beside the models of a world."""
_WORLD = 'world'


def world_above(model: Model, notes: GroupedDiagnostics) -> Model:
    """Return the Model with no joint whose child is the world, which SDFormat does not allow."""
    worlds = world_bodies(model)
    joints = []
    for joint in model.joints:
        if joint.child in worlds and joint.parent not in worlds:
            notes.add(
                codes.JOINT_REVERSED,
                'joints are written with parent and child exchanged: the world cannot be a child',
                joint.name, joint.location)
            joint = reverse(joint)
        joints.append(joint)
    return model._replace(joints=tuple(joints))


def world_bodies(model: Model) -> set[int]:
    """Return the bodies that stand for the world: bare ones with its frame, or roots so named."""
    children = {joint.child for joint in model.joints}
    framed = {
        frame.body for frame in model.frames
        if frame.kind == _WORLD and frame.name == model.bodies[frame.body].name}
    return {
        index for index, body in enumerate(model.bodies)
        if body.inertia is None and not body.visuals and not body.collisions
        and (index in framed or body.name == _WORLD and index not in children)}


class _Namespace:
    """A scope with the names taken in it; its names in the Model begin with ``prefix``."""

    def __init__(
        self, scope: ModelScope, prefix: str, is_world: bool, notes: GroupedDiagnostics,
    ) -> None:
        self.scope = scope
        self.prefix = prefix
        self._joined = f'{scope.name}/' if is_world else ''
        self._names = SdfNames(notes)

    def reserve(self, names: Iterable[str]) -> None:
        """Keep names for joints: a link that has one of them gets another."""
        for name in names:
            self._names.reserve(name.removeprefix(self.prefix))

    def claim(self, name: str, kind: str) -> tuple[str, str]:
        """Take a name of the Model; return the one in the lowered Model and the scoped one."""
        local = self._names.claim(name.removeprefix(self.prefix), kind)
        return self._joined + local, f'{self.scope.name}::{local}'


def _names_of(joint: Joint, model: Model) -> Iterator[str]:
    """Yield what the joints that stand for a joint are called: as in a URDF, where they can be."""
    whole = len(joint.motions) == 2 and all(
        motion.kind == 'revolute' for motion in joint.motions)
    for motion in joint.motions:
        if motion.kind != 'rotation_vector' and not whole:
            yield model.coordinates[motion.coordinates[0]].name
    if whole or all(motion.kind == 'rotation_vector' for motion in joint.motions):
        yield joint.name


class Namespaces:
    """
    The scopes of an SDFormat file, and which bodies are in them.

    ``scope_of[body]`` is the index of a scope, or WORLD; ``new_owner`` maps the source names of
    the scopes that remain to what they are called in the file.
    """

    def __init__(self, model: Model, notes: GroupedDiagnostics) -> None:
        self._model = model
        self._notes = notes
        worlds = world_bodies(model)
        self._world = SdfNames(notes)
        tops = [scope for scope in model.scopes if scope.parent == NONE]
        self.scope_of: list[int] = []
        self.new_owner: dict[str, str] = {}
        self.model_name = SdfNames(notes).claim(
            model.name, _WORLD if model.is_world else 'model')
        self._spaces: list[_Namespace] = []
        if model.is_world:
            self.new_owner[''] = ''
            for top in tops:
                self._add(top, self._world.claim(top.name, 'model'), f'{top.name}/')
        else:
            source_name = tops[0].source_name if tops else model.name
            only = ModelScope(
                model.name, source_name, static=model.static, pose=model.pose,
                canonical_body=model.canonical_body, location=model.location)
            self._add(only, self.model_name, '')
        self._of_prefix = {
            space.prefix: at for at, space in reversed(list(enumerate(self._spaces)))}
        self._lengths = {len(prefix) for prefix in self._of_prefix}
        for index, body in enumerate(model.bodies):
            self.scope_of.append(WORLD if index in worlds else self._of_name(body.name))
        for joint in model.joints:
            if self.scope_of[joint.child] != WORLD:
                self._spaces[self.scope_of[joint.child]].reserve(_names_of(joint, model))

    def _add(self, scope: ModelScope, name: str, prefix: str) -> None:
        self.new_owner.setdefault(scope.source_name, name)
        self._spaces.append(_Namespace(
            scope._replace(name=name, source_name=name, parent=NONE), prefix,
            self._model.is_world, self._notes))

    def claim_body(self, index: int, name: str) -> tuple[str, str]:
        """Take the name of a body in its scope; return its name and scoped name."""
        scope = self.scope_of[index]
        return (name, _WORLD) if scope == WORLD else self.claim_in(scope, name, 'link')

    def claim_in(self, scope: int, name: str, kind: str) -> tuple[str, str]:
        """Take a name in a scope or the world; return the Model's name and the scoped name."""
        if scope == WORLD:
            free = self._world.claim(name, kind)
            return free, free
        return self._spaces[scope].claim(name, kind)

    def holds(self, scope: int, name: str) -> bool:
        """Return whether a name of the Model belongs to a scope."""
        return scope != WORLD and name.startswith(self._spaces[scope].prefix)

    def scopes(self, bodies: Sequence[Body]) -> tuple[ModelScope, ...]:
        """Return the scopes with what is in them; one without links is static."""
        filled = set(self.scope_of)
        return tuple(
            space.scope._replace(
                static=space.scope.static or index not in filled,
                canonical_body=space.scope.canonical_body
                if self._is_in(space.scope.canonical_body, index) else NONE)
            for index, space in enumerate(self._spaces))

    def _is_in(self, body: int, scope: int) -> bool:
        return body != NONE and self.scope_of[body] == scope

    def _of_name(self, name: str) -> int:
        """Return the scope that a name belongs to: in a world the one that it begins with."""
        found = (self._of_prefix.get(name[:length]) for length in self._lengths)
        at = min((at for at in found if at is not None), default=None)
        if at is None:
            alone, at = self._world.claim(name, 'model'), len(self._spaces)
            self._add(ModelScope(alone, ''), alone, f'{name}/')
            self._of_prefix.setdefault(f'{name}/', at)
            self._lengths.add(len(name) + 1)
        return at
