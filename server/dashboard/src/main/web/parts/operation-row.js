/** Words of operations, and an operation in one row. */

import { link } from '../router.js';
import { html } from '../ui.js';
import { Age, plural } from './format.js';
import { machineName, withNames } from './machine.js';
import { Status } from './status.js';

export function operationTitle({ kind, subject, id }) {
  switch (kind) {
    case 'drain': return `Drain ${machineName(subject)}`;
    case 'rollout': return `Roll out ${subject}`;
    case 'restart': return `Restart ${subject} in turns`;
    case 'rebalance': return 'Rebalance';
    default: return id;
  }
}

export const isOver = ({ stage }) => ['done', 'undone', 'cancelled'].includes(stage);

/** The stage in words. */
export function stageWords(operation) {
  const { stage, paused, awaitsPromotion } = operation;
  if (isOver(operation)) return stage;
  if (awaitsPromotion) return 'awaits promotion';
  if (paused) return 'paused';
  return { forward: 'under way', back: 'going back', stopping: 'stopping' }[stage] ?? stage;
}

export function OperationStatus({ operation }) {
  const word = !isOver(operation) && operation.paused ? 'paused' : operation.stage;
  return html`<${Status} word=${word} text=${stageWords(operation)} />`;
}

export function OperationRow({ operation }) {
  const { id, left = 0, waitsFor, by, started } = operation;
  return html`
    <li>
      <span class="operation-name"><a href=${link('operations', id)}>${operationTitle(operation)}</a></span>
      <${OperationStatus} operation=${operation} />
      <span class="quiet">${[!isOver(operation) && `${plural(left, 'unit')} left`, waitsFor && withNames(waitsFor), withNames(by)].filter(Boolean).join(' · ')}</span>
      <span class="quiet age"><${Age} time=${started} /></span>
    </li>`;
}
