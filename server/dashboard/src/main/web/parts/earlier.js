/** Events from before this page was opened, as far as the leader keeps them. */

import { eachLines, open } from '../api.js';
import { EventParser } from '../live.js';
import { useResource } from './resource.js';

const TOLD = [
  'command', 'placed', 'moved', 'leaving', 'left', 'state', 'machine', 'machine-gone', 'leader', 'operation',
  'rescheduling-paused', 'rescheduling-resumed',
];

/**
 * { earlier, error, again }, oldest first.
 *
 * @param since how long ago they begin, or `all`
 * @param unit if only those of a unit are wanted
 */
export function useEarlier(since, unit) {
  const query = { since, unit, event: TOLD, follow: 0, options: 0 };
  const { value = [], error, again } = useResource('/events', query, undefined, undefined, readEvents);
  return { earlier: value, error, again };
}

async function readEvents(path, query, signal) {
  const exchange = await open(path, { query, signal });
  const parser = new EventParser();
  const events = [];
  await eachLines(exchange, (lines) => events.push(...parser.parse(lines)));
  return events.filter(({ name }) => TOLD.includes(name));
}
