# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Schemas for XML editors, generated from the declarations of each format."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from hrdf_ros.readers.registry import format_names
from hrdf_ros.readers.schema import Schema
from hrdf_ros.schema_export.content import Declarations
from hrdf_ros.schema_export.languages import relaxng, xsd

__all__ = ['export', 'LANGUAGES', 'schema_files', 'schema_of', 'versions_of']

LANGUAGES = {'rng': relaxng, 'xsd': xsd}
"""The function that writes each schema language, by the suffix of its files."""


def versions_of(name: str) -> tuple[str, ...]:
    """Return the versions of a format, the oldest first; SKEL has one without a name."""
    if name == 'sdf':
        from hrdf_ros.readers.sdf.schema.types import KNOWN
        return KNOWN
    return schema_of(name, '').versions


def schema_of(name: str, version: str) -> Schema:
    """Return the declarations for files of one version of a format."""
    if name == 'sdf':
        from hrdf_ros.readers.sdf.schema.as_written import as_of
        return as_of(version)
    schema: Schema = import_module(f'hrdf_ros.readers.{name}.schema').SCHEMA
    return schema


def export(name: str, version: str, language: str) -> str:
    """Return the schema of a version of a format in one of LANGUAGES."""
    return LANGUAGES[language](Declarations(schema_of(name, version), version))


def schema_files() -> Iterator[tuple[str, str]]:
    """
    Yield the name and text of every schema file of an installation.

    There is one for each version, and one without a version in its name for the newest.
    """
    for name in format_names():
        versions = versions_of(name)
        for language in LANGUAGES:
            for version in versions:
                text = export(name, version, language)
                if version:
                    yield f'{name}-{version}.{language}', text
                if version == versions[-1]:
                    yield f'{name}.{language}', text
