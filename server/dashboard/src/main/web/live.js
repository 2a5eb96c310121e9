/**
 * Follows the event stream of the cluster for as long as the page is open. The feed reconnects
 * with the position of the last event, so nothing is missed. If the server cannot go on from there,
 * it sends a `gap`, and the reader reads everything again.
 */

import { open, eachLines } from './api.js';

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5_000;
/** A page that is hidden for longer gives its connection back, as a browser has few. */
const HIDDEN = 60_000;

export class EventFeed {
  #take;
  #tell;
  #position = '';
  #pause = FIRST_PAUSE;
  #heard = 0;
  #abort = null;
  #hiding = 0;
  #wake = () => {};

  /**
   * @param take gets each batch of events, in order
   * @param tell gets { connected, heard, error } when the connection comes or goes; `heard` is the
   *     time of the last word of the server
   */
  constructor(take, tell) {
    this.#take = take;
    this.#tell = tell;
  }

  /** Follows until the page is closed. */
  async run() {
    window.addEventListener('online', () => this.#abort?.abort());
    document.addEventListener('visibilitychange', () => this.#hideLater());
    for (;;) {
      await this.#untilVisible();
      const error = await this.#follow().then(() => null, (thrown) => thrown);
      this.#tell({ connected: false, heard: this.#heard, error });
      await new Promise((resolve) => setTimeout(resolve, this.#pause));
      this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    }
  }

  #hideLater() {
    clearTimeout(this.#hiding);
    if (document.hidden) this.#hiding = setTimeout(() => this.#abort?.abort(), HIDDEN);
    else this.#wake();
  }

  #untilVisible() {
    return document.hidden && this.#position ? new Promise((resolve) => (this.#wake = resolve)) : null;
  }

  async #follow() {
    this.#abort = new AbortController();
    const query = { options: 0, after: this.#position };
    const exchange = await open('/events', { query, signal: this.#abort.signal });
    const parser = new EventParser();
    this.#pause = FIRST_PAUSE;
    this.#hear();
    this.#tell({ connected: true, heard: this.#heard, error: null });
    await eachLines(exchange, (lines) => {
      this.#hear();
      const events = parser.parse(lines);
      this.#position = parser.position || this.#position;
      if (events.length > 0) this.#take(events);
    });
  }

  #hear() {
    this.#heard = Date.now();
  }

  /** The time of the last word of the server, in milliseconds. */
  get heard() {
    return this.#heard;
  }
}

/** Parses lines of server-sent events. Each event gets its position as `id`. */
export class EventParser {
  position = '';
  #data = '';

  parse(lines) {
    const events = [];
    for (const line of lines) {
      if (line.startsWith('data: ')) this.#data += line.slice(6);
      else if (line.startsWith('id: ')) this.position = line.slice(4);
      else if (line === '' && this.#data) {
        events.push({ ...JSON.parse(this.#data), id: this.position });
        this.#data = '';
      }
    }
    return events;
  }
}
