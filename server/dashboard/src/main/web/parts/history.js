/** The contents that a unit had, the difference to the one before, and the way back. */

import { send, unitPath } from '../api.js';
import { go } from '../router.js';
import { html, useState } from '../ui.js';
import { Command } from './actions.js';
import { diffLines, unitText } from './diff.js';
import { Age } from './format.js';
import { about, Problem, useResource } from './resource.js';

/** The unit that a rollout is of: the template of an instance. */
export const rolloutName = (unit) => unit.replace(/@[^.]*(\.\w+)$/, '@$1');

const NOTHING_TO_DO = 200;

/** Begins a rollout and shows it. */
export async function rollOut(unit, content) {
  const name = rolloutName(unit);
  const answer = await send('PUT', `/rollouts/${encodeURIComponent(name)}`, { body: content });
  if (answer.status !== NOTHING_TO_DO) go('operations', `rollout-${name}`);
  return answer;
}

export const rolloutDone = ({ status }) =>
  status === NOTHING_TO_DO ? 'All units have this content already.' : 'The rollout has begun.';

export function History({ unit }) {
  const { value, error, again } = useResource(unitPath(unit, '/history'), {}, (event) => event.name === 'command' && about(unit)(event));
  const revisions = value?.revisions ?? [];
  const [chosen, setChosen] = useState(null);
  const shown = chosen ?? revisions[0]?.revision;
  const place = revisions.findIndex(({ revision }) => revision === shown);
  return html`
    <${Problem} error=${error} again=${again} />
    ${value && html`<div class="history">
      <ol class="revisions" reversed>
        ${revisions.map((one) => html`
          <li key=${one.revision}>
            <button type="button" aria-pressed=${one.revision === shown ? 'true' : 'false'} onClick=${() => setChosen(one.revision)}>
              <b>${one.revision}</b> ${one.cause ?? 'changed'} ${one.current && html`<span class="tag accent">current</span>`}
              <small><${Age} time=${one.created} /> ago${one.by && ` by ${one.by}`}</small>
            </button>
          </li>`)}
      </ol>
      ${place >= 0 && html`<${Difference} key=${shown} unit=${unit} revision=${revisions[place]} before=${revisions[place + 1]} />`}
    </div>`}`;
}

const textOf = (revision) => revision?.text ?? unitText(revision?.options);

function Difference({ unit, revision, before }) {
  const query = { revision: [revision.revision, before?.revision].filter(Boolean) };
  const { value, error, again } = useResource(unitPath(unit, '/history'), query);
  if (!value) return html`<${Problem} error=${error} again=${again} />`;
  const find = (wanted) => value.revisions.find((one) => one.revision === wanted?.revision);
  const content = find(revision);
  if (!content?.options) return html`<p class="quiet">The text of this content is no longer kept.</p>`;
  const name = rolloutName(unit);
  const question = {
    title: `Roll out revision ${revision.revision} of ${name}?`,
    text: 'Its units get this content again, a few at a time; the next one follows when the one before is healthy.',
    fields: [
      { name: 'maxUnavailable', label: 'Units that may be down at a time', type: 'number', min: 1, value: 1 },
      { name: 'healthySeconds', label: 'Seconds that a unit has to be active', type: 'number', min: 1, value: 10 },
    ],
    verb: 'Roll out',
  };
  const act = ({ maxUnavailable, healthySeconds }) =>
    rollOut(unit, { options: content.options, text: content.text, maxUnavailable: Number(maxUnavailable), healthySeconds: Number(healthySeconds) });
  return html`
    <div class="difference">
      <div class="filters">
        <span class="quiet">${before ? `Revision ${revision.revision}, and how it differs from ${before.revision}` : `Revision ${revision.revision}, the first that is kept`}</span>
        ${!revision.current && html`<${Command} action="rollout" question=${question} act=${act} done=${rolloutDone}>Roll out this content…</${Command}>`}
      </div>
      <${DiffText} lines=${before ? diffLines(textOf(find(before)), textOf(content)) : diffLines(textOf(content), textOf(content))} />
    </div>`;
}

const SIGNS = { same: ' ', added: '+', removed: '−' };

export function DiffText({ lines }) {
  return html`<pre class="diff" tabindex="0" role="region" aria-label="Difference">${lines.map(({ kind, text }, row) => html`
    <span key=${row} class=${kind}><i>${SIGNS[kind]}</i>${kind !== 'same' && html`<span class="hidden">${kind}: </span>`}${text + '\n'}</span>`)}</pre>`;
}
