# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the launch files start: the node, RViz for its robot, sliders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
import os
import tempfile
from typing import Any, NamedTuple, Optional

from hrdf_ros.node.jobs import Description, LoadAnswer, LoadJob
from hrdf_ros.node.launch_arguments import (
    Argument,
    is_true,
    missing_packages,
    NAMESPACE,
    parameter_arguments,
    parameters,
    settings,
    USE_SIM_TIME,
)
from hrdf_ros.node.rviz_config import rviz_config, RvizScene, scene_of
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.worker import make_worker, WorkerError
from launch.actions import (
    DeclareLaunchArgument,
    LogInfo,
    OpaqueFunction,
    RegisterEventHandler,
    Shutdown,
)
from launch.event_handlers import OnShutdown
from launch.launch_context import LaunchContext
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

_GUI, _RVIZ, _RVIZ_CONFIG = 'gui', 'rviz', 'rviz_config'
VIEW_ARGUMENTS = (
    Argument(_GUI, 'true', 'move the joints with sliders: joint_state_publisher_gui'),
    Argument(_RVIZ, 'true', 'start RViz'),
    Argument(_RVIZ_CONFIG, '', "a configuration of RViz's; by default one made for the robot"))
_SLIDERS = 'joint_state_publisher_gui'


def declare(arguments: Sequence[Argument], **defaults: Any) -> list[DeclareLaunchArgument]:
    """Return the actions that declare arguments, some with other defaults."""
    return [
        DeclareLaunchArgument(
            name, default_value=defaults.get(name, default), description=description)
        for name, default, description in arguments]


def node_description() -> list[Any]:
    """Return what hrdf.launch.py consists of."""
    return [
        *declare((*parameter_arguments(), NAMESPACE)),
        OpaqueFunction(function=lambda context: [
            node_action(context.launch_configurations)])]


def view_description() -> list[Any]:
    """Return what view.launch.py consists of: with sliders all joints are shown."""
    return [
        *declare((*VIEW_ARGUMENTS, *parameter_arguments(), NAMESPACE),
                 publish_initial=LaunchConfiguration(_GUI)),
        OpaqueFunction(function=view_actions)]


def node_action(given: Mapping[str, str], **options: Any) -> Node:
    """Return the node with the parameters that were given."""
    found = parameters(given)
    settings({name: value for name, value in found.items() if name != USE_SIM_TIME})
    # without a type a text is read as YAML: a model_name of 007 would be a number
    typed = {name: ParameterValue(value, value_type=list[str] if isinstance(value, list)
                                  else type(value)) for name, value in found.items()}
    return Node(
        package='hrdf_ros', executable='hrdf_node', name='hrdf_ros', output='screen',
        namespace=given['namespace'], parameters=[typed] if typed else [], **options)


class _View(NamedTuple):
    """What view.launch.py was asked for."""

    given: Mapping[str, str]
    settings: Settings

    def wants(self, name: str) -> bool:
        return is_true(name, self.given[name])

    def beside(self, package: str, **options: Any) -> Node:
        """Return another program in the namespace of the node, with its clock."""
        clock = {USE_SIM_TIME: self.wants(USE_SIM_TIME)}
        return Node(
            package=package, executable=package, namespace=self.given['namespace'],
            parameters=[clock], **options)


def view_actions(context: LaunchContext) -> list[Any]:
    """
    Return the node, sliders and RViz; raise RuntimeError where a package is missing.

    The node comes with its robot: a description with errors starts the node alone, which says
    what they are and ends, unless it is to watch the files.
    """
    given = context.launch_configurations
    found = {name: value for name, value in parameters(given).items() if name != USE_SIM_TIME}
    view = _View(given, settings(found))
    _require_packages(view)
    node = node_action(given, on_exit=Shutdown(reason='hrdf_node ended'))
    is_described = view.settings.is_described
    description = _load(view.settings) if is_described else None
    if is_described and description is None and not view.settings.watch:
        return [node]
    actions: list[Any] = [node]
    if view.wants(_GUI):
        actions.append(view.beside(_SLIDERS))
    if view.wants(_RVIZ):
        actions += _rviz(view, description)
    return actions


def _require_packages(view: _View) -> None:
    needed = {}
    if view.wants(_GUI):
        needed[_SLIDERS] = 'gui:=false to do without sliders'
    if view.wants(_RVIZ):
        needed['rviz2'] = 'rviz:=false to do without RViz'
    missing = missing_packages(needed)
    if missing:
        raise RuntimeError(missing)


def _load(wanted: Settings) -> Optional[Description]:
    """Return what the node will publish, read in a process of its own, None with errors."""
    worker = make_worker('process')
    try:
        answer = worker.run(LoadJob(wanted), wanted.request_timeout)
    except WorkerError:
        return None  # the node will say why
    finally:
        worker.end()
    assert isinstance(answer, LoadAnswer)
    return answer.description


def _rviz(view: _View, description: Optional[Description]) -> list[Any]:
    """Return RViz with the user's configuration, or with one for the robot."""
    file = view.given[_RVIZ_CONFIG]
    if file:
        return [view.beside('rviz2', arguments=['-d', file])]
    prefix = view.settings.frame_prefix
    scene = RvizScene(root=f'{prefix}base_link') if description is None else scene_of(
        description, prefix)
    descriptor, file = tempfile.mkstemp(prefix='hrdf_ros_', suffix='.rviz')
    with os.fdopen(descriptor, 'w') as stream:
        stream.write(rviz_config(scene, view.given['namespace'], prefix))

    def remove(*_: Any) -> None:
        with suppress(FileNotFoundError):
            os.unlink(file)

    actions = [
        view.beside('rviz2', arguments=['-d', file]),
        RegisterEventHandler(OnShutdown(on_shutdown=remove))]
    if prefix and not prefix.endswith('/'):
        actions.append(LogInfo(msg=(
            f"RViz cannot show the robot's links with the frame_prefix '{prefix}': it puts a "
            'slash behind a prefix; TF is shown')))
    return actions
