# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Commands that write files, and the files that exist before, for tests of faults and signals."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
import json
from typing import NamedTuple

SDF = """<sdf version="1.11"><model name="m"><link name="a">
<visual name="v"><geometry><mesh><uri>parts/a.stl</uri></mesh></geometry></visual>
<visual name="w"><geometry><cone><radius>1</radius><length>1</length></cone></geometry></visual>
</link></model></sdf>"""
URDF = """<robot name="r"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
OLD = {'arm.urdf': b'<robot name="old"/>', 'meshes/old.stl': b'old'}
LIST = {'files': {name: sha256(data).hexdigest() for name, data in OLD.items()}}


class Case(NamedTuple):
    """
    The words of a command, and the files that exist before it.

    With ``is_one_by_one`` the command writes files that do not belong together. With ``has_many``
    it writes so many files in the same way that not every operation needs to meet every error.
    """

    words: str
    files: Mapping[str, bytes]
    is_one_by_one: bool = False
    has_many: bool = False


_ARM = {'arm.sdf': SDF.encode(), 'parts/a.stl': b'\0' * 84}
_ROBOT = {'r.urdf': URDF.encode()}
_OLD_BUNDLE = {
    **{f'out/{name}': data for name, data in OLD.items()},
    'out/.hrdf-bundle.json': json.dumps(LIST).encode()}
CASES = {
    'check': Case('check arm.sdf r.urdf', {**_ARM, **_ROBOT}),
    'new file': Case('convert arm.sdf -o arm.urdf', _ARM),
    'file': Case('convert arm.sdf -o arm.urdf', {**_ARM, 'arm.urdf': OLD['arm.urdf']}),
    'new bundle': Case('convert arm.sdf --bundle new/out', _ARM),
    'bundle': Case('convert arm.sdf --bundle out', {**_ARM, **_OLD_BUNDLE}),
    'new package': Case(
        'moveit r.urdf -o r_moveit_config --no-collisions', _ROBOT, has_many=True),
    'format': Case(
        'format robots r.urdf', {**_ROBOT, 'robots/s.urdf': URDF.encode()}, is_one_by_one=True)}
