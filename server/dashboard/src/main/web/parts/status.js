/**
 * The state of a unit, a machine or an operation: a mark whose shape differs as well as its colour,
 * and the word.
 */

import { html } from '../ui.js';

/** The tone of each word; a tone has one colour and one shape. */
const TONES = {
  // units
  failed: 'bad', waiting: 'held', unreported: 'unknown', changing: 'moving', stopping: 'moving',
  active: 'good', ended: 'over', loaded: 'idle', submitted: 'idle',
  // machines
  ready: 'good', cordoned: 'held', draining: 'moving', drained: 'held', maintenance: 'held',
  awaited: 'unknown', absent: 'unknown', lost: 'bad', left: 'over',
  // operations and their steps
  forward: 'moving', back: 'moving', paused: 'held', done: 'over', undone: 'over', cancelled: 'over',
  waits: 'idle', next: 'moving', leaving: 'moving', starting: 'moving', proving: 'moving',
  stays: 'held', exempt: 'idle',
};

const SHAPES = {
  good: html`<circle cx="6" cy="6" r="4.5" />`,
  bad: html`<path d="M1.5 1.5h9v9h-9z" /><path class="cut" d="M4 4l4 4M8 4l-4 4" />`,
  held: html`<path d="M6 .8 11.2 6 6 11.2.8 6z" />`,
  moving: html`<path d="M6 1.5a4.5 4.5 0 0 1 0 9z" /><circle class="ring" cx="6" cy="6" r="4" />`,
  unknown: html`<circle class="ring dashed" cx="6" cy="6" r="4" />`,
  over: html`<path class="line" d="M2 6.5 5 9.5 10.2 3" />`,
  idle: html`<circle class="ring" cx="6" cy="6" r="4" />`,
};

export const toneOf = (word) => TONES[word] ?? 'idle';

export function Mark({ word }) {
  const tone = toneOf(word);
  return html`<svg class="mark ${tone}" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">${SHAPES[tone]}</svg>`;
}

export function Status({ word, text = word }) {
  return html`<span class="status"><${Mark} word=${word} /><span>${text}</span></span>`;
}

const EXITS = {
  200: 'its working directory cannot be entered',
  203: 'its program cannot be executed',
  216: 'its group is not known',
  217: 'its user is not known',
  226: 'its namespaces cannot be set up',
};

const RESULTS = {
  timeout: 'timed out',
  'oom-kill': 'killed: out of memory',
  watchdog: 'its watchdog heard nothing of it',
  'start-limit-hit': 'started too often',
  'core-dump': 'dumped core',
};

/** Why a unit failed, by its state on a machine; empty if systemd gives no reason. */
export function failure({ result = '', exitCode = 0, exitSignal = 0 }) {
  if (result === 'exit-code') {
    if (!exitCode) return 'its process exited with an error';
    return `exit code ${exitCode}` + (EXITS[exitCode] ? `: ${EXITS[exitCode]}` : '');
  }
  if (result === 'signal') return exitSignal ? `killed by signal ${exitSignal}` : 'killed by a signal';
  return RESULTS[result] ?? (result === 'success' ? '' : result);
}
