/** The scheduler's judgement of all machines: why a unit is where it is, or nowhere. */

import { unitPath } from '../api.js';
import { html } from '../ui.js';
import { plural } from './format.js';
import { MachineLink, withNames } from './machine.js';
import { about, Problem, useResource } from './resource.js';

const concerns = (unit) => (event) =>
  about(unit)(event) || ['machine', 'machine-gone'].includes(event.name) || (event.name === 'command' && Boolean(event.context?.machine));

export function Why({ unit }) {
  const { value: why, error, again } = useResource(unitPath(unit, '/why'), {}, concerns(unit));
  if (!why) return html`<${Problem} error=${error} again=${again} />`;
  return html`
    ${why.reason && html`<p class="reason">${withNames(why.reason)}</p>`}
    ${!why.reason && why.standing === 'inactive' && html`<p class="quiet">It is inactive, so it has no machine.</p>`}
    ${why.nearest && html`<${Nearest} nearest=${why.nearest} />`}
    ${why.contenders?.length > 0 && html`
      <h3>Machines that fit</h3>
      <ul class="reasons">${why.contenders.slice(0, 20).map(({ machineID, reason }) => html`
        <li key=${machineID}><${MachineLink} id=${machineID} /> <span class="quiet">${withNames(reason)}</span></li>`)}
      </ul>
      ${why.contenders.length > 20 && html`<p class="quiet">and ${plural(why.contenders.length - 20, 'more machine')}</p>`}`}
    ${why.obstacles?.length > 0 && html`
      <h3>Machines that do not</h3>
      <ul class="obstacles">${why.obstacles.map((obstacle) => html`<${Obstacle} key=${obstacle.rule} obstacle=${obstacle} />`)}</ul>`}`;
}

function Nearest({ nearest }) {
  return html`
    <p class="nearest"><strong>Closest:</strong> <${MachineLink} id=${nearest.machineID} />.
      ${nearest.change && html` <span>${withNames(nearest.change)}</span>`}</p>`;
}

function Obstacle({ obstacle }) {
  return html`
    <li><details>
      <summary>${withNames(obstacle.text)} <span class="tag">${obstacle.rule}</span></summary>
      <ul class="reasons">${(obstacle.machines ?? []).slice(0, 100).map(({ machineID, reason }) => html`
        <li key=${machineID}><${MachineLink} id=${machineID} /> <span class="quiet">${withNames(reason)}</span></li>`)}
      </ul>
    </details></li>`;
}
