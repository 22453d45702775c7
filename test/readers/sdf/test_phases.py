# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The phases of reading: none changes what an earlier one returned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helpers.loading import model_of
from hrdf_ros.load import load
from hrdf_ros.readers.schema import TypedElement
from hrdf_ros.readers.sdf import compose, reader
from hrdf_ros.readers.sdf.file import SdfFile
import pytest

ARM = (
    '<sdf version="1.9"><model name="arm"><link name="a">'
    '<sensor name="s" type="imu"><pose relative_to="f">1 0 0 0 0 0</pose></sensor>'
    '<visual name="v"><pose relative_to="f">2 0 0 0 0 0</pose></visual></link>'
    '<frame name="f"><pose>0 3 0 0 0 0</pose></frame><link name="b"/>'
    '<joint name="j" type="revolute"><pose relative_to="__model__"/><parent>a</parent>'
    '<child>b</child><axis><xyz expressed_in="__model__">0 0 1</xyz></axis></joint>'
    '</model></sdf>')
WORLD = (
    '<sdf version="1.12"><world name="w">'
    '<model name="m"><include merge="true"><uri>arm.sdf</uri><pose>0 0 1 0 0 0</pose></include>'
    '<include><uri>arm.sdf</uri><name>again</name><static>true</static></include></model>'
    '<light name="l" type="point"><pose relative_to="m::f">0 0 5 0 0 0</pose></light>'
    '<population name="p"><include><uri>arm.sdf</uri><name>many</name></include>'
    '</population></world></sdf>')


def snapshot(root: TypedElement) -> list[Any]:
    return [
        (element.tag, dict(element.attributes), element.text, element.value,
         [child.start for child in element.children]) for element in root.walk()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / 'arm.sdf').write_text(ARM)
    (tmp_path / 'world.sdf').write_text(WORLD)
    return tmp_path


def test_documents_stay_as_they_were_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[tuple[TypedElement, list[Any], set[int]]] = []

    def keep(found: Any) -> Any:
        if isinstance(found, SdfFile):
            document = found.root.document
            taken.append((found.root, snapshot(found.root), set(document.changed)))
        return found

    read_file, find_included = reader.read_file, compose.find_included
    monkeypatch.setattr(reader, 'read_file', lambda *given: keep(read_file(*given)))
    monkeypatch.setattr(compose, 'find_included', lambda *given: keep(find_included(*given)))
    model_of(load(folder / 'world.sdf'))
    assert len(taken) == 4
    for root, before, changed in taken:
        assert snapshot(root) == before
        assert root.document.changed == changed


def test_a_part_is_posed_in_the_frame_of_its_owner(folder: Path) -> None:
    model = model_of(load(folder / 'world.sdf'))
    poses = {frame.source_name: frame.pose.position for frame in model.frames}
    assert poses['m::a::s'] == poses['m::again::a::s'] == (1.0, 3.0, 0.0)
    assert poses['l'] == (0.0, 3.0, 6.0)
    assert [body.visuals[0].pose.position for body in model.bodies if body.visuals] == [
        (2.0, 3.0, 0.0), (2.0, 3.0, 0.0)]


def test_an_include_in_a_population_becomes_a_model(folder: Path) -> None:
    model = model_of(load(folder / 'world.sdf'))
    text, = [raw.text for raw in model.extensions if raw.tag == 'population']
    assert '<include' not in text
    assert '<model name="many"><link name="a">' in text


def test_a_fault_of_a_merged_model_is_reported_once(folder: Path) -> None:
    (folder / 'arm.sdf').write_text(
        ARM.replace('<frame name="f">', '<frame name="f" attached_to="nope">'))
    codes = [found.code for found in load(folder / 'world.sdf').report]
    # one of the merged model, one of the other; a population is not resolved
    assert codes.count('sdf-attached-to-unknown') == 2
