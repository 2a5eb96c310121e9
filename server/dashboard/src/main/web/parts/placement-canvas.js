/** Draws the picture of placement. Only what is visible is drawn, colour by colour. */

import { corner, NAMED_FROM } from './placement-layout.js';
import { toneOf } from './status.js';

/** From this cell size on, tones differ by shape as well. */
const SHAPED_FROM = 6;

/** The colours of the style sheet, which differ by day and night. */
export function palette() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue('--' + name).trim();
  const tones = Object.fromEntries(['good', 'bad', 'held', 'moving', 'unknown', 'over', 'idle'].map((tone) => [tone, colour(tone)]));
  return { ...tones, text: colour('text'), quiet: colour('quiet'), line: colour('line'), card: colour('card'), accent: colour('accent') };
}

/**
 * @param boxes those that are visible
 * @param top how far the picture is scrolled
 * @param dims whether a unit is to stand back
 */
export function draw(context, { boxes, titles, top, width, height, colours, wordOf, nameOf, dims, chosen }) {
  context.clearRect(0, 0, width, height);
  context.save();
  context.translate(0, -top);
  titles.forEach((title) => write(context, title.text, 0, title.y, colours.quiet, '600 13px system-ui, sans-serif'));
  boxes.forEach((box) => drawBox(context, box, colours, wordOf(box.id), nameOf(box.id), box.id === chosen));
  drawUnits(context, boxes, colours, dims);
  context.restore();
}

function drawBox(context, box, colours, word, name, isChosen) {
  const tone = colours[toneOf(word)];
  const isGood = toneOf(word) === 'good';
  context.fillStyle = colours.card;
  context.fillRect(box.x, box.y, box.width, box.height);
  if (isChosen || !isGood || box.cell >= SHAPED_FROM) {
    context.strokeStyle = isChosen ? colours.accent : isGood ? colours.line : tone;
    context.lineWidth = isChosen ? 2 : 1;
    context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
  }
  if (box.cell < NAMED_FROM) {
    context.fillStyle = isGood ? colours.line : tone;
    context.fillRect(box.x, box.y, box.width, box.head);
    return;
  }
  const text = word === 'ready' ? name : `${name} · ${word}`;
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width - 3, box.head + 2);
  context.clip();
  write(context, text, box.x + 4, box.y + 13, isGood ? colours.text : tone, '11px system-ui, sans-serif');
  context.restore();
}

function write(context, text, x, y, colour, font) {
  context.font = font;
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

/** The order in which tones are drawn: the urgent ones on top. */
const WEIGHT = ['good', 'over', 'idle', 'moving', 'unknown', 'held', 'bad'];
const CALM = new Set(['good', 'over', 'idle']);

/** All units of one tone in one path: setting colours is what costs. */
function drawUnits(context, boxes, colours, dims) {
  const paths = new Map();
  const isShaped = boxes.length > 0 && boxes[0].cell >= SHAPED_FROM;
  for (const box of boxes) {
    const add = box.cell >= SHAPED_FROM ? shaped : box.cell < 4 ? small : square;
    box.units.forEach((unit, index) => {
      const key = toneOf(unit.condition) + (dims(unit) ? ' dim' : '');
      if (!paths.has(key)) paths.set(key, new Path2D());
      const { x, y } = corner(box, index);
      add(paths.get(key), x, y, box.cell, toneOf(unit.condition));
    });
  }
  const calmFirst = [...paths].sort(([one], [other]) => WEIGHT.indexOf(one.split(' ')[0]) - WEIGHT.indexOf(other.split(' ')[0]));
  for (const [key, path] of calmFirst) {
    const [tone, dim] = key.split(' ');
    context.globalAlpha = dim ? 0.12 : CALM.has(tone) ? 0.65 : 1;
    context.fillStyle = colours[tone];
    context.fill(path, tone === 'bad' && !isShaped ? 'nonzero' : 'evenodd');
  }
  context.globalAlpha = 1;
}

/** Failed units stand out even if a unit is a dot of two pixels. */
function small(path, x, y, size, tone) {
  if (tone === 'bad') path.rect(x - 1, y - 1, size + 2, size + 2);
  else path.rect(x, y, size, size);
}

function square(path, x, y, size) {
  path.rect(x, y, size, size);
}

/** The shapes are those of the marks, made of squares. */
function shaped(path, x, y, size, tone) {
  const third = Math.max(2, Math.floor(size / 3));
  const half = size / 2;
  switch (tone) {
    case 'bad':
      path.rect(x, y, size, size);
      path.rect(x + third, y + Math.floor(half) - 1, size - 2 * third, 2);
      break;
    case 'held':
      path.moveTo(x + half, y);
      path.lineTo(x + size, y + half);
      path.lineTo(x + half, y + size);
      path.lineTo(x, y + half);
      path.closePath();
      break;
    case 'moving':
      path.rect(x, y, size, size);
      path.rect(x + 1, y + 1, half - 1, size - 2);
      break;
    case 'idle':
    case 'unknown':
      path.rect(x, y, size, size);
      path.rect(x + 1.5, y + 1.5, size - 3, size - 3);
      break;
    case 'over':
      path.rect(x + third, y + third, size - 2 * third, size - 2 * third);
      break;
    default:
      path.rect(x, y, size, size);
  }
}
