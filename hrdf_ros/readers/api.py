# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The options of a load, and the input and output of a reader."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Optional, TypedDict

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile, SourceRef
from hrdf_ros.limits import ResourceLimits
from hrdf_ros.model import Model
from hrdf_ros.resolve import Resolver

NAMINGS = ('default', 'hebi')
"""The values of the option ``naming``."""


class Options(NamedTuple):
    """
    The options of a load, with the defaults of Python, the commands and the node.

    ``path`` lists directories that are searched for URIs, and ``packages`` maps the names of
    packages to their directories. ``model_name`` picks one model of a world; ``naming`` is one of
    NAMINGS, for HRDF; ``joint_names`` are new names for the first coordinates, in their order.
    With ``roots`` only files below these directories are read, and never more than ``limits``
    allow. ``format`` is the format to read, whatever the suffix and the content say. ``xacro``
    says whether xacro expands the source, with ``xacro_arguments``; if it is None, the suffix
    decides. ``overlay`` maps real paths to the texts that an editor has open, which are read in
    place of the files. With ``placeholders`` an empty model stands for an include whose file is
    missing.
    """

    path: Sequence[str] = ()
    packages: Optional[Mapping[str, str]] = None
    model_name: Optional[str] = None
    naming: str = 'default'
    joint_names: Sequence[str] = ()
    roots: Optional[Sequence[str]] = None
    format: Optional[str] = None  # noqa: A003
    limits: ResourceLimits = ResourceLimits()
    xacro: Optional[bool] = None
    xacro_arguments: Optional[Mapping[str, str]] = None
    overlay: Optional[Mapping[str, str]] = None
    placeholders: bool = False


class LoadOptions(TypedDict, total=False):
    """The fields of ``Options`` as keyword arguments, for type checkers."""

    path: Sequence[str]
    packages: Optional[Mapping[str, str]]
    model_name: Optional[str]
    naming: str
    joint_names: Sequence[str]
    roots: Optional[Sequence[str]]
    format: Optional[str]  # noqa: A003
    limits: ResourceLimits
    xacro: Optional[bool]
    xacro_arguments: Optional[Mapping[str, str]]
    overlay: Optional[Mapping[str, str]]
    placeholders: bool


class Context(NamedTuple):
    """
    Everything a reader has beside the source: its report, its way to find files, the options.

    ``read_other`` reads a file of any format that an include may name, by its path and the
    location of the include. It returns the Model, or None with the reason in the report.
    ``xacro_file`` is the one file that may be expanded by xacro.
    """

    report: Report
    resolver: Resolver
    options: Options
    read_other: Callable[[str, Optional[SourceRef], 'Context'], Optional[Model]]
    xacro_file: Optional[str] = None


Reader = Callable[[SourceFile, Context], Optional[Model]]
"""A function that reads a source as a Model, or returns None with the errors in the report."""
