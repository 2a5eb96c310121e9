/** Problems of units, found in the index and therefore at once. The rules are those of `GET /overview`. */

import { failure } from './status.js';

const LONG_START = 5 * 60_000;
const RECENT = 10 * 60_000;

/** Units in these conditions cannot have a problem beyond them, and are too many to look at. */
const LOOKED_AT = ['changing', 'ended', 'loaded', 'stopping'];

/** The first problems, and how many there are. */
export function unitProblems(state, limit) {
  const failed = state.inCondition('failed');
  const waiting = state.inCondition('waiting');
  const problems = [];
  for (const record of failed) {
    if (problems.length >= limit) break;
    problems.push(...failures(record));
  }
  for (const record of waiting) {
    if (problems.length >= limit) break;
    const { name, entity } = record;
    problems.push({ kind: 'waiting', unit: name, machineID: entity.keptOn, text: 'waiting: ' + entity.waiting });
  }
  const others = LOOKED_AT.flatMap((word) => [...state.inCondition(word)].slice(0, 500)).flatMap(slowness);
  return { problems: [...problems, ...others].slice(0, limit), count: failed.size + waiting.size + others.length };
}

function failures({ name, states }) {
  return states
    .filter((one) => one.systemdActiveState === 'failed')
    .map((one) => ({
      kind: 'failed',
      unit: name,
      machineID: one.machineID,
      text: ['failed', failure(one), one.problem].filter(Boolean).join(': '),
      since: one.since,
    }));
}

function slowness({ name, states }) {
  return states.flatMap((one) => {
    const age = Date.now() - Date.parse(one.since);
    const problem = (kind, text) => [{ kind, unit: name, machineID: one.machineID, text, since: one.since }];
    if (one.problem) return problem('blocked', one.problem);
    if (one.restarts > 0 && age < RECENT) return problem('restarting', `restarted ${one.restarts} times by systemd`);
    if (one.systemdActiveState === 'activating' && age > LONG_START) return problem('starting', 'starting');
    return [];
  });
}
