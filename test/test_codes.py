# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Each diagnostic code: one record in the catalog, one section in the docs, one file with it.

``test/diagnostics/FORMAT/CODE.SUFFIX`` provokes one code in one format; another file for the same
code is ``CODE.WAY.SUFFIX``. A comment says where the code is reported:
``expect: SEVERITY CODE LINE:COLUMN``, or ``LINE``, with ``-`` for an unknown location and
``in FILE`` behind it where that is in another file. Folders below hold what these files include.

What no load reports has the command that does in another comment: ``run: hrdf convert, to urdf``
is ``hrdf convert FILE --to urdf`` (a comment of XML cannot contain ``--``).
"""

import ast
from collections.abc import Iterator
import os
from pathlib import Path
import re
import subprocess
import sys
from xml.etree import ElementTree

from hrdf_ros.cli import main
from hrdf_ros.codes import CODES
from hrdf_ros.load import load
import pytest

FAULTS = Path(__file__).parent / 'diagnostics'
DOCS = Path(__file__).parent.parent / 'docs' / 'diagnostics.md'
EXPECT = re.compile(r'expect: (error|warning|info) ([a-z0-9-]+) (\d+(?::\d+)?|-)(?: in (\S+))?')
RUN = re.compile(r'run: hrdf (.*?) -->')
PRINTED = re.compile(
    r'^(.*?):(?:(\d+(?::\d+)?):)? (error|warning|info)\[([a-z0-9-]+)\]', re.MULTILINE)
FORMATS = ('hrdf', 'mjcf', 'sdf', 'skel', 'urdf')
FILES = sorted(
    file for folder in FORMATS for file in (FAULTS / folder).iterdir() if file.is_file())

Output = pytest.CaptureFixture[str]


def expectations(file: Path) -> list[tuple[str, ...]]:
    text = file.read_bytes().decode('utf-8', 'replace')
    return [found.groups(default='') for found in EXPECT.finditer(text)]


def reported_by_load(file: Path) -> Iterator[tuple[str, ...]]:
    """Yield severity, code, location and other file of each diagnostic of a load."""
    for diagnostic in load(file).report:
        at = diagnostic.resolve()
        location = '-' if at is None or at.line is None else str(at._replace(file='')).lstrip(':')
        name = '' if at is None or Path(at.file) == file else Path(at.file).name
        yield diagnostic.severity, diagnostic.code, location, name


def reported_by_command(file: Path, words: str, output: Output) -> Iterator[tuple[str, ...]]:
    """Yield the same of each diagnostic that a command prints."""
    command, *options = words.split(', ')
    main([command, str(file), *(word for option in options for word in f'--{option}'.split())])
    for name, location, severity, code in PRINTED.findall(output.readouterr().err):
        yield severity, code, location or '-', '' if name == str(file) else Path(name).name


def code_of(file: Path) -> str:
    return file.name.partition('.')[0]


@pytest.mark.parametrize('file', FILES, ids=lambda file: str(file.relative_to(FAULTS)))
def test_fault_is_reported_where_it_is(file: Path, capsys: Output) -> None:
    command = RUN.search(file.read_bytes().decode('utf-8', 'replace'))
    reported = (reported_by_load(file) if command is None
                else reported_by_command(file, command[1], capsys))
    assert set(expectations(file)) <= set(reported)


@pytest.mark.parametrize('file', FILES, ids=lambda file: str(file.relative_to(FAULTS)))
def test_fault_file_is_named_after_its_code(file: Path) -> None:
    assert code_of(file) in CODES
    assert {code for _, code, _, _ in expectations(file)} == {code_of(file)}


Pins = list[tuple[Path, str, str]]


@pytest.fixture(scope='module')
def pins() -> Pins:
    """Return file and name of each test that pins a code, and the code."""
    return [
        (file, test.name, code.value)
        for file in sorted(Path(__file__).parent.rglob('test_*.py'))
        if 'mark.pins' in (text := file.read_text(encoding='utf-8'))
        for test in ast.walk(ast.parse(text)) if isinstance(test, ast.FunctionDef)
        for marker in test.decorator_list
        if isinstance(marker, ast.Call) and ast.unparse(marker.func) == 'pytest.mark.pins'
        for code in marker.args if isinstance(code, ast.Constant)]


def test_every_code_has_a_fault_file_or_a_test_that_pins_it(pins: Pins) -> None:
    assert {code_of(file) for file in FILES} >= set(CODES) - {code for _, _, code in pins}


def test_what_pins_a_code_fails_without_it(pins: Pins, tmp_path: Path) -> None:
    report = tmp_path / 'report.xml'
    subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', '-p', 'helpers.hidden_codes', '-p',
         'no:cacheprovider', f'--junitxml={report}', *sorted({str(file) for file, _, _ in pins})],
        cwd=Path(__file__).parent.parent, env={
            **os.environ, 'PYTHONPATH': os.pathsep.join(sys.path),
            'PYTEST_DISABLE_PLUGIN_AUTOLOAD': '1'}, stdout=subprocess.DEVNULL)
    failed = [
        case.get('name', '') for case in ElementTree.parse(report).iter('testcase')
        if case.find('failure') is not None]
    assert [
        (file.name, test, code) for file, test, code in pins
        if not any(re.match(rf'{test}\[(.*-)?{code}(-.*)?\]$', name) for name in failed)] == []


def test_docs_and_catalog_name_the_same_codes() -> None:
    sections = re.findall(r'^### `([a-z0-9-]+)`$', DOCS.read_text(encoding='utf-8'), re.MULTILINE)
    assert sorted(sections) == sorted(CODES)
