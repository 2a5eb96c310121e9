/**
 * A list of any length of which only the visible rows are in the document. Arrow keys choose a
 * row and Enter opens it; screen readers get the number of all rows.
 */

import { Component, html, useEffect, useLayoutEffect, useRef, useState } from '../ui.js';

const BEYOND = 6;

/**
 * @param items records with a `name`
 * @param columns { name, cell(item), className, optional }
 * @param hrefOf the address that a row opens
 * @param version changes when any item changes
 * @param label says to screen readers what the rows are
 */
export function VirtualTable({ items, columns, hrefOf, version, label, rowHeight = 31, className = '' }) {
  const box = useRef(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const [chosen, setChosen] = useState(-1);

  useLayoutEffect(() => {
    const element = box.current;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const size = new ResizeObserver(look);
    size.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      size.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);

  // A shorter list may end above the place that was scrolled to.
  useEffect(() => setChosen((row) => Math.min(row, items.length - 1)), [items.length]);

  const first = Math.max(0, Math.floor(view.top / rowHeight) - BEYOND);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + BEYOND);

  const choose = (row) => {
    const next = Math.max(0, Math.min(items.length - 1, row));
    setChosen(next);
    const element = box.current;
    const top = next * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + 2 * rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + 2 * rowHeight - element.clientHeight;
    }
  };

  const keys = (event) => {
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -items.length, End: items.length };
    if (event.target === event.currentTarget && event.key in steps) {
      event.preventDefault();
      choose(event.key === 'Home' ? 0 : chosen + steps[event.key]);
    } else if (event.target === event.currentTarget && event.key === 'Enter' && items[chosen]) {
      location.hash = hrefOf(items[chosen]);
    }
  };

  return html`
    <div class="grid ${className}" role="grid" tabindex="0" ref=${box} onKeyDown=${keys}
      aria-label=${label} aria-rowcount=${items.length + 1} aria-activedescendant=${chosen < 0 ? undefined : 'row-' + chosen}>
      <div class="grid-row head" role="row" aria-rowindex="1">
        ${columns.map((column) => html`<span key=${column.name} role="columnheader" class=${column.className}>${column.name}</span>`)}
      </div>
      <div class="grid-body" role="rowgroup" style=${{ height: items.length * rowHeight + 'px' }}>
        ${items.slice(first, last).map((item, place) => html`
          <${Row} key=${item.name} item=${item} index=${first + place} columns=${columns} height=${rowHeight}
            isChosen=${first + place === chosen} version=${version} />`)}
      </div>
    </div>`;
}

/** A row is rendered again only if something in it may have changed: scrolling moves rows, and changes none. */
class Row extends Component {
  shouldComponentUpdate(next) {
    return ['item', 'index', 'columns', 'isChosen', 'version'].some((name) => next[name] !== this.props[name]);
  }

  render({ item, index, columns, height, isChosen }) {
    return html`
      <div class="grid-row" role="row" id=${'row-' + index} aria-rowindex=${index + 2} aria-selected=${isChosen ? 'true' : undefined}
        style=${{ transform: `translateY(${index * height}px)`, height: height + 'px' }}>
        ${columns.map((column) => html`<span key=${column.name} role="gridcell" class=${column.className}>${column.cell(item)}</span>`)}
      </div>`;
  }
}
