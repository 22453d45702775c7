# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The conventions and versions that readers, lowering and writers share."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
import re
import shutil
import subprocess
import sys
from typing import Any

from hrdf_ros import formats, load_model, write_mjcf, write_sdf, write_urdf
from hrdf_ros.formats import NEWEST_SDF, SDF_VERSIONS, SdfFeature, SDFORMAT
from hrdf_ros.lowering import lower
from hrdf_ros.lowering.target import sdf_target, URDF
from hrdf_ros.model import Conventions, Model
from hrdf_ros.readers.schema import Attribute, Element
from hrdf_ros.readers.sdf.schema import SCHEMA
import pytest

PACKAGE = Path(formats.__file__).parent
EXAMPLES = PACKAGE.parent / 'examples'

# ---- conventions

ROBOT = EXAMPLES / 'hrdf' / 'arm_6dof.hrdf'


def test_a_lowered_model_is_understood_as_what_is_read_from_its_file() -> None:
    model = load_model(ROBOT)
    assert lower(model, URDF).model.conventions == (
        load_model(write_urdf(model)[0]).conventions) == formats.URDF
    assert lower(model, sdf_target('1.12')).model.conventions == (
        load_model(write_sdf(model)[0]).conventions) == formats.SDF
    assert load_model(write_mjcf(model)[0]).conventions == formats.MJCF


def test_the_model_says_what_each_convention_means() -> None:
    described = Model.__doc__ or ''
    assert [name for name in Conventions._fields if f'``{name}``' not in described] == []


ASKS = re.compile(r'\.format (?:==|!=|in |not in )|(?:==|!=) [a-z_.]*\.format\b')
OF_OUTPUT = {'cli/reference.py'}
"""They compare the format that they are asked to describe."""


def test_nothing_behind_the_readers_asks_for_a_format() -> None:
    found = {
        file.relative_to(PACKAGE).as_posix() for file in PACKAGE.rglob('*.py')
        if file.relative_to(PACKAGE).parts[0] != 'readers' and ASKS.search(file.read_text())}
    assert found == OF_OUTPUT


# ---- versions of SDFormat

DECLARED: dict[SdfFeature, Attribute | Element] = {
    'relative_to': SCHEMA.elements['pose'].attributes['relative_to'],
    'screw_thread_pitch': SCHEMA.elements['joint'].children['screw_thread_pitch'],
    'mimic': SCHEMA.elements['joint'].children['axis'].children['mimic'],
    'cone': SCHEMA.elements['geometry'].children['cone']}


@pytest.mark.parametrize('feature', DECLARED)
def test_the_schema_agrees_on_when_something_was_added(feature: SdfFeature) -> None:
    [version] = [row.name for row in SDFORMAT if feature in row.adds]
    assert DECLARED[feature].since == version


def test_versions_are_compared_as_numbers() -> None:
    assert SDF_VERSIONS == ('1.8', '1.9', '1.10', '1.11', '1.12')
    assert formats.sdf_has((1, 10), 'relative_to') and not formats.sdf_has((1, 9), 'mimic')
    assert formats.sdf_has((2, 0), 'mimic')
    with pytest.raises(ValueError, match='there is no version 1.1 of SDFormat'):
        formats.sdf_number('1.1')


PAGES = [EXAMPLES.parent / 'README.md', *(EXAMPLES.parent / 'docs').rglob('*.md')]
RANGE = re.compile(r'SDFormat\b[^;.|\n]*?(?:\| )?(1\.[0-9]+) to (1\.[0-9]+)')


def test_pages_state_the_versions_that_the_table_has() -> None:
    stated = {
        (page.name, *versions) for page in PAGES for versions in RANGE.findall(page.read_text())}
    known, written = (SDFORMAT[0].name, NEWEST_SDF.name), (SDF_VERSIONS[0], SDF_VERSIONS[-1])
    assert stated == {
        ('README.md', *known), ('diagnostics.md', *known), ('sdformat.md', *known),
        ('sdformat.md', *written)}


NEXT_SDF = f'1.{NEWEST_SDF.number[1] + 1}'
"""The version that a copy of the package gets, the first that there is not yet."""
SCREW = f"""<sdf version="{NEXT_SDF}"><model name="m">
  <link name="a"/>
  <link name="b">
    <inertial auto="true"/>
    <collision name="c"><density>500</density>
      <geometry><box><size>1 1 1</size></box></geometry></collision>
  </link>
  <link name="d"/>
  <joint name="lead" type="screw"><parent>a</parent><child>b</child>
    <screw_thread_pitch>0.01</screw_thread_pitch><axis><xyz>0 0 1</xyz></axis></joint>
  <joint name="follow" type="revolute"><parent>b</parent><child>d</child>
    <axis><xyz>1 0 0</xyz><mimic joint="lead"><multiplier>2</multiplier><offset>0</offset>
    <reference>0</reference></mimic></axis></joint>
</model></sdf>
"""
READ_AND_WRITE = """
import json, sys
from hrdf_ros import load, write_sdf
loaded = load(sys.argv[1])
assert loaded.model is not None
written = {}
for version in ('1.9', sys.argv[2]):
    text, report = write_sdf(loaded.model, version=version)
    written[version] = [text, [found.code for found in report]]
again = load(written[sys.argv[2]][0])
print(json.dumps({'codes': [found.code for found in (*loaded.report, *again.report)],
                  'same': loaded.model.joints[0].motions == again.model.joints[0].motions,
                  'mass': again.model.link('b').inertia.mass, 'written': written}))
"""


def with_a_newer_version(directory: Path) -> dict[str, Any]:
    """Return what a copy of the package does that has one row more."""
    shutil.copytree(PACKAGE, directory / 'hrdf_ros', ignore=shutil.ignore_patterns('__pycache__'))
    table = directory / 'hrdf_ros' / 'formats.py'
    last = f"    SdfVersion('{NEWEST_SDF.name}'),\n"
    text = table.read_text()
    assert text.count(last) == 1
    table.write_text(text.replace(last, f"{last}    SdfVersion('{NEXT_SDF}'),\n"))
    (directory / 'screw.sdf').write_text(SCREW)
    done = subprocess.run(
        [sys.executable, '-c', READ_AND_WRITE, 'screw.sdf', NEXT_SDF], cwd=directory, check=True,
        text=True, capture_output=True, env={**os.environ, 'PYTHONPATH': str(directory)})
    found: dict[str, Any] = json.loads(done.stdout)
    return found


SCALED = """
import json, sys
from hrdf_ros import load_model, write_sdf
from hrdf_ros.diff import diff_models
text = ('<sdf version="1.8"><model name="m"><link name="a"/><link name="b"/><joint name="j" '
        'type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>'
        '<dynamics SCALE><damping>3</damping></dynamics></axis></joint></model></sdf>')
found = []
plain = load_model(text.replace('SCALE', ''))
for scale in ('0', '1'):
    model = load_model(text.replace('SCALE', f'damping_scale="{scale}"'))
    for version in sys.argv[1:]:
        written, report = write_sdf(model, version=version)
        found.append([
            'damping_scale="0.0"' in written, [item.message for item in report],
            [item.what for item in diff_models(plain, load_model(written))]])
print(json.dumps(found))
"""


def test_an_attribute_of_a_newer_version_is_a_line_in_five_files(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / 'hrdf_ros', ignore=shutil.ignore_patterns('__pycache__'))
    last = f"    SdfVersion('{NEWEST_SDF.name}'),\n"
    damping = '  damping double =0 [N s/m or N m s/rad]              | Viscous damping.\n'
    for file, old, new in (
            ('formats.py', last,
             f"{last}    SdfVersion('{NEXT_SDF}', adds=('damping_scale',)),\n"),
            ('fields.py', 'Coordinate\n',
             'Coordinate\n  damping_scale | - - dynamics/@*+damping_scale - | a damping scale\n'),
            ('model/coordinates.py', '    damping: float = 0.0\n',
             '    damping: float = 0.0\n    damping_scale: float = 1.0\n'),
            ('readers/sdf/schema/robots.py', damping,
             f'{damping}  @damping_scale double =1 {NEXT_SDF}+ | Factor of the damping.\n'),
            ('readers/sdf/joint.py', "_DYNAMICS = ('damping', ",
             "_DYNAMICS = ('damping_scale', 'damping', ")):
        text = (tmp_path / 'hrdf_ros' / file).read_text()
        assert text.count(old) == 1
        (tmp_path / 'hrdf_ros' / file).write_text(text.replace(old, new))
    done = subprocess.run(
        [sys.executable, '-c', SCALED, NEXT_SDF, NEWEST_SDF.name], cwd=tmp_path, check=True,
        text=True, capture_output=True, env={**os.environ, 'PYTHONPATH': str(tmp_path)})
    assert json.loads(done.stdout) == [
        [True, [], ['damping scale']],
        [False, [f'SDFormat has no place for a damping scale (version {NEXT_SDF} has one: use '
                 "--sdf-version): 'j'"], []],
        [False, [], []], [False, [], []]]


def test_a_newer_version_is_one_row(tmp_path: Path) -> None:
    found = with_a_newer_version(tmp_path)
    text, lost = found['written'][NEXT_SDF]
    assert text.splitlines()[1] == f'<sdf version="{NEXT_SDF}">'
    assert '<screw_thread_pitch>0.01</screw_thread_pitch>' in text
    assert '<mimic joint="lead" axis="axis">' in text and '<mass>500.0</mass>' in text
    assert (found['codes'], lost, found['same'], found['mass']) == ([], [], True, 500.0)
    older, lost = found['written']['1.9']
    assert f'<thread_pitch>{-2.0 * math.pi / 0.01!r}</thread_pitch>' in older
    assert lost == ['mimic-not-representable']
