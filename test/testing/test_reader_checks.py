# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The suite for readers of other packages: it passes for ours and names each broken promise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Location
from hrdf_ros.document import SourceFile
from hrdf_ros.model import Body, Coordinate, Frame, Joint, Mimic, Model, Motion
from hrdf_ros.pose import Pose
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.registry import FORMATS
from hrdf_ros.testing import check_reader
import pytest

EXAMPLES = Path(__file__).parents[2] / 'examples'
SHOWN = {
    'hrdf': EXAMPLES / 'hrdf' / 'arm_6dof.hrdf', 'sdf': EXAMPLES / 'sdf' / 'four_bar.sdf',
    'skel': next((EXAMPLES / 'skel').glob('*.skel')),
    'urdf': EXAMPLES / 'urdf' / 'gripper_arm.urdf'}
MJCF = """<mujoco model="m"><worldbody><geom type="plane" size="1 1 1"/>
  <body name="a" pos="0 0 1"><freejoint name="base"/><geom size="0.1"/><site name="s"/>
    <body name="b"><joint name="x" range="-30 30"/><joint name="y" axis="0 1 0" ref="10"/>
      <geom size="0.1"/></body></body></worldbody></mujoco>
"""


@pytest.mark.parametrize('name', [found.name for found in FORMATS])
def test_built_in_readers_keep_the_promises(name: str, tmp_path: Path) -> None:
    file = SHOWN.get(name, tmp_path / 'm.mjcf')
    if name not in SHOWN:
        file.write_text(MJCF)
    [reader] = [found.reader() for found in FORMATS if found.name == name]
    check_reader(reader, [file], mutations=40)


def model_at(at: Location) -> Model:
    """Return a rod that slides on another one."""
    return Model(
        'm', 'toy', '1', 'a', (Body('a', 'a', location=at), Body('b', 'b', location=at)),
        (Joint('j', 'j', 'slide', 0, 1, motions=(Motion('prismatic', (0.0, 0.0, 1.0), (0,)),),
               location=at),),
        (Coordinate('j', 'length'),),
        frames=(Frame('a', 'a', 'link', 0), Frame('b', 'b', 'link', 1)))


def reader_of(
    change: Callable[[Model], Model],
) -> Callable[[SourceFile, Context], Optional[Model]]:
    """Return a reader that refuses all but one text, and changes its Model."""
    def read(source: SourceFile, context: Context) -> Optional[Model]:
        at = Location(source.file, 1)
        if source.data == b'rod\n':
            return change(model_at(at))
        context.report.add(codes.BAD_VALUE, 'this is no rod', at)
        return None

    return read


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / 'a.toy'
    found.write_bytes(b'rod\n')
    return found


def test_a_reader_that_keeps_them(file: Path) -> None:
    check_reader(reader_of(lambda model: model), [file])


OTHERS = iter(range(100))
LEANING = Motion('prismatic', (0.0, 0.0, 1.0), (0, 0))


@pytest.mark.parametrize(('change', 'promise'), [
    (lambda model: model._replace(bodies=(model.bodies[0], model.bodies[0])),
     "two are named 'a': body"),
    (lambda model: model._replace(frames=model.frames[:1]),
     "no frame has the name of body 'b' and is on it"),
    (lambda model: model._replace(joints=(model.joints[0]._replace(child=2),)),
     "joint 'j': body 2 does not exist"),
    (lambda model: model._replace(joints=(model.joints[0]._replace(motions=(LEANING,)),)),
     'a motion prismatic has 2 coordinates, not 1'),
    (lambda model: model._replace(coordinates=(Coordinate('j', 'length', mimic=Mimic(4)),)),
     "coordinate 'j': leader 4 does not exist"),
    (lambda model: model._replace(joints=(model.joints[0]._replace(location=None),)),
     "the location of joint 'j' is no line of a file"),
    (lambda model: model._replace(joints=(model.joints[0]._replace(
        parent_from_joint=Pose(float('nan'))),)), 'is not a finite number'),
    (lambda model: model._replace(name=f'm{next(OTHERS)}'), 'gives another Model')])
def test_a_model_that_breaks_one(
    file: Path, change: Callable[[Model], Model], promise: str,
) -> None:
    with pytest.raises(AssertionError, match=promise) as error:
        check_reader(reader_of(change), [file])
    assert str(error.value).startswith(str(file))


def test_a_reader_that_raises_an_exception(file: Path) -> None:
    def read(source: SourceFile, _: Context) -> Optional[Model]:
        source.data.decode('ascii')
        return model_at(Location(source.file, 1))

    with pytest.raises(AssertionError, match=r'mutation \d+, seed 0.*UnicodeDecodeError'):
        check_reader(read, [file])


def test_a_reader_that_expects_a_first_line(file: Path) -> None:
    def read(source: SourceFile, context: Context) -> Optional[Model]:
        source.data.splitlines()[0]
        return reader_of(lambda model: model)(source, context)

    with pytest.raises(AssertionError, match=r'mutation 0, seed 0.*IndexError'):
        check_reader(read, [file], mutations=1)


def test_a_reader_that_trusts_the_indices_of_a_faulty_file(file: Path) -> None:
    def read(source: SourceFile, _: Context) -> Optional[Model]:
        model = model_at(Location(source.file, 1))
        leader = Mimic(0 if source.data else 3)
        return model._replace(coordinates=(
            *model.coordinates, Coordinate('k', 'length', mimic=leader)))

    with pytest.raises(AssertionError, match=r"seed 0\): coordinate 'k': leader 3 does not exist"):
        check_reader(read, [file], mutations=1)


def test_a_reader_that_says_nothing(file: Path) -> None:
    with pytest.raises(AssertionError, match='returns None without an error'):
        check_reader(lambda source, context: None, [file])


def test_a_reader_that_returns_a_model_beside_an_error(file: Path) -> None:
    def read(source: SourceFile, context: Context) -> Optional[Model]:
        context.report.add(codes.BAD_VALUE, 'wrong', Location(source.file, 1))
        return model_at(Location(source.file, 1))

    with pytest.raises(AssertionError, match='a Model in spite of an error: wrong'):
        check_reader(read, [file])


@pytest.mark.parametrize('location', [None, Location('/nowhere', 1), Location('', 3)])
def test_an_error_without_its_place(file: Path, location: Optional[Location]) -> None:
    def read(source: SourceFile, context: Context) -> Optional[Model]:
        at = location and location._replace(file=location.file or source.file)
        context.report.add(codes.BAD_VALUE, 'wrong', at)
        return None

    with pytest.raises(AssertionError, match='an error has no line in the file: wrong'):
        check_reader(read, [file])
