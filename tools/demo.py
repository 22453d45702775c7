# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The demo: an animated node on a bundled arm, and the messages that arrive from it.

The exit status is 0 only if everything arrived: robot_description, static and moving transforms,
and the answers of live lookups.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
import re
import signal
import subprocess
import sys
from threading import Thread
import time
from typing import Any, Optional

from hrdf_ros_interfaces.srv import LookupFrame
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

_TAG = 'tool'
_REFRESH = 0.5
_PROGRESS = 5.0
_PATIENCE = 30.0
_LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_START = 'import sys; from hrdf_ros.node import main; sys.exit(main())'


class Listener(Node):
    """Counts messages and keeps looking up the pose of the tool."""

    def __init__(self) -> None:
        super().__init__('hrdf_demo')
        self.counts = {'/joint_states': 0, '/tf': 0}
        self.description = ''
        self.static: list[str] = []
        self.answer: Any = None
        self.answers = 0
        self._asked: Any = None
        for topic, kind in (('/joint_states', JointState), ('/tf', TFMessage)):
            self.create_subscription(kind, topic, self._counter(topic), 100)
        self.create_subscription(TFMessage, '/tf_static', self._on_static, _LATCHED)
        self.create_subscription(String, '/robot_description', self._on_description, _LATCHED)
        self._lookup = self.create_client(LookupFrame, '/hrdf_ros/lookup_frame')

    def _counter(self, topic: str) -> Any:
        def count(_: Any) -> None:
            self.counts[topic] += 1
        return count

    def _on_static(self, message: TFMessage) -> None:
        self.static = [transform.child_frame_id for transform in message.transforms]

    def _on_description(self, message: String) -> None:
        self.description = message.data

    def ask(self) -> None:
        """Send a lookup unless one is under way."""
        if self._asked is None and self._lookup.service_is_ready():
            self._asked = self._lookup.call_async(LookupFrame.Request(frame=_TAG))
            self._asked.add_done_callback(self._on_answer)

    def _on_answer(self, future: Any) -> None:
        self._asked = None
        self.answer = future.result()
        self.answers += bool(self.answer.success)

    @property
    def complete(self) -> bool:
        """Whether every topic and an answer have arrived."""
        return bool(
            all(self.counts.values()) and self.description and self.static and self.answers)


class ViewerPage:
    """`hrdf view --ros` in a process of its own."""

    def __init__(self) -> None:
        self._address = ''
        self._process = subprocess.Popen(
            [sys.executable, '-m', 'hrdf_ros.cli', 'view', '--ros', '--no-open'],
            start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            found = re.search(r'http://\S+', line)
            self._address = found[0] if found else self._address

    @property
    def text(self) -> str:
        """The address of the page, or why there is none."""
        if self._process.poll() is not None:
            return 'there is no viser here: no viewer'
        return self._address or 'starting'

    def end(self) -> None:
        """End the process of the viewer."""
        stop(self._process)


def page(listener: Listener, robot: Path, rates: dict[str, float], viewer: ViewerPage) -> str:
    """Return the text to show: topics with rates, and the last answer."""
    lines = [
        f'hrdf_ros demo: {robot.name}, animated. Ctrl-C ends it.',
        '',
        f'  in the browser      {viewer.text}',
        '',
        f'  /robot_description  {len(listener.description):>8} characters of URDF',
        f'  /tf_static          {len(listener.static):>8} fixed transforms',
        *(f'  {topic:<18}  {rate:>8.1f} messages/s' for topic, rate in rates.items()),
        '',
        f"  /hrdf_ros/lookup_frame  frame: '{_TAG}'",
    ]
    if listener.answer is None:
        return '\n'.join([*lines, '    waiting for the service'])
    if not listener.answer.success:
        return '\n'.join([*lines, f'    {listener.answer.message}'])
    transform = listener.answer.transform
    at, turned = transform.transform.translation, transform.transform.rotation
    return '\n'.join([
        *lines,
        f'    {listener.answer.frame_id} in {transform.header.frame_id}'
        f' ({listener.answers} answers)',
        f'    position     {at.x:+.4f} {at.y:+.4f} {at.z:+.4f}',
        f'    orientation  {turned.x:+.4f} {turned.y:+.4f} {turned.z:+.4f} {turned.w:+.4f}',
    ])


class Screen:
    """Shows each page in the place of the last; without a terminal, a line now and then."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._lines = 0
        self._said = time.monotonic()

    def show(self, text: str, line: str) -> None:
        """Show a page, or the line that stands for it."""
        if self._is_terminal:
            print(f'\x1b[{self._lines}F\x1b[J' if self._lines else '', text, sep='', flush=True)
            self._lines = text.count('\n') + 1
        elif time.monotonic() > self._said + _PROGRESS:
            self._said = time.monotonic()
            print(line, flush=True)


def progress(listener: Listener, rates: dict[str, float], viewer: ViewerPage) -> str:
    """Return one line for a page."""
    heard = ', '.join(f'{topic} {rate:.0f}/s' for topic, rate in rates.items())
    return (f'hrdf_ros demo: {heard}, {listener.answers} lookups answered; '
            f'in the browser: {viewer.text}')


def find_robot() -> Path:
    """Return the bundled arm."""
    return Path(__file__).resolve().parents[1] / 'examples' / 'hrdf' / 'arm_6dof.hrdf'


def watch(
    listener: Listener, node: subprocess.Popen[bytes], viewer: ViewerPage,
    seconds: Optional[float],
) -> str:
    """Show the messages until the time is over or the node ends; return the last page."""
    end = None if seconds is None else time.monotonic() + seconds
    screen, robot = Screen(), find_robot()
    rates = dict.fromkeys(listener.counts, 0.0)
    before, since = dict(listener.counts), time.monotonic()
    while node.poll() is None and not is_over(listener, end):
        rclpy.spin_once(listener, timeout_sec=0.05)
        now = time.monotonic()
        if now - since < _REFRESH:
            continue
        rates = {
            topic: (count - before[topic]) / (now - since)
            for topic, count in listener.counts.items()}
        before, since = dict(listener.counts), now
        listener.ask()
        screen.show(page(listener, robot, rates, viewer), progress(listener, rates, viewer))
    text = page(listener, robot, rates, viewer)
    screen.show(text, progress(listener, rates, viewer))
    return text


def is_over(listener: Listener, end: Optional[float]) -> bool:
    """Return whether the time is over; a slow machine gets more until everything arrived."""
    now = time.monotonic()
    return end is not None and now > end and (listener.complete or now > end + _PATIENCE)


def stop(node: subprocess.Popen[Any]) -> int:
    """End a process as Ctrl-C would and return its exit status."""
    if node.poll() is None:
        node.send_signal(signal.SIGINT)
    try:
        return node.wait(timeout=10.0)
    except subprocess.TimeoutExpired:
        node.kill()
        return 1


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run the demo; return 0 if everything arrived."""
    parser = argparse.ArgumentParser(description='Run the node on a bundled arm and listen.')
    parser.add_argument('--seconds', type=float, help='end after this time; default: Ctrl-C')
    options = parser.parse_args(arguments)
    command = [sys.executable, '-c', _START, str(find_robot()), '--animate']
    node = subprocess.Popen(command, start_new_session=True)
    viewer = ViewerPage()
    rclpy.init()
    listener = Listener()
    text = ''
    try:
        text = watch(listener, node, viewer, options.seconds)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        status = stop(node)
        viewer.end()
        rclpy.try_shutdown()
    if not sys.stdout.isatty():
        print(text)
    if not listener.complete or status != 0:
        print('demo: not everything arrived', file=sys.stderr)
        return 1
    print('demo: everything arrived')
    return 0


if __name__ == '__main__':
    sys.exit(main())
