/** Questions before what cannot be undone, and forms that commands need. */

import { html, useEffect, useRef, useState } from '../ui.js';
import { withNames } from './machine.js';

let show = () => {};

/**
 * Asks for a decision. `act` gets the values of the form; if it fails, the dialog stays open with
 * the server's words.
 *
 * @param title the question
 * @param text what follows from it
 * @param fields of the form: { name, label, type, value, min }
 * @param verb of the button
 * @param danger whether something is lost
 */
export function ask({ title, text, fields = [], verb, danger = false, act }) {
  show({ title, text, fields, verb, danger, act });
}

export function DialogHost() {
  const [question, setQuestion] = useState(null);
  show = setQuestion;
  return question && html`<${Dialog} key=${question.title} ...${question} close=${() => setQuestion(null)} />`;
}

function Dialog({ title, text, fields, verb, danger, act, close }) {
  const box = useRef(null);
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    return () => before?.isConnected && before.focus();
  }, []);

  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      await act(Object.fromEntries(new FormData(event.target)));
      close();
    } catch (thrown) {
      setError(thrown.message);
      setBusy(false);
    }
  };

  return html`
    <dialog ref=${box} aria-labelledby="dialog-title" onClose=${close} onCancel=${close}>
      <form onSubmit=${submit}>
        <h2 id="dialog-title">${title}</h2>
        ${text && html`<p>${text}</p>`}
        ${fields.map((field) => html`<${Field} key=${field.name} ...${field} />`)}
        ${error && html`<p class="refusal" role="alert">${withNames(error)}</p>`}
        <div class="buttons">
          <button type="button" onClick=${close}>Keep as it is</button>
          <button type="submit" class=${danger ? 'danger' : 'primary'} disabled=${isBusy}>${isBusy ? 'Asking fleetd…' : verb}</button>
        </div>
      </form>
    </dialog>`;
}

function Field({ name, label, type = 'text', value, hint, ...rest }) {
  const input = type === 'textarea'
    ? html`<textarea id="field-${name}" name=${name} spellcheck=${false} rows="18">${value}</textarea>`
    : html`<input id="field-${name}" name=${name} type=${type} value=${value} ...${rest} />`;
  return html`<div class="field"><label for="field-${name}">${label}</label>${input}${hint && html`<small>${hint}</small>`}</div>`;
}
