# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf format --canonical``: the same robot, always the same text."""

from __future__ import annotations

from pathlib import Path

from helpers.terminal import Run
from hrdf_ros import load
from hrdf_ros.cli.canonical import canonical, shortest
from hrdf_ros.diagnostics import Report
from hrdf_ros.diff import diff_models
from hrdf_ros.document import SourceFile
import pytest

EXAMPLES = Path(__file__).parents[2] / 'examples'
FILES = sorted(
    file for file in EXAMPLES.rglob('*')
    if file.parent.name != 'gains' and file.suffix in (
        '.hrdf', '.sdf', '.skel', '.urdf', '.mjcf', '.xml'))


def changed(name: str, text: str) -> str:
    """Return the canonical form of a text in a file of a name."""
    result = canonical(SourceFile(name, text.encode()), Report())
    assert result is not None
    return result.decode()


@pytest.mark.parametrize(('text', 'expected'), [
    ('1.0', '1'), ('0.10', '0.1'), ('+1', '1'), ('1e0', '1'), ('.5', '0.5'), ('-0.0', '-0'),
    ('1e-5', '1e-5'), ('0.00001', '1e-5'), ('0.1234567890123456789', '0.12345678901234568')])
def test_shortest_numbers(text: str, expected: str) -> None:
    assert shortest(text) == expected
    assert float(expected) == float(text)


def test_attributes_are_in_the_order_of_the_schema() -> None:
    text = ('<robot name="1.0">\n<!-- 1.0 --><link name="a"/><link name="b"/>\n'
            '<joint type="fixed" name="j"><origin rpy="0.0  0 1.50" xyz="1.0 0 0"/>'
            '<parent link="a"/><child link="b"/></joint>\n'
            '<gazebo b="1.0" a="2.0"><x>1.0</x></gazebo></robot>')
    assert changed('a.urdf', text) == (
        '<robot name="1.0">\n  <!-- 1.0 -->\n  <link name="a"/>\n  <link name="b"/>\n'
        '  <joint name="j" type="fixed">\n    <origin xyz="1 0 0" rpy="0  0 1.5"/>\n'
        '    <parent link="a"/>\n    <child link="b"/>\n  </joint>\n'
        '  <gazebo b="1.0" a="2.0">\n    <x>1.0</x>\n  </gazebo>\n</robot>\n')


def test_texts_and_versions() -> None:
    text = ('<sdf version="1.10"><model name="m"><pose degrees="true" relative_to="__model__">'
            '1.0 0 0 0 0 90.0</pose><link name="1.0"/></model></sdf>')
    found = changed('a.sdf', text)
    assert '<sdf version="1.10">' in found and 'name="1.0"' in found
    assert '<pose relative_to="__model__" degrees="true">1 0 0 0 0 90</pose>' in found


def test_expressions_stay() -> None:
    text = ('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
            '  <xacro:property value="1.0" name="x"/>\n  <link name="${x}"/>\n'
            '  <xacro:m b="1.0" a="${x + 1.0}"/>\n</robot>\n')
    assert changed('a.urdf.xacro', text).split() == text.replace(
        'name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"',
        'xmlns:xacro="http://www.ros.org/wiki/xacro" name="r"').split()


@pytest.mark.parametrize('tag', ['macro name="m"', 'if value="1"', 'property name="p"'])
def test_in_elements_of_xacro_only_white_space_changes(tag: str) -> None:
    origin = ('<link name="l"><visual><origin rpy="0 0 1.0" xyz="1.0 0 0"/><geometry>'
              '<sphere radius="1"/></geometry></visual></link>')
    text = (f'<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r">{origin}<xacro:{tag}>'
            f'{origin}</xacro:{tag.split()[0]}></robot>')
    found = changed('a.urdf.xacro', text)
    assert found.count('<origin xyz="1 0 0" rpy="0 0 1"/>') == 1
    assert found.count('        <origin rpy="0 0 1.0" xyz="1.0 0 0"/>\n') == 1


@pytest.mark.parametrize('file', FILES, ids=lambda file: str(file.relative_to(EXAMPLES)))
def test_the_robot_stays_the_same(file: Path) -> None:
    data = file.read_bytes()
    text = canonical(SourceFile(str(file), data), Report())
    assert text is not None
    assert canonical(SourceFile(str(file), text), Report()) == text
    before = load(file)
    after = load(file, overlay={str(file.resolve()): text.decode()})
    assert before.model is not None and after.model is not None
    assert diff_models(before.model, after.model, tolerance=0.0) == []


def test_the_command_writes_it(hrdf: Run, tmp_path: Path) -> None:
    file = tmp_path / 'a.urdf'
    file.write_text('<robot name="r">\n  <link name="a"/>\n</robot>\n')
    assert hrdf(f'format --canonical --check {file}').status == 0
    file.write_text('<robot name="r"><material name="m"><color rgba="1.0 0 0 1"/></material>'
                    '<link name="a"/></robot>')
    assert hrdf(f'format --canonical --check {file}').status == 1
    assert hrdf(f'format --canonical {file}').status == 0
    assert '<color rgba="1 0 0 1"/>' in file.read_text()
