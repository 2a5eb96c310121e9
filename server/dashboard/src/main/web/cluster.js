/**
 * The one ClusterState of this page, kept up to date by the event stream. Views subscribe to it;
 * they are told at most once a frame, however many events come.
 */

import { eachJsonLine, eachPage, get } from './api.js';
import { EventFeed } from './live.js';
import { ClusterState } from './state.js';
import { accessOf } from './access.js';
import { useEffect, useLayoutEffect, useRef, useState } from './ui.js';

const PAGE = 5000;
/** Events kept for the timeline. */
const NEWS = 2000;
/** Between two readings of what events do not carry, in milliseconds. */
const GAP = 1000;
/** Events that come together are answered by one reading. */
const SOON = 100;

const OF_MACHINES = new Set(['machine', 'machine-gone', 'leader']);
const OF_PLACES = new Set(['placed', 'moved', 'left', 'unit-destroyed']);

/** Whether an event may change what only a listing of the machines has. */
const changesMachines = (event) =>
  OF_MACHINES.has(event.name) || OF_PLACES.has(event.name) || (event.name === 'command' && event.context?.machine);

class Cluster {
  state = new ClusterState();
  access = accessOf({});
  /** { connected, heard, error } of the event stream. */
  link = { connected: false, heard: 0, error: null };
  /** The progress of reading, { units, again }; null if all is known. */
  loading = { units: 0, again: false };
  /** Why the last reading failed; null once one has succeeded. */
  error = null;
  news = [];
  /** Rises with each complete reading. */
  readings = 0;

  #feed = new EventFeed((events) => this.#take(events), (link) => this.#linked(link));
  #pending = [];
  #abort = null;
  #frame = 0;
  #views = new Set();
  #followers = new Set();
  #watchers = 0;
  #machinesAreOld = false;
  #machinesTimer = 0;
  #machinesRead = 0;

  start() {
    this.#feed.run();
  }

  get heard() {
    return this.#feed.heard;
  }

  // ---- subscriptions

  /** Calls a view with the changed records, at most once a frame. Returns what ends that. */
  subscribe(view) {
    this.#views.add(view);
    return () => this.#views.delete(view);
  }

  /** Calls a follower with each batch of events. Returns what ends that. */
  follow(follower) {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Keeps reservations of machines up to date for as long as a view shows them. */
  watchMachines() {
    this.#watchers++;
    if (this.#machinesAreOld) this.#readMachinesSoon();
    return () => this.#watchers--;
  }

  #flushSoon() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      const changed = this.state.takeChanged();
      this.#views.forEach((view) => view(changed));
    });
  }

  // ---- events

  #linked(link) {
    this.link = link;
    this.#flushSoon();
  }

  #take(events) {
    for (const event of events) {
      if (event.name === 'gap' || (event.name === 'start' && this.readings === 0)) this.#read();
      else if (this.#abort) this.#pending.push(event);
      else this.state.apply(event);
    }
    this.#keep(events);
    if (events.some(changesMachines)) this.#readMachinesSoon();
    this.#followers.forEach((follower) => follower(events));
    this.#flushSoon();
  }

  #keep(events) {
    this.news.push(...events.filter((event) => event.name !== 'start' && event.name !== 'unit'));
    if (this.news.length > NEWS * 1.5) this.news = this.news.slice(-NEWS);
  }

  // ---- listings

  /** Reads everything; events that come meanwhile are applied afterwards. */
  async #read() {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.#pending = [];
    try {
      await this.#readAll(this.readings === 0 ? this.state : new ClusterState(), abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.error = error;
      this.#flushSoon();
      setTimeout(() => abort === this.#abort && this.#read(), 2 * GAP);
    }
  }

  async #readAll(state, signal) {
    this.loading = { units: 0, again: this.readings > 0 };
    // At once, because each answer takes a while to come.
    const [units] = await Promise.all([this.#listUnits(signal), this.#readAccess(signal), this.#readMachines(state, signal)]);
    // Last of all: a failed reading leaves no units behind that may be gone when the next one comes.
    state.setUnits(units);
    this.#pending.forEach((event) => state.apply(event));
    this.#pending = [];
    this.#abort = null;
    this.state = state;
    this.loading = null;
    this.error = null;
    this.readings++;
    this.#flushSoon();
  }

  async #readAccess(signal) {
    this.access = accessOf(await get('/whoami', {}, signal).catch(notThere));
    this.#flushSoon();
  }

  async #readMachines(state, signal) {
    const list = [];
    await eachPage('/machines', { all: 1, limit: PAGE }, (page) => list.push(...(page.machines ?? [])), signal);
    state.setMachines(list);
    this.#flushSoon();
  }

  async #listUnits(signal) {
    const units = [];
    await eachJsonLine('/unit-summaries', (line) => {
      units.push(...line.units);
      this.loading = { ...this.loading, units: units.length };
      this.#flushSoon();
    }, signal);
    return units;
  }

  #readMachinesSoon() {
    this.#machinesAreOld = true;
    if (this.#watchers === 0) return;
    const gap = this.state.machines.size > 1000 ? 5 * GAP : GAP;
    const wait = Math.max(SOON, this.#machinesRead + gap - Date.now());
    this.#machinesTimer ||= setTimeout(() => this.#readMachinesNow(), wait);
  }

  async #readMachinesNow() {
    this.#machinesTimer = 0;
    this.#machinesRead = Date.now();
    this.#machinesAreOld = false;
    try {
      await this.#readMachines(this.state);
    } catch {
      this.#machinesAreOld = true;
      setTimeout(() => this.#readMachinesSoon(), 2 * GAP);
    }
    this.#flushSoon();
  }
}

/** A server of an older version does not say who asks; it refuses what is not allowed. */
function notThere(error) {
  if (error.status === 404) return {};
  throw error;
}

export const cluster = new Cluster();

/**
 * Renders the view again when it selects another value from the cluster.
 *
 * @param gap at least so many milliseconds after the last time
 */
export function useCluster(select, gap = 0) {
  const [, renderAgain] = useState(0);
  const shown = useRef();
  const timer = useRef(0);
  shown.current = select(cluster);
  // Before the next frame, so that no change falls in between.
  useLayoutEffect(() => {
    const look = () => {
      timer.current = 0;
      if (!Object.is(select(cluster), shown.current)) renderAgain((count) => count + 1);
    };
    const end = cluster.subscribe(() => {
      if (gap === 0) look();
      else timer.current ||= setTimeout(look, gap);
    });
    return () => {
      clearTimeout(timer.current);
      timer.current = 0;
      end();
    };
  }, []);
  return shown.current;
}

/** Calls back with batches of events while the view is shown. */
export function useEvents(take, keys) {
  useLayoutEffect(() => cluster.follow(take), keys);
}

export function useMachinesUpToDate() {
  useEffect(() => cluster.watchMachines(), []);
}
