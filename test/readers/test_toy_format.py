# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A format is a folder and a line in the registry: ``toy_format`` beside this file shows it."""

from __future__ import annotations

from pathlib import Path

from hrdf_ros import load, load_model, write_urdf
from hrdf_ros.model import Box
from hrdf_ros.readers import registry
from hrdf_ros.readers.registry import Format
import pytest

STACK = """<stack version="2">
  <box name="below" color="blue"><mass>2</mass><size>1 1 0.5</size></box>
  <box name="above"><size>1 1 1</size></box>
</stack>
"""


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy format."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setattr(registry, 'FORMATS', (
        *registry.FORMATS, Format('toy', ('.toy',), ('stack',), 'toy_format')))


def lines(text: str) -> list[str]:
    """Return what a load reports: line, column and message, and the hint where there is one."""
    found = []
    for diagnostic in load(text).report:
        at = diagnostic.resolve()
        assert at is not None
        hint = f' ({diagnostic.hint})' if diagnostic.hint else ''
        found.append(f'{at.line}:{at.column} {diagnostic.message}{hint}')
    return found


def test_a_file_is_known_by_suffix_and_a_text_by_its_root_element(tmp_path: Path) -> None:
    file = tmp_path / 'boxes.toy'
    file.write_text(STACK)
    assert load_model(file).format == load_model(STACK).format == 'toy'
    assert load_model(STACK, format='toy').format == 'toy'


def test_values_are_typed_and_defaults_are_the_schemas() -> None:
    below, above = load_model(STACK).bodies
    assert below.inertia is not None and above.inertia is not None
    assert (below.inertia.mass, above.inertia.mass) == (2.0, 1.0)
    assert (below.visuals[0].name, above.visuals[0].name) == ('blue', 'red')
    assert below.visuals[0].geometry == Box((1.0, 1.0, 0.5))


def test_all_that_works_on_a_model_works_on_this_one() -> None:
    text, report = write_urdf(load_model(STACK))
    assert report.ok
    assert load_model(text).joints[0].parent_from_joint.z == 0.5


def test_faults_are_found_by_the_schema_alone() -> None:
    assert lines("""<stack>
  <bx/>
  <box nam="a" color="green"><mass>-1</mass></box>
  <box name="b" color="bleu"><size>1 1</size><size>1 1 1</size></box>
</stack>""") == [
        "2:3 unknown element <bx> in <stack>; ignored (did you mean 'box'?)",
        '3:3 <box> is missing the required element <size>',
        "3:8 unknown attribute 'nam' in <box>, which is missing the required attribute 'name' "
        "(did you mean 'name'?)",
        "3:16 attribute 'color' requires Toy 2 or newer; this file is Toy 1 "
        '(write version="2" or newer)',
        '3:36 <mass>: -1.0 must be greater than 0.0',
        "4:17 attribute 'color' requires Toy 2 or newer; this file is Toy 1 "
        '(write version="2" or newer)',
        '4:36 <size>: 3 numbers are required, not 2',
        '4:46 duplicate <size>; ignored',
    ]


def test_another_root_element_is_refused() -> None:
    [found] = load('<stck/>', format='toy').report
    assert found.message == 'the root element of Toy is <stack>, not <stck>'
