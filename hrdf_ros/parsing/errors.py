# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What every grammar raises."""

from typing import Any


class ValueSyntaxError(ValueError):
    """
    A value that its grammar does not accept.

    ``index`` is the faulty character of the text, counted from 0.
    """

    def __init__(self, message: str, index: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.index = index


class ImplausibleValue(ValueSyntaxError):
    """
    A value that its grammar accepts, but that hardly anybody means: degrees for radians.

    ``value`` is what is read nevertheless, ``hint`` what was probably meant.
    """

    def __init__(self, message: str, index: int, value: Any, hint: str) -> None:
        super().__init__(message, index)
        self.value = value
        self.hint = hint
