# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Elements that MuJoCo refuses although each attribute is valid, among those kept for MuJoCo.

Faults that depend on the simulation, or on the points of a flex, a skin or a composite, are not
found here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
import math
import sys
from typing import Any, NamedTuple

from hrdf_ros import codes
from hrdf_ros.readers.mjcf.elements import asset_name, Item
from hrdf_ros.readers.schema import TypedElement


class _Bounds(NamedTuple):
    """The bounds of a number; the fraction of a count is dropped first, as in MuJoCo."""

    least: float
    most: float = math.inf
    is_count: bool = False

    def has(self, number: float) -> bool:
        """Return whether a number is within the bounds."""
        is_cut = self.is_count and math.isfinite(number)
        return self.least <= (math.trunc(number) if is_cut else number) <= self.most


_LEAST_LENGTH = sys.float_info.min
"""The bound of a number that must be positive."""
_BUILTIN_MESHES: Mapping[str, Sequence[_Bounds]] = {
    'sphere': [_Bounds(0, 4, is_count=True)],
    'hemisphere': [_Bounds(0, 10, is_count=True)],
    'cone': [_Bounds(3, is_count=True), _Bounds(0, 1)],
    'supersphere': [_Bounds(3, is_count=True), _Bounds(0), _Bounds(0)],
    'supertorus': [
        _Bounds(3, is_count=True), _Bounds(_LEAST_LENGTH, 1), _Bounds(_LEAST_LENGTH),
        _Bounds(_LEAST_LENGTH)],
    'wedge': [
        _Bounds(2, is_count=True), _Bounds(2, is_count=True), _Bounds(_LEAST_LENGTH, 180),
        _Bounds(_LEAST_LENGTH, 90), _Bounds(0, 1)],
    'plate': [_Bounds(2, is_count=True), _Bounds(2, is_count=True)],
}
"""The bounds that MuJoCo checks for each number in the ``params`` of a builtin mesh."""
DRIVEN = ('joint', 'jointinparent', 'tendon', 'cranksite', 'site', 'body')
"""The attributes that name what an actuator drives; the last one given counts."""
_DIRECTIONS = ('framequat', 'framexaxis', 'frameyaxis', 'framezaxis', 'ballquat')
_LEAST_HULL = 4
"""The fewest vertices to which MuJoCo can limit a convex hull: those of a tetrahedron."""
_MOST_SAMPLES = 1 << 24
"""The most samples that a buffer for a delay can have."""
_SITE_SIZE = (0.005, 0.005, 0.005)
"""The size of a site in meters where none is given."""
_SITE_SIZES = {'sphere': 1, 'capsule': 2, 'cylinder': 2, 'ellipsoid': 3, 'box': 3}
"""How many sizes a shape of a site needs."""
_LAST_GROUP = 30
"""The last group of actuators that a file can disable."""
_UNSCALED = (1.0, 1.0, 1.0)
"""The scale that changes no mesh."""
_OBJECTS = frozenset((
    'body', 'xbody', 'joint', 'dof', 'flex', 'geom', 'site', 'camera', 'light', 'mesh', 'skin',
    'hfield', 'texture', 'material', 'pair', 'exclude', 'equality', 'tendon', 'actuator', 'sensor',
    'numeric', 'text', 'tuple', 'key', 'plugin'))
"""The kinds of things that MuJoCo knows by name."""
_SIDES = ('fileright', 'fileleft', 'fileup', 'filedown', 'filefront', 'fileback')
_SIZES = {
    'joint': 'nuser_jnt', 'freejoint': 'nuser_jnt', 'fixed': 'nuser_tendon',
    'spatial': 'nuser_tendon', 'camera': 'nuser_cam', 'body': 'nuser_body', 'geom': 'nuser_geom',
    'site': 'nuser_site'}
"""The attribute of ``<size>`` that says how many ``user`` numbers an element has."""


def check(item: Item, kind: str) -> None:
    """Report why MuJoCo refuses an element; ``kind`` is its tag, or a name for several tags."""
    for reason, is_refused in _BY_KIND.get(kind, ()):
        if is_refused(item):
            item.add(codes.MJCF_NOT_ALLOWED, f'<{item.tag}>: {reason}')


def _has_one_of_two(item: Item, first: str, second: str) -> bool:
    return item.has(first) != item.has(second)


def _plugins(item: Item) -> Sequence[TypedElement]:
    return item.element.all('plugin')


def driven(item: Item) -> str:
    """Return the attribute that names what an actuator drives, '' where there is none."""
    return next((name for name in reversed(DRIVEN) if item.has(name)), '')


def is_limited(item: Item) -> bool:
    """Return whether the range of a joint or tendon is a limit."""
    lower, upper = item.value('range', (0.0, 0.0))
    word = item.value('limited', 'auto')
    return bool(word == 'true' or word == 'auto' and lower < upper)


def _is_reversed(item: Item, switch: str, values: str) -> bool:
    lower, upper = item.value(values, (0.0, 0.0))
    return bool(item.value(switch) == 'true' and lower >= upper)


def _excludes_zero(item: Item, switch: str, values: str) -> bool:
    lower, upper = item.value(values, (0.0, 0.0))
    is_limit = item.value(switch, 'auto') != 'false' and lower < upper
    return bool(is_limit and (lower > 0.0 or upper < 0.0))


def _lacks_switch(item: Item, switch: str, values: str) -> bool:
    """Return whether a range lacks the switch that has to say whether the range is a limit."""
    return not item.scope.compiler.autolimits and any(item.value(values, (0.0, 0.0))) and (
        item.value(switch, 'auto') == 'auto')


def _period(item: Item) -> tuple[float, float]:
    period, phase = item.numbers('interval', (0.0, 0.0))
    return period, phase


def _grid(item: Item) -> tuple[int, int]:
    return item.value('nrow', 0), item.value('ncol', 0)


def _springs(item: Item) -> tuple[float, ...]:
    lengths = item.value('springlength')
    return lengths if isinstance(lengths, tuple) else ()


def _has_blank(item: Item) -> bool:
    return any(text == '' and (rule.attribute.refers or name in ('objname', 'refname'))
               and name != 'class' for name, text in item.element.attributes.items()
               for rule in (item.element.rule.attributes.get(name),) if rule is not None)


def _user_fault(item: Item, size: str) -> bool:
    """Return whether an element has more ``user`` numbers than its file allows."""
    most = item.scope.declared.user_sizes.get(size)
    return most is not None and len(item.value('user') or ()) > most


def _is_unlike_builtin(item: Item) -> bool:
    """Return whether MuJoCo refuses the ``params`` of a mesh for its builtin shape."""
    bounds = _BUILTIN_MESHES.get(item.value('builtin', ''), ())
    numbers = item.value('params', ())
    return bool(bounds) and (len(numbers) != len(bounds) or not all(
        bound.has(number) for bound, number in zip(bounds, numbers)))


def _has_ipc(settings: Mapping[tuple[str, str], Any]) -> bool:
    """Return whether the settings of a file allow incremental potential contact."""
    return settings.get(('option', 'integrator')) == 'discrete' and (
        settings.get(('option', 'solver'), 'Newton') != 'PGS'
        and settings.get(('option/flag', 'fwdinv')) != 'enable')


def _size_count(item: Item) -> int:
    """Return how many sizes the shape of a site needs; two points give the length."""
    return 1 if item.has('fromto') else _SITE_SIZES.get(item.value('type', 'sphere'), 0)


def _is_unlike_plugins(item: Item) -> bool:
    """Return whether the plugin or instance of an element is not declared in its file."""
    plugin, instance = item.element.get('plugin'), item.element.get('instance')
    known = item.scope.declared
    return not (plugin or instance) or bool(
        plugin and plugin not in known.plugins or instance and instance not in known.instances)


_REFUSED: Sequence[tuple[str, str, Callable[[Item], bool]]] = (
    # actuators
    ('actuator', 'an actuator needs a target',
     lambda item: not item.value(driven(item), '')),
    ('actuator', 'a crank is for actuators of a cranksite only',
     lambda item: not {'cranklength', 'slidersite'}.isdisjoint(item.element.attributes) and (
         driven(item) not in ('', 'cranksite'))),
    ('actuator', "'refsite' is for actuators of a site only",
     lambda item: 'refsite' in item.element.attributes and driven(item) not in ('', 'site')),
    ('actuator', 'damping and armature are for actuators of joints and tendons only',
     lambda item: (any(item.numbers('damping')) or item.number('armature') != 0.0)
     and driven(item) not in ('joint', 'jointinparent', 'tendon')),
    ('actuator', 'a crank needs a length above 0, and a slidersite',
     lambda item: driven(item) == 'cranksite' and (
         item.number('cranklength') <= 0.0 or not item.value('slidersite'))),
    # sensors
    ('distance normal fromto', "'geom1' or 'body1' is required",
     lambda item: not item.has('geom1') and not item.has('body1')),
    ('distance normal fromto', 'the first geom or body is the second one',
     lambda item: any(item.value(f'{kind}1') and item.value(f'{kind}1') == item.value(f'{kind}2')
                      for kind in ('geom', 'body'))),
    ('sensor', 'a period is not negative, a phase neither positive nor below the period',
     lambda item: _period(item)[0] < 0.0 or _period(item)[1] > 0.0 or (
         _period(item)[1] < 0.0 and _period(item)[1] <= -_period(item)[0])),
    ('sensor', "'cutoff' and 'noise' must not be negative",
     lambda item: item.number('cutoff') < 0.0 or item.number('noise') < 0.0),
    ('user', "'dim' must not be negative", lambda item: item.value('dim', 0) < 0),
    ('sensor actuator', "'nsample' needs a positive 'timestep'",
     lambda item: item.value('nsample', 0) > 0 and item.scope.settings.get(
         ('option', 'timestep'), 1.0) <= 0.0),
    ('sensor actuator', f"'nsample' is at most {_MOST_SAMPLES}",
     lambda item: item.value('nsample', 0) > _MOST_SAMPLES),
    ('sensor actuator', 'a delay needs samples',
     lambda item: item.number('delay') > 0.0 and item.value('nsample', 0) <= 0),
    (' '.join(_DIRECTIONS), "there is no 'cutoff' of a direction",
     lambda item: item.number('cutoff') > 0.0),
    ('sensor', "'reftype' and 'refname' require each other",
     lambda item: _has_one_of_two(item, 'reftype', 'refname')),
    ('sensor', "'objtype' and 'objname' require each other",
     lambda item: _has_one_of_two(item, 'objtype', 'objname')),
    ('sensor', 'the name of the object that it senses is empty',
     _has_blank),
    ('plugin user', "the object of 'reftype' has no frame",
     lambda item: item.value('reftype') in _OBJECTS and item.value('reftype') not in (
         'body', 'xbody', 'geom', 'site', 'camera')),
    ('plugin', "'reftype' and 'refname' require each other",
     lambda item: item.has('refname') and item.value('reftype') not in _OBJECTS),
    ('insidesite', 'a camera has no size, so it is not enclosed',
     lambda item: item.value('objtype') == 'camera' and item.value('enclosed', False)),
    ('contact', "there is no 'linvel' or 'angvel' of a 'netforce'",
     lambda item: item.value('reduce') == 'netforce' and not {'linvel', 'angvel'}.isdisjoint(
         item.value('data', ()))),
    ('contact', "'num' must be positive", lambda item: item.value('num', 1) < 1),
    ('user', 'a quaternion has 4 numbers, an axis 3',
     lambda item: item.value('dim', 0) != {'quaternion': 4, 'axis': 3}.get(
         item.value('datatype', ''), item.value('dim', 0))),
    # tendons
    ('fixed', 'a fixed tendon needs a joint', lambda item: not item.element.children),
    ('fixed', 'a joint is repeated', lambda item: len({
        child.get('joint') for child in item.element.children}) < len(item.element.children)),
    ('spatial', 'a spatial tendon needs two sites or geoms',
     lambda item: sum(child.tag != 'pulley' for child in item.element.children) < 2),
    ('spatial', "'width' must be positive", lambda item: item.number('width', 1.0) <= 0.0),
    ('spatial', 'the divisor of a pulley must be positive',
     lambda item: any(item.scope.item(child).number('divisor', 1.0) <= 0.0
                      for child in item.element.all('pulley'))),
    ('spatial', 'a site is alone between pulleys',
     lambda item: any(a == c == 'pulley' and b == 'site' for a, b, c in zip(
         *(('pulley', *(child.tag for child in item.element.children), 'pulley')[start:]
           for start in range(3))))),
    ('spatial', 'a path ends neither with a pulley nor with a geom',
     lambda item: bool(item.element.children) and item.element.children[-1].tag != 'site'),
    ('fixed spatial', "'armature' must not be negative",
     lambda item: item.number('armature') < 0.0),
    ('spatial', 'a tendon with armature wraps around no geom',
     lambda item: item.number('armature') > 0.0 and bool(item.element.all('geom'))),
    ('spatial', 'a site is repeated',
     lambda item: any(a.tag == b.tag == 'site' and a.get('site') == b.get('site')
                      for a, b in zip(item.element.children, item.element.children[1:]))),
    ('spatial', 'a geom is not between two sites',
     lambda item: any('geom' == b.tag and not a.tag == c.tag == 'site' for a, b, c in zip(
         item.element.children, item.element.children[1:], item.element.children[2:]))),
    ('fixed spatial', 'a limit is not below the other one',
     lambda item: _is_reversed(item, 'limited', 'range') or _is_reversed(
         item, 'actuatorfrclimited', 'actuatorfrcrange')),
    ('fixed spatial', "a range without 'limited' or 'actuatorfrclimited' requires autolimits",
     lambda item: _lacks_switch(item, 'limited', 'range') or _lacks_switch(
         item, 'actuatorfrclimited', 'actuatorfrcrange')),
    ('fixed spatial', "the range of 'actuatorfrcrange' has to include 0",
     lambda item: _excludes_zero(item, 'actuatorfrclimited', 'actuatorfrcrange')),
    ('fixed spatial', "the lengths of 'springlength' are in the wrong order",
     lambda item: len(_springs(item)) > 1 and _springs(item)[0] > _springs(item)[1]),
    # other sections
    ('numeric', 'a number of the user needs a size or data',
     lambda item: item.value('size', len(item.value('data', '').split())) < 1),
    ('numeric', 'there are more data than the size',
     lambda item: 0 < item.value('size', 0) < len(item.value('data', '').split())),
    ('tuple', 'a tuple needs an element', lambda item: not item.element.children),
    ('tuple', 'there are no objects of this type',
     lambda item: any(child.get('objtype') not in _OBJECTS for child in item.element.children)),
    ('plugin', 'its file does not declare the plugin or instance', _is_unlike_plugins),
    (' '.join(_SIZES), "'user' has more numbers than <size> says",
     lambda item: _user_fault(item, _SIZES[item.tag])),
    ('actuator', "'user' has more numbers than <size> says",
     lambda item: _user_fault(item, 'nuser_actuator')),
    ('sensor', "'user' has more numbers than <size> says",
     lambda item: _user_fault(item, 'nuser_sensor')),
    ('joint', "'springdamper' is 0 0, or both are positive",
     lambda item: any(item.value('springdamper', ())) and min(item.value('springdamper')) <= 0.0),
    ('joint spatial fixed', "'springyield' must not be negative",
     lambda item: item.number('springyield') < 0.0),
    ('joint', "there is no 'springyield' of a free joint",
     lambda item: item.value('type') == 'free' and item.number('springyield') != 0.0),
    ('size', 'a size is less than -1', lambda item: any(
        isinstance(value, int) and value < -1 for name, value in item.element.values.items()
        if name != 'nkey')),
    ('flag', "'ipc' needs the integrator 'discrete', the solver 'Newton' or 'CG', and no 'fwdinv'",
     lambda item: item.value('ipc') == 'enable' and not _has_ipc(item.scope.settings)),
    ('map', "'znear' must be positive", lambda item: item.number('znear', 1.0) <= 0.0),
    ('global', "'realtime' must be positive", lambda item: item.number('realtime', 1.0) <= 0.0),
    ('size', "'nuserdata' must not be negative", lambda item: item.value('nuserdata', 0) < 0),
    ('statistic', "'extent' must be positive", lambda item: item.number('extent', 1.0) <= 0.0),
    ('option', f'the groups of actuators are 0 to {_LAST_GROUP}',
     lambda item: any(
         not 0 <= group <= _LAST_GROUP for group in item.value('actuatorgroupdisable', ()))),
    ('text', 'a text must not be empty', lambda item: item.element.get('data') == ''),
    # assets
    ('texture material mesh hfield', 'a name is required',
     lambda item: not asset_name(item.element) and item.value('type') != 'skybox'),
    ('hfield', 'a height field needs a file, or two rows and columns with as many elevations',
     lambda item: not item.value('file') and (
         item.has('file') or min(_grid(item)) < 2
         or len(item.value('elevation', ())) not in (0, math.prod(_grid(item))))),
    ('hfield', 'the sizes of a height field must be positive',
     lambda item: min(item.numbers('size', (1.0,))) <= 0.0),
    ('texture', 'the width and height of a builtin texture must be positive',
     lambda item: item.value('builtin', 'none') != 'none' and (
         item.value('width', 0) < 1
         or item.value('type') == '2d' and item.value('height', 0) < 1)),
    ('texture default_texture', "'gridlayout' has a letter for each cell of 'gridsize'",
     lambda item: 'gridlayout' in item.element.attributes and len(
         item.value('gridlayout')) != math.prod(item.value('gridsize', (1, 1)))),
    ('material default_material', "'texture' and layers exclude each other",
     lambda item: 'texture' in item.element.attributes and bool(item.element.all('layer'))),
    ('mesh', 'a mesh needs a file, vertices, a builtin shape or a plugin',
     lambda item: not any(map(item.value, ('file', 'vertex', 'builtin'))) and (
         not _plugins(item))),
    ('mesh', "there is no 'scale' of a mesh that a plugin makes",
     lambda item: bool(_plugins(item)) and item.value('scale', _UNSCALED) != _UNSCALED),
    ('mesh', "'file' and 'vertex' exclude each other",
     lambda item: bool(item.value('file') and item.value('vertex'))),
    ('mesh', "a builtin shape has a name and 'params'",
     lambda item: item.has('builtin') and (
         item.value('builtin') == 'none' or not item.has('params'))),
    ('mesh', "the builtin shape needs other 'params'", _is_unlike_builtin),
    ('mesh', 'a vertex and a normal have three numbers, a texture coordinate two',
     lambda item: any(len(item.value(name, ())) % count for name, count in (
         ('vertex', 3), ('normal', 3), ('face', 3), ('texcoord', 2)))),
    ('mesh default_mesh', f"'maxhullvert' is -1, or {_LEAST_HULL} or more",
     lambda item: -1 != item.element.values.get('maxhullvert', -1) < _LEAST_HULL),
    ('texture', 'a texture without a file, or flipped, is always embedded',
     lambda item: not item.value('embed', True) and (
         not item.value('file') or item.value('builtin', 'none') != 'none'
         or item.value('hflip', False) or item.value('vflip', False))),
    ('texture', 'this texture has three channels',
     lambda item: item.value('nchannel', 3) != 3 and (
         item.value('builtin', 'none') != 'none'
         or item.value('type') != '2d' and not item.value('file'))),
    ('texture', 'a texture needs a file, a builtin pattern or, unless it is 2d, files of sides',
     lambda item: not item.value('file') and item.value('builtin', 'none') == 'none' and (
         item.value('type') == '2d' or not any(map(item.value, _SIDES)))),
    ('skin', 'a skin needs a file or vertices',
     lambda item: not item.value('file') and not item.value('vertex')),
    # geoms and frames
    ('geom', "'fromto' and a mesh exclude each other",
     lambda item: bool(item.value('mesh')) and item.has('fromto')),
    ('geom', 'a height field is for geoms of type hfield, which need one',
     lambda item: (item.value('type') == 'hfield') != bool(item.value('hfield'))),
    ('geom', 'the mesh says whether its mass is on the surface, not the geom',
     lambda item: bool(item.value('mesh')) and item.value('shellinertia', False)),
    ('site', 'a mesh is for sites of type mesh or sdf',
     lambda item: bool(item.value('mesh')) and item.value('type') not in ('mesh', 'sdf')),
    ('site', 'a size must be positive',
     lambda item: min(item.numbers('size', _SITE_SIZE)[:_size_count(item)], default=1.0) <= 0.0),
    ('light', "'softness' is between 0 and 1",
     lambda item: item.number('softness') < 0.0 or item.number('softness') > 1.0),
    ('camera', "'focal' and 'principal' require a positive 'sensorsize'",
     lambda item: min(item.numbers('sensorsize', (0.0, 0.0))) <= 0.0 and any(
         any(item.numbers(name)) for name in (
             'focal', 'focalpixel', 'principal', 'principalpixel'))),
    ('camera', "'sensorsize' requires a positive 'resolution'",
     lambda item: min(item.numbers('sensorsize', (0.0, 0.0))) > 0.0 and min(
         item.value('resolution', (1, 1))) <= 0),
)
"""The elements that MuJoCo refuses, by kind, each with the reason and a test."""
_BY_KIND = {
    kind: [(reason, is_refused) for kinds, reason, is_refused in _REFUSED
           if kind in kinds.split()]
    for kinds, _, _ in _REFUSED for kind in kinds.split()}
