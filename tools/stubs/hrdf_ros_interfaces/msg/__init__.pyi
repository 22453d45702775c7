# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from typing import ClassVar

class Diagnostic:
    ERROR: ClassVar[int]
    WARNING: ClassVar[int]
    INFO: ClassVar[int]
    severity: int
    code: str
    message: str
    hint: str
    reference: str
    file: str
    line: int
    column: int
    included_from: list[str]
    def __init__(
        self, *,
        severity: int = ...,
        code: str = ...,
        message: str = ...,
        hint: str = ...,
        reference: str = ...,
        file: str = ...,
        line: int = ...,
        column: int = ...,
        included_from: list[str] = ...,
    ) -> None: ...

class FrameInfo:
    name: str
    source_name: str
    kind: str
    tag: str
    body: str
    parent: str
    file: str
    line: int
    def __init__(
        self, *,
        name: str = ...,
        source_name: str = ...,
        kind: str = ...,
        tag: str = ...,
        body: str = ...,
        parent: str = ...,
        file: str = ...,
        line: int = ...,
    ) -> None: ...
