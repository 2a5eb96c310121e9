/** Tells screen readers a number once it rests: lists change with every event, and nobody wants to hear each. */

import { html, useEffect, useState } from '../ui.js';

const REST = 1000;

/** @param text that is told when `about` has not changed for a second */
export function Told({ text, about = text }) {
  const [told, setTold] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setTold(text), REST);
    return () => clearTimeout(timer);
  }, [about]);
  return html`<span class="hidden" role="status" aria-live="polite">${told}</span>`;
}
