/** Units in a table of any length, kept up to date record by record. */

import { cluster, useCluster } from '../cluster.js';
import { link } from '../router.js';
import { Selection } from '../state.js';
import { html, useLayoutEffect, useMemo, useState } from '../ui.js';
import { Age } from './format.js';
import { MachineLink, withNames } from './machine.js';
import { failure, Status } from './status.js';
import { VirtualTable } from './virtual.js';

/**
 * The units that a filter wants, and a number that rises when one of them changes.
 *
 * @param keys the values that the filter depends on
 */
export function useSelection(wants, keys) {
  const state = useCluster((all) => all.state);
  const readings = useCluster((all) => all.readings);
  const selection = useMemo(() => new Selection(state, wants), [state, readings, ...keys]);
  const [version, setVersion] = useState(0);
  useLayoutEffect(() => cluster.subscribe((changed) => {
    if (changed.size === 0) return;
    selection.update(changed);
    setVersion((count) => count + 1);
  }), [selection]);
  return { units: selection.units, version };
}

const mainState = ({ states }) => states.find((state) => state.systemdActiveState === 'failed') ?? states[0];

/** The reason why a unit waits or failed. */
function remark(record) {
  if (record.condition === 'waiting') return withNames(record.entity.waiting);
  const state = mainState(record);
  if (record.condition === 'failed') return state.problem || failure(state);
  return state?.problem ?? '';
}

function Place({ record }) {
  const { machines, entity } = record;
  if (entity.global) return html`<span class="quiet">${machines.length} machines</span>`;
  if (machines.length === 0) return html`<span class="quiet">–</span>`;
  return html`<${MachineLink} id=${machines.at(-1)} />`;
}

const COLUMNS = [
  { name: 'State', className: 'c-state', cell: (record) => html`<${Status} word=${record.condition} />` },
  { name: 'Unit', className: 'c-unit', cell: ({ name }) => html`<a href=${link('units', name)} title=${name}>${name}</a>` },
  { name: 'Machine', className: 'c-machine', cell: (record) => html`<${Place} record=${record} />` },
  { name: 'systemd', className: 'c-sub', cell: (record) => mainState(record)?.systemdSubState ?? '' },
  { name: 'Since', className: 'c-age', cell: (record) => html`<${Age} time=${mainState(record)?.since} />` },
  { name: 'Remark', className: 'c-remark', cell: (record) => html`<span title=${remark(record)}>${remark(record)}</span>` },
];

const WITHOUT_MACHINE = COLUMNS.filter(({ name }) => name !== 'Machine');

export function UnitTable({ units, version, label, ofOneMachine }) {
  return html`
    <${VirtualTable} items=${units} version=${version} columns=${ofOneMachine ? WITHOUT_MACHINE : COLUMNS}
      hrefOf=${({ name }) => link('units', name)} label=${label} className="units-grid" />`;
}
