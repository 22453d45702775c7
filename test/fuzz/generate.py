# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Generators of inputs: every one is decided by a random generator and gives bytes."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
import struct
from xml.etree.ElementTree import Element

from fuzz.corpus import corpus
from fuzz.mutate import document, mutated_bytes, mutated_tree, VALUES
from helpers.cdr import serialized

Generate = Callable[[Random], bytes]

_FORMULA = (
    '0', '1', '2.5', '1e3', '1e308', '.5', '3.', '1e-320', 'pi', 'pi', '+', '-', '*', '/', '(',
    ')', '(', ')', ' ', '\t', 'Rx(', 'Ry(', 'Rz(', ')*', '*Rz(', 'e', 'x', '_', ',', '٣', 'é',
    '\0', '1 0 0 0 1 0 0 0 1')
_WORDS = (
    ' ', ' ', ' ', '0', '1', '-1', '0.5', '1.5f', '1,', '0x1p3', '0x', 'inf', '-inf', 'nan',
    'nan(1)', 'infinity', '1e999', '-1e-999', '1e', 'true', 'FALSE', '1_0', '+', '-', '.', '..',
    '\t', '\n', '\v', '\xa0', '\u2003', '٣', '²', 'é', '1.2', '9' * 30,
    '9' * 5000, '1e200', '1e308', '1e-200', '0 0 0 1e-200 0 0 0', '1 2 3 4 5 6 7', 'e5', '::')
FILES = ('a.hrdf', 'b.hrdf', 'c.sdf', 'd.sdf', 'e.urdf', 'f.skel', 'g.mjcf', 'm/model.config',
         'm/m.sdf')
"""What the directory of an input with several files may have; the first is loaded."""

SEPARATOR = b'\n%%%%%\n'
_URIS = (
    *FILES, 'm', 'model://m', './b.hrdf', 'm/../a.hrdf', '../a.hrdf', 'pipe', 'link', 'outside',
    'loop', 'nowhere.sdf', '/etc/passwd', 'file:///etc/passwd', 'package://m/m.sdf', '\t', '%00',
    'http://a/b.sdf', 'a' * 300, '/dev/zero', '/proc/self/environ')
_SHELLS = {
    'a.hrdf': '<robot version="1.6.0">{}</robot>', 'b.hrdf': '<robot version="1.6.0">{}</robot>',
    'c.sdf': '<sdf version="1.12"><model name="c"><link name="l"/>{}</model></sdf>',
    'd.sdf': '<sdf version="1.9"><world name="d">{}</world></sdf>',
    'e.urdf': '<robot name="e"><link name="e">{}</link></robot>',
    'f.skel':
        '<skel version="1.0"><world name="f"><skeleton name="s">{}</skeleton></world></skel>',
    'g.mjcf': '<mujoco><worldbody/>{}</mujoco>',
    'm/model.config': '<model><name>m</name>{}</model>',
    'm/m.sdf': '<sdf version="1.6"><model name="m"><link name="m"/>{}</model></sdf>',
}
_INCLUDES = {
    'hrdf': '<include path="{}"/>', 'mjcf': '<include file="{}"/>',
    'config': '<sdf version="1.6">{}</sdf>',
    'sdf': '<include><uri>{}</uri></include>',
    'urdf': '<visual><geometry><mesh filename="{}"/></geometry></visual>',
    'skel': '<body name="b"><visualization_shape><geometry><mesh><file_name>{}</file_name></mesh>'
            '</geometry></visualization_shape></body>',
}
_NAMES = ('j', 'a', 's', 'm', 'n', 'shoulder', 'é', '\0', '', 'x' * 300, '\ud800')


def formula(rng: Random) -> bytes:
    """Return pieces of formulas in any order, now and then very many."""
    count = int(rng.expovariate(0.12)) if rng.random() > 0.0005 else 12_000
    return ''.join(rng.choices(_FORMULA, k=count)).encode()


def words(rng: Random) -> bytes:
    """Return numbers and near-numbers with blanks between."""
    return ''.join(rng.choices(_WORDS, k=int(rng.expovariate(0.1)))).encode()


def documents(*formats: str) -> Generate:
    """Return a generator of mutated files of these formats, sometimes mutated as bytes."""
    def generate(rng: Random) -> bytes:
        found = corpus()
        name = rng.choice(formats)
        if rng.random() < 0.1:
            return mutated_bytes(rng, rng.choice(found.files[name]))
        data = document(mutated_tree(rng, rng.choice(found.trees[name]), found))
        return data if rng.random() < 0.9 else mutated_bytes(rng, data)
    return generate


def tiny(rng: Random) -> bytes:
    """Return a document of a few elements of any format, in one of the formats' roots."""
    found = corpus()
    root = Element(rng.choice(('robot', 'sdf', 'skel', 'mujoco', 'gazebo')), version='1.6')
    for _ in range(rng.randrange(4)):
        rng.choice(list(root.iter())).append(deepcopy(rng.choice(found.elements)))
    if rng.random() < 0.5:
        root.set('version', rng.choice(('1.0', '1.4', '1.6.0', '1.12', *VALUES)))
    data = document(root)
    return mutated_bytes(rng, data) if rng.random() < 0.3 else data


def included(rng: Random) -> bytes:
    """Return the files of a directory that include each other, one behind the other."""
    texts = [_including(rng, name) for name in FILES]
    start = rng.choice((0, 0, 2, 3, 6, 7))
    return SEPARATOR.join((FILES[start].encode(), *texts))


def _including(rng: Random, name: str) -> bytes:
    """Return a file that includes others, sometimes below what else its format has."""
    suffix = name.rpartition('.')[2]
    count = rng.choice((0, 1, 1, 2, 3))
    uris = [rng.choice(_URIS) for _ in range(count)]
    text = _SHELLS[name].format(''.join(_INCLUDES[suffix].format(uri) for uri in uris)).encode()
    if rng.random() < 0.2:
        found = corpus()
        text = document(mutated_tree(rng, rng.choice(found.trees[suffix]), found))
    return mutated_bytes(rng, text) if rng.random() < 0.1 else text


def joint_state(rng: Random) -> bytes:
    """Return a serialized JointState, most often one with bytes that are wrong."""
    names = rng.choices(_NAMES, k=rng.choice((0, 1, 2, 3, 6)))
    numbers = (0.0, 0.5, -1.0, 1e308, float('nan'), float('inf'), rng.random())
    data = serialized(
        names, rng.choices(numbers, k=rng.choice((len(names), len(names), len(names), 1))),
        frame=rng.choice(_NAMES), order=rng.choice('<>'), padding=rng.choice((b'\0', b'\xaa')),
        stamp=(rng.getrandbits(31), rng.getrandbits(30)))
    return data if rng.random() < 0.3 else mutated_bytes(rng, data)


def mesh(rng: Random) -> bytes:
    """Return a mesh of one of the kinds whose extents are read, behind its suffix and a line."""
    suffix = rng.choice(('stl', 'obj', 'dae', 'ply'))
    numbers = ' '.join(rng.choice(VALUES) if rng.random() < 0.1 else repr(rng.uniform(-9.0, 9.0))
                       for _ in range(3 * rng.randrange(5)))
    if suffix == 'obj':
        data = ''.join(f'v {numbers}\nf 1 2 3\n' for _ in range(rng.randrange(4))).encode()
    elif suffix == 'stl' and rng.random() < 0.5:
        count = rng.randrange(4)
        data = bytes(80) + struct.pack('<I', count) + rng.randbytes(50 * count)
    elif suffix == 'stl':
        data = f'solid a\nfacet normal 0 0 1\nouter loop\nvertex {numbers}\nendloop\n'.encode()
    else:
        data = _COLLADA.format(numbers, rng.choice(VALUES), numbers).encode('utf-8', 'replace')
    return suffix.encode() + b'\n' + (mutated_bytes(rng, data) if rng.random() < 0.5 else data)


_COLLADA = (
    '<COLLADA><asset><unit meter="0.01"/></asset><library_geometries><geometry id="g"><mesh>'
    '<source id="p"><float_array id="f" count="9">{}</float_array></source><vertices id="v">'
    '<input semantic="POSITION" source="#p"/></vertices></mesh></geometry></library_geometries>'
    '<library_visual_scenes><visual_scene id="s"><node><scale>1 2 3</scale><rotate>0 0 1 {}'
    '</rotate><node><matrix>{}</matrix><instance_geometry url="#g"/></node></node></visual_scene>'
    '</library_visual_scenes></COLLADA>')
