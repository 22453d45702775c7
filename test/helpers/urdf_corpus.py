# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Good and bad URDF files of version 1.0, by name, with what ``check_urdf`` says to each.

The answers are the exit statuses of urdfdom 3.0.1 (Debian 12).
"""

LINKS = '<link name="a"/><link name="b"/>'
ENDS = '<parent link="a"/><child link="b"/>'
LIMIT = '<limit effort="1" velocity="1"/>'
TENSOR = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
BOX = '<geometry><box size="1 1 1"/></geometry>'


def robot(inside: str, attributes: str = 'name="r"') -> str:
    return f'<robot {attributes}>{inside}</robot>'


def link(inside: str) -> str:
    return robot(f'<link name="a">{inside}</link>')


def visual(inside: str) -> str:
    return link(f'<visual>{inside}</visual>')


def shape(inside: str) -> str:
    return visual(f'<geometry>{inside}</geometry>')


def joint(inside: str, kind: str = 'revolute', attributes: str = 'name="j"') -> str:
    return robot(f'{LINKS}<joint {attributes} type="{kind}">{inside}</joint>')


def revolute(inside: str) -> str:
    return joint(ENDS + LIMIT + inside)


def fixed(inside: str) -> str:
    return joint(ENDS + inside, 'fixed')


def inertial(inside: str) -> str:
    return link(f'<inertial>{inside}</inertial>')


def paint(inside: str) -> str:
    return robot(f'<material name="x">{inside}</material><link name="a"/>')


def painted(inside: str, before: str = '') -> str:
    return robot(f'{before}<link name="a"><visual>{BOX}{inside}</visual></link>')


def fixed_joints(*ends: str) -> str:
    """Return a robot of the links a, b, c with joints between the two letters of each text."""
    return robot(LINKS + '<link name="c"/>' + ''.join(
        f'<joint name="{index}" type="fixed"><parent link="{parent}"/><child link="{child}"/>'
        '</joint>' for index, (parent, child) in enumerate(ends)))


RED = '<color rgba="1 0 0 1"/>'
WHITE = '<color rgba="1 1 1 1"/>'

ACCEPTED = {
    'robot with an empty name': robot('<link name="a"/>', 'name=""'),
    'declaration and comment': '<?xml version="1.0"?><!-- c -->' + robot('<link name="a"/>'),
    'doctype': '<!DOCTYPE robot>' + robot('<link name="a"/>'),
    'version 1.0': robot('<link name="a"/>', 'name="r" version="1.0"'),
    'version 1.00': robot('<link name="a"/>', 'name="r" version="1.00"'),
    'version 01.0': robot('<link name="a"/>', 'name="r" version="01.0"'),
    'text between elements': robot('hello<link name="a"/>'),
    'undeclared prefix': robot('<link name="a"/><gazebo><x:y/></gazebo>'),
    'undeclared prefix of an attribute': robot('<link name="a" x:y="1"/>'),
    'unknown element': robot('<link name="a"/><foo/>'),
    'link in a gazebo block': robot('<link name="a"/><gazebo><link name="a"/></gazebo>'),
    'link without name': robot('<link/>'),
    'link with an empty name': robot('<link name=""/>'),
    'link with spaces and slashes': robot('<link name="a b/c"/>'),
    'link with a line break in its name': robot('<link name="a\nb"/>'),
    'inertial': inertial('<mass value="1"/>' + TENSOR),
    'inertial empty': inertial(''),
    'inertial without mass': inertial(TENSOR),
    'inertial without inertia': inertial('<mass value="1"/>'),
    'inertia without all terms': inertial('<mass value="1"/><inertia ixx="1" iyy="1" izz="1"/>'),
    'mass without value': inertial('<mass/>' + TENSOR),
    'mass not a number': inertial('<mass value="x"/>' + TENSOR),
    'mass negative': inertial('<mass value="-1"/>' + TENSOR),
    'inertial with a bad origin': inertial('<origin xyz="1 2"/><mass value="1"/>' + TENSOR),
    'two inertials': link(f'<inertial><mass value="1"/>{TENSOR}</inertial><inertial/>'),
    'visual': visual(BOX),
    'visual empty': visual(''),
    'visual without shape': shape(''),
    'visual with an unknown shape': shape('<cone/>'),
    'visual with two shapes': shape('<box size="1 1 1"/><cone/>'),
    'visual with two geometries': visual(BOX + '<geometry/>'),
    'visual with a bad origin': visual('<origin rpy="a b c"/>' + BOX),
    'collision': link(f'<collision name="c">{BOX}</collision>'),
    'collision empty': link('<collision/>'),
    'box without size': shape('<box/>'),
    'box with two numbers': shape('<box size="1 1"/>'),
    'box with negative sides': shape('<box size="-1 1 0"/>'),
    'sphere': shape('<sphere radius="1"/>'),
    'sphere without radius': shape('<sphere/>'),
    'sphere with a bad radius': shape('<sphere radius="x"/>'),
    'sphere with a negative radius': shape('<sphere radius="-1"/>'),
    'cylinder': shape('<cylinder radius="1" length="2"/>'),
    'cylinder without length': shape('<cylinder radius="1"/>'),
    'mesh': shape('<mesh filename="x" scale="1 1 1"/>'),
    'mesh without file': shape('<mesh/>'),
    'mesh with an empty file': shape('<mesh filename=""/>'),
    'mesh with one scale': shape('<mesh filename="x" scale="1"/>'),
    'mesh with scale zero': shape('<mesh filename="x" scale="0 0 0"/>'),
    'material of a visual': painted(f'<material name="x">{RED}</material>'),
    'material without name': painted(f'<material>{RED}</material>'),
    'material with an empty name': painted(f'<material name="">{RED}</material>'),
    'material empty': painted('<material name=""/>'),
    'material undefined': painted('<material name="x"/>'),
    'material with three numbers': painted(
        '<material name="x"><color rgba="1 1 1"/></material>'),
    'material without rgba': painted('<material name="x"><color/></material>'),
    'material defined behind': painted('<material name="x"/>').replace(
        '</robot>', f'<material name="x">{RED}</material></robot>'),
    'material defined twice': painted(
        f'<material name="x">{RED}</material>', f'<material name="x">{WHITE}</material>'),
    'material of the robot': paint(RED),
    'material of the robot, empty': paint(''),
    'material of the robot, nameless': robot('<material/><link name="a"/>'),
    'texture': paint('<texture filename="f"/>'),
    'texture without file': paint('<texture/>'),
    'color with three numbers': paint('<color rgba="1 1 1"/>'),
    'color with three numbers and texture': paint(
        '<color rgba="1 1 1"/><texture filename="f"/>'),
    'color out of range': paint('<color rgba="2 -1 1 1"/>'),
    'color with a tab': paint('<color rgba="1\t1 1 1"/>'),
    'joint with an empty name': joint(ENDS + LIMIT, attributes='name=""'),
    'joint with an unknown attribute': joint(ENDS + LIMIT, attributes='name="j" foo="1"'),
    'joint with a misspelled origin': fixed('<orign xyz="x"/>'),
    'joint from a link to itself': joint('<parent link="a"/><child link="a"/>', 'fixed'),
    'joint with two parents': joint(
        f'<parent link="a"/><parent link="z"/><child link="b"/>{LIMIT}'),
    'link with two parents': fixed_joints('ab', 'ac', 'bc'),
    'two joints between two links': fixed_joints('ab', 'ab', 'bc'),
    'ring beside the root': fixed_joints('ab', 'ba'),
    'continuous without limits': joint(ENDS, 'continuous'),
    'continuous with limits': joint(
        ENDS + '<limit lower="-1" upper="1" effort="1" velocity="1"/>', 'continuous'),
    'planar': joint(ENDS, 'planar'),
    'floating': joint(ENDS, 'floating'),
    'limits reversed': joint(ENDS + '<limit effort="1" velocity="1" lower="2" upper="1"/>'),
    'limits negative': joint(ENDS + '<limit effort="-1" velocity="-1"/>'),
    'limits zero': joint(ENDS + '<limit effort="0" velocity="0"/>'),
    'limits twice': revolute('<limit/>'),
    'axis': revolute('<axis xyz="0 0 1"/>'),
    'axis without xyz': revolute('<axis/>'),
    'axis zero': revolute('<axis xyz="0 0 0"/>'),
    'axis not unit': revolute('<axis xyz="0 2 0"/>'),
    'axis twice': revolute('<axis xyz="1 0 0"/><axis/>'),
    'axis of a fixed joint bad': fixed('<axis xyz="1 2"/>'),
    'axis of a floating joint bad': joint(ENDS + '<axis xyz="1 2"/>', 'floating'),
    'safety controller': revolute('<safety_controller k_velocity="1"/>'),
    'calibration empty': revolute('<calibration/>'),
    'calibration with a bad reference': revolute('<calibration reference_position="x"/>'),
    'mimic of nobody': revolute('<mimic joint="zz"/>'),
    'mimic of itself': revolute('<mimic joint="j"/>'),
    'dynamics with damping': revolute('<dynamics damping="1"/>'),
    'dynamics negative': revolute('<dynamics damping="-1"/>'),
    **{f'number {text!r}': revolute(f'<dynamics damping="{text}"/>') for text in (
        '1', '1.5', ' 1', '+1', '.5', '5.', '1e3', '1E+5', '1e-400', '-0', '\t1')},
    **{f'vector {text!r}': fixed(f'<origin xyz="{text}"/>') for text in (
        '1 2 3', '1  2 3', ' 1 2 3 ', '\n1 2 3', '1 \n2 3', '1&#32;2 3')},
}

REFUSED = {
    'robot without name': '<robot><link name="a"/></robot>',
    'robot without link': robot(''),
    'another root': '<rob name="r"><link name="a"/></rob>',
    'entity': '<!DOCTYPE robot [<!ENTITY x "y">]>' + robot('<link name="&x;"/>'),
    'not closed': '<robot name="r"><link name="a"/>',
    'closed by another tag': '<robot name="r"><link name="a"></visual></robot>',
    'attribute twice': robot('<link name="a" name="b"/>'),
    **{f'version {text!r}': robot('<link name="a"/>', f'name="r" version="{text}"')
       for text in ('1', '', '1.0 ', '1.0.0', '2.0', '-1.0', 'one')},
    'link twice': robot('<link name="a"/><link name="a"/>'),
    'material twice': robot(
        f'<material name="x">{RED}</material><material name="x">{RED}</material>'
        '<link name="a"/>'),
    'joint without name': joint(ENDS + LIMIT, attributes=''),
    'joint without type': robot(f'{LINKS}<joint name="j">{ENDS}</joint>'),
    'joint of an unknown type': joint(ENDS, 'hinge'),
    'joint type in capitals': joint(ENDS, 'Fixed'),
    'joint type behind a space': joint(ENDS, ' fixed'),
    'joint twice': robot(
        f'{LINKS}<link name="c"/><joint name="j" type="fixed">{ENDS}</joint>'
        '<joint name="j" type="fixed"><parent link="a"/><child link="c"/></joint>'),
    'joint without parent': joint('<child link="b"/>', 'fixed'),
    'joint without child': joint('<parent link="a"/>', 'fixed'),
    'parent without link': joint('<parent/><child link="b"/>', 'fixed'),
    'parent unknown': joint('<parent link="z"/><child link="b"/>', 'fixed'),
    'child unknown': joint('<parent link="a"/><child link="z"/>', 'fixed'),
    'ring': fixed_joints('ab', 'bc', 'ca'),
    'two roots': robot(LINKS),
    'revolute without limit': joint(ENDS),
    'prismatic without limit': joint(ENDS, 'prismatic'),
    'limit without effort': joint(ENDS + '<limit velocity="1"/>'),
    'limit without velocity': joint(ENDS + '<limit effort="1"/>'),
    'limit not a number': joint(ENDS + '<limit effort="1" velocity="1" lower="x"/>'),
    **{f'limit of a {kind} joint bad': joint(ENDS + '<limit effort="1"/>', kind)
       for kind in ('continuous', 'fixed', 'floating', 'planar')},
    'axis with two numbers': revolute('<axis xyz="1 2"/>'),
    'axis of a planar joint bad': joint(ENDS + '<axis xyz="1 2"/>', 'planar'),
    'safety controller without k_velocity': revolute('<safety_controller/>'),
    'safety controller bad': revolute(
        '<safety_controller k_velocity="1" soft_lower_limit="x"/>'),
    'calibration bad': revolute('<calibration rising="x"/>'),
    'mimic without joint': revolute('<mimic/>'),
    'mimic bad': revolute('<mimic joint="j" multiplier="x"/>'),
    'mimic of a fixed joint bad': fixed('<mimic/>'),
    'dynamics empty': revolute('<dynamics/>'),
    'dynamics bad': revolute('<dynamics damping="x"/>'),
    **{f'number {text!r}': revolute(f'<dynamics damping="{text}"/>') for text in (
        '1 ', '1\n', '1e400', '0x10', 'inf', 'nan', '1,5', '', 'abc', '1d0', '1e', '1_0', '--1',
        '1f', '\u0661')},
    **{f'vector {text!r}': fixed(f'<origin xyz="{text}"/>') for text in (
        '1\t2\t3', '1\n2\n3', '1 2', '1 2 3 4', '', '   ', '1, 2, 3', '1 2 3\n', '1 2 3\t',
        '1 \t 2 3')},
}
