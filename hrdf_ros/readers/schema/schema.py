# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""A format's schema."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from hrdf_ros.diagnostics import Report
from hrdf_ros.parsing.suggestions import did_you_mean
from hrdf_ros.readers.schema.declarations import Element, Policy
from hrdf_ros.readers.schema.element import TypedElement
from hrdf_ros.readers.schema.messages import FileVersion
from hrdf_ros.readers.schema.rules import Rules
from hrdf_ros.readers.schema.validator import Validator


class Schema:
    """
    What a format allows, and how it reports what is not.

    ``elements`` has the element ``root`` and those that others refer to by name. ``versions``
    are the format's, the oldest first; ``since`` and ``until`` of the declarations name them.
    Any Mapping will do: an entry is looked up when an element of its kind is first met.
    """

    def __init__(
        self, *, root: str, elements: Mapping[str, Element], policy: Policy,
        versions: tuple[str, ...] = ('',),
    ) -> None:
        self.root = root
        self.elements = elements
        self.policy = policy
        self.versions = versions
        self._rules: dict[str, Rules] = {}

    def __repr__(self) -> str:
        """Return the name of the format."""
        return f'Schema({self.policy.format!r})'

    def is_root(self, element: TypedElement, report: Report) -> bool:
        """Tell whether an element is the root of this format; report it where it is not."""
        if element.tag == self.root:
            return True
        report.add(
            self.policy.wrong_root,
            f'the root element of {self.policy.format} is <{self.root}>, not <{element.tag}>',
            element.location, hint=did_you_mean(element.tag, [self.root]))
        return False

    def validate(
        self, element: TypedElement, report: Report, *, entry: str = '', version: str = '',
        is_version_given: bool = True, skip: Collection[TypedElement] = (),
    ) -> bool:
        """
        Parse the values of an element and of everything in it; return whether there is no error.

        Reports every fault in structure and values, in file order. ``entry`` is the name of what
        the element is in ``elements`` (the root if empty), ``version`` the file's (the newest if
        empty), ``is_version_given`` whether the file says so itself. Elements in ``skip`` are not
        looked into: nothing may be read from them.
        """
        version = version or self.versions[-1]
        rules = self._rules.get(version)
        if rules is None:
            rules = self._rules[version] = Rules(
                self.elements, self.policy, self.versions, self.versions.index(version))
        file_version = FileVersion(version, is_version_given)
        validator = Validator(rules, report, file_version, frozenset(skip))
        return validator.run(element, rules.entry(entry or self.root))
