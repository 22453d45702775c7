# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The SDFormat reader on one page: file -> scopes -> resolved frames -> Model."""

from __future__ import annotations

from typing import Optional

from hrdf_ros.document import Node, Source
from hrdf_ros.model import Model
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.sdf.assemble import assemble
from hrdf_ros.readers.sdf.build import build
from hrdf_ros.readers.sdf.files import File, read_file
from hrdf_ros.readers.sdf.frames import resolve
from hrdf_ros.readers.sdf.scopes import Scope
from hrdf_ros.readers.sdf.state import in_file_order, State

_TOPS = ('model', 'light', 'actor')


def read(source: Source, context: Context) -> Optional[Model]:
    """Return the Model of an SDFormat file, None where it has none; all findings are reported."""
    state = State.of(context)
    file = read_file(source, state.syntax)
    model = _read_tops(file, state) if file is not None else None
    state.finish()
    return model if context.report.ok else None


def _read_tops(file: File, state: State) -> Optional[Model]:
    """Read every world, then the model that stands alone; the first of them is the answer."""
    _check_tops(file.sdf, state)
    tops = [*_worlds(file, state), *_lone_model(file)]
    wanted = state.context.options.model
    chosen: Optional[Model] = None
    built = [(outermost, build(outermost, state)) for outermost in tops]
    in_file_order(state.semantics)
    for outermost, scopes in built:
        resolve(scopes, state.semantics)
        top = _choose(outermost, wanted) if chosen is None else None
        if top is not None:
            chosen = assemble(outermost, top, file.sdf.attributes['version'], state)
    _report_choice(file.sdf, tops, chosen, state)
    return chosen or Model('', 'sdf', file.sdf.attributes['version'], '__root__')


def _check_tops(sdf: Node, state: State) -> None:
    """Of models, lights and actors a file has at most one."""
    found = [node for tag in _TOPS for node in sdf.all(tag)]
    for node in found[1:]:
        state.semantics.error(
            'sdf-several-models',
            f'a file has one <{found[0].tag}>; this <{node.tag}> is one more', node.place,
            hint='put several models into a <world>', reference='ELEMENT_INCORRECT_TYPE')


def _worlds(file: File, state: State) -> list[Scope]:
    worlds: list[Scope] = []
    for node in file.sdf.all('world'):
        name = node.attributes.get('name', '').strip()
        if any(world.name == name for world in worlds):
            state.semantics.error(
                'sdf-duplicate-name', f"there is a world '{name}' already", node.at('name', 0),
                reference='DUPLICATE_NAME')
        worlds.append(Scope(name, 'world', node, file.version))
    return worlds


def _lone_model(file: File) -> list[Scope]:
    """Return the imaginary root scope around the model that stands alone, if there is one."""
    if file.sdf.child('model') is None and file.sdf.child('include') is None:
        return []
    return [Scope('', 'root', file.sdf, file.version)]


def _choose(outermost: Scope, wanted: Optional[str]) -> Optional[Scope]:
    """Return the scope that the user wants: a model by its name, else what stands outermost."""
    if wanted is not None:
        names = (item for item in outermost.children if item.name == wanted)
        return next((item.inner for item in names), None)
    if outermost.kind == 'world':
        return outermost
    return outermost.children[0].inner if outermost.children else None


def _report_choice(
    sdf: Node, tops: list[Scope], chosen: Optional[Model], state: State,
) -> None:
    """Say what of a file did not become the Model."""
    wanted = state.context.options.model
    if chosen is None and wanted is not None:
        state.semantics.error(
            'sdf-model-not-found', f"there is no model '{wanted}' in the file", sdf.place)
    elif chosen is None:
        state.semantics.warning('sdf-no-model', 'there is no model in this file', sdf.place)
    elif wanted is None:
        for other in tops[1:]:
            world = other.kind == 'world'
            # an include that failed left nothing to speak of
            for node in [other.node] if world else [child.node for child in other.children]:
                state.semantics.warning(
                    'sdf-not-loaded', f"'{tops[0].name}' is loaded; this is checked only",
                    node.place, hint='choose a model with --model')
