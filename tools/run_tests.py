# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""
Run every stage of `make test` in the environments of tools/environment.py.

All stages run, whatever fails; the end says what failed, what was skipped and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
import os
from pathlib import Path
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from xml.etree import ElementTree

from environment import (
    bare_environment,
    base_python,
    CORE,
    DOCS,
    PYTHON,
    ROOT,
    ros_environment,
    ros_is_sourced,
    URDF_LOADER,
    use_chosen_python,
    VENV,
    VIEW,
)

CORE_PYTHON = CORE / 'bin' / 'python'
VIEW_PYTHON = VIEW / 'bin' / 'python'
DOCS_PYTHON = DOCS / 'bin' / 'python'
NOT_COPIED = ('.git', '.venv', '.*_cache', '__pycache__', '*.egg-info', 'build', 'install', 'log')
# A test that hangs ends its stage after so many seconds, and says where it hung.
WATCHDOG = ('-o', 'faulthandler_timeout=300', '-o', 'faulthandler_exit_on_timeout=true')


@dataclass
class Outcome:
    """The result of one stage."""

    passed: bool
    tests: int = 0
    skipped: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Stage:
    """One part of the test: its title and what to run in which scratch directory."""

    title: str
    run: Callable[[Path], Outcome]


def execute(commands: Sequence[Sequence[str | Path]], env: dict[str, str],
            cwd: Path = ROOT) -> bool:
    """Run commands until one fails; tell whether all of them passed."""
    for command in commands:
        words = [str(word) for word in command]
        print(f'$ {shlex.join(words)}', flush=True)
        if subprocess.run(words, env=env, cwd=cwd, stdin=subprocess.DEVNULL).returncode:
            return False
    return True


def core_environment() -> dict[str, str]:
    """Return environment variables without ROS."""
    return {**bare_environment(), 'PYTHONPATH': str(ROOT), 'PYTHONDONTWRITEBYTECODE': '1'}


def sourced_environment(script: Path) -> dict[str, str]:
    """Return the environment variables that a shell has after sourcing a script."""
    found = subprocess.run(['sh', '-c', '. "$1" && env -0', 'sh', script], cwd=script.parent,
                           env=dict(os.environ), capture_output=True, text=True, check=True)
    return dict(entry.split('=', 1) for entry in found.stdout.split('\0') if entry)


def command_stage(title: str, *commands: Sequence[str | Path]) -> Stage:
    """Return a stage of commands in the environment without ROS."""
    return Stage(title, lambda _: Outcome(execute(commands, core_environment())))


def pytest_outcome(python: Path, arguments: Sequence[str], env: dict[str, str],
                   scratch: Path) -> Outcome:
    """Run pytest, without the plugins that a sourced ROS has; return its result."""
    report = scratch / 'report.xml'
    env = {**env, 'PYTEST_DISABLE_PLUGIN_AUTOLOAD': '1'}
    passed = execute([[python, '-m', 'pytest', '-q', '-p', 'no:cacheprovider',
                       f'--junitxml={report}', *WATCHDOG, *arguments]], env)
    cases = list(ElementTree.parse(report).iter('testcase')) if report.exists() else []
    skips = [skip.get('message') or '' for case in cases for skip in case.iter('skipped')
             if skip.get('type') != 'pytest.xfail']
    return Outcome(passed, len(cases) - len(skips), Counter(skips))


def core_tests(*arguments: str) -> Callable[[Path], Outcome]:
    """Return what runs tests where no ROS can be imported."""
    no_ros = 'import importlib.util as u, sys; sys.exit(u.find_spec("rclpy") is not None)'

    def run(scratch: Path) -> Outcome:
        env = core_environment()
        if not execute([[CORE_PYTHON, '-c', no_ros]], env):
            return Outcome(False)
        return pytest_outcome(CORE_PYTHON, arguments, env, scratch)

    return run


def live_tests(scratch: Path) -> Outcome:
    """Run the tests that talk to real nodes over DDS."""
    return pytest_outcome(PYTHON, ['test/ros'], sourced_environment(VENV / 'setup.sh'), scratch)


def browser_tests(scratch: Path) -> Outcome:
    """Run the tests that look at the viewer's page with a browser."""
    return pytest_outcome(VIEW_PYTHON, ['test/view/browser'], core_environment(), scratch)


def site_tests(scratch: Path) -> Outcome:
    """Build the documentation site, strictly, and look at what was built."""
    return pytest_outcome(DOCS_PYTHON, ['test/site'], core_environment(), scratch)


def urdf_loader_tests(scratch: Path) -> Outcome:
    """Let npm's urdf-loader read the URDF of every robot."""
    env = {**core_environment(), 'HRDF_ROS_URDF_LOADER': str(URDF_LOADER)}
    return pytest_outcome(VIEW_PYTHON, ['test/view/urdf_loader'], env, scratch)


def copy_of_the_tree(scratch: Path) -> Path:
    """Copy the sources, so that no build leaves anything among them."""
    return Path(shutil.copytree(ROOT, scratch / 'hrdf_ros',
                                ignore=shutil.ignore_patterns(*NOT_COPIED)))


def pip_install(scratch: Path) -> Outcome:
    """Install with pip where there is no ROS; run the command that comes with it."""
    tree, target = copy_of_the_tree(scratch), scratch / 'target'
    env = {**bare_environment(), 'PYTHONPATH': str(target)}
    return Outcome(execute([
        [CORE_PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check',
         '--no-deps', '--no-build-isolation', '--target', target, tree],
        [CORE_PYTHON, target / 'bin' / 'hrdf', '--help'],
        [CORE_PYTHON, '-c', f'from lxml import etree; '
         f'etree.RelaxNG(file="{target}/share/hrdf_ros/schema/hrdf.rng")'],
    ], env, scratch))


def colcon_build(scratch: Path) -> Outcome:
    """Build both packages as a user does in a clone; see that ROS finds them."""
    tree, sourced = copy_of_the_tree(scratch), ros_is_sourced()
    python = base_python() if sourced else PYTHON
    env = ros_environment(sourced)
    env['COLCON_PYTHON_EXECUTABLE'] = base_python()  # its scripts do not bear a space in a path
    query = ('from ament_index_python.packages import get_package_prefix as at; '
             'from hrdf_ros_interfaces.srv import LookupFrame; import hrdf_ros; '
             'print(at("hrdf_ros"), at("hrdf_ros_interfaces"))')
    command = 'install/hrdf_ros/lib/hrdf_ros/hrdf'
    return Outcome(execute([
        ['colcon', 'build', '--base-paths', '.', 'hrdf_ros_interfaces', '--cmake-args',
         f'-DPython3_EXECUTABLE={python}',
         f'-DPYTHON_EXECUTABLE={python}'],
        ['sh', '-c', f'. install/setup.sh && python -c {shlex.quote(query)} && '
                     f'python {command} --help'],
    ], env, tree))


STAGES = (
    command_stage('lint', [CORE_PYTHON, '-m', 'ruff', 'check', '--no-cache', '.']),
    command_stage('types', [CORE_PYTHON, '-m', 'mypy', '--cache-dir', CORE / 'mypy_cache']),
    Stage('import layers', core_tests('test/test_layers.py')),
    Stage('core without ROS', core_tests(
        'test', '--ignore=test/test_layers.py', '--ignore=test/conformance', '--ignore=test/ros',
        '--ignore=test/site', '--ignore=test/view/browser',
        '--ignore=test/view/urdf_loader')),
    Stage('conformance', core_tests('test/conformance')),
    Stage('viewer in a browser', browser_tests),
    Stage('urdf-loader and three.js', urdf_loader_tests),
    Stage('documentation site', site_tests),
    Stage('pip install without ROS', pip_install),
    Stage('colcon build', colcon_build),
    Stage('live ROS 2', live_tests),
)


def perform(stage: Stage) -> Outcome:
    """Run one stage in a scratch directory of its own."""
    print(f'\n== {stage.title}', flush=True)
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='hrdf_ros_test_') as scratch:
        outcome = stage.run(Path(scratch))
    verdict = 'passed' if outcome.passed else 'FAILED'
    print(f'== {stage.title}: {verdict} in {time.monotonic() - start:.0f} s', flush=True)
    return outcome


def summarize(outcomes: dict[str, Outcome]) -> bool:
    """Print what passed, failed and was skipped; tell whether all of it passed."""
    print('\n== summary')
    for title, outcome in outcomes.items():
        tests = f'{outcome.tests} tests' if outcome.tests else ''
        skipped = f'{outcome.skipped.total()} skipped' if outcome.skipped else ''
        print(f'{"passed" if outcome.passed else "FAILED"}  {title:26}{tests:12}{skipped}')
    reasons = sum((outcome.skipped for outcome in outcomes.values()), Counter())
    print(f'{reasons.total()} tests skipped{":" if reasons else ""}')
    for reason, count in reasons.most_common():
        print(f'{count:6}  {reason}')
    failed = [title for title, outcome in outcomes.items() if not outcome.passed]
    print(f'hrdf_ros: FAILED: {", ".join(failed)}' if failed else 'hrdf_ros: all tests passed')
    return not failed


if __name__ == '__main__':
    use_chosen_python()
    sys.exit(not summarize({stage.title: perform(stage) for stage in STAGES}))
