# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The hooks of pre-commit, the action for GitHub and its problem matcher."""

from __future__ import annotations

from collections.abc import Mapping
import json
from pathlib import Path
import re
import shlex
import shutil
import subprocess
import sys
from types import MappingProxyType
from typing import Any

from helpers.git_repository import Repository
from helpers.robots import REPOSITORY
from hrdf_ros.cli import main
import pytest
from requirements import distributions, packages
import yaml

FAULTS = REPOSITORY / 'test' / 'diagnostics'
FAULTY_FILES = sorted(
    file for file in FAULTS.glob('*/*') if file.suffix in ('.hrdf', '.sdf', '.skel', '.urdf'))
ACTION: dict[str, Any] = yaml.safe_load((REPOSITORY / 'action.yml').read_text())
HOOKS: dict[str, dict[str, Any]] = {
    hook['id']: hook
    for hook in yaml.safe_load((REPOSITORY / '.pre-commit-hooks.yaml').read_text())}
MATCHERS = json.loads((REPOSITORY / '.github' / 'problem-matcher.json').read_text())
FAULTY = '<robot name="r">\n  <lnk name="a"/>\n  <link name="b"/>\n</robot>\n'
ODD = '<robot name="r">\n  <link name="a"/>\n    <link/>\n</robot>\n'
ARM = (
    '<robot name="arm"><link name="base"/><link name="tool"/>\n'
    '<joint name="elbow" type="revolute"><parent link="base"/><child link="tool"/>\n'
    '<limit lower="-1" upper="2.6" effort="1" velocity="1"/></joint></robot>\n')
Output = pytest.CaptureFixture[str]


# ---- the problem matcher

PATTERNS = [matcher['pattern'][0] for matcher in MATCHERS['problemMatcher']]


def matched(text: str) -> list[tuple[Any, ...]]:
    """Return file, line, column, severity, code and message of what the runner would find."""
    return [
        tuple(match[pattern[key]] if key in pattern else None
              for key in ('file', 'line', 'column', 'severity', 'code', 'message'))
        for line in text.splitlines() for pattern in PATTERNS
        for match in [re.match(pattern['regexp'], line)] if match is not None]


@pytest.mark.parametrize('file', FAULTY_FILES, ids=lambda file: str(file.relative_to(FAULTS)))
def test_the_matcher_finds_each_diagnostic_once(file: Path, capsys: Output) -> None:
    main(['check', str(file), '--format', 'json'])
    expected = {
        (found['file'], found['line'], found['column'], found['severity'], found['code'])
        for found in json.loads(capsys.readouterr().out)['diagnostics']
        if found['severity'] != 'info'}
    main(['check', str(file)])
    output = capsys.readouterr()
    found = {
        (name, *(None if number is None else int(number) for number in place), severity, code)
        for name, *place, severity, code, _ in matched(output.out + output.err)}
    assert found <= expected
    # the same message at several places is printed once
    assert {each[3:] for each in found} == {each[3:] for each in expected}


# ---- the action

def run_step(
    name: str, folder: Path, *, environment: Mapping[str, str] = MappingProxyType({}),
    **inputs: str,
) -> tuple[int, str]:
    """Run a step of the action as a runner does, with the command of this tree."""
    command = folder / 'runner' / 'hrdf' / 'bin' / 'hrdf'
    command.parent.mkdir(parents=True, exist_ok=True)
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m hrdf_ros.cli "$@"\n')
    command.chmod(0o755)
    given = {
        **{f'inputs.{key}': str(value['default']) for key, value in ACTION['inputs'].items()},
        **{f'inputs.{key}': value for key, value in inputs.items()}, **environment}
    step, = (step for step in ACTION['runs']['steps'] if step['name'] == name)
    variables = {
        key: re.sub(r'\$\{\{ ([\w.-]+) \}\}', lambda found: given[found[1]], value)
        for key, value in step['env'].items()}
    done = subprocess.run(
        ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step['run']],
        cwd=folder / 'repository', text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**variables, 'PATH': '/usr/bin:/bin', 'PYTHONPATH': str(REPOSITORY),
             'PYTHONDONTWRITEBYTECODE': '1', 'RUNNER_TEMP': str(folder / 'runner'),
             'GITHUB_ACTION_PATH': str(REPOSITORY), 'GITHUB_JOB': 'check',
             'GITHUB_STEP_SUMMARY': str(folder / 'summary'),
             'GITHUB_OUTPUT': str(folder / 'output')})
    return done.returncode, done.stdout


def check_step(folder: Path, **inputs: str) -> tuple[int, str]:
    """Run the step that checks."""
    return run_step('Check', folder, **inputs)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a repository of some robots."""
    repository = tmp_path / 'repository'
    (repository / 'my robots').mkdir(parents=True)
    (repository / 'my robots' / 'faulty.urdf').write_text(FAULTY)
    (repository / 'odd.urdf').write_text(ODD)
    (repository / 'good.urdf').write_text('<robot name="r">\n  <link name="a"/>\n</robot>\n')
    return tmp_path


@pytest.mark.parametrize(('inputs', 'status'), [
    ({'paths': 'good.urdf\n'}, 0), ({'paths': '\n  \nmy robots\ngood.urdf\n'}, 0),
    ({'paths': 'odd.urdf'}, 1), ({'paths': 'nosuch.urdf'}, 1), ({'paths': 'my robots'}, 0),
    ({'paths': 'my robots', 'strict': 'true'}, 1),
    ({'paths': 'my robots', 'strict': 'true', 'args': '--ignore unknown-element --quiet'}, 0),
    # inputs reach the shell as variables, never as a part of the script
    ({'paths': '$(touch ran)\n`touch ran`', 'args': '$(touch ran);touch ran'}, 1)])
def test_the_action_checks_what_it_is_given(
    folder: Path, inputs: dict[str, str], status: int,
) -> None:
    assert check_step(folder, **inputs)[0] == status
    assert not list(folder.rglob('ran'))


def test_the_action_finds_the_faults_of_the_repository(folder: Path) -> None:
    assert not any('${{' in step.get('run', '') for step in ACTION['runs']['steps'])
    status, output = check_step(folder)
    assert status == 1
    assert {found[4] for found in matched(output)} == {
        'unknown-element', 'missing-attribute', 'urdf-not-a-tree'}


# ---- its summary of a pull request

@pytest.fixture
def pull_request(tmp_path: Path) -> Repository:
    """Return main, and a branch that changes a limit, of which `merge` is what GitHub makes."""
    made = Repository(tmp_path / 'origin')
    made.git('symbolic-ref', 'HEAD', 'refs/heads/main')
    made.commit({'arm.urdf': ARM, 'faulty.urdf': FAULTY.replace('<link name="b"/>', '')})
    made.git('checkout', '--quiet', '-b', 'change')
    made.commit({'arm.urdf': ARM.replace('2.6', '2.2')})
    made.git('checkout', '--quiet', 'main')
    made.commit({'other.urdf': ARM, 'faulty.urdf': FAULTY.replace('<link name="b"/>', '\n')})
    made.git('checkout', '--quiet', '-b', 'merge')
    made.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'change')
    return made


@pytest.mark.skipif(shutil.which('git') is None, reason='git is not installed')
@pytest.mark.parametrize(('branch', 'depth'), [('merge', 1), ('merge', 2), ('change', 1)])
def test_the_summary_of_a_pull_request(
    branch: str, depth: int, pull_request: Repository, tmp_path: Path,
) -> None:
    """The merge that is checked out by default, without and with its parents; the branch."""
    base = pull_request.git('rev-parse', 'main' if branch == 'merge' else 'change~')
    pull_request.git(
        'clone', '--quiet', f'--depth={depth}', '--branch', branch,
        f'file://{pull_request.directory}', str(tmp_path / 'repository'))
    wrong = '0' * 40 if branch == 'merge' else base  # the merge itself says what its base is
    status, printed = run_step(
        'Review', tmp_path, environment={'github.event.pull_request.base.sha': wrong})
    assert (status, printed) == (0, '')
    page = (tmp_path / 'summary').read_text()
    assert page.startswith(f'## Robots that differ from {base[:12]}\n\n### arm.urdf\n')
    assert '| upper | elbow | 2.6 | 2.2 |' in page and page.endswith('## New findings\n\nNone.\n')
    assert 'faulty.urdf' not in page and 'other.urdf' not in page


@pytest.mark.skipif(shutil.which('git') is None, reason='git is not installed')
def test_the_summary_without_its_base(pull_request: Repository, tmp_path: Path) -> None:
    pull_request.git('clone', '--quiet', str(pull_request.directory), str(tmp_path / 'repository'))
    status, _ = run_step(
        'Review', tmp_path, environment={'github.event.pull_request.base.sha': '0' * 40},
        paths='arm.urdf\n$(touch ran)', args='--no-such-option')
    assert status != 0 and not list(tmp_path.rglob('ran'))
    step, = (step for step in ACTION['runs']['steps'] if step['name'] == 'Review')
    assert step['continue-on-error'], 'a summary that fails lets the check go on'


def test_the_link_to_the_picture(tmp_path: Path) -> None:
    (tmp_path / 'repository').mkdir()
    url = 'https://example.org/artifacts/1'
    assert run_step('Link the picture', tmp_path, environment={
        'steps.upload.outputs.artifact-url': url}) == (0, '')
    assert f'({url})' in (tmp_path / 'summary').read_text()


def test_other_actions_are_pinned() -> None:
    """Pinning this action pins them, too."""
    for step in ACTION['runs']['steps']:
        assert re.search('@[0-9a-f]{40}$', step.get('uses', f'@{"0" * 40}'))


# ---- the hooks

def test_the_hooks_in_a_repository(folder: Path, capsys: Output) -> None:
    """What pre-commit runs: the entry with the files, and whether they changed."""
    faulty = folder / 'repository' / 'my robots' / 'faulty.urdf'
    odd = folder / 'repository' / 'odd.urdf'
    check = shlex.split(HOOKS['hrdf-check']['entry'], comments=True)[1:]
    assert main([*check, str(faulty)]) == 0
    assert main([*check, '--path=a.urdf']) == 1  # a file, whatever its name
    assert 'error[file-not-found]' in capsys.readouterr().err
    assert main([*check, str(faulty), str(odd)]) == 1
    assert 'odd.urdf:3:5: error[' in capsys.readouterr().err
    main([*shlex.split(HOOKS['hrdf-format']['entry'])[1:], str(odd)])
    assert odd.read_text() == ODD.replace('    <link/>', '  <link/>')


def test_the_check_leaves_out_what_is_no_robot(folder: Path, capsys: Output) -> None:
    package = folder / 'repository' / 'package.xml'
    package.write_text('<package><name>p</name></package>')
    check = shlex.split(HOOKS['hrdf-check']['entry'], comments=True)[1:]
    assert main([*check, str(package)]) == 0
    assert capsys.readouterr().out == ''


# ---- the page about them

PAGE = (REPOSITORY / 'docs' / 'how-to' / 'check-in-ci.md').read_text()


def block(language: str, start: str) -> str:
    """Return the block of the page in a language that has a text."""
    blocks: list[str] = re.findall(rf'(?ms)^```{language}.*?\n(.*?)^```', PAGE)
    [found] = [text for text in blocks if start in text]
    return found


def test_the_hooks_of_the_page_fail_as_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output,
) -> None:
    monkeypatch.chdir(tmp_path)
    [repository] = yaml.safe_load(block('yaml', 'repos:'))['repos']
    assert {hook['id'] for hook in repository['hooks']} == set(HOOKS)
    (tmp_path / 'bad.urdf').write_text(block('xml', '<robot name="bad">'))
    hook = HOOKS['hrdf-check']
    status = main([*shlex.split(hook['entry'], comments=True)[1:], 'bad.urdf'])
    head, shown = block('text', 'Failed').split('\n\n', 1)
    result = capsys.readouterr()
    assert result.err + result.out == shown
    name, *rest = head.splitlines()
    assert re.fullmatch(re.escape(hook['name']) + r'\.+Failed', name)
    assert rest == [f"- hook id: {hook['id']}", f'- exit code: {status}']
    [entry] = re.findall('`entry: (hrdf .*?)`', PAGE)
    assert main([*shlex.split(entry)[1:], 'bad.urdf']) == 1


def test_the_action_runs_as_the_page_uses_it(folder: Path) -> None:
    [_, step] = yaml.safe_load(block('yaml', 'steps:'))['steps']
    assert set(step['with']) <= set(ACTION['inputs'])
    assert all(f'| `{name}` |' in PAGE for name in ACTION['inputs'])
    repository = folder / 'repository'
    robots, yard = repository / 'robots', repository / 'worlds' / 'yard.sdf'
    robots.mkdir()
    yard.parent.mkdir()
    (robots / 'good.urdf').write_text((repository / 'good.urdf').read_text())
    yard.write_text('<sdf version="1.9"><model name="m"><link name="l"/></model></sdf>')
    inputs = {name: str(value).lower() if value is True else value
              for name, value in step['with'].items()}
    status, output = check_step(folder, **inputs)
    assert status == 0 and 'robots/good.urdf: ok' in output and 'yard.sdf: ok' in output
    (robots / 'bad.urdf').write_text(block('xml', '<robot name="bad">'))
    assert check_step(folder, **inputs)[0] == 1


def test_hooks_are_for_robot_files() -> None:
    for name, is_checked, is_formatted in (
            ('arm.hrdf', True, True), ('robots/a.urdf', True, True), ('w.world', True, True),
            ('a.skel', True, True), ('a.sdf', True, True), ('a.urdf.xacro', False, True),
            ('a.mjcf', True, True), ('a.cfg.yaml', True, False), ('a.xml', True, False),
            ('notes.sdf.md', False, False)):
        assert bool(re.search(HOOKS['hrdf-check']['files'], name)) is is_checked
        assert bool(re.search(HOOKS['hrdf-format']['files'], name)) is is_formatted


def test_one_list_names_the_distributions_of_ros() -> None:
    names = json.loads((REPOSITORY / 'tools' / 'ros_distributions.json').read_text())
    assert {*distributions()} <= {*names}  # those of which PyPI has wheels
    page = (REPOSITORY / 'docs' / 'how-to' / 'ros.md').read_text()
    assert all(name.capitalize() in page for name in names)
    workflow = yaml.safe_load((REPOSITORY / '.github' / 'workflows' / 'ros.yml').read_text())
    assert 'fromJSON' in workflow['jobs']['colcon']['strategy']['matrix']['distro']
    steps = workflow['jobs']['distributions']['steps']
    assert any('tools/ros_distributions.json' in step.get('run', '') for step in steps)


def test_workflows_name_files_and_groups_of_packages_that_there_are() -> None:
    for workflow in (REPOSITORY / '.github' / 'workflows').glob('*.yml'):
        text = workflow.read_text()
        for path in re.findall(r'\btools/[\w./*-]+\.[a-z]+\b', text):
            assert (REPOSITORY / path).exists(), f'{workflow.name}: {path}'
        for groups in re.findall(r'tools/requirements\.py ([a-z ]+?) \|', text):
            assert packages(*groups.split())
