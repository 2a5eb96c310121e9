/** Events as a timeline, with cause and person. */

import { cluster, useCluster } from '../cluster.js';
import { link } from '../router.js';
import { html } from '../ui.js';
import { clock, day } from './format.js';
import { machineName, withNames } from './machine.js';
import { toneOf } from './status.js';
import { eventText, isTold } from './event-text.js';

/**
 * The newest events first, by day.
 *
 * @param earlier events from before the page was opened
 * @param wants which events are shown
 */
export function EventList({ earlier = [], wants = () => true, limit, brief }) {
  useCluster((all) => all.news.at(-1)?.id ?? '', 250);
  const known = new Set(earlier.map((event) => event.id));
  const events = [...earlier, ...cluster.news.filter((event) => !known.has(event.id))]
    .filter((event) => isTold(event) && wants(event))
    .slice(-limit)
    .reverse();
  if (events.length === 0) {
    return html`<p class="quiet">${brief ? 'Nothing has happened since this page was opened.' : 'No events match.'}</p>`;
  }
  return html`${[...groupByDay(events)].map(([date, ofDay]) => html`
    <div key=${date}>
      ${!brief && html`<h2 class="day">${date}</h2>`}
      <ol class="timeline">${ofDay.map((event) => html`<${Line} key=${event.id} event=${event} />`)}</ol>
    </div>`)}`;
}

function groupByDay(events) {
  const days = new Map();
  for (const event of events) {
    const date = day(event.time);
    if (!days.has(date)) days.set(date, []);
    days.get(date).push(event);
  }
  return days;
}

function Line({ event }) {
  const { tone, subject, text } = eventText(event);
  const by = event.cause?.by;
  const why = withNames(event.reason ?? event.cause?.why);
  return html`
    <li>
      <time datetime=${event.time}>${clock(event.time)}</time>
      <i class="dot ${toneOf(tone)}" aria-hidden="true"></i>
      <span class="what">
        <span>${subject && html`<${Subject} event=${event} />`} ${withNames(text)}</span>
        ${by && html`<span class="by">${withNames(by)}</span>`}
        ${why && !text.includes(why) && html`<span class="why">${why}</span>`}
      </span>
    </li>`;
}

function Subject({ event }) {
  const { unit, machine } = event.context ?? {};
  if (event.operation) return html`<a href=${link('operations', event.operation)}>${withNames(event.operation)}</a>`;
  if (unit) return html`<a href=${link('units', unit)}>${unit}</a>`;
  if (machine) return html`<a href=${link('machines', machine)}>${machineName(machine)}</a>`;
  return null;
}
