/** All units: search, filters, and a table that stays smooth with 100,000 of them. */

import { cluster, useCluster } from '../cluster.js';
import { Choice, nameMatcher, Search, StateFilter } from '../parts/filters.js';
import { number } from '../parts/format.js';
import { matchesMachine } from '../parts/machine.js';
import { Told } from '../parts/told.js';
import { UnitTable, useSelection } from '../parts/unit-table.js';
import { setQuery } from '../router.js';
import { CONDITIONS } from '../state.js';
import { html } from '../ui.js';

export function UnitsView({ query }) {
  const [q, state, machine, kind] = ['q', 'state', 'machine', 'kind'].map((name) => query.get(name) ?? '');
  const { units, version } = useSelection(filterOf(q, state, machine, kind), [q, state, machine, kind]);
  const all = useCluster(({ state: now }) => now.sorted.length);
  const isFiltered = q || state || machine || kind;
  const known = useCluster((now) => now.readings > 0);
  return html`
    <div class="page fill">
      <div class="page-head">
        <h1 tabindex="-1">Units</h1>
        <span class="count">${isFiltered ? `${number(units.length)} of ${number(all)}` : number(all)}</span>
      </div>
      <${Told} text="${number(units.length)} units" about=${[q, state, machine, kind].join()} />
      <div class="filters">
        <${Search} value=${q} label="Search units by name or pattern" placeholder="web, or a pattern: web@*" />
        <label class="search narrow"><span class="hidden">Machine</span>
          <input type="search" value=${machine} placeholder="machine" onInput=${(event) => setQuery({ machine: event.target.value })} />
        </label>
        <${Choice} name="kind" label="Kind" value=${kind} empty="all" options=${['global', 'template']} />
        <${StateFilter} counts=${cluster.state.counts} order=${CONDITIONS} value=${state} />
      </div>
      ${units.length === 0 && known
        ? html`<${None} isFiltered=${isFiltered} />`
        : html`<${UnitTable} units=${units} version=${version} label="Units" />`}
    </div>`;
}

function filterOf(q, state, machine, kind) {
  const fits = nameMatcher(q);
  const states = new Set(state.split(',').filter(Boolean));
  return (record) =>
    (states.size === 0 || states.has(record.condition)) &&
    fits(record.name) &&
    (!machine || record.machines.some((id) => matchesMachine(id, machine))) &&
    (kind !== 'global' || record.entity.global === true) &&
    (kind !== 'template' || /@\./.test(record.name));
}

function None({ isFiltered }) {
  return isFiltered
    ? html`<div class="empty"><p>No unit matches these filters.</p>
        <button type="button" onClick=${() => setQuery({ q: '', state: '', machine: '', kind: '' })}>Show all units</button></div>`
    : html`<div class="empty"><p>There are no units yet. Start the first one with</p><pre>fleetctl start hello.service</pre></div>`;
}
