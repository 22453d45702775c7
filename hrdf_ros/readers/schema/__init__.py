# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The schema engine validates documents and reads values by a format's declarations, which are data.

    SCHEMA = Schema(root='robot', elements={'robot': Element(...), ...}, policy=Policy(...))
    root = parse(source, report, element=TypedElement)
    if root is not None and SCHEMA.validate(root, report):
        mass = root.number('mass')
"""

from hrdf_ros.readers.schema.declarations import (
    Attribute,
    Bounds,
    Element,
    has_prefix,
    NOT_NEGATIVE,
    one_of,
    Policy,
    POSITIVE,
    Remark,
    TEXT,
    ValueType,
    Variants,
)
from hrdf_ros.readers.schema.element import TypedElement
from hrdf_ros.readers.schema.rules import NewerSyntax, Replaced, Rule, UNDECLARED
from hrdf_ros.readers.schema.tables import Elements
from hrdf_ros.readers.schema.validator import Schema

__all__ = [
    'Attribute', 'Bounds', 'Element', 'Elements', 'has_prefix', 'NewerSyntax', 'NOT_NEGATIVE',
    'one_of', 'Policy', 'POSITIVE', 'Remark', 'Replaced', 'Rule', 'Schema', 'TEXT', 'TypedElement',
    'UNDECLARED', 'ValueType', 'Variants']
