/**
 * Requests to fleetd. An error is an ApiError with the server's own words, because these name
 * the remedy (the role that is missing, the command that grants it).
 */

const BASE = '/fleet/v1';
/** Longer than fleetctl waits for fleetd, because fleetctl says why there is no answer. */
const NO_ANSWER = 40_000;
/** A stream sends something every 15 seconds, and the rest of any other answer comes at once. */
const SILENCE = 20_000;

export class ApiError extends Error {
  /** @param {number} status 0 if fleetd was not reached at all */
  constructor(status, message, type = '') {
    super(message);
    this.status = status;
    this.type = type;
  }
}

/** Whether the same request may succeed later: fleetd or the way to it is at fault, not the request. */
export const isPassing = (error) => !(error.status > 0 && error.status < 500);

/** Builds the address of a resource. Lists in the query repeat the parameter. */
export function address(path, query = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') parameters.append(name, one);
    }
  }
  const text = parameters.toString();
  return BASE + path + (text ? '?' + text : '');
}

export const unitPath = (name, part = '') => `/units/${encodeURIComponent(name)}${part}`;
export const machinePath = (id, part = '') => `/machines/${encodeURIComponent(id)}${part}`;
export const operationPath = (id, part = '') => `/operations/${encodeURIComponent(id)}${part}`;

/**
 * A request and its answer, whose body is read as it comes. It fails if the server falls silent, so
 * that no page waits for an answer that was lost.
 */
class Exchange {
  #caller;
  #silence = new AbortController();
  #timer = 0;
  #response = null;

  /** @param caller the signal of who asks; may be absent */
  constructor(caller) {
    this.#caller = caller;
  }

  async send(target, options) {
    const signals = [this.#silence.signal, this.#caller].filter(Boolean);
    this.#response = await this.#await(NO_ANSWER, () => fetch(target, { ...options, signal: AbortSignal.any(signals) }));
    if (!this.#response.ok) throw await refusal(this);
    return this;
  }

  get status() {
    return this.#response.status;
  }

  get isJson() {
    return Boolean(this.#response.headers.get('Content-Type')?.includes('json'));
  }

  /** Calls `take` with each piece of the text, until it ends. */
  async each(take) {
    const reader = this.#response.body?.pipeThrough(new TextDecoderStream()).getReader();
    try {
      while (reader) {
        const { done, value } = await this.#await(SILENCE, () => reader.read());
        if (done) break;
        take(value);
      }
    } finally {
      this.#silence.abort();
    }
  }

  async text() {
    const pieces = [];
    await this.each((piece) => pieces.push(piece));
    return pieces.join('');
  }

  async #await(limit, step) {
    this.#timer = setTimeout(() => this.#silence.abort(), limit);
    try {
      return await step();
    } catch (error) {
      if (this.#caller?.aborted) throw error;
      throw new ApiError(0, this.#silence.signal.aborted ? 'fleetd does not answer' : 'fleetd cannot be reached');
    } finally {
      clearTimeout(this.#timer);
    }
  }
}

/** Opens a request and returns its exchange if the status is a success. */
export function open(path, { method = 'GET', query, body, signal } = {}) {
  return new Exchange(signal).send(address(path, query), {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: 'same-origin',
    cache: 'no-store',
  });
}

async function refusal(exchange) {
  const text = await exchange.text().catch(() => '');
  try {
    const { message, type } = JSON.parse(text).error;
    return new ApiError(exchange.status, message || `status ${exchange.status}`, type);
  } catch {
    return new ApiError(exchange.status, text.trim() || `fleetd answered with status ${exchange.status}`);
  }
}

export async function get(path, query, signal) {
  const exchange = await open(path, { query, signal });
  return JSON.parse(await exchange.text());
}

/** Sends a change, and returns the fields of the answer with its `status`. */
export async function send(method, path, { query, body } = {}) {
  const exchange = await open(path, { method, query, body });
  const text = await exchange.text();
  return { ...(text && exchange.isJson ? JSON.parse(text) : {}), status: exchange.status };
}

/** Reads all pages of a list, one after the other so that they share the first one's snapshot. */
export async function eachPage(path, query, take, signal) {
  let nextPageToken;
  do {
    const page = await get(path, { ...query, nextPageToken }, signal);
    take(page);
    nextPageToken = page.nextPageToken;
  } while (nextPageToken);
}

/** Reads an answer of lines of JSON, and calls `take` with each as it comes. */
export async function eachJsonLine(path, take, signal) {
  const exchange = await open(path, { signal });
  await eachLines(exchange, (lines) => lines.forEach((line) => take(JSON.parse(line))));
}

/** Calls `take` with each piece of complete lines of a streamed answer, until it ends. */
export async function eachLines(exchange, take) {
  let rest = '';
  await exchange.each((piece) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop();
    take(lines);
  });
  if (rest) take([rest]);
}
