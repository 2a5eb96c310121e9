/** The text of a unit, and a rollout of an edited one. */

import { unitPath } from '../api.js';
import { html } from '../ui.js';
import { Command } from './actions.js';
import { unitText } from './diff.js';
import { rollOut, rolloutDone, rolloutName } from './history.js';
import { about, Problem, useResource } from './resource.js';

export function UnitFile({ unit }) {
  const { value, error, again } = useResource(unitPath(unit), { text: 1 }, (event) => event.name === 'command' && about(unit)(event));
  if (!value) return html`<${Problem} error=${error} again=${again} />`;
  const text = value.text || unitText(value.options);
  const name = rolloutName(unit);
  const question = {
    title: `Roll out ${name}`,
    text: 'Edit the text. Its units get it a few at a time; the next one follows when the one before is healthy.',
    fields: [
      { name: 'text', label: 'Unit file', type: 'textarea', value: text },
      { name: 'maxUnavailable', label: 'Units that may be down at a time', type: 'number', min: 1, value: 1 },
      { name: 'healthySeconds', label: 'Seconds that a unit has to be active', type: 'number', min: 1, value: 10 },
    ],
    verb: 'Roll out',
  };
  const act = (values) =>
    rollOut(unit, {
      text: values.text.replaceAll('\r\n', '\n'),
      maxUnavailable: Number(values.maxUnavailable),
      healthySeconds: Number(values.healthySeconds),
    });
  return html`
    <div class="filters"><${Command} action="rollout" question=${question} act=${act} done=${rolloutDone}>Edit and roll out…</${Command}></div>
    <pre class="file" tabindex="0" role="region" aria-label="Text of ${unit}">${text.split('\n').map((line, row) => html`<span key=${row} class=${kindOf(line)}>${line + '\n'}</span>`)}</pre>`;
}

function kindOf(line) {
  if (/^\s*[#;]/.test(line)) return 'comment';
  if (/^\s*\[/.test(line)) return 'section';
  return 'option';
}
