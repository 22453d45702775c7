# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A directory with a list of the files that were written into it."""

from pathlib import Path

from hrdf_ros.writers.file_list import (
    DamagedListError,
    digest,
    digest_below,
    read_list,
    write_listed,
)
import pytest


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    directory = str(tmp_path)
    assert read_list(directory, 'list.json') is None
    write_listed(directory, 'list.json', {'b': b'2', 'a/x': b'1'}, {'b': 'B', 'a/x': 'A'})
    assert (tmp_path / 'a' / 'x').read_bytes() == b'1'
    assert read_list(directory, 'list.json') == {'a/x': 'A', 'b': 'B'}
    write_listed(directory, 'list.json', {}, {'b': 'B'}, ['a/x'])
    assert not (tmp_path / 'a').exists()
    assert read_list(directory, 'list.json') == {'b': 'B'}


@pytest.mark.parametrize('text', ['', '{}', '[]', '{"files": [1]}', '{"files": {"a": 1}}'])
def test_another_file_is_not_taken_for_a_list(text: str, tmp_path: Path) -> None:
    (tmp_path / 'list.json').write_text(text)
    with pytest.raises(DamagedListError):
        read_list(str(tmp_path), 'list.json')


def test_links_have_no_digest(tmp_path: Path) -> None:
    (tmp_path / 'a').write_bytes(b'1')
    (tmp_path / 'link').symlink_to('a')
    assert [digest_below(str(tmp_path), name) for name in ('a', 'link', 'none')] == [
        digest(b'1'), '', None]
