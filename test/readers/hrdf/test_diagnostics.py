# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong with an HRDF text, and where: ``¦`` marks the character after it."""

from __future__ import annotations

from collections.abc import Iterator

from hrdf_ros.load import load
import pytest

MARK = '¦'


def robot(elements: str, version: str = '1.6.0') -> str:
    return f'<robot version="{version}">\n  {elements}\n</robot>'


def mass(formula: str, version: str = '1.6.0') -> str:
    return robot(f'<rigid-body mass="{formula}"/>', version)


def turned(rotation: str, version: str = '1.6.0') -> str:
    return robot(f'<rigid-body mass="1" output_rot="{rotation}"/>', version)


def moved(translation: str, version: str = '1.6.0') -> str:
    return robot(f'<rigid-body mass="1" output_trans="{translation}"/>', version)


VALUES = [
    *(mass(formula) for formula in (
        '1¦e', '2¦,000', '1¦_000', '2¦^3', '(¦)', '1¦)', '¦', '0¦x10', '1¦/0', '¦1e400', '¦nan',
        '¦PI', '2 ¦pi', '1¦\N{NO-BREAK SPACE}', '1 ¦&amp; 2', '1e200 ¦* 1e200')),
    *(mass(text, '1.0.0') for text in ('¦abc', '¦', '1¦,5', '¦inf', '1¦)', '0¦x10')),
    *(turned(rotation) for rotation in (
        '1¦,0,0,0,1,0,0,0,1', '1 0 0 0 1 0 0 0¦', '1 0 0 0 1 0 0 0 1 ¦0', '¦',
        '¦1 0 0 0 1 0 0 0 2', '¦nan 0 0 0 1 0 0 0 1', '1¦/1 0 0 0 1 0 0 0 1', '¦rx(1)', 'Rx(¦)',
        'Rx(1)¦Ry(2)', 'Rx(1)*¦', 'Rx(1¦/0)', 'Rx(1¦')),
    turned('¦Rw(0)', '1.0.0'),
    *(moved(translation) for translation in (
        '1¦,2,3', '1 2¦', '1 2 3 ¦4', '¦', '¦pi 0 0', '1¦/2 0 0', '0¦x10 0 0', '0 ¦inf 0')),
]
NEWER = [
    mass('1¦+1', '1.0.0'), mass('¦(2)', '1.0.0'), mass('¦pi', '1.0.0'), mass('1 ¦* 2', '1.0.0'),
    turned('¦Rx(1)', '1.0.0'), turned('1 0 0¦&#10;0 1 0 0 0 1', '1.0.0'),
    moved('1¦&#10;2 3', '1.0.0'), moved('1¦&#9;2 3', '1.0.0'),
    robot('<rigid-body mass="1" ¦ixx="1"/>', '1.0.0'),
    robot('<actuator type="X5-1" ¦mass_offset="1"/>', '1.0.0'),
    robot('<actuator type="X5-1" ¦com_rot="1 0 0 0 1 0 0 0 1"/>', '1.0.0'),
    robot('<actuator ¦type="R8-3"/>', '1.1.0'),
    robot('<link ¦type="R8" extension="1" twist="1"/>', '1.1.0'),
    robot('<link type="X5" extension="1" twist="1" ¦input="Inline"/>', '1.1.0'),
    robot('<bracket ¦type="R8LightLeft"/>', '1.1.0'),
    robot('¦<end-effector/>', '1.1.0'),
    '<robot version="1.1.0" ¦description="x"/>',
    robot('<rigid-body mass="1">¦<output/></rigid-body>', '1.2.0'),
    robot('<bracket type="X5LightLeft">¦<output/></bracket>', '1.2.0'),
    robot('<rigid-body mass="1" ¦mesh_path=""/>', '1.2.0'),
    robot('<actuator ¦type="T5-1"/>', '1.3.0'), robot('<actuator ¦type="t8-16"/>', '1.3.0'),
    robot('<joint axis="rx" ¦tag="a"/>', '1.3.0'),
    robot('<joint axis="rx" ¦gear_ratio="2"/>', '1.4.0'),
    robot('<actuator ¦type="R25-8"/>', '1.5.0'), robot('<actuator ¦type="T25-8"/>', '1.5.0'),
    robot('<link ¦type="R25-R8" extension="1" twist="1"/>', '1.5.0'),
    robot('<bracket ¦type="R25LightLeft"/>', '1.5.0'),
]
STRUCTURE = [
    ('unknown-version', '<robot version="¦1.6"/>'),
    ('unknown-version', '<robot version="¦ 1.6.0"/>'),
    ('unknown-version', '<robot version="¦1.6.1"/>'),
    ('unknown-element', robot('¦<Actuator type="X5-1"/>')),
    ('unknown-element', robot('¦<output/>')),
    ('unknown-element', robot('<actuator type="X5-1">¦<output/></actuator>')),
    ('unknown-element', robot('<rigid-body mass="1">¦<joint axis="rx"/></rigid-body>')),
    ('unknown-attribute', robot('<joint ¦Axis="rx" axis="rx"/>')),
    ('unknown-attribute', robot('<joint axis="rx" ¦xmlns:x="urn:x"/>')),
    ('unknown-attribute', robot('<rigid-body mass="1" ¦mass_offset="1"/>')),
    ('unknown-attribute', robot('<rigid-body mass="1"><output ¦tag="a"/></rigid-body>')),
    ('unknown-attribute', robot('<bracket type="X5LightLeft"><output ¦rot="Rx(1)"/></bracket>')),
    ('unknown-attribute', '<robot version="1.6.0" ¦tag="a"/>'),
    ('missing-attribute', robot('¦<link type="X5" extension="1"/>')),
    ('missing-attribute', robot('¦<actuator/>')),
    ('missing-attribute', robot('¦<include/>')),
    ('bad-value', robot('<actuator type="¦ X5-1"/>')),
    ('bad-value', robot('<actuator type="¦H25-45"/>')),
    ('bad-value', robot('<joint axis="¦+rx"/>')),
    ('bad-value', robot('<link type="X5" extension="1" twist="1" input="¦None"/>')),
    ('bad-value', robot('<link type="R25-R8" extension="1" twist="1" output="¦Inline"/>')),
    ('exclusive-attributes', robot('<actuator type="X5-1" mass="1" ¦mass_offset="1"/>')),
    ('exclusive-attributes', robot(
        '<end-effector ¦com_trans_offset="0 0 1" com_trans="0 0 1"/>')),
    ('attribute-requires-other', robot('<rigid-body mass="1" ¦mesh_rot="Rx(1)"/>')),
    ('hrdf-path-not-relative', robot('<rigid-body mass="1" mesh_path="¦/a.stl"/>')),
    ('hrdf-path-not-relative', robot('<include path="¦/a.hrdf"/>')),
    ('hrdf-path-not-relative', robot('<include path="¦"/>')),
    ('hrdf-path-not-relative', robot('<include path="¦http://a/b.hrdf"/>')),
    ('hrdf-path-not-relative', robot('<include path="¦C:\\a.hrdf"/>')),
    ('file-not-found', robot('<include path="¦nope/nope.hrdf"/>')),
    ('file-not-regular', robot('<include path="¦."/>')),
    ('stray-text', robot('¦# comment')),
    ('stray-text', robot('<![CDATA[¦x]]>')),
    ('stray-text', robot('<joint axis="rx"/>\n  ¦x\n <joint axis="rx"/>')),
    ('stray-text', robot('<rigid-body mass="1"><output> ¦x </output></rigid-body>')),
    ('duplicate-tag', robot('<joint axis="rx" tag="a"/><joint axis="rx" tag="¦a"/>')),
    ('duplicate-tag', robot('<joint axis="rx" tag=""/><joint axis="rx" tag="¦"/>')),
    ('duplicate-tag',
     robot('<rigid-body mass="1" tag="a"><output><joint axis="rx" tag="¦a"/></output>'
           '</rigid-body>')),
    ('scale-zero', robot('<joint axis="rx" gear_ratio="¦0"/>')),
    ('hrdf-interface-mismatch',
     robot('<bracket type="R8LightLeft"><output>¦<actuator type="X5-1"/></output></bracket>')),
    ('hrdf-interface-mismatch',
     robot('<link type="R25-R8" extension="1" twist="0"/>¦<actuator type="R25-8"/>')),
    ('chain-already-ended', robot('<end-effector/>¦<joint axis="rx"/>')),
    ('chain-already-ended', robot(
        '<rigid-body mass="1"><output/></rigid-body>¦<joint axis="rx"/>')),
    ('hrdf-too-many-outputs', robot('<bracket type="X5LightLeft"><output/>¦<output/></bracket>')),
    ('xml-syntax', robot('<joint axis="rx" ¦axis="rx"/>')),
]
CASES = [
    *(('bad-value', text) for text in VALUES),
    *(('newer-than-version', text) for text in NEWER),
    *STRUCTURE,
]


def point(text: str) -> tuple[int, int]:
    """Return line and column of the character after the mark."""
    before = text[:text.index(MARK)]
    return before.count('\n') + 1, len(before) - before.rfind('\n')


def found(text: str) -> Iterator[tuple[str, str, tuple[int, int]]]:
    for diagnostic in load(text.replace(MARK, '')).report:
        at = diagnostic.resolve()
        yield diagnostic.severity, diagnostic.code, (at.line, at.column)


@pytest.mark.parametrize(('code', 'text'), CASES, ids=[
    f'{code}: {text[text.index(MARK) - 12:][:32]!r}' for code, text in CASES])
def test_fault_is_named_where_it_is(code: str, text: str) -> None:
    errors = [(name, location) for severity, name, location in found(text) if severity == 'error']
    assert (code, point(text)) in errors
    assert len(errors) == 1


@pytest.mark.parametrize(('severity', 'code', 'text'), [
    ('info', 'missing-version', '¦<robot/>'),
    ('warning', 'wrong-case', robot('<actuator type="¦x5-1"/>', '1.0.0')),
    ('warning', 'wrong-case', robot('<joint axis="¦RX"/>')),
    ('warning', 'wrong-case', robot('<end-effector type="¦custom"/>')),
    ('warning', 'wrong-case', robot(
        '<link type="X5" extension="1" twist="0" input="¦INLINE"/>')),
    ('warning', 'hrdf-version-undocumented', '<robot version="¦1.7.0"/>'),
    ('warning', 'hrdf-draft-spelling', robot('<bracket type="¦RT25HeavyLeftInside"/>')),
    ('warning', 'hrdf-draft-spelling', robot('<link type="¦rt25-R8" extension="1" twist="0"/>')),
    ('warning', 'hrdf-mesh-path', robot('<rigid-body mass="1" mesh_path="¦ftp://a/b.stl"/>')),
    ('warning', 'hrdf-mesh-path', robot('<rigid-body mass="1" mesh_path="¦C:\\a.stl"/>')),
    ('info', 'hrdf-rejected-by-hebi-py', mass('¦+1')),
    ('info', 'hrdf-rejected-by-hebi-py', mass('2¦*-3')),
    ('info', 'hrdf-rejected-by-hebi-py', mass('2¦*+3')),
    ('info', 'hrdf-rejected-by-hebi-py', mass('2 ¦/ -4')),
    ('info', 'hrdf-rejected-by-hebi-py', turned('¦Rx (1)')),
    ('info', 'hrdf-rejected-by-hebi-py', turned('Rx¦(+1)')),
    ('info', 'hrdf-rejected-by-hebi-py', robot(
        '<rigid-body mass="1" ¦output_trans="0 0 1"><output/></rigid-body>')),
    ('info', 'hrdf-inertia-approximated', robot('¦<actuator type="R25-8"/>')),
])
def test_oddity_is_accepted_and_reported(severity: str, code: str, text: str) -> None:
    diagnostics = list(found(text))
    assert (severity, code, point(text)) in diagnostics
    assert 'error' not in [entry[0] for entry in diagnostics]


@pytest.mark.parametrize('text', [
    mass('+.5', '1.0.0'), mass(' 1 ', '1.0.0'), mass('1e+3'), mass('2+-3 + 5'), mass('00012'),
    mass(' 1\t+\n2 '), turned('1 0 0\n0 1 0\n0 0 1'), turned('+1 0 0 0 1 0 0 0 1'),
    turned('1   0 0 0 1 0 0 0 1', '1.0.0'), moved(' 1\n2\t3 '), turned(' Rx((1))*Ry(2) * Rz(3) '),
    robot('<!-- a --><?pi x?>'), '<!DOCTYPE robot>' + robot(''),
    robot('<rigid-body mass="1" mesh_path="" mesh_rot="Rx(1)"/>'),
    robot('<joint axis="-rx"/><joint axis="-tz" gear_ratio="-2"/>'),
    robot('<actuator type="X5-1"/><rigid-body mass="1"/><actuator type="R8-3"/>'),
    robot('<actuator type="X5-4"/><link type="X5" extension="1" twist="0"/>'
          '<actuator type="X5-9"/>'),
    robot('<actuator type="X5-4"/><bracket type="X5HeavyLeftInside"/><actuator type="X8-9"/>'),
    robot('<link type="R8" extension="1" twist="0"/><actuator type="T5-1"/>'
          '<bracket type="R8LightLeft"/>'),
    robot('<link type="R25-R8" extension="1" twist="0"/><actuator type="R8-3"/>'),
    robot('<rigid-body mass="1"><output><end-effector/></output><output><end-effector/></output>'
          '</rigid-body>'),
    robot('<bracket type="X5LightLeft"><output/></bracket>'),
])
def test_valid_values_have_no_diagnostics(text: str) -> None:
    assert not [entry for entry in found(text) if entry[1] not in ('limits-missing',)]


def test_all_diagnostics_of_a_run_are_in_file_order() -> None:
    text = robot('<actuator type="X5-2" foo="1"/><joint axis="w" gear_ratio="1+"/>'
                 '<rigid-body mass="pi2" output_trans="1 2"/>text<banana/>')
    assert [code for _, code, _ in found(text)] == [
        'bad-value', 'unknown-attribute', 'bad-value', 'bad-value',
        'bad-value', 'bad-value', 'stray-text', 'unknown-element']


@pytest.mark.parametrize('element', [
    '<bracket type="X6"/>', '<Bracket type="X5LightLeft"/>', '<include path="nosuch.hrdf"/>',
    '<include/>', '<include path="/bracket.hrdf"/>'])
def test_what_follows_an_unreadable_element_is_not_blamed(element: str) -> None:
    text = robot(f'<actuator type="X5-1"/>{element}<actuator type="X5-1"/>')
    assert len(list(found(text))) == 1


def test_long_formula_is_refused_and_deep_one_is_not() -> None:
    assert [code for _, code, _ in found(mass('1+' * 5001 + '1'))] == ['bad-value']
    assert load(mass('(' * 4000 + '1' + ')' * 4000)).report.ok


@pytest.mark.parametrize(('before', 'after', 'message', 'hint'), [
    ('<actuator type="X5-4"/>', '<actuator type="T8-3"/>', 'a T8-3 cannot be mounted on an X5-4',
     'an X5-4 carries an X5 bracket or link'),
    ('<link type="R8" extension="1" twist="0"/>', '<bracket type="R8LightLeft"/>',
     'an R8LightLeft bracket cannot be mounted on an R8 link',
     'an R8 link carries an R8 or T5 or T8 actuator'),
    ('<link type="X5" extension="1" twist="0"/>', '<end-effector type="R8Parallel"/>',
     'an R8Parallel end effector cannot be mounted on an X5 link',
     'an X5 link carries an X5 or X8 actuator')])
def test_parts_that_do_not_fit(before: str, after: str, message: str, hint: str) -> None:
    report = load(robot(before + after)).report
    assert [(one.message, one.hint) for one in report if one.severity == 'error'] == [
        (message, hint)]


@pytest.mark.parametrize(('text', 'message', 'hint'), [
    (robot('<actuator type="X5-4" name="base"/>'), "unknown attribute 'name' in <actuator>",
     "did you mean 'tag'?"),
    (robot('<gripper type="X5Parallel"/>'), 'unknown element <gripper> in <robot>',
     "did you mean 'end-effector'?"),
    (robot('<link type="X5" length="1" twist="0"/>'), "unknown attribute 'length' in <link>, "
     "which is missing the required attribute 'extension'", "did you mean 'extension'?"),
    (robot('<end-effector type="Robotiq"/>'), "unknown <end-effector> type 'Robotiq'",
     'one of Custom, X5Parallel, R8Parallel; one of your own is Custom, with mass and '
     'output_trans'),
    (robot('<joint axis="z"/>'), "unknown <joint> axis 'z'",
     'one of rx, ry, rz, tx, ty, tz, -rx, -ry, -rz, -tx, -ty, -tz; r turns about an axis, t '
     'shifts along it'),
    (turned('rx(pi/2)'), "<rigid-body> attribute 'output_rot': a rotation is 9 numbers or a "
     'product of Rx(), Ry(), Rz()', "did you mean 'Rx'?"),
    (turned('Rx pi'), "<rigid-body> attribute 'output_rot': expected '('",
     'such as Rx(pi/2)*Rz(pi)'),
    (turned('0 0 pi'), "<rigid-body> attribute 'output_rot': a rotation matrix is 9 numbers, here "
     'are 3', 'roll, pitch and yaw are Rz(pi)*Ry(0)*Rx(0)'),
    (turned('Rx(90deg)'), "<rigid-body> attribute 'output_rot': 'deg' has no meaning in a "
     'formula, only pi has',
     '90 deg is written 90*pi/180: numbers are in meters, radians and kilograms')])
def test_guesses_of_newcomers(text: str, message: str, hint: str) -> None:
    assert [(one.message, one.hint) for one in load(text).report] == [(message, hint)]


@pytest.mark.parametrize('element', [
    '<bracket type="Plate"/>', '<link type="Tube" extension="1" twist="0"/>',
    '<actuator type="Dynamixel"/>', '<frobnicator mass="2" output_trans="1 0 0"/>',
    '<rigid-body mass="1"><output><camera/></output></rigid-body>'])
def test_a_part_of_ones_own_is_a_rigid_body(element: str) -> None:
    hint, = (one.hint for one in load(robot(element)).report)
    assert '<rigid-body>' in str(hint)
