# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The public names: what ``dir`` shows, and that each object has a repr, compares and pickles."""

from pathlib import Path
import pickle

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


def test_different_models_and_kinematics_are_not_equal() -> None:
    first, second = (hrdf_ros.load_model(file) for file in FILES[:2])
    assert first != second
    assert hrdf_ros.Kinematics(first) != hrdf_ros.Kinematics(second)
    assert hrdf_ros.Kinematics(first) != hrdf_ros.Kinematics(first, first.coordinates[0].name[:0])


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


def test_a_report_shows_its_lines() -> None:
    result = hrdf_ros.load(FAULTY)
    [first, *_] = lines = [str(found) for found in result.report]
    assert repr(result.report) == str(result.report) == '\n'.join(lines)
    assert first.startswith('<text>:1:') and ': error[xml-syntax]: ' in first
    assert repr(result.report.diagnostics[0]) == f'<{first}>'
    assert first in repr(result)


@pytest.mark.parametrize(('name', 'start'), [
    ('a.urdf', '<?xml version="1.0"?>\n'), ('a.sdf', '<?xml version="1.0"?>\n<sdf '),
    ('a.dot', 'digraph ')])
def test_write_takes_the_format_from_the_suffix(tmp_path: Path, name: str, start: str) -> None:
    model = hrdf_ros.load_model(FILES[0])
    report = hrdf_ros.write(model, tmp_path / name)
    assert report.ok
    assert (tmp_path / name).read_text().startswith(start)
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_write_knows_no_other_suffix(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a\.obj' has none of the suffixes \.urdf, "):
        hrdf_ros.write(hrdf_ros.load_model(FILES[0]), tmp_path / 'a.obj')


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(OSError, match='missing/a.urdf'):
        hrdf_ros.write(hrdf_ros.load_model(FILES[0]), tmp_path / 'missing' / 'a.urdf')
