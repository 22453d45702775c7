# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""The end tags that come and go with a key."""

from __future__ import annotations

from hrdf_ros.lsp.keys import edits_after_key
from hrdf_ros.lsp.names import Buffer
from hrdf_ros.lsp.positions import Text
import pytest


@pytest.mark.parametrize(('before', 'after'), [
    ('<robot name="r"><joint>|</robot>', '<robot name="r"><joint>|</joint></robot>'),
    ('<robot name="r"><joint>|</joint></robot>', None),
    ('<robot name="r"><link name="a"/>|</robot>', None),
    ('<robot name="r">|', '<robot name="r">|</robot>'),
    ('<body><body>|</body>', '<body><body>|</body></body>'),
    ('<body><body>|</body></body>', None),
    ('<robot></link>|</robot>', None),
    ('<link></|</link>', '<link></|'),
    ('<link>\n  </|\n</link>', '<link>\n  </|'),
    ('<link></|li\n</link>', '<link></|li'),
    ('<link></|link>\n</link>', '<link></|link>'),
    ('<body><body></|body></body></body>', '<body><body></|body></body>'),
    ('<body><body></|body></body>', None),
    ('<body><body></|body>', None),
    ('<link></|<a/></link>', None),
    ('<link></|link>', None),
    ('<link a="</|"></link>', None),
])
def test_the_edits_after_a_key(before: str, after: str | None) -> None:
    offset, text = before.index('|'), before.replace('|', '')
    buffer = Buffer('file:///a.urdf', '/a.urdf', Text(text, 'utf-16'))
    found = edits_after_key(buffer, offset)
    for edit in found:
        start, end = (buffer.text.offset(at) for at in (edit.range.start, edit.range.end))
        assert start >= offset
        text = text[:start] + edit.new_text + text[end:]
    assert (text[:offset] + '|' + text[offset:] if found else None) == after
