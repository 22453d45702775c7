# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The options of a load."""

from typing import get_type_hints

from hrdf_ros.readers.api import LoadOptions, Options


def test_keyword_arguments_are_the_fields_of_options() -> None:
    assert get_type_hints(LoadOptions) == get_type_hints(Options)
    assert Options._fields == tuple(Options._field_defaults)
