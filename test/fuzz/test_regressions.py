# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What fuzzing found, one test for each."""

from __future__ import annotations

from helpers.cdr import deserialized
from helpers.loading import model_of
from hrdf_ros import load, load_model, write_sdf
from hrdf_ros.node.cdr import JointStateReader
from hrdf_ros.parsing import formula, sdf, skel, urdf
from hrdf_ros.parsing.errors import ValueSyntaxError
import pytest

DIGITS = '9' * 5000
"""More digits than Python's int() takes."""
ARM = """<robot name="r"><link name="a"/><link name="b"/>
<joint name="j" type="continuous"><parent link="{}"/><child link="b"/>{}</joint></robot>"""


@pytest.mark.parametrize('read', [sdf.integer, urdf.version])
@pytest.mark.parametrize('text', [DIGITS, f'1.{DIGITS}', f'{DIGITS}.0'])
def test_numbers_of_many_digits(read, text):
    try:
        assert read(text) == 1
    except ValueSyntaxError as fault:
        assert fault.index == 0


@pytest.mark.parametrize('read', [urdf.number, sdf.double, skel.number, formula.number])
def test_junk_behind_a_million_digits_is_found_in_one_pass(read):
    with pytest.raises(ValueSyntaxError) as caught:
        read('1' * 1_000_000 + 'x')
    assert caught.value.index in (0, 1_000_000)


SKEL = """<skel version="1.0"><world name="w"><skeleton name="s"><body name="b">
<inertia><mass>2</mass></inertia><visualization_shape>
<transformation>0 0 0 0.1 0.2 0.3</transformation><geometry>{}</geometry>
</visualization_shape></body><joint type="weld" name="j"><parent>world</parent><child>b</child>
</joint></skeleton></world></skel>"""
REPLICATE = """<mujoco><worldbody><replicate count="4294967295">{}</replicate></worldbody>
</mujoco>"""


@pytest.mark.parametrize('code, text', [
    ('unknown-version', f'<sdf version="1.{DIGITS}"><model name="m"/></sdf>'),
    ('duplicate-name', """<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="continuous"><parent link="a"/><child link="c"/><mimic joint="j"/></joint>
</robot>"""),
    ('not-finite', SKEL.format('<box><size>1e308 1e308 1e308</size></box>')),
    # repetitions were counted by what they repeat: nothing, two thousand million times
    ('too-many-elements', REPLICATE.format('')),
    ('too-many-elements', REPLICATE.format('<light/>')),
    ('too-many-elements', REPLICATE.format('<replicate count="2147483648"/>'))])
def test_faults_are_found(code, text):
    assert code in [found.code for found in load(text).report]


@pytest.mark.parametrize('text', [
    *(f"""<sdf version="1.11"><model name="m"><link name="a"><visual name="v"><geometry><{shape}/>
</geometry></visual></link></model></sdf>""" for shape in ('mesh', 'heightmap', 'image')),
    ARM.format('b', ''), ARM.format('a', '<mimic joint="j"/>'),
    ARM.format('a', '<origin xyz="1e-320 0 0"/>'),
    """<sdf version="1.10"><model name="m"><link name="a"/><link name="b"/><joint name="j"
type="revolute"><parent>a</parent><child>b</child><axis><xyz>0 0 1e156</xyz></axis></joint></model>
</sdf>"""])
def test_what_is_written_can_be_read(text):
    written, _ = write_sdf(load_model(text))
    assert load(written).ok


@pytest.mark.parametrize('size', ['1e200', '1e-200'])
def test_quaternions_of_any_length(size):
    assert sdf.pose(f'0 0 0 {size} 0 0 0', quaternion=True).qx == 1.0


def test_capsule_whose_volume_is_zero():
    loaded = load(SKEL.format('<capsule><radius>1e-200</radius><height>1</height></capsule>'))
    inertia = model_of(loaded).bodies[-1].inertia
    assert inertia is not None and sum(inertia.tensor[:3]) == pytest.approx(4.0 / 12.0)


def test_axes_that_follow_each_other_in_a_long_circle():
    """Each is compared with the leader of all, not with all: 10,000 took 3 s."""
    count = 3000
    joints = ''.join(
        f'<link name="l{n}"/><joint name="j{n}" type="revolute"><parent>world</parent>'
        f'<child>l{n}</child><axis><xyz>0 0 1</xyz><mimic joint="j{(n + 1) % count}">'
        '<multiplier>1</multiplier><offset>0</offset><reference>0</reference></mimic></axis></joint>'
        for n in range(count))
    loaded = load(f'<sdf version="1.12"><model name="m">{joints}</model></sdf>')
    assert [found.code for found in loaded.report].count('sdf-mimic-ignored') == 1
    followers = [bool(coordinate.mimic) for coordinate in model_of(loaded).coordinates]
    assert followers == [True] * (count - 1) + [False]


def test_names_that_are_no_utf8_have_no_layout():
    """Their bytes are shorter than what is decoded: a layout would fit messages of others."""
    data, other = (
        b'\0\1\0\0' + bytes(8) + b'\1\0\0\0' + bytes(4) + b'\2\0\0\0' + b'\4\0\0\0\xed\xa0\x80\0'
        + b'\2\0\0\0' + name + b'\0\0\0' + b'\2\0\0\0' + bytes(16) for name in (b'a', b'b'))
    reader = JointStateReader(deserialized)
    assert reader.learn(data).names[1] == 'a'
    assert reader.find(other) is None and reader.learn(other).names[1] == 'b'
