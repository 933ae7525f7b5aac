/** The grid of a result: a real table that shows a window of rows, which stay on the server. */
import 'regular-table';
import type { RegularTableElement } from 'regular-table';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isNumeric, shownCell, type Cell, type CellStyle, type Column } from '../lib/cells';
import { countText } from '../lib/units';
import { shortened } from '../lib/text';

export interface GridProps {
  columns: readonly Column[];
  total: number;
  style: CellStyle;
  sort: { column: number; descending: boolean } | null;
  /** Columns that are shown, by their index in `columns`. */
  visible: readonly number[];
  /** Changes when the rows do: another result, order or filter. */
  version: string;
  rows(from: number, to: number): Promise<Cell[][]>;
  onSort(column: number): void;
  onOpen(cell: Cell, column: Column): void;
  /** The chosen rows, from the first to the last. */
  onSelect(from: number, to: number): void;
  onError(error: unknown): void;
}

interface Meta {
  type: string;
  x?: number;
  y?: number;
}

/** The selection of a grid: the focused cell, and the rows from the anchor to it. */
interface Selection {
  row: number;
  column: number;
  anchor: number;
}

/** Height in px that the browser can scroll; beyond it regular-table scales, and a turn of the wheel would skip rows. */
const scrollLimit = 10_000_000;
const rowHeight = 22;

/** Connects a regular-table to the properties of the moment. */
class GridController {
  props: GridProps;
  selection: Selection | null = null;
  private shownRows = new Map<number, Cell[]>();
  private version = '';

  constructor(
    private readonly table: RegularTableElement,
    props: GridProps,
  ) {
    this.props = props;
    table.setDataListener((x0, y0, x1, y1) => this.data(x0, y0, x1, y1) as never, { virtual_mode: 'both' });
    table.addStyleListener(() => this.decorate());
    table.addEventListener('mousedown', (event) => this.onPointer(event));
    table.addEventListener('dblclick', (event) => this.onDouble(event));
    table.addEventListener('keydown', (event) => this.onKey(event));
    table.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
  }

  update(props: GridProps): void {
    const isNew = props.version !== this.version;
    this.props = props;
    this.version = props.version;
    if (isNew) {
      this.selection = null;
      this.shownRows.clear();
      this.table.scrollTop = 0;
      this.table.resetAutoSize();
    }
    void this.draw();
  }

  async draw(): Promise<void> {
    try {
      await this.table.draw({ invalid_viewport: true });
    } catch (error) {
      this.props.onError(error);
    }
  }

  private async data(x0: number, y0: number, x1: number, y1: number): Promise<unknown> {
    const { columns, visible, style, total } = this.props;
    const shape = { num_rows: total, num_columns: visible.length };
    const to = Math.min(y1, total);
    let rows: Cell[][] = [];
    if (y0 < to) {
      try {
        rows = await this.props.rows(y0, to);
      } catch (error) {
        this.props.onError(error);
      }
    }
    rows.forEach((row, i) => this.shownRows.set(y0 + i, row));
    for (const known of this.shownRows.keys()) if (this.shownRows.size > 4000) this.shownRows.delete(known);
    const chosen = visible.slice(x0, x1);
    const text = (row: Cell[] | undefined, c: number): string => {
      const column = columns[c];
      return row && column ? shownCell(row[c] ?? null, column, style) : '';
    };
    const count = Math.max(0, to - y0);
    return {
      ...shape,
      column_headers: chosen.map((c) => [shortened(columns[c]?.name ?? '', 80)]),
      row_headers: Array.from({ length: count }, (_, i) => [countText(y0 + i + 1)]),
      data: chosen.map((c) => Array.from({ length: count }, (_, i) => text(rows[i], c))),
    };
  }

  /** Sets classes, roles and titles of the cells in view. regular-table reuses the elements. */
  private decorate(): void {
    const { columns, sort, total, visible } = this.props;
    const inner = this.table.querySelector('table');
    inner?.setAttribute('role', 'grid');
    inner?.setAttribute('aria-rowcount', String(total + 1));
    inner?.setAttribute('aria-colcount', String(visible.length + 1));
    inner?.setAttribute('aria-label', 'Result');
    for (const th of this.table.querySelectorAll<HTMLElement>('thead th')) {
      const meta = this.table.getMeta(th) as Meta | undefined;
      const c = meta?.type === 'column_header' && meta.x !== undefined ? visible[meta.x] : undefined;
      const column = c === undefined ? undefined : columns[c];
      th.classList.toggle('num', !!column && isNumeric(column));
      if (column) th.dataset['type'] = column.type;
      else delete th.dataset['type'];
      const own = column !== undefined && sort?.column === c ? sort : null;
      th.dataset['sort'] = own ? (own.descending ? 'down' : 'up') : '';
      if (own) th.setAttribute('aria-sort', own.descending ? 'descending' : 'ascending');
      else th.removeAttribute('aria-sort');
      th.setAttribute('role', 'columnheader');
      const corner = th.classList.contains('rt-group-corner') ? th.querySelector('span') : null;
      if (corner) corner.textContent = '#';
    }
    const { selection } = this;
    const [from, to] = selection ? [Math.min(selection.row, selection.anchor), Math.max(selection.row, selection.anchor)] : [-1, -1];
    for (const cell of this.table.querySelectorAll<HTMLElement>('tbody td, tbody th')) {
      const meta = this.table.getMeta(cell) as Meta | undefined;
      const y = meta?.y ?? -1;
      const isSelected = y >= from && y <= to;
      cell.classList.toggle('sel', isSelected);
      cell.parentElement?.setAttribute('aria-rowindex', String(y + 2));
      if (cell.tagName === 'TH') {
        cell.setAttribute('role', 'rowheader');
        continue;
      }
      const x = meta?.x ?? -1;
      const c = visible[x];
      const column = c === undefined ? undefined : columns[c];
      const value = c === undefined ? undefined : this.shownRows.get(y)?.[c];
      cell.setAttribute('role', 'gridcell');
      cell.setAttribute('aria-selected', String(isSelected));
      cell.classList.toggle('num', !!column && (isNumeric(column) || typeof value === 'bigint' || typeof value === 'number'));
      cell.classList.toggle('null', value === null);
      cell.classList.toggle('blob', value instanceof Uint8Array);
      const isFocus = !!selection && selection.row === y && selection.column === x;
      cell.classList.toggle('focus', isFocus);
      cell.id = isFocus ? 'grid-focus' : '';
      if (!isFocus) cell.removeAttribute('id');
    }
    if (selection) this.table.setAttribute('aria-activedescendant', 'grid-focus');
    else this.table.removeAttribute('aria-activedescendant');
  }

  private metaOf(event: Event): Meta | undefined {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('td, th');
    return cell ? (this.table.getMeta(cell) as Meta | undefined) : undefined;
  }

  private onPointer(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    if (event.button !== 0 || target.classList.contains('rt-column-resize')) return;
    const meta = this.metaOf(event);
    if (meta?.type === 'column_header' && meta.x !== undefined) {
      const c = this.props.visible[meta.x];
      if (c !== undefined) this.props.onSort(c);
    } else if (meta?.y !== undefined) {
      this.select(meta.y, meta.x ?? 0, event.shiftKey);
    }
  }

  private onDouble(event: MouseEvent): void {
    const meta = this.metaOf(event);
    if (meta?.type === 'body' && meta.y !== undefined && meta.x !== undefined) this.openCell(meta.y, meta.x);
  }

  private openCell(y: number, x: number): void {
    const c = this.props.visible[x];
    const column = c === undefined ? undefined : this.props.columns[c];
    const row = this.shownRows.get(y);
    if (c !== undefined && column && row) this.props.onOpen(row[c] ?? null, column);
  }

  private select(row: number, column: number, extend: boolean): void {
    const anchor = extend && this.selection ? this.selection.anchor : row;
    this.selection = { row, column, anchor };
    this.props.onSelect(Math.min(row, anchor), Math.max(row, anchor));
    void this.draw();
  }

  private rowsInView(): number {
    return Math.max(1, Math.floor(this.table.clientHeight / rowHeight) - 2);
  }

  private onKey(event: KeyboardEvent): void {
    const { total, visible } = this.props;
    const at = this.selection ?? { row: 0, column: 0, anchor: 0 };
    const page = this.rowsInView();
    const last = total - 1;
    const isMod = event.ctrlKey || event.metaKey;
    const moves: Record<string, [number, number]> = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1], PageDown: [page, 0], PageUp: [-page, 0],
      Home: isMod ? [-at.row, 0] : [0, -at.column], End: isMod ? [last - at.row, 0] : [0, visible.length - 1 - at.column],
    };
    const move = moves[event.key];
    if (event.key === 'Enter' && this.selection) {
      event.preventDefault();
      this.openCell(at.row, at.column);
      return;
    }
    if (!move || event.altKey || total === 0) return;
    event.preventDefault();
    const step = this.selection ? move : [0, 0];
    const row = Math.min(last, Math.max(0, at.row + (step[0] ?? 0)));
    const column = Math.min(visible.length - 1, Math.max(0, at.column + (step[1] ?? 0)));
    this.reveal(row, column);
    this.select(row, column, event.shiftKey);
  }

  /** Px of scrolling for one row: less than its height if the result is longer than the browser can scroll. */
  private pxPerRow(): number {
    const { total } = this.props;
    const height = Math.min(scrollLimit, (total + 1) * rowHeight) - this.table.clientHeight;
    const rows = total - (this.table.clientHeight / rowHeight - 1);
    return rows > 0 ? height / rows : rowHeight;
  }

  private reveal(row: number, column: number): void {
    const px = this.pxPerRow();
    const first = this.table.scrollTop / px;
    const inView = this.rowsInView();
    if (row < first) this.table.scrollTop = row * px;
    else if (row > first + inView - 1) this.table.scrollTop = (row - inView + 1) * px;
    const isShown = [...this.table.querySelectorAll<HTMLElement>('tbody tr:first-child td')].some(
      (td) => (this.table.getMeta(td) as Meta | undefined)?.x === column && td.getBoundingClientRect().right <= this.table.getBoundingClientRect().right,
    );
    if (!isShown) {
      const share = this.props.visible.length > 1 ? column / (this.props.visible.length - 1) : 0;
      this.table.scrollLeft = share * (this.table.scrollWidth - this.table.clientWidth);
    }
  }

  private onWheel(event: WheelEvent): void {
    if (this.props.total * rowHeight <= scrollLimit || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
    event.preventDefault();
    const lines = event.deltaMode === 0 ? event.deltaY / rowHeight : event.deltaY;
    const rows = Math.sign(lines) * Math.max(1, Math.round(Math.abs(lines)));
    this.table.scrollTop += rows * this.pxPerRow();
  }
}

/** Returns the grid. Click selects a row, Shift extends; arrows move; Enter or a double click shows a cell in full. */
export function Grid(props: GridProps): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const controller = useRef<GridController | null>(null);
  useEffect(() => {
    const table = document.createElement('regular-table') as RegularTableElement;
    table.setAttribute('aria-label', 'Rows of the result');
    table.setAttribute('role', 'group');
    host.current?.append(table);
    const made = new GridController(table, props);
    controller.current = made;
    const observer = new ResizeObserver(() => void made.draw());
    if (host.current) observer.observe(host.current);
    return () => {
      observer.disconnect();
      table.remove();
      controller.current = null;
    };
  }, []);
  useEffect(() => controller.current?.update(props));
  return <div class="grid-host" ref={host} data-testid="grid" />;
}
