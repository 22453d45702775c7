# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
viser's web server, hardened; this file has all uses of viser beyond its public interface.

The server sends its own page and nothing from the disk. viser 1.1 lacks:
- a list of origins: any web page that the user visits could connect, so ``_websock_server`` and
  its connections are used here;
- a switch for ``request_share_url``: any client could publish the scene through a server on the
  internet;
- a quiet mode: viser prints through rich.
"""

from __future__ import annotations

from hmac import compare_digest
from ipaddress import ip_address
import logging
from typing import Any, Optional
from urllib.parse import urlsplit

import rich
import viser


def start_server(host: str, port: int, token: str = '') -> viser.ViserServer:
    """
    Start a server, on the next free port if this one is taken.

    With a ``token`` only clients connect that have it as the path of the address. Such clients may
    connect through a proxy, such as that of an editor in a browser, which knows this server by
    another name.
    """
    rich.reconfigure(quiet=True)  # viser prints through rich; printing belongs to the command
    logging.getLogger('websockets').setLevel(logging.CRITICAL)  # pages may close early
    server = viser.ViserServer(host=host, port=port, verbose=False)
    server.request_share_url = lambda **_: None  # otherwise any client may request it
    connections = server._websock_server

    async def refuse_foreign_pages(client: Any) -> None:
        connection = connections._live_connections[client.client_id]
        headers, given = connection.request.headers, connection.request.path
        only_loopback = is_loopback(host) and not token
        if not is_own_page(headers.get('Origin'), headers.get('Host', ''), only_loopback) or (
                token and not compare_digest(given.encode(), f'/{token}'.encode())):
            await connection.close(1008, 'opened by another site')

    connections.on_client_connect(refuse_foreign_pages)
    return server


def is_own_page(origin: Optional[str], host: str, only_loopback: bool) -> bool:
    """
    Return whether a connection comes from the page that this server sends.

    ``origin`` is the page's origin, or None for programs that are not browsers; ``host`` is the
    name that the client connects to. The name of another site may resolve to this machine (DNS
    rebinding), so on the loopback interface only its own names are accepted.
    """
    try:
        name = urlsplit(f'//{host}').hostname or ''
        page = None if origin is None else urlsplit(origin).netloc
    except ValueError:
        return False
    return page in (None, host) and (is_loopback(name) or not only_loopback)


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, and cannot be reached from another one."""
    if host == 'localhost':
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
