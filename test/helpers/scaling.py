# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Texts in which a construct is repeated up to a size, and the cost of work on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
import gc
import sys
import tracemalloc
from types import FrameType
from typing import Any, NamedTuple, Optional

from hrdf_ros.load import load

FULL_REPORT = 1 << 20
"""The number of bytes of diagnostics that a report keeps, however long the text is."""
GREATEST_RATIO = 2.15
"""The most that a doubling may add, relative to what the doubling before it added."""
NEGLIGIBLE = 200
"""The lines that may be added once, for what is remembered or reported once."""
SIZES = (3, 6, 12, 24)
"""How often a construct is repeated: doubled three times."""
SHELLS = {
    'hrdf': ('<robot version="1.6.0"', '>', '<actuator type="X5-4"/></robot>'),
    'sdf': ('<sdf version="1.9"', '><model name="m">', '<link name="l"/></model></sdf>'),
    'skel': (
        '<skel version="1.0"', '><world name="w"><skeleton name="s">',
        '<body name="b"><transformation>0 0 0 0 0 0</transformation></body>'
        '</skeleton></world></skel>'),
    'urdf': ('<robot name="m"', '>', '<link name="l"/></robot>'),
    'mjcf': ('<mujoco model="m"', '><worldbody>', '</worldbody></mujoco>'),
}
"""The start of each format's root element, what follows up to the middle, and the end."""


class Construct(NamedTuple):
    """
    What is made large: its name, and its text for a number of bytes.

    ``memory`` is the number of bytes that reading may take for each byte of text. With
    ``is_included`` the text is a URDF that an SDFormat world includes, which converts it.
    """

    name: str
    text: Callable[[int], str]
    memory: int = 60
    is_included: bool = False

    def read(self, text: str) -> None:
        """Read a text of the construct, and find the place of each diagnostic."""
        loaded = load(_INCLUDING, overlay={_INCLUDED: text}) if self.is_included else load(text)
        str(loaded.report)


_INCLUDED = '/included.urdf'
_INCLUDING = (
    f'<sdf version="1.11"><world name="w"><include><uri>{_INCLUDED}</uri></include></world></sdf>')


def repeated(piece: str, size: int) -> str:
    """Return a piece repeated up to a size; ``{}`` in it becomes a number."""
    count = max(1, size // len(piece.format(10_000)))
    return ''.join(piece.format(index) for index in range(count))


def constructs() -> Iterator[Construct]:
    """Yield the constructs of every format, and those that only some formats have."""
    for name in SHELLS:
        for part, inside in _INSIDE.items():
            yield Construct(f'{name}: {part}', _in_middle(name, inside))
        for part, inside in _IN_TAG.items():
            yield Construct(f'{name}: {part}', _in_tag(name, inside))
    for full, make in _MODELS.items():
        yield Construct(full, make, 120)
    for full, inside in _CONVERTED.items():
        yield Construct(f'urdf in sdf: {full}', _between(_ROOT_LINK, inside, '</robot>'), 60, True)


def _in_middle(name: str, inside: Callable[[int], str]) -> Callable[[int], str]:
    begin, middle, end = SHELLS[name]
    return lambda size: f'{begin}{middle}{inside(size)}{end}'


def _in_tag(name: str, inside: Callable[[int], str]) -> Callable[[int], str]:
    begin, middle, end = SHELLS[name]
    return lambda size: f'{begin}{inside(size)}{middle}{end}'


def _between(begin: str, piece: str, end: str) -> Callable[[int], str]:
    return lambda size: f'{begin}{repeated(piece, size)}{end}'


_INSIDE: dict[str, Callable[[int], str]] = {
    'text beside comments and references': lambda n: repeated('x<!-- x -->&#120;<!--x-->', n),
    'a long text': lambda n: '<!--c-->' + 'x' * n,
    'a long comment before references': lambda n: (
        f'<!--{"x" * (n // 2)}-->' + '&#120;' * (n // 12)),
    'comments with dashes': lambda n: repeated('<!-- -- -->', n),
    'text in CDATA': lambda n: repeated('<![CDATA[x]]>', n),
    'processing instructions': lambda n: repeated('<?x y?>', n),
    'unknown elements': lambda n: repeated('<unknown{}/>', n),
    'unknown elements in each other': lambda n: (
        ('<u>' * 90 + '</u>' * 90) * max(1, n // 630)),
    'undeclared prefixes': lambda n: repeated('<prefix{}:x/>', n),
    'a long tag': lambda n: f'<{"u" * n}/>',
}
_IN_TAG: dict[str, Callable[[int], str]] = {
    'unknown attributes': lambda n: repeated(' u{}="1"', n),
    'unknown attributes on lines': lambda n: repeated('\n  u{}="&lt;"', n),
    'a long attribute': lambda n: f' u="{"1 " * (n // 2)}"',
}
_URDF_JOINT = (
    '<link name="l{0}"><inertial><mass value="-1"/></inertial></link><joint name="j{0}" '
    'type="revolute"><parent link="b"/><child link="l{0}"/><axis xyz="0 0 2"/>'
    '<limit lower="1" upper="-1" effort="1" velocity="1"/></joint>')
_SDF_JOINT = (
    '<link name="b{0}"/><joint name="j{0}" type="revolute"><parent>l</parent><child>b{0}</child>'
    '<axis><xyz>0 0 2</xyz><limit><lower>2</lower><upper>1</upper></limit></axis></joint>')
_SDF = '<sdf version="1.9"><model name="m"><link name="l"/>'
_MODELS: dict[str, Callable[[int], str]] = {
    'urdf: joints with faults': _between(
        '<robot name="r"><link name="b"/>', _URDF_JOINT, '</robot>'),
    'urdf: links': _between('<robot name="r"><link name="b"/>', '<link name="l{}"/>', '</robot>'),
    'urdf: a long name': lambda n: (
        f'<robot name="r"><link name="{"n" * n}"/><link name="{"n" * n}"/></robot>'),
    'sdf: joints with faults': _between(_SDF, _SDF_JOINT, '</model></sdf>'),
    'urdf: misspelled joints': _between(
        '<robot name="r"><link name="b"/>', '<link name="l{0}"/><jont name="j{0}" type="fixed">'
        '<parent link="b"/><child link="l{0}"/></jont>', '</robot>'),
    'urdf: misspelled attributes': _between(
        '<robot name="r"><link name="b"/>', '<link nme="l{}"/>', '</robot>'),
    'sdf: misspelled links': _between(
        _SDF, '<lnk name="b{0}"/><joint name="j{0}" type="fixed"><parent>l</parent>'
        '<child>b{0}</child></joint>', '</model></sdf>'),
    'sdf: links of one name': _between(_SDF, '<link name="l"/>', '</model></sdf>'),
    'sdf: plugins': _between(
        _SDF, '<plugin name="p{}" filename="f"><a/></plugin>', '</model></sdf>'),
    'sdf: models side by side': _between(
        _SDF, '<model name="n{}"><link name="l"/></model>', '</model></sdf>'),
    'hrdf: a chain': _between(
        '<robot version="1.6.0">', '<actuator type="X5-4" tag="t{}"/>'
        '<link type="X5" extension="0.1" twist="0" mass="-1"/>', '</robot>'),
    'hrdf: a formula': lambda n: (
        f'<robot version="1.6.0"><link type="X5" extension="{"1+" * (n // 2)}1"/></robot>'),
    'skel: misspelled joints': _between(
        '<skel version="1.0"><world name="w"><skeleton name="s">',
        '<body name="b{0}"/><jont name="j{0}" type="free"><parent>world</parent><child>b{0}'
        '</child></jont>', '</skeleton></world></skel>'),
    'skel: bodies of one name': _between(
        '<skel version="1.0"><world name="w"><skeleton name="s">',
        '<body name="a"><inertia><mass>2</mass></inertia><visualization_shape><geometry><sphere>'
        '<radius>1</radius></sphere></geometry></visualization_shape></body>',
        '<joint name="j" type="weld"><parent>world</parent><child>a</child></joint></skeleton>'
        '</world></skel>'),
    'skel: joints of one name': _between(
        '<skel version="1.0"><world name="w"><skeleton name="s">',
        '<body name="b{0}"/><joint name="j" type="free"><parent>world</parent><child>b{0}</child>'
        '</joint>', '</skeleton></world></skel>'),
    'skel: skeletons of one name': _between(
        '<skel version="1.0"><world name="w">', '<skeleton name="s"><body name="b"/><joint '
        'name="j" type="free"><parent>world</parent><child>b</child></joint></skeleton>',
        '</world></skel>'),
    'mjcf: bodies': _between(
        '<mujoco><worldbody>', '<body name="b{0}"><joint name="j{0}"/><geom size="1"/></body>',
        '</worldbody></mujoco>'),
    'mjcf: sites with more': _between(
        '<mujoco><worldbody><body>', '<site name="s{}" rgba="1 0 0 1"/>',
        '</body></worldbody></mujoco>'),
    'mjcf: default classes': _between(
        '<mujoco><default>', '<default class="c{}"><geom size="1"/></default>',
        '</default></mujoco>'),
    'mjcf: keys and motors of one joint': lambda n: (
        '<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><actuator>'
        + repeated('<motor name="m{}" joint="j"/>', n // 2) + '</actuator><keyframe>'
        + repeated('<key name="k{}" qpos="1"/>', n // 2) + '</keyframe></mujoco>'),
    'urdf: joints of one name': _between(
        '<robot name="r"><link name="b"/>', '<link name="l{0}"/><joint name="j" type="fixed">'
        '<parent link="b"/><child link="l{0}"/></joint>', '</robot>'),
    'urdf: materials of one name': _between(
        '<robot name="r"><link name="b"/>', '<material name="m"><color rgba="0 0 {} 1"/>'
        '</material>', '</robot>'),
    'skel: bodies': _between(
        '<skel version="1.0"><world name="w"><skeleton name="s">',
        '<body name="b{}"><transformation>0 0 0 0 0 0</transformation><visualization_shape>'
        '<geometry><box><size>1 1 1</size></box></geometry></visualization_shape></body>',
        '</skeleton></world></skel>'),
}


_INERTIAL = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>')
_ROOT_LINK = f'<robot name="r"><link name="b">{_INERTIAL}</link>'
_SPHERE = '<geometry><sphere radius="1"/></geometry>'
_WELDED = (
    '<link name="l{{0}}">{}</link><joint name="j{{0}}" type="fixed"><parent link="b"/>'
    '<child link="l{{0}}"/></joint>')
_CONVERTED: dict[str, str] = {
    'links on joints': (
        f'<link name="l{{0}}">{_INERTIAL}</link><joint name="j{{0}}" type="continuous">'
        '<parent link="b"/><child link="l{0}"/></joint>'),
    'lumped links': _WELDED.format(''),
    'lumped shapes': _WELDED.format(f'<visual>{_SPHERE}</visual>'),
    'lumped shapes with settings': (
        _WELDED.format(f'<collision>{_SPHERE}</collision>')
        + '<gazebo reference="l{0}"><mu1>1</mu1></gazebo>'),
    'settings of lumped links': (
        _WELDED.format('') + '<gazebo reference="l{0}"><mu1>1</mu1></gazebo>'),
    'settings of a link': '<gazebo reference="b"><kp>1</kp></gazebo>',
    'elements for a link': '<gazebo reference="b"><a/></gazebo>',
    'empty settings': '<gazebo reference="l{0}"/>',
    'plugins': '<gazebo><plugin name="p" filename="f"/></gazebo>',
    'sensors': '<gazebo reference="b"><sensor name="s{0}" type="imu"/></gazebo>',
}


def gearboxes(count: int) -> str:
    """Return a model with a number of joints, in which a gearbox couples every two joints."""
    axes = '<axis><xyz>0 0 1</xyz></axis>'
    joints = ''.join(
        f'<link name="b{index}"/><joint name="j{index}" type="revolute"><parent>l</parent>'
        f'<child>b{index}</child>{axes}</joint>' for index in range(count))
    gears = ''.join(
        f'<joint name="g{index}" type="gearbox"><parent>b{index}</parent>'
        f'<child>b{index + 1}</child><gearbox_ratio>2</gearbox_ratio><gearbox_reference_body>l'
        f'</gearbox_reference_body>{axes}{axes.replace("axis", "axis2")}</joint>'
        for index in range(0, count - 1, 2))
    return f'{_SDF}{joints}{gears}</model></sdf>'


def parallel_joints(count: int) -> str:
    """Return a model with a number of joints between two links; all but one close a loop."""
    return f'{_SDF}<link name="b"/>' + ''.join(
        f'<joint name="j{index}" type="revolute"><parent>l</parent><child>b</child>'
        '<axis><xyz>0 0 1</xyz></axis></joint>' for index in range(count)) + '</model></sdf>'


def lines_of(work: Callable[[], object]) -> int:
    """Return how many lines of this project some work runs, counted as often as they run."""
    count = 0

    def in_frame(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += 1
        return in_frame

    def at_call(frame: FrameType, event: str, _: Any) -> Optional[Any]:
        nonlocal count
        count += 1
        return in_frame if frame.f_globals.get('__name__', '').startswith('hrdf_ros') else None

    before = sys.gettrace()
    sys.settrace(at_call)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def peak_memory(work: Callable[[], object]) -> int:
    """Return the most bytes that some work takes at one time."""
    gc.freeze()  # garbage is collected the later, the more objects other tests have left
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.unfreeze()


def growth(works: Sequence[Callable[[], object]]) -> str:
    """
    Return the lines that pieces of work run, if they grow too much, else ''.

    Each piece does twice as much as the one before it. The first doublings say how much a doubling
    adds, apart from what is done once. Lines that seem to grow are counted again: by then, all
    that the work needs is imported, compiled and cached.
    """
    for _ in range(2):
        lines = [lines_of(work) for work in works]
        added = [larger - smaller for smaller, larger in zip(lines, lines[1:])]
        if added[-1] <= GREATEST_RATIO * max(added[-2], 0) + NEGLIGIBLE:
            return ''
    return f'{lines}'
