/** An operation as it goes. */

import { OperationProgress } from '../parts/operation-progress.js';
import { operationTitle } from '../parts/operation-row.js';
import { link } from '../router.js';
import { html } from '../ui.js';

/** The kind and subject are in the id, as `drain-MACHINE`. */
function titleOf(id) {
  const dash = id.indexOf('-');
  return operationTitle(dash < 0 ? { kind: id, id } : { kind: id.slice(0, dash), subject: id.slice(dash + 1), id });
}

export function OperationView({ subject: id }) {
  return html`
    <div class="page">
      <nav class="crumbs" aria-label="Path"><a href=${link('operations')}>Operations</a></nav>
      <div class="page-head"><h1 tabindex="-1">${titleOf(id)}</h1></div>
      <${OperationProgress} id=${id} full />
    </div>`;
}
