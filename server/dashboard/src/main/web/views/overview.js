/** The cluster at a glance: what is wrong first, then machines, units, operations and the store. */

import { send } from '../api.js';
import { cluster, useCluster, useMachinesUpToDate } from '../cluster.js';
import { Command } from '../parts/actions.js';
import { Age, number, plural } from '../parts/format.js';
import { Shares, TotalResources } from '../parts/bars.js';
import { useEarlier } from '../parts/earlier.js';
import { EventList } from '../parts/event-list.js';
import { MachineLink, withNames } from '../parts/machine.js';
import { OperationRow } from '../parts/operation-row.js';
import { unitProblems } from '../parts/problems.js';
import { Problem, useResource } from '../parts/resource.js';
import { Mark } from '../parts/status.js';
import { Told } from '../parts/told.js';
import { CONDITIONS } from '../state.js';
import { link } from '../router.js';
import { html } from '../ui.js';
import { MACHINE_STATES } from './machines.js';

const SHOWN = 12;

/** The server finds these in units; the page finds the same by itself, with every event. */
const OF_UNITS = new Set(['failed', 'waiting', 'blocked', 'starting', 'restarting']);

/** An overview costs the server a look at all units, so events of single units do not ask for one. */
const concernsAll = (event) =>
  ['leader', 'machine', 'machine-gone', 'operation', 'rescheduling-paused', 'rescheduling-resumed'].includes(event.name) ||
  (event.name === 'command' && !event.context?.unit);

export function OverviewView() {
  useMachinesUpToDate();
  const { value: overview, error, again } = useResource('/overview', {}, concernsAll);
  useCluster((all) => all.state.unitsVersion, 250);
  useCluster((all) => all.state.machinesVersion);
  const known = useCluster((all) => all.readings > 0);
  const units = known ? cluster.state.counts : overview?.units ?? {};
  return html`
    <h1 tabindex="-1" class="hidden">Overview</h1>
    <${Problem} error=${error} again=${again} />
    ${overview && html`
      <div class="overview">
        <${Headline} overview=${overview} units=${units} known=${known} />
        <section aria-labelledby="overview-units" class="card">
          <h2 id="overview-units"><a href=${link('units')}>Units</a> <span class="count">${number(total(units))}</span></h2>
          <${Shares} counts=${units} order=${CONDITIONS} to="units" name="Units by state" />
        </section>
        <section aria-labelledby="overview-machines" class="card">
          <h2 id="overview-machines"><a href=${link('machines')}>Machines</a> <span class="count">${number(total(overview.machines))}</span></h2>
          <${Shares} counts=${overview.machines ?? {}} order=${MACHINE_STATES} to="machines" name="Machines by state" />
        </section>
        <section aria-labelledby="overview-resources" class="card">
          <h2 id="overview-resources">Resources</h2>
          <${TotalResources} machines=${[...cluster.state.machines.values()]} />
        </section>
        <${Control} overview=${overview} />
        <section aria-labelledby="overview-operations" class="card wide">
          <h2 id="overview-operations"><a href=${link('operations')}>Operations</a></h2>
          <${UnderWay} operations=${overview.operations ?? []} />
        </section>
        <section aria-labelledby="overview-events" class="card wide">
          <h2 id="overview-events"><a href=${link('events')}>Latest events</a></h2>
          <${Latest} />
        </section>
      </div>`}`;
}

/** Units that become active are too many for a look at the cluster. */
const isUncommon = (event) => event.name !== 'state' || event.state.systemdActiveState === 'failed';

function Latest() {
  const { earlier } = useEarlier('1h');
  return html`<${EventList} earlier=${earlier} limit=${10} wants=${isUncommon} brief />`;
}

const total = (counts) => Object.values(counts ?? {}).reduce((sum, one) => sum + one, 0);

function Headline({ overview, units, known }) {
  const ofCluster = (overview.problems ?? []).filter((problem) => !known || !OF_UNITS.has(problem.kind));
  const found = known ? unitProblems(cluster.state, SHOWN) : { problems: [], count: 0 };
  const problems = [...ofCluster, ...found.problems].slice(0, SHOWN);
  const count = known ? ofCluster.length + found.count : total(overview.problemCounts);
  if (count === 0) {
    return html`
      <section class="headline well" aria-label="Problems">
        <${Mark} word="active" /><p><strong>Nothing is wrong.</strong> ${plural(units.active ?? 0, 'unit')} active
        on ${plural(overview.machines?.ready ?? 0, 'ready machine')}.</p>
      </section>`;
  }
  return html`
    <section class="headline card" aria-labelledby="overview-problems">
      <h2 id="overview-problems"><${Mark} word="failed" /> ${plural(count, 'problem')}</h2>
      <${Told} text=${plural(count, 'problem')} />
      <ul class="problems">${problems.map((problem) => html`<${ProblemRow} key=${keyOf(problem)} problem=${problem} />`)}</ul>
      ${count > problems.length && html`<p class="more">${more(units, count - problems.length)}</p>`}
    </section>`;
}

const keyOf = ({ kind, unit, machineID, name }) => [kind, unit, machineID, name].join();

function more(units, left) {
  const state = units.failed ? 'failed' : 'waiting';
  return html`and ${number(left)} more: <a href=${link('units', { state })}>all units that are ${state}</a>`;
}

const MARKS = { waiting: 'waiting', operation: 'paused', paused: 'paused', starting: 'changing', restarting: 'changing', versions: 'waiting' };

function ProblemRow({ problem }) {
  const { kind, unit, machineID, name, text, since } = problem;
  return html`
    <li>
      <${Mark} word=${MARKS[kind] ?? 'failed'} />
      <span class="problem-subject">
        ${unit ? html`<a href=${link('units', unit)}>${unit}</a>` : null}
        ${machineID ? html`${unit && html`<span class="quiet"> on </span>`}<${MachineLink} id=${machineID} />` : null}
        ${name && kind === 'operation' ? html`<a href=${link('operations', name)}>${withNames(name)}</a>` : name}
        ${!unit && !machineID && !name && kind}
      </span>
      <span class="problem-text">${withNames(text)}</span>
      <span class="quiet age"><${Age} time=${since} /></span>
    </li>`;
}

const RESUME = {
  title: 'Resume rescheduling?',
  text: 'Units of lost machines are started on others. Resume if those machines are really down.',
  verb: 'Resume',
  danger: true,
};

const nobodyLeads = ({ problems = [] }) => problems.some(({ kind }) => kind === 'leader');

function Control({ overview }) {
  const leader = cluster.state.leader || overview.leader;
  const { store, versions = {} } = overview;
  const names = Object.keys(versions);
  return html`
    <section aria-labelledby="overview-control" class="card">
      <h2 id="overview-control">Control</h2>
      <dl class="facts">
        <dt>Leader</dt>
        <dd>${leader
          ? html`<${MachineLink} id=${leader} /> <span class="quiet">${overview.leaderSince && html`for <${Age} time=${overview.leaderSince} />`}</span>`
          : nobodyLeads(overview) ? html`<${Mark} word="failed" /> nobody leads` : html`<span class="quiet">not known</span>`}</dd>
        ${store && html`<dt>Store</dt><dd><${Store} store=${store} /></dd>`}
        <dt>Version</dt>
        <dd>${names.map((version) => names.length > 1 ? `${version} (${number(versions[version])})` : version).join(', ')}</dd>
        ${overview.pause && html`<dt>Rescheduling</dt><dd><${Mark} word="paused" /> paused: ${withNames(overview.pause.reason)}
          <${Command} action="machines" question=${RESUME} act=${() => send('POST', '/rescheduling/resume')} done="Units of lost machines move again.">Resume…</${Command}></dd>`}
      </dl>
    </section>`;
}

function Store({ store }) {
  if (!store.members?.length) return store.problem ? html`<${Mark} word="failed" /> ${store.kind}: ${store.problem}` : store.kind;
  return html`${store.kind}
    <ul class="members">${store.members.map((member) => html`
      <li key=${member.address ?? member.name} title=${member.address}>
        <${Mark} word=${member.problem ? 'failed' : 'active'} />${member.name} <span class="quiet">${member.problem ?? member.version}</span>
      </li>`)}</ul>`;
}

function UnderWay({ operations }) {
  if (operations.length === 0) {
    return html`<p class="quiet">Nothing is under way.</p>`;
  }
  return html`<ul class="operations">${operations.map((operation) => html`<${OperationRow} key=${operation.id} operation=${operation} />`)}</ul>`;
}
