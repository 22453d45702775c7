# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from typing import TypeVar

_Message = TypeVar('_Message')

def deserialize_message(
    serialized_message: bytes, message_type: type[_Message],
) -> _Message: ...
