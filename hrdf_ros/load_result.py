# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The result of a load, and the exception that stands for it where a Model is required."""

from typing import NamedTuple, Optional

from hrdf_ros.diagnostics import Report
from hrdf_ros.model import Model


class LoadError(ValueError):
    """
    A description that cannot be used; ``report`` says why.

    >>> from hrdf_ros import load_model, LoadError
    >>> try:
    ...     load_model('<robot name="r"><link name="a"/><link name="b"/></robot>')
    ... except LoadError as error:
    ...     print([found.code for found in error.report])
    ['urdf-not-a-tree']
    """

    def __init__(self, report: Report) -> None:
        super().__init__(str(report.first_error or 'nothing was loaded'))
        self.report = report

    def __eq__(self, other: object) -> bool:
        return self.report == other.report if isinstance(other, LoadError) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[type['LoadError'], tuple[Report]]:
        return LoadError, (self.report,)


class LoadResult(NamedTuple):
    """
    The result of a load: the Model (None with errors), the report, and the files that were read.

    ``on_network`` are the http and https URIs that are in no cache: ``hrdf fetch`` downloads them.

    >>> from hrdf_ros import load
    >>> load('examples/urdf/gripper_arm.urdf')
    <LoadResult: <Model 'gripper_arm': urdf 1.0, 9 links, 8 joints, 7 coordinates>, 0 diagnostics,
     1 files>
    """

    model: Optional[Model]
    report: Report
    files: tuple[str, ...]
    on_network: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Return whether there is a Model."""
        return self.model is not None

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        """Return one line: the Model or the first error, and how much else there is."""
        result = self.model or self.report.first_error
        return (
            f'<LoadResult: {result!r}, {len(self.report)} diagnostics, {len(self.files)} files>')


def require_model(model: object, by: str) -> None:
    """
    Raise a TypeError unless it is a Model; a LoadResult is not.

    A Model whose records do not fit each other raises InconsistentModelError, a ValueError.
    """
    if not isinstance(model, Model):
        raise TypeError(f'{by} requires a Model, not {type(model).__name__}')
    from hrdf_ros.model.consistency import require_consistent  # a check does not need it
    require_consistent(model)
