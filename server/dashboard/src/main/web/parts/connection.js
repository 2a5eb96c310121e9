/** Says whether the page is live, what it is reading, and how old what it shows is. */

import { cluster, useCluster } from '../cluster.js';
import { html, useEffect, useState } from '../ui.js';
import { clock, duration, number } from './format.js';
import { withNames } from './machine.js';

export function Connection() {
  const link = useCluster((all) => all.link);
  const loading = useCluster((all) => all.loading);
  const error = useCluster((all) => all.error);
  const access = useCluster((all) => all.access);
  return html`
    <div class="connection">
      ${link.connected && !error
        ? html`<span class="live ${loading ? 'reading' : ''}"><i aria-hidden="true"></i>${loading ? reading(loading) : 'Live'}</span>`
        : html`<${Lost} link=${link} error=${error ?? link.error} />`}
      ${access.name && html`<span class="caller" title="Your role: ${access.role}">${access.name}${access.role && html` <em>${access.role}</em>`}</span>`}
    </div>
    <p class="hidden" role="status" aria-live="polite">${link.connected ? 'Connected to fleetd' : 'Connection to fleetd lost'}</p>`;
}

function reading({ units, again }) {
  const word = again ? 'Reading again' : 'Reading';
  return units > 0 ? `${word}: ${number(units)} units…` : `${word}…`;
}

function Lost({ link, error }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const why = error && error.status ? ` (${withNames(error.message)})` : '';
  if (link.connected) return html`<span class="lost">fleetd does not answer${why}. Trying again…</span>`;
  if (!link.heard) return html`<span class="lost">${error ? `fleetd cannot be reached${why}` : 'Connecting…'}</span>`;
  return html`
    <span class="lost">Connection lost ${duration(Date.now() - cluster.heard)} ago${why}.
      This is the state of ${clock(cluster.heard)}.</span>`;
}
