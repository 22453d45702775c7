# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The whole SDFormat document."""

from __future__ import annotations

from typing import Union

from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model, NONE
from hrdf_ros.writers.grouped_diagnostics import GroupedDiagnostics
from hrdf_ros.writers.sdf.frames import frame_elements
from hrdf_ros.writers.sdf.joints import JointWriter
from hrdf_ros.writers.sdf.links import link_element
from hrdf_ros.writers.sdf.losses import note_leftovers
from hrdf_ros.writers.sdf.plan import Group, plan_sdf
from hrdf_ros.writers.sdf.shapes import pose_element, text, value
from hrdf_ros.writers.xml import Element, Raw, raw, render

VERSIONS = ('1.8', '1.9', '1.10', '1.11', '1.12')


def write_sdf(model: Model, *, version: str = '1.12') -> tuple[str, Report]:
    """
    Return the Model as SDFormat, and what could not be said as it was.

    ``version`` is one of VERSIONS; another is a ValueError. Nested models are flattened, poses
    are those of the zero configuration, and numbers read back as the same numbers. An older
    version lacks mimic and cone (before 1.11), joints between the models of a world and
    ``screw_thread_pitch`` (before 1.10).
    """
    if version not in VERSIONS:
        raise ValueError(f'version {version} is not one of {", ".join(VERSIONS)}')
    major, minor = version.split('.')
    notes, report = GroupedDiagnostics(model.location), Report()
    writer = _Writer(model, (int(major), int(minor)), notes)
    root = Element('sdf', (('version', version),), (writer.top(),))
    note_leftovers(model, notes)
    notes.into(report)
    return render(root), report


class _Writer:
    """Writes one Model."""

    def __init__(self, model: Model, version: tuple[int, int], notes: GroupedDiagnostics) -> None:
        self._model = model
        self._version = version
        self._notes = notes
        self._plan = plan_sdf(model, notes, version)
        self._joints = JointWriter(model, self._plan, version, notes)
        self._frames = frame_elements(model, self._plan, notes)

    def top(self) -> Element:
        """Return the ``<world>`` or the ``<model>``."""
        model, plan = self._model, self._plan
        if not model.is_world:
            return self._model_element(0, plan.models[0])
        at = len(plan.models)
        gravity = [value('gravity', *model.gravity)] if model.gravity is not None else []
        models = [
            self._model_element(index, group)
            for index, group in enumerate(plan.models)]
        return Element('world', (('name', plan.world.name),), (
            *gravity, *models, *(self._joints.element(part, at) for part in plan.world.joints),
            *self._frames[at], *self._raw('')))

    def _raw(self, owner: str) -> list[Raw]:
        """Return what belongs to others and stands in a model, or in the world for ''."""
        return raw((
            extension for extension in self._model.extensions
            if extension.owner == owner and extension.tag != 'gravity'), 'sdf')

    def _model_element(self, index: int, group: Group) -> Element:
        attributes = [('name', group.name), *self._canonical(group)]
        static = group.static or not group.links
        children: list[Union[Element, Raw]] = [
            *([text('static', 'true')] if static else []), *pose_element(group.pose),
            *(link_element(link, self._model, group.pose, self._version, self._notes)
              for link in group.links),
            *(self._joints.element(part, index) for part in group.joints),
            *map(self._joints.gearbox, group.gearboxes), *self._frames[index],
            *self._raw(group.source_name)]
        return Element('model', tuple(attributes), tuple(children))

    def _canonical(self, group: Group) -> list[tuple[str, str]]:
        """Return the attribute for a canonical link that is not the first one."""
        for link in group.links[1:]:
            if link.body != NONE and link.body == self._canonical_body(group):
                return [('canonical_link', link.name)]
        return []

    def _canonical_body(self, group: Group) -> int:
        if not self._model.is_world:
            return self._model.canonical_body
        tops = (scope for scope in self._model.scopes if scope.parent == NONE)
        return next((top.canonical_body for top in tops if f'{top.name}/' == group.prefix), NONE)
