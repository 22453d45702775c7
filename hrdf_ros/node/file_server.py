# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Where validate and convert are served: in a process of their own, or in the node.

Taking a text of 50 MB from the middleware keeps the interpreter to itself for 70 ms and more,
which joint states would have to wait for. So the services live in a second process with a ROS
node of its own, which has the work done by a worker; should it end, it is started again. One such
process serves all robots of a fleet.
"""

from __future__ import annotations

from contextlib import suppress
import os
import pickle
import select
import signal
import socket
import subprocess
import threading
import time
from typing import Optional, Protocol

from hrdf_ros.node.child_process import spawn
from hrdf_ros.node.file_services import FileServices, MAX_WAITING, Published
from hrdf_ros.node.memory import resident, return_memory_soon
from hrdf_ros.node.safe_callback import spin_on
from hrdf_ros.node.settings import Settings
from hrdf_ros.node.worker import InProcessWorker, ProcessWorker, Worker
from hrdf_ros.node.worker_process import LENGTH, receive
import rclpy
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup, ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions

_NICE = 5
_PAUSE = 1.0
"""Seconds before a process that ended is started again."""
_MAX_MEMORY = 1 << 30
"""Bytes that the process may hold; requests that make it more get no answer."""
_SILENCE = 60.0
"""Seconds between two reports that no process can be spawned."""
_LOOK = 0.05
"""Seconds between looks at the memory."""
_BEAT = 1.0
"""Seconds between two signs of life of the process."""
_SILENT = 30.0
"""Seconds without one until it is killed; it may take some to start on a busy machine."""
_GRACE = 0.8
"""Seconds that it has for coming to an end."""
_MAX_BEATS = 64
_NO_LOG_FILES = ('--ros-args', '--disable-external-lib-logs', '--disable-rosout-logs')

ServiceNames = tuple[str, str]
"""Those of validate and convert, with the namespace."""


class Offered(Protocol):
    """The services that are offered somewhere."""

    def update(self, settings: Settings, loaded: Optional[bytes]) -> None:
        """Use other settings, and what the node has loaded meanwhile."""

    def stop(self) -> None:
        """Begin to stop, without waiting for it."""

    def end(self) -> None:
        """Stop."""


def offer_file_services(node: Node, isolation: str) -> Offered:
    """Offer validate and convert for a node."""
    if isolation == 'process':
        return FileServer(node).offer(node)
    return OwnServices(node, service_names(node), InProcessWorker())


def service_names(node: Node) -> ServiceNames:
    """Return the names of a node's services."""
    return node.resolve_service_name('~/validate'), node.resolve_service_name('~/convert')


class OwnServices:
    """The services in the node's own process."""

    def __init__(self, node: Node, names: ServiceNames, worker: Worker) -> None:
        self._published = Published()
        FileServices(
            node, names, worker, lambda: self._published,
            MutuallyExclusiveCallbackGroup())

    def update(self, settings: Settings, loaded: Optional[bytes]) -> None:
        """Use other settings, and what the node has loaded meanwhile."""
        self._published = Published(settings, loaded)

    def stop(self) -> None:
        """Nothing is to be stopped."""

    def end(self) -> None:
        """Nothing is to be stopped."""


class ServedServices:
    """The services of one node, which a FileServer serves; ends with it."""

    def __init__(self, server: FileServer, names: ServiceNames) -> None:
        self._server = server
        self._names = names

    def update(self, settings: Settings, loaded: Optional[bytes]) -> None:
        """Use other settings, and what the node has loaded meanwhile."""
        self._server.update(self._names, Published(settings, loaded))

    def stop(self) -> None:
        """Let the process end."""
        self._server.stop()

    def end(self) -> None:
        """Let the process end, wait for it, and kill it if that takes long."""
        self._server.end()


class FileServer:
    """The services of some nodes in one process, started again whenever it ends."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._arguments = {
            'domain': node.context.get_domain_id(), 'name': f'{node.get_name()}_files',
            'namespace': node.get_namespace(), 'memory': _MAX_MEMORY}
        self._data: dict[ServiceNames, bytes] = {}
        self._unsent: dict[ServiceNames, None] = {}
        self._changed = threading.Condition()
        self._ended = False
        self._channel: Optional[socket.socket] = None
        self._gone: Optional[socket.socket] = None
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._thread = threading.Thread(target=self._run, name='file_server', daemon=True)
        self._thread.start()

    def offer(self, node: Node) -> ServedServices:
        """Offer the services of a node, as soon as it is said what it has loaded."""
        return ServedServices(self, service_names(node))

    def update(self, names: ServiceNames, published: Published) -> None:
        """Let the services of these names use other settings, and what is loaded meanwhile."""
        data = pickle.dumps((names, published))
        with self._changed:
            self._data[names] = data
            self._unsent[names] = None
            self._changed.notify()

    def stop(self) -> None:
        """Let the process end."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        if self._channel is not None:
            with suppress(OSError):  # it is closed already
                self._channel.shutdown(socket.SHUT_RDWR)  # what is being sent is not waited for

    def end(self) -> None:
        """Let the process end, wait for it, and kill it if that takes long."""
        self.stop()
        self._thread.join(timeout=2.0 * _GRACE)

    def _run(self) -> None:
        while not self._ended:
            try:
                self._process, self._channel = spawn(
                    'hrdf_ros.node.file_server', **self._arguments)
            except OSError as error:
                self._node.get_logger().error(
                    f'no process can be spawned for validate and convert ({error}); the parameter '
                    'isolation:=none has them served by the node',
                    throttle_duration_sec=_SILENCE)
            else:
                self._feed(self._channel)
                self._reap()
                if not self._ended:
                    self._node.get_logger().warning(
                        'the process that serves validate and convert ended; it is started again')
            with self._changed:
                self._changed.wait_for(lambda: self._ended, _PAUSE)

    def _feed(self, channel: socket.socket) -> None:
        """Send every update until the process ends or shall end."""
        threading.Thread(target=self._notice_end, args=(channel,), daemon=True).start()
        with self._changed:
            self._unsent = dict.fromkeys(self._data)
        with channel:
            try:
                while (data := self._next_update(channel)) is not None:
                    channel.sendall(LENGTH.pack(len(data)))
                    channel.sendall(data)
                channel.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended

    def _next_update(self, channel: socket.socket) -> Optional[bytes]:
        """Wait for something that this process has not got; None where there is no more."""
        with self._changed:
            while not (self._ended or self._gone is channel):
                if self._unsent:
                    names = next(iter(self._unsent))
                    del self._unsent[names]
                    return self._data[names]
                self._changed.wait()
        return None

    def _reap(self) -> None:
        """Wait for the process, whose socket is closed, for a while."""
        assert self._process is not None
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _kill_silent(self) -> None:
        self._node.get_logger().warning(
            'the process that serves validate and convert gives no sign of life; it is killed')
        if self._process is not None:
            self._process.kill()

    def _notice_end(self, channel: socket.socket) -> None:
        """Wake the feeding thread when the process has ended; end one that is silent."""
        try:
            readable = select.poll()
            readable.register(channel, select.POLLIN)
            while readable.poll(1000.0 * _SILENT):
                if not channel.recv(_MAX_BEATS):
                    break
            else:
                self._kill_silent()
        except (OSError, ValueError):  # it is closed
            return
        with self._changed:
            self._gone = channel
            self._changed.notify()


# ---- the process

def main(descriptor: int, *, domain: int, name: str, namespace: str, memory: int) -> None:
    """
    Serve validate and convert until the node closes its end of the socket.

    The process is a node of this name in the graph; ``memory`` is in bytes.
    """
    os.nice(_NICE)
    return_memory_soon()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = socket.socket(fileno=descriptor)
    threading.Thread(target=_give_signs_of_life, args=(channel,), daemon=True).start()
    rclpy.init(
        args=list(_NO_LOG_FILES), domain_id=domain,
        signal_handler_options=SignalHandlerOptions.NO)
    node = Node(
        name, namespace=namespace, start_parameter_services=False, enable_rosout=False)
    worker = ProcessWorker()
    worker.start()
    published: dict[ServiceNames, Published] = {}
    executor = MultiThreadedExecutor(MAX_WAITING + 4)
    try:
        _take(receive(channel), published, node, worker)
        executor.add_node(node)
        threading.Thread(
            target=spin_on, args=(executor, node, threading.Event()), daemon=True).start()
        threading.Thread(target=_watch_memory, args=(channel, memory), daemon=True).start()
        while True:
            _take(receive(channel), published, node, worker)
    except (EOFError, OSError):
        _leave(node, executor, worker)


def _take(
    update: tuple[ServiceNames, Published], published: dict[ServiceNames, Published],
    node: Node, worker: Worker,
) -> None:
    """Remember what is published; offer the services of names that are new."""
    names, now = update
    is_new = names not in published
    published[names] = now
    if is_new:
        FileServices(node, names, worker, lambda: published[names], ReentrantCallbackGroup())


def _give_signs_of_life(channel: socket.socket) -> None:
    with suppress(OSError):  # it is closed
        while True:
            channel.send(b'.')
            time.sleep(_BEAT)


def _watch_memory(channel: socket.socket, most: int) -> None:
    """
    End in good order when the requests that wait are too large.

    The middleware takes what clients send before anybody can refuse it.
    """
    used = 0
    while used <= most:
        time.sleep(_LOOK)
        with suppress(OSError):  # no file can be opened just now
            used = resident()
    channel.shutdown(socket.SHUT_RDWR)


def _leave(node: Node, executor: MultiThreadedExecutor, worker: ProcessWorker) -> None:
    """End in good order, but soon: what the middleware has in shared memory must be freed."""
    timer = threading.Timer(_GRACE, os._exit, (0,))
    timer.daemon = True
    timer.start()
    worker.end()
    executor.shutdown(timeout_sec=_GRACE / 2.0)
    node.destroy_node()
    rclpy.try_shutdown()
    os._exit(0)
