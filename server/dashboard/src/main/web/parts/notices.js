/** Short messages that also screen readers tell: that a command was taken, or was refused. */

import { html, useLayoutEffect, useState } from '../ui.js';
import { withNames } from './machine.js';

const SHOWN = 8000;
let notices = [];
let changed = () => {};
let number = 0;

export function notify(text, tone = 'good') {
  if (!text) return;
  const notice = { text, tone, id: ++number };
  notices = [...notices.slice(-3), notice];
  changed();
  // A refusal stays until it is read.
  if (tone !== 'bad') setTimeout(() => dismiss(notice.id), SHOWN);
}

function dismiss(id) {
  notices = notices.filter((notice) => notice.id !== id);
  changed();
}

export function Notices() {
  const [, renderAgain] = useState(0);
  useLayoutEffect(() => {
    changed = () => renderAgain((count) => count + 1);
  }, []);
  return html`
    <div class="notices" role="status" aria-live="polite">
      ${notices.map(({ id, text, tone }) => html`
        <p key=${id} class="notice ${tone}"><span>${withNames(text)}</span>
          <button type="button" aria-label="Dismiss" onClick=${() => dismiss(id)}>×</button></p>`)}
    </div>`;
}
