/** All machines, with their resources. */

import { cluster, useCluster, useMachinesUpToDate } from '../cluster.js';
import { SmallResource } from '../parts/bars.js';
import { nameMatcher, Search, StateFilter } from '../parts/filters.js';
import { number } from '../parts/format.js';
import { machineName, machineState } from '../parts/machine.js';
import { Status } from '../parts/status.js';
import { Told } from '../parts/told.js';
import { MEASURED_AT_MOST, useUsage } from '../parts/usage.js';
import { VirtualTable } from '../parts/virtual.js';
import { link, setQuery } from '../router.js';
import { sortKey } from '../state.js';
import { html, useMemo } from '../ui.js';

export const MACHINE_STATES = [
  'lost', 'awaited', 'absent', 'draining', 'drained', 'cordoned', 'maintenance', 'ready', 'left',
];

export function MachinesView({ query }) {
  useMachinesUpToDate();
  const version = useCluster((all) => all.state.machinesVersion);
  const unitsVersion = useCluster((all) => all.state.unitsVersion);
  const state = useCluster((all) => all.state);
  const q = query.get('q') ?? '';
  const states = query.get('state') ?? '';
  const machines = useMemo(() => [...state.machines.values()].map((machine) => ({ ...machine, name: machine.id })), [version, state]);
  const counts = countBy(machines);
  const shown = useMemo(() => select(machines, q, states), [machines, q, states]);
  const usage = useUsage(machines.length > 0 && machines.length <= MEASURED_AT_MOST ? '' : null, 5000);
  const metadata = machines.some((machine) => Object.keys(machine.metadata ?? {}).length > 0);
  return html`
    <div class="page fill">
      <div class="page-head">
        <h1 tabindex="-1">Machines</h1>
        <span class="count">${q || states ? `${number(shown.length)} of ${number(machines.length)}` : number(machines.length)}</span>
      </div>
      <${Told} text="${number(shown.length)} machines" about=${q + states} />
      <div class="filters">
        <${Search} value=${q} label="Search machines by name, id, address or metadata" placeholder="name, address or region=eu" />
        <${StateFilter} counts=${counts} order=${MACHINE_STATES} value=${states} />
      </div>
      ${shown.length === 0 && machines.length > 0
        ? html`<div class="empty"><p>No machine matches these filters.</p>
            <button type="button" onClick=${() => setQuery({ q: '', state: '' })}>Show all machines</button></div>`
        : html`<${VirtualTable} items=${shown} version=${[version, unitsVersion, usage]} columns=${columns(usage, metadata)}
            hrefOf=${({ id }) => link('machines', id)} label="Machines" rowHeight=${38} className="machines-grid ${metadata ? '' : 'no-metadata'}" />`}
    </div>`;
}

function countBy(machines) {
  const counts = {};
  for (const machine of machines) {
    const word = machineState(machine);
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

function select(machines, q, states) {
  const fits = nameMatcher(q);
  const wanted = new Set(states.split(',').filter(Boolean));
  return machines
    .filter((machine) => wanted.size === 0 || wanted.has(machineState(machine)))
    .filter((machine) => wordsOf(machine).some(fits))
    .map((machine) => ({ machine, key: sortKey(machine.hostname ?? machine.id) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ machine }) => machine);
}

const pairs = (metadata) => Object.entries(metadata ?? {}).map(([key, value]) => `${key}=${value}`);

const wordsOf = ({ id, hostname = '', primaryIP = '', metadata }) => [id, hostname, primaryIP, ...pairs(metadata)];

function columns(usage, metadata) {
  const resource = (field) => (machine) => html`<${SmallResource} machine=${machine} field=${field} usage=${usage.get(machine.id)} />`;
  return [
    { name: 'State', className: 'c-state', cell: (machine) => html`<${Status} word=${machineState(machine)} />` },
    { name: 'Machine', className: 'c-unit', cell: (machine) => html`<${Name} machine=${machine} />` },
    { name: 'Units', className: 'c-number', cell: ({ id }) => number(cluster.state.on(id).size) },
    { name: 'CPU', className: 'c-bar', cell: resource('cpuMillis') },
    { name: 'Memory', className: 'c-bar', cell: resource('memory') },
    { name: 'Disk', className: 'c-bar c-disk', cell: resource('disk') },
    ...(metadata ? [{ name: 'Metadata', className: 'c-remark', cell: ({ metadata: own }) => html`<span title=${pairs(own).join(', ')}>${pairs(own).join('  ')}</span>` }] : []),
    { name: 'Address', className: 'c-address', cell: ({ primaryIP }) => primaryIP },
    { name: 'Version', className: 'c-version', cell: ({ version }) => version },
  ];
}

function Name({ machine }) {
  return html`
    <a href=${link('machines', machine.id)} title=${machine.id}>${machineName(machine.id)}</a>
    ${cluster.state.leader === machine.id && html` <span class="tag accent">leader</span>`}
    ${machine.role === 'agent' && html` <span class="tag">agent</span>`}`;
}
