# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What the launch files take, and what the node gets of it. Data: neither ROS nor launch is needed.

Each parameter of the node is an argument; lists are written as ``a,b`` or, as in YAML,
``['a', 'b']``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
import os
from typing import Any, NamedTuple

from hrdf_ros.node.settings import BadSetting, changed, DESCRIPTIONS, Settings

USE_SIM_TIME = 'use_sim_time'
_TRUE, _FALSE = ('true', '1', 'on', 'yes'), ('false', '0', 'off', 'no')


class Argument(NamedTuple):
    """An argument of a launch file; the default is a text, as all of them are."""

    name: str
    default: str
    description: str


NAMESPACE = Argument('namespace', '', 'the namespace of the node and its topics')


def parameter_arguments() -> tuple[Argument, ...]:
    """Return an argument for each parameter of the node."""
    found = [
        Argument(name, _as_text(default), DESCRIPTIONS[name])
        for name, default in Settings()._asdict().items()]
    return (*found, Argument(USE_SIM_TIME, 'false', 'take the time from /clock'))


def parameters(given: Mapping[str, str]) -> dict[str, Any]:
    """
    Return the parameters that are given other values than their defaults, by name, typed.

    Arguments of other names are ignored; a value of the wrong type is a BadSetting.
    """
    found: dict[str, Any] = {}
    for name, default, _ in parameter_arguments():
        text = given.get(name, default)
        if text != default:
            found[name] = _typed(name, text, getattr(Settings(), name, False))
    return found


def settings(found: Mapping[str, Any]) -> Settings:
    """Return the node's settings for parameters; raise BadSetting for an invalid value."""
    return changed(Settings(), found)


def is_true(name: str, text: str) -> bool:
    """Return a switch; raise BadSetting for a text that is none."""
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise BadSetting(f"{name} must be true or false, not '{text}'")


def missing_packages(needed: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> str:
    """
    Say how to install packages that are not there; '' if all are.

    ``needed`` maps their names to what one can do without them.
    """
    prefixes = environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    distro = environ.get('ROS_DISTRO', '<distro>')
    sentences = [
        f'{package} is not installed: sudo apt install ros-{distro}-{package.replace("_", "-")}'
        f'{f", or {without}" if without else ""}'
        for package, without in needed.items() if not _is_installed(package, prefixes)]
    return '; '.join(sentences)


def _is_installed(package: str, prefixes: Sequence[str]) -> bool:
    index = os.path.join('share', 'ament_index', 'resource_index', 'packages', package)
    return any(prefix and os.path.isfile(os.path.join(prefix, index)) for prefix in prefixes)


def _as_text(default: Any) -> str:
    if isinstance(default, tuple):
        return ''
    return str(default).lower() if isinstance(default, bool) else str(default)


def _typed(name: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        return is_true(name, text)
    if isinstance(default, tuple):
        return _words(name, text)
    if isinstance(default, float):
        return _number(name, text, float)
    return text


def _number(name: str, text: str, kind: Callable[[str], float]) -> float:
    try:
        return kind(text)
    except ValueError:
        raise BadSetting(f"{name} must be a number, not '{text}'") from None


def _words(name: str, text: str) -> list[str]:
    """Return the entries of a list."""
    if not text.lstrip().startswith('['):
        return [word.strip() for word in text.split(',') if word.strip()]
    import yaml  # what reads launch arguments has it; elsewhere it may be missing
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError:
        found = None
    if not isinstance(found, list):
        raise BadSetting(f"{name} must be a list such as a,b or ['a', 'b'], not {text}")
    return [word if isinstance(word, str) else str(word) for word in found]
