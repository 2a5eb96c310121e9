/**
 * The places at which machines and units are drawn in the picture of placement. Pure. Boxes stand in rows, and
 * each row is as high as its fullest machine needs.
 */

/** From this cell size on, a box has room for the name of its machine. */
export const NAMED_FROM = 9;

/** The measures of boxes, by the size of a cell: small pictures have no room to give away. */
function measuresOf(cell) {
  if (cell >= NAMED_FROM) return { gap: 6, pad: 3, head: 16, step: cell + 1 };
  if (cell >= 4) return { gap: 4, pad: 2, head: 3, step: cell + 1 };
  return { gap: 2, pad: 1, head: 2, step: cell };
}

/**
 * @param groups { name, boxes: [{ id, units }] }, `units` being the sorted records
 * @param width of the canvas
 * @param cell the size of a unit, in pixels
 * @returns { boxes: [{ id, units, x, y, width, height, columns, cell, pad, head, step }], titles, height }
 */
export function layOut(groups, width, cell) {
  const { gap, pad, head, step } = measuresOf(cell);
  const columns = columnsFor(groups, cell, step);
  const boxWidth = columns * step + 2 * pad;
  const perRow = Math.max(1, Math.floor((width + gap) / (boxWidth + gap)));
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
      const height = head + 2 * pad + step * Math.max(1, ...row.map(({ units }) => Math.ceil(units.length / columns)));
      row.forEach((box, place) => boxes.push({ ...box, x: place * (boxWidth + gap), y, width: boxWidth, height, columns, cell, pad, head, step }));
      y += height + gap;
    }
    y += gap;
  }
  return { boxes, titles, height: y };
}

/** As many columns as make the usual box a little wider than high. */
function columnsFor(groups, cell, step) {
  const sizes = groups.flatMap(({ boxes }) => boxes.map(({ units }) => units.length)).sort((one, other) => one - other);
  const usual = sizes[Math.floor(sizes.length * 0.9)] ?? 1;
  const least = cell >= NAMED_FROM ? Math.ceil(90 / step) : 3;
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
  const column = Math.floor((x - box.x - box.pad) / box.step);
  const row = Math.floor((y - box.y - box.pad - box.head) / box.step);
  const inside = column >= 0 && column < box.columns && row >= 0;
  return { box, unit: inside ? box.units[row * box.columns + column] : undefined };
}

/** The corner of a unit's cell. */
export function corner(box, index) {
  return {
    x: box.x + box.pad + (index % box.columns) * box.step,
    y: box.y + box.pad + box.head + Math.floor(index / box.columns) * box.step,
  };
}
