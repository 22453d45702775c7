# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""The package suite: dependencies, headers, versions and what is installed."""

from __future__ import annotations

import ast
import os
from pathlib import Path
import re
import runpy
import subprocess
import sys
from unittest import mock
from xml.etree import ElementTree

from hrdf_ros.schema_export import schema_files
import pytest

ROOT = Path(__file__).resolve().parent.parent
MANIFESTS = (ROOT / 'package.xml', ROOT / 'hrdf_ros_interfaces' / 'package.xml')
FOLDERS = ('hrdf_ros', 'launch', 'test', 'tools', 'examples', 'benchmark')
PYTHON_FILES = [ROOT / 'setup.py', *sorted(
    file for folder in FOLDERS for file in (ROOT / folder).rglob('*.py'))]
HEADER = '# Copyright 2026 the hrdf_ros authors\n# SPDX-License-Identifier: Apache-2.0\n'

# Python modules whose package has another name.
PACKAGE_OF = {
    'argcomplete': 'python3-argcomplete', 'lxml': 'python3-lxml', 'numpy': 'python3-numpy',
    'tf2_ros': 'tf2_ros_py', 'yaml': 'python3-yaml',
}
# What only type checkers import.
UNUSED_AT_RUN_TIME = {'typing_extensions'}
# What belongs to the standard library since Python 3.11, and is done without before.
NEWER = {'tomllib'}
# What pip installs with an extra, for which there are no system packages.
OPTIONAL = {
    'coal', 'collada', 'imageio', 'lsprotocol', 'mujoco', 'PIL', 'pinocchio', 'pygls', 'pytest',
    'rich', 'tomli', 'trimesh', 'viser'}


def imported_packages() -> set[str]:
    """Return the packages from which the package and its launch files import."""
    names = {name.split('.')[0] for file in PYTHON_FILES
             if file.relative_to(ROOT).parts[0] in ('hrdf_ros', 'launch')
             for name in imported_names(ast.parse(file.read_text()))}
    names -= {'hrdf_ros', *sys.stdlib_module_names, *UNUSED_AT_RUN_TIME, *NEWER, *OPTIONAL}
    return {PACKAGE_OF.get(name, name) for name in names}


def imported_names(tree: ast.AST) -> set[str]:
    """Return the absolute names that a syntax tree imports, `import_module('x')` included."""
    nodes = list(ast.walk(tree))
    return ({alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
            | {node.module or '' for node in nodes
               if isinstance(node, ast.ImportFrom) and not node.level}
            | {node.args[0].value for node in nodes
               if isinstance(node, ast.Call) and ast.unparse(node.func).endswith('import_module')
               and isinstance(node.args[0], ast.Constant)})


def setup_arguments(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict:
    """Return what setup.py hands to setuptools."""
    monkeypatch.chdir(folder)
    with mock.patch('setuptools.setup') as setup:
        runpy.run_path('setup.py')
    return setup.call_args.kwargs


@pytest.fixture(scope='module')
def installed() -> dict:
    """Return what setup.py hands to setuptools, made once."""
    with pytest.MonkeyPatch.context() as patch:
        return setup_arguments(ROOT, patch)


def test_dependencies_are_declared_and_used() -> None:
    """package.xml names every package from which something is imported, and no other."""
    assert imported_packages() == {
        element.text for element in ElementTree.parse(MANIFESTS[0]).iter('exec_depend')}


def test_each_package_has_its_license() -> None:
    """The license of the interfaces is installed with them."""
    for manifest in MANIFESTS:
        assert ElementTree.parse(manifest).find('license').attrib['file'] == 'LICENSE'
        assert (manifest.parent / 'LICENSE').read_text() == (ROOT / 'LICENSE').read_text()
    assert 'install(FILES LICENSE' in (MANIFESTS[1].parent / 'CMakeLists.txt').read_text()


def test_versions_agree(installed: dict) -> None:
    """setup.py, both package.xml and both changelogs speak of one version."""
    version = installed['version']
    for manifest in MANIFESTS:
        assert ElementTree.parse(manifest).findtext('version') == version
        changelog = (manifest.parent / 'CHANGELOG.rst').read_text()
        assert re.search(r'^\d+\.\d+\.\d+', changelog, re.MULTILINE)[0] == version


def test_all_files_are_installed(installed: dict) -> None:
    """Every file of these folders, and of the package, is installed."""
    found = {f'{target}/{Path(file).name}': file for target, files in installed['data_files']
             for file in files}
    for top in ('config', 'launch', 'examples'):
        for file in (ROOT / top).rglob('*'):
            if file.is_file() and file.suffix != '.pyc':
                name = file.relative_to(ROOT).as_posix()
                assert found[f'share/hrdf_ros/{name}'] == name
    assert found['share/hrdf_ros/package.xml'] == 'package.xml'
    assert 'share/ament_index/resource_index/packages/hrdf_ros' in found
    patterns = {Path(pattern).suffix or pattern for pattern in installed['package_data']['']}
    for file in (ROOT / 'hrdf_ros').rglob('*'):
        if file.is_file() and '__pycache__' not in file.parts:
            assert '.'.join(file.parent.relative_to(ROOT).parts) in installed['packages'], file
            assert file.suffix == '.py' or {file.suffix, file.name} & patterns, file


def test_schemas_are_installed_as_they_are_generated(installed: dict) -> None:
    """An installation has the schema of every version, from the declarations of this tree."""
    data_files = dict(installed['data_files'])
    found = {Path(file).name: (ROOT / file).read_text(encoding='utf-8')
             for file in data_files['share/hrdf_ros/schema']}
    assert found == dict(schema_files())
    assert {'hrdf-1.6.0.rng', 'sdf-1.0.xsd', 'sdf.rng', 'skel.xsd', 'urdf-1.2.rng'} <= {*found}


def test_sources_that_cannot_be_written_to_are_installed_without_schemas(
        monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """A workspace may have its sources mounted read-only."""
    for name in ('hrdf_ros', 'config', 'launch', 'examples', 'setup.py'):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / 'build').write_text('not a directory')
    found = setup_arguments(tmp_path, monkeypatch)
    assert dict(found['data_files'])['share/hrdf_ros/schema'] == []
    assert 'installed without schemas' in capsys.readouterr().err


@pytest.mark.parametrize('prefix, arguments, is_said', [
    ('empty', ['install'], True), ('empty', ['develop'], True), ('empty', ['--version'], False),
    ('isolated', ['install'], False), ('merged', ['install'], False), ('', ['install'], False)])
def test_a_build_without_interfaces_says_how_to_build_them(
        monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture,
        prefix: str, arguments: list[str], is_said: bool) -> None:
    """The line is on stderr, which colcon shows at the end of a build."""
    index = Path('share', 'ament_index', 'resource_index', 'packages', 'hrdf_ros_interfaces')
    for file in (tmp_path / 'merged' / index,
                 tmp_path / 'isolated' / 'hrdf_ros_interfaces' / index):
        file.parent.mkdir(parents=True)
        file.touch()
    for name in ('AMENT_PREFIX_PATH', 'CMAKE_PREFIX_PATH', 'COLCON_PREFIX_PATH'):
        monkeypatch.delenv(name, raising=False)
    if prefix:
        monkeypatch.setenv('COLCON_PREFIX_PATH', f'/nowhere:{tmp_path / prefix}')
    monkeypatch.setattr(sys, 'argv', ['setup.py', *arguments])
    setup_arguments(ROOT, monkeypatch)
    said = capsys.readouterr().err.splitlines()
    assert said == ([
        'hrdf_ros: hrdf_ros_interfaces is not built, so the node will have no services: '
        f'colcon build --base-paths {ROOT / "hrdf_ros_interfaces"}'] if is_said else [])


def test_license_header() -> None:
    """Every Python file begins with copyright and license."""
    assert [file for file in PYTHON_FILES if not file.read_text().removeprefix(
        '#!/usr/bin/env python3\n').startswith(HEADER)] == []


def test_plugins_of_a_sourced_ros_are_not_loaded(tmp_path: Path) -> None:
    """launch_testing imports tests by their bare names, and fails where two are the same."""
    (tmp_path / 'breaks.py').write_text('raise SystemExit("a plugin of ROS was loaded")\n')
    for name in ('launch_testing', 'launch_ros', 'launch_pytest'):
        installed = tmp_path / f'{name}-3.4.3.dist-info'
        installed.mkdir()
        (installed / 'METADATA').write_text(f'Name: {name}\nVersion: 3.4.3\n')
        (installed / 'entry_points.txt').write_text(f'[pytest11]\n{name} = breaks\n')
    env = {**os.environ, 'PYTHONPATH': f'{tmp_path}:{ROOT}'}
    env.pop('PYTEST_DISABLE_PLUGIN_AUTOLOAD', None)
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '--collect-only', '-p', 'no:cacheprovider',
         'test/test_package.py'], cwd=ROOT, env=env, text=True, capture_output=True,
        timeout=60.0)
    assert done.returncode == 0, done.stdout + done.stderr
