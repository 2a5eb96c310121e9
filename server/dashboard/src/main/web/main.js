/** The frame of all views: navigation, the state of the connection, and the view of the address. */

import { cluster, useEvents } from './cluster.js';
import { DialogHost } from './parts/dialog.js';
import { Connection } from './parts/connection.js';
import { eventText } from './parts/event-text.js';
import { machineName } from './parts/machine.js';
import { Notices, notify } from './parts/notices.js';
import { link, useRoute, go } from './router.js';
import { html, render, useEffect, useRef } from './ui.js';
import { EventsView } from './views/events.js';
import { MachineView } from './views/machine.js';
import { MachinesView } from './views/machines.js';
import { OperationView } from './views/operation.js';
import { OperationsView } from './views/operations.js';
import { OverviewView } from './views/overview.js';
import { PlacementView } from './views/placement.js';
import { UnitView } from './views/unit.js';
import { UnitsView } from './views/units.js';

const VIEWS = [
  { path: '', name: 'Overview', list: OverviewView },
  { path: 'machines', name: 'Machines', list: MachinesView, one: MachineView },
  { path: 'units', name: 'Units', list: UnitsView, one: UnitView },
  { path: 'placement', name: 'Placement', list: PlacementView },
  { path: 'operations', name: 'Operations', list: OperationsView, one: OperationView },
  { path: 'events', name: 'Events', list: EventsView },
];

function App() {
  const { path, query } = useRoute();
  const [first = '', subject, part] = path;
  const found = VIEWS.find((view) => view.path === first);
  const main = useRef(null);
  const address = path.slice(0, 2).join('/');

  useEffect(() => {
    document.title = [subject, found?.name, 'fleet'].filter(Boolean).join(' · ');
    main.current.querySelector('h1')?.focus({ preventScroll: true });
    main.current.scrollTop = 0;
    document.querySelector('.top [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [address]);
  useEffect(() => {
    window.addEventListener('keydown', shortcut);
    return () => window.removeEventListener('keydown', shortcut);
  }, []);

  useEvents(tellOfLeader, []);

  const View = subject ? found?.one : found?.list;
  return html`
    <a class="skip" href="#content" onClick=${skip}>Skip to content</a>
    <header class="top">
      <a class="brand" href="#/"><img src="/dashboard/icon.svg" alt="" width="22" height="22" />fleet</a>
      <nav aria-label="Views">
        <ul>${VIEWS.map((view) => html`
          <li key=${view.path}><a href=${link(view.path)} aria-current=${view === found ? 'page' : undefined}>${view.name}</a></li>`)}
        </ul>
      </nav>
      <${Connection} />
    </header>
    <main id="content" ref=${main} tabindex="-1">
      ${View ? html`<${View} key=${address} subject=${subject} part=${part} query=${query} />` : html`<${Nowhere} />`}
    </main>
    <${Notices} />
    <${DialogHost} />`;
}

/** Another leader is news on every view: the page reads everything again then. */
function tellOfLeader(events) {
  const last = events.findLast(({ name }) => name === 'leader');
  if (last) notify([machineName(last.context?.machine ?? ''), eventText(last).text].filter(Boolean).join(' ') + '.');
}

function skip(event) {
  event.preventDefault();
  document.getElementById('content').focus();
}

/** `/` goes to the search of the view, or to that of units. */
function shortcut(event) {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(input|textarea|select)$/i.test(event.target.tagName) || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  const search = document.querySelector('input[type=search]');
  if (search) search.focus();
  else go('units');
}

function Nowhere() {
  return html`
    <h1 tabindex="-1">No such view</h1>
    <p>The address names no view of this dashboard. <a href="#/">Go to the overview</a>.</p>`;
}

/** For the browser's console. */
export { ClusterState } from './state.js';

cluster.start();
document.getElementById('app').replaceChildren();
render(html`<${App} />`, document.getElementById('app'));
