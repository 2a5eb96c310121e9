/** The words of events. They are those of `fleetctl events`. */

import { failure } from './status.js';
import { machineName } from './machine.js';

const DESIRED = { launched: 'launched', loaded: 'loaded', inactive: 'inactive' };

/** Whether an event is for people; others say the same in more detail. */
export function isTold(event) {
  if (event.name === 'state') return ['failed', 'active'].includes(event.state.systemdActiveState);
  return !['start', 'unit', 'state-gone', 'unit-destroyed'].includes(event.name);
}

/** The kinds that people filter by. */
export const KINDS = {
  commands: (event) => event.name === 'command',
  moves: (event) => ['placed', 'leaving', 'left', 'moved'].includes(event.name),
  failures: (event) => isBad(event),
  states: (event) => event.name === 'state',
  machines: (event) => ['machine', 'machine-gone', 'leader'].includes(event.name),
  operations: (event) => ['operation', 'rescheduling-paused', 'rescheduling-resumed'].includes(event.name),
};

function isBad(event) {
  return event.name === 'machine-gone' || (event.name === 'state' && event.state.systemdActiveState === 'failed');
}

/** { tone, subject, text }: whether the line begins with its subject, and the words behind it. */
export function eventText(event) {
  const write = WORDS[event.name];
  return write ? write(event) : { tone: 'loaded', subject: true, text: event.name };
}

const line = (tone, text, subject = true) => ({ tone, subject, text });
const machineOf = (event) => machineName(event.context?.machine ?? event.machine?.id ?? '');

const WORDS = {
  command: (event) => line('loaded', commandText(event), !OF_CLUSTER.has(event.command)),
  placed: (event) => line('changing', `placed on ${machineOf(event)}`),
  moved: (event) => line('changing', `moved from ${machineName(event.context?.from ?? '')} to ${machineOf(event)}`),
  leaving: (event) => line('changing', `leaves ${machineOf(event)}`),
  left: (event) => line('waiting', `has left ${machineOf(event)}`),
  state: (event) => stateText(event),
  machine: (event) => line('ready', event.cause?.why === 'joined' ? 'joined' : 'changed'),
  'machine-gone': () => line('lost', 'is gone'),
  leader: (event) => event.context?.machine ? line('ready', 'leads') : line('unreported', event.cause?.why || 'no engine leads', false),
  operation: () => line('forward', ''),
  'rescheduling-paused': () => line('paused', 'rescheduling is paused', false),
  'rescheduling-resumed': () => line('ready', 'rescheduling is resumed', false),
  gap: () => line('unreported', 'earlier events are missing', false),
};

function stateText({ state, context }) {
  const on = ` on ${machineName(context?.machine ?? state.machineID)}`;
  if (state.systemdActiveState !== 'failed') return line('active', state.systemdActiveState + on);
  return line('failed', ['failed' + on, failure(state), state.problem].filter(Boolean).join(': '));
}

const OF_CLUSTER = new Set(['config', 'token-created', 'token-revoked', 'access-granted', 'access-revoked', 'ca-rotation']);

function commandText({ command, unit }) {
  const desired = DESIRED[unit?.desiredState];
  switch (command) {
    case 'created':
    case 'replaced': return command + (desired ? `, desired state ${desired}` : '');
    case 'desired': return `desired state ${desired}`;
    case 'started-again': return 'starts again';
    case 'metadata': return 'metadata set';
    case 'maintenance': return 'in maintenance';
    case 'maintenance-ended': return 'maintenance ended';
    case 'removed': return 'removed from the cluster';
    case 'readmitted': return 'may join again';
    case 'taken-over': return 'TAKEN OVER';
    case 'config': return 'setting changed';
    case 'token-created': return 'token made';
    case 'token-revoked': return 'token revoked';
    case 'access-granted': return 'access granted';
    case 'access-revoked': return 'access revoked';
    case 'ca-rotation': return 'authority';
    default: return command;
  }
}
