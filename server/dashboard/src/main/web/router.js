/** The address of a view: `#/units/web@1.service/journal?lines=50`. Filters are in it, so links can be shared. */

import { useLayoutEffect, useState } from './ui.js';

function parse(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The link to a view. `@` and `:` are kept as they are, for people who read addresses. */
export function link(...path) {
  const query = typeof path.at(-1) === 'object' ? new URLSearchParams(path.pop()).toString() : '';
  const text = path.map((part) => encodeURIComponent(part).replaceAll('%40', '@').replaceAll('%3A', ':')).join('/');
  return '#/' + text + (query ? '?' + query : '');
}

export function useRoute() {
  const [route, setRoute] = useState(() => parse(location.hash));
  // Before anything else can happen: an address that changes while the page is drawn is followed too.
  useLayoutEffect(() => {
    const follow = () => setRoute(parse(location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return route;
}

/** Changes parameters of the present address, without a new entry in the history. */
export function setQuery(changes) {
  const { path, query } = parse(location.hash);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  history.replaceState(null, '', link(...path, Object.fromEntries(query)));
  window.dispatchEvent(new Event('hashchange'));
}

export const go = (...path) => {
  location.hash = link(...path);
};
