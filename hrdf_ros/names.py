# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Make names unique, and explain names that a model does not have.

Frames, joints and coordinates each have a namespace of their own.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
import re
from typing import Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Locatable, Report
from hrdf_ros.parsing.suggestions import closest

SuffixRule = tuple[str, int, str]
"""A rule for equal names: a pattern of name and count, the first count, the message."""
PLAIN: SuffixRule = ('{}_{}', 2, "the name '{}' is taken already, '{}' is used")
"""The rule of TF, URDF and SDFormat: ``arm``, ``arm_2``, ``arm_3``."""
DART: SuffixRule = ('{}({})', 1, "the name '{}' is taken already; DART uses '{}'")
"""The rule of SKEL as DART reads it: ``arm``, ``arm(1)``, ``arm(2)``."""


NAMESPACE_LENGTH = 150
"""The most characters of a namespace; with a service's name, the middleware allows 247."""


def is_namespace(text: str) -> bool:
    """Return whether ROS takes a text as a namespace, such as ``/left/arm``."""
    return (len(text) <= NAMESPACE_LENGTH and '__' not in text
            and re.fullmatch(r'/?[A-Za-z]\w*(/[A-Za-z]\w*)*', text, re.ASCII) is not None)


class Names:
    """
    The names taken so far in one namespace.

    The first claim of a name wins, so a reader claims names in the order of precedence: among
    frames links first, then ``<frame>``s, then joints. With a report, changed names are warnings.
    """

    def __init__(
        self, report: Optional[Report] = None, rule: SuffixRule = PLAIN,
        taken: Iterable[str] = (),
    ) -> None:
        self._report = report
        self._rule = rule
        self._taken = set(taken)
        self._counts: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._taken

    def claim(self, name: str, suffix: str = '', location: Optional[Locatable] = None) -> str:
        """
        Take a name and return it; a name that is taken gets the suffix, then a count.

        With a report, a changed name is a warning.

        >>> names = Names()
        >>> names.claim('arm'), names.claim('arm', '_joint'), names.claim('arm', '_joint')
        ('arm', 'arm_joint', 'arm_joint_2')
        >>> names = Names(rule=DART)
        >>> names.claim('arm'), names.claim('arm'), names.claim('arm')
        ('arm', 'arm(1)', 'arm(2)')
        """
        free = name if name not in self._taken else self.free(name + suffix)
        if free != name and self._report is not None:
            self._report.add(codes.NAME_CHANGED, self._rule[2].format(name, free), location)
        self._taken.add(free)
        return free

    def free(self, name: str) -> str:
        """Return the name, or the first one with a count appended that is not taken."""
        pattern, first, _ = self._rule
        free, count = name, self._counts.get(name, first - 1)
        while free in self._taken:
            count += 1
            free = pattern.format(name, count)
        self._counts[name] = max(count - 1, first - 1)
        return free


def renamed(
    names: Sequence[str], wanted: Sequence[str], location: Optional[Locatable], report: Report,
) -> list[str]:
    """
    Return the names of coordinates, replaced in their order as far as ``wanted`` goes.

    Too many names, and names that would occur twice, are errors at ``location``, which is that of
    the robot; then the coordinates keep their names.
    """
    result = [*wanted[:len(names)], *names[len(wanted):]]
    twice = sorted({name for name, count in Counter(result).items() if count > 1})
    if len(wanted) > len(names):
        report.add(
            codes.JOINT_NAMES_MISMATCH,
            f'{len(wanted)} joint names are given for {len(names)} coordinates',
            location)
    elif twice:
        report.add(
            codes.JOINT_NAMES_MISMATCH,
            f"two coordinates would have the name '{twice[0]}'", location)
    else:
        return result
    return list(names)


class UnknownNameError(KeyError):
    """
    A link, joint, frame, coordinate or configuration that the model does not have.

    >>> from hrdf_ros import Kinematics, UnknownNameError
    >>> try:
    ...     Kinematics.load('examples/hrdf/arm_6dof.hrdf').pose('tol')
    ... except UnknownNameError as error:
    ...     print(error)
    the model has no frame named 'tol'; did you mean 'tool'?
    """

    def __str__(self) -> str:
        """Return the message itself, where KeyError would quote it."""
        return str(self.args[0])


def unknown_name(what: str, name: object, known: Iterable[str]) -> UnknownNameError:
    """Return the error for a name that the model does not have, with a similar one as a hint."""
    near = closest(name, known) if isinstance(name, str) else None
    hint = '' if near is None else f'; did you mean {near!r}?'
    return UnknownNameError(f'the model has no {what} named {name!r}{hint}')
