// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
//
// The program of the viewer's page.
//
// viser's page loses changes in quick succession: all controls share one timer, which keeps only
// the last change in 50 milliseconds. So after each change the values of all sliders and switches
// that the server does not have yet are sent. Clicks in HTML are written into a hidden text box of
// the panel, which sends them.

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
if (!window.hrdfClicks) {
  window.hrdfClicks = 1;
  document.addEventListener('click', event => {
    const clicked = event.target.closest('[data-event]');
    const row = document.querySelector('.mantine-Flex-root:has(input[value^="event:"])');
    if (!clicked || !row) return;
    const value = `event:${clicked.dataset.event} ${++window.hrdfClicks} ${performance.now()}`;
    window.__viserMutable.sendMessage({
      type: 'GuiUpdateMessage', uuid: row.querySelector('label').htmlFor,
      updates: {value: value}});
  });
}
