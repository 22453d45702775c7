# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What README and docs show is so: commands run, shown output is the output, links lead somewhere.

Commands run in a directory with the robots that the pages name: copies of examples, and the files
of ``test/documentation`` for output that depends on a file's content. A block that begins with
``$`` shows a command and its whole output; other lines that begin with ``hrdf`` must run.
"""

from __future__ import annotations

import doctest
import json
from pathlib import Path
import re
import runpy
import shutil
import subprocess
import sys

from hrdf_ros.node.settings import Settings
import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = Path(__file__).parent / 'documentation'
PATTERNS = ('*.md', 'docs/*.md', 'examples/*/README.md')
PAGES = sorted(file for pattern in PATTERNS for file in ROOT.glob(pattern))
TEXTS = {file: file.read_text(encoding='utf-8') for file in PAGES}
ROBOTS = {
    'arm.hrdf': 'hrdf/arm_6dof.hrdf', 'robot.hrdf': 'hrdf/arm_6dof.hrdf',
    'robot.sdf': 'sdf/mobile_base.sdf', 'world.sdf': 'sdf/features/world_joint.sdf',
    'four_bar.sdf': 'sdf/four_bar.sdf', 'robot.urdf': 'urdf/gripper_arm.urdf',
    'before.urdf': 'urdf/gripper_arm.urdf', 'after.urdf': 'urdf/gripper_arm.urdf',
    'old.skel': 'skel/humanoid.skel', 'new.sdf': 'sdf/mobile_base.sdf',
}
INDENTED = re.compile(r'(?:^ {4}.*\n|^\n(?= {4}))+', re.MULTILINE)
FENCED = re.compile(r'^```(\w*)\n(.*?)^```', re.MULTILINE | re.DOTALL)
PROMPTED = re.compile(r'^\$ (.*)\n((?:(?!\$ ).*\n?)*)', re.MULTILINE)
LINK = re.compile(r'\]\(([^)#:]+)(?:#[^)]*)?\)')
# Differences are no fault of a command, and these need ROS or a browser.
DIFFERENT, WITH_ROS = 1, ('hrdf node', 'hrdf COMMAND', 'hrdf render', 'hrdf view')


def blocks(text: str) -> list[str]:
    """Return the code blocks of a page that are indented or fenced as shell text."""
    fenced = [body for language, body in FENCED.findall(text) if language in ('', 'sh', 'console')]
    rest = FENCED.sub('', text)
    return fenced + [re.sub('^ {4}', '', block, flags=re.MULTILINE).strip('\n') + '\n'
                     for block in INDENTED.findall(rest)]


def sessions() -> list[tuple[Path, str, str]]:
    """Return page, command and output of everything that is shown with a prompt."""
    return [(page, command.strip(), output) for page, text in TEXTS.items()
            for block in blocks(text) if block.startswith('$ ')
            for command, output in PROMPTED.findall(block)]


def commands() -> list[tuple[Path, str]]:
    """Return page and line of each command that is shown without its output."""
    return [(page, line.partition('   #')[0].strip()) for page, text in TEXTS.items()
            for block in blocks(text) if not block.startswith('$ ')
            for line in block.splitlines()
            if line.startswith('hrdf ') and not line.startswith(WITH_ROS)
            and page.stem != 'diagnostics']  # it shows commands that fail


def identifier(value: object) -> str:
    """Return the name of a parameter: a page's path, or the command."""
    return str(value.relative_to(ROOT)) if isinstance(value, Path) else str(value)[:60].strip()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a directory with the robots that the pages name."""
    shutil.copytree(ROOT / 'examples', tmp_path / 'examples')
    for name, example in ROBOTS.items():
        shutil.copy(ROOT / 'examples' / example, tmp_path / name)
    for name in ('meshes', 'parts'):
        shutil.copytree(ROOT / 'examples' / 'hrdf' / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `hrdf` is the command of this source tree."""
    script = f'hrdf() {{ "{sys.executable}" -m hrdf_ros.cli "$@"; }}\n{command}'
    return subprocess.run(['sh', '-c', script], cwd=folder, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


@pytest.mark.parametrize(('page', 'command', 'output'), sessions(), ids=identifier)
def test_command_prints_what_is_shown(
        page: Path, command: str, output: str, folder: Path) -> None:
    shutil.copytree(FILES / page.stem.lower(), folder, dirs_exist_ok=True)
    assert run(command, folder).stdout == output


@pytest.mark.parametrize(('page', 'command'), commands(), ids=identifier)
def test_command_runs(page: Path, command: str, folder: Path) -> None:
    done = run(command, folder)
    allowed = (0, DIFFERENT) if command.startswith('hrdf diff') else (0,)
    assert done.returncode in allowed, done.stdout


@pytest.mark.parametrize('page', PAGES, ids=identifier)
def test_python_prompts(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(TEXTS[page], {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    runner.run(test, out=said.append)
    assert said == []


@pytest.mark.parametrize('page', PAGES, ids=identifier)
def test_python_blocks(page: Path, folder: Path) -> None:
    """The blocks of a page run one after another."""
    names: dict[str, object] = {}
    for language, block in FENCED.findall(TEXTS[page]):
        if language == 'python':
            exec(compile(block, str(page), 'exec'), names)


@pytest.mark.parametrize('page', PAGES, ids=identifier)
def test_links_lead_to_files(page: Path) -> None:
    assert [link for link in LINK.findall(TEXTS[page])
            if not (page.parent / link).exists()] == []


def test_functions_of_the_architecture_are_where_it_says() -> None:
    """Each row of its tables names files and what is defined in them."""
    text = TEXTS[ROOT / 'docs' / 'architecture.md']
    rows = re.findall(r'^\| [^|]* \| (`hrdf_ros/[^|]*) \| (`[^|]*) \|$', text, re.MULTILINE)
    assert len(rows) > 20
    for files, names in rows:
        code = ''.join((ROOT / file).read_text() for file in re.findall('`(.*?)`', files))
        for name in re.findall('`(.*?)`', names):
            assert re.search(rf'^ *(?:class |def |){name}\b[(:, ]', code, re.MULTILINE), name


def test_readme_lists_every_parameter_with_its_default() -> None:
    section = TEXTS[ROOT / 'README.md'].partition('### Parameters')[2].partition('\n## ')[0]
    rows = re.findall(r'^\| `(\w+)` \| `(.*?)` \|', section, re.MULTILINE)
    defaults = {name: json.dumps(value) if isinstance(value, (bool, float, tuple)) else value
                for name, value in Settings()._asdict().items()}
    assert {name: shown.strip("'") for name, shown in rows} == defaults


def test_make_targets_exist() -> None:
    targets = re.findall(r'^(\w+):', (ROOT / 'Makefile').read_text(), re.MULTILINE)
    named = {name for text in TEXTS.values() for name in re.findall(r'`make (\w+)', text)}
    assert named <= set(targets)


def test_drawing_of_the_layers_is_up_to_date() -> None:
    """`python3 tools/draw_layers.py` draws it again."""
    script = runpy.run_path(str(ROOT / 'tools' / 'draw_layers.py'))
    text = (ROOT / 'docs' / 'layers.dot').read_text(encoding='utf-8')
    assert text == script['source']()
    drawing = (ROOT / 'docs' / 'layers.svg').read_text(encoding='utf-8')
    parts = re.findall(r'^  "([\w/]+)"$', text, re.MULTILINE)
    assert [part for part in parts if f'>{part}</text>' not in drawing] == []
