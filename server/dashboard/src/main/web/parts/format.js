/** Numbers and times for people. */

import { html, useEffect, useState } from '../ui.js';

const UNITS = ['B', 'K', 'M', 'G', 'T', 'P'];

/** Bytes as 1.5G, in powers of 1024, as fleet's options take them. */
export function bytes(count) {
  let step = 0;
  while (count >= 1024 && step < UNITS.length - 1) {
    count /= 1024;
    step++;
  }
  return (count < 10 && step > 0 ? count.toFixed(1).replace('.0', '') : Math.round(count)) + UNITS[step];
}

export function cores(millis) {
  return (millis / 1000).toFixed(millis < 10_000 && millis % 1000 !== 0 ? 1 : 0);
}

export const number = (count) => count.toLocaleString('en');

export const plural = (count, one, many = one + 's') => `${number(count)} ${count === 1 ? one : many}`;

/** A duration as one rounded unit: 12 s, 5 min, 3 h, 9 d. */
export function duration(millis) {
  const seconds = Math.max(0, Math.round(millis / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

const two = (count) => String(count).padStart(2, '0');

/** The time of day. */
export function clock(time) {
  const at = new Date(time);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** The date as 2026-11-24, in the browser's zone. */
export function day(time) {
  const at = new Date(time);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export const dateTime = (time) => `${day(time)} ${clock(time)}`;

const tickers = new Set();
setInterval(() => tickers.forEach((tick) => tick()), 5000);

/** How long ago a time is; it counts on. */
export function Age({ time }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const one = () => tick((count) => count + 1);
    tickers.add(one);
    return () => tickers.delete(one);
  }, []);
  if (!time) return null;
  return html`<time datetime=${time} title=${dateTime(time)}>${duration(Date.now() - Date.parse(time))}</time>`;
}
