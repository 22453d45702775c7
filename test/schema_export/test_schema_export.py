# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The generated schemas accept what the readers do, and refuse structural faults as they do."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Optional

from helpers.robots import CORPORA, REPOSITORY
from hrdf_ros.cli import main
from hrdf_ros.load import load
from hrdf_ros.schema_export import export, versions_of
from lxml import etree
import pytest

STRUCTURAL = {
    'unknown-element', 'unknown-attribute', 'missing-attribute', 'missing-element',
    'duplicate-element', 'exclusive-attributes', 'attribute-requires-other', 'stray-text',
}
FORMATS = ('hrdf', 'mjcf', 'sdf', 'skel', 'urdf')
FOUND_BY_READERS = {'sdf': {'stray-text'}, 'skel': {'missing-element', 'duplicate-element'}}
"""
Structural faults that depend on more than a schema can say: where text has no effect in SDFormat,
what SKEL requires of a joint by its type; and of a file without <world> the first
<skeleton> is read.
"""


@cache
def validators(name: str, version: str) -> tuple[etree.RelaxNG, etree.XMLSchema]:
    return (
        etree.RelaxNG(etree.fromstring(export(name, version, 'rng').encode())),
        etree.XMLSchema(etree.fromstring(export(name, version, 'xsd').encode())))


def files() -> list[tuple[str, Path]]:
    roots = (REPOSITORY / 'examples', REPOSITORY / 'test' / 'diagnostics', CORPORA)
    return [
        (name, file) for name in FORMATS for root in roots
        for file in sorted(root.rglob('mjcf/*.xml' if name == 'mjcf' else f'*.{name}'))]


def version_of(name: str, root: etree._Element) -> Optional[str]:
    """Return the version to validate by; without one URDF is 1.0, HRDF 1.0.0."""
    versions = versions_of(name)
    if name in ('mjcf', 'skel'):
        return versions[0]
    version = root.get('version', versions[0])
    return version if version in versions and (name != 'sdf' or 'version' in root.attrib) else None


@pytest.mark.parametrize(
    ('name', 'file'), files(), ids=lambda it: it.name if isinstance(it, Path) else it)
def test_a_file_validates_where_its_structure_is_right(name: str, file: Path) -> None:
    report = load(file).report
    own = [found for found in report if found.resolve().file == str(file)]
    found_codes = {found.code for found in own}
    try:
        document = etree.parse(file)
    except (etree.XMLSyntaxError, OSError):  # OSError: bytes that are not UTF-8
        assert not report.ok or found_codes & {'xml-recovered', 'xml-undeclared-prefix'}
        return
    if document.getroot().tag == 'gazebo':  # what the root was called before SDFormat 1.3
        return
    version = version_of(name, document.getroot())
    if version is None:
        assert found_codes & {
            'unknown-version', 'missing-version', 'hrdf-version-undocumented', 'suffix-mismatch',
            'unknown-format'}
        return
    relax, schema = validators(name, version)
    faults = found_codes & STRUCTURAL or {
        found for found in own
        if found.code == 'newer-than-version' and 'refuse a file of version' not in found.message}
    may_be_refused = faults or 'bad-value' in found_codes
    if relax.validate(document):
        assert faults <= FOUND_BY_READERS.get(name, set())
    else:
        assert may_be_refused, relax.error_log
    assert schema.validate(document) or may_be_refused, schema.error_log


@pytest.mark.parametrize('name', FORMATS)
@pytest.mark.parametrize('language', ['rng', 'xsd'])
def test_each_version_is_a_valid_schema(
    name: str, language: str, capsys: pytest.CaptureFixture[str],
) -> None:
    for version in versions_of(name):
        assert main(['schema', name, '--to', language, '--version', version]) == 0
        text = capsys.readouterr().out.encode()
        (etree.RelaxNG if language == 'rng' else etree.XMLSchema)(etree.fromstring(text))
        assert b'documentation>' in text


def test_an_unknown_version_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['schema', 'hrdf', '--version', '1.60']) == 2
    assert "did you mean '1.6.0'?" in capsys.readouterr().err


@pytest.mark.parametrize('command', ['check', 'diff', 'frames', 'info'])
def test_the_schema_of_what_a_command_writes(
        command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['schema', command]) == 0
    file = Path(__file__).parents[2] / 'docs' / 'schema' / f'{command}.schema.json'
    assert capsys.readouterr().out == file.read_text()
    assert main(['schema', command, '--to', 'xsd']) == 2
