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
_LIMITS = """\
## Resource limits

The names that `resource_limits` takes, as `NAME=NUMBER`; the option `--resource-limit` of the
commands takes the same. [Security](../security.md) says what each protects.
"""


def parameters_page() -> str:
    """Return the page: a heading for each parameter, with meaning, type, default and effect."""
    parameters = [
        f'## {code(name)}\n\n{_TYPES[type(default)]}, default {_written(default)}: '
        f'{text(DESCRIPTIONS[name])}. {_effect(name)}\n'
        for name, default in Settings()._asdict().items()]
    limits = [(code(name), f'{value:,}') for name, value in ResourceLimits()._asdict().items()]
    return '\n'.join((_HEAD, *parameters, _LIMITS, table(('limit', 'default'), limits)))


def _written(default: object) -> str:
    value = list(default) if isinstance(default, tuple) else default
    return code(json.dumps(value) if value != '' else "''")


def _effect(name: str) -> str:
    if name in READ_ONLY:
        return 'It counts at the start only.'
    return ('A change loads the description again.' if name in RELOADING
            else 'A change takes effect at once.')
