# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""SKEL texts for tests, which supply the parts that a test is not about."""

from __future__ import annotations

from hrdf_ros.load import load, load_model
from hrdf_ros.model import Model

AXIS = '<axis><xyz>0 0 1</xyz></axis>'


def skeleton(inner: str, name: str = 's') -> str:
    return f'<skeleton name="{name}">{inner}</skeleton>'


def world(*skeletons: str) -> str:
    """Return the text of a SKEL file with one world."""
    return f'<skel version="1.0"><world name="w">{"".join(skeletons)}</world></skel>'


def joint(
    inner: str = '', *, type_: str = 'weld', name: str = 'j', parent: str = 'world',
    child: str = 'a', attributes: str = '',
) -> str:
    return (
        f'<joint type="{type_}" name="{name}" {attributes}><parent>{parent}</parent>'
        f'<child>{child}</child>{inner}</joint>')


def held(inner: str) -> str:
    """Return a body ``a`` with these children, held by a weld joint."""
    return f'<body name="a">{inner}</body>' + joint()


def moved(type_: str, inner: str, attributes: str = '') -> str:
    """Return a body ``a`` that is moved by a joint ``j`` of a type with these children."""
    return '<body name="a"/>' + joint(inner, type_=type_, attributes=attributes)


def model(inner: str) -> Model:
    """Return the Model of one skeleton ``s``."""
    return load_model(world(skeleton(inner)))


def codes(text: str) -> list[str]:
    """Return the codes of all errors and warnings of a text."""
    return [found.code for found in load(text).report if found.severity != 'info']
