/**
 * The places at which machines and units are drawn in the picture of placement. Pure. Boxes stand in rows, and
 * each row is as high as its fullest machine needs.
 */

const GAP = 6;
const PAD = 3;
/** From this cell size on, a box has room for the name of its machine. */
export const NAMED_FROM = 9;

const headOf = (cell) => (cell >= NAMED_FROM ? 16 : 4);
const stepOf = (cell) => cell + (cell >= 4 ? 1 : 0);

/**
 * @param groups { name, boxes: [{ id, units }] }, `units` being the sorted records
 * @param width of the canvas
 * @param cell the size of a unit, in pixels
 * @returns { boxes: [{ id, units, x, y, width, height, columns, cell, head, step }], titles, height }
 */
export function layOut(groups, width, cell) {
  const step = stepOf(cell);
  const head = headOf(cell);
  const columns = columnsFor(groups, cell);
  const boxWidth = columns * step + 2 * PAD;
  const perRow = Math.max(1, Math.floor((width + GAP) / (boxWidth + GAP)));
  const boxes = [];
  const titles = [];
  let y = 0;
  for (const group of groups) {
    if (group.name) {
      titles.push({ text: group.name, y: y + 16 });
      y += 26;
    }
    for (let i = 0; i < group.boxes.length; i += perRow) {
      const row = group.boxes.slice(i, i + perRow);
      const height = head + 2 * PAD + step * Math.max(1, ...row.map(({ units }) => Math.ceil(units.length / columns)));
      row.forEach((box, place) => boxes.push({ ...box, x: place * (boxWidth + GAP), y, width: boxWidth, height, columns, cell, head, step }));
      y += height + GAP;
    }
    y += GAP;
  }
  return { boxes, titles, height: y };
}

/** As many columns as make the usual box a little wider than high. */
function columnsFor(groups, cell) {
  const sizes = groups.flatMap(({ boxes }) => boxes.map(({ units }) => units.length)).sort((one, other) => one - other);
  const usual = sizes[Math.floor(sizes.length * 0.9)] ?? 1;
  const least = cell >= NAMED_FROM ? Math.ceil(90 / stepOf(cell)) : 3;
  return Math.max(least, Math.ceil(Math.sqrt(usual * 1.4)));
}

/** The largest cell size with which the whole picture has room, at least the smallest. */
export function fittingCell(groups, width, height, smallest = 2, largest = 18) {
  let best = smallest;
  for (let cell = smallest; cell <= largest; cell++) {
    if (layOut(groups, width, cell).height > height) break;
    best = cell;
  }
  return best;
}

/** The box and the unit at a point; `unit` is undefined between units. */
export function find(boxes, x, y) {
  const box = boxes.find((one) => x >= one.x && x < one.x + one.width && y >= one.y && y < one.y + one.height);
  if (!box) return null;
  const column = Math.floor((x - box.x - PAD) / box.step);
  const row = Math.floor((y - box.y - PAD - box.head) / box.step);
  const inside = column >= 0 && column < box.columns && row >= 0;
  return { box, unit: inside ? box.units[row * box.columns + column] : undefined };
}

/** The corner of a unit's cell. */
export function corner(box, index) {
  return {
    x: box.x + PAD + (index % box.columns) * box.step,
    y: box.y + PAD + box.head + Math.floor(index / box.columns) * box.step,
  };
}
