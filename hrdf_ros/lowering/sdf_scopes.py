# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The models of an SDFormat file, the names in them, and their frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
import re
from typing import NamedTuple

from hrdf_ros import codes
from hrdf_ros.fields import default_of
from hrdf_ros.listing import GroupedDiagnostics
from hrdf_ros.lowering.sdf_world import world_bodies
from hrdf_ros.model import Body, Constraint, Frame, Joint, Model, ModelScope, NONE
from hrdf_ros.model.raw_xml import parsed
from hrdf_ros.names import Names
from hrdf_ros.parsing.sdf import is_reserved

WORLD = -1
"""The scope of items that a world holds besides its models."""
_WORLD = 'world'
_DELIMITER = '::'
_SPACES = re.compile(r'[ \t\n\r]+')
_UNIQUE = re.compile(r'(_joint|_frame)?(_\d+)?')
"""A pattern for the suffix that a reader appends to a name that another item has."""
_IMPLICIT = ('link', 'joint', 'world')
"""The kinds of frames that SDFormat has without a ``<frame>`` element."""
_NAMED = ('frame', 'joint', 'link', 'model')
"""The elements in a model that are in the one namespace of its links, joints and frames."""


class SdfNames:
    """
    The names taken in one model or world; the first claim keeps its name.

    Links, joints and frames are one namespace in SDFormat. Links give way to joints: programs
    move a robot by the names of its joints.
    """

    def __init__(self, notes: GroupedDiagnostics) -> None:
        self._notes = notes
        self._names = Names()
        self._of_joints: set[str] = set()

    def reserve(self, name: str) -> None:
        """Keep a name for a joint."""
        self._of_joints.add(_legal(name, 'joint'))

    def hold(self, name: str) -> None:
        """Take the name of an element that is written as it is."""
        self._names.claim(name)

    def claim(self, name: str, kind: str) -> str:
        """Take a name and return it, changed if it is reserved, contains ``::`` or is taken."""
        legal = _legal(name, kind)
        if kind == 'link' and legal in self._of_joints:
            legal += '/body'
        free = self._names.claim(legal, f'_{kind}')
        if name and free != name:
            self._notes.add(
                codes.NAME_CHANGED,
                'names are changed because SDFormat has one namespace and reserved words',
                f'{name} -> {free}', severity='info')
        return free


def _legal(name: str, kind: str) -> str:
    """
    Return a name without ``::`` that SDF 1.7 and 1.8 do not reserve.

    An element that refers to the name has it as text, where white space reads as one space.
    """
    name = _SPACES.sub(' ', name.strip().replace(_DELIMITER, '/')) or kind
    return f'{name}_{kind}' if is_reserved(name) else name


class _Scope(NamedTuple):
    """
    A model of the file with the names taken in it.

    Names in the Model begin with ``prefix``, source names with ``source``, and names in the
    lowered Model with ``joined``. ``above`` are the models around it, the outermost first.
    """

    record: ModelScope
    prefix: str
    source: str
    joined: str
    above: tuple[int, ...]
    names: SdfNames

    def local(self, name: str, source_name: str) -> str:
        """
        Return the name of an item without the names of the models around it.

        The file's own name counts, unless the item was renamed since it was read.
        """
        scope, _, local = source_name.rpartition(_DELIMITER)
        own = name.removeprefix(self.prefix)
        return local if scope and scope == self.source and _is_same(own, local) else own


def _is_same(name: str, local: str) -> bool:
    """Return whether a name in the Model is the name in the file, or was made unique from it."""
    return name.startswith(local) and _UNIQUE.fullmatch(name, len(local)) is not None


class Scopes:
    """
    The models of an SDFormat file, and the bodies in them.

    ``scope_of[body]`` is the index of a scope, or WORLD; ``new_owner`` maps the source names of
    the scopes that remain to their scoped names in the file. Nested models stay, unless they are
    ``flat``.
    """

    def __init__(self, model: Model, flat: bool, notes: GroupedDiagnostics) -> None:
        self._model = model
        self._notes = notes
        self._world = SdfNames(notes)
        self._scopes: list[_Scope] = []
        self.new_owner: dict[str, str] = {}
        self.model_name = SdfNames(notes).claim(
            model.name, _WORLD if model.is_world else 'model')
        self.is_nested = model.conventions.nested_names and not flat
        self._by_source: dict[str, int] = {}
        if self.is_nested:
            self._by_source.update(
                (scope.source_name, index) for index, scope in enumerate(model.scopes))
            for scope in model.scopes:
                self._add(scope, scope.parent)
        elif model.is_world:
            for scope in model.scopes:
                if scope.parent == NONE:
                    self._add(scope, WORLD)
        self._note_differences()
        if model.is_world:
            self.new_owner[''] = ''
        elif not self._scopes:
            self._add_only()
        self._by_owner = {
            source: at for source, scoped in self.new_owner.items()
            for at, scope in enumerate(self._scopes) if scope.record.source_name == scoped}
        self._of_prefix = {
            scope.prefix: at for at, scope in reversed(list(enumerate(self._scopes)))}
        self._lengths = {len(prefix) for prefix in self._of_prefix}
        worlds = world_bodies(model)
        self.scope_of = [
            WORLD if index in worlds else self._scope_of(body.name, body.source_name)
            for index, body in enumerate(model.bodies)]
        self._reserve()

    # ---- models

    def _note_differences(self) -> None:
        """Note what a world lacks, and differences between a Model and its outermost scope."""
        model = self._model
        for field in ('static', 'pose', 'canonical_body') if model.is_world else ():
            if getattr(model, field) != default_of(Model, field):
                self._notes.add(
                    codes.DETAIL_NOT_REPRESENTABLE, f'a world of SDFormat has no {field}',
                    model.name, model.location, severity='warning')
        for field in () if model.is_world or not self.is_nested or not model.scopes else (
                'name', 'static', 'pose', 'canonical_body'):
            if getattr(model, field) != getattr(model.scopes[0], field):
                self._notes.add(
                    codes.DETAIL_NOT_REPRESENTABLE,
                    f'{field} of the Model differs from that of its outermost scope, which is '
                    'written', model.name, model.location, severity='warning')

    def _add_only(self) -> None:
        """Add the one model that all nested models become."""
        model = self._model
        tops = [scope for scope in model.scopes if scope.parent == NONE]
        source_name = tops[0].source_name if tops else model.name
        self._add(ModelScope(
            model.name, source_name, static=model.static, pose=model.pose,
            canonical_body=model.canonical_body, location=model.location,
            namespace=tops[0].namespace if tops else ''), WORLD)

    def _add(self, scope: ModelScope, parent: int) -> None:
        """Add a model to the scope around it."""
        above = () if parent == WORLD else (*self._scopes[parent].above, parent)
        local = scope.source_name.rpartition(_DELIMITER)[2] if above else scope.name
        if above:
            around = self._scopes[parent]
            own = scope.name.removeprefix(around.prefix)
            local = local if _is_same(own, local) else own
            name = around.names.claim(local, 'model')
            scoped = f'{around.record.source_name}{_DELIMITER}{name}'
            joined = f'{around.joined}{name}/'
        elif self._model.is_world:
            name = scoped = self._world.claim(local, 'model')
            joined = f'{name}/'
        else:
            name, scoped, joined = self.model_name, self.model_name, ''
        prefix = f'{scope.name}/' if above or self._model.is_world else ''
        self.new_owner.setdefault(scope.source_name, scoped)
        self._scopes.append(_Scope(
            scope._replace(name=name, source_name=scoped, parent=parent), prefix,
            scope.source_name if self.is_nested else '', joined, above, SdfNames(self._notes)))

    def _scope_of(self, name: str, source_name: str) -> int:
        """Return the scope that a name belongs to; in a world the name begins with it."""
        if self.is_nested:
            found = self._by_source.get(source_name.rpartition(_DELIMITER)[0])
            if found is not None:
                return found
        by_prefix = (self._of_prefix.get(name[:length]) for length in self._lengths)
        at = min((at for at in by_prefix if at is not None), default=None)
        if at is None:
            alone, at = self._world.claim(name, 'model'), len(self._scopes)
            self._add(ModelScope(alone, ''), WORLD)
            self._of_prefix.setdefault(f'{name}/', at)
            self._lengths.add(len(name) + 1)
        return at

    def records(self) -> tuple[ModelScope, ...]:
        """Return the scopes with their bodies; a scope without links is static."""
        filled = {above for scope in self.scope_of for above in self._around(scope)}
        self._notes.about(
            codes.DETAIL_NOT_REPRESENTABLE,
            'the canonical link of a model is in that model; these are omitted',
            *(scope.record for index, scope in enumerate(self._scopes)
              if scope.record.canonical_body != NONE
              and self.scope_of[scope.record.canonical_body] != WORLD
              and not self._is_in(scope.record.canonical_body, index)))
        return tuple(
            scope.record._replace(
                static=scope.record.static or index not in filled,
                canonical_body=scope.record.canonical_body
                if self._is_in(scope.record.canonical_body, index) else NONE)
            for index, scope in enumerate(self._scopes))

    def is_static(self, body: int) -> bool:
        """Return whether the model of a body, or a model that contains this model, is static."""
        return any(self._scopes[index].record.static for index in self._around(
            self.scope_of[body]))

    def _around(self, scope: int) -> tuple[int, ...]:
        """Return a scope and the scopes around it, the outermost first."""
        return () if scope == WORLD else (*self._scopes[scope].above, scope)

    def _is_in(self, body: int, scope: int) -> bool:
        return body != NONE and scope in self._around(self.scope_of[body])

    def common(self, scopes: Iterable[int], source_name: str = '') -> int:
        """
        Return the scope from which items of all these scopes can be named.

        The result is the scope of ``source_name`` if it is one of these, else the innermost.
        """
        around = [self._around(scope) for scope in scopes]
        shared = [
            parts[0] for parts in zip(*around) if all(part == parts[0] for part in parts)]
        if self.is_nested:
            own = self._by_source.get(source_name.rpartition(_DELIMITER)[0])
            if own is not None and own in shared:
                return own
        return shared[-1] if shared else WORLD

    # ---- names

    def claim_body(self, index: int, body: Body) -> tuple[str, str]:
        """Take the name of a body in its scope; return its name and scoped name."""
        scope = self.scope_of[index]
        if scope == WORLD:
            return _WORLD, _WORLD
        return self.claim(scope, body.name, 'link', body.source_name)

    def claim(
        self, scope: int, name: str, kind: str, source_name: str = '',
    ) -> tuple[str, str]:
        """Take a name in a scope or the world; return the Model's name and the scoped name."""
        if scope == WORLD:
            free = self._world.claim(name, kind)
            return free, free
        space = self._scopes[scope]
        free = space.names.claim(space.local(name, source_name), kind)
        return space.joined + free, f'{space.record.source_name}{_DELIMITER}{free}'

    def _reserve(self) -> None:
        """
        Take the names of raw elements, and reserve those of joints.

        A link, joint or frame that has the name of a raw element gets another name, and so does a
        link that has the name of a joint.
        """
        for raw in self._model.extensions:
            owner = self._by_owner.get(raw.owner)
            if raw.tag in _NAMED and 'sdf' in raw.held_by and owner is not None:
                element = parsed(raw)
                if element is not None:
                    self._scopes[owner].names.hold(element.get('name') or '')
        for joint in self._model.joints:
            scope = self.scope_of[joint.child]
            if scope != WORLD:
                space = self._scopes[scope]
                for name in _names_of(joint, self._model):
                    space.names.reserve(
                        space.local(name, joint.source_name if name == joint.name else ''))

    # ---- frames

    def frames(
        self, bodies: Sequence[Body], constraints: Sequence[Constraint],
    ) -> Iterator[Frame]:
        """Yield the frames of links and gearboxes, and frames with elements of their own."""
        model = self._model
        for index, (body, scope) in enumerate(zip(bodies, self.scope_of)):
            yield Frame(
                body.name, body.source_name, 'world' if scope == WORLD else 'link', index)
        of_joints = {
            frame.location: frame for frame in reversed(model.frames) if frame.kind == 'joint'}
        for constraint in constraints:
            if constraint.location in of_joints:
                yield of_joints[constraint.location]._replace(
                    name=constraint.name, source_name=constraint.source_name)
        for frame in model.frames:
            is_scope = frame.kind == 'model' and frame.source_name in self.new_owner
            own = frame.name == model.bodies[frame.body].name
            if not (frame.kind in _IMPLICIT or 'sdf' in frame.held_by or is_scope or own):
                yield from self._explicit_frame(frame)

    def _explicit_frame(self, frame: Frame) -> Iterator[Frame]:
        """Yield a frame in the scope of its name if its link can be named there, else outside."""
        scope = self.scope_of[frame.body]
        if scope == WORLD and not self._model.is_world:
            self._notes.about(
                codes.FRAME_NOT_REPRESENTABLE,
                'a model of SDFormat has no frames fixed to the world; these are omitted', frame)
            return
        around = self._around(scope)
        own = self._by_source.get(frame.source_name.rpartition(_DELIMITER)[0], WORLD)
        scope = own if own in around else next((
            at for at in reversed(around) if frame.name.startswith(self._scopes[at].prefix)),
            WORLD)
        name, source_name = self.claim(scope, frame.name, 'frame', frame.source_name)
        yield frame._replace(name=name, source_name=source_name)


def _names_of(joint: Joint, model: Model) -> Iterator[str]:
    """Yield the names of the joints that stand for a joint, those of a URDF if possible."""
    whole = len(joint.motions) == 2 and all(
        motion.kind == 'revolute' for motion in joint.motions)
    for motion in joint.motions:
        if motion.kind != 'rotation_vector' and not whole:
            yield model.coordinates[motion.coordinates[0]].name
    if whole or all(motion.kind == 'rotation_vector' for motion in joint.motions):
        yield joint.name
