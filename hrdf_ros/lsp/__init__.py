# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The language server, for a description that is being written in an editor.

``syntax`` reads a text that need not be well-formed, ``names`` finds the schema's declarations of
its elements, and the names that it defines and refers to, ``library`` the files around it.
``analysis`` is ``load`` in a process that the next keystroke ends (``worker``). ``server`` has the
documents and the requests.
"""
