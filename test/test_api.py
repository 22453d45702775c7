# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The public names: what ``dir`` shows, and that each object has a repr, compares and pickles."""

import doctest
from importlib import import_module
import os
from pathlib import Path
import pickle
import subprocess
import sys

import hrdf_ros
from hrdf_ros.diagnostics import Location
import pytest

EXAMPLES = Path(__file__).parent.parent / 'examples'
FILES = [
    EXAMPLES / name for name in (
        'hrdf/arm_6dof.hrdf', 'sdf/two_arm_world.sdf', 'skel/humanoid.skel',
        'urdf/gripper_arm.urdf')]
FAULTY = '<robot name="r"><link name="a"/></robots>'


def test_dir_shows_the_public_names() -> None:
    names = [*hrdf_ros.__all__, '__version__']
    assert sorted(dir(hrdf_ros)) == sorted(names)
    assert all(getattr(hrdf_ros, name) is not None for name in names)
    assert hrdf_ros.__all__ == sorted(hrdf_ros.__all__, key=str.lower)


@pytest.mark.parametrize('name', hrdf_ros.__all__)
def test_help_has_examples_that_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    if name == 'to_pinocchio':
        pytest.importorskip('pinocchio')
    named = getattr(hrdf_ros, name)
    module = import_module(named.__module__)
    tests = doctest.DocTestFinder().find(named, name, module=module)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in tests:
        runner.run(test)
    assert runner.summarize().failed == 0
    assert runner.summarize().attempted > 0


def test_links_and_joints_have_names() -> None:
    model = hrdf_ros.load_model(EXAMPLES / 'skel' / 'humanoid.skel')
    ball = next(joint for joint in model.joints if joint.type == 'ball')
    found = model.joint(ball.name)
    assert (found.name, found.type) == (ball.name, 'ball')
    assert found.parent_link is model.bodies[ball.parent]
    assert found.child_link is model.link(model.bodies[ball.child].name)
    with pytest.raises(ValueError, match=f'{ball.name!r} has 3 coordinates, not one'):
        print(found.limits)
    with pytest.raises(KeyError, match='did you mean'):
        model.link(f'{found.child_link.name}x')
    assert len(repr(model.bodies)) < 120 * len(model.bodies)


def test_misspelled_options_fail_type_checking(tmp_path: Path) -> None:
    pytest.importorskip('mypy')
    file = tmp_path / 'snippet.py'
    file.write_text(
        'from hrdf_ros import Kinematics, load_model\n'
        "load_model('a', pth=3)\nKinematics.load('a', path=3)\nload_model('a', path=['b'])\n")
    checked = subprocess.run(
        [sys.executable, '-m', 'mypy', '--config-file=', '--follow-imports=silent',
         f'--cache-dir={tmp_path}', str(file)], capture_output=True, text=True,
        cwd=EXAMPLES.parent, env={**os.environ, 'MYPYPATH': str(EXAMPLES.parent)})
    assert [line.split(':')[1] for line in checked.stdout.splitlines() if ' error: ' in line] == [
        '2', '3'], checked.stdout + checked.stderr


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.name)
def test_results_compare_and_pickle(file: Path) -> None:
    one, other = hrdf_ros.load(file), hrdf_ros.load(file)
    assert one == other
    assert one.model is not other.model
    copied = pickle.loads(pickle.dumps(one))
    assert copied == one
    assert hash(copied.model) == hash(one.model)
    kinematics = hrdf_ros.Kinematics(one.model)
    copied = pickle.loads(pickle.dumps(kinematics))
    assert copied == kinematics
    assert (copied.fk() == kinematics.fk()).all()
    different = hrdf_ros.load_model(FILES[FILES.index(file) - 1])
    assert one.model != different and kinematics != hrdf_ros.Kinematics(different)


def test_reports_and_errors_compare_and_pickle() -> None:
    report, again = hrdf_ros.load(FAULTY).report, hrdf_ros.load(FAULTY).report
    assert report == again
    assert report.diagnostics[0] == again.diagnostics[0]
    assert hash(report.diagnostics[0]) == hash(again.diagnostics[0])
    copied = pickle.loads(pickle.dumps(report))
    assert copied == report
    assert isinstance(copied.diagnostics[0].location, Location)
    assert copied != hrdf_ros.load(FILES[0]).report
    error = hrdf_ros.LoadError(report)
    copied = pickle.loads(pickle.dumps(error))
    assert (copied, str(copied), copied.report) == (error, str(error), report)
    assert error != hrdf_ros.LoadError(hrdf_ros.Report())
    limits = hrdf_ros.ResourceLimits(frames=7)
    assert pickle.loads(pickle.dumps(limits)) == limits


def test_reprs_are_one_useful_line() -> None:
    result = hrdf_ros.load(FILES[0])
    model = "<Model 'arm_6dof': hrdf 1.6.0, 13 links, 12 joints, 6 coordinates>"
    assert repr(result.model) == model
    assert repr(result) == f'<LoadResult: {model}, 0 diagnostics, 1 files>'
    assert repr(hrdf_ros.Kinematics(result.model)).startswith(
        "<Kinematics 'arm_6dof': 6 coordinates, ")
    assert repr(result.report) == '<no diagnostics>'
    result = hrdf_ros.load(FAULTY)
    [first, *_] = lines = [str(found) for found in result.report]
    assert repr(result.report) == str(result.report) == '\n'.join(lines)
    assert first.startswith('<text>:1:') and ': error[xml-syntax]: ' in first
    assert repr(result.report.diagnostics[0]) == f'<{first}>'
    assert first in repr(result)


def test_a_write_that_is_not_possible(tmp_path: Path) -> None:
    model = hrdf_ros.load_model(FILES[0])
    with pytest.raises(ValueError, match=r"a\.obj' has none of the suffixes \.urdf, "):
        hrdf_ros.write(model, tmp_path / 'a.obj')
    with pytest.raises(OSError, match='missing/a.urdf'):
        hrdf_ros.write(model, tmp_path / 'missing' / 'a.urdf')


@pytest.mark.parametrize(('name', 'start'), [
    ('a.urdf', '<?xml version="1.0"?>\n'), ('a.sdf', '<?xml version="1.0"?>\n<sdf '),
    ('a.dot', 'digraph ')])
def test_write_takes_the_format_from_the_suffix(tmp_path: Path, name: str, start: str) -> None:
    model = hrdf_ros.load_model(FILES[0])
    report = hrdf_ros.write(model, tmp_path / name)
    assert report.ok
    assert (tmp_path / name).read_text().startswith(start)
    assert [file.name for file in tmp_path.iterdir()] == [name]
