# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Run a page as its reader would: files are written, commands typed, statements entered.

The commands of a page share one shell, its statements one Python, and both one directory. The
output that the page shows has to be the output; ``...`` stands for anything in a line, and a line
of ``...`` for any lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
import doctest
import os
from pathlib import Path
import re
import shutil
import signal
import subprocess
import sys
from threading import Timer
import time
from typing import Optional

from helpers.pages import Block, blocks, examples, ROOT

_TIMEOUT = 120.0
"""The seconds that a command may take."""
_MARK = 'what-the-shell-says-at-the-end'
_PROMPTED = re.compile(r'^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)', re.MULTILINE)
_COMMAND = re.compile(r'^((?:.*\\\n)*.+)$', re.MULTILINE)
_OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Shell:
    """A shell in which `hrdf`, `python` and `python3` are those of this source tree."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._background: list[subprocess.Popen[bytes]] = []
        self._folder = folder
        self._process = subprocess.Popen(
            ['sh'], cwd=folder, env=_environment(programs), text=True, errors='replace',
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)

    def run(self, command: str) -> tuple[str, int]:
        """Run a command and return its output and exit status."""
        assert self._process.stdin is not None and self._process.stdout is not None
        timer = Timer(_TIMEOUT, os.killpg, (self._process.pid, signal.SIGKILL))
        timer.start()
        self._process.stdin.write(
            f'{{ {command}\n}} </dev/null\nprintf "\\n{_MARK} %d\\n" $?\n')
        self._process.stdin.flush()
        output = ''
        for line in self._process.stdout:
            mark, _, status = line.partition(' ')
            if mark == _MARK:
                timer.cancel()
                return output[:-1], int(status)
            output += line
        raise AssertionError(f'the shell ended, or {command!r} took more than {_TIMEOUT} s:\n'
                             f'{output}')

    def start(self, command: str, until: str) -> None:
        """Start a command that keeps running; return once it has printed a text."""
        log = self._folder / f'.background_{len(self._background)}.log'
        folder = self.run('pwd')[0].strip()
        variables = dict(entry.split('=', 1) for entry in self.run('env -0')[0].split('\0')
                         if '=' in entry)
        with log.open('wb') as stream:
            process = subprocess.Popen(
                ['sh', '-c', f'exec {command}'], cwd=folder, env=variables,
                stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT)
        self._background.append(process)
        end = time.monotonic() + _TIMEOUT
        while until not in log.read_text(errors='replace'):
            ended = process.poll() is not None
            assert not ended and time.monotonic() < end, (
                f'{command!r} {"ended" if ended else "goes on"} without {until!r}:\n'
                f'{log.read_text(errors="replace")}')
            time.sleep(0.1)

    def close(self) -> None:
        """End the shell, and the commands that still run in the background."""
        for process in self._background:
            process.terminate()
        for process in self._background:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(20)


class Session:
    """A page that is being read, in a directory that has only the examples that the page names."""

    def __init__(self, page: Path, folder: Path, programs: Path) -> None:
        self._folder = folder
        self._names: dict[str, object] = {'__name__': '__main__'}
        shutil.copytree(ROOT / 'examples', folder / 'examples')
        for target, source in examples(page).items():
            copy = shutil.copytree if (ROOT / 'examples' / source).is_dir() else shutil.copy
            copy(ROOT / 'examples' / source, folder / target)
        self.shell = Shell(folder, programs)

    def read(self, block: Block) -> None:
        """Do what a block says; an AssertionError says where the page is wrong."""
        if block.doing == 'file':
            file = self._folder / block.title
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.body, encoding='utf-8')
        elif block.doing == 'run' and block.until:
            [command] = _COMMAND.findall(block.body.removeprefix('$ '))
            self.shell.start(command, block.until)
        elif block.doing == 'run':
            getattr(self, f'_read_{block.language}')(block)

    def _read_console(self, block: Block) -> None:
        for command, expected in _PROMPTED.findall(block.body):
            output, _ = self.shell.run(command)
            assert fits(expected, output), (
                f'{block.place}: $ {command}\n--- shown\n{expected}--- printed\n{output}---')

    def _read_sh(self, block: Block) -> None:
        for line in _COMMAND.findall(block.body):
            if line.strip().startswith('#'):
                continue
            output, status = self.shell.run(line)
            assert status == block.status, (
                f'{block.place}: {line}\nended with status {status}:\n{output}')

    def _read_python(self, block: Block) -> None:
        if '>>>' not in block.body:
            exec(compile(block.body, block.place, 'exec'), self._names)
            return
        test = doctest.DocTestParser().get_doctest(
            block.body, self._names, block.place, str(block.page), block.line)
        said: list[str] = []
        doctest.DocTestRunner(optionflags=_OPTIONS).run(test, out=said.append, clear_globs=False)
        self._names.update(test.globs)
        assert said == [], ''.join(said)


def fits(expected: str, output: str) -> bool:
    """Return whether an output is the one that is shown."""
    if '...' not in expected:
        return expected == output
    pattern = ''.join(
        '(?:.*\\n)*?' if line == '...\n' else
        '.*?'.join(map(re.escape, line.split('...'))) for line in expected.splitlines(True))
    return re.fullmatch(pattern, output) is not None


def read_page(page: Path, folder: Path, able: Collection[str]) -> int:
    """Read a page except for blocks that need what is missing here; return how many were run."""
    count = 0
    with _session(page, folder) as session:
        for block in blocks(page):
            if not block.needs or block.needs in able:
                session.read(block)
                count += block.doing == 'run'
    return count


@contextmanager
def _session(page: Path, folder: Path) -> Iterator[Session]:
    programs = folder / 'programs'
    here = folder / 'work'
    here.mkdir()
    _write_programs(programs)
    before = Path.cwd()
    session: Optional[Session] = None
    try:
        os.chdir(here)
        session = Session(page, here, programs)
        yield session
    finally:
        os.chdir(before)
        if session is not None:
            session.shell.close()


def _write_programs(folder: Path) -> None:
    """Write the commands that an installation would put on the PATH."""
    folder.mkdir()
    programs = {
        'hrdf': '-m hrdf_ros.cli', 'python': '', 'python3': '',
        'hrdf_node': '-c "import sys; from hrdf_ros.node import main; sys.exit(main())"'}
    if shutil.which('ros2') is None:
        programs['ros2'] = f'"{ROOT}/test/helpers/ros2_stand_in.py"'
    for name, words in programs.items():
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        program.chmod(0o755)


def _environment(programs: Path) -> dict[str, str]:
    paths = [str(ROOT), *filter(None, [os.environ.get('PYTHONPATH')])]
    return {**os.environ, 'PATH': f'{programs}{os.pathsep}{os.environ["PATH"]}',
            'PYTHONPATH': os.pathsep.join(paths), 'COLUMNS': '80', 'LC_ALL': 'C.UTF-8'}
