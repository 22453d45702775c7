# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The robot that each random MJCF file begins with, and the files that it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
import struct
import zlib

ROBOT = """
<mujoco model="robot"><extension><plugin plugin="mujoco.sdf.torus"><instance name="torus"><config
key="radius1" value="0.35"/><config key="radius2" value="0.15"/></instance></plugin>
<plugin plugin="mujoco.sensor.touch_grid"/><plugin plugin="mujoco.pid"/></extension>
<default><default class="c"><geom density="500"/></default></default>
<asset><mesh name="M" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><material name="A"/>
<texture name="T" type="2d" builtin="flat" width="8" height="8"/>
<hfield name="H" nrow="2" ncol="2" size="1 1 1 1"/><model name="child" file="child.xml"/></asset>
<worldbody><body name="a" pos="0 0 1"><joint name="j" range="-1 1" axis="0 1 0"/>
<geom name="g" type="box" size=".1 .2 .3"/><site name="s"/><camera name="cam"/><light name="l"/>
<body name="b" pos=".5 0 0"><joint name="k" type="slide" range="-1 1"/><geom name="h" size=".1"/>
<site name="t" pos="0 0 .2"/><body name="e" pos=".5 0 0"><joint name="q" type="ball"/>
<geom name="i" type="capsule" size=".1 .2"/></body></body></body>
<body name="d" pos="2 0 0"><freejoint name="f"/><geom name="o" size=".1"/><site name="u"/></body>
<body name="mo" mocap="true"/><frame name="F" pos="0 1 0"><geom name="w" size=".1"/></frame>
</worldbody>
<contact><exclude body1="a" body2="d"/></contact>
<tendon><fixed name="tf" range="-1 1"><joint joint="j" coef="1"/></fixed><spatial name="ts"
range="0 9"><site site="s"/><site site="t"/></spatial></tendon>
<actuator><motor name="m" joint="j"/></actuator>
<sensor><jointpos name="p" joint="j"/></sensor>
<custom><tuple name="tu"><element objtype="body" objname="a"/></tuple></custom>
<keyframe><key name="key"/></keyframe></mujoco>
"""
NAMES: Mapping[str, Sequence[str]] = {
    'body': ('a', 'b', 'd', 'e'), 'joint': ('j', 'k'), 'geom': ('g', 'h', 'i', 'o'),
    'site': ('s', 't', 'u'), 'camera': ('cam',), 'light': ('l',), 'mesh': ('M',),
    'material': ('A',), 'texture': ('T',), 'hfield': ('H',), 'tendon': ('tf', 'ts'),
    'actuator': ('m',), 'default': ('c',), 'frame': ('F',), 'model': ('child',),
    'instance': ('torus',), 'flex': ('x',)}
"""What the robot has, by kind."""
_TOUCH = (
    '<config key="size" value="7 7"/><config key="fov" value="45 45"/>'
    '<config key="gamma" value="0"/><config key="nchannel" value="3"/>')
EXTENSIONS: Mapping[str, str] = {
    'pid': (
        '<extension><plugin plugin="mujoco.pid"><instance name="pid"><config key="kp" value="1"/>'
        '</instance></plugin></extension>'),
    'touch': (
        '<extension><plugin plugin="mujoco.sensor.touch_grid"><instance name="touch">'
        f'{_TOUCH}</instance></plugin></extension>')}
"""Instances of plugins that the robot does not have, because all have to be used."""
CONFIGS: Mapping[str, str] = {'mujoco.sensor.touch_grid': f'<plugin>{_TOUCH}</plugin>'}
"""What the use of a plugin has in it that needs it."""
FLEX = (
    '<worldbody><body name="flexible"><flexcomp name="x" type="grid" count="2 2 2" dim="3" '
    'spacing=".1 .1 .1" radius=".01" mass="1" dof="trilinear"/></body></worldbody>')
"""What elements that name a flex need."""
FILES: Mapping[str, str] = {
    'mesh': 'a.obj', 'flexcomp': 'a.obj', 'skin': 'a.skn', 'model': 'child.xml'}
"""The file of each element that has one; the others have pictures."""
_CHILD = (
    '<mujoco model="child"><asset><material name="red" rgba="1 0 0 1"/></asset><worldbody>'
    '<frame name="cf"><body name="cb"><joint name="cj"/><geom name="cg" size=".1" material="red"/>'
    '</body></frame></worldbody></mujoco>')
_OBJ = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n'


def write_files(directory: Path) -> None:
    """Write the files that the robots name."""
    (directory / 'child.xml').write_text(_CHILD)
    (directory / 'a.obj').write_text(_OBJ)
    (directory / 'a.png').write_bytes(_png())
    (directory / 'a.skn').write_bytes(_skin())


def _png() -> bytes:
    """Return a picture of 2 by 2 pixels."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack('>I', len(data)) + kind + data + struct.pack(
            '>I', zlib.crc32(kind + data))

    rows = b''.join(b'\0' + bytes(range(6 * row, 6 * row + 6)) for row in range(2))
    return b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 2, 2, 8, 2, 0, 0, 0)) + (
        chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def _skin() -> bytes:
    """Return a skin of one triangle on one bone: counts, vertices, face, bone."""
    return struct.pack(
        '<4i9f3i40s7fi3i3f', 3, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2, b'a', 0, 0, 0,
        1, 0, 0, 0, 3, 0, 1, 2, 1, 1, 1)
