/** Bars: shares of a whole, and resources of a machine. */

import { link } from '../router.js';
import { html } from '../ui.js';
import { bytes, cores, number } from './format.js';
import { Mark, toneOf } from './status.js';

/**
 * How many things are in each state, as a bar and as a list of links.
 *
 * @param counts by word
 * @param order of the words
 * @param to the view that the words link to, filtered by state
 */
export function Shares({ counts, order, to, name }) {
  const words = [...order, ...Object.keys(counts).filter((word) => !order.includes(word))].filter((word) => counts[word]);
  const total = words.reduce((sum, word) => sum + counts[word], 0);
  return html`
    <div class="shares">
      <div class="share-bar" aria-hidden="true">
        ${words.map((word) => html`<span key=${word} class=${toneOf(word)} style=${{ flexGrow: Math.max(counts[word], total / 150) }}></span>`)}
      </div>
      <ul class="legend" aria-label=${name}>
        ${words.map((word) => html`
          <li key=${word}>
            <a href=${link(to, { state: word })}><${Mark} word=${word} /><b>${number(counts[word])}</b> ${word}</a>
          </li>`)}
      </ul>
      ${total === 0 && html`<p class="quiet">none yet</p>`}
    </div>`;
}

const RESOURCES = [
  { name: 'CPU', field: 'cpuMillis', text: cores },
  { name: 'Memory', field: 'memory', text: bytes },
  { name: 'Disk', field: 'disk', text: bytes },
  { name: 'Tasks', field: 'tasks', text: number },
];

/**
 * A resource of a machine: its bar shows what is reserved of the total, and a line what is used.
 *
 * @param used undefined if it is not measured
 */
export function ResourceBar({ name, total, reserved = 0, used, text, small }) {
  if (!total) return small ? html`<span class="quiet">–</span>` : null;
  const share = (amount) => `${Math.min(100, (100 * amount) / total)}%`;
  const words = [
    used === undefined ? '' : `${text(used)} used`, `${text(reserved)} reserved`, `${text(total)} total`,
  ].filter(Boolean);
  return html`
    <div class="resource ${small ? 'small' : ''}" role="img" aria-label="${name}: ${words.join(', ')}" title="${name}: ${words.join(', ')}">
      ${!small && html`<span class="resource-name">${name}</span>`}
      <span class="resource-bar">
        <i class="reserved" style=${{ width: share(reserved) }}></i>
        ${used !== undefined && html`<i class="used" style=${{ width: share(used) }}></i>`}
      </span>
      <span class="resource-text">${small ? `${text(used ?? reserved)} / ${text(total)}` : words.join(' · ')}</span>
    </div>`;
}

/** All resources of a machine. `usage` has what is used of each, as far as it is measured. */
export function Resources({ machine, usage = {} }) {
  const { total = {}, reserved = {} } = machine;
  if (!RESOURCES.some(({ field }) => total[field])) return html`<p class="quiet">Not known.</p>`;
  return html`<div class="resources">
    ${RESOURCES.filter(({ field }) => total[field]).map(({ name, field, text }) => html`
      <${ResourceBar} key=${field} name=${name} total=${total[field]} reserved=${reserved[field]} used=${usage[field]} text=${text} />`)}
  </div>`;
}

/** The resources of all machines that are there, as one. */
export function TotalResources({ machines }) {
  const present = machines.filter(({ state }) => !['lost', 'left'].includes(state));
  const sum = (part) => Object.fromEntries(RESOURCES.map(({ field }) => [field, present.reduce((all, machine) => all + (machine[part]?.[field] ?? 0), 0)]));
  return html`<${Resources} machine=${{ total: sum('total'), reserved: sum('reserved') }} />`;
}

export function SmallResource({ machine, field, usage = {} }) {
  const { name, text } = RESOURCES.find((resource) => resource.field === field);
  return html`<${ResourceBar} small name=${name} total=${machine.total?.[field]} reserved=${machine.reserved?.[field]} used=${usage[field]} text=${text} />`;
}
