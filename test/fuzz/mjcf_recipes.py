# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What elements of MJCF need so that MuJoCo accepts them: attributes, children, values."""

from __future__ import annotations

from collections.abc import Sequence

HARMLESS = frozenset(('compiler', 'option', 'visual', 'statistic', 'default', 'asset'))
"""Sections whose elements may have many attributes in one file."""
SINGLE = frozenset(('compiler', 'option', 'size', 'statistic', 'visual', 'flag', 'worldbody'))
RECIPES: dict[str, dict[str, str]] = {
    'geom': {'size': '.1 .1 .1'}, 'composite.geom': {'type': 'capsule', 'size': '.005'},
    'site': {'size': '.1 .1 .1'},
    'mesh': {'vertex': '0 0 0 1 0 0 0 1 0 0 0 1', 'name': 'n0'},
    'texture': {'type': '2d', 'builtin': 'flat', 'width': '8', 'height': '8'},
    'hfield': {'nrow': '2', 'ncol': '2', 'size': '1 1 1 1'},
    'body.joint': {'axis': '1 0 0'}, 'body': {'pos': '0 0 .1'},
    'inertial': {'pos': '0 0 0', 'mass': '1', 'diaginertia': '1 1 1'},
    'connect': {'body1': 'b', 'body2': 'd', 'anchor': '0 0 0'},
    'weld': {'body1': 'b', 'body2': 'd'}, 'joint': {'joint1': 'j', 'joint2': 'k'},
    'equality.tendon': {'tendon1': 'tf', 'tendon2': 'ts'},
    'muscle': {'joint': 'j', 'lengthrange': '0 1'}, 'adhesion': {'body': 'b', 'ctrlrange': '0 1'},
    'damper': {'joint': 'j', 'ctrlrange': '0 1'},
    'orientation': {'joint': 'q'},
    'dcmotor': {'joint': 'j', 'motorconst': '.1', 'resistance': '1'},
    'actuator.plugin': {'joint': 'j', 'plugin': 'mujoco.pid', 'instance': 'pid'},
    'default.damper': {'ctrlrange': '0 1'}, 'default.adhesion': {'ctrlrange': '0 1'},
    'default.dcmotor': {'motorconst': '.1', 'resistance': '1'},
    'ballquat': {'joint': 'q'}, 'ballangvel': {'joint': 'q'},
    'tactile': {'geom': 'g', 'mesh': 'M'}, 'numeric': {'size': '3'},
    'pair': {'geom1': 'g', 'geom2': 'o'}, 'exclude': {'body1': 'b', 'body2': 'd'},
    'attach': {'body': 'cb', 'model': 'child', 'prefix': 'p_'},
    'skin': {'vertex': '0 0 0 1 0 0 0 1 0', 'face': '0 1 2'},
    'bone': {'body': 'a', 'bindpos': '0 0 0', 'bindquat': '1 0 0 0', 'vertid': '0 1 2',
             'vertweight': '1 1 1'},
    'flexcomp': {'name': 'x', 'type': 'grid', 'count': '3 3 1', 'spacing': '.1 .1 .1', 'dim': '2',
                 'radius': '.01', 'mass': '1'},
    'flex': {'dim': '2', 'body': 'a', 'vertex': '0 0 0 1 0 0 0 1 0', 'element': '0 1 2'},
    'composite': {'type': 'cable', 'curve': 's', 'count': '4 1 1', 'size': '1', 'prefix': 'k_'},
    'composite.joint': {'kind': 'main'},
    'model': {'file': 'child.xml', 'name': 'other'},
    'config': {'key': 'kp', 'value': '2'}, 'freejoint': {},
    'material': {'name': 'n1'},
    'distance': {'geom1': 'g', 'geom2': 'o'}, 'normal': {'geom1': 'g', 'geom2': 'o'},
    'fromto': {'geom1': 'g', 'geom2': 'o'},
    'flexstrain': {'flex': 'x'}, 'equality.flex': {'flex': 'x'},
    'element': {'objtype': 'body', 'objname': 'a'}, 'layer': {'texture': 'T', 'role': 'rgb'},
    'plugin': {'plugin': 'mujoco.sdf.nut'},
    'sensor.plugin': {'plugin': 'mujoco.sensor.touch_grid', 'objtype': 'site', 'objname': 's'},
    'user': {'dim': '1'}, 'camprojection': {'site': 's', 'camera': 'cam'},
}
"""Attributes without which an element is not accepted."""
CONTENT: dict[str, Sequence[str]] = {
    'body': ('<geom size=".1"/>',), 'fixed': ('<joint joint="j" coef="1"/>',),
    'spatial': ('<site site="s"/>', '<site site="t"/>'),
    'composite': ('<joint kind="main"/>', '<geom type="capsule" size=".005"/>'),
    'skin': ('<bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" '
             'vertweight="1 1 1"/>',),
    'sensor.plugin': (
        '<config key="size" value="7 7"/>', '<config key="fov" value="45 45"/>',
        '<config key="gamma" value="0"/>', '<config key="nchannel" value="3"/>'),
}
TOGETHER: dict[str, dict[str, str]] = {
    'mesh': {'type': 'mesh'}, 'hfield': {'type': 'hfield'}, 'fromto': {'type': 'capsule'},
    'limited': {'range': '-1 1'}, 'actuatorfrclimited': {'actuatorfrcrange': '-1 1'},
    'ctrllimited': {'ctrlrange': '0 1'}, 'forcelimited': {'forcerange': '-1 1'},
    'actlimited': {'actrange': '-1 1'}, 'reftype': {'refname': 'a'},
    'focalpixel': {'sensorsize': '1 1', 'resolution': '10 10'},
    'principal': {'sensorsize': '1 1', 'resolution': '10 10'},
    'principalpixel': {'sensorsize': '1 1', 'resolution': '10 10'},
    'cranksite': {'slidersite': 's', 'cranklength': '1'}, 'delay': {'nsample': '3'},
    'slidersite': {'cranksite': 't', 'cranklength': '1'}, 'cranklength': {
        'cranksite': 't', 'slidersite': 's'}, 'refsite': {'site': 't'},
    'sensorsize': {'focal': '1 1', 'resolution': '10 10'}, 'focal': {
        'sensorsize': '1 1', 'resolution': '10 10'}}
"""Attributes that another one needs."""
VALUES: dict[str, Sequence[str]] = {
    'mesh/face': ('0 2 1 0 1 3 1 2 3 0 3 2',), 'hfield/elevation': ('0 1 0.5 0.2',),
    'mesh/params': ('2',), 'keyframe/qpos': ('0',), 'orientation/joint': ('q',),
    'ballquat/joint': ('q',), 'ballangvel/joint': ('q',), 'compiler/coordinate': ('local',),
    'attach/body': ('cb',), 'attach/frame': ('cf',), 'texture/mark': ('edge', 'cross'),
    'size/memory': ('10M',), 'size/nstack': ('100000',), 'size/njmax': ('500',),
    'size/nconmax': ('100',), 'flag/multiccd': ('enable',), 'flag/diagexact': ('disable',),
    'instance/name': ('n1', 'n2'), 'text/data': ('a text',),
    'key/mpos': ('1 2 3',), 'key/mquat': ('1 0 0 0',), 'key/ctrl': ('0.5',),
    'key/qpos': ('0 0 1 0 0 0 2 0 0 1 0 0 0',), 'key/qvel': ('0 0 0 0 0 0 0 0 0 0 0',),
    'light/type': ('spot', 'directional', 'point'), 'model/file': ('child.xml',),
    'mesh/maxhullvert': ('8',), 'default.mesh/maxhullvert': ('8',),
    'texture/file': ('a.png',), 'mesh/file': ('a.obj',), 'camera/fovy': ('30', '60'),
    'layer/role': ('rgb', 'normal', 'orm'), 'muscle/tendon': ('ts',),
}
