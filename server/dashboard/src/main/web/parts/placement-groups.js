/** Machines with their units, as the picture and the table of placement show them. */

import { cluster } from '../cluster.js';
import { CONDITIONS, sortKey } from '../state.js';
import { number, plural } from './format.js';
import { machineName, machineState } from './machine.js';

/** The id of the box for units without a machine. */
export const NOWHERE = '';

/** The keys of metadata by which machines can be grouped. */
export function metadataKeys(state) {
  const keys = new Set();
  state.machines.forEach(({ metadata = {} }) => Object.keys(metadata).forEach((key) => keys.add(key)));
  return [...keys].sort().slice(0, 30);
}

/**
 * Groups of boxes { id, units }, sorted by name.
 *
 * @param key of the metadata; empty for one group of all machines
 */
export function groupsOf(state, key) {
  const groups = new Map();
  for (const machine of sortedMachines(state)) {
    const units = [...state.on(machine.id)];
    if (units.length === 0 && ['lost', 'left'].includes(machine.state)) continue;
    const name = key ? `${key}=${machine.metadata?.[key] ?? ''}` : '';
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push({ id: machine.id, units });
  }
  const sorted = [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, boxes]) => ({ name, boxes }));
  return [...withoutMachine(state), ...sorted];
}

function sortedMachines(state) {
  return [...state.machines.values()]
    .map((machine) => ({ machine, key: sortKey(machine.hostname ?? machine.id) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ machine }) => machine);
}

function withoutMachine(state) {
  const units = [...state.inCondition('waiting')].filter(({ machines }) => machines.length === 0);
  return units.length === 0 ? [] : [{ name: 'Without a machine', boxes: [{ id: NOWHERE, units }] }];
}

export const wordOf = (id) => (id === NOWHERE ? 'waiting' : machineState(cluster.state.machines.get(id) ?? { state: 'lost' }));

export const nameOf = (id) => (id === NOWHERE ? 'no machine' : machineName(id));

/** How many units are in each condition, most urgent first, as pairs. */
export function countsOf(units) {
  const counts = new Map();
  units.forEach(({ condition }) => counts.set(condition, (counts.get(condition) ?? 0) + 1));
  return CONDITIONS.filter((word) => counts.has(word)).map((word) => [word, counts.get(word)]);
}

/** A box, or a unit in it, in words. */
export function describe(box, unit) {
  const place = `${nameOf(box.id)}, ${wordOf(box.id)}`;
  if (unit) return `${unit.name}: ${unit.condition}, on ${place}`;
  return `${place}: ${[plural(box.units.length, 'unit'), ...countsOf(box.units).map(([word, count]) => `${number(count)} ${word}`)].join(', ')}`;
}
