# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The schema of SDFormat beside those that libsdformat installs.

They cannot be used as they come: types.xsd and navsat.xsd are not installed, model_state.xsd
declares ``model`` once more, and ``<pose>`` may have no text. So what is compared are models, by
model.xsd with these repaired. It requires an order of elements that libsdformat itself does not.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
import re

from helpers.robots import CORPORA, REPOSITORY
from hrdf_ros import load
from hrdf_ros.schema_export import export
from lxml import etree
import pytest

INSTALLED = sorted(Path('/usr/share').glob('sdformat*/1.*/model.xsd'))
ROOTS = (REPOSITORY / 'examples', REPOSITORY / 'test' / 'diagnostics' / 'sdf', CORPORA / 'sdf')
TYPES = ('color', 'pose', 'quaternion', 'time', 'vector2d', 'vector2i', 'vector3')
STRUCTURAL = {'unknown-element', 'unknown-attribute', 'missing-element', 'missing-attribute'}
"""Faults that libsdformat reports as well, though not by its schema."""
UNTYPED_JOINT = '<sdf version="{}"><model name="m"><joint name="j"/></model></sdf>'
HEAD = "<xsd:schema xmlns:xsd='http://www.w3.org/2001/XMLSchema'>"


def repaired(installed: Path, folder: Path) -> etree.XMLSchema:
    """Return the installed schema of models, from copies in a folder."""
    for file in installed.parent.glob('*.xsd'):
        text = file.read_text().replace('http://sdformat.org/schemas/', '')
        if file.name == 'pose.xsd':
            text = text.replace('<xsd:complexType>', "<xsd:complexType mixed='true'>")
        (folder / file.name).write_text(text)
    (folder / 'types.xsd').write_text(HEAD + ''.join(
        f"<xsd:simpleType name='{name}'><xsd:restriction base='xsd:string'/></xsd:simpleType>"
        for name in TYPES) + '</xsd:schema>')
    for file in list(folder.iterdir()):
        for name in re.findall("schemaLocation='(.*?)'", file.read_text()):
            if not (folder / name).exists():
                (folder / name).write_text(
                    f"{HEAD}<xsd:element name='{Path(name).stem}'/></xsd:schema>")
    return etree.XMLSchema(etree.parse(folder / 'model.xsd'))


def documents(version: str) -> dict[Path, etree._Element]:
    """Return the files of a version that have a model."""
    found = {}
    for file in (file for root in ROOTS for file in sorted(root.rglob('*.sdf'))):
        try:
            root = etree.parse(file).getroot()
        except (etree.XMLSyntaxError, OSError):
            continue
        if root.get('version') == version and root.find('model') is not None:
            found[file] = root
    return found


@pytest.mark.skipif(not INSTALLED, reason='libsdformat and its schemas are not installed')
def test_what_the_schemas_of_libsdformat_accept_is_accepted(tmp_path: Path) -> None:
    verdicts: Counter[tuple[bool, bool]] = Counter()
    for installed in INSTALLED:
        version = installed.parent.name
        folder = tmp_path / version
        folder.mkdir()
        theirs = repaired(installed, folder)
        ours = etree.RelaxNG(etree.fromstring(export('sdf', version, 'rng').encode()))
        untyped = etree.fromstring(UNTYPED_JOINT.format(version))
        assert not theirs.validate(untyped.find('model')) and not ours.validate(untyped)
        for file, root in documents(version).items():
            model = etree.fromstring(etree.tostring(root.find('model')))
            verdict = theirs.validate(model), ours.validate(root)
            verdicts[verdict] += 1
            faults = {found.code for found in load(file).report if found.severity != 'info'}
            assert verdict != (True, False) or faults & STRUCTURAL, (file, ours.error_log)
    assert verdicts[True, True] >= 5
