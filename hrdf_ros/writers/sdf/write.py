# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The SDFormat document of a lowered Model.

Source names are the scoped names in the file: ``model::link`` is in a model, a name without a
scope beside the models of a world, and the body ``world`` is the world itself.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
import os

from hrdf_ros import codes
from hrdf_ros.diagnostics import listed, Report
from hrdf_ros.load_result import require_model
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import sdf_target
from hrdf_ros.model import Frame, Model, ModelScope, NONE, RawElement
from hrdf_ros.pose import IDENTITY, relative
from hrdf_ros.writers.files import NamedFile, with_uris
from hrdf_ros.writers.sdf.joints import (
    body_names,
    by_scope,
    first_in_scopes,
    Indexed,
    JointWriter,
    reference,
)
from hrdf_ros.writers.sdf.links import (
    link_element,
    local_name,
    pose_element,
    SUBNORMAL,
    text,
    value,
)
from hrdf_ros.writers.xml import element, raws, serialize
from lxml import etree

_IMPLICIT = ('link', 'joint', 'world')
"""Kinds of frames that SDFormat has without saying so."""


def write_sdf(
    model: Model, *, version: str = '1.11', flatten: bool = False,
) -> tuple[str, Report]:
    """
    Return the Model as SDFormat, and a report of what SDFormat cannot express.

    ``version`` is one of SDF_VERSIONS; another is a ValueError. Nested models of SDFormat stay,
    unless ``flatten`` makes one model of them. Poses are those of the zero configuration, and
    numbers read back as the same numbers. An older
    version lacks mimic and cone (before 1.11), joints between the models of a world and
    ``screw_thread_pitch`` (before 1.10).

    >>> from hrdf_ros import load_model, write_sdf
    >>> text, report = write_sdf(load_model('examples/hrdf/arm_6dof.hrdf'))
    >>> text.splitlines()[1], report.ok
    ('<sdf version="1.11">', True)
    """
    require_model(model, 'write_sdf')
    lowered = lower(model, sdf_target(version, flat=flatten))
    top = _Writer(with_uris(lowered.model, _absolute)).top()
    _report_subnormal(top, lowered.report)
    return serialize(element('sdf', {'version': version}, (top,))), lowered.report


def _absolute(named: NamedFile) -> NamedFile:
    """Return the URI of a file; a path that is relative to the source becomes absolute."""
    if named.file is None or '://' in named.uri:
        return named
    return named._replace(uri=f'file://{os.path.abspath(named.file)}')


def _report_subnormal(top: etree._Element, report: Report) -> None:
    """Report the numbers that became 0, and remove the marks of their elements."""
    names = []
    for marked in top.findall(f'.//*[@{SUBNORMAL}]'):
        del marked.attrib[SUBNORMAL]
        owner = next(each for each in marked.iterancestors() if 'name' in each.attrib)
        names.append(f"{owner.get('name')}: {marked.tag}")
    if names:
        report.add(
            codes.DETAIL_NOT_REPRESENTABLE,
            'SDFormat has no numbers nearer to 0 than 2.2e-308; they are written as 0: '
            f'{listed(names)}', subjects=tuple(names))


class _Writer:
    """Writes one lowered Model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._joints = JointWriter(model)
        self._bodies = body_names(model)
        self._extensions = defaultdict[str, list[RawElement]](list)
        for extension in model.extensions:
            self._extensions[extension.owner].append(extension)
        self._links = by_scope(model.bodies)
        self._first = first_in_scopes(model)
        self._frames = by_scope(frame for frame in model.frames if frame.kind not in _IMPLICIT)

    def top(self) -> etree._Element:
        """Return the ``<world>`` or the ``<model>``."""
        model = self._model
        models = self._models()
        if not model.is_world:
            return models[0]
        gravity = [value('gravity', *model.gravity)] if model.gravity is not None else []
        return element('world', {'name': model.name}, (
            *gravity, *models, *(joint for _, joint in self._joints.elements('')),
            *self._frame_elements(''), *self._raw('')))

    def _raw(self, owner: str) -> list[etree._Element]:
        """Return the XML of other programs in a model, or in the world for ''."""
        return raws(self._extensions[owner], 'sdf')

    def _models(self) -> list[etree._Element]:
        """Return the models that are in no other; a model is built after those in it."""
        built = defaultdict[int, list[Indexed[etree._Element]]](list)
        for index in reversed(range(len(self._model.scopes))):
            scope = self._model.scopes[index]
            model = self._model_element(scope, built.pop(index, [])[::-1])
            built[scope.parent].append((index, model))
        return [model for _, model in reversed(built[NONE])]

    def _model_element(
        self, scope: ModelScope, nested: list[Indexed[etree._Element]],
    ) -> etree._Element:
        name = scope.source_name
        included = [each for each in self._extensions[name] if each.tag == 'include']
        if included:
            return raws(included, 'sdf')[0]
        links = self._links[name]
        attributes = {'name': local_name(name)}
        implied = links[0][0] if links else next(
            (self._model.scopes[index].canonical_body for index, _ in nested), NONE)
        if scope.canonical_body not in (NONE, implied):
            attributes['canonical_link'] = reference(self._bodies[scope.canonical_body], name)
        above = IDENTITY if scope.parent == NONE else self._model.scopes[scope.parent].pose
        return element('model', attributes, (
            *([text('static', 'true')] if scope.static else []),
            *pose_element(relative(above, scope.pose)), *self._content(scope, nested),
            *self._frame_elements(name), *self._raw(name)))

    def _content(
        self, scope: ModelScope, nested: list[Indexed[etree._Element]],
    ) -> Iterator[etree._Element]:
        """
        Yield links, nested models and joints in the order of the Model.

        Which joint closes a loop depends on the order.
        """
        links = deque(self._links[scope.source_name])
        joints = deque(self._joints.elements(scope.source_name))
        for index, model in nested:
            body, joint = self._first[self._model.scopes[index].source_name]
            while links and links[0][0] < body:
                yield link_element(links.popleft()[1], scope.pose)
            while joints and joints[0][0] < joint:
                yield joints.popleft()[1]
            yield model
        yield from (link_element(link, scope.pose) for _, link in links)
        yield from (joint for _, joint in joints)

    def _frame_elements(self, scope: str) -> list[etree._Element]:
        return [self._frame(frame, scope) for _, frame in self._frames[scope]]

    def _frame(self, frame: Frame, scope: str) -> etree._Element:
        return element('frame', {
            'name': local_name(frame.source_name),
            'attached_to': reference(self._bodies[frame.body], scope)}, pose_element(frame.pose))
