/** What the grid of a result does with its regular-table: data, looks of cells, pointer, keyboard. */
import type { RegularTableElement } from 'regular-table';
import { isNumeric, shownCell, type Cell, type CellStyle, type Column } from '../lib/cells';
import { countText } from '../lib/units';
import { shortened } from '../lib/text';

export interface GridProps {
  columns: readonly Column[];
  total: number;
  style: CellStyle;
  sort: { column: number; descending: boolean } | null;
  /** Columns that are shown, in this order, by their index in `columns`. */
  visible: readonly number[];
  /** How many of them stay at the left while the others scroll. */
  pinned: number;
  /** The largest magnitude of the column that has bars, if one has. */
  bars: { column: number; largest: number } | null;
  /** Names of machines in the order of their colours, for columns of machines. */
  machines: readonly string[];
  /** Columns whose values can be followed. */
  isLink(column: Column): boolean;
  /** Changes when the rows do: another result, order or filter. */
  version: string;
  rows(from: number, to: number): Promise<Cell[][]>;
  onSort(column: number): void;
  /** A header was dragged: the positions in `visible` from which and to which. */
  onMove(from: number, to: number): void;
  onOpen(cell: Cell, column: Column): void;
  /** The chosen rows, from the first to the last. */
  onSelect(from: number, to: number): void;
  onError(error: unknown): void;
}

interface Meta {
  type: string;
  x?: number;
  y?: number;
  row_header_x?: number;
}

/** The selection of a grid: the focused cell by its position in `visible`, and the rows from the anchor to it. */
interface Selection {
  row: number;
  column: number;
  anchor: number;
}

/** Height in px that the browser can scroll; beyond it regular-table scales, and a turn of the wheel would skip rows. */
const scrollLimit = 10_000_000;
const rowHeight = 22;

/** Connects a regular-table to the properties of the moment. */
export class GridController {
  props: GridProps;
  selection: Selection | null = null;
  private shownRows = new Map<number, Cell[]>();
  private version = '';
  private shape = '';
  /** The header that was pressed, by its position in `visible`. */
  private pressed: number | null = null;

  constructor(
    private readonly table: RegularTableElement,
    props: GridProps,
  ) {
    this.props = props;
    table.setDataListener((x0, y0, x1, y1) => this.data(x0, y0, x1, y1) as never, { virtual_mode: 'both' });
    table.addStyleListener(() => this.decorate());
    table.addEventListener('mousedown', (event) => this.onPointer(event));
    table.addEventListener('mouseup', (event) => this.onRelease(event));
    table.addEventListener('click', (event) => this.onClick(event));
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
    }
    const shape = JSON.stringify([props.visible, props.pinned]);
    if (isNew || shape !== this.shape) this.table.resetAutoSize();
    this.shape = shape;
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
    const { columns, visible, style, total, pinned } = this.props;
    const shape = { num_rows: total, num_columns: visible.length - pinned, num_row_headers: 1 + pinned, merge_headers: 'column' };
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
    const chosen = visible.slice(pinned + x0, pinned + x1);
    const fixed = visible.slice(0, pinned);
    const text = (row: Cell[] | undefined, c: number): string => {
      const column = columns[c];
      return row && column ? shownCell(row[c] ?? null, column, style) : '';
    };
    const count = Math.max(0, to - y0);
    return {
      ...shape,
      column_headers: chosen.map((c) => [shortened(columns[c]?.name ?? '', 80)]),
      row_headers: Array.from({ length: count }, (_, i) => [countText(y0 + i + 1), ...fixed.map((c) => text(rows[i], c))]),
      data: chosen.map((c) => Array.from({ length: count }, (_, i) => text(rows[i], c))),
    };
  }

  /** Returns the position in `visible` of the column that a header or a cell shows; -1 for the numbers of rows. */
  private positionOf(cell: HTMLTableCellElement, meta: Meta | undefined): number {
    if (meta?.type === 'body' || meta?.type === 'column_header') return this.props.pinned + (meta.x ?? 0);
    if (meta?.type === 'row_header') return (meta.row_header_x ?? 0) - 1;
    return cell.cellIndex < 1 + this.props.pinned ? cell.cellIndex - 1 : -1;
  }

  /** Sets classes, roles and titles of the cells in view. regular-table reuses the elements. */
  private decorate(): void {
    const { columns, sort, total, visible, bars } = this.props;
    const inner = this.table.querySelector('table');
    inner?.setAttribute('role', 'grid');
    inner?.setAttribute('aria-rowcount', String(total + 1));
    inner?.setAttribute('aria-colcount', String(visible.length + 1));
    inner?.setAttribute('aria-label', 'Result');
    for (const th of this.table.querySelectorAll<HTMLTableCellElement>('thead th')) {
      const position = this.positionOf(th, this.table.getMeta(th) as Meta | undefined);
      const c = visible[position];
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
      if (corner) corner.textContent = column ? shortened(column.name, 80) : '#';
    }
    const { selection } = this;
    const [from, to] = selection ? [Math.min(selection.row, selection.anchor), Math.max(selection.row, selection.anchor)] : [-1, -1];
    for (const cell of this.table.querySelectorAll<HTMLTableCellElement>('tbody td, tbody th')) {
      const meta = this.table.getMeta(cell) as Meta | undefined;
      const y = meta?.y ?? -1;
      const isSelected = y >= from && y <= to;
      cell.classList.toggle('sel', isSelected);
      cell.parentElement?.setAttribute('aria-rowindex', String(y + 2));
      const x = this.positionOf(cell, meta);
      if (x < 0) {
        cell.setAttribute('role', 'rowheader');
        cell.className = 'number';
        continue;
      }
      const c = visible[x];
      const column = c === undefined ? undefined : columns[c];
      const value = c === undefined ? undefined : this.shownRows.get(y)?.[c];
      cell.setAttribute('role', 'gridcell');
      cell.setAttribute('aria-selected', String(isSelected));
      cell.classList.toggle('num', !!column && (isNumeric(column) || typeof value === 'bigint' || typeof value === 'number'));
      cell.classList.toggle('null', value === null);
      cell.classList.toggle('blob', value instanceof Uint8Array);
      cell.classList.toggle('text', typeof value === 'string');
      const machine = column && /(^|_)machine(_name)?$/.test(column.name) && typeof value === 'string' ? this.props.machines.indexOf(value) : -1;
      cell.classList.toggle('of-machine', machine >= 0);
      if (machine >= 0) cell.style.setProperty('--strip', `var(--machine-${(machine % 8) + 1})`);
      cell.classList.toggle('ref', typeof value === 'bigint' && !!column && this.props.isLink(column));
      const share = bars && bars.column === c && (typeof value === 'bigint' || typeof value === 'number') ? Math.abs(Number(value)) / bars.largest : 0;
      cell.classList.toggle('share', share > 0);
      cell.style.setProperty('--share', `${(100 * Math.min(1, share)).toFixed(1)}%`);
      const isFocus = !!selection && selection.row === y && selection.column === x;
      cell.classList.toggle('focus', isFocus);
      if (isFocus) cell.id = 'grid-focus';
      else cell.removeAttribute('id');
    }
    if (selection) this.table.setAttribute('aria-activedescendant', 'grid-focus');
    else this.table.removeAttribute('aria-activedescendant');
  }

  /** Returns the row and the position of the column below the pointer; the row of a header is -1. */
  private placeOf(event: Event): { y: number; x: number } | null {
    const cell = (event.target as HTMLElement).closest<HTMLTableCellElement>('td, th');
    if (!cell || !this.table.contains(cell)) return null;
    const meta = this.table.getMeta(cell) as Meta | undefined;
    return { y: cell.closest('thead') ? -1 : (meta?.y ?? -1), x: this.positionOf(cell, meta) };
  }

  private onPointer(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    if (event.button !== 0 || target.classList.contains('rt-column-resize')) return;
    const place = this.placeOf(event);
    if (place && place.y >= 0) this.select(place.y, Math.max(0, place.x), event.shiftKey);
    this.pressed = place && place.y < 0 && place.x >= 0 ? place.x : null;
  }

  /** Ends a press of a header: over the same one it sorts, over another it moves the column there. */
  private onRelease(event: MouseEvent): void {
    const from = this.pressed;
    const place = this.placeOf(event);
    this.pressed = null;
    if (from === null || !place || place.y >= 0 || place.x < 0) return;
    const c = this.props.visible[from];
    if (place.x !== from) this.props.onMove(from, place.x);
    else if (c !== undefined) this.props.onSort(c);
  }

  private onClick(event: MouseEvent): void {
    const place = this.placeOf(event);
    const isLink = (event.target as HTMLElement).closest('td, th')?.classList.contains('ref') ?? false;
    if (isLink && place && place.y >= 0 && !event.shiftKey && event.detail === 1) this.openCell(place.y, place.x);
  }

  private onDouble(event: MouseEvent): void {
    const place = this.placeOf(event);
    if (place && place.y >= 0 && place.x >= 0) this.openCell(place.y, place.x);
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
    const { pinned, visible } = this.props;
    const scrolled = column - pinned;
    const isShown = scrolled < 0 || [...this.table.querySelectorAll<HTMLElement>('tbody tr:first-child td')].some(
      (td) => (this.table.getMeta(td) as Meta | undefined)?.x === scrolled && td.getBoundingClientRect().right <= this.table.getBoundingClientRect().right,
    );
    if (!isShown) {
      const share = visible.length - pinned > 1 ? scrolled / (visible.length - pinned - 1) : 0;
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
