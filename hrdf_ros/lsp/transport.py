# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Messages from an editor, whatever it sends: each is bounded, and each request is answered.

pygls reserves as many bytes as a header says, and leaves a request without an answer whose
parameters are of another type than the protocol's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
import json
import logging
import re
from typing import Any, BinaryIO, Optional

from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.io_ import StdoutWriter
from pygls.protocol import LanguageServerProtocol

MOST_BYTES = 256 << 20
"""Bytes of one message; a longer one is skipped."""
_LONGEST_HEADER = 4096
_CHUNK = 1 << 16
_LOGGER = logging.getLogger(__name__)
_LENGTH = re.compile(rb'content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?\n', re.IGNORECASE)


class MessageError(Exception):
    """A message that cannot be read; the text says why."""


def read_message(stream: BinaryIO) -> Optional[bytes]:
    """
    Return the body of the next message, None at the end of the stream.

    One that is too long is skipped and raises a MessageError. Headers without a length are
    ignored, as is what is no header.
    """
    length = 0
    for header in _headers(stream):
        found = _LENGTH.fullmatch(header)
        if found is not None:
            length = int(found[1])
        elif not header.strip() and length:
            break
    else:
        return None
    if length > MOST_BYTES:
        _skip(stream, length)
        raise MessageError(f'a message of {length} bytes; {MOST_BYTES} are the most')
    body = stream.read(length)
    return body if len(body) == length else None


def _headers(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines up to the end of the stream; of a long one only parts without a meaning."""
    while line := stream.readline(_LONGEST_HEADER):
        yield line


def _skip(stream: BinaryIO, length: int) -> None:
    while length > 0:
        skipped = len(stream.read(min(length, _CHUNK)))
        if not skipped:
            return
        length -= skipped


class AnsweringProtocol(LanguageServerProtocol):
    """The protocol with an answer to every request that is one, and to what is no message."""

    async def serve(self, reader: BinaryIO, writer: BinaryIO) -> None:
        """Handle messages until the stream ends."""
        self.set_writer(StdoutWriter(writer))
        while True:
            try:
                body = await asyncio.to_thread(read_message, reader)
            except MessageError as error:
                self._refuse(None, JsonRpcInvalidRequest(str(error)))
                continue
            if body is None:
                return
            self.receive(body)

    def receive(self, body: bytes) -> None:
        """Handle a message."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(None, JsonRpcParseError(f'no JSON: {error}'))
            return
        number = _number_of(data)
        is_request = number is not None and 'method' in data
        try:
            self._check(data)
            message = self.structure_message(self.shortened(data))
        except JsonRpcException as error:
            if is_request or not _is_notification_or_response(data):
                self._refuse(number, error)
            return
        try:
            self.handle_message(message)
        except Exception:  # one message does not end the session
            _LOGGER.exception('a message could not be handled')

    def shortened(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return a message without what of its parameters is not looked at."""
        return data

    def _check(self, data: Any) -> None:
        """Raise a JsonRpcException for what is no message, or comes at the wrong time."""
        if not isinstance(data, dict) or data.get('jsonrpc') != self.VERSION:
            raise JsonRpcInvalidRequest('a message is an object with "jsonrpc": "2.0"')
        method = data.get('method')
        if not isinstance(method, (str, type(None))):
            raise JsonRpcInvalidRequest('"method" is a string')
        if 'id' in data and _number_of(data) is None and data['id'] is not None:
            raise JsonRpcInvalidRequest('"id" is a string or a whole number')
        if method is None or 'id' not in data:
            return
        if self._shutdown:
            raise JsonRpcInvalidRequest('the server is shutting down')
        if self._workspace is None and method != lsp.INITIALIZE:
            raise JsonRpcServerNotInitialized('the first request is initialize')

    def _refuse(self, number: Optional[str | int], error: JsonRpcException) -> None:
        """Answer with an error, without the number of a request where it is unknown."""
        self._send_data(lsp.ResponseErrorMessage(id=number, error=error.to_response_error()))


def _number_of(data: Any) -> Optional[str | int]:
    """Return the number of a request or response, None without one."""
    number = data.get('id') if isinstance(data, dict) else None
    is_number = isinstance(number, (str, int)) and not isinstance(number, bool)
    return number if is_number else None


def _is_notification_or_response(data: Any) -> bool:
    """Tell whether a message is well-formed as one of those that have no answer."""
    return isinstance(data, dict) and (
        'id' not in data and isinstance(data.get('method'), str)
        or 'id' in data and 'method' not in data and ('result' in data or 'error' in data))
