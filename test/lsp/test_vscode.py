# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The set-ups of editors: the extension for VS Code fits the package, and npm builds it."""

from __future__ import annotations

import json
import os
from pathlib import Path
import shutil
import subprocess
from xml.etree import ElementTree
from zipfile import ZipFile

from helpers.robots import REPOSITORY
from hrdf_ros.readers.registry import FORMATS
import pytest

FOLDER = REPOSITORY / 'editors' / 'vscode'
MANIFEST = json.loads((FOLDER / 'package.json').read_text(encoding='utf-8'))
UNREACHABLE = ('ENOTFOUND', 'ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN', 'ECONNRESET', 'E403')


def test_languages_are_the_formats() -> None:
    """Each format is a language, with all of its suffixes and a grammar that is there."""
    languages = MANIFEST['contributes']['languages']
    assert sorted(tuple(one['extensions']) for one in languages) == sorted(
        found.suffixes for found in FORMATS)
    assert [one['language'] for one in MANIFEST['contributes']['grammars']] == [
        one['id'] for one in languages]
    for grammar in MANIFEST['contributes']['grammars']:
        file = json.loads((FOLDER / grammar['path']).read_text(encoding='utf-8'))
        assert file['scopeName'] == grammar['scopeName']
        assert file['patterns'] == [{'include': 'text.xml'}]
    source = (FOLDER / 'src' / 'extension.ts').read_text(encoding='utf-8')
    assert str([one['id'] for one in languages]) in source
    roots = sorted({root for found in FORMATS for root in found.root_elements})
    assert f"<({'|'.join(roots)})" in source


@pytest.mark.parametrize('section', ['## Neovim', '## Emacs'])
def test_the_set_ups_of_other_editors_have_every_suffix(section: str) -> None:
    page = (REPOSITORY / 'docs' / 'editors.md').read_text(encoding='utf-8')
    text = page.partition(section)[2].partition('\n## ')[0]
    assert all(suffix[1:] in text for found in FORMATS for suffix in found.suffixes)


def test_the_version_is_that_of_the_package() -> None:
    assert MANIFEST['version'] == ElementTree.parse(REPOSITORY / 'package.xml').findtext('version')
    lock = json.loads((FOLDER / 'package-lock.json').read_text(encoding='utf-8'))
    assert lock['version'] == MANIFEST['version']
    assert (FOLDER / 'LICENSE').read_bytes() == (REPOSITORY / 'LICENSE').read_bytes()


def test_npm_builds_the_extension(tmp_path: Path) -> None:
    """The package has the extension, its grammars and nothing else."""
    if shutil.which('npm') is None or shutil.which('node') is None:
        pytest.skip('npm is not installed')
    folder = Path(shutil.copytree(FOLDER, tmp_path / 'vscode', ignore=shutil.ignore_patterns(
        'node_modules', 'out', '*.vsix')))
    installed = npm(folder, 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
    if installed.returncode and any(one in installed.stdout for one in UNREACHABLE):
        pytest.skip('the registry of npm cannot be reached')
    assert installed.returncode == 0, installed.stdout
    packed = npm(folder, 'run', 'package')
    assert packed.returncode == 0, packed.stdout
    with ZipFile(folder / 'hrdf.vsix') as package:
        names = {name.removeprefix('extension/') for name in package.namelist()}
    assert names == {
        '[Content_Types].xml', 'extension.vsixmanifest', 'LICENSE.txt', 'readme.md',
        'changelog.md', 'icon.png', 'package.json', 'language-configuration.json',
        'out/extension.js', *(one['path'][2:] for one in MANIFEST['contributes']['grammars'])}


def npm(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run npm in a folder."""
    return subprocess.run(
        ['npm', *arguments], cwd=folder, text=True, stdout=subprocess.PIPE, timeout=240.0,
        stderr=subprocess.STDOUT, env={**os.environ, 'CI': '1', 'npm_config_update_notifier': ''})
