/** The live journal of a unit from all machines that have it; it goes on when the unit moves. */

import { eachLines, open } from '../api.js';
import { html, useEffect, useLayoutEffect, useRef, useState } from '../ui.js';
import { clock, dateTime, number } from './format.js';
import { machineName, withNames } from './machine.js';

/** Lines that are kept; more would make the page slow. */
const KEPT = 2000;
const PAUSE = 500;
const LONGEST_PAUSE = 5000;
const LEVELS = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'info', 'debug'];

/** Follows journals and keeps their newest lines. For one view. */
class Journal {
  lines = [];
  error = null;
  isConnected = false;
  #cursors = new Map();
  #number = 0;
  #abort = new AbortController();
  #frame = 0;

  constructor(query, changed) {
    this.query = query;
    this.changed = changed;
  }

  async run() {
    for (let pause = PAUSE; !this.#abort.signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const error = await this.#follow().then(() => null, (thrown) => thrown);
      this.#tell(error);
      if (!error) pause = PAUSE;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  stop() {
    this.#abort.abort();
    cancelAnimationFrame(this.#frame);
  }

  async #follow() {
    const after = [...this.#cursors].map(([machine, cursor]) => `${machine}:${cursor}`);
    const exchange = await open('/journal', { query: { ...this.query, follow: 1, after }, signal: this.#abort.signal });
    this.isConnected = true;
    this.#tell(null, true);
    await eachLines(exchange, (lines) => this.#take(lines.filter((line) => line.trim()).map(JSON.parse)));
  }

  #take(entries) {
    for (const entry of entries) {
      if (entry.__CURSOR) this.#cursors.set(entry.FLEET_MACHINE, entry.__CURSOR);
      this.lines.push({ ...lineOf(entry), key: this.#number++ });
    }
    if (this.lines.length > KEPT) this.lines.splice(0, this.lines.length - KEPT);
    this.#changedSoon();
  }

  #tell(error, connected = false) {
    if (this.#abort.signal.aborted) return;
    this.error = error;
    this.isConnected = connected;
    this.#changedSoon();
  }

  #changedSoon() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.changed();
    });
  }
}

function lineOf(entry) {
  if (entry.FLEET_NOTICE !== undefined) return { notice: entry.FLEET_NOTICE, machine: entry.FLEET_MACHINE };
  return {
    machine: entry.FLEET_MACHINE,
    unit: entry.FLEET_UNIT,
    time: Number(entry.__REALTIME_TIMESTAMP) / 1000,
    level: Number(entry.PRIORITY ?? 6),
    source: entry.SYSLOG_IDENTIFIER ?? entry._COMM ?? '',
    message: textOf(entry.MESSAGE),
  };
}

/** journald gives a message that is not text as numbers of bytes. */
function textOf(message) {
  if (Array.isArray(message)) return new TextDecoder().decode(new Uint8Array(message));
  return String(message ?? '');
}

export function JournalView({ unit, lines = 200 }) {
  const [priority, setPriority] = useState('');
  const [grep, setGrep] = useState('');
  const [, renderAgain] = useState(0);
  const [isPinned, setPinned] = useState(true);
  const journal = useRef(null);
  const box = useRef(null);

  useEffect(() => {
    const one = new Journal({ unit, lines, priority }, () => renderAgain((count) => count + 1));
    journal.current = one;
    one.run();
    return () => one.stop();
  }, [unit, priority]);
  useLayoutEffect(() => {
    if (isPinned && box.current) box.current.scrollTop = box.current.scrollHeight;
  });

  const scrolled = ({ target }) => setPinned(target.scrollTop + target.clientHeight > target.scrollHeight - 40);
  const { lines: all = [], error, isConnected } = journal.current ?? {};
  const wanted = grep.toLowerCase();
  const shown = wanted ? all.filter((line) => (line.message ?? line.notice).toLowerCase().includes(wanted)) : all;
  const machines = new Set(all.map((line) => line.machine).filter(Boolean));
  return html`
    <div class="journal">
      <div class="filters">
        <label class="search"><span class="hidden">Search these lines</span>
          <input type="search" placeholder="search these lines" value=${grep} onInput=${(event) => setGrep(event.target.value)} /></label>
        <label class="choice"><span>Level</span>
          <select value=${priority} onChange=${(event) => setPriority(event.target.value)}>
            <option value="">all</option>
            ${['err', 'warning', 'notice', 'info'].map((level) => html`<option key=${level} value=${level}>${level}</option>`)}
          </select></label>
        <span class="quiet" role="status">${words(isConnected, error, shown.length, all.length)}</span>
        ${!isPinned && html`<button type="button" onClick=${() => setPinned(true)}>Go to the newest</button>`}
      </div>
      <div class="log" ref=${box} onScroll=${scrolled} tabindex="0" role="log" aria-live="off" aria-label="Journal of ${unit}">
        ${shown.map((line) => html`<${Line} key=${line.key} line=${line} ofMany=${machines.size > 1} />`)}
      </div>
    </div>`;
}

function words(isConnected, error, shown, all) {
  if (error) return withNames(error.message) + ' – trying again';
  if (!isConnected) return 'Connecting…';
  return shown === all ? `following, ${number(all)} lines` : `${number(shown)} of ${number(all)} lines`;
}

function Line({ line, ofMany }) {
  if (line.notice !== undefined) {
    return html`<div class="notice-line">${line.machine && machineName(line.machine) + ': '}${withNames(line.notice)}</div>`;
  }
  const level = line.level <= 3 ? 'error' : line.level === 4 ? 'warning' : '';
  return html`
    <div class=${level}>
      <time title=${dateTime(line.time)}>${clock(line.time)}</time>
      ${ofMany && html`<span class="log-machine">${machineName(line.machine ?? '')}</span>`}
      <span class="log-source">${line.source}</span>
      <span class="log-text">${level && html`<span class="hidden">${LEVELS[line.level]}: </span>`}${line.message}</span>
    </div>`;
}
