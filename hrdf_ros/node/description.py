# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Load the description from parameters or the topic: at the start, on request, and on changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
import threading
import time
from typing import Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.file_reader import FileWatch
from hrdf_ros.node import callbacks
from hrdf_ros.node.answers import LoadAnswer
from hrdf_ros.node.cdr import Malformed, read_string
from hrdf_ros.node.log_text import first_error, one_line, refusal, short
from hrdf_ros.node.rclpy_internals import given_parameters
from hrdf_ros.node.requests import load_description
from hrdf_ros.node.robot_publisher import RobotPublisher
from hrdf_ros.node.settings import (
    BadSetting,
    changed,
    DESCRIPTIONS,
    READ_ONLY,
    RELOADING,
    Settings,
)
from hrdf_ros.node.worker import Worker, WorkerError
from hrdf_ros.parsing.suggestions import suggestion
from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node
from rclpy.parameter import Parameter
from std_msgs.msg import String
from std_srvs.srv import Trigger

_WATCH_PERIOD = 0.2
"""The time in seconds between two checks whether a watched file has changed."""
_DESCRIBING = ('model', 'robot_description')
"""The parameters that name a description."""
_OF_ROS = ('qos_overrides.', 'use_sim_time', 'start_type_description_service')
"""The prefixes of the names of parameters that belong to ROS."""


class DescriptionLoader:
    """
    Loads descriptions in a worker, publishes the robots, and follows the parameters.

    ``failed`` has the diagnostics of the last description if that has errors, else None. If
    ``model`` names the robot, the parameter ``robot_description`` shows the published text.
    """

    def __init__(
        self, node: Node, settings: Settings, worker: Worker, publisher: RobotPublisher,
    ) -> None:
        self._node = node
        self._worker = worker
        self._publisher = publisher
        self.settings = settings
        self.failed: Optional[Report] = None
        self._heard = ''
        self._published = ''
        """The published text of the robot that ``model`` names."""
        self._readable = ''
        """The text that ``robot_description`` shows; setting the same text changes nothing."""
        self._prepared: Optional[LoadAnswer] = None
        self._lock = threading.Lock()
        self._watch = FileWatch(())
        self._group = MutuallyExclusiveCallbackGroup()
        self._timer = callbacks.create_timer(node, _WATCH_PERIOD, self._look_at_files, self._group)
        (self._timer.reset if settings.watch else self._timer.cancel)()

    def start(self, *, required: bool = True) -> None:
        """
        Load the description of the parameters; without one, wait for the topic.

        BadSetting is raised if the description has errors, is ``required``, and is not watched.
        """
        settings = self.settings
        if not settings.is_described:
            why = 'use_robot_description_topic is true' if settings.use_robot_description_topic \
                else 'neither model nor robot_description is set'
            self._node.get_logger().info(
                f'{why}: waiting for a description on the topic robot_description')
            self._node.create_subscription(
                String, 'robot_description',
                callbacks.safe_callback(self._on_description, self._node),
                callbacks.LATCHED_QOS, callback_group=self._group, raw=True)
        elif self.load() is None and required and not settings.watch:
            raise BadSetting('the description cannot be used')
        callbacks.create_service(
            self._node, Trigger, '~/reload', self._on_reload, callbacks.refused, self._group)

    def load(self) -> Optional[str]:
        """
        Load the description, and publish it unless it has errors.

        The result is the robot's name, or None.
        """
        with self._lock:
            answer = self._read(self.settings)
            if answer.model is None:
                return None
            self._publish(answer)
            return answer.model.name

    def _publish(self, answer: LoadAnswer) -> None:
        self._publisher.publish(answer, self.settings)
        self._published = answer.urdf
        self._show_description()

    def _show_description(self) -> None:
        """Make the parameter ``robot_description`` show the text of the robot."""
        settings = self.settings
        self._readable = settings.robot_description or (settings.model and self._published)
        name = 'robot_description'
        if self._node.get_parameter(name).value != self._readable:
            self._node.set_parameters([Parameter(name, value=self._readable)])

    def _is_setting(self, parameter: Parameter) -> bool:
        """Return whether a user has set a parameter, rather than ``_show_description``."""
        return parameter.name != 'robot_description' or parameter.value != self._readable

    def follow_parameters(self, follow: Callable[[Settings], None]) -> None:
        """
        Call ``follow`` with the settings whenever new parameters were accepted.

        Invalid parameters are refused, and a new description is loaded before it is accepted.
        """
        node = self._node

        def accept(parameters: Sequence[Parameter]) -> None:
            if settings := list(filter(self._is_setting, parameters)):
                self._accept(settings)
                follow(self.settings)

        node.add_pre_set_parameters_callback(_empty_description)
        node.add_on_set_parameters_callback(callbacks.safe_callback(
            self._set_parameters, node, lambda reason, _: _refused(reason)))
        node.add_post_set_parameters_callback(callbacks.safe_callback(accept, node))

    def _set_parameters(self, parameters: Sequence[Parameter]) -> SetParametersResult:
        parameters = list(filter(self._is_setting, parameters))
        if not parameters:
            return SetParametersResult(successful=True)
        before = self.settings
        if before.use_robot_description_topic and any(
                parameter.value for parameter in parameters if parameter.name in _DESCRIBING):
            return _refused('use_robot_description_topic: the description comes from the topic')
        try:
            settings = _with(before, parameters)
        except BadSetting as error:
            return _refused(str(error))
        is_described = self._with_heard(settings).is_described
        if self._with_heard(before).is_described and not is_described:
            return _refused('neither model nor robot_description would be set')
        self._prepared = None
        if is_described and any(
                getattr(settings, name) != getattr(before, name) for name in RELOADING):
            with self._lock:
                answer = self._read(settings)
            if answer.model is None:
                return _refused(first_error(answer.report))
            self._prepared = answer
        return SetParametersResult(successful=True)

    def _accept(self, parameters: Sequence[Parameter]) -> None:
        """Use parameters from now on, and publish the robot that was prepared for them."""
        prepared, self._prepared = self._prepared, None
        with self._lock:
            self.settings = _with(self.settings, parameters)
            (self._timer.reset if self.settings.watch else self._timer.cancel)()
            if prepared is not None:
                self._publish(prepared)
            else:
                self._show_description()

    def _read(self, settings: Settings) -> LoadAnswer:
        """Read a description and log its diagnostics."""
        began = time.time_ns()
        try:
            answer = self._worker.run(
                settings.request_timeout,
                partial(load_description, self._with_heard(settings)), is_load=True)
        except WorkerError as error:
            answer = LoadAnswer(refusal(f'the description was not loaded: {error}'), ())
        self._publisher.log(answer.report)
        self.failed = answer.report if answer.model is None else None
        files = answer.files
        if answer.model is None:  # the file to correct may not have been reached
            files = (*files, *self._watch.files, settings.file)
        self._watch = FileWatch(tuple(dict.fromkeys(filter(None, files))), began)
        return answer

    def _with_heard(self, settings: Settings) -> Settings:
        """Return the settings, with the description from the topic if the settings name none."""
        if settings.is_described:
            return settings
        return settings._replace(robot_description=self._heard)

    def _on_description(self, data: bytes) -> None:
        """
        Load a description from the topic, unless the parameters name one.

        The message is received as bytes: no other thread runs while rclpy makes a message object.
        """
        if self.settings.is_described:
            return
        try:
            self._heard = read_string(data)
        except Malformed as error:
            self._node.get_logger().warning(
                f'ignored a message on robot_description: {error}', throttle_duration_sec=1.0)
            return
        self.load()

    def _on_reload(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        """Load the description again."""
        if not self._with_heard(self.settings).is_described:
            response.message = 'neither model nor robot_description is set'
            return response
        name = self.load()
        response.success = name is not None
        response.message = (
            first_error(self.failed) if name is None else f"loaded '{short(name)}'")
        return response

    def _look_at_files(self) -> None:
        """Load the description again if a watched file has changed."""
        if self._watch.changed():
            self._node.get_logger().info('a file of the model changed')
            self.load()


# ---- parameters

def declare(node: Node) -> Settings:
    """Declare all parameters on a node; return their values."""
    values = {}
    for name, default in Settings()._asdict().items():
        # An empty list has no type yet, and a float may be given as a whole number.
        descriptor = ParameterDescriptor(
            description=DESCRIPTIONS[name], dynamic_typing=isinstance(default, (tuple, float)),
            read_only=name in READ_ONLY)
        declared = node.declare_parameter(
            name, list(default) if isinstance(default, tuple) else default, descriptor)
        if declared.value is not None:
            values[name] = declared.value
    _warn_of_unknown(node)
    settings = changed(Settings(), values)
    if settings.use_robot_description_topic and settings.is_described:
        node.get_logger().warning(
            'use_robot_description_topic is true: model and robot_description are ignored')
        settings = settings._replace(model='', robot_description='')
    return settings


def _warn_of_unknown(node: Node) -> None:
    """Warn about given parameters that do not exist, if rclpy says which were given."""
    for name in given_parameters(node):
        if node.has_parameter(name) or name.startswith(_OF_ROS):
            continue
        hint = suggestion(name, Settings._fields)
        node.get_logger().warning(one_line(f"there is no parameter '{name}'{hint}"))


def _empty_description(parameters: list[Parameter]) -> list[Parameter]:
    """Empty ``robot_description`` if ``model`` is set after it, since it would take precedence."""
    names = [each.name for each in parameters if each.value]
    if 'model' not in names or 'robot_description' in names[names.index('model'):]:
        return parameters
    return [
        *(each for each in parameters if each.name != 'robot_description'),
        Parameter('robot_description', value='')]


def _with(settings: Settings, parameters: Sequence[Parameter]) -> Settings:
    return changed(settings, {parameter.name: parameter.value for parameter in parameters})


def _refused(reason: str) -> SetParametersResult:
    return SetParametersResult(successful=False, reason=reason)
