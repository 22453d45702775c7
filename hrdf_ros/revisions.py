# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read files of a git revision, with all files that they name, from a temporary directory.

git only lists and prints objects: no hook, filter, textconv, file-system monitor or download of
missing objects runs, whatever the repository configures, and nothing in the work tree changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
import os
import re
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Timer
from typing import IO, NamedTuple, Optional

from hrdf_ros.limits import (
    ResourceLimits,
    REVISION_FILES,
    REVISION_LIST_BYTES,
    REVISION_SECONDS,
)
from hrdf_ros.listing import first_of

LFS_POINTER = b'version https://git-lfs.github.com/spec/'
"""The beginning of a file that stands for a file of Git LFS."""
_POINTER_BYTES = 1024
"""The bytes below which a file may be a pointer of Git LFS."""
_LISTED = 3
"""The most paths that a sentence lists."""
_REVISION = re.compile(r'((?:[^:{]|\{[^}]*\})*):(.+)')
_SUBMODULE, _LINK = b'160000', b'120000'
_SAFE = ('--no-pager', '-c', 'core.fsmonitor=false', '-c', f'core.hooksPath={os.devnull}')
_ENVIRONMENT = {
    'GIT_ALLOW_PROTOCOL': 'none', 'GIT_NO_LAZY_FETCH': '1', 'GIT_OPTIONAL_LOCKS': '0',
    'GIT_TERMINAL_PROMPT': '0', 'LC_ALL': 'C'}


class RevisionError(Exception):
    """A revision cannot be read; the text says why."""


class Snapshot(NamedTuple):
    """
    The tracked files of a revision, written below ``root``.

    ``revision`` is the user's name for the revision, empty for the index. ``top`` is the directory
    of the work tree; ``file`` is the file that was asked for, below ``root``. ``pointers`` are the
    files that stand for files of Git LFS; ``left_out`` has a sentence for each kind of file that
    was not written.
    """

    revision: str
    top: str
    root: str
    file: str
    pointers: frozenset[str]
    left_out: tuple[str, ...]

    def readable(self, text: str) -> str:
        """Return a text with the files below ``root`` as ``REV:PATH``."""
        return text.replace(f'{self.root}{os.sep}', f'{self.revision}:').replace(
            self.root, f'{self.revision}:.')

    def of(self, directory: str) -> str:
        """Return the directory of the revision for one in the work tree; others stay the same."""
        below = os.path.relpath(os.path.realpath(directory), self.top)
        is_outside = below == os.pardir or below.startswith(f'{os.pardir}{os.sep}')
        return directory if is_outside else os.path.normpath(os.path.join(self.root, below))


class _Entry(NamedTuple):
    """A tracked file: its mode, the name of its object, its path from the top, its size."""

    mode: bytes
    object: str  # noqa: A003
    path: str
    size: int = 0


def parse_revision(text: str) -> Optional[tuple[str, str]]:
    """Return revision and path of ``REV:PATH``, None where a text does not name a revision so."""
    found = _REVISION.fullmatch(text) if text.isprintable() else None
    return None if found is None else (found[1], found[2])


def staged(file: str) -> tuple[str, str]:
    """Return ``HEAD:PATH`` and ``:PATH``, which are a file in the last commit and in the index."""
    directory, name = os.path.split(os.path.abspath(file))
    below = os.path.relpath(os.path.join(os.path.realpath(directory), name), _top(directory))
    return f'HEAD:{below}', f':{below}'


@contextmanager
def snapshot(
    revision: str, path: str, limits: ResourceLimits, *, directory: str = os.curdir,
) -> Iterator[Snapshot]:
    """
    Write the tracked files of a revision into a directory that is removed with the context.

    ``path`` is relative to the top of the repository that a ``directory`` is in, or to the
    directory itself where it begins with ``./`` or ``../``, as for git; ``.`` is the top. The
    smallest files are written first, up to ``all_bytes`` for all together. If none can be written,
    a RevisionError says why.
    """
    top = _top(directory)
    if path.startswith(('./', '../')):
        path = os.path.relpath(os.path.join(os.path.realpath(directory), path), top)
    wanted = os.path.normpath(path)
    entries = _sized(top, _tracked(top, revision))
    found = next((entry for entry in entries if entry.path == wanted), None)
    if wanted != os.curdir and (found is None or found.mode == _SUBMODULE):
        raise RevisionError(_not_found(top, revision, wanted, entries, directory))
    with TemporaryDirectory(prefix='hrdf_revision_', ignore_cleanup_errors=True) as parent:
        root = os.path.join(os.path.realpath(parent), os.path.basename(top) or 'root')
        os.mkdir(root)
        kept = _affordable(entries, wanted, limits.all_bytes)
        pointers = frozenset(_write(top, root, [one for one in kept if one.mode != _LINK]))
        outside = _link(top, root, [one for one in kept if one.mode == _LINK])
        yield Snapshot(
            revision=revision, top=top, root=root,
            file=os.path.normpath(os.path.join(root, wanted)),
            pointers=pointers, left_out=tuple(_left_out(entries, kept, outside, limits)))


# ---- what is tracked

def _top(directory: str) -> str:
    with _git(directory, 'rev-parse', '--show-toplevel') as output:
        return os.path.realpath(os.fsdecode(output.read(REVISION_LIST_BYTES).removesuffix(b'\n')))


def _tracked(top: str, revision: str) -> list[_Entry]:
    """Return the files of a revision, or of the index for an empty name."""
    if not revision:
        lines = _records(top, 'ls-files', '--stage', '-z')
        return [_entry(mode, name, path) for mode, name, stage, path in (
            (*head.split(b' '), path) for head, path in lines) if stage == b'0']
    tree = None
    if '\n' not in revision:  # git reads one name from each line
        tree, = _asked(top, [f'{revision}^{{tree}}'])
    if tree is None:
        raise RevisionError(f"git knows no revision '{revision}' in {top}")
    lines = _records(top, 'ls-tree', '-r', '-z', '--full-tree', tree[0])
    return [_entry(mode, name, path) for mode, _, name, path in (
        (*head.split(b' '), path) for head, path in lines)]


def _records(top: str, *arguments: str) -> list[tuple[bytes, bytes]]:
    """Return the parts before and after the tab in each record of a list that git prints."""
    with _git(top, *arguments) as output:
        data = output.read(REVISION_LIST_BYTES + 1)
    if len(data) > REVISION_LIST_BYTES or data.count(b'\0') > REVISION_FILES:
        raise RevisionError(f'a revision of more than {REVISION_FILES} files is not read')
    return [(head, path) for head, _, path in (
        record.partition(b'\t') for record in data.split(b'\0')[:-1])]


def _entry(mode: bytes, name: bytes, path: bytes) -> _Entry:
    """Return an entry; a path that leads out of its directory raises RevisionError."""
    parts = path.split(b'/')
    if {b'', b'.', b'..'}.intersection(parts) or b'.git' in parts:
        raise RevisionError(f'the revision has a file of the name {os.fsdecode(path)!r}')
    return _Entry(mode, name.decode('ascii'), os.fsdecode(path))


def _asked(top: str, names: Iterable[str]) -> Iterator[Optional[tuple[str, int]]]:
    """Yield the name and size of each object, None for a missing object."""
    requests = ''.join(f'{name}\n' for name in names).encode('utf-8', 'surrogateescape')
    with _git(top, 'cat-file', '--batch-check', '--buffer', given=requests) as output:
        for line in output:
            name, *rest = line.decode('utf-8', 'replace').split(' ')
            is_found = len(rest) == 2 and rest[1].strip().isdigit()
            yield (name, int(rest[1])) if is_found else None


def _sized(top: str, entries: Sequence[_Entry]) -> list[_Entry]:
    """Return entries with their sizes; an object that was not downloaded raises RevisionError."""
    files = [entry for entry in entries if entry.mode != _SUBMODULE]
    sizes = list(_asked(top, (entry.object for entry in files)))
    missing = next((entry.path for entry, size in zip(files, sizes) if size is None), None)
    if missing is not None:
        raise RevisionError(
            f"'{missing}' of this revision is not on this machine; fetch it with git first")
    return [
        *(entry._replace(size=size[1]) for entry, size in zip(files, sizes) if size is not None),
        *(entry for entry in entries if entry.mode == _SUBMODULE)]


def _not_found(
    top: str, revision: str, path: str, entries: Sequence[_Entry], directory: str,
) -> str:
    where = f"the revision '{revision}' has" if revision else 'the index has'
    module = next((
        entry.path for entry in entries
        if entry.mode == _SUBMODULE and f'{path}/'.startswith(f'{entry.path}/')), None)
    if module is not None:
        return f"'{path}' is in the submodule '{module}', which is a repository of its own"
    below = os.path.normpath(os.path.join(
        os.path.relpath(os.path.realpath(directory), top), path))
    hint = f"; did you mean '{revision}:./{path}'?" if any(
        entry.path == below for entry in entries) else ''
    return f"{where} no file '{path}'{hint}"


def _affordable(entries: Iterable[_Entry], wanted: str, most: int) -> list[_Entry]:
    """Return the files that fit into a limit: the wanted one, then others, the smallest first."""
    kept = []
    files = [entry for entry in entries if entry.mode != _SUBMODULE]
    for entry in sorted(files, key=lambda entry: (entry.path != wanted, entry.size)):
        most -= entry.size
        if most < 0:
            break
        kept.append(entry)
    return kept


def _left_out(
    entries: Sequence[_Entry], kept: Sequence[_Entry], outside: Sequence[str],
    limits: ResourceLimits,
) -> Iterator[str]:
    modules = [entry.path for entry in entries if entry.mode == _SUBMODULE]
    if modules:
        yield f'submodules are not read: {first_of(modules, _LISTED)}'
    paths = {entry.path for entry in kept}
    large = [entry.path for entry in entries
             if entry.mode != _SUBMODULE and entry.path not in paths]
    if large:
        yield (f'files beyond {limits.all_bytes} bytes are not read (--resource-limit '
               f'all_bytes=NUMBER): {first_of(large, _LISTED)}')
    if outside:
        yield ('symbolic links that lead out of the repository are not read: '
               f'{first_of(outside, _LISTED)}')


# ---- writing

def _write(top: str, root: str, entries: Sequence[_Entry]) -> Iterator[str]:
    """Write files below a directory without links; yield those that are pointers of Git LFS."""
    for entry, data in _contents(top, entries):
        file = os.path.join(root, entry.path)
        try:
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, 'xb') as stream:
                stream.write(data)
        except OSError as error:
            raise RevisionError(
                f"'{entry.path}' of this revision cannot be written: {error.strerror}") from None
        if len(data) < _POINTER_BYTES and data.startswith(LFS_POINTER):
            yield file


def _link(top: str, root: str, entries: Sequence[_Entry]) -> list[str]:
    """Make symbolic links below a directory, except for those that lead out; return the latter."""
    made = []
    for entry, target in _contents(top, entries):
        place = os.path.join(root, entry.path)
        with suppress(OSError, ValueError):  # a name that no file can have
            if os.path.realpath(os.path.dirname(place)) == os.path.dirname(place):
                os.makedirs(os.path.dirname(place), exist_ok=True)
                os.symlink(os.fsdecode(target), place)
                made.append(entry.path)
    outside = [
        path for path in made
        if os.path.commonpath([root, os.path.realpath(os.path.join(root, path))]) != root]
    for path in outside:
        os.unlink(os.path.join(root, path))
    return outside


def _contents(top: str, entries: Sequence[_Entry]) -> Iterator[tuple[_Entry, bytes]]:
    """Yield the entries with the bytes of their objects, as they are in git."""
    requests = ''.join(f'{entry.object}\n' for entry in entries).encode('ascii')
    with _git(top, 'cat-file', '--batch', '--buffer', given=requests) as output:
        for entry in entries:
            header = output.readline().split(b' ')
            if len(header) != 3 or int(header[2]) != entry.size:
                raise RevisionError(f"git has no content of '{entry.path}'")
            data = output.read(entry.size)
            output.read(1)  # a line feed
            yield entry, data


# ---- git

@contextmanager
def _git(directory: str, *arguments: str, given: bytes = b'') -> Iterator[IO[bytes]]:
    """Yield the output of a git command; raise RevisionError if the command fails."""
    with TemporaryFile() as requests, TemporaryFile() as printed:
        requests.write(given)
        requests.seek(0)
        try:
            process = Popen(
                ['git', *_SAFE, '-C', directory, *arguments],
                stdin=requests if given else DEVNULL, stdout=PIPE, stderr=printed,
                env={**os.environ, **_ENVIRONMENT})
        except FileNotFoundError:
            raise RevisionError('the command git is required, and is not on the PATH') from None
        assert process.stdout is not None
        with _ended(process.kill), process, process.stdout:
            yield process.stdout
            is_read = not process.stdout.read(1)
            if not is_read:
                process.kill()
        printed.seek(0)
        said = printed.read(REVISION_LIST_BYTES).decode('utf-8', 'replace').strip()
        if process.returncode and is_read:
            first = said.partition('\n')[0].removeprefix('fatal: ')
            raise RevisionError(first or 'git failed')


@contextmanager
def _ended(kill: Callable[[], None]) -> Iterator[None]:
    """Kill a process that takes too long, or that nobody waits for any more."""
    timer = Timer(REVISION_SECONDS, kill)
    timer.start()
    try:
        yield
    except BaseException:
        kill()
        raise
    finally:
        timer.cancel()
