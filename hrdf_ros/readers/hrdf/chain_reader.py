# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Read a document and its includes as the robot's elements in their order."""

from collections.abc import Iterator
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
"""A version that hebi-py accepts and that no specification describes."""
_NOT_RELATIVE = r'/|[A-Za-z]:[\\/]|[A-Za-z][A-Za-z0-9+.-]*://'


class HrdfRobot(NamedTuple):
    """
    A robot as its files describe it.

    ``elements`` are listed depth first in document order, includes spliced in place. ``followers``
    gives the element on an output (element, number of the output); the robot's own frame is
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

    ``offers`` is its interface, None where any interface fits. ``closed`` says why nothing can
    follow; it is '' where an element can.
    """

    __slots__ = ('last', 'output', 'offers', 'closed')

    def __init__(
        self, last: int = NONE, output: int = 0, offers: Optional[catalog.Interface] = None,
    ) -> None:
        self.last, self.output, self.offers, self.closed = last, output, offers, ''


class _Level(NamedTuple):
    """Elements still to be read, the version of their file, and the chain that they extend."""

    elements: Iterator[TypedElement]
    version: str
    chain: _Chain


def read_robot(source: SourceFile, context: Context) -> Optional[HrdfRobot]:
    """Return the robot of a file, None with errors, which are in the report."""
    report = context.report
    before = len(report)
    root = _parse(source, report)
    robot = None if root is None else _Walk(context).read(root)
    report.sort(before)
    errors = (found.severity == 'error' for found in report.diagnostics[before:])
    return None if any(errors) else robot


def _parse(source: SourceFile, report: Report) -> Optional[TypedElement]:
    return parse(source, report, TypedElement, value_paths=VALUE_PATHS, declaration_anywhere=True)


class _Walk:
    """Walks through the elements of all files with its own stack, so that any depth is safe."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.report = context.report
        self.levels: list[_Level] = []
        self.elements: list[ChainElement] = []
        self.followers: dict[tuple[int, int], int] = {}
        self.tags: dict[str, SourceRef] = {}
        self.frames = 0
        """The number of frames of all elements together."""
        self.approximated: set[str] = set()

    def read(self, root: TypedElement) -> Optional[HrdfRobot]:
        """Return the robot, None where the file has none; all faults are in the report."""
        version = self._open(root, 'robot')
        if version is None:
            return None
        chain = _Chain()
        self.levels.append(_Level(iter(root.children), version, chain))
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
        if version in _IMPLICIT_END_EFFECTOR:
            self._attach(
                ChainElement('end-effector', 'Custom', root.location, inertia=Inertia(0.0)), chain)
        return HrdfRobot(
            version=version, base_from_robot=read_pose(root, 'rot', 'trans'),
            elements=tuple(self.elements), followers=self.followers, location=root.location,
            description=root.string('description'))

    # ---- files

    def _open(self, root: TypedElement, entry: str) -> Optional[str]:
        """Validate a file and return its version, None if its root element is not a robot."""
        if not SCHEMA.is_root(root, self.report):
            return None
        version = _read_version(root, self.report)
        SCHEMA.validate(
            root, self.report, entry=entry, version=version,
            is_version_given='version' in root.attributes)
        return version

    def _read_include(self, element: TypedElement, level: _Level) -> None:
        """Replace the include element by the elements of its file."""
        root = self._parse_include(element)
        version = None if root is None else self._open(root, 'included robot')
        if root is None or version is None:
            level.chain.offers = None
            return
        if version != level.version:
            self.report.add(
                codes.HRDF_INCLUDE_VERSION,
                f'{root.document.file} is HRDF {version}, but {element.document.file}, which '
                f'includes it, is HRDF {level.version}', root.locate('version'),
                hint='hebi-py reads each file by its own version too')
        for name in filter(root.attributes.__contains__, ('rot', 'trans')):
            self.report.add(
                codes.HRDF_INCLUDE_POSE_IGNORED,
                f"'{name}' on the <robot> of an included file has no effect",
                root.attribute_location(name))
        self.levels.append(_Level(iter(root.children), version, level.chain))

    def _parse_include(self, element: TypedElement) -> Optional[TypedElement]:
        """Return the root of an included file, None where it cannot be read."""
        if element.rule.is_newer or not element.has('path'):
            return None
        path, location = element.string('path'), element.locate('path')
        if not path or re.match(_NOT_RELATIVE, path):
            self.report.add(
                codes.HRDF_PATH_NOT_RELATIVE, f"'{path}' is not a path relative to this file",
                location)
            return None
        file, resolver = element.document.file, self.context.resolver
        path = os.path.join('' if file == TEXT else os.path.dirname(file), path)
        source = resolver.read(os.path.normpath(path), self.report, location)
        if resolver.exhausted:
            self.levels.clear()
        return None if source is None else _parse(source, self.report)

    # ---- elements

    def _read_element(self, element: TypedElement, level: _Level) -> None:
        """Read an element, attach it to the chain, and begin a chain on each of its outputs."""
        self._check_tag(element)
        found = read_element(element, self.report, self.context.resolver)
        if found is not None:
            self._report_approximation(found, element)
            self._attach(found, level.chain)
        else:
            level.chain.offers = None
        outputs = element.all('output') if 'output' in element.rule.content.children else []
        for number, output in reversed(list(enumerate(outputs))):
            chain = _Chain(level.chain.last, number, level.chain.offers)
            self.levels.append(_Level(iter(output.children), level.version, chain))
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
            other = _name(self.elements[chain.last])
            self.report.add(
                codes.HRDF_INTERFACE_MISMATCH,
                f'{_name(element)} cannot be mounted on {other}', element.location,
                hint=f'{other} carries {_fitting(*chain.offers)}')
        index = len(self.elements)
        self.elements.append(element)
        self.followers[chain.last, chain.output] = index
        chain.last, chain.output, chain.offers = index, 0, element.part.offers
        if element.kind == 'end-effector':
            chain.closed = 'an end effector'
        # stop at the first element beyond the limit, before its frames exist
        own = 1 if element.inertia is None else 3 if element.kind == 'end-effector' else 2
        self.frames += len(element.outputs) + own
        most = self.context.resolver.limits.frames
        if self.frames > most:
            self.report.add(
                codes.TOO_MANY_FRAMES, f'from here the model has more than {most} frames',
                element.location)
            self.levels.clear()

    def _report_approximation(self, found: ChainElement, element: TypedElement) -> None:
        """Report once for each type that its inertia is approximated."""
        family = catalog.FAMILIES.get(found.part.family)
        if family is None or not family.approximated or found.type in self.approximated or all(
                element.values.get(term) is not None for term in ('ixx', 'iyy', 'izz')):
            return
        self.approximated.add(found.type)
        self.report.add(
            codes.HRDF_INERTIA_APPROXIMATED,
            f'the inertia of {found.type} is not published; that of R8 is scaled to its mass and '
            'height', found.location, hint='give ixx, iyy, izz, ixy, ixz, iyz yourself')

    def _check_tag(self, element: TypedElement) -> None:
        """Report a tag that another element has, in any file."""
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


def _fitting(interface: str, is_actuator: bool) -> str:
    """Return the names of the parts that fit an interface, either actuators or other parts."""
    if is_actuator:
        link = next(name for name, found in catalog.LINKS.items() if found.interface == interface)
        return f'{_with_article(link)} bracket or link'
    families = (name for name, found in catalog.FAMILIES.items() if found.interface == interface)
    return f"{_with_article(' or '.join(families))} actuator"


def _name(element: ChainElement) -> str:
    kind = '' if element.kind == 'actuator' else ' ' + element.kind.replace('-', ' ')
    return _with_article(element.type + kind)


def _with_article(name: str) -> str:
    return f'an {name}' if name[:1] in 'AEIORX' else f'a {name}'


# ---- versions

def _read_version(root: TypedElement, report: Report) -> str:
    """Return the version of a file: 1.0.0 without one, the newest where it is wrong."""
    name, newest = root.get('version'), VERSIONS[-1]
    if name is None:
        report.add(
            codes.MISSING_VERSION, 'without a version this is read as HRDF 1.0.0', root.location,
            fix=root.location.version_fix(newest, is_safe=False))
        return VERSIONS[0]
    if name in VERSIONS:
        return name
    if name == _UNDOCUMENTED:
        report.add(
            codes.HRDF_VERSION_UNDOCUMENTED,
            f'there is no specification of HRDF {name}; it is read as {newest}',
            root.locate('version'), hint='hebi-py accepts it, and adds a few types of parts')
    else:
        report.add(
            codes.UNKNOWN_VERSION, f"unknown HRDF version '{name}'", root.locate('version'),
            hint=f"one of {', '.join(VERSIONS)}")
    return newest
