/** Filters of a list. They are in the address, so a link shows the same. */

import { setQuery } from '../router.js';
import { html } from '../ui.js';
import { number } from './format.js';
import { Mark } from './status.js';

export function Search({ value, label, placeholder }) {
  return html`
    <label class="search"><span class="hidden">${label}</span>
      <input type="search" value=${value ?? ''} placeholder=${placeholder} onInput=${(event) => setQuery({ q: event.target.value })} />
    </label>`;
}

/** Buttons of which each shows or hides a state; none pressed shows all. */
export function StateFilter({ counts, order, value }) {
  const chosen = new Set((value ?? '').split(',').filter(Boolean));
  const words = order.filter((word) => counts[word] || chosen.has(word));
  const toggle = (word) => {
    const next = new Set(chosen);
    if (!next.delete(word)) next.add(word);
    setQuery({ state: [...next].join(',') });
  };
  return html`
    <div class="chips" role="group" aria-label="Filter by state">
      ${words.map((word) => html`
        <button key=${word} type="button" aria-pressed=${chosen.has(word) ? 'true' : 'false'} onClick=${() => toggle(word)}>
          <${Mark} word=${word} />${word} <b>${number(counts[word] ?? 0)}</b>
        </button>`)}
    </div>`;
}

export function Choice({ name, label, value, options, empty }) {
  return html`
    <label class="choice"><span>${label}</span>
      <select value=${value ?? ''} onChange=${(event) => setQuery({ [name]: event.target.value })}>
        ${empty !== undefined && html`<option value="">${empty}</option>`}
        ${options.map((option) => html`<option key=${option} value=${option}>${option}</option>`)}
      </select>
    </label>`;
}

/** Whether a name fits a search: a part of it, or a pattern with `*` and `?` for all of it. */
export function nameMatcher(text) {
  const wanted = (text ?? '').trim().toLowerCase();
  if (!wanted) return () => true;
  if (!/[*?]/.test(wanted)) return (name) => name.toLowerCase().includes(wanted);
  const escaped = wanted.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.');
  const pattern = new RegExp(`^${escaped}$`, 'i');
  return (name) => pattern.test(name);
}
