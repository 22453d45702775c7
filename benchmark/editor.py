# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Measure the language server as an editor sees it: from a message to its answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
import itertools
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile
import threading
import time
from types import TracebackType
from typing import Any

from inputs import hrdf_chain, sdf_chain, sdf_world, urdf_chain
from peers import bare_environment, ROOT
from tables import quantile, table

_ANSWER, _DIAGNOSTICS = 100.0, 300.0
"""Milliseconds that are allowed."""


class Client:
    """The other end of the protocol, as simple as can be."""

    def __init__(self, folder: Path) -> None:
        self._numbers = itertools.count(1)
        self._process = subprocess.Popen(
            [sys.executable, '-m', 'hrdf_ros.cli', 'lsp'], cwd=folder,
            env={**bare_environment(), 'PYTHONPATH': str(ROOT)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        answer = self.ask('initialize', {
            'processId': None, 'rootUri': folder.as_uri(), 'capabilities': {}})
        self.is_incremental = answer['capabilities']['textDocumentSync']['change'] == 2
        self.tell('initialized', {})

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.ask('shutdown', None)
        self.tell('exit', None)
        self._process.wait(10.0)

    def tell(self, method: str, params: Any, **more: Any) -> None:
        """Send a message."""
        body = json.dumps({'jsonrpc': '2.0', 'method': method, 'params': params, **more}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
        self._process.stdin.flush()

    def ask(self, method: str, params: Any) -> Any:
        """Send a request and return its result."""
        number = next(self._numbers)
        self.tell(method, params, id=number)
        answer = self._receive(lambda message: message.get('id') == number)
        assert 'error' not in answer, answer
        return answer['result']

    def published(self, version: int) -> list[Any]:
        """Return the diagnostics of a version of a document, as soon as they come."""
        found = self._receive(
            lambda message: message.get('method') == 'textDocument/publishDiagnostics'
            and message['params'].get('version') == version)
        diagnostics: list[Any] = found['params']['diagnostics']
        return diagnostics

    @property
    def number(self) -> int:
        """The number of the server's process."""
        return self._process.pid

    def _receive(self, is_wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        assert self._process.stdout is not None
        while True:
            length = int(self._process.stdout.readline().split(b':')[1])
            while self._process.stdout.readline().strip():
                pass
            message: dict[str, Any] = json.loads(self._process.stdout.read(length))
            if is_wanted(message):
                return message


def requests(text: str, at: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is asked about a document, at a name in the middle of it."""
    line = text.count('\n', 0, at)
    position = {'line': line, 'character': at - text.rfind('\n', 0, at) - 1}
    for method in ('completion', 'hover', 'definition'):
        yield method, {'position': position}
    yield 'references', {'position': position, 'context': {'includeDeclaration': True}}
    yield 'rename', {'position': position, 'newName': 'another'}
    yield 'documentSymbol', {}
    yield 'formatting', {'options': {'tabSize': 2, 'insertSpaces': True}}


def measure(client: Client, folder: Path, text: str, name: str, rounds: int) -> dict[str, Any]:
    """Return the milliseconds of each request and of diagnostics, for one document."""
    uri = (folder / name).as_uri()
    document = {'uri': uri}
    client.tell('textDocument/didOpen', {
        'textDocument': {**document, 'languageId': 'xml', 'version': 0, 'text': text}})
    client.published(0)
    times: dict[str, list[float]] = {}
    middle = len(text) // 2
    at = text.index('"', text.index(_NAMES[name.partition('.')[2]], middle)) + 2
    for version in range(1, rounds + 1):
        client.tell('textDocument/didChange', {
            'textDocument': {**document, 'version': version},
            'contentChanges': [{'text': text + ' ' * version}]})
        for method, params in requests(text, at):
            asked = time.perf_counter()
            answer = client.ask(f'textDocument/{method}', {'textDocument': document, **params})
            assert answer is not None
            times.setdefault(method, []).append((time.perf_counter() - asked) * 1e3)
        client.tell('textDocument/didChange', {
            'textDocument': {**document, 'version': version + rounds},
            'contentChanges': [{'text': text + ' ' * (version + rounds)}]})
        start = time.perf_counter()
        client.published(version + rounds)
        times.setdefault('diagnostics', []).append((time.perf_counter() - start) * 1e3)
    return times


_NAMES = {'hrdf': 'tag=', 'sdf': 'relative_to=', 'urdf': 'parent link='}
"""What is before a name that is asked about, by format."""


# ---- large files

def type_into(
    client: Client, uri: str, text: str, at: int, keys: str, versions: Iterator[int],
) -> Iterator[tuple[float, float]]:
    """Type at an offset; yield the CPU time of the server and the wait for a list of each key."""
    for key in keys:
        line, start = text.count('\n', 0, at), text.rfind('\n', 0, at) + 1
        where = {'line': line, 'character': at - start}
        text, at = text[:at] + key + text[at:], at + 1
        change = {'range': {'start': where, 'end': where}, 'text': key} if (
            client.is_incremental) else {'text': text}
        used = cpu_seconds(client.number)
        client.tell('textDocument/didChange', {
            'textDocument': {'uri': uri, 'version': next(versions)}, 'contentChanges': [change]})
        asked = time.perf_counter()
        client.ask('textDocument/completion', {
            'textDocument': {'uri': uri}, 'position': {'line': line, 'character': at - start},
            'context': {'triggerKind': 1}})
        answered = time.perf_counter() - asked
        time.sleep(_BETWEEN_KEYS)
        yield cpu_seconds(client.number) - used, answered


_BETWEEN_KEYS = 0.12
"""Seconds from the answer to a key to the next key."""


def cpu_seconds(number: int) -> float:
    """Return the CPU time that a process has used, without those that it started."""
    fields = Path(f'/proc/{number}/stat').read_text().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


class Memory(threading.Thread):
    """Watches the memory of the server and all processes that it started; ``most`` is in MB."""

    def __init__(self, number: int) -> None:
        super().__init__(daemon=True)
        self.most = 0.0
        self._number = number
        self._ended = threading.Event()

    def run(self) -> None:
        """Look ten times in a second."""
        while not self._ended.wait(0.1):
            self.most = max(self.most, sum(map(proportional, tree_of(self._number))))

    def end(self) -> float:
        """Return the most memory that was used."""
        self._ended.set()
        self.join()
        return self.most


def tree_of(number: int) -> Iterator[int]:
    """Yield a process and all below it."""
    yield number
    with suppress(OSError):
        for thread in Path(f'/proc/{number}/task').iterdir():
            for child in (thread / 'children').read_text().split():
                yield from tree_of(int(child))


def proportional(number: int) -> float:
    """Return the megabytes of a process, shared ones divided by those who share them."""
    with suppress(OSError):
        for line in Path(f'/proc/{number}/smaps_rollup').read_text().splitlines():
            if line.startswith('Pss:'):
                return int(line.split()[1]) / 1000
    return 0.0


def large_files(folder: Path, quick: bool) -> Iterator[tuple[object, ...]]:
    """Yield a row for each large file: what a key, a list, the diagnostics and memory take."""
    keys = '<lin' if quick else '<link name="another"/>'
    urdf, sdf = (100, 10) if quick else (7_200, 660)
    for name, text in (('large.urdf', urdf_chain(urdf)), ('large.sdf', sdf_world(sdf, 10))):
        with Client(folder) as client:
            memory, uri = Memory(client.number), (folder / name).as_uri()
            memory.start()
            client.tell('textDocument/didOpen', {'textDocument': {
                'uri': uri, 'languageId': 'xml', 'version': 0, 'text': text}})
            client.published(0)
            at = text.index('\n', text.index('</joint>', len(text) // 2)) + 1
            typed = list(type_into(client, uri, text, at, keys, itertools.count(1)))
            start = time.perf_counter()
            client.published(len(keys))
            waited = time.perf_counter() - start
            outline = client.ask('textDocument/documentSymbol', {'textDocument': {'uri': uri}})
            assert outline is not None
            yield (f'{name}, {len(text) / 1e6:.1f} MB', text.count('<') - text.count('</'),
                   *(quantile([one[index] * 1e3 for one in typed], 0.5) for index in (0, 1)),
                   *(max(one[index] for one in typed) * 1e3 for index in (0, 1)),
                   waited, memory.end())


def main(quick: bool) -> str:
    """Measure all of it and return the page."""
    rounds = 3 if quick else 100
    documents = {
        'chain.hrdf': hrdf_chain(1000), 'chain.sdf': sdf_chain(100, relative=True),
        'chain.urdf': urdf_chain(500)}
    rows = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with Client(folder) as client:
            for name, text in documents.items():
                lines = text.count('\n')
                for what, times in measure(client, folder, text, name, rounds).items():
                    rows.append((f'{name}, {lines} lines', what, quantile(times, 0.5),
                                 quantile(times, 0.99)))
        large = list(large_files(folder, quick))
    return '\n'.join((
        '## Language server\n',
        'From a message to its answer, each after a keystroke; in milliseconds.\n',
        table(('document', 'answer', 'p50 (ms)', 'p99 (ms)'), rows),
        '\nTyping an element in the middle of a large file, with a request for proposals after '
        "each key: CPU time of the server's process, the wait for the proposals, that for "
        'diagnostics after the last key, and the memory of all processes of the server.\n',
        table(('file', 'elements', 'CPU (ms)', 'proposals (ms)', 'most CPU (ms)',
               'most proposals (ms)', 'diagnostics (s)', 'memory (MB)'), large)))


if __name__ == '__main__':
    print(main('--quick' in sys.argv))
