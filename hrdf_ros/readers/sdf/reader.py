# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The SDFormat reader on one page: file -> scopes -> resolved frames -> Model."""

from __future__ import annotations

from typing import Optional

from hrdf_ros import codes
from hrdf_ros.document import SourceFile, XmlElement
from hrdf_ros.model import Model
from hrdf_ros.names import renamed
from hrdf_ros.parsing.suggestions import one_of
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.sdf.assemble import assemble
from hrdf_ros.readers.sdf.build import build
from hrdf_ros.readers.sdf.files import File, read_file
from hrdf_ros.readers.sdf.frames import resolve
from hrdf_ros.readers.sdf.links import is_reserved
from hrdf_ros.readers.sdf.scopes import Scope
from hrdf_ros.readers.sdf.state import in_file_order, State

_TOPS = ('model', 'light', 'actor')


def read(source: SourceFile, context: Context) -> Optional[Model]:
    """Return the Model of an SDFormat file, None where it has none; all findings are reported."""
    state = State.of(context)
    file = read_file(source, state.syntax)
    model = _read_tops(file, state) if file is not None else None
    state.finish()
    return model if context.report.ok else None


def _read_tops(file: File, state: State) -> Optional[Model]:
    """Read and check every world and the model that stands alone; return what is wanted."""
    _check_tops(file.sdf, state)
    tops = [*_worlds(file, state), *_lone_model(file)]
    built = [(outermost, build(outermost, state)) for outermost in tops]
    in_file_order(state.semantics)
    for _, scopes in built:
        resolve(scopes, state.semantics)
    version = file.sdf.attributes['version']
    whole = [
        assemble(outermost, top, version, state)
        for outermost in tops for top in _tops_of(outermost)]
    wanted = state.context.options.model_name
    if wanted is not None:
        chosen = _model_named(wanted, tops, version, state)
    else:
        chosen = whole[0] if whole else None
    _report_choice(file.sdf, tops, chosen, state)
    for _, scopes in built:
        for scope in scopes:
            scope.release()
    return _renamed(chosen or Model('', 'sdf', version, '__root__'), state)


def _check_tops(sdf: XmlElement, state: State) -> None:
    """Of models, lights and actors a file has at most one; their names differ."""
    found = [node for tag in _TOPS for node in sdf.all(tag)]
    for node in sdf.all('world'):
        if node.get('name') in [other.get('name') for other in found]:
            state.semantics.add(
                codes.DUPLICATE_NAME, 'something beside this world is named as it is',
                node.attribute_location('name', 0), hint='gz sdf --check refuses this',
                severity='warning', reference='PARSING_ERROR')
    taken: set[tuple[str, Optional[str]]] = set()
    for node in found:
        name = node.tag, node.get('name')
        if name in taken and node.tag != 'model':  # models are found when they are read
            state.semantics.add(
                codes.DUPLICATE_NAME, f"there is a {node.tag} '{name[1]}' already",
                node.attribute_location('name', 0), reference='DUPLICATE_NAME')
        elif taken and name not in taken:
            state.semantics.add(
                codes.SDF_SEVERAL_MODELS,
                f'a file has one <{found[0].tag}>; this <{node.tag}> is one more', node.location,
                hint='put several models into a <world>')
        taken.add(name)


def _worlds(file: File, state: State) -> list[Scope]:
    worlds: list[Scope] = []
    for node in file.sdf.all('world'):
        name = node.attributes.get('name', '').strip()
        if is_reserved(name):
            state.semantics.add(
                codes.SDF_RESERVED_NAME,
                f"the world name '{name}' is reserved",
                node.attribute_location('name', 0),
            )
        if any(world.name == name for world in worlds):
            state.semantics.add(
                codes.DUPLICATE_NAME,
                f"there is a world '{name}' already",
                node.attribute_location('name', 0),
                reference='DUPLICATE_NAME',
            )
        worlds.append(Scope(name, 'world', node, file.version))
    return worlds


def _lone_model(file: File) -> list[Scope]:
    """Return the imaginary root scope around the model that stands alone, if there is one."""
    if file.sdf.child('model') is None and file.sdf.child('include') is None:
        return []
    return [Scope('', 'root', file.sdf, file.version)]


def _tops_of(outermost: Scope) -> list[Scope]:
    """Return what becomes a Model: a world, or the model in the imaginary root."""
    if outermost.kind == 'world':
        return [outermost]
    return [item.inner for item in outermost.children[:1] if item.inner is not None]


def _model_named(
    name: str, tops: list[Scope], version: str, state: State,
) -> Optional[Model]:
    """Return one model out of all worlds; what is wrong with it has been found already."""
    silent = State.of(state.context)
    for outermost in tops:
        for item in outermost.children:
            if item.name == name and item.inner is not None:
                return assemble(outermost, item.inner, version, silent)
    return None


def _renamed(model: Model, state: State) -> Model:
    """Return the model with the names that the user wants for its coordinates."""
    wanted = state.context.options.joint_names
    if not wanted:
        return model
    names = renamed(
        [each.name for each in model.coordinates], wanted, model.location, state.semantics)
    return model._replace(coordinates=tuple(
        each._replace(name=name) for each, name in zip(model.coordinates, names)))


def _report_choice(
    sdf: XmlElement, tops: list[Scope], chosen: Optional[Model], state: State,
) -> None:
    """Say what of a file did not become the Model."""
    wanted = state.context.options.model_name
    if chosen is None and wanted is not None:
        state.semantics.add(
            codes.MODEL_NOT_FOUND, f"there is no model '{wanted}' in the file", sdf.location,
            hint=one_of(wanted, [
                item.name for outermost in tops for item in outermost.children
                if item.inner is not None]))
    elif chosen is None:
        state.semantics.add(codes.SDF_NO_MODEL, 'there is no model in this file', sdf.location)
    elif wanted is not None:
        _report_world_joints(wanted, tops, state)
    else:
        for other in tops[1:]:
            world = other.kind == 'world'
            # an include that failed left nothing to speak of
            for node in [other.node] if world else [child.node for child in other.children]:
                state.semantics.add(
                    codes.SDF_NOT_LOADED, f"'{tops[0].name}' is loaded; this is checked only",
                    node.location, hint='choose a model with --model-name', severity='warning')


def _report_world_joints(wanted: str, tops: list[Scope], state: State) -> None:
    """Say which joints of the world are no part of the model that is taken out of it."""
    joints = [
        item for outermost in tops if outermost.kind == 'world' and wanted in outermost.items
        for item in outermost.children if item.kind == 'joint']
    if joints:
        names = ', '.join(f"'{item.name}'" for item in joints)
        state.semantics.add(
            codes.SDF_NOT_LOADED, f"the joints of the world are no part of '{wanted}': {names}",
            joints[0].location)
