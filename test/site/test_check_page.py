# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The page that checks a robot in the browser: it gives the verdicts of the command line."""

from __future__ import annotations

from collections.abc import Iterator
import json
import os
from pathlib import Path
import shutil
import subprocess
import sys
from typing import Any

from helpers.serving import served
from hrdf_ros import load
from hrdf_ros.cli.report_formats import diagnostic_json
import pytest

sync_api = pytest.importorskip('playwright.sync_api', reason='playwright is not installed')
pytest.importorskip('markdown', reason='Markdown is not installed')

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / 'tools' / 'check_page' / 'build.py'
PYODIDE = Path(os.environ.get('HRDF_ROS_PYODIDE', ''))
CHROMIUM = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))),
                None)
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason='there is no chromium'),
    pytest.mark.skipif(not (PYODIDE / 'pyodide.mjs').is_file(), reason='there is no Pyodide')]

ROBOTS = ('examples', 'test/diagnostics')
FILES = sorted(
    path.relative_to(ROOT).as_posix() for folder in ROBOTS for path in (ROOT / folder).rglob('*')
    if path.is_file())
EXCEPTIONS = {
    '.xacro': 'Expanding xacro runs the program xacro',
    '.cfg.yaml': 'A robot configuration of HEBI is YAML',
}
"""Files that the page cannot check, by their suffix, and what it says of them."""
OPEN_ALL = """async (names) => {
    const files = await Promise.all(names.map(
        async (name) => [name, await (await fetch('../' + name)).blob()]));
    await robotCheck.open(files);
}"""
ASK_ALL = """async (names) => {
    const answers = {};
    for (const name of names) {
        answers[name] = await robotCheck.ask(name);
    }
    return answers;
}"""


@pytest.fixture(scope='module')
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the page beside the robots, and return the folder of both."""
    site = tmp_path_factory.mktemp('site')
    subprocess.run([sys.executable, BUILD, site / 'check', PYODIDE], check=True)
    for name in ROBOTS:
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).symlink_to(ROOT / name)
    return site


@pytest.fixture(scope='module')
def address(folder: Path) -> Iterator[str]:
    """Serve the page, and return its address."""
    with served(folder) as address:
        yield f'{address}/check/index.html'


@pytest.fixture(scope='module')
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=['--no-sandbox'])
        yield browser
        browser.close()


@pytest.fixture(scope='module')
def page(browser: Any, address: str) -> Iterator[Any]:
    """Open the page once, since this takes seconds, and wait until it can answer."""
    context = browser.new_context(
        viewport={'width': 400, 'height': 800}, accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    page.locator('body[data-ready]').wait_for()
    yield page
    context.close()


def test_a_pasted_text_is_checked_by_keyboard_alone_without_a_network(
        page: Any, request: pytest.FixtureRequest) -> None:
    """The first test, since a text replaces that of an opened file."""
    requests: list[str] = []
    page.on('request', lambda request: requests.append(request.url))
    request.addfinalizer(lambda: page.context.set_offline(False))
    page.context.set_offline(True)
    page.locator('#text').focus()
    page.keyboard.insert_text('<skel version="1.0"><world name="w"><skeletn/></world></skel>')
    page.get_by_text('unknown element <skeletn>').wait_for()
    page.keyboard.press('Tab')
    page.keyboard.press('ArrowRight')
    assert page.get_by_role('radio', name='Tree').is_checked()
    page.keyboard.press('ArrowLeft')
    page.keyboard.press('Tab')
    page.keyboard.press('Tab')
    page.keyboard.press('Enter')
    assert page.evaluate('document.activeElement.id') == 'text'
    assert requests == []


def test_verdicts_are_those_of_the_command_line(
        page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page.evaluate(OPEN_ALL, FILES)
    answers = page.evaluate(ASK_ALL, FILES)
    different = []
    for name, answer in answers.items():
        excepted = [text for suffix, text in EXCEPTIONS.items() if name.endswith(suffix)]
        if excepted:
            assert answer['needs'].startswith(excepted[0])
            assert answer['needs'].endswith(f'Use the command: hrdf check {name}')
            continue
        for found in answer.get('diagnostics', ()):
            del found['fix'], found['excerpt']
        report = load(name).report
        expected = json.loads(json.dumps([diagnostic_json(found, name) for found in report]))
        if (answer.get('ok'), answer.get('diagnostics')) != (report.ok, expected):
            different.append((name, answer, expected))
    assert different == []
    assert len(answers) > 300


def test_a_fix_is_applied_and_the_file_downloaded(page: Any) -> None:
    page.get_by_role('button', name='Example').click()
    page.get_by_text("unknown link 'forarm'").wait_for()
    assert "hint: did you mean 'forearm'?" in page.locator('#diagnostics').inner_text()
    page.get_by_role('button', name="Change to 'forearm'").click()
    page.locator('#verdict.fine').wait_for()
    with page.expect_download() as downloading:
        page.get_by_role('button', name='Download').click()
    assert downloading.value.suggested_filename == 'arm.urdf'
    text = Path(downloading.value.path()).read_text()
    assert '<child link="forearm"/>' in text
    assert load(text).ok


def test_a_folder_begins_with_a_robot_that_can_be_checked_and_fits_a_phone(page: Any) -> None:
    page.evaluate(OPEN_ALL, [name for name in FILES if name.startswith('examples/hrdf/')])
    page.locator('#verdict', has_text='examples/hrdf/arm_6dof.hrdf: ok').wait_for()
    robots = page.locator('#robots option').all_inner_texts()
    assert robots[-1].endswith('.cfg.yaml')
    assert page.evaluate('document.documentElement.scrollWidth') == 400


def test_the_robot_and_the_reference_are_shown_beside_the_text(page: Any) -> None:
    page.evaluate(OPEN_ALL, [name for name in FILES if name.startswith('examples/skel/')])
    page.get_by_label('Robot').select_option('examples/skel/rover.skel')
    page.locator('#verdict', has_text='rover.skel: ok').wait_for()
    page.get_by_text('Tree', exact=True).click()
    links = page.locator('#tree li').all_inner_texts()
    assert len(links) == len(model_of('examples/skel/rover.skel').bodies)
    page.get_by_text('Joints', exact=True).click()
    assert page.locator('#joints tbody tr').count() >= len(links) - 1
    page.evaluate("""() => {
        const text = document.getElementById('text');
        const inside = text.value.indexOf('<mass>') + 2;
        text.setSelectionRange(inside, inside);
    }""")
    page.get_by_text('Elements', exact=True).click()
    assert page.locator('#elements h1').inner_text() == 'Elements of SKEL'
    assert page.locator('#elements .current').inner_text() == '<inertia>'


def model_of(name: str) -> Any:
    model = load(ROOT / name).model
    assert model is not None
    return model


def test_the_same_sources_make_the_same_archive(tmp_path: Path, folder: Path) -> None:
    subprocess.run([sys.executable, BUILD, tmp_path / 'check', PYODIDE], check=True)
    first, second = ((one / 'check' / 'hrdf_ros.zip').read_bytes() for one in (folder, tmp_path))
    assert first == second


def test_without_pyodide_the_page_is_skipped_and_named(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, BUILD, tmp_path / 'check', tmp_path / 'absent'],
        text=True, capture_output=True, check=True)
    assert 'check/ is skipped' in done.stdout
    assert not (tmp_path / 'check').exists()
