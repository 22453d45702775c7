# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
viser's web server, hardened: everything here that is not viser's public interface.

It serves its own page and nothing from the disk. viser leaves two things open: any web page that
the user visits could connect to it, and any client could ask it to publish the scene through a
server on the internet. Besides, viser's page loses changes in quick succession: all controls share
one timer, which keeps only the last change of 50 milliseconds.
"""

from __future__ import annotations

from ipaddress import ip_address
import logging
from typing import Any, Optional
from urllib.parse import urlsplit

import rich
import viser
from viser import _messages as messages

_RESEND_LOST_CHANGES = """
const known = {}, settle = 120;
function sweep(send) {
  const tell = (uuid, value) => {
    if (known[uuid] === value) return;
    known[uuid] = value;
    send({type: 'GuiUpdateMessage', uuid: uuid, updates: {value: value}});
  };
  for (const thumb of document.querySelectorAll('.mantine-Slider-root [role=slider]')) {
    const slider = thumb.closest('.mantine-Slider-root');
    if (!slider.querySelector('[data-disabled]')) tell(slider.id, Number(thumb.ariaValueNow));
  }
  for (const box of document.querySelectorAll('input[type=checkbox][id]'))
    tell(box.id, box.checked);
}
function attach() {
  const page = window.__viserMutable;
  if (!page || !page.sendMessage) return setTimeout(attach, settle);
  const send = page.sendMessage;
  if (send.sweeps) return;
  let pending = false;
  page.sendMessage = message => {
    send(message);
    if (message.type !== 'GuiUpdateMessage') return;
    known[message.uuid] = message.updates.value;
    if (pending) return;
    pending = true;
    setTimeout(() => { pending = false; sweep(send); }, settle);
  };
  page.sendMessage.sweeps = true;
}
attach();
let clicks = 0;
document.addEventListener('click', event => {
  const clicked = event.target.closest('[data-event]');
  const row = document.querySelector('.mantine-Flex-root:has(input[value^="event:"])');
  if (!clicked || !row) return;
  const value = `event:${clicked.dataset.event} ${++clicks} ${performance.now()}`;
  window.__viserMutable.sendMessage({
    type: 'GuiUpdateMessage', uuid: row.querySelector('label').htmlFor, updates: {value: value}});
});
"""
"""
A program for the page.

After a change, it sends the server the value of each slider and switch; values that the server
already has change nothing. Clicks in HTML it writes into a text box of the panel.
"""


def start_server(host: str, port: int) -> viser.ViserServer:
    """Start a server, on the next free port if this one is taken."""
    rich.reconfigure(quiet=True)  # viser prints through it; printing belongs to the command
    logging.getLogger('websockets').setLevel(logging.CRITICAL)  # of pages that close too soon
    server = viser.ViserServer(host=host, port=port, verbose=False)
    server.request_share_url = lambda **_: None  # any client may request it
    connections = server._websock_server

    async def refuse_foreign_pages(client: Any) -> None:
        connection = connections._live_connections[client.client_id]
        headers = connection.request.headers
        if not is_own_page(headers.get('Origin'), headers.get('Host', ''), is_loopback(host)):
            await connection.close(1008, 'opened by another site')

    connections.on_client_connect(refuse_foreign_pages)
    connections.queue_message(messages.RunJavascriptMessage(_RESEND_LOST_CHANGES))
    return server


def is_own_page(origin: Optional[str], host: str, only_loopback: bool) -> bool:
    """
    Return whether a connection comes from the page that this server serves.

    ``origin`` is the page's origin, None for programs that are not browsers; ``host`` is the name
    connected to. Another site's name may resolve to this machine (DNS rebinding), so on the
    loopback only its own names are accepted.
    """
    try:
        name = urlsplit(f'//{host}').hostname or ''
        page = None if origin is None else urlsplit(origin).netloc
    except ValueError:
        return False
    return page in (None, host) and (is_loopback(name) or not only_loopback)


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine and cannot be reached from another one."""
    if host == 'localhost':
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
