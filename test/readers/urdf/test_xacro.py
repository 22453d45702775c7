# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""xacro: expanded where the user names the file, in a process with limits, and nowhere else."""

from pathlib import Path
import sys
from typing import Any

from hrdf_ros.cli import main
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.load import load
from hrdf_ros.load_result import LoadResult
from hrdf_ros.readers.urdf import xacro
from hrdf_ros.writers.urdf import write_urdf
import pytest

NAMESPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
ROBOT = f"""<?xml version="1.0"?>
<robot name="x" {NAMESPACE}>
  <xacro:arg name="radius" default="0.25"/>
  <xacro:include filename="part.xacro"/>
  <xacro:part name="a"/>
</robot>
"""
PART = f"""<robot {NAMESPACE}>
  <!-- one part -->
  <xacro:macro name="part" params="name">
    <link name="${{name}}">
      <visual><geometry><sphere radius="$(arg radius)"/></geometry></visual>
    </link>
  </xacro:macro>
</robot>
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory with a xacro file and the part that it includes."""
    pytest.importorskip('xacro')
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'part.xacro').write_text(PART)
    (tmp_path / 'robot.urdf.xacro').write_text(ROBOT)
    return tmp_path


def radius(loaded: LoadResult) -> float:
    assert loaded.model is not None, loaded.report
    return loaded.model.bodies[0].visuals[0].geometry.radius


def found(loaded: LoadResult) -> list[tuple[str, str]]:
    """Return the code and the location of each diagnostic."""
    return [(one.code, str(one.resolve())) for one in loaded.report]


def expanded(here: Path, text: str, **options: Any) -> LoadResult:
    """Load a text as a xacro file."""
    (here / 'a.xacro').write_text(f'<robot name="x" {NAMESPACE}>\n{text}\n</robot>\n')
    return load('a.xacro', **options)


@pytest.mark.parametrize('text', [
    '<xacro:macro name="m"><link name="a"/></xacro:macro>',
    '<xacro:include filename="part.xacro"/>',
    '<xacro:property name="x" value="1"/><material name="m"><color rgba="1 0 0 1"/></material>'])
def test_a_file_of_macros_only_says_so(here: Path, text: str) -> None:
    [diagnostic] = expanded(here, text).report
    assert 'only defines macros' in diagnostic.message
    assert (diagnostic.code, str(diagnostic.resolve())) == ('missing-element', 'a.xacro:1:1')


def test_a_named_file_is_expanded(here: Path) -> None:
    for module in ('xacro.py', 'json.py'):  # are not imported
        (here / module).write_text('raise SystemExit(7)')
    loaded = load('robot.urdf.xacro')
    assert radius(loaded) == 0.25
    assert [Path(name).name for name in loaded.files] == ['robot.urdf.xacro', 'part.xacro']
    text = write_urdf(loaded.model)[0]
    assert 'xacro:part' not in text and 'location' not in text


def test_another_suffix_is_read_as_it_is_with_a_hint(here: Path) -> None:
    (here / 'robot.urdf').write_text(
        f'<robot name="x" {NAMESPACE}>\n  <link name="a"/>\n  <xacro:part name="b"/>\n</robot>')
    loaded = load('robot.urdf')
    assert ('xacro-markup', 'robot.urdf:3:3') in found(loaded)
    [hint] = [one.hint for one in loaded.report if one.code == 'xacro-markup']
    assert hint == 'if you trust the file, name it .xacro or use --xacro'
    (here / 'value.urdf').write_text('<robot name="x"><link\n name="${x}"/></robot>')
    assert found(load('value.urdf')) == [('xacro-markup', 'value.urdf:2:2')]


def test_markup_in_comments_and_a_bare_namespace_are_not_xacro() -> None:
    loaded = load(
        f'<robot name="x" {NAMESPACE}><!-- <xacro:part/> ${{x}} $(arg y) --><link name="a"/>'
        '</robot>')
    assert found(loaded) == []


@pytest.mark.pins('xacro-refused')
@pytest.mark.parametrize('wanted', [None, True])
def test_only_a_file_that_the_user_names_is_expanded(here: Path, wanted: bool | None) -> None:
    (here / 'a.sdf').write_text(
        '<sdf version="1.9"><world name="w"><include><uri>robot.urdf.xacro</uri></include>'
        '</world></sdf>')
    (here / 'model.config').write_text(
        '<model><name>m</name><sdf version="1.9">robot.urdf.xacro</sdf></model>')
    for loaded in (
            load('a.sdf', xacro=wanted), load(str(here)), load('robot.urdf.xacro', xacro=False),
            load('robot.urdf.xacro', xacro=wanted, roots=[str(here)])):
        assert 'xacro-refused' in [code for code, _ in found(loaded)]
    text = load('<robot name="x"><link name="${1}"/></robot>', xacro=wanted)
    assert [code for code, _ in found(text)] == ['xacro-markup']
    (here / 'robot.urdf').write_text(ROBOT)
    assert radius(load('robot.urdf', xacro=True, xacro_arguments={'radius': '1.5'})) == 1.5


@pytest.mark.pins('xacro-missing')
def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, 'path', [
        entry for entry in sys.path if not (Path(entry) / 'xacro').is_dir()])
    assert [code for code, _ in found(load('robot.urdf.xacro'))] == ['xacro-missing']


def test_diagnostics_are_where_the_xacro_file_has_the_element(here: Path) -> None:
    (here / 'part.xacro').write_text(PART.replace('<visual>', '<visual><orign/>'))
    assert found(load('robot.urdf.xacro')) == [('unknown-element', 'part.xacro:5:15')]


@pytest.mark.pins('xacro-failed')
@pytest.mark.parametrize(('text', 'location', 'message'), [
    ('<link name="a">\n  <visual name="${nosuch}"/></link>', 'a.xacro:3:3', 'nosuch'),
    ('\n<xacro:nosuch/>', 'a.xacro:3:1', 'unknown macro name: xacro:nosuch'),
    ('<link name="a"></lnk>', 'a.xacro:2:18', 'mismatched tag'),
    ('<xacro:include filename="nosuch.xacro"/>', 'a.xacro:1:1', 'No such file'),
    ('<link name="$(find nosuch)"/>', 'a.xacro:2:1', '--package nosuch=DIR'),
    ('<xacro:macro name="m" params="">\n<link name="${nosuch}"/></xacro:macro><xacro:m/>',
     'a.xacro:3:1', 'nosuch'),
])
def test_what_cannot_be_expanded_is_reported_where_it_is(
    here: Path, text: str, location: str, message: str,
) -> None:
    loaded = expanded(here, text)
    assert found(loaded) == [('xacro-failed', location)]
    assert message in loaded.report.diagnostics[0].message


INNER = """<xacro:macro name="inner" params="n">
<link name="${n}"><visual><geometry><sphere radius="RADIUS"/></geometry></visual></link>
</xacro:macro>
<xacro:macro name="outer" params="n"><xacro:inner n="${n}"/></xacro:macro>
<xacro:outer n="a"/>"""


@pytest.mark.parametrize(('radius', 'location'), [('${nosuch}', '3:37'), ('no', '3:37')])
def test_what_a_macro_makes_names_the_calls(here: Path, radius: str, location: str) -> None:
    [found] = expanded(here, INNER.replace('RADIUS', radius)).report
    at = found.resolve()
    assert str(at) == f'a.xacro:{location}'
    assert [place.lead() for place in at.included_from] == [
        "in the macro 'inner', called at a.xacro:5:38",
        "in the macro 'outer', called at a.xacro:6:1"]


def test_a_faulty_call_is_where_it_is(here: Path) -> None:
    [found] = expanded(here, INNER.replace('inner n=', 'inner m=')).report
    at = found.resolve()
    assert 'Invalid parameter "m"' in found.message and str(at) == 'a.xacro:5:38'
    assert [str(place) for place in at.included_from] == ['a.xacro:6:1']


def test_of_a_deep_recursion_the_innermost_calls_and_the_outermost_are_named(here: Path) -> None:
    [found] = expanded(here, """<xacro:macro name="m" params="n">
<xacro:if value="${n == 0}"><link name="${nosuch}"/></xacro:if>
<xacro:unless value="${n == 0}"><xacro:m n="${n - 1}"/></xacro:unless></xacro:macro>
<xacro:m n="40"/>""").report
    places = [str(place) for place in found.resolve().included_from]
    assert places == ['a.xacro:4:33'] * 8 + ['a.xacro:5:1']


@pytest.mark.pins('xacro-unknown-argument')
@pytest.mark.parametrize(('text', 'given', 'hints'), [
    ('<xacro:arg name="len" default="1"/><link name="a"/>', 'lenn', ["did you mean 'len'?"]),
    ('<xacro:arg name="len" default="1"/><link name="a"/>', 'color', ['there are len']),
    ('<link name="a"/>', 'len', ['there are none']),
    ('<xacro:if value="false"><xacro:arg name="len" default="1"/></xacro:if><link name="a"/>',
     'len', []),
    ('<link name="a$(arg len)"/>', 'len', []),
    ("<link name=\"a${xacro.arg('len')}\"/>", 'len', []),
    ('<link name="a$(eval len)"/>', 'len', [])])
def test_an_argument_has_to_be_in_the_file(
    here: Path, text: str, given: str, hints: list[str],
) -> None:
    loaded = expanded(here, text, xacro_arguments={given: '1'})
    assert [found.hint for found in loaded.report] == hints
    assert found(loaded) == [('xacro-unknown-argument', 'a.xacro:1:1')] * len(hints)


def test_a_misspelled_argument_is_named_beside_the_failure_that_it_causes(here: Path) -> None:
    loaded = expanded(
        here, '<link name="a$(arg prefix)"/>', xacro_arguments={'prefx': '1', 'other': '2'})
    assert found(loaded) == [
        ('xacro-unknown-argument', 'a.xacro:1:1'), ('xacro-failed', 'a.xacro:2:1')]
    assert loaded.report.diagnostics[0].hint == "did you mean 'prefix'?"


@pytest.mark.parametrize('part', ['<robot', '<link name="${nosuch}"/>', None])
def test_the_files_of_a_failed_expansion_are_known(here: Path, part: str | None) -> None:
    text = '<xacro:property name="p" value="${xacro.load_yaml(\'p.yaml\')}"/>' \
        '<link name="a${p[0]}"/><xacro:include filename="part.xacro"/>'
    (here / 'p.yaml').write_text('[1]')
    (here / 'part.xacro').unlink()
    if part is not None:
        (here / 'part.xacro').write_text(
            part if part == '<robot' else f'<robot {NAMESPACE}>{part}</robot>')
    loaded = expanded(here, text)
    assert [code for code, _ in found(loaded)] == ['xacro-failed']
    assert [Path(name).name for name in loaded.files] == ['a.xacro', 'p.yaml', 'part.xacro']


@pytest.mark.parametrize('encoding', ['utf-8', 'utf-16'])
def test_the_declarations_of_a_dtd_are_refused(here: Path, encoding: str) -> None:
    deep = (f'<?xml version="1.0" encoding="{encoding}"?>\n<!DOCTYPE robot [\n'
            f'<!ELEMENT a {"(" * 200_000}]><robot name="x" {NAMESPACE}/>').encode(encoding)
    for name in ('a.xacro', 'part.xacro'):
        (here / name).write_bytes(deep)
        loaded = load('a.xacro' if name == 'a.xacro' else 'robot.urdf.xacro')
        assert found(loaded) == [('xacro-failed', f'{name}:2:17')]
        assert 'internal subset' in loaded.report.diagnostics[0].message


def test_packages_are_found_as_everywhere(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '<link name="a"><visual><geometry><mesh filename="$(find arm)/a.stl"/></geometry>' \
        '</visual></link>'
    (here / 'share' / 'arm').mkdir(parents=True)
    for options, directory in (({'packages': {'arm': str(here)}}, here), ({}, here / 'share/arm')):
        monkeypatch.setenv('AMENT_PREFIX_PATH', str(here))
        loaded = expanded(here, text, **options)
        assert loaded.model.bodies[0].visuals[0].geometry.uri == f'{directory}/a.stl'


def test_each_file_finds_its_own_package(here: Path) -> None:
    for revision, length in (('old', 1), ('new', 2)):
        (here / revision / 'urdf').mkdir(parents=True)
        (here / revision / 'package.xml').write_text('<package><name>bot</name></package>')
        (here / revision / 'urdf' / 'bot.xacro').write_text(
            f'<robot name="bot" {NAMESPACE}>'
            '<xacro:include filename="$(find bot)/urdf/arm.xacro"/></robot>')
        (here / revision / 'urdf' / 'arm.xacro').write_text(
            f'<robot><link name="a{length}"/></robot>')
    for options in ({}, {'packages': {'bot': 'new'}}):
        for revision, name in (('old', 'a1'), ('new', 'a2')):
            loaded = load(f'{revision}/urdf/bot.xacro', **options)
            assert loaded.model is not None, loaded.report
            assert [body.name for body in loaded.model.bodies] == [name]
            assert loaded.files == (f'{revision}/urdf/bot.xacro', f'{revision}/urdf/arm.xacro')


def test_the_directory_of_a_package_may_be_relative(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    (here / 'urdf').mkdir()
    (here / 'package.xml').write_text('<package><name>bot</name></package>')
    (here / 'elsewhere').mkdir()
    file = here / 'elsewhere' / 'bot.xacro'
    file.write_text(
        f'<robot name="bot" {NAMESPACE}><xacro:include filename="$(find bot)/part.xacro"/>'
        '<xacro:arg name="radius" default="1"/><xacro:part name="a"/></robot>')
    (here / 'other').mkdir()
    monkeypatch.chdir(here / 'other')
    for directory in ('..', str(here)):
        assert main(['check', '--package', directory, str(file)]) == 0, capsys.readouterr().err
        assert load(file, packages={'bot': directory}).ok


@pytest.mark.parametrize(('text', 'message'), [
    ('<link name="$(find nosuch)"/>',
     "the package 'nosuch' is not found; name it with --package nosuch=DIR"),
    ('<link name="$(arg nosuch)"/>', 'Undefined substitution argument nosuch'),
    ('<link name="${nosuch + 1}"/>',
     "name 'nosuch' is not defined when evaluating expression 'nosuch + 1'"),
    ('<xacro:include filename="nosuch.xacro"/>', 'No such file or directory: nosuch.xacro'),
    ('<link name="${xacro.load_yaml(\'no.yaml\')}"/>',
     'No such file or directory: no.yaml when evaluating expression '
     "'xacro.load_yaml('no.yaml')'")])
def test_a_message_says_a_thing_once(here: Path, text: str, message: str) -> None:
    [diagnostic] = expanded(here, text).report
    assert diagnostic.message == f'xacro cannot expand this file: {message}'


@pytest.mark.parametrize(('text', 'hint'), [
    ('<link name="$(arg prefix)"/>', 'give the argument a value: prefix:=VALUE'),
    ('<link name="${xacro.load_yaml(\'DIR/config/arm5x/a.yaml\')}"/>', "did you mean 'arm5e'?"),
    ('<link name="${xacro.load_yaml(\'DIR/config/x.yaml\')}"/>', 'there are arm5e, hand')])
def test_a_hint_says_what_is_missing(here: Path, text: str, hint: str) -> None:
    for name in ('arm5e', 'hand'):
        (here / 'config' / name).mkdir(parents=True)
    [diagnostic] = expanded(here, text.replace('DIR', str(here))).report
    assert str(diagnostic.hint) == hint


@pytest.mark.parametrize(('value', 'message', 'limits'), [
    ("${len('a' * 12 * 10**8)}", 'when evaluating', {}), ('${[0] * 10**10}', '', {}),
    ('${9**9**8}', 'takes more than', {}), ("${'a' * 5000}", '', {'file_bytes': 4000})])
def test_memory_time_and_output_are_limited(
    here: Path, monkeypatch: pytest.MonkeyPatch, value: str, message: str, limits: Any,
) -> None:
    if 'more than' in message:
        monkeypatch.setattr(xacro, 'SECONDS', 1)
    [diagnostic] = expanded(
        here, f'<link name="{value}"/>', limits=ResourceLimits(**limits)).report
    assert diagnostic.code == 'xacro-failed' and message in diagnostic.message


def test_the_command_passes_arguments_on(
    here: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    def sphere(*arguments: str) -> str:
        status = main(['convert', 'robot.urdf.xacro', *arguments])
        out, err = capsys.readouterr()
        return out.partition('radius="')[2].partition('"')[0] if status == 0 else err
    assert sphere() == '0.25'
    assert sphere('radius:=2') == '2'
    assert 'error[xacro-refused]' in sphere('--no-xacro')
    assert main(['check', 'plain.urdf', 'radius:=2']) == 2
    assert capsys.readouterr().err == (
        'hrdf: error: radius:= is for xacro files, and plain.urdf is not one\n')
    assert main(['info', 'robot.urdf.xacro', 'radios:=2']) == 1
    assert capsys.readouterr().err == (
        "robot.urdf.xacro:1:1: error[xacro-unknown-argument]: the xacro file has no argument "
        "'radios'\n  hint: did you mean 'radius'?\n")
