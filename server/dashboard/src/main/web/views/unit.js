/** A unit: its states on all machines, why it is there, journal, history and text. */

import { cluster, useCluster } from '../cluster.js';
import { Refusal } from '../parts/actions.js';
import { useEarlier } from '../parts/earlier.js';
import { EventList } from '../parts/event-list.js';
import { Age } from '../parts/format.js';
import { History } from '../parts/history.js';
import { JournalView } from '../parts/journal.js';
import { MachineLink, withNames } from '../parts/machine.js';
import { about } from '../parts/resource.js';
import { failure, Status } from '../parts/status.js';
import { UnitCommands } from '../parts/unit-commands.js';
import { UnitFile } from '../parts/unit-file.js';
import { Why } from '../parts/why.js';
import { link } from '../router.js';
import { html, useLayoutEffect, useState } from '../ui.js';

const PARTS = [
  ['', 'State'],
  ['journal', 'Journal'],
  ['history', 'History'],
  ['file', 'Unit file'],
  ['events', 'Events'],
];

/** Renders again when the unit changes, and only then. */
function useUnit(name) {
  const [, renderAgain] = useState(0);
  const state = useCluster((all) => all.state);
  const readings = useCluster((all) => all.readings);
  useLayoutEffect(() => cluster.subscribe((changed) => {
    if ([...changed].some((record) => record.name === name)) renderAgain((count) => count + 1);
  }), [name, state]);
  return { record: state.unit(name), known: readings > 0 };
}

export function UnitView({ subject: name, part = '' }) {
  const { record, known } = useUnit(name);
  if (!record) return html`<${Unknown} name=${name} known=${known} />`;
  return html`
    <div class="page fill unit-page">
      <nav class="crumbs" aria-label="Path"><a href=${link('units')}>Units</a></nav>
      <div class="page-head">
        <h1 tabindex="-1">${name}</h1>
        <span role="status" aria-live="polite"><${Status} word=${record.condition} /></span>
        ${record.entity.global && html`<span class="tag">global</span>`}
        <${UnitCommands} record=${record} />
      </div>
      <${Refusal} action="start" />
      <nav class="tabs" aria-label="Parts of this page"><ul>
        ${PARTS.map(([path, title]) => html`
          <li key=${path}><a href=${path ? link('units', name, path) : link('units', name)} aria-current=${part === path ? 'page' : undefined}>${title}</a></li>`)}
      </ul></nav>
      <${Part} key=${part} part=${part} record=${record} />
    </div>`;
}

function Unknown({ name, known }) {
  if (!known) return html`<h1 tabindex="-1">${name}</h1><p class="quiet">Reading the cluster…</p>`;
  return html`
    <h1 tabindex="-1">No such unit</h1>
    <p>There is no unit ${name}, or your grant does not show it. <a href=${link('units')}>All units</a></p>`;
}

function Part({ part, record }) {
  const { name } = record;
  switch (part) {
    case '': return html`<${StatePart} record=${record} />`;
    case 'journal': return html`<${JournalView} unit=${name} />`;
    case 'history': return html`<${History} unit=${name} />`;
    case 'file': return html`<${UnitFile} unit=${name} />`;
    case 'events': return html`<${UnitEvents} unit=${name} />`;
    default: return html`<p>There is no part “${part}”. <a href=${link('units', name)}>State of ${name}</a></p>`;
  }
}

function UnitEvents({ unit }) {
  const { earlier } = useEarlier('all', unit);
  return html`<${EventList} earlier=${earlier} wants=${about(unit)} limit=${500} />`;
}

function StatePart({ record }) {
  return html`
    <div class="columns">
      <div>
        <section class="card" aria-labelledby="unit-states">
          <h2 id="unit-states">On machines</h2>
          <${States} record=${record} />
        </section>
        <section class="card" aria-labelledby="unit-facts">
          <h2 id="unit-facts">Asked for</h2>
          <${Facts} entity=${record.entity} />
        </section>
      </div>
      <section class="card" aria-labelledby="unit-why">
        <h2 id="unit-why">Why here</h2>
        <${Why} unit=${record.name} />
      </section>
    </div>`;
}

function Facts({ entity }) {
  const { desiredState, by, set, require, waiting, keptOn, restartCounter } = entity;
  const facts = [
    ['Desired state', desiredState],
    ['By', withNames(by)],
    ['Waits', waiting && withNames(waiting)],
    ['Kept on', keptOn && html`<${MachineLink} id=${keptOn} />`],
    ['Set', set],
    ['Requires', require?.join(', ')],
    ['Starts asked for', restartCounter],
  ];
  return html`<dl class="facts">${facts.filter(([, value]) => value).map(([title, value]) => html`<dt key=${title}>${title}</dt><dd>${value}</dd>`)}</dl>`;
}

function States({ record }) {
  const { states, machines } = record;
  const silent = machines.filter((id) => !states.some((state) => state.machineID === id));
  if (states.length === 0 && silent.length === 0) return html`<p class="quiet">It is on no machine.</p>`;
  return html`
    <div class="table-box" tabindex="0" role="region" aria-label="States"><table>
      <thead><tr><th scope="col">Machine</th><th scope="col">State</th><th scope="col">Since</th><th scope="col">Restarts</th><th scope="col">Result</th></tr></thead>
      <tbody>
        ${states.map((state) => html`<${StateRow} key=${state.machineID} state=${state} />`)}
        ${silent.map((id) => html`<tr key=${id}><td><${MachineLink} id=${id} /></td><td><${Status} word="unreported" /></td><td></td><td></td><td></td></tr>`)}
      </tbody>
    </table></div>`;
}

const WORDS = { active: 'active', reloading: 'active', failed: 'failed', activating: 'changing', deactivating: 'changing' };

function StateRow({ state }) {
  const { machineID, systemdActiveState, systemdSubState, since, restarts } = state;
  return html`
    <tr>
      <td><${MachineLink} id=${machineID} /></td>
      <td><${Status} word=${WORDS[systemdActiveState] ?? 'loaded'} text="${systemdActiveState} (${systemdSubState})" /></td>
      <td><${Age} time=${since} /></td>
      <td>${restarts ?? 0}</td>
      <td>${[failure(state), state.problem].filter(Boolean).join('; ')}</td>
    </tr>`;
}
