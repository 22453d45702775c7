# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The language server: what an editor asks about a description while it is being written.

``syntax`` reads a text that need not be well-formed, ``places`` finds what the schema of its
format says about each element, ``names`` which names it defines and refers to, ``library`` the
files around it. ``analysis`` is what ``load`` says, in a process that the next keystroke ends.
``server`` connects all of it to the protocol; nothing else imports pygls.
"""
