/**
 * Requests to fleetd. An error is an ApiError with the server's own words, because these name
 * the remedy (the role that is missing, the command that grants it).
 */

const BASE = '/fleet/v1';

export class ApiError extends Error {
  /** @param {number} status 0 if fleetd was not reached at all */
  constructor(status, message, type = '') {
    super(message);
    this.status = status;
    this.type = type;
  }
}

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

/** Opens a request and returns the response if its status is a success. */
export async function open(path, { method = 'GET', query, body, signal } = {}) {
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  let response;
  try {
    response = await fetch(address(path, query), {
      method,
      headers,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'fleetd cannot be reached');
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

async function refusal(response) {
  const text = await response.text().catch(() => '');
  try {
    const { message, type } = JSON.parse(text).error;
    return new ApiError(response.status, message || `status ${response.status}`, type);
  } catch {
    return new ApiError(response.status, text.trim() || `fleetd answered with status ${response.status}`);
  }
}

export async function get(path, query, signal) {
  return (await open(path, { query, signal })).json();
}

/** Sends a change, and returns the fields of the answer with its `status`. */
export async function send(method, path, { query, body } = {}) {
  const response = await open(path, { method, query, body });
  const text = await response.text();
  const fields = text && response.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : {};
  return { ...fields, status: response.status };
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

/** Calls `take` with each piece of complete lines of a streamed answer, until it ends. */
export async function eachLines(response, take) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    take(lines);
  }
  if (rest) take([rest]);
}
