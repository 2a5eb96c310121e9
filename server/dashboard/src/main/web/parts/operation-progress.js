/** An operation as it goes: how much is done, its steps, and the commands for it. */

import { operationPath, send } from '../api.js';
import { useEvents } from '../cluster.js';
import { link } from '../router.js';
import { html, useRef, useState } from '../ui.js';
import { Command } from './actions.js';
import { Age, number, plural } from './format.js';
import { MachineLink, withNames } from './machine.js';
import { isOver, OperationStatus, operationTitle } from './operation-row.js';
import { Problem, useResource } from './resource.js';
import { Status } from './status.js';

const ACTION = { drain: 'drain', rollout: 'rollout', restart: 'restart', rebalance: 'rebalance' };
const MOVES = new Set(['placed', 'moved', 'left', 'leaving', 'state', 'state-gone']);
const AT_ONCE = 300;
const GAP = 400;

/** Steps in the order in which people look at them. */
const ORDER = ['failed', 'leaving', 'starting', 'proving', 'next', 'stays', 'waits', 'exempt', 'done'];

export function useOperation(id) {
  const units = useRef(new Set());
  const [isEnded, setEnded] = useState(false);
  // With the end of a drain there is no such operation any more.
  useEvents((events) => {
    const command = events.findLast(({ name, context }) => name === 'command' && id === 'drain-' + context?.machine);
    if (command) setEnded(command.command === 'uncordoned');
  }, [id]);
  const concerns = (event) => event.operation === id
    || (MOVES.has(event.name) && (units.current.has(event.context?.unit) || id.endsWith(event.context?.from ?? event.context?.machine ?? '-')))
    || (event.name === 'command' && id.endsWith(event.context?.machine ?? '-'));
  const answer = useResource(isEnded ? null : operationPath(id), {}, concerns, GAP);
  for (const { unit } of answer.value?.steps ?? []) units.current.add(unit);
  return { ...answer, isEnded };
}

export function OperationProgress({ id, full = false }) {
  const { value: operation, error, again, isEnded } = useOperation(id);
  const most = useRef(0);
  if (isEnded) return html`<p class="quiet">The drain has ended: the machine takes units again.</p>`;
  if (!operation) return html`<${Problem} error=${error} again=${again} />`;
  const steps = operation.steps ?? [];
  most.current = Math.max(most.current, steps.length);
  const left = operation.left ?? 0;
  const total = Math.max(most.current, left);
  return html`
    <div class="operation">
      <div class="operation-head">
        ${full ? null : html`<h2><a href=${link('operations', id)}>${operationTitle(operation)}</a></h2>`}
        <${OperationStatus} operation=${operation} />
        <span class="quiet">${[operation.by && `by ${withNames(operation.by)}`, operation.details].filter(Boolean).join(' · ')} · began <${Age} time=${operation.started} /> ago</span>
        <${Commands} operation=${operation} />
      </div>
      <${Bar} done=${total - left} total=${total} operation=${operation} />
      ${(operation.reason || operation.waitsFor) && html`<p class="reason">${withNames(operation.waitsFor ? `waits: ${operation.waitsFor}` : operation.reason)}</p>`}
      ${error && html`<${Problem} error=${error} again=${again} />`}
      ${full && html`<${Steps} steps=${steps} />`}
    </div>`;
}

function Bar({ done, total, operation }) {
  const left = total - done;
  const words = isOver(operation) ? `${operation.stage}${left ? `, ${plural(left, 'unit')} as they were` : ''}` : `${number(done)} of ${plural(total, 'unit')} done, ${number(left)} left`;
  const share = total === 0 ? (isOver(operation) ? 100 : 0) : (100 * done) / total;
  return html`
    <div class="progress">
      <div class="progress-bar" role="progressbar" aria-label="Progress" aria-valuemin="0" aria-valuemax=${Math.max(total, 1)} aria-valuenow=${done} aria-valuetext=${words}>
        <i style=${{ width: share + '%' }}></i>
      </div>
      <span role="status" aria-live="polite">${words}</span>
    </div>`;
}

function Steps({ steps }) {
  if (steps.length === 0) return html`<p class="quiet">No unit is left in it.</p>`;
  const sorted = [...steps].sort((one, other) => ORDER.indexOf(one.standing) - ORDER.indexOf(other.standing));
  return html`
    <div class="table-box" tabindex="0" role="region" aria-label="Steps"><table class="steps">
      <thead><tr><th scope="col">Step</th><th scope="col">Unit</th><th scope="col">Machines</th><th scope="col">Detail</th></tr></thead>
      <tbody>${sorted.slice(0, AT_ONCE).map(({ unit, standing, from, to, detail }) => html`
        <tr key=${unit + to}>
          <td><${Status} word=${standing} /></td>
          <td><a href=${link('units', unit)}>${unit}</a></td>
          <td>${from && html`<${MachineLink} id=${from} />`}${from && to && ' → '}${to && html`<${MachineLink} id=${to} />`}</td>
          <td class="quiet">${withNames(detail)}</td>
        </tr>`)}
      </tbody>
    </table></div>
    ${sorted.length > AT_ONCE && html`<p class="quiet">and ${number(sorted.length - AT_ONCE)} more</p>`}`;
}

function Commands({ operation }) {
  const { id, kind, paused, awaitsPromotion, stage } = operation;
  const action = ACTION[kind];
  const post = (word) => () => send('POST', operationPath(id, '/' + word));
  const title = operationTitle(operation);
  const cancel = { title: `Cancel: ${title}?`, text: 'Units that have moved or changed stay as they are now; the others stay as they were.', verb: 'Cancel the operation', danger: true };
  const revert = { title: `Revert: ${title}?`, text: 'Units that were changed get their former version back, a few at a time.', verb: 'Revert', danger: true };
  if (isOver(operation)) {
    return kind === 'drain' && html`<div class="commands"><${Command} action=${action} act=${post('cancel')} done="The machine takes units again.">Uncordon</${Command}></div>`;
  }
  return html`
    <div class="commands" role="group" aria-label="Commands">
      ${awaitsPromotion && html`<${Command} action=${action} className="primary" act=${post('promote')} done="Promoted.">Promote</${Command}>`}
      ${paused && !awaitsPromotion && html`<${Command} action=${action} act=${post('resume')} done="Resumed.">Resume</${Command}>`}
      ${!paused && html`<${Command} action=${action} act=${post('pause')} done="Paused.">Pause</${Command}>`}
      ${kind === 'rollout' && stage === 'forward' && html`<${Command} action=${action} question=${revert} act=${post('revert')} done="Units get their former version back.">Revert…</${Command}>`}
      <${Command} action=${action} question=${cancel} act=${post('cancel')} done="Cancelled.">Cancel…</${Command}>
    </div>`;
}
