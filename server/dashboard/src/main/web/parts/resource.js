/** Answers of the server that events do not carry: read once, and again when an event concerns them. */

import { get, isPassing } from '../api.js';
import { useCluster, useEvents } from '../cluster.js';
import { html, useEffect, useRef, useState } from '../ui.js';
import { withNames } from './machine.js';

const GAP = 1000;
/** Events that come together are answered by one reading. */
const SOON = 100;
/** Before a request that failed is made again. */
const RETRY = 2000;

/**
 * Reads a path, and reads it again when an event concerns it, at most once a second. What failed
 * for a reason that passes is tried again.
 *
 * @param path null reads nothing
 * @param concerns whether an event may change the answer
 * @param read reads the answer, as `get` does
 */
export function useResource(path, query, concerns = () => false, gap = GAP, read = get) {
  const [answer, setAnswer] = useState({ path: null });
  // The first reading is no news: the path is asked for at the same time.
  const readings = useCluster((all) => Math.max(1, all.readings));
  const [asked, setAsked] = useState(0);
  const timer = useRef(0);
  const last = useRef(0);
  const readAfter = (least) => {
    timer.current ||= setTimeout(() => {
      timer.current = 0;
      last.current = Date.now();
      setAsked((count) => count + 1);
    }, Math.max(least, last.current + gap - Date.now()));
  };
  const again = () => readAfter(SOON);
  useEffect(() => () => {
    clearTimeout(timer.current);
    timer.current = 0;
  }, [path]);
  useEvents((events) => events.some(concerns) && again(), [path]);
  useEffect(() => {
    if (!path) return undefined;
    const abort = new AbortController();
    read(path, query, abort.signal).then(
      (value) => setAnswer({ path, value }),
      (error) => {
        if (abort.signal.aborted) return;
        setAnswer((before) => ({ path, error, value: before.path === path ? before.value : undefined }));
        if (isPassing(error)) readAfter(RETRY);
      },
    );
    return () => abort.abort();
  }, [path, JSON.stringify(query), asked, readings]);
  const current = answer.path === path ? answer : {};
  return { value: current.value, error: current.error, again };
}

/** An error of the server in its own words, and how to go on. */
export function Problem({ error, again }) {
  if (!error) return null;
  return html`
    <div class="problem-box" role="alert">
      <p>${withNames(error.message)}${isPassing(error) && '. Trying again…'}</p>
      ${again && html`<button type="button" onClick=${again}>Ask again</button>`}
    </div>`;
}

/** True for events about a unit. */
export const about = (unit) => (event) => event.context?.unit === unit || event.unit?.name === unit || event.state?.name === unit;
