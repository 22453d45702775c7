# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""From a document and what it includes to the robot's elements, and who follows whom."""

from __future__ import annotations

from collections.abc import Iterator
import os
import re
from typing import NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Report
from hrdf_ros.document import parse, SourceRef, XmlElement
from hrdf_ros.inertia import Inertia
from hrdf_ros.model import NONE
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.pose import Pose
from hrdf_ros.readers.api import Context
from hrdf_ros.readers.hrdf.attributes import FileContext, is_known, read_values
from hrdf_ros.readers.hrdf.elements import ChainElement, read_element
from hrdf_ros.readers.hrdf.grammar import (
    ELEMENTS,
    IMPLICIT_END_EFFECTOR_UNTIL,
    NEWEST,
    UNDOCUMENTED,
    VERSIONS,
)
from hrdf_ros.readers.hrdf.value_paths import VALUE_PATHS
from hrdf_ros.resolve import TEXT

_NOT_RELATIVE = re.compile(r'/|[A-Za-z]:[\\/]|[A-Za-z][A-Za-z0-9+.-]*://')


class Robot(NamedTuple):
    """
    A robot as its files describe it.

    ``elements`` stand depth first in document order, includes spliced in place. ``followers``
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

    ``offers`` is its interface, None where that fits anything or is not known.
    """

    __slots__ = ('last', 'output', 'offers', 'closed')

    def __init__(
        self, last: int = NONE, output: int = 0, offers: Optional[str] = None,
    ) -> None:
        self.last = last
        self.output = output
        self.offers = offers
        self.closed = ''
        """Why nothing can follow, empty where something can."""


class _Level(NamedTuple):
    """A node on the way: its children yet to read, its file's scope, the chain they extend."""

    parent: XmlElement
    nodes: Iterator[XmlElement]
    scope: FileContext
    chain: _Chain


def read_robot(root: XmlElement, context: Context) -> Optional[Robot]:
    """Return the robot, None where it is none; all that is wrong with it is in the report."""
    walk = _Walk(context)
    scope = walk.open_file(root)
    if scope is None:
        return None
    values = read_values(root, scope)
    chain = _Chain()
    walk.levels.append(_Level(root, iter(root.children), scope, chain))
    walk.run()
    if scope.version <= IMPLICIT_END_EFFECTOR_UNTIL:
        walk.attach(
            ChainElement('end-effector', 'Custom', root.location, inertia=Inertia(0.0)), chain
        )
    return Robot(
        VERSIONS[scope.version], values.pose('rot', 'trans'), tuple(walk.elements),
        walk.followers, root.location, root.get('description') or '')


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

    def run(self) -> None:
        """Read the nodes of all levels, the innermost first."""
        while self.levels:
            level = self.levels[-1]
            node = next(level.nodes, None)
            if node is None:
                self.levels.pop()
            elif node.tag == 'include':
                self._read_include(node, level)
            elif node.tag in ELEMENTS['robot'].contains:
                self._read_element(node, level)
            else:
                _report_unknown(node, level.parent.tag, self.report)
                level.chain.offers = None

    # ---- files

    def open_file(self, root: XmlElement) -> Optional[FileContext]:
        """Return the scope of a file, None where its root element is not a robot."""
        document = root.document
        if root.tag != 'robot':
            self.report.add(
                codes.UNKNOWN_ELEMENT, f'the root element of HRDF is <robot>, not <{root.tag}>',
                root.location, severity='error')
            return None
        for location in document.stray:
            if not document.data.startswith(b'<?', location.start):
                self._report_text(location)
        if root.text:
            self._report_text(root.text_location())
        return _read_version(root, self.report)

    def _report_text(self, location: SourceRef) -> None:
        self.report.add(
            codes.STRAY_TEXT, 'HRDF has no text outside of attributes', location, severity='error'
        )

    def _read_include(self, node: XmlElement, level: _Level) -> None:
        """Put the elements of another file in the place of the include element."""
        opened = self._open_include(node, level)
        if opened is None:
            level.chain.offers = None
            return
        root, scope = opened
        _compare_versions(root, scope, node, level.scope)
        _note_ignored_pose(root, self.report)
        self.levels.append(_Level(root, iter(root.children), scope, level.chain))

    def _open_include(
        self, node: XmlElement, level: _Level
    ) -> Optional[tuple[XmlElement, FileContext]]:
        """Return the root of an included file and its scope, None where it cannot be read."""
        self._check_content(node)
        path = read_values(node, level.scope).texts.get('path')
        known = is_known('<include>', ELEMENTS['include'].since, node, None, level.scope)
        if path is None or not known:
            return None
        if not path or _NOT_RELATIVE.match(path):
            self.report.add(
                codes.HRDF_PATH_NOT_RELATIVE, f"'{path}' is not a path relative to this file",
                node.attribute_location('path', 0))
            return None
        resolver = self.context.resolver
        source = resolver.read(
            _beside(node, path), self.report, node.attribute_location('path', 0)
        )
        if resolver.exhausted:
            self.levels.clear()
        root = None if source is None else parse(
            source, self.report, value_paths=VALUE_PATHS)
        scope = None if root is None else self.open_file(root)
        return None if root is None or scope is None else (root, scope)

    # ---- elements

    def _read_element(self, node: XmlElement, level: _Level) -> None:
        """Read an element, attach it to the chain, and begin a chain on each of its outputs."""
        self._check_content(node)
        self._check_tag(node, level.scope)
        element = read_element(node, level.scope, self.context.resolver)
        if element is not None:
            self.attach(element, level.chain)
        else:
            level.chain.offers = None
        outputs = node.all('output') if 'output' in ELEMENTS[node.tag].contains else []
        for number, output in reversed(list(enumerate(outputs))):
            if output.text:
                self._report_text(output.text_location())
            chain = _Chain(level.chain.last, number, level.chain.offers)
            self.levels.append(_Level(output, iter(output.children), level.scope, chain))
        if outputs:
            level.chain.closed = f'<{node.tag}>, which has <output> elements'

    def attach(self, element: ChainElement, chain: _Chain) -> None:
        """Let an element follow on a chain; report what does not fit."""
        if chain.closed:
            self.report.add(
                codes.CHAIN_ALREADY_ENDED, f'nothing can follow {chain.closed}', element.location)
            chain.closed = ''
        elif None not in (chain.offers, element.accepts) and chain.offers != element.accepts:
            self.report.add(
                codes.HRDF_INTERFACE_MISMATCH,
                f'this {element.kind} {element.type} fits {element.accepts}, but the element '
                f'before it offers {chain.offers}', element.location)
        index = len(self.elements)
        self.elements.append(element)
        self.followers[chain.last, chain.output] = index
        chain.last, chain.output, chain.offers = index, 0, element.offers
        if element.kind == 'end-effector':
            chain.closed = 'an end effector'
        self._count_frames(element)

    def _count_frames(self, element: ChainElement) -> None:
        """Stop at the element that is too much, before more is made of it."""
        most = self.context.resolver.limits.frames
        self.frames += len(element.outputs) + (2 if element.inertia is not None else 0)
        if self.frames > most:
            self.report.add(
                codes.TOO_MANY_FRAMES, f'from here the model has more than {most} frames',
                element.location)
            self.levels.clear()

    def _check_content(self, node: XmlElement) -> None:
        """Report child elements and text that the element cannot have."""
        for child in node.children:
            if child.tag not in ELEMENTS[node.tag].contains:
                _report_unknown(child, node.tag, self.report)
        if node.text:
            self._report_text(node.text_location())

    def _check_tag(self, node: XmlElement, scope: FileContext) -> None:
        """Report a tag that another element has, in whatever file."""
        tag = node.get('tag')
        if tag is None or ELEMENTS[node.tag].attributes['tag'].since > scope.version:
            return
        location = node.attribute_location('tag', 0)
        first = self.tags.setdefault(tag, location)
        if first is not location:
            included = location.document.included_from is not None
            self.report.add(
                codes.DUPLICATE_TAG,
                f"the tag '{tag}' stands at {first.resolve()} already",
                location,
                hint='a file with tags can be included only once' if included else None,
            )


def _report_unknown(node: XmlElement, parent: str, report: Report) -> None:
    known = ELEMENTS[parent].contains
    report.add(
        codes.UNKNOWN_ELEMENT, f'<{node.tag}> cannot stand in <{parent}>',
        node.location, hint=did_you_mean(node.tag, known), severity='error')


def _beside(node: XmlElement, path: str) -> str:
    """Return a path relative to the node's file, or to the working directory for a text."""
    file = node.document.file
    return os.path.normpath(os.path.join('' if file == TEXT else os.path.dirname(file), path))


# ---- versions

def _read_version(root: XmlElement, report: Report) -> FileContext:
    """Return the scope of a file: without a version 1.0.0, the newest where it is wrong."""
    name = root.get('version')
    if name is None:
        report.add(
            codes.MISSING_VERSION, 'without a version this is read as HRDF 1.0.0', root.location)
        return FileContext(report, 0, False)
    if name in VERSIONS:
        return FileContext(report, VERSIONS.index(name))
    if name == UNDOCUMENTED:
        report.add(
            codes.HRDF_VERSION_UNDOCUMENTED,
            f'no specification of HRDF {name} exists, it is read as {VERSIONS[NEWEST]}',
            root.attribute_location('version', 0),
            hint='hebi-py takes it, and a few parts of its own with it',
        )
        return FileContext(report, NEWEST)
    report.add(
        codes.UNKNOWN_VERSION, f"'{name}' is no version of HRDF that can be read",
        root.attribute_location('version', 0), hint=f"one of {', '.join(VERSIONS)}")
    return FileContext(report, NEWEST)


def _compare_versions(
    root: XmlElement, scope: FileContext, include: XmlElement, parent: FileContext
) -> None:
    """Warn where a file's version is not its parent's; each is read by its own."""
    if scope.version == parent.version:
        return
    location = (
        root.location if root.get('version') is None else root.attribute_location('version', 0)
    )
    scope.report.add(
        codes.HRDF_INCLUDE_VERSION,
        f'{root.document.file} is {scope.version_name}, but {include.document.file}, which '
        f'includes it, is {parent.version_name}', location,
        hint='hebi-py reads each file by its own version too')


def _note_ignored_pose(root: XmlElement, report: Report) -> None:
    for name in ('rot', 'trans'):
        if name in root.attributes:
            report.add(
                codes.HRDF_INCLUDE_POSE_IGNORED,
                f"'{name}' on the <robot> of an included file has no " 'effect',
                root.attribute_location(name),
            )
