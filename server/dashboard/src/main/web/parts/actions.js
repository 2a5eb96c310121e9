/** Buttons of commands. What the role does not allow is disabled, with the reason. */

import { cluster, useCluster } from '../cluster.js';
import { html, useState } from '../ui.js';
import { notify } from './notices.js';
import { ask } from './dialog.js';

/**
 * A button that sends a command.
 *
 * @param action the action of access.js that it needs
 * @param question if it asks first: what dialog.js takes, without `act`
 * @param act sends the command; it gets the values of the question's form
 * @param done says in the notice what was asked for
 */
export function Command({ action, question, act, done, className = '', disabled, children }) {
  const [isBusy, setBusy] = useState(false);
  const access = useCluster((all) => all.access);
  const refusal = access.refusal(action);

  const run = async (values) => {
    const answer = await act(values);
    notify(typeof done === 'function' ? done(answer) : done);
  };
  const click = async () => {
    if (refusal) notify(refusal, 'bad');
    if (refusal || isBusy) return;
    if (question) {
      ask({ ...question, act: run });
      return;
    }
    setBusy(true);
    await run().catch((error) => notify(error.message, 'bad'));
    setBusy(false);
  };
  return html`
    <button type="button" class=${className} onClick=${click} disabled=${disabled || isBusy || undefined}
      aria-disabled=${refusal ? 'true' : undefined} title=${refusal || undefined}>${children}</button>`;
}

/** Says once why a group of commands is not offered. */
export function Refusal({ action }) {
  const access = useCluster(() => cluster.access);
  const text = access.refusal(action);
  return text ? html`<p class="quiet refusal-note">${text}</p>` : null;
}
