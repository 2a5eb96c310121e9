/** The commands for a unit. Those that stop something ask first. */

import { send, unitPath } from '../api.js';
import { go } from '../router.js';
import { html } from '../ui.js';
import { Command } from './actions.js';

export function UnitCommands({ record }) {
  const { name, entity, condition } = record;
  const { desiredState, global } = entity;
  const isTemplate = /@\.\w+$/.test(name);
  const put = (desired) => send('PUT', unitPath(name), { body: { name, desiredState: desired } });
  const start = () => (desiredState === 'launched' ? send('POST', unitPath(name, '/start')) : put('launched'));
  const isRunning = desiredState === 'launched' && !['ended', 'failed'].includes(condition);
  return html`
    <div class="commands" role="group" aria-label="Commands for ${name}">
      ${!isTemplate && !isRunning && html`<${Command} action="start" className="primary" act=${start} done="${name} starts.">Start</${Command}>`}
      ${!isTemplate && desiredState === 'launched' && (global
        ? html`<${Command} action="restart" question=${inTurns(name)} act=${(query) => restartInTurns(name, query)} done="The restart in turns has begun.">Restart…</${Command}>`
        : html`<${Command} action="restart" question=${restartQuestion(name)} act=${() => send('POST', unitPath(name, '/restart'))} done="${name} restarts.">Restart…</${Command}>`)}
      ${desiredState === 'launched' && html`<${Command} action="stop" question=${stopQuestion(name)} act=${() => put('loaded')} done="${name} stops.">Stop…</${Command}>`}
      ${desiredState === 'loaded' && html`<${Command} action="stop" question=${unloadQuestion(name)} act=${() => put('inactive')} done="${name} leaves its machine.">Unload…</${Command}>`}
      <${Command} action="destroy" question=${destroyQuestion(name)} act=${() => destroy(name)} done="${name} is destroyed.">Destroy…</${Command}>
    </div>`;
}

async function restartInTurns(name, query) {
  const operation = await send('POST', unitPath(name, '/restart-in-turns'), { query });
  go('operations', operation.id ?? `restart-${name}`);
}

async function destroy(name) {
  await send('DELETE', unitPath(name));
  go('units');
}

const restartQuestion = (name) => ({ title: `Restart ${name}?`, text: 'It stops and starts again on its machine.', verb: 'Restart' });

const stopQuestion = (name) => ({ title: `Stop ${name}?`, text: 'It stops and stays on its machine, ready to start again.', verb: 'Stop', danger: true });

const unloadQuestion = (name) => ({ title: `Unload ${name}?`, text: 'It leaves its machine. The cluster keeps its text.', verb: 'Unload', danger: true });

const destroyQuestion = (name) => ({ title: `Destroy ${name}?`, text: 'It stops, and the cluster forgets its text and its history.', verb: 'Destroy', danger: true });

const inTurns = (name) => ({
  title: `Restart ${name} in turns?`,
  text: 'It restarts on one machine after the other.',
  fields: [
    { name: 'maxUnavailable', label: 'Machines on which it may be down at a time', type: 'number', min: 1, value: 1 },
    { name: 'healthySeconds', label: 'Seconds that it has to be active before the next one', type: 'number', min: 1, value: 2 },
  ],
  verb: 'Restart',
});
