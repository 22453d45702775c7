# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The plugin for pytest in sessions of its own, and ``assert_same_kinematics``."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
import shutil
import subprocess
import sys
from typing import Any

from helpers.robots import REPOSITORY
from hrdf_ros import Kinematics, load_model, LoadError, write, write_sdf, write_urdf
from hrdf_ros.testing import assert_same_kinematics
import pytest

pytest_plugins = ['pytester']
EXAMPLES = REPOSITORY / 'examples'
ARM = EXAMPLES / 'hrdf' / 'arm_6dof.hrdf'
TWO = """\
<robot name="two">
  <link name="base"/><link name="one"/><link name="tip"/>
  <joint name="{first}" type="revolute">
    <parent link="base"/><child link="one"/><origin xyz="0 0 0.1"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="b" type="prismatic">
    <parent link="one"/><child link="tip"/><origin xyz="{x} 0 0" rpy="{roll} 0 0"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
"""


def two(first: str = 'a', x: float = 0.5, roll: float = 0.0) -> Kinematics:
    return Kinematics(load_model(TWO.format(first=first, x=x, roll=roll)))


def session(pytester: pytest.Pytester, text: str, *arguments: str) -> pytest.RunResult:
    """Run a test file in a process of its own, with the plugin."""
    pytester.makepyfile(text)
    return pytester.runpytest_subprocess(
        '-p', 'hrdf_ros.testing', '-p', 'no:cacheprovider', *arguments)


@pytest.fixture(autouse=True)
def found_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sessions find the package of this source tree, and no other plugins."""
    monkeypatch.setenv('PYTHONPATH', str(REPOSITORY))
    monkeypatch.setenv('PYTEST_DISABLE_PLUGIN_AUTOLOAD', '1')


# ---- the plugin

def test_robot_is_relative_to_the_test(pytester: pytest.Pytester) -> None:
    folder = pytester.mkdir('robots')
    shutil.copy(ARM, folder / 'arm.hrdf')
    result = session(pytester, """
        def test_arm(robot):
            arm = robot('robots/arm.hrdf', joint_names=list('abcdef'))
            assert arm.coordinates == tuple('abcdef')
            assert arm.pose('tool').shape == (4, 4)
    """)
    result.assert_outcomes(passed=1)


def test_a_faulty_description_fails_with_its_diagnostics(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath('arm.urdf').write_text(
        '<robot name="r">\n  <link name="a"/>\n  <link name="a"/>\n</robot>')
    result = session(pytester, """
        def test_arm(robot):
            robot('arm.urdf')
        def test_none(robot):
            robot('nosuch.urdf')
    """)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(['*arm.urdf:3:*: error[[]duplicate-name[]]: *'])
    result.stdout.fnmatch_lines(['*nosuch.urdf*: error[[]file-not-found[]]: *'])
    assert 'Traceback' not in result.stdout.str() and 'load_robot' not in result.stdout.str()


def test_sessions_that_do_not_use_it_import_little(pytester: pytest.Pytester) -> None:
    result = session(pytester, """
        import sys
        def test_modules():
            assert 'hrdf_ros.testing' in sys.modules
            assert not {'hrdf_ros.kinematics', 'numpy', 'lxml', 'yaml'} & set(sys.modules)
        def test_own_fixture(robot):
            assert robot == 'mine'
        import pytest
        @pytest.fixture
        def robot():
            return 'mine'
    """)
    result.assert_outcomes(passed=2)


def test_an_installed_plugin_is_found_by_pytest(tmp_path: Path) -> None:
    """The entry point names the plugin, and ``-p no:hrdf_ros`` leaves it out."""
    metadata = tmp_path / 'hrdf_ros-0.dist-info'
    metadata.mkdir()
    (metadata / 'METADATA').write_text('Metadata-Version: 2.1\nName: hrdf_ros\nVersion: 0\n')
    setup = (REPOSITORY / 'setup.py').read_text()
    line = "'hrdf_ros = hrdf_ros.testing'"
    assert "'pytest11'" in setup and line in setup
    (metadata / 'entry_points.txt').write_text(f'[pytest11]\n{line[1:-1]}\n')
    (tmp_path / 'test_robot.py').write_text('def test_robot(robot):\n    assert callable(robot)\n')

    def status(*arguments: str) -> int:
        return subprocess.run(
            [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', *arguments],
            cwd=tmp_path, stdout=subprocess.DEVNULL,
            env={'PYTHONPATH': f'{tmp_path}:{REPOSITORY}', 'PYTHONDONTWRITEBYTECODE': '1'},
        ).returncode

    assert status() == 0
    assert status('-p', 'no:hrdf_ros') == 1


# ---- the assertion

@pytest.mark.parametrize('name', [
    'hrdf/arm_6dof.hrdf', 'hrdf/gantry.hrdf', 'sdf/nested_arm.sdf', 'sdf/four_bar.sdf',
    'urdf/gripper_arm.urdf'])
def test_a_conversion_is_the_same(name: str, tmp_path: Path) -> None:
    model = load_model(EXAMPLES / name)
    write(model, tmp_path / 'copy.sdf')
    assert_same_kinematics(model, tmp_path / 'copy.sdf', position_tolerance=1e-5)


def test_a_difference_is_told_with_frame_sizes_and_configuration() -> None:
    with pytest.raises(AssertionError) as raised:
        assert_same_kinematics(two(), two(x=0.5004, roll=0.25))
    first, tip, where, q = str(raised.value).splitlines()
    assert first == '1 of 3 frames differ by more than 1e-06 m or 1e-06 rad'
    assert tip == '  tip: 0.0004 m, 0.25 rad'
    assert "'tip'" in where
    assert two().pose('tip', q=eval(q)).shape == (4, 4)


@pytest.mark.parametrize(('other', 'options', 'error', 'match'), [
    ({'x': 3.0}, {'frames': ['one']}, None, ''),
    ({'x': 3.0}, {'frames': {'tip': 'tip'}}, AssertionError, '1 of 1 frames'),
    ({}, {'frames': {'one': 'tip'}}, AssertionError, '1 of 1 frames'),
    ({}, {'frames': ['nosuch']}, KeyError, 'nosuch'),
    ({'first': 'first'}, {}, AssertionError, 'only a .* has a; only b .* has first'),
    ({'first': 'first'}, {'coordinates': {'a': 'first'}}, None, ''),
    ({}, {'coordinates': {'a': 'nosuch'}}, KeyError, "no coordinate 'nosuch'")])
def test_frames_and_coordinates_by_name(
    other: dict[str, Any], options: dict[str, Any], error: type[Exception] | None, match: str,
) -> None:
    with pytest.raises(error, match=match) if error else nullcontext():
        assert_same_kinematics(two(), two(**other), **options)


def test_frames_of_joints_are_not_those_of_links() -> None:
    """SDFormat calls the frame of a joint 'elbow', HRDF the body of the actuator."""
    model = load_model(ARM)
    sdf = Kinematics(load_model(write_sdf(model)[0]))
    assert sdf.frames['elbow'].kind == 'joint'
    assert_same_kinematics(model, sdf)
    with pytest.raises(AssertionError, match='elbow'):
        assert_same_kinematics(model, sdf, frames=['elbow'])
    assert_same_kinematics(model, sdf, frames={'elbow': 'elbow/body', 'tool': 'tool'})


def test_models_paths_and_texts_are_robots() -> None:
    model = load_model(ARM)
    assert_same_kinematics(model, ARM)
    assert_same_kinematics(Kinematics(model), write_urdf(model)[0])
    with pytest.raises(LoadError):
        assert_same_kinematics(model, '<robot>')
    with pytest.raises(AssertionError, match='no frame in common'):
        assert_same_kinematics(model, '<robot name="other"><link name="x"/></robot>')


def test_the_assertion_in_a_test(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath('a.urdf').write_text(TWO.format(first='a', x=0.5, roll=0))
    pytester.path.joinpath('b.urdf').write_text(TWO.format(first='a', x=0.6, roll=0))
    result = session(pytester, """
        from hrdf_ros.testing import assert_same_kinematics
        def test_same(robot):
            assert_same_kinematics(robot('a.urdf'), robot('a.urdf'))
        def test_other(robot):
            assert_same_kinematics(robot('a.urdf'), robot('b.urdf'))
    """)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([
        'E *AssertionError: 1 of 3 frames differ*', 'E *tip: 0.1 m, 0 rad'])
    assert '_errors' not in result.stdout.str()
