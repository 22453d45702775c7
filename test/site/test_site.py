# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The documentation site: it builds without a warning, loads nothing from elsewhere, is found."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
import json
import os
from pathlib import Path
import re
import shutil
import subprocess
import sys

from helpers.serving import served
import pytest

pytest.importorskip('mkdocs', reason='mkdocs is not installed')

ROOT = Path(__file__).resolve().parents[2]
LOADED = {'script': 'src', 'img': 'src', 'iframe': 'src', 'source': 'src', 'link': 'href'}
IMPORTED = re.compile(r'url\(\s*["\']?(https?:)?//|@import')
CHROMIUM = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))),
                None)


@pytest.fixture(scope='module')
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site; mkdocs.yml makes each warning an error."""
    target = tmp_path_factory.mktemp('site')
    # Whoever asks a network for something gets no answer from this proxy.
    nowhere = dict.fromkeys(('http_proxy', 'https_proxy', 'all_proxy'), 'http://127.0.0.1:9')
    done = subprocess.run(
        [sys.executable, '-m', 'mkdocs', 'build', '--strict', '--site-dir', target], cwd=ROOT,
        env={**os.environ, **nowhere, 'NO_MKDOCS_2_WARNING': '1'}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return target


@pytest.fixture(scope='module')
def index(site: Path) -> dict[str, str]:
    """Return the text of each page and section that the search knows, by its location."""
    documents = json.loads((site / 'search' / 'search_index.json').read_text())['docs']
    return {document['location']: f'{document["title"]}\n{document["text"]}'
            for document in documents}


class Addresses(HTMLParser):
    """Collects what a page loads, and where its links lead."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.feed(page.read_text(encoding='utf-8'))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        if tag == 'a':
            self.links.append(found.get('href') or '')
        elif tag in LOADED:
            self.loaded.append(found.get(LOADED[tag]) or '')


def pages(site: Path) -> list[Path]:
    found = sorted(site.rglob('*.html'))
    assert len(found) > 30
    return found


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    outside = {(page.name, address) for page in pages(site)
               for address in Addresses(page).loaded if re.match(r'(\w+:)?//', address)}
    assert outside == set()


def test_every_page_is_in_the_navigation(site: Path) -> None:
    links = Addresses(site / '404.html').links
    unnamed = [str(page.relative_to(site)) for page in pages(site) if page.name != '404.html'
               and f'/{page.relative_to(site)}' not in links]
    assert unnamed == []


@pytest.fixture(scope='module')
def address(site: Path) -> Iterator[str]:
    """Serve the site and return its address."""
    with served(site) as address:
        yield address


@pytest.mark.skipif(CHROMIUM is None, reason='there is no chromium')
@pytest.mark.parametrize(('words', 'expected'), [
    ('inverse kinematics', 'kinematics.html#inverse-kinematics'),
    ('joint limits', 'kinematics.html#joint-limits'),
    ('frame_prefix', 'reference/parameters.html#frame_prefix'),
    ('turntable', 'reference/commands.html#hrdf-render-turntable'),
    ('inertia-invalid', 'diagnostics.html'), ('xacro args', 'how-to/xacro.html#arguments'),
    ('install', 'start.html#install'), ('IK', 'reference/python.html#hrdf_ros.Kinematics.ik'),
    ('robot in pieces', 'troubleshooting.html#the-robot-is-in-pieces'),
    ('package:// not found', 'troubleshooting.html#rviz-shows-no-robot'),
    ('joints do not move', 'troubleshooting.html#joints-do-not-move'),
    ('white robot', 'troubleshooting.html#a-white-robot'),
    ('no TF', 'troubleshooting.html#no-tf'),
    ('degrees', 'troubleshooting.html#joints-are-at-wild-angles'),
    ('RViz red', 'troubleshooting.html#rviz-is-red')])
def test_search_in_a_browser(words: str, expected: str, address: str) -> None:
    from playwright.sync_api import sync_playwright
    asked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=['--no-sandbox'])
        page = browser.new_page(viewport={'width': 1280, 'height': 800})
        page.on('request', lambda request: asked.append(request.url))
        page.goto(f'{address}/index.html')
        page.wait_for_load_state('networkidle')
        page.locator('.md-search__input').click()
        page.locator('.md-search__input').press_sequentially(words)
        page.locator('.md-search-result__link').first.wait_for()
        found = page.locator('.md-search-result__link').evaluate_all(
            'links => links.map(link => link.href)')
        browser.close()
    assert any(expected in re.sub(r'\?[^#]*', '', link) for link in found[:20]), found
    assert [url for url in asked if not url.startswith(address)] == []
