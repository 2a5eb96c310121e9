/** Events from before this page was opened, as far as the leader keeps them. */

import { eachLines, open } from '../api.js';
import { useCluster } from '../cluster.js';
import { EventParser } from '../live.js';
import { useEffect, useState } from '../ui.js';

const TOLD = [
  'command', 'placed', 'moved', 'leaving', 'left', 'state', 'machine', 'machine-gone', 'leader', 'operation',
  'rescheduling-paused', 'rescheduling-resumed',
];

/**
 * { earlier, error }, oldest first.
 *
 * @param since how long ago they begin, or `all`
 * @param unit if only those of a unit are wanted
 */
export function useEarlier(since, unit) {
  const [found, setFound] = useState({ earlier: [] });
  const readings = useCluster((all) => Math.max(1, all.readings));
  useEffect(() => {
    const abort = new AbortController();
    readEarlier({ since, unit }, abort.signal).then(
      (earlier) => setFound({ earlier }),
      (error) => abort.signal.aborted || setFound({ earlier: [], error }),
    );
    return () => abort.abort();
  }, [since, unit, readings]);
  return found;
}

async function readEarlier(query, signal) {
  const response = await open('/events', { query: { ...query, event: TOLD, follow: 0, options: 0 }, signal });
  const parser = new EventParser();
  const events = [];
  await eachLines(response, (lines) => events.push(...parser.parse(lines)));
  return events.filter(({ name }) => TOLD.includes(name));
}
