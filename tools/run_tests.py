# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""
Run the stages of `make test` in the environments of tools/environment.py.

    python3 tools/run_tests.py [STAGE...]

All stages run, whatever fails, one more at a time than there are cores, as live nodes and a
browser wait most of the time. The end says what failed, what was skipped and why. The output of a
stage is shown when it is complete; a single stage shows it at once.
"""

from __future__ import annotations

from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import as_completed, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
import os
from pathlib import Path
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from typing import IO, Optional
from xml.etree import ElementTree

from environment import (
    bare_environment,
    base_python,
    CORE,
    DOCS,
    PYODIDE,
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
    """
    The result of one stage.

    ``ran`` has the names of the tests that ran, and of their modules; ``skipped`` says why each of
    the others, which may be a whole module, was skipped.
    """

    passed: bool
    tests: int = 0
    ran: frozenset[str] = frozenset()
    skipped: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """Where a stage runs: a scratch directory, and the log of its output, or None for ours."""

    scratch: Path
    log: Optional[IO[str]]

    def execute(self, commands: Sequence[Sequence[str | Path]], env: dict[str, str],
                cwd: Path = ROOT) -> bool:
        """Run commands until one fails; return whether all of them passed."""
        for command in commands:
            words = [str(word) for word in command]
            print(f'$ {shlex.join(words)}', file=self.log, flush=True)
            if subprocess.run(words, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=self.log,
                              stderr=subprocess.STDOUT if self.log else None).returncode:
                return False
        return True


Run = Callable[[Place], Outcome]


def core_environment() -> dict[str, str]:
    """Return environment variables without ROS."""
    return _cached({**bare_environment(), 'PYTHONPATH': str(ROOT)})


def sourced_environment(script: Path) -> dict[str, str]:
    """Return the environment variables that a shell has after sourcing a script."""
    found = subprocess.run(['sh', '-c', '. "$1" && env -0', 'sh', script], cwd=script.parent,
                           env=dict(os.environ), capture_output=True, text=True, check=True)
    return _cached(dict(entry.split('=', 1) for entry in found.stdout.split('\0') if entry))


def _cached(env: dict[str, str]) -> dict[str, str]:
    """Return environment variables with which Python keeps bytecode, away from the sources."""
    env.pop('PYTHONDONTWRITEBYTECODE', None)
    return {**env, 'PYTHONPYCACHEPREFIX': str(VENV / 'bytecode')}


def commands(*words: Sequence[str | Path]) -> Run:
    """Return a stage of commands in the environment without ROS."""
    return lambda place: Outcome(place.execute(words, core_environment()))


def pytest_outcome(python: Path, arguments: Sequence[str], env: dict[str, str],
                   place: Place) -> Outcome:
    """Run pytest, without the plugins that a sourced ROS has; return its result."""
    report = place.scratch / 'report.xml'
    env = {**env, 'PYTEST_DISABLE_PLUGIN_AUTOLOAD': '1'}
    passed = place.execute([[python, '-m', 'pytest', '-q', '-p', 'no:cacheprovider',
                             f'--junitxml={report}', *WATCHDOG, *arguments]], env)
    return outcome_of(passed, report)


def outcome_of(passed: bool, report: Path) -> Outcome:
    """Return the result of pytest, from its report."""
    tests, ran, skipped = 0, set(), {}
    for case in ElementTree.parse(report).iter('testcase') if report.exists() else ():
        module, name = case.get('classname', ''), case.get('name', '')
        skip = case.find('skipped')
        if skip is None or skip.get('type') == 'pytest.xfail':
            tests += 1
            ran |= {module, f'{module}.{name}'}
        else:
            skipped[f'{module}.{name}' if module else name] = reason_of(skip)
    return Outcome(passed, tests, frozenset(ran), skipped)


def reason_of(skip: ElementTree.Element) -> str:
    """Return why a test was skipped; of a whole file of tests, pytest writes it elsewhere."""
    message = skip.get('message') or ''
    if message == 'collection skipped' and skip.text:
        message = literal_eval(skip.text)[2].removeprefix('Skipped: ')
    return message


def tests(python: Path, *arguments: str) -> Run:
    """Return a stage of tests where no ROS can be imported."""
    no_ros = 'import importlib.util as u, sys; sys.exit(u.find_spec("rclpy") is not None)'

    def run(place: Place) -> Outcome:
        env = {**core_environment(), 'HRDF_ROS_URDF_LOADER': str(URDF_LOADER),
               'HRDF_ROS_PYODIDE': str(PYODIDE / 'node_modules' / 'pyodide')}
        if not place.execute([[python, '-c', no_ros]], env):
            return Outcome(False)
        return pytest_outcome(python, arguments, env, place)

    return run


def newest_python_tests(place: Place) -> Outcome:
    """
    Run the tests that need no native package, process or thread on Python 3.14.

    That is the Python of Pyodide, which npm has. Tests that skip themselves for such a need are
    counted. Fewer than 2,000 tests are a failure.
    """
    node, pyodide = shutil.which('node'), PYODIDE / 'node_modules' / 'pyodide'
    if node is None or not pyodide.is_dir():
        return Outcome(True, skipped={
            'on Python 3.14': 'the tests on Python 3.14 need Node.js and npm'})
    libraries = next((CORE / 'lib').glob('python3.*')) / 'site-packages'
    passed = place.execute([[
        node, '--stack-size=6000', ROOT / 'test' / 'python314' / 'run.mjs', pyodide, ROOT,
        libraries, place.scratch, '-q', '-p', 'no:cacheprovider',
        '--junitxml=/reports/report.xml', 'test',
        *(f'--ignore={name}' for name in (*ELSEWHERE, *NOT_ON_PYODIDE))]], core_environment())
    outcome = outcome_of(passed, place.scratch / 'report.xml')
    return replace(outcome, passed=passed and outcome.tests >= 2000)


def live_tests(*arguments: str) -> Run:
    """Return a stage of tests that talk to real nodes over DDS."""
    return lambda place: pytest_outcome(
        PYTHON, arguments, sourced_environment(VENV / 'setup.sh'), place)


def copy_of_the_tree(scratch: Path) -> Path:
    """Copy the sources, so that no build leaves anything among them."""
    return Path(shutil.copytree(ROOT, scratch / 'hrdf_ros',
                                ignore=shutil.ignore_patterns(*NOT_COPIED)))


def pip_install(place: Place) -> Outcome:
    """Install the package with pip in an environment without ROS, and run its command."""
    tree, target = copy_of_the_tree(place.scratch), place.scratch / 'target'
    env = {**bare_environment(), 'PYTHONPATH': str(target)}
    return Outcome(place.execute([
        [CORE_PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check',
         '--no-deps', '--no-build-isolation', '--target', target, tree],
        [CORE_PYTHON, target / 'bin' / 'hrdf', '--help'],
        [CORE_PYTHON, '-c', f'from lxml import etree; '
         f'etree.RelaxNG(file="{target}/share/hrdf_ros/schema/hrdf.rng")'],
    ], env, place.scratch))


def colcon_build(place: Place) -> Outcome:
    """Build both packages as a user does in a clone; see that ROS finds them."""
    tree, sourced = copy_of_the_tree(place.scratch), ros_is_sourced()
    python = base_python() if sourced else PYTHON
    env = ros_environment(sourced)
    env['COLCON_PYTHON_EXECUTABLE'] = base_python()  # its scripts do not bear a space in a path
    query = ('from ament_index_python.packages import get_package_prefix as at; '
             'from hrdf_ros_interfaces.srv import LookupFrame; import hrdf_ros; '
             'print(at("hrdf_ros"), at("hrdf_ros_interfaces"))')
    command = 'install/hrdf_ros/lib/hrdf_ros/hrdf'
    return Outcome(place.execute([
        ['colcon', 'build', '--base-paths', '.', 'hrdf_ros_interfaces', '--cmake-args',
         f'-DPython3_EXECUTABLE={python}',
         f'-DPYTHON_EXECUTABLE={python}'],
        ['sh', '-c', f'. install/setup.sh && python -c {shlex.quote(query)} && '
                     f'python {command} --help'],
    ], env, tree))


FACES = ('test/cli', 'test/lsp', 'test/moveit', 'test/node', 'test/test_documentation.py',
         'test/test_launch.py', 'test/test_workflow_files.py', 'test/view', 'test/writers')
"""The tests that take about half of the time: commands, node, viewer, language server."""
ELSEWHERE = ('test/conformance', 'test/meshes', 'test/ros', 'test/site', 'test/view/browser',
             'test/view/urdf_loader', 'test/test_layers.py')
NOT_ON_PYODIDE = ('test/fuzz', 'test/lsp', 'test/node', 'test/soak', 'test/test_scaling.py',
                  'test/test_slots.py', 'test/test_tests.py', 'test/view')
"""Tests that mostly need native packages or processes, count lines for long, or read sources."""
STAGES: dict[str, Run] = {
    'lint': commands([CORE_PYTHON, '-m', 'ruff', 'check', '--no-cache', '.']),
    'types': commands([CORE_PYTHON, '-m', 'mypy', '--cache-dir', CORE / 'mypy_cache']),
    'layers': tests(CORE_PYTHON, 'test/test_layers.py'),
    'core': tests(CORE_PYTHON, 'test', *(f'--ignore={name}' for name in (*FACES, *ELSEWHERE))),
    'faces': tests(CORE_PYTHON, *filter(os.path.exists, FACES),
                   *(f'--ignore={name}' for name in ELSEWHERE)),
    'browser': tests(
        VIEW_PYTHON, 'test/meshes', 'test/view', '--ignore=test/view/urdf_loader'),
    'conformance': tests(CORE_PYTHON, 'test/conformance'),
    'urdf-loader': tests(VIEW_PYTHON, 'test/view/urdf_loader'),
    'python3.14': newest_python_tests,
    'site': tests(DOCS_PYTHON, 'test/site'),
    'pip': pip_install,
    'colcon': colcon_build,
    'live': live_tests('test/ros'),
}
FIRST = ('browser', 'live', 'core', 'faces', 'conformance', 'colcon')
"""The longest stages, longest first."""


def perform(name: str, log: Optional[IO[str]]) -> Outcome:
    """Run one stage in a scratch directory of its own."""
    start = time.monotonic()
    print(f'\n== {name}', file=log, flush=True)
    with tempfile.TemporaryDirectory(prefix='hrdf_ros_test_') as scratch:
        outcome = STAGES[name](Place(Path(scratch), log))
    verdict = 'passed' if outcome.passed else 'FAILED'
    print(f'== {name}: {verdict} in {time.monotonic() - start:.0f} s', file=log, flush=True)
    return outcome


def perform_quietly(name: str) -> tuple[Outcome, str]:
    """Run one stage beside others; return its output as well."""
    with tempfile.TemporaryFile('w+', encoding='utf-8', errors='replace') as log:
        outcome = perform(name, log)
        log.seek(0)
        return outcome, log.read()


def perform_side_by_side(names: Sequence[str]) -> dict[str, Outcome]:
    """Run stages beside each other, and show each when it is complete."""
    outcomes = {}
    with ThreadPoolExecutor((os.cpu_count() or 1) + 1) as lanes:
        running = {lanes.submit(perform_quietly, name): name for name in names}
        for done in as_completed(running):
            outcomes[running[done]], text = done.result()
            print(text, end='', flush=True)
    return outcomes


def summarize(outcomes: dict[str, Outcome]) -> bool:
    """Print what passed, failed and was skipped; return whether all of it passed."""
    print('\n== summary')
    for name in filter(outcomes.__contains__, STAGES):
        outcome = outcomes[name]
        count = f'{outcome.tests} tests' if outcome.tests else ''
        skipped = f'{len(outcome.skipped)} skipped' if outcome.skipped else ''
        print(f'{"passed" if outcome.passed else "FAILED"}  {name:14}{count:12}{skipped}')
    skips = [skip for outcome in outcomes.values() for skip in outcome.skipped.items()]
    ran = frozenset[str]().union(*(outcome.ran for outcome in outcomes.values()))
    nowhere = {name: reason for name, reason in skips if name not in ran}
    count = sum(outcome.tests for outcome in outcomes.values())
    print(f'{count} tests ran, {len(skips)} were skipped{":" if skips else ""}')
    print_reasons(reason for _, reason in skips)
    print(f'{len(nowhere)} of these ran in no stage{":" if nowhere else ""}')
    print_reasons(nowhere.values())
    failed = [name for name, outcome in outcomes.items() if not outcome.passed]
    print(f'hrdf_ros: FAILED: {", ".join(failed)}' if failed else 'hrdf_ros: all tests passed')
    return not failed


def print_reasons(reasons: Iterable[str]) -> None:
    """Print why tests were skipped, and how many for each reason, the most frequent first."""
    for reason, number in Counter(reasons).most_common():
        print(f'{number:6}  {reason}')


def main(names: Sequence[str]) -> int:
    """Run the stages of these names, all without any; return the exit status."""
    unknown = [name for name in names if name not in STAGES]
    if unknown:
        print(f'hrdf_ros: no stage {unknown[0]}; there are {", ".join(STAGES)}', file=sys.stderr)
        return 2
    chosen = list(names or STAGES)
    outcomes = perform_side_by_side(
        sorted(chosen, key=[*FIRST, *STAGES].index)) if len(chosen) > 1 else {
            chosen[0]: perform(chosen[0], None)}
    return 0 if summarize(outcomes) else 1


if __name__ == '__main__':
    use_chosen_python()
    sys.exit(main(sys.argv[1:]))
