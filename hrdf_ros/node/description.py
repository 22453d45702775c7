# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Loading the description of parameters or topic: at the start, on request, on changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
import gc
import threading
import time
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.file_watch import FileWatch
from hrdf_ros.node.callbacks import create_service, create_timer, refused, safe_callback
from hrdf_ros.node.cdr import Malformed, read_string
from hrdf_ros.node.jobs import first_error, LoadAnswer, LoadJob, model_file, refusal
from hrdf_ros.node.robot import Robot
from hrdf_ros.node.settings import RELOADING, Settings
from hrdf_ros.node.texts import short
from hrdf_ros.node.worker import Worker, WorkerError
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String
from std_srvs.srv import Trigger

LATCHED_QOS = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_WATCH_PERIOD = 0.2


class DescriptionError(RuntimeError):
    """The description that the node was started with cannot be used; the reason was logged."""


class Loaded(NamedTuple):
    """A robot, its URDF, and the diagnostics of writing that."""

    robot: Robot
    urdf: str
    written: Report


class DescriptionLoader:
    """
    Loads descriptions by a worker, and has the robots published.

    ``failed`` are the diagnostics of the last description if it has errors.
    """

    def __init__(
        self, node: Node, settings: Settings, worker: Worker,
        publish: Callable[[Loaded, Settings], None], log: Callable[[Report], None],
    ) -> None:
        self._node = node
        self._worker = worker
        self._publish = publish
        self._log = log
        self.settings = settings
        self.failed: Optional[Report] = None
        self._heard = ''
        self._lock = threading.Lock()
        self._watch = FileWatch(())
        self._group = MutuallyExclusiveCallbackGroup()
        self._timer = create_timer(node, _WATCH_PERIOD, self._look_at_files, self._group)
        self._follow(settings)

    def start(self, *, required: bool = True) -> None:
        """
        Load the description of the parameters; without one, wait for the topic.

        Raises DescriptionError if it has errors, is ``required``, and is not watched.
        """
        settings = self.settings
        if not settings.is_described:
            self._node.get_logger().info(
                'neither model nor robot_description is set: waiting for a description on the '
                'topic robot_description')
            self._node.create_subscription(
                String, 'robot_description', safe_callback(self._on_description, self._node),
                LATCHED_QOS, callback_group=self._group, raw=True)
        elif self.load() is None and required and not settings.watch:
            raise DescriptionError('the description cannot be used')
        create_service(
            self._node, Trigger, '~/reload', self._on_reload, refused, self._group)

    def load(self) -> Optional[Loaded]:
        """Load the description and have it published if it is good; log the diagnostics."""
        with self._lock:
            loaded = self._read(self.settings)
            if loaded is not None:
                self._publish(loaded, self.settings)
            return loaded

    def prepare(self, settings: Settings) -> Optional[Loaded]:
        """Return the robot of other settings, not yet published; None if it has errors."""
        with self._lock:
            return self._read(settings)

    def accept(self, settings: Settings, prepared: Optional[Loaded]) -> None:
        """Use other settings from now on, and publish the robot prepared for them."""
        with self._lock:
            self.settings = settings
            self._follow(settings)
            if prepared is not None:
                self._publish(prepared, settings)

    def _follow(self, settings: Settings) -> None:
        """Watch the files or not."""
        if settings.watch:
            self._timer.reset()
        else:
            self._timer.cancel()

    def needs_reload(self, settings: Settings) -> bool:
        """Return whether other settings describe another robot."""
        differs = any(
            getattr(settings, name) != getattr(self.settings, name) for name in RELOADING)
        return differs and self.is_described(settings)

    def is_described(self, settings: Settings) -> bool:
        """Return whether there is a description, of the parameters or the topic."""
        return self._with_heard(settings).is_described

    @property
    def reason(self) -> str:
        """The first error of the last description, on one line."""
        return '' if self.failed is None else first_error(self.failed)

    def _read(self, settings: Settings) -> Optional[Loaded]:
        began = time.time_ns()
        answer = self._ask(settings)
        self._log(answer.report)
        files: tuple[str, ...] = answer.files
        if answer.description is None:  # an error may be in a file that was not reached
            files = (*files, *self._watch.files, model_file(settings))
        self._watch = FileWatch(tuple(dict.fromkeys(filter(None, files))), began)
        self.failed = answer.report if answer.description is None else None
        if answer.description is None:
            return None
        with out_of_collections():
            robot = Robot(answer.description._replace(urdf=''), settings, answer.report)
        return Loaded(robot, answer.description.urdf, answer.written)

    def _ask(self, settings: Settings) -> LoadAnswer:
        try:
            answer = self._worker.run(
                LoadJob(self._with_heard(settings)), settings.request_timeout)
        except WorkerError as error:
            return LoadAnswer(
                None, refusal(f'the description was not loaded: {error}'), Report(), ())
        assert isinstance(answer, LoadAnswer)
        return answer

    def _with_heard(self, settings: Settings) -> Settings:
        """Return the settings, with the description of the topic if they name none."""
        if settings.is_described:
            return settings
        return settings._replace(robot_description=self._heard)

    def _on_description(self, data: bytes) -> None:
        """
        Load a description from the topic, unless the parameters name one.

        It is taken as bytes: rclpy keeps the interpreter to itself while it makes a message.
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
        """Read the description again."""
        if not self.is_described(self.settings):
            response.message = 'neither model nor robot_description is set'
            return response
        loaded = self.load()
        response.success = loaded is not None
        response.message = (
            self.reason if loaded is None
            else f"loaded '{short(loaded.robot.description.name)}'")
        return response

    def _look_at_files(self) -> None:
        """Reload if a watched file has changed."""
        if self._watch.changed():
            self._node.get_logger().info('a file of the model changed')
            self.load()


@contextmanager
def out_of_collections() -> Iterator[None]:
    """
    Keep all objects of now and of the context out of garbage collections.

    A collection over a robot of thousands of links delays joint states by 40 ms. Robots have no
    reference cycles: each is freed with its last reference.
    """
    gc.collect(1)
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()
