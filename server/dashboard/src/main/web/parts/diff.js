/** The difference between two texts, line by line. */

/** Texts of more lines are shown as wholly replaced: a table of all pairs would be too large. */
const MOST = 2000;

/** Lines as { kind: 'same' | 'added' | 'removed', text }. */
export function diffLines(before, after) {
  const one = before.split('\n');
  const other = after.split('\n');
  if (one.length > MOST || other.length > MOST) {
    return [...one.map((text) => ({ kind: 'removed', text })), ...other.map((text) => ({ kind: 'added', text }))];
  }
  return walk(one, other, commonLengths(one, other));
}

/** The length of the longest common subsequence of each pair of rests. */
function commonLengths(one, other) {
  const width = other.length + 1;
  const lengths = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      lengths[i * width + j] = one[i] === other[j]
        ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  return (i, j) => lengths[i * width + j];
}

function walk(one, other, common) {
  const lines = [];
  let i = 0;
  let j = 0;
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      lines.push({ kind: 'same', text: one[i++] });
      j++;
    } else if (j >= other.length || (i < one.length && common(i + 1, j) >= common(i, j + 1))) {
      lines.push({ kind: 'removed', text: one[i++] });
    } else {
      lines.push({ kind: 'added', text: other[j++] });
    }
  }
  return lines;
}

/** The text of a unit file, from its options. */
export function unitText(options = []) {
  const lines = [];
  let section = null;
  for (const option of options) {
    if (option.section !== section) {
      if (section !== null) lines.push('');
      lines.push(`[${(section = option.section)}]`);
    }
    lines.push(`${option.name}=${option.value}`);
  }
  return lines.join('\n');
}
