# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Find the robots in a directory by the suffixes and contents of files.

A file that is only a part of other files is not a robot: its faults are found in the files that
include it.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
import os
import re
from typing import Literal, NamedTuple, NoReturn, Optional

from hrdf_ros.document import root_element, SourceFile
from hrdf_ros.document.tokenizer import child_starts, scan_start_tag, StartTag, tokens
from hrdf_ros.file_reader import open_regular
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.readers.registry import CONFIGURATION_SUFFIX, FORMATS

_SUFFIXES = tuple(
    suffix for one in FORMATS for suffix in one.suffixes if suffix != '.xacro')
_ROOTS = frozenset(one.root_elements[0] for one in FORMATS)
"""The root elements of robots in files with the suffix .xml."""
_XACRO = b'xacro:'
_XACRO_WORDS = frozenset((
    b'arg', b'attribute', b'element', b'else', b'if', b'include', b'insert_block', b'macro',
    b'property', b'unless'))
"""The elements of xacro itself; any other element calls a macro."""
_INCLUDE = _XACRO + b'include'
_FIND = r'\$\(find [^)]*\)'
"""A pattern for xacro's reference to a package."""
_NO_BODIES = frozenset((b'camera', b'light', b'site'))
"""The elements that the world of MJCF has besides bodies and shapes."""
_SRDF = frozenset((
    b'disable_collisions', b'end_effector', b'group', b'group_state', b'virtual_joint'))
"""Elements that only an SRDF has in its <robot>."""
_BESIDE_LINKS = frozenset((b'gazebo', b'material', b'ros2_control', b'transmission'))
"""The elements that do not make a <robot> a robot: with no others it is a part of one."""

Kind = Literal['robot', 'xacro']


class RobotFile(NamedTuple):
    """
    A robot description, or a directory without any.

    ``is_xacro`` says whether it has to be expanded; if it is None, the name decides. A directory
    without robots stands for itself, with the number of its ``xacro_files``.
    """

    file: str
    is_xacro: Optional[bool] = None
    xacro_files: int = 0


def robot_files(name: str, exclude: Sequence[str] = ()) -> Iterator[RobotFile]:
    """Yield the robots below a directory, including xacro files, in a fixed order."""
    for file in _files_below(name, exclude):
        kind = kind_of(file)
        if kind is not None:
            yield RobotFile(file, kind == 'xacro')


def files_to_format(name: str) -> Iterator[str]:
    """Yield a file itself, or the files below a directory that have the suffix of a format."""
    if not os.path.isdir(name):
        yield name
        return
    for file in _files_below(name):
        if file.lower().endswith((*_SUFFIXES, '.xacro')) or os.path.isdir(file):
            yield file


def matches(file: str, patterns: Sequence[str]) -> bool:
    """
    Return whether a file, or a directory above it, matches a pattern.

    A pattern matches a base name or a whole path, as in the settings of ruff. A relative path is
    relative to the working directory.
    """
    path = os.path.abspath(file) if patterns else ''
    while patterns:
        for pattern in patterns:
            bare = pattern.rstrip('/')
            if fnmatchcase(os.path.basename(path), bare) or (
                    fnmatchcase(path, os.path.abspath(bare))):
                return True
        if path == (path := os.path.dirname(path)):
            break
    return False


def _files_below(name: str, exclude: Sequence[str] = ()) -> Iterator[str]:
    """Yield the files below a directory, and the directories that cannot be read."""
    pending = [name]
    while pending:  # level by level: os.walk is recursive, and a tree may be deep
        directory = pending.pop()
        try:
            _, below, files = next(os.walk(directory, onerror=_raise), (directory, [], []))
        except OSError:
            yield directory  # the reader of the directory reports why
            continue
        for file in sorted(files):
            path = os.path.join(directory, file)
            if not matches(path, exclude):
                yield path
        paths = (
            os.path.join(directory, one) for one in sorted(below, reverse=True)
            if not one.startswith('.'))
        pending += (
            path for path in paths if not os.path.islink(path) and not matches(path, exclude))


def _raise(error: OSError) -> NoReturn:
    raise error


# ---- by content

def kind_of(file: str) -> Optional[Kind]:
    """
    Return the kind of a file: a robot, a xacro file with a robot, or None for neither.

    The beginning decides for a file that is too large to be read; its check reports the fault.
    """
    lower = file.lower()
    if lower.endswith(CONFIGURATION_SUFFIX) or os.path.isdir(file):
        return 'robot'
    is_named = lower.endswith(_SUFFIXES)
    if not (is_named or lower.endswith(('.xacro', '.xml'))):
        return None
    root, source = None, None
    try:
        with open_regular(file) as stream:
            source = SourceFile(file, stream.read(ResourceLimits().file_bytes))
        root = root_element(source)
    except OSError:
        return 'robot' if is_named else None  # the check of the file reports the fault
    if root is None:
        return 'robot' if is_named else None
    tag, attributes = root
    if lower.endswith('.srdf.xacro') or tag == 'robot' and _is_part(source.data):
        return None
    if tag == 'robot' and (_XACRO in source.data or lower.endswith('.xacro')):
        is_robot = 'name' in attributes and (
            _has_xacro_robot(source.data) or _includes_robot(file, source.data))
        return 'xacro' if is_robot else None
    if lower.endswith('.xacro') or not is_named and tag not in _ROOTS:
        return None
    if tag == 'mujoco':
        return 'robot' if _has_world(source.data) else None
    return 'robot'


def _includes_robot(file: str, data: bytes) -> bool:
    """Return whether a xacro file includes another xacro file that has links."""
    package = file
    while package != (package := os.path.dirname(package)):
        if os.path.isfile(os.path.join(package, 'package.xml')):
            break
    seen: set[str] = set()
    left = ResourceLimits().file_bytes
    for token in tokens(data):
        if token.kind in ('open', 'empty') and token.name(data) == _INCLUDE:
            tag = scan_start_tag(data, token.start)
            place = None if tag is None else tag.attributes.get(b'filename')
            if place is None:
                continue
            name = os.fsdecode(data[place[1].start:place[1].end])
            path = os.path.join(
                os.path.dirname(file), re.sub(_FIND, lambda _: os.path.abspath(package), name))
            if path in seen:
                continue
            seen.add(path)
            try:
                with open_regular(path) as stream:
                    included = stream.read(left)
            except (OSError, ValueError):
                continue  # expanding the file reports why
            left -= len(included)
            if _has_xacro_robot(included):
                return True
    return False


def _has_xacro_robot(data: bytes) -> bool:
    """Return whether a xacro file has links or calls macros, outside of its own macros."""
    macros = 0
    for token in tokens(data):
        name = token.name(data) if token.kind in ('open', 'empty', 'close') else b''
        if name == _XACRO + b'macro':
            macros += (token.kind == 'open') - (token.kind == 'close')
        elif macros == 0 and token.kind != 'close' and (name == b'link' or (
                name.startswith(_XACRO) and name[len(_XACRO):] not in _XACRO_WORDS)):
            return True
    return False


def _has_world(data: bytes) -> bool:
    """Return whether an MJCF file has something in its world, or includes other files."""
    root = _root(data)
    for tag, start in () if root is None else child_starts(data, root):
        child = scan_start_tag(data, start)
        if tag == b'include' or tag == b'worldbody' and child is not None and any(
                name not in _NO_BODIES for name, _ in child_starts(data, child)):
            return True
    return False


def _is_part(data: bytes) -> bool:
    """Return whether a <robot> only has parts for other files, or belongs to an SRDF."""
    root = _root(data)
    tags = set() if root is None else {tag for tag, _ in child_starts(data, root)}
    return bool(tags) and tags <= _BESIDE_LINKS or (
        b'link' not in tags and not _SRDF.isdisjoint(tags))


def _root(data: bytes) -> Optional[StartTag]:
    start = next((one.start for one in tokens(data) if one.kind in ('open', 'empty')), None)
    return None if start is None else scan_start_tag(data, start)
