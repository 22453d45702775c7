# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The language server, for a description that is being written in an editor.

``syntax`` reads a text that need not be well-formed. ``names`` finds the schema's declarations of
its elements, and the names that it defines and refers to. ``library`` has the files around it,
``answers`` the requests, ``server`` the protocol. ``analysis`` runs ``load`` in a process that the
next keystroke ends: it is forked, in some milliseconds, from one that has imported the readers.
"""

from multiprocessing import forkserver, get_context
import sys


def warm_up() -> None:
    """Start the process that analyses are forked from; it imports at the same time as others."""
    # each analysis would run the main module again, from its file, and begin after 800 ms in the
    # place of 4 ms
    vars(sys.modules['__main__']).update(__spec__=None, __file__=None)
    get_context('forkserver').set_forkserver_preload(
        ['hrdf_ros.lsp.process', 'hrdf_ros.lsp.preload'])
    forkserver.ensure_running()
