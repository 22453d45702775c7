# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The command as a process of its own: streams, encodings, what is imported."""

from collections.abc import Iterator
import json
import os
from pathlib import Path
from shlex import quote
import subprocess
import sys
from typing import Any

import pytest

SOURCE = Path(__file__).parents[2]
ARM = '<robot version="1.6.0"><joint axis="rz" tag="é"/><rigid-body mass="1"/></robot>\n'
HEAVY = ('numpy', 'json', 'inspect', 'importlib.metadata', 'urllib', 'shutil', 'difflib')


def environment(**changes: str) -> dict[str, str]:
    path = os.pathsep.join([os.environ.get('PYTHONPATH', ''), str(SOURCE)])
    return {**os.environ, 'PYTHONPATH': path, 'PYTHONUTF8': '0', **changes}


def hrdf(here: Path, line: str, before: str = '', **changes: str) -> Any:
    """Run ``hrdf`` in a shell, in another environment, behind other commands."""
    return subprocess.run(
        f'{before} {quote(sys.executable)} -m hrdf_ros.cli {line}', shell=True, cwd=here,
        env=environment(**changes), capture_output=True, timeout=60, encoding='utf-8',
        errors='surrogateescape')


def python(here: Path, program: str) -> Any:
    return subprocess.run(
        [sys.executable, '-c', program], cwd=here, env=environment(), capture_output=True,
        text=True, timeout=60)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / 'arm.hrdf').write_text(ARM, encoding='utf-8')
    (tmp_path / 'bad.hrdf').write_text(
        '<robot version="1.6.0"><joint axis="é"/></robot>', encoding='utf-8')
    return tmp_path


@pytest.mark.parametrize('encoding', ['ascii', 'latin-1', 'utf-8', 'utf-16'])
def test_every_encoding_will_do(here: Path, encoding: str) -> None:
    for line, status in (('check bad.hrdf', 1), ('tree arm.hrdf', 0), ('frames arm.hrdf', 0)):
        done = hrdf(here, line, PYTHONIOENCODING=encoding)
        assert done.returncode == status and 'Error' not in done.stderr
        assert '\\u' not in done.stdout
    done = hrdf(here, 'convert arm.hrdf', PYTHONIOENCODING=encoding)
    assert done.returncode == 0 and 'name="é"' in done.stdout


def test_names_of_files_that_no_encoding_holds(here: Path) -> None:
    done = hrdf(here, "check $(printf '\\377.hrdf')")
    assert done.returncode == 1 and 'error[file-not-found]' in done.stderr


@pytest.mark.parametrize('verb', ['tree', 'frames', 'convert'])
def test_a_reader_that_goes_away(here: Path, verb: str) -> None:
    (here / 'long.hrdf').write_text(
        '<robot version="1.6.0">' + '<joint axis="rz"/>' * 3000 + '</robot>')
    with subprocess.Popen(
            [sys.executable, '-m', 'hrdf_ros.cli', verb, 'long.hrdf'], cwd=here,
            env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        complaint = process.stderr.read()
        assert process.wait(60) == 141
    assert b'Broken' not in complaint and b'Traceback' not in complaint


def test_check_imports_nothing_heavy(here: Path) -> None:
    before = python(here, 'import sys; print(*sys.modules)').stdout.split()
    done = python(here, (
        'import sys; from hrdf_ros.cli import main; status = main(["check", "arm.hrdf"]); '
        'print(status, *sorted(sys.modules))'))
    status, *modules = done.stdout.splitlines()[-1].split()
    assert status == '0' and 'hrdf_ros.readers.hrdf' in modules
    assert set(HEAVY).isdisjoint(set(modules) - set(before))


@pytest.mark.parametrize('file', [
    'urdf/gripper_arm.urdf', 'hrdf/arm_6dof.hrdf', 'sdf/nested_arm.sdf', 'skel/humanoid.skel'])
def test_the_records_of_a_check_have_no_forward_reference(here: Path, file: str) -> None:
    done = python(here, (  # the first one costs 4 % of a check: Python prepares its compiler
        'from typing import ForwardRef\n'
        'def refuse(self, annotation, *_, **__): raise AssertionError(annotation)\n'
        'ForwardRef.__init__ = refuse\n'
        'from hrdf_ros.cli import main\n'
        f'print("status", main(["check", {str(SOURCE / "examples" / file)!r}]))'))
    assert 'status 0' in done.stdout, done.stderr


@pytest.mark.parametrize('start', [
    'from hrdf_ros.cli import main; sys.exit(main(["node"]))',
    'from hrdf_ros.node import main; sys.exit(main([]))'])
def test_the_node_without_ros_reports_what_is_missing(here: Path, start: str) -> None:
    done = python(here, f'import sys; sys.modules["rclpy"] = None; {start}')
    assert done.returncode == 1
    assert 'source a ROS 2' in done.stderr and 'Traceback' not in done.stderr


@pytest.mark.parametrize(('words', 'values'), [
    ('tree arm.hrdf --position ', ['turn=']), ('info arm.hrdf --position ', ['turn=']),
    ('explain mass-', ['mass-missing', 'mass-negative']),
    ('check --ignore axis-z', ['axis-zero']),
    ('frames arm.hrdf --relative-to b', ['base_link', 'base_link/output']),
    ('check arm.hrdf --resource-limit fo', ['formula_length=']),
    ('frames arm.hrdf --pos', ['--position', '--positions']),
    ('tree nosuch.hrdf --position ', []), ('tree --position ', [])])
def test_completion(here: Path, words: str, values: list[str]) -> None:
    pytest.importorskip('argcomplete')
    (here / 'arm.hrdf').write_text(ARM.replace('é', 'turn'))
    offered = hrdf(
        here, '8>&1 9>/dev/null', _ARGCOMPLETE='1', _ARGCOMPLETE_IFS='\n', COMP_TYPE='9',
        COMP_LINE=f'hrdf {words}', COMP_POINT=str(len(words) + 5)).stdout
    assert sorted(offered.split()) == values


def test_processes_that_write_one_file_leave_one_whole_file(here: Path) -> None:
    expected = hrdf(here, 'convert arm.hrdf').stdout
    command = [sys.executable, '-m', 'hrdf_ros.cli', 'convert', 'arm.hrdf', '-o', 'out.urdf']
    running = [subprocess.Popen(command, cwd=here, env=environment()) for _ in range(4)]
    assert [process.wait(timeout=60) for process in running] == [0] * 4
    assert (here / 'out.urdf').read_text(encoding='utf-8') == expected
    assert sorted(file.name for file in here.iterdir()) == ['arm.hrdf', 'bad.hrdf', 'out.urdf']


@pytest.mark.parametrize(('closing', 'out', 'err'), [
    ('>&-', '', 'hrdf: error: standard output is closed\n'), ('2>&-', 'nosuch: 1 error\n', ''),
    ('>&- 2>&-', '', '')])
def test_closed_streams(here: Path, closing: str, out: str, err: str) -> None:
    done = hrdf(here, f'check nosuch {closing}')
    assert (done.returncode, done.stdout, done.stderr) == (1, out, err)


@pytest.mark.parametrize('columns', ['²', '0'])
@pytest.mark.parametrize(('command', 'status', 'message'), [
    ('format - <&-', 1, 'error'), ('check - <&-', 1, 'standard input does not begin with <'),
    ('tree arm.hrdf', 0, ''), ('--help', 0, ''), ('explain axis-zero', 0, ''),
    ('check /dev/null', 1, 'not a regular file')])
def test_odd_surroundings(
    here: Path, command: str, status: int, message: str, columns: str,
) -> None:
    done = hrdf(here, command, COLUMNS=columns)
    assert done.returncode == status
    assert message in done.stderr and 'internal error' not in done.stderr


def test_a_working_directory_that_is_gone(here: Path) -> None:
    done = hrdf(here, 'check ../a', 'mkdir gone && cd gone && rmdir ../gone && exec')
    assert (done.returncode, done.stderr) == (
        1, 'hrdf: error: the working directory does not exist any more\n')


@pytest.mark.pins('check-interrupted')
@pytest.mark.parametrize('death', ['os.kill(os.getpid(), 9)', 'os._exit(3)', 'raise MemoryError'])
def test_a_process_that_ends_loses_its_file_alone(here: Path, death: str) -> None:
    for name in 'abcdef':
        (here / f'{name}.hrdf').write_text('<robot version="1.6.0"/>')
    program = f"""
import os, sys
from hrdf_ros.cli import check, main
load = check.load_file
def dying(request):
    if request.source == './c.hrdf':
        {death}
    return load(request)
check.load_file = dying
check.os.sched_getaffinity = lambda _: {0, 1}
sys.exit(main(['check', '.', '--format', 'json']))"""
    done = python(here, program)
    document = json.loads(done.stdout)
    lost = [found for found in document['diagnostics'] if found['code'] == 'check-interrupted']
    assert done.returncode == 1
    assert len(document['files']) == 8
    assert [found['file'] for found in lost] == ['./c.hrdf']


def test_an_interrupt_waits_for_no_worker(here: Path) -> None:
    program = """
import os, signal, sys, time
from hrdf_ros.cli import check, main
def waiting(_):
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(60)
check.load_file = waiting
check.os.sched_getaffinity = lambda _: {0, 1}
sys.exit(main(['check', '.', '--jobs', '2']))"""
    done = python(here, program)
    assert done.returncode == 130 and 'Traceback' not in done.stderr


@pytest.mark.parametrize('arguments', [
    'check', 'tree', 'format --diff', 'info --json',
    *(f'check --format {one}' for one in ('json', 'sarif', 'junit', 'github'))])
def test_no_line_is_a_workflow_command(here: Path, arguments: str) -> None:
    (here / 'odd.urdf').write_text(
        '<robot name="r">\n   ::add-mask::a\n##[error]\n<link name="a"/><link\n'
        '  ::stop-commands::x="1" name="::x"/></robot>')
    (here / '::set-env::x.urdf').write_text(
        '<robot name="##[x]"><link name="a" x="##[group]"/><lnk/><lnk/><jnt/></robot>')
    for name in ('odd.urdf', '::set-env::x.urdf'):
        done = hrdf(here, f'{arguments} {name}', GITHUB_ACTIONS='true')
        lines = (done.stdout + done.stderr).splitlines()
        assert lines
        assert not [
            line for line in lines if '##[' in line or (
                line.lstrip().startswith('::') and not line.startswith(('::error', '::warning')))]
        if arguments == 'info --json' and name != 'odd.urdf':
            assert '##[' in str(json.loads(done.stdout))


def test_a_limit_on_file_sizes_leaves_the_old_file(here: Path) -> None:
    (here / 'arm.urdf').write_text('old')
    done = hrdf(
        here, 'convert arm.hrdf -o arm.urdf', 'ulimit -f 0; exec', PYTHONDONTWRITEBYTECODE='1')
    assert done.returncode == 1
    assert 'arm.urdf' in done.stderr and 'Traceback' not in done.stderr
    assert (here / 'arm.urdf').read_text() == 'old'
    assert sorted(file.name for file in here.iterdir()) == ['arm.hrdf', 'arm.urdf', 'bad.hrdf']


@pytest.fixture
def disk(here: Path) -> Iterator[Path]:
    """Return a small file system of its own, with a file in it."""
    disk = here / 'disk'
    disk.mkdir()
    mounted = subprocess.run(
        ['mount', '-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk], capture_output=True)
    if mounted.returncode:
        pytest.skip('only root can mount a small file system')
    (disk / 'arm.urdf').write_text('old')
    yield disk
    subprocess.run(['umount', disk], check=True)


def test_a_full_or_read_only_file_system_leaves_the_old_file(here: Path, disk: Path) -> None:
    with pytest.raises(OSError, match='space'):
        (disk / 'rest').write_bytes(bytes(1 << 20))
    for message in ('No space left', 'Read-only file system'):
        done = hrdf(here, 'convert arm.hrdf -o disk/arm.urdf')
        assert done.returncode == 1
        assert f'arm.urdf: {message}' in done.stderr and 'Traceback' not in done.stderr
        assert (disk / 'arm.urdf').read_text() == 'old'
        assert sorted(file.name for file in disk.iterdir()) == ['arm.urdf', 'rest']
        subprocess.run(['mount', '-o', 'remount,ro', disk], check=True)
