# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Which files may be read, how much, and how often."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Optional

from helpers.loading import resolver, with_files
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import Document, SourceFile, SourceRef
from hrdf_ros.file_reader import FileWatch
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.resolve import Resolver
import pytest


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return with_files(tmp_path)


def fault(found: Resolver, file: object, location: Optional[SourceRef] = None) -> str:
    report = Report()
    assert found.read(os.fspath(file), report, location) is None  # type: ignore[call-overload]
    [only] = report
    assert only.severity == 'error'
    return only.code


def include(file: object, above: Optional[SourceRef] = None) -> SourceRef:
    """Return the place of an include element in a file."""
    return SourceRef(Document(SourceFile(str(file), b'<include/>', above)), 0)


def test_reading_gives_bytes_and_remembers_the_file(here: Path) -> None:
    found, report = resolver(), Report()
    file = str(here / 'main.sdf')
    location = include(here / 'world.sdf')
    assert found.read(file, report, location) == SourceFile(file, b'main.sdf', location)
    found.read(file, report)
    assert list(found.files) == [file]
    assert report.ok


def test_missing_files(here: Path) -> None:
    for file in (here / 'nosuch', here / 'main.sdf' / 'below', 'a\0b', '\ud800', '', 'x' * 5000):
        assert fault(resolver(), file) == 'file-not-found'


@pytest.mark.skipif(os.getuid() == 0, reason='root may read everything')
def test_unreadable_files(here: Path) -> None:
    (here / 'main.sdf').chmod(0)
    assert fault(resolver(), here / 'main.sdf') == 'file-not-found'


def test_only_regular_files(here: Path) -> None:
    os.mkfifo(here / 'pipe')
    for file in (here, here / 'pipe', '/dev/null'):
        assert fault(resolver(), file) == 'file-not-regular'


def test_a_file_that_becomes_a_pipe_does_not_block(
    here: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    os.mkfifo(here / 'pipe')
    monkeypatch.setattr('hrdf_ros.file_reader._check_regular', lambda *_: 0)
    source = resolver().read(str(here / 'pipe'), Report())
    assert source is not None and source.data == b''


def test_a_file_that_grows_while_it_is_read(here: Path) -> None:
    class Growing(Resolver):
        def _check_size(self, file: str, size: int) -> None:
            super()._check_size(file, size)
            Path(file).write_text('x' * 100)

    assert fault(Growing(limits=ResourceLimits(file_bytes=8)), here / 'main.sdf') == (
        'file-too-large')


@pytest.mark.pins('file-outside-roots')
def test_only_below_the_roots(here: Path) -> None:
    found = resolver(roots=[str(here / 'sub')])
    (here / 'sub' / 'link.sdf').symlink_to(here / 'main.sdf')
    (here / 'subway').mkdir()
    (here / 'subway' / 'x.sdf').write_text('')
    assert found.read(str(here / 'sub' / 'arm.sdf'), Report())
    assert found.read(str(here / 'sub' / '..' / 'sub' / 'arm.sdf'), Report())
    for file in ('main.sdf', 'sub/../main.sdf', 'sub/link.sdf', 'subway/x.sdf', 'nosuch'):
        assert fault(found, f'{here}/{file}') == 'file-outside-roots'
    assert fault(resolver(roots=[]), here / 'main.sdf') == 'file-outside-roots'


@pytest.mark.parametrize('has_handles', [True, False])
def test_a_link_that_is_changed_after_the_look_at_it(
    here: Path, monkeypatch: pytest.MonkeyPatch, has_handles: bool,
) -> None:
    if not has_handles:
        monkeypatch.setattr('hrdf_ros.file_reader._HAS_HANDLES', has_handles)
    found = resolver(roots=[str(here / 'sub')])
    link = here / 'sub' / 'link.sdf'
    link.symlink_to(here / 'sub' / 'arm.sdf')
    assert found.read(str(link), Report())
    link.unlink()
    link.symlink_to(here / 'main.sdf')
    monkeypatch.setattr(found, 'allows', lambda _: True)
    assert fault(found, link) == 'file-outside-roots'
    (here / 'sub' / 'directory').mkdir()
    assert fault(found, here / 'sub' / 'directory') == 'file-not-regular'


def test_no_descriptor_is_left_open(here: Path) -> None:
    os.mkfifo(here / 'pipe')
    before = os.listdir('/proc/self/fd')
    for file in (here / 'main.sdf', here / 'pipe', here, here / 'nosuch'):
        resolver().read(str(file), Report())
    assert os.listdir('/proc/self/fd') == before


def test_cycles(here: Path) -> None:
    file = here / 'main.sdf'
    other = include(here / 'sub' / 'arm.sdf', include(file))
    assert fault(resolver(), file, include(file)) == 'include-cycle'
    assert fault(resolver(), file, other) == 'include-cycle'
    (here / 'alias.sdf').symlink_to(file)
    assert fault(resolver(), here / 'alias.sdf', other) == 'include-cycle'


def test_depth_of_includes(here: Path) -> None:
    location: Optional[SourceRef] = None
    for index in range(3):
        location = include(f'{index}.sdf', location)
    assert resolver(limits=ResourceLimits(include_depth=3)).read(
        str(here / 'main.sdf'), Report(), location
    )
    assert (
        fault(resolver(limits=ResourceLimits(include_depth=2)), here / 'main.sdf', location)
        == 'include-too-deep'
    )


def test_number_of_includes(here: Path) -> None:
    found, location = resolver(limits=ResourceLimits(includes=2)), include('0.sdf')
    assert found.read(str(here / 'main.sdf'), Report())
    for _ in range(2):
        assert found.read(str(here / 'main.sdf'), Report(), location)
    assert fault(found, here / 'main.sdf', location) == 'too-many-includes'


def test_paths_that_no_file_can_have(tmp_path: Path) -> None:
    file = tmp_path / 'a.urdf'
    file.write_text('a')
    watch = FileWatch((f'{tmp_path}/a\0b', str(file), 'x' * 100_000))
    assert not watch.changed()
    file.write_text('longer')
    assert [watch.changed() for _ in range(2)] == [False, True]


def test_a_diagnostic_is_at_the_include_else_at_the_file(here: Path) -> None:
    report = Report()
    resolver().read('nosuch', report, include('main.sdf'))
    resolver().read('nosuch', report)
    places = [found.resolve() for found in report]
    assert [(at.file, at.line) for at in places if at] == [('main.sdf', 1), ('nosuch', None)]


def test_a_file_of_the_kernel_that_would_block(here: Path) -> None:
    if not os.path.exists('/proc/kmsg'):
        pytest.skip('there is no /proc/kmsg')
    report = Report()
    found = resolver().read('/proc/kmsg', report)
    assert found is not None or report.first_error is not None


def test_a_root_may_be_a_link(here: Path) -> None:
    (here / 'root').symlink_to(here / 'sub')
    found = resolver(roots=[str(here / 'root')])
    assert found.read(str(here / 'sub' / 'arm.sdf'), Report())


@pytest.mark.pins('file-too-large')
def test_big_files(here: Path) -> None:
    assert (
        fault(resolver(limits=ResourceLimits(file_bytes=7)), here / 'main.sdf') == 'file-too-large'
    )
    assert resolver(limits=ResourceLimits(file_bytes=8)).read(str(here / 'main.sdf'), Report())


def test_many_files_together(here: Path) -> None:
    found = resolver(limits=ResourceLimits(all_bytes=16))
    assert found.read(str(here / 'main.sdf'), Report())
    assert found.read(str(here / 'main.sdf'), Report())
    assert fault(found, here / 'main.sdf') == 'file-too-large'
