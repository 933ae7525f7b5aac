/** One trace on the timeline: its tree and tiles, the shown window, what is selected, and what the user chose. */
import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import * as api from '../api/timeline';
import type { Brief, Grouping, TreeNode } from '../api/timeline';
import type { AxisFormat, ShownClock, TimeOrigin } from '../lib/axis';
import { fitted, limited, moved, rangeOf, timeAt, zoomed, type TimeRange, type TimeWindow } from '../lib/time_window';
import { OrderOfTwo } from './event_order';
import { firstPart } from './first_window';
import { OwnMarks } from './own_marks';
import { buildRows, heightOf, rowOf, stickyRows, type Row, type RowStyle } from './rows';
import { TextStore } from './texts';
import { TileStore, type TileRequest } from './tile_store';
import { Tree } from './tree';
import { UndoList } from './undo';
import type { Area, ColourMode, Mark, Size, Spot, TrackFilter, ViewState } from './view_types';

const emptySet: ReadonlySet<string> = new Set();

export class TimelineView {
  readonly tree: Tree;
  readonly store: TileStore;
  readonly texts: TextStore;
  bounds: TimeRange = { from: 0n, to: 1n };

  readonly phase: Signal<'loading' | 'ready' | 'failed'> = signal('loading');
  readonly error = signal('');
  readonly window: Signal<TimeWindow> = signal({ from: 0n, part: 0, span: 1 });
  /** The window as texts of the page have it: it follows at most five times a second. */
  readonly settledWindow: Signal<TimeWindow> = signal({ from: 0n, part: 0, span: 1 });
  readonly scroll = signal(0);
  readonly pinScroll = signal(0);
  readonly size: Signal<Size> = signal({ width: 0, height: 0 });
  readonly namesWidth = signal(236);
  readonly grouping: Signal<Grouping> = signal('machine_file');
  readonly treeVersion = signal(0);
  readonly open: Signal<ReadonlySet<string>> = signal(emptySet);
  readonly hidden: Signal<ReadonlySet<string>> = signal(emptySet);
  readonly pins: Signal<readonly string[]> = signal([]);
  readonly styles: Signal<ReadonlyMap<string, RowStyle>> = signal(new Map());
  readonly lineHeight = signal(18);
  readonly busiestFirst = signal(false);
  readonly showsEmpty = signal(false);
  readonly format: Signal<AxisFormat> = signal('seconds');
  readonly colourMode: Signal<ColourMode> = signal('name');
  /** The filter of tracks, and the nodes it keeps. */
  readonly filter: Signal<(TrackFilter & { kept: ReadonlySet<number> }) | null> = signal(null);
  /** The tracks with hits of the search; known while the filter asks for hits. */
  readonly hitNodes: Signal<ReadonlySet<number>> = signal(new Set());
  readonly selection: Signal<api.EventDetails | null> = signal(null);
  readonly selectionError = signal('');
  readonly selectedFlows: Signal<readonly api.FlowArrow[]> = signal([]);
  readonly order: OrderOfTwo;
  readonly showsFlows = signal(true);
  readonly own = new OwnMarks();
  readonly area: Signal<Area | null> = signal(null);
  readonly hover: Signal<Spot | null> = signal(null);
  readonly pointer: Signal<{ x: number; y: number } | null> = signal(null);
  readonly marks: Signal<readonly Mark[]> = signal([]);
  readonly drawerOpen = signal(true);
  private ticket = 0;
  readonly focusedRow = signal<string | null>(null);
  /** The id of the search whose hits are shown. */
  readonly searchId: Signal<string | null> = signal(null);
  readonly shownItems = signal(0);
  readonly announcement = signal('');
  private readonly changes = new UndoList<ViewState>();

  private readonly look = computed(() => ({ lineHeight: this.lineHeight.value, byCategory: this.colourMode.value === 'category' }));
  readonly rows: ReadonlySignal<Row[]> = computed(() => {
    void this.treeVersion.value;
    return buildRows(this.tree, { open: this.open.value, hidden: this.hidden.value, styles: this.styles.value, ...this.look.value, kept: this.filter.value?.kept ?? null, busiestFirst: this.busiestFirst.value });
  });
  readonly rowsByKey = computed(() => new Map(this.rows.value.map((r) => [r.key, r])));
  readonly pinnedRows: ReadonlySignal<Row[]> = computed(() => {
    void this.treeVersion.value;
    let top = 0;
    return this.pins.value.flatMap((key) => {
      const node = this.tree.byKey.get(key);
      if (!node) return [];
      const made = this.rowsByKey.value.get(key) ?? rowOf(this.tree, node, this.styles.value, this.look.value);
      const row: Row = { ...made, top, depth: 0, isOpen: false, canOpen: false, parent: null };
      top += row.height;
      return [row];
    });
  });
  /** Height of the pinned rows: at most half of the tracks. */
  readonly pinHeight = computed(() => Math.min(heightOf(this.pinnedRows.value), Math.floor(this.size.value.height / 2)));
  readonly pinnedTotal = (): number => heightOf(this.pinnedRows.value);
  readonly totalHeight = computed(() => heightOf(this.rows.value));
  readonly sticky = computed(() => stickyRows(this.rows.value, this.scroll.value));
  readonly utcOffset: Signal<bigint | null> = signal(null);
  /** Label of the clock that the axis shows; empty: none. */
  readonly axisClock: Signal<string> = signal('');
  /** That clock at the window, once it is known. */
  readonly clock: Signal<ShownClock | null> = signal(null);
  readonly origin = computed<TimeOrigin>(() => {
    void this.phase.value;
    return { start: this.bounds.from, utcOffset: this.utcOffset.value, clock: this.clock.value };
  });

  /** Called when something must be drawn; `arrived` when tiles have come, or were refused. */
  redraw: () => void = () => undefined;
  arrived: () => void = () => undefined;

  constructor(
    readonly trace: string,
    post: (request: TileRequest, search: string | null, hiddenFlows: ReadonlySet<string>) => boolean,
    cancel: (id: number) => void,
  ) {
    this.order = new OrderOfTwo(trace, this.selection, () => this.redraw());
    this.store = new TileStore((r) => post(r, this.searchId.value, this.own.hiddenFlows.value), cancel, () => this.arrived());
    this.texts = new TextStore((ids, threads) => api.strings(trace, ids, threads), () => {
      this.textsVersion.value += 1;
      this.redraw();
    });
    this.tree = new Tree(async (parent, depth, offset) => {
      const page = await api.tree(trace, { ...(parent === null ? {} : { parent }), grouping: this.grouping.value, depth, offset, empty: this.showsEmpty.value });
      if (parent === null && offset === 0) this.bounds = { from: BigInt(page.start_ts), to: BigInt(page.end_ts) };
      return page;
    });
  }

  /** Rises when names arrive, so that summaries get their colours, and lists their names. */
  readonly textsVersion = signal(0);

  /** Loads the tree and shows the whole trace. */
  async start(): Promise<void> {
    try {
      this.tree.clear();
      if (!(await this.tree.start())) return;
      batch(() => {
        this.open.value = this.tree.firstOpen();
        this.treeVersion.value += 1;
        if (this.phase.value === 'loading') this.showFirst();
        this.phase.value = 'ready';
      });
    } catch (error) {
      this.error.value = error instanceof Error ? error.message : String(error);
      this.phase.value = 'failed';
    }
  }

  /** Shows the whole trace, or the part with most events if long gaps divide it. */
  private showFirst(): void {
    const part = firstPart(this.tree.nodes.values(), this.bounds);
    this.window.value = this.settledWindow.value = fitted(part?.range ?? this.bounds);
    this.firstView = part ? { window: this.window.value, outside: part.outside } : null;
  }

  /** The first window and the tracks that begin outside of it, if it is not the whole trace. */
  firstView: { window: TimeWindow; outside: number } | null = null;

  /** Sets wall-clock time minus trace time. */
  setUtc(offset: bigint | null): void {
    if (this.utcOffset.peek() !== offset) this.utcOffset.value = offset;
  }

  /** Loads the nodes from the top to a node that the tree does not have yet. */
  async loadPath(node: number): Promise<void> {
    const { path } = await api.nodeOf(this.trace, node, this.grouping.value);
    for (const number of path) {
      const parent = this.tree.nodes.get(number);
      if (parent) await this.tree.open(parent);
    }
    this.treeVersion.value += 1;
  }

  setWindow(window: TimeWindow): void {
    this.window.value = limited(window, this.bounds);
  }

  pan(ns: number): void {
    this.setWindow(moved(this.window.value, ns));
  }

  zoom(factor: number, share = 0.5): void {
    this.window.value = zoomed(this.window.value, factor, share, this.bounds);
  }

  /** Shows a range; a moment keeps the length of the window. */
  show(range: TimeRange): void {
    if (range.to > range.from) this.setWindow(fitted(range));
    else this.reveal(range.from);
  }

  fitTrace(): void {
    this.setWindow(fitted(this.bounds));
  }

  /** Moves the window so that a time is in it. */
  reveal(ts: bigint): void {
    const { from, to } = rangeOf(this.window.value);
    if (ts >= from && ts <= to) return;
    const span = this.window.value.span;
    this.setWindow({ from: ts - BigInt(Math.floor(span / 2)), part: 0, span });
  }

  timeAt(x: number): bigint {
    return timeAt(this.window.value, this.size.value.width, x);
  }

  scrollTo(y: number): void {
    const limit = Math.max(0, this.totalHeight.value - (this.size.value.height - this.pinHeight.value));
    this.scroll.value = Math.min(limit, Math.max(0, y));
  }

  /** Opens or closes a row; the row at `anchor` stays where it is. */
  toggle(key: string, isOpen = !this.open.value.has(key), withBelow = false): void {
    this.remember();
    const node = this.tree.byKey.get(key);
    const next = new Set(this.open.value);
    const set = (n: TreeNode): void => {
      if (isOpen) next.add(n.key);
      else next.delete(n.key);
      if (withBelow) for (const id of this.tree.children(n.node)) set(this.tree.nodes.get(id) ?? n);
    };
    if (node) set(node);
    this.anchored(key, () => (this.open.value = next));
    if (node && isOpen && !this.tree.isLoaded(node)) void this.tree.open(node).then(() => this.anchored(key, () => (this.treeVersion.value += 1)), () => undefined);
  }

  /** Makes a change of rows so that a row stays at its place on the screen. */
  anchored(key: string | null, change: () => void): void {
    const before = key === null ? undefined : this.rowsByKey.value.get(key);
    const y = before ? before.top - this.scroll.value : 0;
    change();
    const after = key === null ? undefined : this.rowsByKey.value.get(key);
    if (before && after) this.scrollTo(after.top - y);
    else this.scrollTo(this.scroll.value);
  }

  /** Opens the parents of a node and scrolls to its row. */
  revealNode(number: number): Row | null {
    const node = this.tree.nodes.get(number);
    if (!node) return null;
    const parents = this.tree.ancestors(node);
    const key = this.rowKeyOf(node);
    const next = new Set(this.open.value);
    for (const p of parents) next.add(p.key);
    if (next.size !== this.open.value.size) this.open.value = next;
    if (this.hidden.value.has(key)) this.hidden.value = new Set([...this.hidden.value].filter((k) => k !== key));
    const row = this.rowsByKey.value.get(key) ?? null;
    if (row) {
      const height = this.size.value.height - this.pinHeight.value;
      const covered = 3 * 22;
      if (row.top < this.scroll.value + covered || row.top + row.height > this.scroll.value + height) this.scrollTo(row.top - Math.max(covered, (height - row.height) / 3));
    }
    return row;
  }

  /** Returns the key of the row in which a track is drawn: its own, or that of its thread. */
  rowKeyOf(node: TreeNode): string {
    if (this.rowsByKey.value.has(node.key)) return node.key;
    for (const row of this.rows.value) if (row.layers.some((l) => l.node.node === node.node)) return row.key;
    const parent = node.parent === null ? undefined : this.tree.nodes.get(node.parent);
    return parent?.type === 'thread' && (node.kind === 'slice' || node.kind === 'thread_state') ? parent.key : node.key;
  }

  private state(): ViewState {
    return { open: this.open.value, hidden: this.hidden.value, pins: this.pins.value, window: this.window.value };
  }

  /** Keeps the state before a change, for undo. */
  remember(): void {
    this.changes.remember(this.state());
  }

  undo(): void {
    this.bringBack(this.changes.undo(this.state()));
  }

  redo(): void {
    this.bringBack(this.changes.redo(this.state()));
  }

  private bringBack(next: ViewState | null): void {
    if (!next) return;
    this.anchored(null, () => batch(() => {
      this.open.value = next.open;
      this.hidden.value = next.hidden;
      this.pins.value = next.pins;
      this.window.value = next.window;
    }));
  }

  togglePin(key: string): void {
    this.remember();
    this.pins.value = this.pins.value.includes(key) ? this.pins.value.filter((k) => k !== key) : [...this.pins.value, key];
  }

  hide(key: string): void {
    this.remember();
    this.anchored(null, () => (this.hidden.value = new Set(this.hidden.value).add(key)));
  }

  setStyle(key: string, style: RowStyle): void {
    this.anchored(key, () => (this.styles.value = new Map(this.styles.value).set(key, { ...this.styles.value.get(key), ...style })));
  }

  /** Selects an event and loads its details and flows; null clears. */
  async select(event: Pick<Brief, 'kind' | 'row'> | null): Promise<void> {
    this.selectionError.value = '';
    const ticket = (this.ticket += 1);
    if (!event) return this.showSelected(null);
    try {
      const details = await api.event(this.trace, event.kind, event.row);
      if (ticket !== this.ticket) return;
      this.showSelected(details);
      this.drawerOpen.value = true;
      if (details.flows > 0) {
        const { flows } = await api.flows(this.trace, event.kind, event.row, 1);
        if (ticket === this.ticket) this.selectedFlows.value = flows;
      }
    } catch (error) {
      if (ticket === this.ticket) this.selectionError.value = error instanceof Error ? error.message : String(error);
    }
    this.redraw();
  }

  private showSelected(details: api.EventDetails | null): void {
    batch(() => {
      this.selection.value = details;
      this.selectedFlows.value = [];
    });
    void this.order.find();
    this.redraw();
  }
}
