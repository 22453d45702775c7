# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The language server for a description that is being written in an editor.

``syntax`` reads a text that need not be well-formed. ``language`` has the schema's declarations of
its elements, and ``names`` the names that the text defines and refers to. ``library`` finds the
files around the text, ``answers`` computes the answers to requests, and ``server`` speaks the
protocol. ``analysis`` runs ``load`` in a process of its own, which the next keystroke ends. The
process is forked within 4 ms from one that has imported the readers.
"""

from multiprocessing import forkserver, get_context
import sys


def warm_up() -> None:
    """Start the process that analyses are forked from; it imports the readers meanwhile."""
    # without this, each analysis would run the main module again from its file, and would begin
    # after 800 ms instead of 4 ms
    vars(sys.modules['__main__']).update(__spec__=None, __file__=None)
    get_context('forkserver').set_forkserver_preload(
        ['hrdf_ros.lsp.process', 'hrdf_ros.lsp.preload'])
    forkserver.ensure_running()
