/**
 * The state of the cluster as this page knows it: units with their states, machines, and an index
 * of both. It has no I/O and no clock. Lists fill it once, then each event changes a few records,
 * and the cost of an event does not depend on how many units there are.
 */

/** The conditions of a unit, most urgent first. They are those of `GET /overview`. */
export const CONDITIONS = [
  'failed', 'waiting', 'unreported', 'changing', 'stopping', 'active', 'ended', 'loaded', 'submitted',
];

const CHANGING = new Set(['activating', 'deactivating']);
const ACTIVE = new Set(['active', 'reloading']);
const NOTHING = new Set();

/** A sort key by which web@2 comes before web@10. */
export function sortKey(name) {
  return name.replace(/\d+/g, (digits) => digits.padStart(9, '0'));
}

/** The condition of a unit in one word, by its states on all machines. */
export function condition(entity, states) {
  const is = (words) => states.some((state) => words.has(state.systemdActiveState));
  if (states.some((state) => state.systemdActiveState === 'failed')) return 'failed';
  if (entity.desiredState === 'inactive') return is(ACTIVE) ? 'stopping' : 'submitted';
  if (entity.waiting) return 'waiting';
  if (states.length === 0) return 'unreported';
  if (is(CHANGING)) return 'changing';
  if (is(ACTIVE)) return 'active';
  return entity.desiredState === 'launched' ? 'ended' : 'loaded';
}

/** The place of a key in a sorted array of records, or where it would be inserted. */
export function placeOf(sorted, record) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(sorted[middle], record)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore(one, other) {
  return one.key < other.key || (one.key === other.key && one.name < other.name);
}

const compare = (one, other) => (one === other ? 0 : isBefore(one, other) ? -1 : 1);

/**
 * A unit as far as it is known. `entity` is the unit as far as lists show it, or null
 * while only states of it are known; such a record is in no list. `index` is its condition and
 * machines as the index has them.
 */
class UnitRecord {
  entity = null;
  states = [];
  condition = '';
  machines = [];

  constructor(name) {
    this.name = name;
    this.key = sortKey(name);
  }

  get isListed() {
    return this.entity !== null;
  }
}

export class ClusterState {
  /** All listed units by name. */
  sorted = [];
  machines = new Map();
  leader = '';
  /** Rises with each change of a machine, so that views know when to read. */
  machinesVersion = 0;
  unitsVersion = 0;

  #units = new Map();
  #byCondition = new Map(CONDITIONS.map((word) => [word, new Set()]));
  #byMachine = new Map();
  #changed = new Set();

  unit(name) {
    const record = this.#units.get(name);
    return record?.isListed ? record : undefined;
  }

  /** The units in a condition. */
  inCondition(word) {
    return this.#byCondition.get(word) ?? NOTHING;
  }

  /** The units that are placed on a machine or reported by it. */
  on(machine) {
    return this.#byMachine.get(machine) ?? NOTHING;
  }

  /** How many units are in each condition. */
  get counts() {
    return Object.fromEntries(CONDITIONS.map((word) => [word, this.inCondition(word).size]));
  }

  /** The records that changed since the last call. */
  takeChanged() {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  // ---- lists

  /** Takes all units of a listing, with their states. */
  setUnits(summaries) {
    for (const { states = [], ...entity } of summaries) {
      const record = this.#record(entity.name);
      record.entity = entity;
      record.states = states;
      this.#reindex(record);
    }
    // Sorting once is much cheaper than inserting thousands.
    this.sorted = [...this.#units.values()].filter((record) => record.isListed).sort(compare);
    this.unitsVersion++;
  }

  /** Replaces all machines by those of a listing. */
  setMachines(list) {
    this.machines = new Map(list.map((machine) => [machine.id, machine]));
    this.leader = list.find((machine) => machine.leader)?.id ?? this.leader;
    this.machinesVersion++;
  }

  // ---- events

  /** Applies an event of the stream; those that change no unit and no machine have no effect. */
  apply(event) {
    switch (event.name) {
      case 'unit': return this.#setUnit(event.unit);
      case 'unit-destroyed': return this.#removeUnit(event.unit.name);
      case 'state': return this.#setState(event.state);
      case 'state-gone': return this.#removeState(event.state);
      case 'machine': return this.#setMachine(event.machine);
      case 'machine-gone': return this.#removeMachine(event.machine.id);
      case 'leader': return this.#setLeader(event.machine?.id ?? '');
    }
  }

  #record(name) {
    let record = this.#units.get(name);
    if (!record) this.#units.set(name, (record = new UnitRecord(name)));
    return record;
  }

  #setUnit(entity) {
    const record = this.#record(entity.name);
    const isNew = !record.isListed;
    delete entity.options;
    record.entity = entity;
    if (isNew) this.sorted.splice(placeOf(this.sorted, record), 0, record);
    this.#reindex(record);
  }

  #removeUnit(name) {
    const record = this.#units.get(name);
    if (!record?.isListed) return;
    record.entity = null;
    const place = placeOf(this.sorted, record);
    if (this.sorted[place] === record) this.sorted.splice(place, 1);
    this.#reindex(record);
    this.#forget(record);
  }

  #setState(state) {
    const record = this.#record(state.name);
    record.states = [...without(record.states, state.machineID), state];
    this.#reindex(record);
  }

  #removeState(state) {
    const record = this.#units.get(state.name);
    if (!record) return;
    record.states = without(record.states, state.machineID);
    this.#reindex(record);
    this.#forget(record);
  }

  #forget(record) {
    if (!record.isListed && record.states.length === 0) this.#units.delete(record.name);
  }

  /** Events of a machine lack what only the listing has, such as its reservations and whether it is cordoned. */
  #setMachine(machine) {
    const before = this.machines.get(machine.id) ?? {};
    const { capacity, reserved, role, maintenance, cordoned, drain } = before;
    const known = { capacity, reserved, role, maintenance, cordoned, drain, state: stateOf(before) };
    this.machines.set(machine.id, { ...known, ...machine });
    this.machinesVersion++;
  }

  #removeMachine(id) {
    const machine = this.machines.get(id);
    if (machine) this.machines.set(id, { ...machine, state: 'lost' });
    this.machinesVersion++;
  }

  #setLeader(id) {
    this.leader = id;
    this.machinesVersion++;
  }

  // ---- index

  #reindex(record) {
    const word = record.isListed ? condition(record.entity, record.states) : '';
    if (word !== record.condition) {
      this.#byCondition.get(record.condition)?.delete(record);
      this.#byCondition.get(word)?.add(record);
      record.condition = word;
    }
    this.#reindexMachines(record, record.isListed ? machinesOf(record) : []);
    this.#changed.add(record);
    this.unitsVersion++;
  }

  #reindexMachines(record, machines) {
    if (record.machines.join() === machines.join()) return;
    record.machines.forEach((id) => this.#byMachine.get(id)?.delete(record));
    for (const id of machines) {
      if (!this.#byMachine.has(id)) this.#byMachine.set(id, new Set());
      this.#byMachine.get(id).add(record);
    }
    record.machines = machines;
  }
}

/** The state of a machine that is here, as far as is known; a listing tells the rest soon after. */
function stateOf({ maintenance, drain, cordoned, state }) {
  if (maintenance) return 'maintenance';
  if (drain) return state === 'drained' ? 'drained' : 'draining';
  return cordoned ? 'cordoned' : 'ready';
}

function without(states, machine) {
  return states.filter((state) => state.machineID !== machine);
}

function machinesOf({ entity, states }) {
  const ids = states.map((state) => state.machineID);
  if (entity.machineID && !ids.includes(entity.machineID)) ids.push(entity.machineID);
  return ids;
}

/**
 * The units that a filter wants, sorted. A change of one unit costs a binary search, and not a new
 * look at all units.
 */
export class Selection {
  units = [];
  #members = new Set();
  #state;
  #wants;

  constructor(state, wants) {
    this.#state = state;
    this.#wants = wants;
    this.#fill();
  }

  #fill() {
    this.units = this.#state.sorted.filter(this.#wants);
    this.#members = new Set(this.units);
  }

  /** Takes in changed records. */
  update(changed) {
    if (changed.size > 1000) return this.#fill();
    for (const record of changed) {
      const wanted = record.isListed && this.#wants(record);
      if (wanted === this.#members.has(record)) continue;
      if (wanted) this.#add(record);
      else this.#remove(record);
    }
  }

  #add(record) {
    this.units.splice(placeOf(this.units, record), 0, record);
    this.#members.add(record);
  }

  #remove(record) {
    const place = placeOf(this.units, record);
    if (this.units[place] === record) this.units.splice(place, 1);
    this.#members.delete(record);
  }
}
