/** Measurements of machines, streamed while a view shows them. */

import { eachLines, isPassing, open } from '../api.js';
import { useEffect, useLayoutEffect, useState } from '../ui.js';

/** Measuring asks every machine, so a view of more machines shows reservations alone. */
export const MEASURED_AT_MOST = 200;

/** Before measurements that broke off begin again, in milliseconds. */
const PAUSE = 3000;

/**
 * A usage of each machine by its id: { cpuMillis, memory, disk, units }.
 *
 * @param machine the beginning of an id; empty for all machines; null measures nothing
 * @param interval in milliseconds
 */
export function useUsage(machine, interval, ofUnits = false) {
  const [usage, setUsage] = useState(new Map());
  const isVisible = useVisibility();
  useEffect(() => {
    if (machine === null || !isVisible) return undefined;
    const abort = new AbortController();
    const meter = new Meter();
    const query = { machine, interval, samples: 'endless', units: ofUnits ? 1 : undefined };
    const follow = async () => {
      const exchange = await open('/usage', { query, signal: abort.signal });
      await eachLines(exchange, (lines) => setUsage(meter.read(lines)));
    };
    // Reservations are shown without it, and the header tells of a lost connection.
    const run = async () => {
      for (let error = null; !abort.signal.aborted && (!error || isPassing(error)); ) {
        error = await follow().then(() => null, (thrown) => thrown);
        if (!abort.signal.aborted) setUsage(new Map());
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    };
    run();
    return () => abort.abort();
  }, [machine, interval, ofUnits, isVisible]);
  return usage;
}

/** Whether somebody can see the page: a browser has few connections, and nobody is to measure for a hidden page. */
function useVisibility() {
  const [isVisible, setVisible] = useState(!document.hidden);
  useLayoutEffect(() => {
    const look = () => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
}

/** Turns counters of processor time into rates. */
class Meter {
  #before = new Map();
  #usage = new Map();

  read(lines) {
    for (const line of lines) {
      if (line.trim()) this.#take(JSON.parse(line));
    }
    return new Map(this.#usage);
  }

  #take(sample) {
    if (sample.problem) return this.#usage.delete(sample.machineID);
    const before = this.#before.get(sample.machineID);
    this.#before.set(sample.machineID, sample);
    this.#usage.set(sample.machineID, {
      cpuMillis: before && rate(before, sample, sample.cpuNanos - before.cpuNanos),
      memory: sample.memoryUsed,
      disk: sample.diskUsed,
      units: new Map((sample.units ?? []).map((unit) => [unit.name, unitUsage(unit, before, sample)])),
    });
  }
}

const rate = (before, now, used) =>
  now.nanos > before.nanos ? Math.round((1000 * used) / (now.nanos - before.nanos)) : undefined;

function unitUsage(unit, before, sample) {
  const former = before?.units?.find((one) => one.name === unit.name);
  const measured = former?.cpuNanos !== undefined && unit.cpuNanos >= former.cpuNanos;
  return { memory: unit.memoryUsed, cpuMillis: measured ? rate(before, sample, unit.cpuNanos - former.cpuNanos) : undefined };
}
