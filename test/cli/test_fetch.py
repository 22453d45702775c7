# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""``hrdf fetch`` and a server on this machine, which may be hostile."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
import subprocess
import threading
import tracemalloc
import zipfile
from zlib import crc32

from helpers.file_server import Answer, ENDLESS, sending, Server, serving, zipped
from helpers.loading import model_of
from helpers.terminal import Run
from hrdf_ros import fetch
from hrdf_ros.fetch import Fetcher, FetchError
from hrdf_ros.limits import FETCH_REDIRECTS
from hrdf_ros.load import load
from hrdf_ros.model import Mesh
import pytest

MODEL = b'<model><name>m</name><sdf version="1.9">model.sdf</sdf></model>'
STL = b'solid s\nendsolid s\n'


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as found:
        yield found


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home without downloads."""
    for name in ('GZ_FUEL_CACHE_PATH', 'IGN_FUEL_CACHE_PATH', 'XDG_CACHE_HOME', 'http_proxy'):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv('HOME', str(tmp_path / 'home'))
    return tmp_path / 'home'


def model(mesh: str = 'model://m/meshes/a.stl') -> bytes:
    sdf = ('<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><mesh>'
           f'<uri>{mesh}</uri></mesh></geometry></visual></link></model></sdf>').encode()
    return zipped({'model.config': MODEL, 'model.sdf': sdf, 'meshes/a.stl': STL})


def robot(*uris: str) -> dict[str, str]:
    bodies = ''.join(f'<rigid-body mass="1" mesh_path="{uri}"/>' for uri in uris)
    return {'arm.hrdf': f'<robot version="1.6.0">{bodies}</robot>'}


def world(*uris: str) -> dict[str, str]:
    text = ''.join(
        f'<include><name>m{index}</name><uri>{uri}</uri></include>'
        for index, uri in enumerate(uris))
    return {'world.sdf': f'<sdf version="1.9"><world name="w">{text}</world></sdf>'}


def meshes(file: str) -> list[str | None]:
    return [shape.geometry.file for body in model_of(load(file)).bodies for shape in body.visuals
            if isinstance(shape.geometry, Mesh)]


def test_mesh_is_fetched_once_and_found_by_all(
    server: Server, home: Path, tmp_path: Path, hrdf: Run,
) -> None:
    uri = f'{server.address}/a/b.stl'
    assert hrdf('fetch --loopback arm.hrdf', files=robot(uri)).status == 1
    assert load('arm.hrdf').on_network == (uri,)
    assert [found.code for found in load('arm.hrdf').report] == ['file-on-network']
    server.answers['/a/b.stl'] = Answer(STL)
    assert hrdf('fetch --loopback arm.hrdf').status == 0
    assert 'nothing to fetch' in hrdf('fetch --loopback arm.hrdf').out
    assert server.asked == ['/a/b.stl'] * 2
    cached = home / '.cache/hrdf_ros' / server.address[7:].replace(':', '%3A') / 'a/b.stl'
    assert meshes('arm.hrdf') == [str(cached)] and cached.read_bytes() == STL
    assert not load('arm.hrdf').report and not load('arm.hrdf').on_network
    subprocess.run(
        ['sha256sum', '--check', '--status', 'b.stl.sha256'], cwd=cached.parent, check=True)
    assert hrdf('convert arm.hrdf --bundle out').status == 0
    assert any(one.suffix == '.stl' for one in (tmp_path / 'out').rglob('*'))


def test_an_empty_file_is_fetched_too(server: Server, hrdf: Run) -> None:
    server.answers['/a.stl'] = Answer(b'')
    out = hrdf('fetch --loopback arm.hrdf', files=robot(f'{server.address}/a.stl')).out
    assert '/a.stl -> ' in out and '1 of 1 fetched, 0.0 kB' in out
    assert 'nothing to fetch' in hrdf('fetch --loopback arm.hrdf').out


def test_model_of_fuel_and_the_model_that_it_names(
    server: Server, home: Path, hrdf: Run,
) -> None:
    base = f'{server.address}/1.0/Open Robotics/models'
    version = (('X-Ign-Resource-Version', '3'),)
    server.answers.update({
        '/1.0/Open%20Robotics/models/M/tip/M.zip': Answer(model(), headers=version),
        '/1.0/Open%20Robotics/models/N/2/N.zip': Answer(model(f'{base}/M/3/files/meshes/a.stl'))})
    assert hrdf('fetch --loopback world.sdf', files=world(
        f'{base}/M', f'{base}/N/2', f'{base}/M')).status == 0
    assert len(server.asked) == 2
    cache = home / '.gz/fuel/127.0.0.1/open robotics/models'
    assert meshes('world.sdf') == [str(cache / 'm/3/meshes/a.stl')] * 3
    subprocess.run(
        ['sha256sum', '--check', '--status', 'SHA256SUMS'], cwd=cache / 'm/3', check=True)
    assert hrdf('fetch --loopback', f'{base}/N').status == 0
    assert len(server.asked) == 2


def test_libraries_and_textures_of_an_obj_are_fetched(
    server: Server, tmp_path: Path, hrdf: Run,
) -> None:
    image = Answer(b'\x89PNG\r\n\x1a\n')
    server.answers.update({
        '/m/arm.obj': Answer(b'mtllib arm.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'),
        '/m/arm.mtl': Answer(
            b'newmtl a\nmap_Kd -s 1 1 1 ../t/a%20b.png\nmap_Kd arm.mtl\n'
            b'map_Ks https://192.0.2.1/x.png\nmap_Ka /etc/passwd\nbump c.png\n'),
        '/t/a%20b.png': image})
    uri = f'{server.address}/m/arm.obj'
    assert hrdf('fetch --loopback arm.hrdf', files=robot(uri)).status == 1
    assert server.asked == ['/m/arm.obj', '/m/arm.mtl', '/t/a%20b.png', '/m/c.png']
    server.answers['/m/c.png'] = image
    assert hrdf(f'fetch --loopback {uri}').status == 0
    assert server.asked[4:] == ['/m/c.png']
    assert hrdf('convert arm.hrdf --bundle out').status == 0
    assert {one.suffix for one in (tmp_path / 'out').rglob('*')} >= {'.obj', '.mtl', '.png'}


def test_downloads_of_one_model_at_once_succeed(server: Server, tmp_path: Path) -> None:
    server.answers['/1.0/o/models/M/tip/M.zip'] = Answer(
        zipped({'model.config': MODEL, **{f'{number}.stl': STL for number in range(100)}}))
    arrived = threading.Barrier(2)

    def wait(*_: object) -> None:
        arrived.wait(60.0)

    def fetched(_: int) -> str:
        fetcher = Fetcher(
            {'HOME': str(tmp_path)}, 1 << 20, 1 << 20, loopback=True, progress=wait)
        return fetcher.fetch(f'{server.address}/1.0/o/models/M').path

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(fetched, range(2))
    assert first == second and [*Path(first).parent.iterdir()] == [Path(first)]


@pytest.mark.parametrize(('answer', 'message'), [
    (Answer(status=404), 'the server answers 404'),
    (Answer(STL, length=100), 'the answer ends after 19 of 100 bytes'),
    (Answer(length=ENDLESS), 'it is larger than the 1000000 bytes'),
    (Answer(length=10**15), 'it is larger than the 1000000 bytes'),
    (Answer(STL, headers=(('Content-Type', 'text/html; charset=utf-8'),)), 'is a web page'),
    (Answer(STL, headers=(('Content-Type', 'application/xhtml+xml'),)), 'is a web page'),
    (Answer(b'\n <!DOCTYPE html>\n<title>Not found</title>'), 'is a web page'),
    (Answer(b'<HTML lang="en"><body>Not found</body></HTML>'), 'is a web page'),
    (Answer(b'\xef\xbb\xbf<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x" "y"><html/>'),
     'is a web page'),
    (Answer(status=302, headers=(('Location', 'file:///etc/passwd'),)), '302'),
    (Answer(status=302, headers=(('Location', 'http://192.0.2.1/a.stl'),)), 'that is not https'),
    (Answer(status=302, headers=(('Location', '/a.stl'),)), '302'),
    (Answer(status=302, headers=(('Location', '/c.stl'),), length=ENDLESS), '404'),
    (Answer(STL, status=206), '206'), (Answer(status=204), '204'),
    (Answer(length=10**30), 'it is larger than the 1000000 bytes'),
])
def test_hostile_answers(
    server: Server, home: Path, hrdf: Run, answer: Answer, message: str,
) -> None:
    server.answers.update({'/a.stl': answer, '/b.stl': Answer(STL)})
    _, out, err = hrdf(
        'fetch --loopback --resource-limit fetch_bytes=1000000 arm.hrdf',
        files=robot(f'{server.address}/a.stl', f'{server.address}/b.stl'))
    assert f'{server.address}/a.stl: ' in err and message in err and '1 of 2 fetched' in out
    names = [one.name for one in home.rglob('*') if one.is_file()]
    assert sorted(names) == ['b.stl', 'b.stl.sha256']


def link(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)
    member.external_attr = 0o120777 << 16
    return member


@pytest.mark.parametrize(('archive', 'message'), [
    (zipped({'../evil': b''}), 'leads out of its directory'),
    (zipped({'/evil': b''}), 'leads out of its directory'),
    (zipped({'a\\..\\evil': b''}), 'leads out of its directory'),
    (zipped({link('meshes'): b'/etc', 'meshes/x': b''}), 'is not a regular file'),
    (zipped({'bomb': bytes(2_000_000)}), 'is larger than 1000000 bytes'),
    (zipped({'bomb': bytes(2_000_000)}).replace(bytes(99), b'x' * 99),  # before it is unpacked
     'is larger than 1000000 bytes'),
    (zipped({'a.sdf': b'>model://a/<' * 60_000}), 'is larger than 1000000 bytes'),
    (zipped({f'{number}/a/b': b'' for number in range(19)} | {'c': bytes(800_000)}),
     'is larger than 1000000 bytes'),
    (zipped({'a/' * 999 + 'b': b''}), 'no usual name'),
    (zipped({'a\n0  b': b''}), 'no usual name'),
    (zipped({'a': b'', 'a/b': b''}), 'not a directory'),
    (zipped({f'{number}': b'' for number in range(30)}), 'more than 20 files'),
    (zipped({}), 'has no files'),
    (model()[:-30], 'cannot be read'), (b'no archive', 'cannot be read')])
def test_hostile_archives(
    server: Server, tmp_path: Path, hrdf: Run, monkeypatch: pytest.MonkeyPatch, archive: bytes,
    message: str,
) -> None:
    monkeypatch.setattr(fetch, 'FETCH_FILES', 20)
    server.answers['/1.0/o/models/M/tip/M.zip'] = Answer(archive)
    status, _, err = hrdf(
        'fetch --loopback --resource-limit fetch_bytes=1000000 world.sdf',
        files=world(f'{server.address}/1.0/o/models/M'))
    assert status == 1 and message in err
    assert [one.name for one in tmp_path.rglob('*') if one.is_file()] == ['world.sdf']


def test_version_of_the_server_is_no_path(server: Server, home: Path, hrdf: Run) -> None:
    server.answers['/1.0/o/models/M/tip/M.zip'] = Answer(
        model(), headers=(('X-Ign-Resource-Version', '../../x'),))
    assert hrdf(f'fetch --loopback {server.address}/1.0/o/models/M').status == 1
    assert not list(home.rglob('*.sdf'))


def test_all_downloads_together_are_bounded(server: Server, home: Path, hrdf: Run) -> None:
    archive = zipped({'model.config': MODEL, 'bomb': bytes(600_000)})
    server.answers.update({f'/{name}.stl': Answer(bytes(600)) for name in 'ab'})
    server.answers.update({
        f'/1.0/o/models/{name}/tip/{name}.zip': Answer(archive) for name in 'AB'})
    limited = 'fetch --loopback --resource-limit all_fetch_bytes'
    assert hrdf(f'{limited}=1000 arm.hrdf', files=robot(
        *(f'{server.address}/{name}.stl' for name in 'ab'))).status == 1
    assert [mesh is None for mesh in meshes('arm.hrdf')] == [False, True]
    assert hrdf(f'{limited}=1000000 world.sdf', files=world(
        *(f'{server.address}/1.0/o/models/{name}' for name in 'AB'))).status == 1
    assert len(list(home.rglob('bomb'))) == 1


def test_a_small_archive_that_inflates_takes_no_memory(
    server: Server, tmp_path: Path,
) -> None:
    """Its directory says that 64 MB of zeros are one byte."""
    archive = bytearray(zipped({'model.config': bytes(64 << 20)}))
    header = archive.rindex(b'PK\1\2')
    archive[header + 16:header + 20] = crc32(b'\0').to_bytes(4, 'little')
    archive[header + 24:header + 28] = (1).to_bytes(4, 'little')
    server.answers['/1.0/o/models/M/tip/M.zip'] = Answer(bytes(archive))
    fetcher = Fetcher({'HOME': str(tmp_path)}, 1 << 20, 1 << 20, loopback=True)
    tracemalloc.start()
    try:
        fetched = fetcher.fetch(f'{server.address}/1.0/o/models/M')
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()
    assert Path(fetched.path, 'model.config').read_bytes() == b'\0'


SLOW = {
    'a body': (b'HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n', b'x'),
    'a body without end': (b'HTTP/1.1 200 OK\r\n\r\n', b'x' * 1000),
    'chunks': (b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', b'1\r\nx\r\n'),
    'trailers': (
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n', b'a: b\r\n'),
    'a status': (b'', b'H'),
    'a header': (b'HTTP/1.1 200 OK\r\nX: ', b'x'),
    'answers to go on': (b'', b'HTTP/1.1 100 Continue\r\n\r\n'),
    'nothing': (b'', b'')}


@pytest.mark.parametrize('kind', SLOW)
def test_a_server_that_never_ends_is_given_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str,
) -> None:
    begins = b'\r\n\r\n' in SLOW[kind][0]
    monkeypatch.setattr(fetch, 'FETCH_SECONDS' if begins else 'FETCH_SILENCE', 1)
    with sending(*SLOW[kind]) as address, pytest.raises(
            FetchError, match='longer than 1 s|timed out'):
        Fetcher({'HOME': str(tmp_path)}, 1 << 60, 1 << 60, loopback=True).fetch(
            f'{address}/a.stl')
    assert not list(tmp_path.iterdir())


def test_a_header_without_end_is_given_up(tmp_path: Path) -> None:
    with sending(b'HTTP/1.1 200 OK\r\n', b'a: b\r\n' * 200) as address, pytest.raises(
            FetchError, match='the answer is not HTTP'):
        Fetcher({'HOME': str(tmp_path)}, 1000, 1000, loopback=True).fetch(f'{address}/a.stl')


def test_redirects_in_a_circle_are_given_up(server: Server, tmp_path: Path) -> None:
    server.answers.update({
        f'/{number}.stl': Answer(
            status=302, headers=(('Location', f'/{(number + 1) % 3}.stl'),))
        for number in range(3)})
    with pytest.raises(FetchError, match='302'):
        Fetcher({'HOME': str(tmp_path)}, 1000, 1000, loopback=True).fetch(
            f'{server.address}/0.stl')
    assert len(server.asked) <= FETCH_REDIRECTS + 1


@pytest.mark.parametrize(('uri', 'message'), [
    ('http://files.example/a.stl', 'only https is fetched'),
    ('http://127.0.0.1/a.stl', 'only https is fetched'),
    ('file:///etc/passwd', 'this is not an address'), ('https://[a/b.stl', 'not an address'),
    ('https:///a.stl', 'not an address'), ('https://a/\x01', 'not an address')])
def test_only_https_is_fetched(uri: str, message: str) -> None:
    with pytest.raises(FetchError, match=message):
        Fetcher({}, 1000, 1000).fetch(uri)


def test_server_without_tls_is_reported(server: Server) -> None:
    with pytest.raises(FetchError, match='SSL|TLS'):
        Fetcher({'HOME': '/nowhere'}, 1000, 1000).fetch(
            f'{server.address.replace("http", "https")}/a.stl')


def test_description_with_errors_is_reported(hrdf: Run) -> None:
    status, _, err = hrdf('fetch none.hrdf')
    assert status == 1 and 'error[file-not-found]' in err


@pytest.mark.parametrize('missing', [
    '<include><uri>model://gone</uri></include>',
    '<model name="m"><link name="l"><visual name="v"><geometry><mesh><uri>a.stl</uri></mesh>'
    '</geometry></visual></link></model>'])
def test_a_missing_file_that_no_server_has_is_said(
    hrdf: Run, tmp_path: Path, missing: str,
) -> None:
    (tmp_path / 'world.sdf').write_text(
        f'<sdf version="1.9"><world name="w">{missing}</world></sdf>')
    status, out, err = hrdf(f'fetch {tmp_path}/world.sdf')
    assert status == 1
    assert out == 'nothing to fetch: the files that are missing have no address at https\n'
    assert 'gone' in err or 'a.stl' in err


def test_progress_is_told(server: Server, tmp_path: Path) -> None:
    server.answers['/a.stl'] = Answer(STL)
    told: list[tuple[str, int, int | None]] = []
    uri = f'{server.address}/a.stl'
    Fetcher(
        {'HOME': str(tmp_path)}, 1000, 1000, loopback=True,
        progress=lambda *now: told.append(now)).fetch(uri)
    assert told[-1] == (uri, len(STL), len(STL))
