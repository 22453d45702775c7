# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Reading meshes and textures in a process of its own, whose memory and time are limited.

The process is started for the files that are new, and ends with them. It answers one request
after the other, so that only the file that breaks a limit is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
import os
from pathlib import Path
import pickle
import resource
import struct
import subprocess
import sys
from threading import Timer
from time import monotonic
from typing import IO, NamedTuple, Optional, Union

from hrdf_ros.fuel import fetch_hint, is_remote, ON_NETWORK
from hrdf_ros.limits import MeshLimits
from hrdf_ros.meshes.files import check_file, LoadedMesh, MeshError, read
from hrdf_ros.meshes.primitives import triangles
from hrdf_ros.model import Geometry, Mesh
import numpy as np

_CHILD = """
import os, sys
output = os.dup(1)
os.dup2(2, 1)  # libraries print
sys.path[:] = sys.argv[1:]
from hrdf_ros.meshes.reader import answer
answer(output)
"""
_PACKAGES = str(Path(__file__).parents[2])
_HEAD = struct.Struct('<5Q')
"""Of an answer: the bytes of its vertices, faces, binary glTF and message, and its pixels."""
_BYTES_PER_PIXEL = 4


class Request(NamedTuple):
    """A mesh, or a primitive with the image file of its texture."""

    geometry: Geometry
    texture: Optional[str] = None

    def file(self) -> str:
        """Return the file to be read; a MeshError if it was not found."""
        file = self.geometry.file if isinstance(self.geometry, Mesh) else self.texture
        if file is None:
            if isinstance(self.geometry, Mesh) and is_remote(self.geometry.uri):
                raise MeshError(f'it {ON_NETWORK}: {fetch_hint(self.geometry.uri)}')
            raise MeshError('the file was not found')
        return file


Answer = Union[LoadedMesh, MeshError]
_Key = tuple[Request, int, int]


class MeshReader:
    """Reads meshes; a file that has not changed is not read again."""

    def __init__(self, limits: MeshLimits = MeshLimits()) -> None:
        self._limits = limits
        self._known: dict[_Key, Answer] = {}

    def read(self, requests: Iterable[Request]) -> Mapping[Request, Answer]:
        """Return a mesh for each request, or the reason why there is none."""
        answers: dict[Request, Answer] = {}
        keys: dict[Request, _Key] = {}
        for request in dict.fromkeys(requests):
            try:
                status = check_file(request.file())
            except MeshError as error:
                answers[request] = error
            else:
                keys[request] = request, status.st_mtime_ns, status.st_size
        new = [request for request, key in keys.items() if key not in self._known]
        found = _read_all(new, self._limits)
        answers |= {
            request: self._known[key] if key in self._known else found[request]
            for request, key in keys.items()}
        self._keep({key: answers[request] for request, key in keys.items()}, keys)
        return answers

    def _keep(self, used: dict[_Key, Answer], keys: Mapping[Request, _Key]) -> None:
        """Keep answers of earlier calls whose file is not known to have changed, if they fit."""
        known = used | {
            key: answer for key, answer in self._known.items() if key[0] not in keys}
        fits = sum(map(_size, known.values())) <= self._limits.all_bytes
        self._known = known if fits else used


def _read_all(requests: Sequence[Request], limits: MeshLimits) -> dict[Request, Answer]:
    """Return the answers of as many processes as it takes, within the limits for all of them."""
    answers: dict[Request, Answer] = {}
    until = monotonic() + limits.seconds
    left = limits.all_bytes
    while len(answers) < len(requests):
        pending = requests[len(answers):]
        found = _run(pending, until, left, limits)
        left -= sum(map(_size, found))
        answers.update(zip(pending, found))
        if len(found) < len(pending):
            lost = _lost(until, left, limits)
            if lost is not None:
                return answers | dict.fromkeys(requests[len(answers):], MeshError(lost))
            answers[pending[len(found)]] = MeshError(
                'reading it takes too much memory or time, or ends the process')
    return answers


def _lost(until: float, left: int, limits: MeshLimits) -> Optional[str]:
    """Return why no more meshes are read, None if more may be."""
    if monotonic() >= until:
        return f'reading the meshes takes longer than {limits.seconds:g} s'
    if left <= 0:
        return f'the meshes take more than {limits.all_bytes} bytes'
    return None


def _run(
    requests: Sequence[Request], until: float, most: int, limits: MeshLimits,
) -> list[Answer]:
    """Return the answers that one process gives before it is done or breaks a limit."""
    process = subprocess.Popen(  # isolated: nothing is imported from the working directory
        [sys.executable, '-I', '-c', _CHILD, _PACKAGES, *filter(None, sys.path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, 'OPENBLAS_NUM_THREADS': '1'})
    assert process.stdin is not None and process.stdout is not None
    timer = Timer(max(until - monotonic(), 0.0), process.kill)
    timer.start()
    answers: list[Answer] = []
    try:
        process.stdin.write(pickle.dumps((limits, requests)))
        process.stdin.close()
        while len(answers) < len(requests) and most > 0:
            answer = _receive(process.stdout, most)
            if answer is None:
                break
            answers.append(answer)
            most -= _size(answer)
    except BrokenPipeError:
        pass  # it ended before it had the requests
    finally:
        timer.cancel()
        process.kill()
        process.stdout.close()
        process.wait()
    return answers


def _size(answer: Answer) -> int:
    if isinstance(answer, MeshError):
        return 0
    drawn = len(answer.glb or b'') + _BYTES_PER_PIXEL * answer.pixels
    return sum(part.nbytes for part in answer.triangles) + drawn


def _receive(stream: IO[bytes], most: int) -> Optional[Answer]:
    """Return the next answer, None if there is none, or more than so many bytes of it."""
    head = stream.read(_HEAD.size)
    *sizes, pixels = _HEAD.unpack(head) if len(head) == _HEAD.size else (0,)
    fits = sum(sizes) + _BYTES_PER_PIXEL * pixels <= most
    parts = [stream.read(size) for size in sizes] if fits else []
    if not parts or [*map(len, parts)] != sizes:
        return None
    vertices, faces, glb, message = parts
    if message and not vertices:
        return MeshError(message.decode())
    return LoadedMesh(
        triangles(np.frombuffer(vertices, np.float32), np.frombuffer(faces, np.uint32)),
        glb or None, pixels, message.decode())


def answer(output: int) -> None:
    """Answer the requests on standard input to a file descriptor: the process's own program."""
    with os.fdopen(0, 'rb') as stream:
        limits, requests = pickle.loads(stream.read())
    _limit(resource.RLIMIT_AS, limits.memory)
    _limit(resource.RLIMIT_CORE, 0)
    with os.fdopen(output, 'wb') as stream:
        _answer_all(stream, limits, requests)


def _limit(kind: int, most: int) -> None:
    """Limit this process, to less where its own maximum is less."""
    _, maximum = resource.getrlimit(kind)
    bound = most if maximum == resource.RLIM_INFINITY else min(most, maximum)
    resource.setrlimit(kind, (bound, maximum))


def _answer_all(stream: IO[bytes], limits: MeshLimits, requests: Sequence[Request]) -> None:
    for request in requests:
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime + limits.file_seconds) + 1
        _limit(resource.RLIMIT_CPU, seconds)
        pixels = 0
        try:
            loaded = read(request.geometry, request.texture)
        except MeshError as error:
            parts = (b'', b'', b'', str(error)[:1000].encode(errors='replace') or b'?')
        else:
            surface = loaded.triangles
            parts = (surface.vertices.tobytes(), surface.faces.tobytes(), loaded.glb or b'',
                     loaded.lost.encode())
            pixels = loaded.pixels
        stream.write(_HEAD.pack(*map(len, parts), pixels))
        stream.writelines(parts)
        stream.flush()
