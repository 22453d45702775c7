# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""From a document and its includes to the robot's elements in their order."""

from collections.abc import Iterator, Sequence
import os
import re
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceFile, SourceRef
from hrdf_ros.file_reader import TEXT
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import NONE
from hrdf_ros.pose import Pose
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.hrdf import catalog
from hrdf_ros.readers.hrdf.elements import ChainElement, read_element, read_pose
from hrdf_ros.readers.hrdf.schema import SCHEMA, VALUE_PATHS, VERSIONS
from hrdf_ros.readers.schema import TypedElement

_IMPLICIT_END_EFFECTOR = VERSIONS[:2]
"""The versions in which every robot ends in an end effector that is not written."""
_UNDOCUMENTED = '1.7.0'
"""A version that hebi-py takes and no specification describes."""
_NOT_RELATIVE = r'/|[A-Za-z]:[\\/]|[A-Za-z][A-Za-z0-9+.-]*://'


class FileContext(NamedTuple):
    """The version that a file is read as, and whether the file names it itself."""

    version: str
    is_given: bool = True

    def __str__(self) -> str:
        """Return the version as a message names it."""
        return f'HRDF {self.version}' + ('' if self.is_given else ' (it has no version attribute)')


class HrdfRobot(NamedTuple):
    """
    A robot as its files describe it.

    ``elements`` are listed depth first in document order, includes spliced in place. ``followers``
    gives the element behind an output (element, number of the output); the robot's own frame is
    output 0 of element -1. ``base_from_robot`` places the first element.
    """

    version: str
    base_from_robot: Pose
    elements: tuple[ChainElement, ...]
    followers: dict[tuple[int, int], int]
    location: SourceRef
    description: str


class _Chain:
    """
    The end of a chain of elements: the output to which the next one is attached.

    ``offers`` is its interface, None where that fits anything or is not known; ``closed`` is why
    nothing can follow, empty where something can.
    """

    __slots__ = ('last', 'output', 'offers', 'closed')

    def __init__(
        self, last: int = NONE, output: int = 0, offers: Optional[catalog.Interface] = None,
    ) -> None:
        self.last, self.output, self.offers, self.closed = last, output, offers, ''


class _Level(NamedTuple):
    """An element on the way: its children yet to read, its file, the chain they extend."""

    elements: Iterator[TypedElement]
    file: FileContext
    chain: _Chain


def read_robot(source: SourceFile, context: Context) -> Optional[HrdfRobot]:
    """Return the robot of a file; None with errors, which are in the report."""
    report = context.report
    before = len(report)
    root = _parse(source, report)
    robot = None if root is None else _Walk(context).read(root)
    report.sort(before)
    if robot is None or any(found.severity == 'error' for found in report.diagnostics[before:]):
        return None
    _note_approximations(robot.elements, report)
    return robot


def _parse(source: SourceFile, report: Report) -> Optional[TypedElement]:
    return parse(source, report, TypedElement, value_paths=VALUE_PATHS, declaration_anywhere=True)


def _note_approximations(elements: Sequence[ChainElement], report: Report) -> None:
    """Say once for each type that its inertia is approximated."""
    reported = set()
    for element in elements:
        if element.approximated and element.type not in reported:
            reported.add(element.type)
            report.add(
                codes.HRDF_INERTIA_APPROXIMATED,
                f'the inertia of {element.type} is not published; that of R8 is scaled to its '
                'mass and height', element.location,
                hint='give ixx, iyy, izz, ixy, ixz, iyz yourself')


class _Walk:
    """Goes through the nodes of all files with a stack of its own, however deep they are."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.report = context.report
        self.levels: list[_Level] = []
        self.elements: list[ChainElement] = []
        self.followers: dict[tuple[int, int], int] = {}
        self.tags: dict[str, SourceRef] = {}
        self.frames = 0
        """How many frames the elements have together."""

    def read(self, root: TypedElement) -> Optional[HrdfRobot]:
        """Return the robot, None where it is none; all that is wrong with it is in the report."""
        file = self._open_file(root, 'robot')
        if file is None:
            return None
        chain = _Chain()
        self.levels.append(_Level(iter(root.children), file, chain))
        self._read_levels()
        if file.version in _IMPLICIT_END_EFFECTOR:
            self._attach(
                ChainElement('end-effector', 'Custom', root.location, inertia=Inertia(0.0)), chain)
        return HrdfRobot(
            version=file.version, base_from_robot=read_pose(root, 'rot', 'trans'),
            elements=tuple(self.elements), followers=self.followers, location=root.location,
            description=root.string('description'))

    def _read_levels(self) -> None:
        """Read the elements of all levels, the innermost first."""
        while self.levels:
            level = self.levels[-1]
            element = next(level.elements, None)
            if element is None:
                self.levels.pop()
            elif element.tag not in SCHEMA.elements['robot'].children:
                level.chain.offers = None
            elif element.tag == 'include':
                self._read_include(element, level)
            else:
                self._read_element(element, level)

    # ---- files

    def _open_file(self, root: TypedElement, entry: str) -> Optional[FileContext]:
        """Validate a file and return its context, None where its root element is not a robot."""
        if not SCHEMA.is_root(root, self.report):
            return None
        file = _read_version(root, self.report)
        SCHEMA.validate(
            root, self.report, entry=entry, version=file.version,
            is_version_given=file.is_given)
        return file

    def _read_include(self, element: TypedElement, level: _Level) -> None:
        """Put the elements of another file in the place of the include element."""
        opened = self._open_include(element)
        if opened is None:
            level.chain.offers = None
            return
        root, file = opened
        if file.version != level.file.version:
            self.report.add(
                codes.HRDF_INCLUDE_VERSION,
                f'{root.document.file} is {file}, but {element.document.file}, which includes it, '
                f'is {level.file}', root.locate('version'),
                hint='hebi-py reads each file by its own version too')
        for name in filter(root.attributes.__contains__, ('rot', 'trans')):
            self.report.add(
                codes.HRDF_INCLUDE_POSE_IGNORED,
                f"'{name}' on the <robot> of an included file has no effect",
                root.attribute_location(name))
        self.levels.append(_Level(iter(root.children), file, level.chain))

    def _open_include(self, element: TypedElement) -> Optional[tuple[TypedElement, FileContext]]:
        """Return the root of an included file and its context, None where it cannot be read."""
        if element.rule.is_newer or not element.has('path'):
            return None
        path, location = element.string('path'), element.locate('path')
        if not path or re.match(_NOT_RELATIVE, path):
            self.report.add(
                codes.HRDF_PATH_NOT_RELATIVE, f"'{path}' is not a path relative to this file",
                location)
            return None
        resolver = self.context.resolver
        source = resolver.read(_beside(element, path), self.report, location)
        if resolver.exhausted:
            self.levels.clear()
        root = None if source is None else _parse(source, self.report)
        file = None if root is None else self._open_file(root, 'included robot')
        return None if root is None or file is None else (root, file)

    # ---- elements

    def _read_element(self, element: TypedElement, level: _Level) -> None:
        """Read an element, attach it to the chain, and begin a chain on each of its outputs."""
        self._check_tag(element)
        found = read_element(element, self.report, self.context.resolver)
        if found is not None:
            self._attach(found, level.chain)
        else:
            level.chain.offers = None
        outputs = element.all('output') if 'output' in element.rule.content.children else []
        for number, output in reversed(list(enumerate(outputs))):
            chain = _Chain(level.chain.last, number, level.chain.offers)
            self.levels.append(_Level(iter(output.children), level.file, chain))
        if outputs:
            level.chain.closed = f'<{element.tag}>, which has <output> elements'

    def _attach(self, element: ChainElement, chain: _Chain) -> None:
        """Append an element to a chain; report interfaces that do not fit."""
        if chain.closed:
            self.report.add(
                codes.CHAIN_ALREADY_ENDED, f'nothing can follow {chain.closed}', element.location)
            chain.closed = ''
        elif (chain.offers is not None and element.part.accepts is not None
              and chain.offers != element.part.accepts):
            _report_mismatch(element, self.elements[chain.last], self.report)
        index = len(self.elements)
        self.elements.append(element)
        self.followers[chain.last, chain.output] = index
        chain.last, chain.output, chain.offers = index, 0, element.part.offers
        if element.kind == 'end-effector':
            chain.closed = 'an end effector'
        self._count_frames(element)

    def _count_frames(self, element: ChainElement) -> None:
        """Stop at the element that is too much, before more is made of it."""
        most = self.context.resolver.limits.frames
        own = 1 if element.inertia is None else 3 if element.kind == 'end-effector' else 2
        self.frames += len(element.outputs) + own
        if self.frames > most:
            self.report.add(
                codes.TOO_MANY_FRAMES, f'from here the model has more than {most} frames',
                element.location)
            self.levels.clear()

    def _check_tag(self, element: TypedElement) -> None:
        """Report a tag that another element has, in whatever file."""
        tag = element.get('tag')
        if tag is None or element.rule.attributes['tag'].is_newer:
            return
        location = element.locate('tag')
        first = self.tags.setdefault(tag, location)
        if first is not location:
            included = location.document.included_from is not None
            self.report.add(
                codes.DUPLICATE_TAG,
                f"duplicate tag '{tag}'; the first is at {first.resolve()}",
                location,
                hint='a file with tags can be included only once' if included else None,
            )


def _beside(element: TypedElement, path: str) -> str:
    """Return a path relative to the node's file, or to the working directory for a text."""
    file = element.document.file
    return os.path.normpath(os.path.join('' if file == TEXT else os.path.dirname(file), path))


def _report_mismatch(element: ChainElement, before: ChainElement, report: Report) -> None:
    """Report that an element cannot follow another one, and what can."""
    wanted, needs_actuator = element.part.accepts or ('', False)
    offered, is_actuator = before.part.offers or ('', False)
    if is_actuator:
        link = next(name for name, found in catalog.LINKS.items() if found.interface == offered)
        fitting = f'{_with_article(link)} bracket or link'
    else:
        families = (
            name for name, found in catalog.FAMILIES.items() if found.interface == offered)
        fitting = f'{_with_article(" or ".join(families))} actuator'
    other = place = _with_article(_name(before))
    if before.kind == 'actuator':
        place = "an actuator's output" if wanted == offered else f'the output of {other}'
    if wanted == offered:
        hint = f'put {fitting} between them'
    elif needs_actuator != is_actuator:
        hint = f'{other} carries {fitting}'
    else:
        hint = f'use {fitting} here, or another part before it'
    report.add(
        codes.HRDF_INTERFACE_MISMATCH,
        f'{_with_article(_name(element))} cannot be mounted on {place}', element.location,
        hint=hint)


def _name(element: ChainElement) -> str:
    kind = element.kind.replace('-', ' ')
    return element.type if element.kind == 'actuator' else f'{element.type} {kind}'


def _with_article(name: str) -> str:
    return f'an {name}' if name[:1] in 'AEIORX' else f'a {name}'


# ---- versions

def _read_version(root: TypedElement, report: Report) -> FileContext:
    """Return the context of a file: without a version 1.0.0, the newest where it is wrong."""
    name, newest = root.get('version'), VERSIONS[-1]
    if name is None:
        report.add(
            codes.MISSING_VERSION, 'without a version this is read as HRDF 1.0.0', root.location,
            fix=root.location.root_fix('version', VERSIONS[-1]))
        return FileContext(VERSIONS[0], False)
    if name in VERSIONS:
        return FileContext(name)
    if name == _UNDOCUMENTED:
        report.add(
            codes.HRDF_VERSION_UNDOCUMENTED,
            f'there is no specification of HRDF {name}; it is read as {newest}',
            root.locate('version'), hint='hebi-py accepts it, and adds a few types of parts')
    else:
        report.add(
            codes.UNKNOWN_VERSION, f"unknown HRDF version '{name}'", root.locate('version'),
            hint=f"one of {', '.join(VERSIONS)}")
    return FileContext(newest)
