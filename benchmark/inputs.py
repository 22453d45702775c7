# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Robots of any size, the same ones in every run."""

from __future__ import annotations

_MASS = (
    '<inertial><mass>1.5</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>'
    '</inertial>')
_SKEL_PHYSICS = (
    '<physics><time_step>0.001</time_step><gravity>0 0 -9.81</gravity>'
    '<collision_detector>dart</collision_detector></physics>')


def sdf_chain(links: int, relative: bool = False) -> str:
    """Return SDFormat of one chain; with ``relative`` each pose is given in the link before."""
    return f'<sdf version="1.9">\n{_sdf_model("chain", links, relative)}</sdf>\n'


def sdf_world(models: int, links: int) -> str:
    """Return SDFormat of a world of equal chains."""
    body = ''.join(_sdf_model(f'robot_{index}', links, False) for index in range(models))
    return f'<sdf version="1.9">\n<world name="hall">\n{body}</world>\n</sdf>\n'


def _sdf_model(name: str, links: int, relative: bool) -> str:
    parts = [f'<model name="{name}">\n']
    for index in range(links):
        parts.append(_sdf_link(index, relative))
        if index:
            parts.append(_sdf_joint(index))
    return ''.join([*parts, '</model>\n'])


def _sdf_link(index: int, relative: bool) -> str:
    behind = relative and index > 0
    pose = (f'<pose relative_to="link_{index - 1}">0 0 0.1 0 0 0.2</pose>' if behind
            else f'<pose>0 0 {0.1 * index!r} 0 0 {0.2 * (index % 40)!r}</pose>')
    return (f'  <link name="link_{index}">\n    {pose}\n    {_MASS}\n'
            '    <visual name="shape"><geometry><box><size>0.1 0.1 0.1</size></box></geometry>'
            '</visual>\n  </link>\n')


def _sdf_joint(index: int) -> str:
    return (f'  <joint name="joint_{index}" type="revolute">\n'
            f'    <parent>link_{index - 1}</parent>\n    <child>link_{index}</child>\n'
            '    <axis><xyz>0 1 0</xyz><limit><lower>-1.5</lower><upper>1.5</upper></limit>'
            '</axis>\n  </joint>\n')


def skel_chain(bodies: int) -> str:
    """Return SKEL of one chain."""
    parts = [f'<skel version="1.0">\n<world name="world 1">{_SKEL_PHYSICS}\n'
             '<skeleton name="chain">\n']
    for index in range(bodies):
        parent = f'link_{index - 1}' if index else 'world'
        parts.append(
            f'<body name="link_{index}"><transformation>0 0 {0.1 * index!r} 0 0 0</transformation>'
            '<inertia><mass>1.5</mass><offset>0 0 0.05</offset></inertia>'
            '<visualization_shape><geometry><box><size>0.1 0.1 0.1</size></box></geometry>'
            '</visualization_shape></body>\n'
            f'<joint type="revolute" name="joint_{index}"><parent>{parent}</parent>'
            f'<child>link_{index}</child><axis><xyz>0 1 0</xyz><limit><lower>-1.5</lower>'
            '<upper>1.5</upper></limit></axis></joint>\n')
    return ''.join([*parts, '</skeleton>\n</world>\n</skel>\n'])


def urdf_chain(joints: int) -> str:
    """Return URDF of one chain of so many revolute joints."""
    parts = ['<robot name="chain">\n<link name="link_0"/>\n']
    for index in range(1, joints + 1):
        axis = ' '.join('1' if location == index % 3 else '0' for location in range(3))
        parts.append(
            f'<link name="link_{index}"><inertial><mass value="1.5"/><inertia ixx="0.1" ixy="0" '
            'ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>\n'
            f'<joint name="joint_{index}" type="revolute"><origin xyz="0 0 0.1" rpy="0 0.1 0.2"/>'
            f'<parent link="link_{index - 1}"/><child link="link_{index}"/><axis xyz="{axis}"/>'
            '<limit lower="-3" upper="3" effort="10" velocity="5"/></joint>\n')
    return ''.join([*parts, '</robot>\n'])


def mjcf_chain(joints: int) -> str:
    """Return MJCF of one chain of so many hinges, each body with a geom, a site and a motor."""
    bodies = ''.join(
        f'<body name="link_{index}" pos="0 0 .1" euler="0 .1 .2"><joint name="joint_{index}" '
        f'axis="0 1 0" range="-3 3"/><geom size=".02 .05" type="capsule"/>'
        f'<site name="site_{index}" pos="0 0 .1"/>\n' for index in range(joints))
    motors = ''.join(f'<motor joint="joint_{index}"/>\n' for index in range(joints))
    return (
        '<mujoco model="chain"><compiler angle="radian"/><default><joint damping="1"/></default>\n'
        f'<worldbody>{bodies}{"</body>" * joints}</worldbody><actuator>{motors}</actuator>'
        '</mujoco>\n')


def joint_names(joints: int) -> list[str]:
    """Return the joints of ``urdf_chain``."""
    return [f'joint_{index}' for index in range(1, joints + 1)]


def hrdf_chain(elements: int) -> str:
    """Return HRDF of one chain of so many elements, actuators and links by turns."""
    parts = ['<robot version="1.5.0">\n']
    for index in range(elements // 2):
        parts.append(
            f'  <actuator type="X5-4" tag="joint_{index}"/>\n'
            f'  <link type="X5" extension="0.1 + 0.05" twist="pi/2" tag="link_{index}"/>\n')
    return ''.join([*parts, '</robot>\n'])
