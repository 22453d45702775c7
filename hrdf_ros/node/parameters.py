# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The settings as parameters of a ROS node: declared, checked, followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Optional

from hrdf_ros.node.callbacks import safe_callback
from hrdf_ros.node.description import DescriptionLoader, Loaded
from hrdf_ros.node.settings import (
    BadSetting,
    changed,
    DESCRIPTIONS,
    MAX_FREQUENCY,
    READ_ONLY,
    Settings,
)
from hrdf_ros.node.texts import one_line
from hrdf_ros.parsing.suggestions import suggestion
from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor, SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter

_OF_ROS = ('qos_overrides.', 'use_sim_time', 'start_type_description_service')


def declare(node: Node) -> Settings:
    """Declare all parameters on a node and return their values."""
    values = {}
    for name, default in Settings()._asdict().items():
        # An empty list has no type yet, and a whole number may be given for a float.
        descriptor = ParameterDescriptor(
            description=DESCRIPTIONS[name], dynamic_typing=isinstance(default, (tuple, float)),
            read_only=name in READ_ONLY)
        if name == 'publish_frequency':
            descriptor.floating_point_range = [
                FloatingPointRange(from_value=0.0, to_value=MAX_FREQUENCY)]
        declared = node.declare_parameter(
            name, list(default) if isinstance(default, tuple) else default, descriptor)
        if declared.value is not None:
            values[name] = declared.value
    _warn_of_unknown(node)
    return changed(Settings(), values)


def _warn_of_unknown(node: Node) -> None:
    """Warn of given parameters that do not exist, as far as rclpy reveals them."""
    given: Mapping[str, object] = getattr(node, '_parameter_overrides', {})
    for name in given:
        if node.has_parameter(name) or name.startswith(_OF_ROS):
            continue
        hint = suggestion(name, Settings._fields)
        node.get_logger().warning(one_line(f"there is no parameter '{name}'{hint}"))


class ParameterCallbacks:
    """Refuses invalid parameters; loads a new description before it accepts it."""

    def __init__(
        self, node: Node, loader: DescriptionLoader, follow: Callable[[Settings], None],
    ) -> None:
        self._loader = loader
        self._follow = follow
        self._prepared: Optional[Loaded] = None
        node.add_pre_set_parameters_callback(_empty_description)
        node.add_on_set_parameters_callback(safe_callback(
            self._set_parameters, node, lambda reason, _: _refused(reason)))
        node.add_post_set_parameters_callback(safe_callback(self._accept, node))

    def _set_parameters(self, parameters: Sequence[Parameter]) -> SetParametersResult:
        loader = self._loader
        try:
            settings = changed(
                loader.settings, {parameter.name: parameter.value for parameter in parameters})
        except BadSetting as error:
            return _refused(str(error))
        if loader.is_described(loader.settings) and not loader.is_described(settings):
            return _refused('neither model nor robot_description would be set')
        self._prepared = None
        if loader.needs_reload(settings):
            self._prepared = loader.prepare(settings)
            if self._prepared is None:
                return _refused(loader.reason)
        return SetParametersResult(successful=True)

    def _accept(self, parameters: Sequence[Parameter]) -> None:
        """Follow parameters that were accepted."""
        settings = changed(
            self._loader.settings, {parameter.name: parameter.value for parameter in parameters})
        prepared, self._prepared = self._prepared, None
        self._loader.accept(settings, prepared)
        self._follow(settings)


def _empty_description(parameters: list[Parameter]) -> list[Parameter]:
    """Empty ``robot_description``, which counts more than ``model``, if ``model`` is set last."""
    names = [each.name for each in parameters if each.value]
    if 'model' not in names or 'robot_description' in names[names.index('model'):]:
        return parameters
    return [
        *(each for each in parameters if each.name != 'robot_description'),
        Parameter('robot_description', value='')]


def _refused(reason: str) -> SetParametersResult:
    return SetParametersResult(successful=False, reason=reason)
