/** A picture of placement: machines as boxes, units as cells; and the same as a table. */

import { cluster } from '../cluster.js';
import { Choice, nameMatcher, Search, StateFilter } from '../parts/filters.js';
import { number, plural } from '../parts/format.js';
import { machineName, machineState } from '../parts/machine.js';
import { find, fittingCell, layOut } from '../parts/placement-layout.js';
import { draw, palette } from '../parts/placement-canvas.js';
import { Status } from '../parts/status.js';
import { VirtualTable } from '../parts/virtual.js';
import { link, setQuery } from '../router.js';
import { CONDITIONS, sortKey } from '../state.js';
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../ui.js';

/** The id of the box for units without a machine. */
const NOWHERE = '';
/** Between two drawings while many events come, in milliseconds. */
const GAP = 100;
const SIZES = ['fit', '3', '5', '9', '14', '18'];

export function PlacementView({ query }) {
  const [q, states, group, size, as] = ['q', 'state', 'group', 'size', 'as'].map((name) => query.get(name) ?? '');
  const version = useThrottledVersion();
  const groups = useMemo(() => groupsOf(cluster.state, group), [version, group]);
  const keys = useMemo(() => metadataKeys(cluster.state), [version]);
  const dims = useMemo(() => dimmer(q, states), [q, states]);
  const isTable = as === 'table';
  return html`
    <div class="page fill placement-page">
      <div class="page-head">
        <h1 tabindex="-1">Placement</h1>
        <span class="count">${plural(cluster.state.sorted.length, 'unit')} on ${plural(cluster.state.machines.size, 'machine')}</span>
        <div class="segments" role="group" aria-label="Show as">
          <button type="button" aria-pressed=${isTable ? 'false' : 'true'} onClick=${() => setQuery({ as: '' })}>Picture</button>
          <button type="button" aria-pressed=${isTable ? 'true' : 'false'} onClick=${() => setQuery({ as: 'table' })}>Table</button>
        </div>
      </div>
      <div class="filters">
        <${Search} value=${q} label="Search units by name or pattern" placeholder="highlight units: web@*" />
        ${keys.length > 0 && html`<${Choice} name="group" label="Group by" value=${group} empty="nothing" options=${keys} />`}
        ${!isTable && html`<${Choice} name="size" label="Size" value=${size || 'fit'} options=${SIZES} />`}
        <${StateFilter} counts=${cluster.state.counts} order=${CONDITIONS} value=${states} />
      </div>
      ${isTable ? html`<${PlacementTable} groups=${groups} version=${version} dims=${dims} />`
        : html`<${Picture} groups=${groups} size=${size} dims=${dims} version=${version} />`}
    </div>`;
}

function useThrottledVersion() {
  const [version, setVersion] = useState(0);
  useLayoutEffect(() => {
    let timer = 0;
    const end = cluster.subscribe(() => {
      timer ||= setTimeout(() => {
        timer = 0;
        setVersion((count) => count + 1);
      }, GAP);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, []);
  return version;
}

function dimmer(q, states) {
  const fits = nameMatcher(q);
  const wanted = new Set(states.split(',').filter(Boolean));
  if (!q.trim() && wanted.size === 0) return () => false;
  return (unit) => !fits(unit.name) || (wanted.size > 0 && !wanted.has(unit.condition));
}

function metadataKeys(state) {
  const keys = new Set();
  state.machines.forEach(({ metadata = {} }) => Object.keys(metadata).forEach((key) => keys.add(key)));
  return [...keys].sort().slice(0, 30);
}

function groupsOf(state, key) {
  const machines = [...state.machines.values()].map((machine) => ({ machine, key: sortKey(machine.hostname ?? machine.id) }));
  machines.sort((one, other) => (one.key < other.key ? -1 : 1));
  const buckets = new Map();
  for (const { machine } of machines) {
    const units = [...state.on(machine.id)];
    if (units.length === 0 && ['lost', 'left'].includes(machine.state)) continue;
    const name = key ? `${key}=${machine.metadata?.[key] ?? ''}` : '';
    if (!buckets.has(name)) buckets.set(name, []);
    buckets.get(name).push({ id: machine.id, units });
  }
  const waiting = [...state.inCondition('waiting')].filter(({ machines: places }) => places.length === 0);
  const groups = [...buckets].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, boxes]) => ({ name, boxes }));
  if (waiting.length > 0) groups.unshift({ name: 'Without a machine', boxes: [{ id: NOWHERE, units: waiting }] });
  return groups;
}

const wordOf = (id) => (id === NOWHERE ? 'waiting' : machineState(cluster.state.machines.get(id) ?? { state: 'lost' }));
const nameOf = (id) => (id === NOWHERE ? 'no machine' : machineName(id));

function useSize(box) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const look = () => setSize({ width: box.current.clientWidth, height: box.current.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return size;
}

function useScheme() {
  const [scheme, setScheme] = useState(0);
  useEffect(() => {
    const media = matchMedia('(prefers-color-scheme: dark)');
    const change = () => setScheme((count) => count + 1);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, []);
  return scheme;
}

function Picture({ groups, size, dims, version }) {
  const box = useRef(null);
  const canvas = useRef(null);
  const { width, height } = useSize(box);
  const [top, setTop] = useState(0);
  const [pointed, setPointed] = useState(null);
  const [chosen, setChosen] = useState(-1);
  const scheme = useScheme();
  const colours = useMemo(palette, [scheme]);
  const cell = useMemo(() => (size && size !== 'fit' ? Number(size) : fittingCell(groups, width, height)), [groups, width, height, size]);
  const layout = useMemo(() => layOut(groups, width, cell), [groups, width, cell]);
  const shown = layout.boxes.filter((one) => one.y + one.height > top && one.y < top + height);
  const current = layout.boxes[chosen];

  useLayoutEffect(() => {
    if (!width) return;
    const scale = devicePixelRatio || 1;
    Object.assign(canvas.current, { width: width * scale, height: height * scale });
    const context = canvas.current.getContext('2d');
    context.scale(scale, scale);
    draw(context, { ...layout, boxes: shown, top, width, height, colours, wordOf, nameOf, dims, chosen: current?.id });
  }, [layout, top, width, height, colours, dims, version, current]);

  const at = (event) => find(shown, event.offsetX, event.offsetY + top);
  const point = (event) => {
    const found = at(event);
    setPointed(found && { ...found, x: event.offsetX, y: event.offsetY });
  };
  const press = (event) => {
    const found = at(event);
    if (found) open(found.box, found.unit);
  };
  const choose = (index) => {
    const next = Math.max(0, Math.min(layout.boxes.length - 1, index));
    setChosen(next);
    const one = layout.boxes[next];
    if (one.y < top) box.current.scrollTop = one.y;
    else if (one.y + one.height > top + height) box.current.scrollTop = one.y + one.height - height;
  };
  const keys = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: perRow(layout.boxes), ArrowUp: -perRow(layout.boxes) }[event.key];
    if (step) {
      event.preventDefault();
      choose(chosen + step);
    } else if (event.key === 'Enter' && current) open(current);
  };
  return html`
    <div class="picture" ref=${box} tabindex="0" role="application" aria-label="Picture of placement. Arrow keys choose a machine, Enter opens it. The table shows the same as text."
      aria-describedby="picture-chosen" onKeyDown=${keys} onScroll=${(event) => setTop(event.target.scrollTop)}>
      <div class="picture-sheet" style=${{ height: Math.max(layout.height, height) + 'px' }}>
        <canvas ref=${canvas} style=${{ width: width + 'px', height: height + 'px' }} onMouseMove=${point} onMouseLeave=${() => setPointed(null)} onClick=${press}></canvas>
      </div>
    </div>
    <p id="picture-chosen" class="picture-words" role="status" aria-live="polite">${current ? describe(current) : pointed ? describe(pointed.box, pointed.unit) : 'Point at a unit or a machine; a click opens it.'}</p>`;
}

function open(box, unit) {
  if (unit) location.hash = link('units', unit.name);
  else if (box.id !== NOWHERE) location.hash = link('machines', box.id);
}

function perRow(boxes) {
  const row = boxes[0]?.y;
  return Math.max(1, boxes.findIndex((box) => box.y !== row));
}

function describe(box, unit) {
  const place = `${nameOf(box.id)}, ${wordOf(box.id)}`;
  if (unit) return `${unit.name}: ${unit.condition}, on ${place}`;
  return `${place}: ${[plural(box.units.length, 'unit'), ...countsOf(box.units).map(([word, count]) => `${number(count)} ${word}`)].join(', ')}`;
}

function countsOf(units) {
  const counts = new Map();
  units.forEach(({ condition }) => counts.set(condition, (counts.get(condition) ?? 0) + 1));
  return CONDITIONS.filter((word) => counts.has(word)).map((word) => [word, counts.get(word)]);
}

function PlacementTable({ groups, version, dims }) {
  const items = groups.flatMap(({ name, boxes }) => boxes.map((box) => ({ ...box, group: name, name: box.id })));
  const counted = (box) => box.units.filter((unit) => !dims(unit));
  const columns = [
    { name: 'Machine', className: 'c-unit', cell: ({ id }) => (id === NOWHERE ? 'no machine' : html`<a href=${link('machines', id)}>${machineName(id)}</a>`) },
    { name: 'State', className: 'c-state', cell: ({ id }) => html`<${Status} word=${wordOf(id)} />` },
    { name: 'Group', className: 'c-group', cell: ({ group }) => group },
    { name: 'Units', className: 'c-number', cell: (box) => number(counted(box).length) },
    { name: 'By state', className: 'c-remark', cell: (box) => countsOf(counted(box)).map(([word, count]) => html`<${Status} word=${word} text="${number(count)} ${word}" />`) },
  ];
  return html`<${VirtualTable} items=${items} version=${version} columns=${columns} hrefOf=${({ id }) => link(...(id ? ['machines', id] : ['units']))}
    label="Placement of units" className="placement-grid" />`;
}
