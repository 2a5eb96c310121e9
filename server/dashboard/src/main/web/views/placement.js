/** A picture of placement: machines as boxes, units as cells; and the same as a table. */

import { cluster } from '../cluster.js';
import { Choice, nameMatcher, Search, StateFilter } from '../parts/filters.js';
import { number, plural } from '../parts/format.js';
import { countsOf, groupsOf, metadataKeys, nameOf, NOWHERE, wordOf } from '../parts/placement-groups.js';
import { Picture } from '../parts/placement-picture.js';
import { Status } from '../parts/status.js';
import { VirtualTable } from '../parts/virtual.js';
import { link, setQuery } from '../router.js';
import { CONDITIONS } from '../state.js';
import { html, useLayoutEffect, useMemo, useState } from '../ui.js';

/** Between two drawings while many events come, in milliseconds. */
const GAP = 100;
const SIZES = ['fit', '3', '5', '9', '14', '18'];

export function PlacementView({ query }) {
  const [q, states, group, size, as] = ['q', 'state', 'group', 'size', 'as'].map((name) => query.get(name) ?? '');
  const version = useThrottledVersion();
  const groups = useMemo(() => groupsOf(cluster.state, group), [version, group]);
  const keys = useMemo(() => metadataKeys(cluster.state), [version]);
  const dims = useMemo(() => dimmer(q, states), [q, states]);
  const isTable = as === 'table';
  return html`
    <div class="page fill placement-page">
      <div class="page-head">
        <h1 tabindex="-1">Placement</h1>
        <span class="count">${plural(cluster.state.sorted.length, 'unit')} on ${plural(cluster.state.machines.size, 'machine')}</span>
        <div class="segments" role="group" aria-label="Show as">
          <button type="button" aria-pressed=${isTable ? 'false' : 'true'} onClick=${() => setQuery({ as: '' })}>Picture</button>
          <button type="button" aria-pressed=${isTable ? 'true' : 'false'} onClick=${() => setQuery({ as: 'table' })}>Table</button>
        </div>
      </div>
      <div class="filters">
        <${Search} value=${q} label="Search units by name or pattern" placeholder="highlight units: web@*" />
        ${keys.length > 0 && html`<${Choice} name="group" label="Group by" value=${group} empty="nothing" options=${keys} />`}
        ${!isTable && html`<${Choice} name="size" label="Size" value=${size || 'fit'} options=${SIZES} />`}
        <${StateFilter} counts=${cluster.state.counts} order=${CONDITIONS} value=${states} />
      </div>
      ${isTable ? html`<${PlacementTable} groups=${groups} version=${version} dims=${dims} isFiltered=${Boolean(q || states)} />`
        : html`<${Picture} groups=${groups} size=${Number(size) || 0} dims=${dims} version=${version} />`}
    </div>`;
}

function useThrottledVersion() {
  const [version, setVersion] = useState(0);
  useLayoutEffect(() => {
    let timer = 0;
    const end = cluster.subscribe(() => {
      timer ||= setTimeout(() => {
        timer = 0;
        setVersion((count) => count + 1);
      }, GAP);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, []);
  return version;
}

function dimmer(q, states) {
  const fits = nameMatcher(q);
  const wanted = new Set(states.split(',').filter(Boolean));
  if (!q.trim() && wanted.size === 0) return () => false;
  return (unit) => !fits(unit.name) || (wanted.size > 0 && !wanted.has(unit.condition));
}

function PlacementTable({ groups, version, dims, isFiltered }) {
  const counted = (box) => box.units.filter((unit) => !dims(unit));
  const items = groups
    .flatMap(({ name, boxes }) => boxes.map((box) => ({ ...box, group: name, name: box.id })))
    .filter((box) => !isFiltered || counted(box).length > 0);
  const columns = [
    { name: 'Machine', className: 'c-unit', cell: ({ id }) => (id === NOWHERE ? 'no machine' : html`<a href=${link('machines', id)}>${nameOf(id)}</a>`) },
    { name: 'State', className: 'c-state', cell: ({ id }) => html`<${Status} word=${wordOf(id)} />` },
    { name: 'Group', className: 'c-group', cell: ({ group }) => group },
    { name: 'Units', className: 'c-number', cell: (box) => number(counted(box).length) },
    { name: 'By state', className: 'c-remark', cell: (box) => countsOf(counted(box)).map(([word, count]) => html`<${Status} word=${word} text="${number(count)} ${word}" />`) },
  ];
  return html`<${VirtualTable} items=${items} version=${version} columns=${columns} hrefOf=${({ id }) => link(...(id ? ['machines', id] : ['units']))}
    label="Placement of units" className="placement-grid" />`;
}
