# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Schemas in the languages of XML editors, generated from the declarations of each format."""

from hrdf_ros.schema_export.formats import export, LANGUAGES, schema_files, schema_of, versions_of
from hrdf_ros.schema_export.relaxng import relaxng
from hrdf_ros.schema_export.xsd import xsd

__all__ = [
    'export', 'LANGUAGES', 'relaxng', 'schema_files', 'schema_of', 'versions_of', 'xsd']
