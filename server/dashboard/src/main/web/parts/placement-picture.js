/** The picture of placement on a canvas, with mouse and keyboard. */

import { link } from '../router.js';
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../ui.js';
import { draw, palette } from './placement-canvas.js';
import { describe, nameOf, NOWHERE, wordOf } from './placement-groups.js';
import { find, fittingCell, layOut } from './placement-layout.js';

/**
 * @param groups of boxes with units
 * @param size of a unit in pixels; 0 for the largest with which all of it has room
 * @param dims whether a unit is to stand back
 * @param version changes when any unit changes
 */
export function Picture({ groups, size, dims, version }) {
  const box = useRef(null);
  const { width, height } = useSize(box);
  const [top, setTop] = useState(0);
  const cell = useMemo(() => size || fittingCell(groups, width, height), [groups, width, height, size]);
  const layout = useMemo(() => layOut(groups, width, cell), [groups, width, cell]);
  const shown = layout.boxes.filter((one) => one.y + one.height > top && one.y < top + height);
  const { chosen, keys } = useKeys(layout.boxes, (one) => scrollTo(box.current, one));
  const { pointed, ...mouse } = useMouse(shown, top);
  const canvas = useDrawing({ layout, shown, top, width, height, dims, chosen, version });
  return html`
    <div class="picture" ref=${box} tabindex="0" role="application" aria-describedby="picture-words" onKeyDown=${keys}
      aria-label="Picture of placement. Arrow keys choose a machine, Enter opens it. The table shows the same as text."
      onScroll=${(event) => setTop(event.target.scrollTop)}>
      <div class="picture-sheet" style=${{ height: Math.max(layout.height, height) + 'px' }}>
        <canvas ref=${canvas} style=${{ width: width + 'px', height: height + 'px' }} ...${mouse}></canvas>
      </div>
    </div>
    <p id="picture-words" class="picture-words" role="status" aria-live="polite">${words(chosen, pointed)}</p>`;
}

function words(chosen, pointed) {
  if (pointed) return describe(pointed.box, pointed.unit);
  return chosen ? describe(chosen) : 'Point at a unit or a machine; a click opens it.';
}

function open(box, unit) {
  if (unit) location.hash = link('units', unit.name);
  else if (box.id !== NOWHERE) location.hash = link('machines', box.id);
}

function scrollTo(element, { y, height }) {
  if (y < element.scrollTop) element.scrollTop = y;
  else if (y + height > element.scrollTop + element.clientHeight) element.scrollTop = y + height - element.clientHeight;
}

function useSize(box) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setSize({ width: box.current.clientWidth, height: box.current.clientHeight }));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return size;
}

/** Colours of the style sheet, read again when day and night change. */
function useColours() {
  const [colours, setColours] = useState(palette);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const change = () => setColours(palette());
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return colours;
}

function useDrawing({ layout, shown, top, width, height, dims, chosen, version }) {
  const canvas = useRef(null);
  const colours = useColours();
  useLayoutEffect(() => {
    if (!width) return;
    const scale = devicePixelRatio || 1;
    Object.assign(canvas.current, { width: width * scale, height: height * scale });
    const context = canvas.current.getContext('2d');
    context.scale(scale, scale);
    draw(context, { boxes: shown, titles: layout.titles, top, width, height, colours, wordOf, nameOf, dims, chosen: chosen?.id });
  }, [layout, top, width, height, colours, dims, version, chosen]);
  return canvas;
}

function useMouse(shown, top) {
  const [pointed, setPointed] = useState(null);
  const at = (event) => find(shown, event.offsetX, event.offsetY + top);
  return {
    pointed,
    onMouseMove: (event) => setPointed(at(event)),
    onMouseLeave: () => setPointed(null),
    onClick: (event) => {
      const found = at(event);
      if (found) open(found.box, found.unit);
    },
  };
}

function useKeys(boxes, reveal) {
  const [index, setIndex] = useState(-1);
  const chosen = boxes[index];
  const keys = (event) => {
    const row = perRow(boxes);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }[event.key];
    if (step) {
      event.preventDefault();
      const next = Math.max(0, Math.min(boxes.length - 1, index + step));
      setIndex(next);
      reveal(boxes[next]);
    } else if (event.key === 'Enter' && chosen) open(chosen);
  };
  return { chosen, keys };
}

function perRow(boxes) {
  const row = boxes.at(-1)?.y;
  const first = boxes.findIndex((box) => box.y !== boxes[0].y);
  return row === undefined || first < 0 ? boxes.length : first;
}
