/** What tests wait for: `window.tb` exists with `?test=1` only. */
import { pendingRequests } from '../api/http';
import { event } from '../api/timeline';
import { xOf } from '../lib/time_window';
import { currentState, settled } from './keep_state';
import { boundKeys } from './keys';
import { currentView, surface } from './timeline';
import type { TimelineView } from '../timeline/view';

/** Returns true while the timeline waits for tiles or names, or will draw. */
function isTimelineBusy(): boolean {
  const view = currentView.peek();
  const drawn = surface.peek();
  if (!view || !drawn) return false;
  if (!settled.peek().has(view.trace)) return true;
  return !drawn.isIdle || view.store.isBusy || view.texts.isBusy || view.phase.peek() === 'loading';
}

/** Returns where an event is drawn on the page; the kind is that of its details. Null if it is not in view. */
async function locate(kind: string, row: number): Promise<{ left: number; right: number; y: number } | null> {
  const view = currentView.peek();
  const drawn = surface.peek();
  const canvas = document.querySelector('[data-testid=canvas]');
  if (!view || !drawn || !canvas) return null;
  const found = await event(view.trace, kind, row);
  const box = canvas.getBoundingClientRect();
  const y = drawn.places.y(found.node, found.line);
  const { width } = view.size.peek();
  if (y === null) return null;
  return { left: box.left + xOf(view.window.peek(), width, BigInt(found.ts)), right: box.left + xOf(view.window.peek(), width, BigInt(found.end)), y: box.top + y };
}

/** What tests read of the timeline. */
function timeline(): unknown {
  const view = currentView.peek();
  const drawn = surface.peek();
  if (!view || !drawn) return null;
  const window = view.window.peek();
  return {
    counters: { ...drawn.counters }, store: { ...view.store.counters }, level: drawn.composer.level, missing: drawn.composer.missing, mostNewItems: drawn.composer.mostNewItems, from: window.from.toString(), span: window.span, scroll: view.scroll.peek(),
    width: view.size.peek().width, height: view.size.peek().height, rows: view.rows.peek().length, total: view.totalHeight.peek(), pins: view.pins.peek(), hidden: view.hidden.peek().size, start: view.bounds.from.toString(), end: view.bounds.to.toString(),
    selected: view.selection.peek() ? { kind: view.selection.peek()?.kind, row: view.selection.peek()?.row, name: view.selection.peek()?.name } : null, orderOf: view.order.first.peek()?.name ?? null, order: view.order.found.peek(), marks: view.marks.peek().map((m) => ({ ts: m.ts.toString(), digit: m.digit })),
    area: view.area.peek() ? { from: view.area.peek()?.range.from.toString(), to: view.area.peek()?.range.to.toString() } : null, flows: drawn.counters.flows, drawn: [...new Set(view.rows.peek().flatMap((r) => r.layers.flatMap((l) => l.node.tracks)))],
    open: view.open.peek().size, focused: view.focusedRow.peek(), format: view.format.peek(), drawer: view.drawerOpen.peek(),
  };
}

/** Returns what is at a point of the canvas. */
function spot(x: number, y: number): unknown {
  const view = currentView.peek();
  const drawn = surface.peek();
  const found = view && drawn ? drawn.spotAt(x, y) : null;
  return found ? { row: found.eventRow, kind: found.kind, node: found.node.node, line: found.line, name: found.name, count: found.count, value: found.value, ts: found.ts.toString() } : null;
}

/** Sets the window, for tests of what is drawn at a place. */
function show(from: string, span: number): void {
  currentView.peek()?.setWindow({ from: BigInt(from), part: 0, span });
}

/** Resolves when no request has been pending for two frames. */
async function idle(): Promise<void> {
  const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  for (let quiet = 0; quiet < 3; ) {
    await frame();
    quiet = pendingRequests() === 0 && !isTimelineBusy() ? quiet + 1 : 0;
  }
}

export function exposeTests(): void {
  if (new URLSearchParams(location.search).get('test') !== '1') return;
  (window as unknown as { tb: unknown }).tb = {
    idle, pending: pendingRequests, keys: () => boundKeys().map(({ keys, text, where, isByPosition }) => ({ keys, text, where, isByPosition: isByPosition === true })), timeline, locate, show,
    state: () => (currentView.peek() ? currentState(currentView.peek() as TimelineView) : null), view: () => currentView.peek(), surface: () => surface.peek(), spot,
  };
}
