/** All events of the cluster, with cause and person. */

import { EventList } from '../parts/event-list.js';
import { eventText, KINDS } from '../parts/event-text.js';
import { Choice, nameMatcher, Search } from '../parts/filters.js';
import { machineName } from '../parts/machine.js';
import { Problem } from '../parts/resource.js';
import { useEarlier } from '../parts/earlier.js';
import { html, useState } from '../ui.js';

const PAGE = 300;

export function EventsView({ query }) {
  const { earlier, error, again } = useEarlier('all');
  const [limit, setLimit] = useState(PAGE);
  const q = query.get('q') ?? '';
  const kind = query.get('kind') ?? '';
  const fits = nameMatcher(q);
  const wants = (event) => (!kind || !KINDS[kind] || KINDS[kind](event)) && (!q || wordsOf(event).some(fits));
  return html`
    <div class="page">
      <div class="page-head"><h1 tabindex="-1">Events</h1></div>
      <div class="filters">
        <${Search} value=${q} label="Search events by unit, machine, person or text" placeholder="unit, machine, person or text" />
        <${Choice} name="kind" label="Kind" value=${kind} empty="all" options=${Object.keys(KINDS)} />
      </div>
      <${Problem} error=${error} again=${again} />
      <${EventList} earlier=${earlier} wants=${wants} limit=${limit} />
      ${earlier.length > limit && html`<p><button type="button" onClick=${() => setLimit(limit + PAGE)}>Show earlier events</button></p>`}
      <p class="quiet">Events are kept while one fleetd leads. The journal of fleetd and the audit log have older ones.</p>
    </div>`;
}

function wordsOf(event) {
  const { unit = '', machine = '' } = event.context ?? {};
  return [unit, machine, machine && machineName(machine), event.cause?.by ?? '', event.reason ?? '', eventText(event).text];
}
