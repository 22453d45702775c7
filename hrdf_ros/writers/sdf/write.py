# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The SDFormat document of a lowered Model.

Source names are the scoped names in the file: ``model::link`` is in a model, a name without a
scope beside the models of a world, and the body ``world`` is the world itself.
"""

from __future__ import annotations

from collections import defaultdict
import os

from hrdf_ros.diagnostics import Report
from hrdf_ros.load_result import require_model
from hrdf_ros.lowering import lower, sdf_target
from hrdf_ros.lowering.uris import NamedFile, with_uris
from hrdf_ros.model import Frame, Model, ModelScope, NONE, RawElement
from hrdf_ros.writers.sdf.joints import JointWriter
from hrdf_ros.writers.sdf.links import link_element, pose_element, text, value
from hrdf_ros.writers.sdf.names import by_scope, local_name, reference
from hrdf_ros.writers.xml import element, raws, serialize
from lxml import etree

_IMPLICIT = ('link', 'joint', 'world')
"""Kinds of frames that SDFormat has without saying so."""


def write_sdf(model: Model, *, version: str = '1.11') -> tuple[str, Report]:
    """
    Return the Model as SDFormat, and a report of what SDFormat cannot express.

    ``version`` is one of SDF_VERSIONS; another is a ValueError. Nested models are flattened, poses
    are those of the zero configuration, and numbers read back as the same numbers. An older
    version lacks mimic and cone (before 1.11), joints between the models of a world and
    ``screw_thread_pitch`` (before 1.10).
    """
    require_model(model, 'write_sdf')
    lowered = lower(model, sdf_target(version))
    top = _Writer(with_uris(lowered.model, _absolute)).top()
    return serialize(element('sdf', {'version': version}, (top,))), lowered.report


def _absolute(named: NamedFile) -> NamedFile:
    """Return the URI of a file; a path that is relative to the source becomes absolute."""
    if named.file is None or '://' in named.uri:
        return named
    return named._replace(uri=f'file://{os.path.abspath(named.file)}')


class _Writer:
    """Writes one lowered Model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._joints = JointWriter(model)
        self._extensions = defaultdict[str, list[RawElement]](list)
        for extension in model.extensions:
            self._extensions[extension.owner].append(extension)
        self._links = by_scope(model.bodies)
        self._frames = by_scope(frame for frame in model.frames if frame.kind not in _IMPLICIT)

    def top(self) -> etree._Element:
        """Return the ``<world>`` or the ``<model>``."""
        model = self._model
        models = [self._model_element(scope) for scope in model.scopes]
        if not model.is_world:
            return models[0]
        gravity = [value('gravity', *model.gravity)] if model.gravity is not None else []
        return element('world', {'name': model.name}, (
            *gravity, *models, *self._joints.elements(''), *self._frame_elements(''),
            *self._raw('')))

    def _raw(self, owner: str) -> list[etree._Element]:
        """Return the XML of other programs in a model, or in the world for ''."""
        return raws(self._extensions[owner], 'sdf')

    def _model_element(self, scope: ModelScope) -> etree._Element:
        name = scope.source_name
        links = self._links[name]
        attributes = {'name': name}
        canonical = None if scope.canonical_body == NONE else (
            self._model.bodies[scope.canonical_body])
        if canonical is not None and canonical is not links[0]:
            attributes['canonical_link'] = local_name(canonical.source_name)
        return element('model', attributes, (
            *([text('static', 'true')] if scope.static else []), *pose_element(scope.pose),
            *(link_element(body, scope.pose) for body in links), *self._joints.elements(name),
            *self._frame_elements(name), *self._raw(name)))

    def _frame_elements(self, scope: str) -> list[etree._Element]:
        return [self._frame(frame, scope) for frame in self._frames[scope]]

    def _frame(self, frame: Frame, scope: str) -> etree._Element:
        body = self._model.bodies[frame.body]
        return element('frame', {
            'name': local_name(frame.source_name),
            'attached_to': reference(body.source_name, scope)}, pose_element(frame.pose))
