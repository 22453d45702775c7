# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The page of the node's parameters, from their declarations."""

from __future__ import annotations

import json

from hrdf_ros.limits import ResourceLimits
from hrdf_ros.node.settings import DESCRIPTIONS, READ_ONLY, RELOADING, Settings
from reference.markdown import code, table, text

_HEAD = """\
# Parameters of the node

Generated from the declarations of the node. Each can be set on the command line
(`--ros-args -p NAME:=VALUE`), in a parameter file, in a launch file, and, unless it counts at the
start only, at run time (`ros2 param set /hrdf_ros NAME VALUE`). A value that is not accepted is
refused with the reason, and nothing changes.

"""
_TYPES = {str: 'string', float: 'double', bool: 'bool', tuple: 'string[]', int: 'integer'}
_LIMITS = """
## Resource limits

The names that `resource_limits` takes, as `NAME=NUMBER`; the option `--resource-limit` of the
commands takes the same. [Security](../security.md) says what each protects.

"""


def parameters_page() -> str:
    """Return the page: name, type, default, meaning, and when a change takes effect."""
    rows = [(code(name), _TYPES[type(default)], _written(default), text(DESCRIPTIONS[name]),
             _effect(name)) for name, default in Settings()._asdict().items()]
    limits = [(code(name), f'{value:,}') for name, value in ResourceLimits()._asdict().items()]
    return (_HEAD + table(('parameter', 'type', 'default', 'means', 'a change'), rows)
            + _LIMITS + table(('limit', 'default'), limits))


def _written(default: object) -> str:
    value = list(default) if isinstance(default, tuple) else default
    return code(json.dumps(value) if value != '' else "''")


def _effect(name: str) -> str:
    if name in READ_ONLY:
        return 'counts at the start only'
    return 'loads the description again' if name in RELOADING else 'takes effect at once'
