/** A machine: its state, resources and units, and the commands for it. */

import { machinePath, send } from '../api.js';
import { cluster, useCluster, useMachinesUpToDate } from '../cluster.js';
import { Command, Refusal } from '../parts/actions.js';
import { Resources } from '../parts/bars.js';
import { Age, dateTime, number, plural } from '../parts/format.js';
import { machineName, machineState } from '../parts/machine.js';
import { OperationProgress } from '../parts/operation-progress.js';
import { Status } from '../parts/status.js';
import { UnitTable, useSelection } from '../parts/unit-table.js';
import { useUsage } from '../parts/usage.js';
import { link } from '../router.js';
import { html } from '../ui.js';

export function MachineView({ subject: id }) {
  useMachinesUpToDate();
  useCluster((all) => all.state.machinesVersion);
  const known = useCluster((all) => all.readings > 0);
  const machine = cluster.state.machines.get(id);
  const { units, version } = useSelection((record) => record.machines.includes(id), [id]);
  const word = machine ? machineState(machine) : '';
  const isHere = machine && !['lost', 'left'].includes(word);
  const usage = useUsage(isHere ? id : null, 2000);
  if (!machine) return html`<${Unknown} id=${id} known=${known} />`;
  return html`
    <div class="page">
      <nav class="crumbs" aria-label="Path"><a href=${link('machines')}>Machines</a></nav>
      <div class="page-head">
        <h1 tabindex="-1">${machineName(id)}</h1>
        <${Status} word=${word} />
        ${cluster.state.leader === id && html`<span class="tag accent">leader</span>`}
        <${Commands} machine=${machine} word=${word} units=${units.length} />
      </div>
      <${Refusal} action="machines" />
      ${['draining', 'drained'].includes(word) && html`<section class="card" aria-label="Drain"><${OperationProgress} id=${'drain-' + id} /></section>`}
      <div class="columns">
        <section class="card" aria-labelledby="machine-resources">
          <h2 id="machine-resources">Resources</h2>
          ${isHere ? html`<${Resources} machine=${machine} usage=${usage.get(id)} />` : html`<p class="quiet">It does not report.</p>`}
        </section>
        <section class="card" aria-labelledby="machine-facts">
          <h2 id="machine-facts">Machine</h2>
          <${Facts} machine=${machine} />
        </section>
      </div>
      <section class="list-section" aria-labelledby="machine-units">
        <h2 id="machine-units">Units <span class="count">${number(units.length)}</span></h2>
        ${units.length === 0
          ? html`<p class="quiet">No unit is here.</p>`
          : html`<${UnitTable} units=${units} version=${version} label="Units on ${machineName(id)}" ofOneMachine />`}
      </section>
    </div>`;
}

function Unknown({ id, known }) {
  if (!known) return html`<h1 tabindex="-1">${id}</h1><p class="quiet">Reading the cluster…</p>`;
  return html`
    <h1 tabindex="-1">No such machine</h1>
    <p>The cluster does not know the machine ${id}. <a href=${link('machines')}>All machines</a></p>`;
}

function Facts({ machine }) {
  const { id, hostname, primaryIP, architecture, version, role, metadata = {}, maintenance, since, drain } = machine;
  const facts = [
    ['Id', html`<code class="id">${id}</code>`],
    ['Hostname', hostname], ['Address', primaryIP], ['Architecture', architecture], ['fleet', version], ['Role', role],
    ['Away', since && html`for <${Age} time=${since} />`],
    ['Maintenance', maintenance && `by ${maintenance.by}, until ${dateTime(maintenance.until)}`],
    ['Drained by', drain?.by],
    ['Metadata', Object.keys(metadata).length > 0 && html`<ul class="tags">${Object.entries(metadata).map(([key, value]) => html`<li key=${key} class="tag">${key}=${value}</li>`)}</ul>`],
  ];
  return html`<dl class="facts">${facts.filter(([, value]) => value).map(([name, value]) => html`<dt key=${name}>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

function Commands({ machine, word, units }) {
  const name = machineName(machine.id);
  return html`
    <div class="commands" role="group" aria-label="Commands for ${name}">
      ${['lost', 'left'].includes(word)
        ? html`<${GoneCommands} machine=${machine} name=${name} />`
        : html`<${PresentCommands} machine=${machine} name=${name} units=${units} />`}
    </div>`;
}

function GoneCommands({ machine, name }) {
  return html`
    <${Command} action="machines" question=${removeQuestion(name)} act=${() => send('POST', machinePath(machine.id, '/remove'))}
      done="${name} is removed.">Remove…</${Command}>`;
}

function PresentCommands({ machine, name, units }) {
  const { id } = machine;
  const post = (part, query) => send('POST', machinePath(id, part), { query });
  const isCordoned = machine.cordoned || machine.drain;
  return html`
    ${isCordoned
      ? html`<${Command} action="machines" act=${() => post('/uncordon')} done="${name} takes units again.">Uncordon</${Command}>`
      : html`<${Command} action="machines" act=${() => post('/cordon')} done="${name} takes no new units.">Cordon</${Command}>`}
    ${!machine.drain && html`
      <${Command} action="drain" question=${drainQuestion(name, units)} act=${(values) => post('/drain', values)}
        done="The drain of ${name} has begun.">Drain…</${Command}>`}
    ${machine.maintenance
      ? html`<${Command} action="machines" act=${() => send('DELETE', machinePath(id, '/maintenance'))} done="Maintenance of ${name} has ended.">End maintenance</${Command}>`
      : html`<${Command} action="machines" question=${maintenanceQuestion(name)} act=${(values) => post('/maintenance', values)}
          done="${name} is in maintenance.">Maintenance…</${Command}>`}`;
}

const removeQuestion = (name) => ({
  title: `Remove ${name} from the cluster?`,
  text: 'The cluster forgets it, and its certificate is no longer good for anything. It can come back only with a new token.',
  verb: 'Remove',
  danger: true,
});

const drainQuestion = (name, units) => ({
  title: `Drain ${name}?`,
  text: `It takes no new units, and its ${plural(units, 'unit')} move to other machines, a few at a time. Uncordon ends the drain.`,
  fields: [{ name: 'maxUnavailable', label: 'Instances of a template that may be down at a time', type: 'number', min: 1, value: 1 }],
  verb: 'Drain',
  danger: true,
});

const maintenanceQuestion = (name) => ({
  title: `Put ${name} into maintenance?`,
  text: 'Its fleetd may be away until then, and its units stay on it.',
  fields: [{ name: 'for', label: 'For', value: '30m', hint: 'from 1m to 24h' }],
  verb: 'Begin maintenance',
});
