/** Drains, rollouts, restarts in turns and rebalances, under way or over. */

import { send } from '../api.js';
import { Command, Refusal } from '../parts/actions.js';
import { isOver, OperationRow } from '../parts/operation-row.js';
import { Problem, useResource } from '../parts/resource.js';
import { go } from '../router.js';
import { html } from '../ui.js';

const concerns = (event) => event.name === 'operation' || ['moved', 'placed', 'left'].includes(event.name)
  || (event.name === 'command' && ['uncordoned', 'cordoned'].includes(event.command));

export function OperationsView() {
  const { value, error, again } = useResource('/operations', {}, concerns);
  const operations = value?.operations ?? [];
  const parts = [
    ['Under way', operations.filter((operation) => !isOver(operation)), 'Nothing is under way. A drain begins on the page of a machine, a rollout on that of a unit.'],
    ['Over', operations.filter(isOver), 'None is kept.'],
  ];
  return html`
    <div class="page">
      <div class="page-head">
        <h1 tabindex="-1">Operations</h1>
        <div class="commands">
          <${Command} action="rebalance" question=${REBALANCE} act=${rebalance} done=${told}>Rebalance…</${Command}>
        </div>
      </div>
      <${Refusal} action="rebalance" />
      <${Problem} error=${error} again=${again} />
      ${value && parts.map(([name, list, none]) => html`
        <section key=${name} class="card">
          <h2>${name}</h2>
          ${list.length === 0 ? html`<p class="quiet">${none}</p>` : html`<ul class="operations">${list.map((operation) => html`<${OperationRow} key=${operation.id} operation=${operation} />`)}</ul>`}
        </section>`)}
    </div>`;
}

const REBALANCE = {
  title: 'Rebalance the cluster?',
  text: 'Units move from fuller to emptier machines, a few at a time.',
  fields: [
    { name: 'within', label: 'Machines may differ by this many units', type: 'number', min: 1, value: 1 },
    { name: 'maxUnavailable', label: 'Instances of a template that may be down at a time', type: 'number', min: 1, value: 1 },
  ],
  verb: 'Rebalance',
};

async function rebalance(query) {
  const answer = await send('POST', '/rebalance', { query });
  if (answer.id) go('operations', answer.id);
  return answer;
}

const told = (answer) => (answer.id ? 'The rebalance has begun.' : `Nothing moves: ${answer.reason}`);
