# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What elements of MJCF need so that MuJoCo accepts them: attributes, neighbors, values.

Keys are those of `fuzz.mjcf_files.declared`, or such a key, a slash and an attribute. The name
``?`` is replaced by one that the file does not have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

HARMLESS = frozenset(('compiler', 'option', 'visual', 'statistic', 'default', 'asset'))
"""Sections whose elements may have many attributes in one file."""
SINGLE = frozenset(('compiler', 'option', 'size', 'statistic', 'visual', 'flag', 'worldbody'))
WAYS: Mapping[str, Sequence[tuple[str, str]]] = {
    'worldbody.plugin': (
        ('asset', 'asset'), ('mesh', 'mesh'), ('plugin', 'worldbody.plugin')),
    'config': (
        ('extension', 'extension'), ('plugin', 'plugin'), ('instance', 'instance'),
        ('config', 'config')),
}
"""Where elements stand of which MuJoCo refuses the shortest way."""
RECIPES: Mapping[str, Mapping[str, str]] = {
    'geom': {'size': '.1 .1 .1'},
    'site': {'size': '.1 .1 .1'},
    'mesh': {'vertex': '0 0 0 1 0 0 0 1 0 0 0 1', 'name': '?'},
    'texture': {'name': '?', 'type': '2d', 'builtin': 'flat', 'width': '8', 'height': '8'},
    'hfield': {'nrow': '2', 'ncol': '2', 'size': '1 1 1 1', 'name': '?'},
    'material': {'name': '?'},
    'body.joint': {'axis': '1 0 0'}, 'body': {'pos': '0 0 .1'},
    'inertial': {'pos': '0 0 0', 'mass': '1', 'diaginertia': '1 1 1'},
    'connect': {'body1': 'b', 'body2': 'd', 'anchor': '0 0 0'},
    'weld': {'body1': 'b', 'body2': 'd'}, 'joint': {'joint1': 'j', 'joint2': 'k'},
    'equality.tendon': {'tendon1': 'tf', 'tendon2': 'ts'},
    'muscle': {'joint': 'j', 'lengthrange': '0 1'}, 'adhesion': {'body': 'b', 'ctrlrange': '0 1'},
    'damper': {'joint': 'j', 'ctrlrange': '0 1'},
    'orientation': {'joint': 'q'},
    'dcmotor': {'joint': 'j', 'motorconst': '.1', 'resistance': '1'},
    'actuator.plugin': {'joint': 'j', 'instance': 'pid'},
    'default.damper': {'ctrlrange': '0 1'}, 'default.adhesion': {'ctrlrange': '0 1'},
    'default.dcmotor': {'motorconst': '.1', 'resistance': '1'},
    'ballquat': {'joint': 'q'}, 'ballangvel': {'joint': 'q'},
    'tactile': {'geom': 'g', 'mesh': 'M'}, 'numeric': {'size': '3', 'name': '?'},
    'pair': {'geom1': 'g', 'geom2': 'o'}, 'exclude': {'body1': 'b', 'body2': 'd'},
    'attach': {'body': 'cb', 'model': 'child', 'prefix': '?'},
    'skin': {'vertex': '0 0 0 1 0 0 0 1 0', 'face': '0 1 2', 'name': '?'},
    'bone': {'body': 'a', 'bindpos': '0 0 0', 'bindquat': '1 0 0 0', 'vertid': '0 1 2',
             'vertweight': '1 1 1'},
    'flexcomp': {'name': '?', 'type': 'grid', 'count': '3 3 1', 'spacing': '.1 .1 .1', 'dim': '2',
                 'radius': '.01', 'mass': '1'},
    'flex': {'dim': '2', 'body': 'a', 'vertex': '0 0 0 1 0 0 0 1 0', 'element': '0 1 2',
             'name': '?'},
    'model': {'file': 'child.xml', 'name': '?'},
    'config': {'key': 'radius1', 'value': '.3'}, 'freejoint': {},
    'instance': {'name': '?'}, 'text': {'name': '?', 'data': 'a text'}, 'tuple': {'name': '?'},
    'distance': {'geom1': 'g', 'geom2': 'o'}, 'normal': {'geom1': 'g', 'geom2': 'o'},
    'fromto': {'geom1': 'g', 'geom2': 'o'},
    'flexstrain': {'flex': 'x'}, 'equality.flex': {'flex': 'x'},
    'element': {'objtype': 'body', 'objname': 'a'}, 'layer': {'texture': 'T', 'role': 'rgb'},
    'plugin': {'plugin': 'mujoco.sdf.nut'}, 'worldbody.plugin': {'instance': 'torus'},
    'sensor.plugin': {'instance': 'touch', 'objtype': 'site', 'objname': 's'},
    'user': {'dim': '1'}, 'camprojection': {'site': 's', 'camera': 'cam'},
    'spatial.geom': {'geom': 'h'}, 'fixed.joint': {'joint': 'k', 'coef': '1'},
}
"""Attributes without which an element is not accepted."""
CONTENT: Mapping[str, Sequence[str]] = {
    'body': ('<geom size=".1"/>',), 'fixed': ('<joint joint="j" coef="1"/>',),
    'spatial': ('<site site="s"/>', '<site site="t"/>'),
    'skin': ('<bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" '
             'vertweight="1 1 1"/>',),
    'tuple': ('<element objtype="body" objname="a"/>',),
}
AFTER: Mapping[str, Sequence[str]] = {
    'pulley': ('<site site="s"/>', '<site site="t"/>'), 'spatial.geom': ('<site site="u"/>',),
}
"""Elements that follow another one."""
ABOVE: Mapping[str, Mapping[str, str]] = {
    'flex.edge': {'dim': '1', 'element': '0 1 1 2', 'body': 'a b d'},
    'edge': {'dim': '1', 'count': '3 1 1'},
    'worldbody.plugin': {'vertex': '', 'file': '', 'builtin': ''},
}
"""Attributes that the element around another one needs, '' for those that it must not have."""
FRESH = frozenset((
    *ABOVE, 'body.joint', 'freejoint', 'inertial', 'pulley', 'spatial.geom', 'config'))
"""Elements that go into a new element."""
TOGETHER: Mapping[str, Mapping[str, str]] = {
    'mesh': {'type': 'mesh'}, 'hfield': {'type': 'hfield'}, 'fromto': {'type': 'capsule'},
    'limited': {'range': '-1 1'}, 'actuatorfrclimited': {'actuatorfrcrange': '-1 1'},
    'ctrllimited': {'ctrlrange': '0 1'}, 'forcelimited': {'forcerange': '-1 1'},
    'actlimited': {'actrange': '-1 1', 'dyntype': 'integrator'},
    'actrange': {'dyntype': 'integrator'}, 'actdim': {'dyntype': 'integrator'},
    'focalpixel': {'sensorsize': '1 1', 'resolution': '10 10'},
    'principal': {'sensorsize': '1 1', 'resolution': '10 10'},
    'principalpixel': {'sensorsize': '1 1', 'resolution': '10 10'},
    'cranksite': {'slidersite': 's', 'cranklength': '1'}, 'delay': {'nsample': '3'},
    'slidersite': {'cranksite': 't', 'cranklength': '1'}, 'cranklength': {
        'cranksite': 't', 'slidersite': 's'}, 'refsite': {'site': 't'},
    'sensorsize': {'focal': '1 1', 'resolution': '10 10'}, 'focal': {
        'sensorsize': '1 1', 'resolution': '10 10'},
    'orientation/site': {'refsite': 't'}, 'dcmotor/controller': {'input': 'pos'},
    'elastic2d': {'thickness': '.1'}, 'elemtexcoord': {'texcoord': '0 0 1 0 1 1'},
    'mesh/builtin': {'params': '2'}, 'texture/builtin': {'width': '8', 'height': '8'},
    'flexcomp/mesh': {'type': 'mesh', 'mesh': 'M'}, 'flexcomp/file': {'type': 'mesh'},
    'flexcomp/point': {'type': 'direct', 'element': '0 1 2'},
    'flexcomp/element': {'type': 'direct', 'point': '0 0 0 1 0 0 0 1 0'},
    'user/datatype': {'objtype': 'body'},
    'flexcomp/texcoord': {'type': 'direct', 'point': '0 0 0 1 0 0 0 1 0', 'element': '0 1 2'},
    'bone/vertid': {'vertweight': '1 1 1'}, 'bone/vertweight': {'vertid': '0 1 2'},
    **{f'texture/file{side}': {'type': 'cube'}
       for side in ('right', 'left', 'up', 'down', 'front', 'back')},
}
"""Attributes that another one needs, by its name, or by its element too."""
ALTERNATIVES: Mapping[str, Sequence[Sequence[str]]] = {
    'mesh': (('vertex', 'face', 'normal', 'texcoord'), ('file', 'content_type'),
             ('builtin', 'params')),
    'skin': (('vertex', 'face', 'texcoord'), ('file',)),
    'texture': (
        ('builtin', 'rgb1', 'rgb2', 'mark', 'markrgb', 'random', 'width', 'height', 'nchannel'),
        ('file', 'content_type', 'gridsize', 'gridlayout', 'embed', 'hflip', 'vflip'),
        ('fileright', 'fileleft', 'fileup', 'filedown', 'filefront', 'fileback')),
    'inertial': (('diaginertia', 'quat', 'axisangle', 'xyaxes', 'zaxis', 'euler'),
                 ('fullinertia',)),
    'flexcomp': (('count', 'spacing', 'cellcount'), ('mesh',), ('file',),
                 ('point', 'element', 'texcoord')),
    'hfield': (('elevation', 'nrow', 'ncol'), ('file', 'content_type')),
    'actuator.plugin': (('instance',), ('plugin',)),
    'sensor.plugin': (('instance',), ('plugin',)),
    'worldbody.plugin': (('instance',), ('plugin',)),
    'numeric': (('size',), ('data',)),
}
"""Groups of attributes; an element has those of one group, the first one in any case."""
VALUES: Mapping[str, Sequence[str]] = {
    'mesh/face': ('0 2 1 0 1 3 1 2 3 0 3 2',), 'hfield/elevation': ('0 1 0.5 0.2',),
    'mesh/vertex': ('0 0 0 1 0 0 0 1 0 0 0 1', '0 0 0 .2 0 0 0 .3 0 0 0 .4 .1 .1 .5'),
    'mesh/normal': ('0 0 1 0 0 1 0 0 1 0 0 1',), 'mesh/texcoord': ('0 0 1 0 0 1 1 1',),
    'mesh/params': ('2',), 'mesh/builtin': ('sphere',), 'orientation/joint': ('q',),
    'ballquat/joint': ('q',), 'ballangvel/joint': ('q',), 'compiler/coordinate': ('local',),
    'attach/body': ('cb',), 'attach/frame': ('cf',), 'texture/mark': ('edge', 'cross'),
    'size/memory': ('10M',), 'size/nstack': ('100000',), 'size/njmax': ('500',),
    'size/nconmax': ('100',), 'flag/multiccd': ('enable',), 'flag/diagexact': ('disable',),
    'text/data': ('a text',), 'default/class': ('main',),
    'key/mpos': ('1 2 3',), 'key/mquat': ('1 0 0 0',), 'key/ctrl': ('0.5',), 'key/act': ('',),
    'key/plastic': ('',), 'key/qpos': ('0 0 1 0 0 0 2 0 0 1 0 0 0',),
    'key/qvel': ('0 0 0 0 0 0 0 0 0 0 0',),
    'light/type': ('spot', 'directional', 'point'), 'model/file': ('child.xml',),
    'mesh/maxhullvert': ('8',), 'default.mesh/maxhullvert': ('8',),
    'camera/fovy': ('30', '60'), 'layer/role': ('rgb', 'normal', 'orm'), 'muscle/tendon': ('ts',),
    'default.texture/embed': ('true', 'true', 'false'),
    'texture/embed': ('true', 'true', 'false'), 'compiler/autolimits': ('true', 'true', 'false'),
    'default.joint/type': ('hinge', 'hinge', 'slide', 'ball'),
    'default.joint/range': ('0 1', '0 1', '-1 1'),
    'default.damper/ctrlrange': ('0 1',), 'default.adhesion/ctrlrange': ('0 1',),
    'damper/ctrlrange': ('0 1',), 'adhesion/ctrlrange': ('0 1',),
    'orientation/forcerange': ('0 1',), 'muscle/range': ('.7 1.1',), 'muscle/lmax': ('1.5',),
    'default.muscle/range': ('.7 1.1',), 'default.muscle/lmax': ('1.5',),
    'default.orientation/forcerange': ('0 1',),
    'actuator.plugin/plugin': ('mujoco.pid',), 'actuator.plugin/instance': ('pid',),
    'actuator.plugin/actdim': ('1',), 'sensor.plugin/plugin': ('mujoco.sensor.touch_grid',),
    'sensor.plugin/instance': ('touch',), 'sensor.plugin/objtype': ('site',),
    'ballquat/cutoff': ('0',), 'framequat/cutoff': ('0',), 'framexaxis/cutoff': ('0',),
    'frameyaxis/cutoff': ('0',), 'framezaxis/cutoff': ('0',),
    'numeric/size': ('3', '4'), 'numeric/data': ('1 2 3',), 'bone/vertid': ('0 1 2',),
    'bone/vertweight': ('1 1 1',), 'fixed.joint/joint': ('k',), 'spatial.geom/geom': ('h', 'o'),
    'flexcomp/type': ('grid',), 'flexcomp/count': ('3 3 1', '4 2 1'),
    'flexcomp/point': ('0 0 0 1 0 0 0 1 0',), 'flexcomp/element': ('0 1 2',),
    'flexcomp/cellcount': ('1 1 1',), 'flexcomp/dim': ('2',), 'flexcomp/radius': ('.01', '.005'),
    'flexcomp/spacing': ('.1 .1 .1',), 'flexcomp/texcoord': ('0 0 1 0 0 1',),
    'flexcomp.contact/margin': ('.01',), 'elasticity/poisson': ('.3', '.1'),
    'flex/vertex': ('0 0 0 1 0 0 0 1 0',), 'flex/element': ('0 1 2',),
    'flex/texcoord': ('0 0 1 0 1 1',), 'flex/elemtexcoord': ('0 1 2',),
    'skin/vertex': ('0 0 0 1 0 0 0 1 0',), 'skin/face': ('0 1 2',),
    'skin/texcoord': ('0 0 1 0 1 1',), 'pin/id': ('0',), 'pin/range': ('0 1',),
    'pin/grid': ('0 0',), 'pin/gridrange': ('0 0 1 1',), 'edge/equality': ('true', 'false'),
    'config/key': ('radius1', 'radius2'), 'config/value': ('.3', '.1'),
    'replicate/count': ('2', '1', '3'), 'lengthrange/interval': ('.5',),
    'lengthrange/mode': ('none', 'muscle', 'muscleuser'), 'lengthrange/uselimit': ('true',),
    'flex/body': ('a',), 'flexstrain/cell': ('0 0 0',), 'texture/nchannel': ('3', '4'),
    'default.texture/nchannel': ('3',),
}
"""Values that an attribute takes; it takes others as its type says."""
_NODES = 'MuJoCo 4.0.1 dies of a <flex> with nodes; those of <flexcomp> have none'
IMPOSSIBLE: Mapping[str, str] = {
    **dict.fromkeys(
        ('composite', 'composite.joint', 'composite.skin', 'composite.geom', 'composite.site'),
        'MuJoCo 4.0 has no composite objects'),
    'flex/node': _NODES, 'flex/nodecoord': _NODES, 'flex/cellcount': _NODES, 'flex/dof': _NODES,
}
"""Elements and attributes that no file has that MuJoCo accepts, with the reason."""
