/** Machines by their names. */

import { cluster } from '../cluster.js';
import { link } from '../router.js';
import { html } from '../ui.js';

const ID = /\b[0-9a-f]{32}\b/g;

/** The hostname of a machine, or the beginning of its id if it has not said one. */
export function machineName(id) {
  return cluster.state.machines.get(id)?.hostname || id.slice(0, 8);
}

/** A text of the server with hostnames in place of ids. */
export const withNames = (text) => (text ?? '').replace(ID, machineName);

export function MachineLink({ id }) {
  return html`<a href=${link('machines', id)} title=${id}>${machineName(id)}</a>`;
}

/** The id of a machine by what somebody typed: a hostname, or the beginning of an id. */
export function matchesMachine(id, text) {
  return id.startsWith(text) || machineName(id).includes(text);
}

/** The state of a machine in one word. Without it the listing is older than the machine. */
export function machineState(machine) {
  return machine.state ?? (machine.drain ? 'draining' : machine.cordoned ? 'cordoned' : 'ready');
}
