# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Download files for ``hrdf fetch``; nothing else in the package uses the network.

A server may be hostile. Only https is used, also after redirects. Everything that the server sends
is bounded in bytes and time, and the server has no say in where a file is written. A download is
either complete or not there; its SHA-256 is in a file beside it or inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.message import Message
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from http.client import HTTPException
from io import BytesIO
import os
import re
from shutil import rmtree
import signal
import stat
import threading
from typing import Any, NamedTuple, NoReturn, Optional
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urljoin, urlsplit
import zipfile
import zlib

from hrdf_ros import fuel
from hrdf_ros.document import escape
from hrdf_ros.file_reader import open_regular
from hrdf_ros.file_writer import (
    exit_on_sigterm,
    missing_directories,
    write_all,
    write_below,
)
from hrdf_ros.limits import FETCH_DEPTH, FETCH_FILES, FETCH_REDIRECTS, FETCH_SECONDS, FETCH_SILENCE
from hrdf_ros.writers.mesh_files import paths_of, with_parts_renamed

CHECKSUMS = 'SHA256SUMS'
"""The file in the directory of a model or world that ``sha256sum --check`` reads."""
_CHECKSUM = '.sha256'
_CHUNK = 1 << 16
"""The bytes that are received or inflated at once."""
_LOOPBACK = ('127.0.0.1', 'localhost', '::1')
_NEWEST = 'tip'
_SAFE = "%/:=&?~#+!$,;'@()*[]"
"""The characters of an address that are not escaped."""
_BLOCK = 1 << 12
"""The bytes that each file and directory takes on the disk in addition to its content."""
_ENTRY = b'PK\x01\x02'
"""The beginning of each entry in an archive's directory."""
_PAGES = ('text/html', 'application/xhtml+xml')
"""The types of web pages."""
_PAGE = re.compile(
    rb'(?i)\A(?:\xef\xbb\xbf)?\s*(?:<\?xml\b[^>]*>\s*)?<(?:!doctype\s+)?html[\s>]')
"""The beginning of a web page, which some servers send without a type instead of an error."""
_IN_MODEL = re.compile(rb'(>\s*)model://[^/<>\s]+/([^<>]*<)')

Progress = Callable[[str, int, Optional[int]], None]
"""A function that takes the address, the bytes received, and the total if that is known."""


class FetchError(Exception):
    """A download failed; the text says why."""


class Fetched(NamedTuple):
    """
    Where a download is now, and its size in bytes.

    ``parts`` are the addresses of the material libraries and images that a mesh file names.
    A file that ``is_cached`` was there already.
    """

    path: str
    size: int
    parts: tuple[str, ...] = ()
    is_cached: bool = False


class Fetcher:
    """
    A session that downloads files, and models and worlds of Fuel, into their caches.

    One download may have ``most`` bytes, and so may its content; all downloads together may have
    ``most_of_all`` bytes. With ``loopback``, which is for tests, http is allowed to this machine.
    """

    def __init__(
        self, environ: Mapping[str, str], most: int, most_of_all: int, *,
        loopback: bool = False, progress: Optional[Progress] = None,
    ) -> None:
        self._environ = environ
        self._most = most
        self._left = most_of_all
        self._loopback = loopback
        self._progress = progress
        self._archives: set[str] = set()
        """The archives that were asked for: several URIs may belong to the same model."""
        self._opener = request.OpenerDirector()
        for handler in (
                request.ProxyHandler(), request.HTTPHandler(), request.HTTPSHandler(),
                request.HTTPDefaultErrorHandler(), _Redirects(loopback),
                request.HTTPErrorProcessor()):
            self._opener.add_handler(handler)

    def fetch(self, uri: str) -> Fetched:
        """Download what a URI names; raise FetchError if that is impossible."""
        _check_address(uri, self._loopback)
        resource = fuel.parse_uri(uri)
        try:
            found = self._cached(uri)
            if found is not None:
                parts = () if resource else self._parts_of_cached(uri, found)
                return Fetched(found, 0, parts, is_cached=True)
            return self._fetch_file(uri) if resource is None else (
                self._fetch_resource(uri, resource))
        except HTTPError as error:
            raise FetchError(f'the server answers {error.code} {error.reason}') from None
        except HTTPException as error:
            raise FetchError(f'the answer is not HTTP: {type(error).__name__}') from None
        except URLError as error:
            raise FetchError(str(error.reason)) from None
        except (OSError, ValueError) as error:
            raise FetchError(str(getattr(error, 'strerror', None) or error)) from None

    def _cached(self, uri: str) -> Optional[str]:
        return next(filter(os.path.exists, fuel.candidates(uri, (), self._environ)), None)

    def _parts_of_cached(self, uri: str, file: str) -> tuple[str, ...]:
        with open_regular(file) as stream:
            return _parts(uri, stream.read(self._most))

    def _fetch_file(self, uri: str) -> Fetched:
        name, directory = fuel.path_in_file_cache(uri), fuel.file_cache(self._environ)
        if name is None or not directory:
            raise FetchError('the address does not name a file')
        data, _ = self._download(uri)
        checksum = f'{sha256(data).hexdigest()}  {os.path.basename(name)}\n'
        write_all({
            (directory, name + _CHECKSUM): checksum.encode(), (directory, name): data})
        return Fetched(os.path.join(directory, name), len(data), _parts(uri, data))

    def _fetch_resource(self, uri: str, resource: fuel.FuelUri) -> Fetched:
        """Download the archive of a model or world, where ``gz fuel download`` would put it."""
        address = urlsplit(uri)
        server = fuel.fuel_server(resource)
        host = f'{address.scheme}://{address.netloc if server == resource.server else server}'
        archive = '/'.join((
            host, '1.0', quote(resource.owner), resource.kind, quote(resource.name),
            resource.version or _NEWEST, f'{quote(resource.name)}.zip'))
        if archive in self._archives:
            raise FetchError('the model has no such file, or was not fetched')
        self._archives.add(archive)
        data, headers = self._download(archive)
        version = resource.version or str(headers.get('X-Ign-Resource-Version', '1'))
        if not re.fullmatch('[0-9]{1,9}', version):
            raise FetchError('the server names a version that is not a number')
        directory = os.path.join(
            fuel.caches(self._environ)[0], server, resource.owner.lower(), resource.kind,
            resource.name.lower())
        own = f'{host}/1.0/{resource.owner}/{resource.kind}/{resource.name}/{version}/files/'
        self._left -= _unpack(data, directory, version, min(self._most, self._left), own)
        if self._cached(uri) is None:
            raise FetchError('the model has no such file')
        return Fetched(os.path.join(directory, version), len(data))

    def _download(self, url: str) -> tuple[bytes, Message]:
        """Return the body and the headers of an answer."""
        asked = request.Request(quote(url, safe=_SAFE), headers={
            'User-Agent': 'hrdf_ros', 'Accept-Encoding': 'identity'})
        with _deadline(FETCH_SILENCE):  # `100 Continue` and headers may go on without end
            begun = self._opener.open(asked, timeout=FETCH_SILENCE)
        with _deadline(FETCH_SECONDS), begun as answer:
            if answer.status != HTTPStatus.OK:
                raise FetchError(f'the server answers {answer.status}')
            if answer.headers.get_content_type() in _PAGES:
                raise FetchError('the answer is a web page')
            data = self._body(url, answer)
        if _PAGE.match(data):
            raise FetchError('the answer is a web page')
        return data, answer.headers

    def _body(self, url: str, answer: Any) -> bytes:
        """Return the body of an answer; raise FetchError if it is too long or too short."""
        length = answer.headers.get('Content-Length')
        expected = int(length) if length and re.fullmatch('[0-9]+', length) else None
        data, most = bytearray(), min(self._most, self._left)
        part = b' '
        while part:
            if max(len(data), expected or 0) > most:
                raise FetchError(
                    f'it is larger than the {most} bytes that are left, see --resource-limit')
            part = answer.read(_CHUNK)
            data += part
            if self._progress is not None:
                self._progress(url, len(data), expected)
        if expected not in (None, len(data)):
            raise FetchError(f'the answer ends after {len(data)} of {expected} bytes')
        self._left -= len(data)
        return bytes(data)


# ---- addresses

class _Redirects(request.HTTPRedirectHandler):
    """A handler that follows a few redirects, to addresses that may be fetched themselves."""

    max_redirections = FETCH_REDIRECTS
    max_repeats = 1

    def __init__(self, loopback: bool) -> None:
        self._loopback = loopback

    def redirect_request(
        self, req: request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str,
    ) -> Optional[request.Request]:
        """Return the request for the new address."""
        try:
            _check_address(newurl, self._loopback)
        except FetchError:
            raise URLError('it redirects to an address that is not https') from None
        fp.close()  # urllib would read the whole body
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _check_address(url: str, loopback: bool) -> None:
    """Raise FetchError for an address that is not https, nor http on this machine if allowed."""
    try:
        address = urlsplit(url)
        host = address.hostname
    except ValueError:
        host = None
    if not host or any(ord(letter) < ord(' ') for letter in url):
        raise FetchError('this is not an address')
    if address.scheme != 'https' and not (
            loopback and address.scheme == 'http' and host in _LOOPBACK):
        raise FetchError('only https is fetched')


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in this context after a while, however slowly a server answers."""
    def raise_timeout(*_: object) -> NoReturn:
        raise TimeoutError(f'it takes longer than {seconds:g} s')

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, raise_timeout)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def _parts(uri: str, data: bytes) -> tuple[str, ...]:
    """Return the addresses on the same server of the files that a mesh file names."""
    address = urlsplit(uri)
    names: dict[str, None] = {}

    def remember(name: str) -> str:
        if len(names) <= FETCH_FILES:
            names[paths_of(name)[-1]] = None
        return ''

    suffix = os.path.splitext(address.path)[1].lower()
    with_parts_renamed(data, suffix, remember, lambda _: False)
    return tuple(
        urljoin(uri, quote(name)) for name in names
        if name and name.isprintable() and ':' not in name and not name.startswith('/'))


# ---- archives

def _unpack(data: bytes, directory: str, version: str, most: int, own: str) -> int:
    """
    Write the files of an archive into the directory of a version; return their size on disk.

    A complete version is kept. As Gazebo does, ``model://`` URIs in the files are replaced by URIs
    of Fuel that begin with ``own``.
    """
    if os.path.isdir(os.path.join(directory, version)):
        return 0
    made, temporary = missing_directories(directory), f'.hrdf-{os.urandom(8).hex()}.tmp'
    with exit_on_sigterm():
        try:
            size = _write_members(data, directory, temporary, most, escape(own).encode())
            try:
                os.rename(os.path.join(directory, temporary), os.path.join(directory, version))
            except OSError:  # another process may have been faster
                if not os.path.isdir(os.path.join(directory, version)):
                    raise
        finally:
            rmtree(os.path.join(directory, temporary), ignore_errors=True)
            with suppress(OSError):
                for path in reversed(made):  # only empty directories
                    os.rmdir(path)
    return size


def _write_members(
    data: bytes, directory: str, temporary: str, most: int, start: bytes,
) -> int:
    """Write the files of an archive and their checksums; return their size on disk."""
    size, checksums = 0, []
    for name, content in _members(data, most):
        uris = sum(1 for _ in _IN_MODEL.finditer(content)) if name.endswith('.sdf') else 0
        size += len(content) + uris * len(start) + _BLOCK * len(name.split('/'))
        if size > most:
            raise FetchError(f'the content of the archive is larger than {most} bytes')
        if uris:
            content = _IN_MODEL.sub(lambda found: found[1] + start + found[2], content)
        write_below(directory, f'{temporary}/{name}', content)
        checksums.append(f'{sha256(content).hexdigest()}  {name}\n')
    write_below(
        directory, f'{temporary}/{CHECKSUMS}', ''.join(checksums).encode(), force=True)
    return size


def _members(data: bytes, most: int) -> Iterator[tuple[str, bytes]]:
    """
    Yield the names and contents of the files in an archive, after checks of both.

    Contents are inflated in pieces, up to the length that the directory of the archive states.
    """
    if data.count(_ENTRY) > FETCH_FILES:
        raise FetchError(f'the archive has more than {FETCH_FILES} files')
    try:
        archive = zipfile.ZipFile(BytesIO(data))
        members = [member for member in archive.infolist() if not member.is_dir()]
        if not members:
            raise FetchError('the archive has no files')
        for member in members:
            _check_member(member)
        if sum(member.file_size for member in members) > most:
            raise FetchError(f'the content of the archive is larger than {most} bytes')
        for member in members:
            with archive.open(member) as stream:
                yield member.filename, b''.join(iter(partial(stream.read, _CHUNK), b''))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise FetchError(f'the archive cannot be read: {error}') from None


def _check_member(member: zipfile.ZipInfo) -> None:
    """Raise FetchError for a file of an archive that is not an ordinary one below a directory."""
    name = member.filename
    if '\\' in name or any(part in ('', os.curdir, os.pardir) for part in name.split('/')):
        raise FetchError(f"the archive has a file '{name}', which leads out of its directory")
    if not name.isprintable() or name.count('/') >= FETCH_DEPTH:
        raise FetchError(f"the archive has a file '{name[:80]}', which is no usual name")
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise FetchError(f"'{name}' in the archive is not a regular file")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FetchError(f"'{name}' in the archive is compressed in an unusual way")
