# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Prepare the process that analyses are forked from, by an import of this module.

One analysis for each format imports the readers and compiles their patterns; otherwise each fork
would do so again.
"""

from hrdf_ros.lsp.analysis import AnalysisJob, AnalysisSettings, analyze
from hrdf_ros.readers.registry import FORMATS

for _format in FORMATS:
    _tag = _format.schema().root
    _file = f'/preload{_format.suffixes[0]}'
    _text = f'<{_tag} x="1"><{_tag}s/></{_tag}>'
    analyze(AnalysisJob(_file, {_file: _text}, AnalysisSettings({})))
