# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read meshes and textures in a process of its own, whose memory and time are limited.

A process is started for the new files and ends after the last of them. It answers one request
after another, so that only the file that exceeds a limit is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
import os
from pathlib import Path
import pickle
import resource
import subprocess
import sys
from threading import Timer
from time import monotonic, process_time
from typing import NamedTuple, Optional, Union

from hrdf_ros.fuel import fetch_hint, is_remote, ON_NETWORK
from hrdf_ros.limits import MeshLimits
from hrdf_ros.meshes.files import check_file, LoadedMesh, MeshError, read
from hrdf_ros.model import Geometry, Mesh

_CHILD = """
import sys
channel, *sys.path[:] = sys.argv[1:]
from hrdf_ros.meshes.reader import answer
answer(int(channel))
"""
_PACKAGES = str(Path(__file__).parents[2])
_BYTES_PER_PIXEL = 4
"""The bytes of a pixel in the memory of a browser."""


class Request(NamedTuple):
    """A mesh, or a primitive with the image file of its texture."""

    geometry: Geometry
    texture: Optional[str] = None

    def file(self) -> str:
        """Return the file to be read; raise MeshError if it was not found."""
        file = self.geometry.file if isinstance(self.geometry, Mesh) else self.texture
        if file is None:
            if isinstance(self.geometry, Mesh) and is_remote(self.geometry.uri):
                raise MeshError(f'it {ON_NETWORK}: {fetch_hint(self.geometry.uri)}')
            raise MeshError('the file was not found')
        return file


Answer = Union[LoadedMesh, MeshError]
_Key = tuple[Request, int, int]


class MeshReader:
    """A reader of meshes, which reads a file again only if it has changed."""

    def __init__(self, limits: MeshLimits = MeshLimits()) -> None:
        self._limits = limits
        self._known: dict[tuple[Request, int, int], Answer] = {}

    def read(self, requests: Iterable[Request]) -> Mapping[Request, Answer]:
        """Return a mesh for each request, or the reason why there is none."""
        answers: dict[Request, Answer] = {}
        keys = {}
        for request in dict.fromkeys(requests):
            try:
                status = check_file(request.file())
            except MeshError as error:
                answers[request] = error
            else:
                keys[request] = request, status.st_mtime_ns, status.st_size
        found = _read_all(
            [request for request, key in keys.items() if key not in self._known], self._limits)
        used = {key: found[request] if request in found else self._known[key]
                for request, key in keys.items()}
        known = used | {key: each for key, each in self._known.items() if key[0] not in keys}
        fits = sum(map(_size, known.values())) <= self._limits.all_bytes
        self._known = known if fits else used
        return answers | {request: used[key] for request, key in keys.items()}


def _read_all(requests: Sequence[Request], limits: MeshLimits) -> dict[Request, Answer]:
    """Return the answers of as many processes as needed, within the limits for all of them."""
    answers: dict[Request, Answer] = {}
    until = monotonic() + limits.seconds
    left = limits.all_bytes
    while len(answers) < len(requests):
        pending = requests[len(answers):]
        found = _run(pending, until, left, limits)
        left -= sum(map(_size, found))
        answers.update(zip(pending, found))
        if len(found) < len(pending):
            lost = ''
            if monotonic() >= until:
                lost = f'reading the meshes takes longer than {limits.seconds:g} s'
            elif left <= 0:
                lost = f'the meshes take more than {limits.all_bytes} bytes'
            if lost:
                return answers | dict.fromkeys(requests[len(answers):], MeshError(lost))
            answers[pending[len(found)]] = MeshError(
                'reading it takes too much memory or time, or ends the process')
    return answers


def _run(
    requests: Sequence[Request], until: float, most: int, limits: MeshLimits,
) -> list[Answer]:
    """Return the answers that one process gives before the process is done or exceeds a limit."""
    receiver, sender = Pipe(duplex=False)
    process = subprocess.Popen(  # isolated: nothing is imported from the working directory
        [sys.executable, '-I', '-c', _CHILD, str(sender.fileno()), _PACKAGES,
         *filter(None, sys.path)],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        pass_fds=[sender.fileno()], env={**os.environ, 'OPENBLAS_NUM_THREADS': '1'})
    sender.close()
    assert process.stdin is not None
    timer = Timer(max(until - monotonic(), 0.0), process.kill)
    timer.start()
    answers: list[Answer] = []
    with receiver, suppress(EOFError, OSError):  # the process ends, or its answer is too large
        try:
            with process.stdin as stream:
                stream.write(pickle.dumps((limits, requests)))
            while len(answers) < len(requests) and most > 0:
                answer = pickle.loads(receiver.recv_bytes(most))
                most -= _size(answer)
                if most >= 0:
                    answers.append(answer)
        finally:
            timer.cancel()
            process.kill()
            process.wait()
    return answers


def _size(answer: Answer) -> int:
    if isinstance(answer, MeshError):
        return 0
    drawn = len(answer.glb or b'') + _BYTES_PER_PIXEL * answer.pixels
    return sum(part.nbytes for part in answer.triangles) + drawn


def answer(channel: int) -> None:
    """Answer the requests on standard input through a pipe; this is the program of the process."""
    with open(0, 'rb') as stream:
        limits, requests = pickle.load(stream)
    _limit(resource.RLIMIT_AS, limits.memory)
    _limit(resource.RLIMIT_CORE, 0)
    with Connection(channel, readable=False) as sender:
        for request in requests:
            _limit(resource.RLIMIT_CPU, int(process_time() + limits.file_seconds) + 1)
            try:
                sender.send(read(request.geometry, request.texture))
            except MeshError as error:
                sender.send(MeshError(str(error)[:1000]))


def _limit(kind: int, most: int) -> None:
    """Limit a resource of this process, unless its maximum is lower already."""
    _, maximum = resource.getrlimit(kind)
    bound = most if maximum == resource.RLIM_INFINITY else min(most, maximum)
    resource.setrlimit(kind, (bound, maximum))
