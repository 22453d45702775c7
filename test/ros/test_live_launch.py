# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The launch files run by launch, RViz and the sliders being stand-ins."""

from importlib.util import find_spec
import os
from pathlib import Path
import shutil
import signal
import subprocess
import sys
import time

from helpers.live_node import TIMEOUT
import pytest
from rcl_interfaces.srv import GetParameters

pytestmark = pytest.mark.skipif(
    find_spec('launch_ros') is None, reason='launch and launch_ros are not installed')

ROOT = Path(__file__).resolve().parents[2]
LAUNCH = """
import sys
from launch import LaunchDescription, LaunchService
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
file, *given = sys.argv[1:]
service = LaunchService()
service.include_launch_description(LaunchDescription([IncludeLaunchDescription(
    PythonLaunchDescriptionSource(file),
    launch_arguments=[each.split(':=', 1) for each in given])]))
sys.exit(service.run())
"""
NODE = """#!{python}
import os, pathlib, sys
from hrdf_ros.node import main
pathlib.Path({pids!r}, 'hrdf_node').write_text(str(os.getpid()))
sys.exit(main())
"""
STAND_IN = """#!/bin/sh
echo "$@" > {pids}/{name}.arguments
[ "$1" = -d ] && cp "$2" {pids}/{name}.config
echo $$ > {pids}/{name}.new && mv {pids}/{name}.new {pids}/{name}
exec sleep 600
"""


class Launched:
    """A launch file that runs, and what it started."""

    def __init__(self, prefix, domain, log):
        self.prefix = prefix
        self.pids = prefix / 'pids'
        self._log = log
        self._environment = {
            **os.environ, 'ROS_DOMAIN_ID': str(domain), 'ROS_LOG_DIR': str(prefix / 'log'),
            'AMENT_PREFIX_PATH': os.pathsep.join((str(prefix), os.environ['AMENT_PREFIX_PATH']))}

    def install(self, package, program, text):
        """Put a program where launch looks for it."""
        index = self.prefix / 'share' / 'ament_index' / 'resource_index' / 'packages'
        index.mkdir(parents=True, exist_ok=True)
        self.pids.mkdir(exist_ok=True)
        (index / package).touch()
        file = self.prefix / 'lib' / package / program
        file.parent.mkdir(parents=True)
        file.write_text(text.format(name=program, pids=str(self.pids), python=sys.executable))
        file.chmod(0o755)

    def start(self, file, **given):
        with self._log.open('wb') as log:
            self.process = subprocess.Popen(
                [sys.executable, '-c', LAUNCH,
                 str(self.prefix / 'share' / 'hrdf_ros' / 'launch' / file),
                 *(f'{name}:={value}' for name, value in given.items())],
                env=self._environment, stdout=log, stderr=subprocess.STDOUT)

    @property
    def log(self):
        return self._log.read_text(errors='replace')

    def pid(self, program):
        """Return the process of a program, once it runs."""
        end = time.monotonic() + TIMEOUT
        while not (self.pids / program).exists():
            assert time.monotonic() < end, self.log
            time.sleep(0.05)
        return int((self.pids / program).read_text())

    def runs(self, program):
        return Path(f'/proc/{self.pid(program)}').exists()


@pytest.fixture
def launched(tmp_path, domain):
    """Return the launch files in an ament prefix, with stand-ins beside the node."""
    found = Launched(tmp_path / 'prefix', domain, tmp_path / 'launch.log')
    found.install('hrdf_ros', 'hrdf_node', NODE)
    for package in ('rviz2', 'joint_state_publisher_gui'):
        found.install(package, package, STAND_IN)
    for folder in ('launch', 'config'):
        shutil.copytree(ROOT / folder, found.prefix / 'share' / 'hrdf_ros' / folder)
    yield found
    if found.process.poll() is None:
        found.process.send_signal(signal.SIGINT)
        found.process.wait(TIMEOUT)


def test_the_view_ends_with_the_node(launched, client, tmp_path):
    model = ROOT / 'examples' / 'sdf' / 'delta.sdf'
    launched.start('view.launch.py', model=model, frame_prefix='d/')
    client.wait_for_message('/robot_description')
    for program in ('rviz2', 'joint_state_publisher_gui'):
        assert launched.runs(program)
    assert 'Fixed Frame: d/base' in (launched.pids / 'rviz2.config').read_text()
    os.kill(launched.pid('hrdf_node'), signal.SIGINT)
    launched.process.wait(TIMEOUT)
    assert not launched.runs('rviz2')
    assert not launched.runs('joint_state_publisher_gui')


def test_arguments_and_parameter_file_reach_the_node(launched, client, arm, tmp_path):
    mine = tmp_path / 'mine.yaml'
    mine.write_text((ROOT / 'config' / 'hrdf_ros.yaml').read_text().replace(
        "frame_prefix: ''", 'frame_prefix: left/').replace('20.0', '30.0'))
    launched.start(
        'hrdf.launch.py', model=arm, namespace='left', path='a,b', joint_names="['1', '2.0']",
        publish_frequency=50, watch='true', params_file=mine)
    found = client.call(GetParameters, node='/left/hrdf_ros', names=[
        'model', 'path', 'joint_names', 'publish_frequency', 'watch', 'publish_frames',
        'frame_prefix']).values
    assert found[0].string_value == str(arm)
    assert list(found[1].string_array_value) == ['a', 'b']
    assert list(found[2].string_array_value) == ['1', '2.0']
    assert (found[3].double_value, found[4].bool_value) == (50.0, True)
    assert (found[5].string_value, found[6].string_value) == ('bodies', 'left/')


def test_rviz_starts_with_the_root_of_a_description_that_is_mended(launched, client, tmp_path):
    file = tmp_path / 'm.sdf'
    file.write_text('<sdf version="1.9"><model name="m"><link nme="trunk"/></model></sdf>')
    launched.start('view.launch.py', model=file, watch='true', gui='false')
    client.wait_for(lambda: 'error[' in launched.log, 'the error')
    assert not (launched.pids / 'rviz2').exists()
    file.write_text('<sdf version="1.9"><model name="m"><link name="trunk"/></model></sdf>')
    launched.pid('rviz2')
    assert 'Fixed Frame: trunk' in (launched.pids / 'rviz2.config').read_text()
