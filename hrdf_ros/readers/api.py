# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The input and output of a reader."""

from collections.abc import Callable
from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.document import SourceFile, SourceRef
from hrdf_ros.model import Model
from hrdf_ros.resolve import Resolver


class Options(NamedTuple):
    """
    The options of reading.

    ``model_name`` picks one model of a world; ``naming`` is ``default`` or ``hebi`` (HRDF);
    ``joint_names`` rename the coordinates, in their order, as far as the list goes;
    ``xacro_file`` is the one file that may be expanded by xacro, with these arguments;
    with ``placeholders`` an empty model stands for an include whose file is missing.
    """

    model_name: Optional[str] = None
    naming: str = 'default'
    joint_names: tuple[str, ...] = ()
    xacro_file: Optional[str] = None
    xacro_arguments: tuple[tuple[str, str], ...] = ()
    placeholders: bool = False


class Context(NamedTuple):
    """
    Everything a reader has beside the source: where to report, how to find files, the options.

    ``read_other`` reads a file of any format that an include of this format may name, by its path
    and the location of the include: it returns the Model, or None with the reason in the report.
    """

    report: Report
    resolver: Resolver
    options: Options
    read_other: Callable[[str, Optional[SourceRef], 'Context'], Optional[Model]]


Reader = Callable[[SourceFile, Context], Optional[Model]]
"""Turns a source into a Model; None when it found errors, which are in the report then."""
