# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Where validate and convert are served: in a process of their own, or in the node.

Taking a text of 50 MB from the middleware keeps the interpreter to itself for 70 ms and more,
which joint states would have to wait for. So the services live in a second process with a ROS
node of its own, which has the work done by a worker; should it end, it is started again.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import NamedTuple, Optional, Protocol

from hrdf_ros.node.file_services import FileServices, MAX_WAITING, Published
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.worker import InProcessWorker, ProcessWorker
from hrdf_ros.node.worker_process import LENGTH, receive
import rclpy
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup, ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

_START = (
    'import sys; sys.path[:] = {path!r}; from hrdf_ros.node.file_server import main, Place; '
    'main({descriptor}, {place!r})')
_NICE = 5
_PAUSE = 1.0
"""Seconds before a process that ended is started again."""


_NO_LOG_FILES = ('--ros-args', '--disable-external-lib-logs', '--disable-rosout-logs')


class Place(NamedTuple):
    """Where in the ROS graph the services are offered."""

    domain: int
    name: str
    namespace: str
    services: tuple[str, str]


class Offered(Protocol):
    """The services that are offered somewhere."""

    def update(self, settings: Settings, loaded: Optional[bytes]) -> None:
        """Use other settings, and what the node has loaded meanwhile."""

    def end(self) -> None:
        """Stop."""


def offer_file_services(node: Node, isolation: str) -> Offered:
    """Offer validate and convert for a node."""
    names = node.resolve_service_name('~/validate'), node.resolve_service_name('~/convert')
    return FileServer(node, names) if isolation == 'process' else OwnServices(node, names)


class OwnServices:
    """The services in the node's own process."""

    def __init__(self, node: Node, names: tuple[str, str]) -> None:
        self._published = Published()
        FileServices(
            node, names, InProcessWorker(), lambda: self._published,
            MutuallyExclusiveCallbackGroup())

    def update(self, settings: Settings, loaded: Optional[bytes]) -> None:
        """Use other settings, and what the node has loaded meanwhile."""
        self._published = Published(settings, loaded)

    def end(self) -> None:
        """Nothing is to be stopped."""


class FileServer:
    """The services in a process of their own, started again whenever it ends."""

    def __init__(self, node: Node, names: tuple[str, str]) -> None:
        self._node = node
        self._place = Place(
            domain=node.context.get_domain_id(), name=f'{node.get_name()}_files',
            namespace=node.get_namespace(), services=names)
        self._data = b''
        self._changed = threading.Condition()
        self._ended = False
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._thread = threading.Thread(target=self._run, name='file_server', daemon=True)
        self._thread.start()

    def update(self, settings: Settings, loaded: Optional[bytes]) -> None:
        """Use other settings, and what the node has loaded meanwhile."""
        data = pickle.dumps(Published(settings, loaded))
        with self._changed:
            self._data = data
            self._changed.notify()

    def end(self) -> None:
        """Kill the process."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        process = self._process
        if process is not None:
            process.kill()
        self._thread.join(timeout=2.0)

    def _run(self) -> None:
        while not self._ended:
            try:
                channel = self._spawn()
            except OSError as error:
                self._node.get_logger().error(
                    f'no process can be spawned for validate and convert ({error}); the parameter '
                    'isolation:=none has them served by the node')
                return
            self._feed(channel)
            if self._process is not None:
                self._process.kill()
                self._process.wait()
            if not self._ended:
                self._node.get_logger().warning(
                    'the process that serves validate and convert ended; it is started again')
                time.sleep(_PAUSE)

    def _spawn(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        code = _START.format(path=sys.path, descriptor=theirs.fileno(), place=self._place)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, '-c', code], stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),), start_new_session=True)
        return ours

    def _feed(self, channel: socket.socket) -> None:
        """Send every update until the process ends."""
        sent = b''
        threading.Thread(target=self._notice_end, args=(channel,), daemon=True).start()
        with channel:
            while not self._ended:
                with self._changed:
                    while self._data is sent and not self._ended and self._is_running():
                        self._changed.wait()
                    sent = self._data
                if self._ended or not self._is_running():
                    return
                try:
                    channel.sendall(LENGTH.pack(len(sent)))
                    channel.sendall(sent)
                except OSError:
                    return

    def _is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _notice_end(self, channel: socket.socket) -> None:
        """Wake the feeding thread when the process has closed its end."""
        try:
            channel.recv(1)
        except OSError:
            pass
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        with self._changed:
            self._changed.notify()


# ---- the process

def main(descriptor: int, place: Place) -> None:
    """Serve validate and convert until the node is gone."""
    os.nice(_NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = socket.socket(fileno=descriptor)
    rclpy.init(
        args=list(_NO_LOG_FILES), domain_id=place.domain,
        signal_handler_options=SignalHandlerOptions.NO)
    node = Node(
        place.name, namespace=place.namespace, start_parameter_services=False,
        enable_rosout=False)
    worker = ProcessWorker()
    worker.start()
    published = receive(channel)

    def update() -> None:
        nonlocal published
        try:
            while True:
                published = receive(channel)
        except (EOFError, OSError):
            worker.end()
            os._exit(0)

    FileServices(node, place.services, worker, lambda: published, ReentrantCallbackGroup())
    threading.Thread(target=update, daemon=True).start()
    executor = MultiThreadedExecutor(MAX_WAITING + 4)
    executor.add_node(node)
    executor.spin()
