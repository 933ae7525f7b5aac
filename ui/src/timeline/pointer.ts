/** The pointer and the wheel on the canvas: hover, select, areas, pan, zoom, touch. */
import type { TimeRange } from '../lib/time_window';
import { xOf } from '../lib/time_window';
import { placementAt } from './hit';
import type { Surface } from './surface';
import type { TimelineView } from './view';
import type { Spot } from './view_types';

export interface PointerActions {
  select(spot: Spot | null): void;
  /** Shows the order of the selected event and this one. */
  compare(spot: Spot): void;
  zoomTo(spot: Spot): void;
  menu(spot: Spot | null, rowKey: string | null, x: number, y: number): void;
}

/** Edges of areas snap to events within this distance, in px. */
const snapReach = 6;
const clickReach = 4;

/** Returns the time at a place; it snaps to an edge of an event that is near. */
function snapped(view: TimelineView, surface: Surface, x: number, y: number, isFree: boolean): bigint {
  const time = view.timeAt(x);
  if (isFree) return time;
  for (const at of [x, x - snapReach, x + snapReach]) {
    const spot = surface.spotAt(at, y);
    if (!spot || spot.eventRow < 0) continue;
    if (Math.abs(spot.left - x) <= snapReach) return view.timeAt(spot.left);
    if (Math.abs(spot.right - x) <= snapReach) return view.timeAt(spot.right);
  }
  return time;
}

/** Listens to the canvas until the returned function is called. */
export function followPointer(canvas: HTMLElement, view: TimelineView, surface: Surface, actions: PointerActions): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  let hoverTimer = 0;
  let drag: { x: number; y: number; kind: 'area' | 'pan'; time: bigint; isMoved: boolean; lastX: number; lastY: number } | null = null;
  const touches = new Map<number, { x: number; y: number }>();

  const place = (event: MouseEvent): { x: number; y: number } => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const rangeOf = (a: bigint, b: bigint): TimeRange => (a < b ? { from: a, to: b } : { from: b, to: a });

  const hover = (x: number, y: number): void => {
    window.clearTimeout(hoverTimer);
    view.hover.value = null;
    hoverTimer = window.setTimeout(() => {
      view.hover.value = surface.spotAt(x, y);
    }, 80);
  };

  const rowsBetween = (a: number, b: number): string[] => {
    const keys: string[] = [];
    const { composer } = surface;
    for (let i = 0; i < composer.placementCount; i += 1) {
      const at = composer.placements[i];
      if (at && at.y < Math.max(a, b) && at.y + at.row.height > Math.min(a, b) && !at.isSticky) keys.push(at.row.key);
    }
    return keys;
  };

  const pan = (dx: number, dy: number): void => {
    view.pan((-dx / Math.max(1, view.size.value.width)) * view.window.value.span);
    if (dy !== 0) view.scrollTo(view.scroll.value - dy);
  };

  const pinch = (event: PointerEvent, at: { x: number; y: number }): void => {
    const others = [...touches].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
    const before = touches.get(event.pointerId);
    const other = others[0];
    if (!before) return;
    if (other) {
      const [old, now] = [Math.max(8, Math.abs(before.x - other.x)), Math.max(8, Math.abs(at.x - other.x))];
      view.zoom(old / now, (at.x + other.x) / 2 / Math.max(1, view.size.value.width));
    } else pan(at.x - before.x, at.y - before.y);
    touches.set(event.pointerId, at);
  };

  canvas.addEventListener('pointerdown', (event) => {
    const at = place(event);
    if (event.pointerType === 'touch') touches.set(event.pointerId, at);
    if (event.button !== 0 && event.button !== 1) return;
    canvas.setPointerCapture(event.pointerId);
    const kind = event.shiftKey || event.button === 1 || event.pointerType === 'touch' ? 'pan' : 'area';
    drag = { ...at, kind, time: snapped(view, surface, at.x, at.y, event.altKey), isMoved: false, lastX: at.x, lastY: at.y };
  }, { signal });

  canvas.addEventListener('pointermove', (event) => {
    const at = place(event);
    view.pointer.value = at;
    if (event.pointerType === 'touch' && touches.has(event.pointerId)) {
      if (drag && Math.hypot(at.x - drag.x, at.y - drag.y) > clickReach) drag.isMoved = true;
      return pinch(event, at);
    }
    if (!drag) return hover(at.x, at.y);
    if (!drag.isMoved && Math.hypot(at.x - drag.x, at.y - drag.y) < clickReach) return;
    drag.isMoved = true;
    view.hover.value = null;
    if (drag.kind === 'pan') pan(at.x - drag.lastX, at.y - drag.lastY);
    else view.area.value = { range: rangeOf(drag.time, snapped(view, surface, at.x, at.y, event.altKey)), rows: rowsBetween(drag.y, at.y) };
    drag.lastX = at.x;
    drag.lastY = at.y;
  }, { signal });

  const end = (event: PointerEvent): void => {
    touches.delete(event.pointerId);
    const done = drag;
    drag = null;
    if (!done || done.isMoved || event.type === 'pointercancel') return;
    const spot = surface.spotAt(done.x, done.y);
    view.area.value = null;
    view.focusedRow.value = placementAt(surface.composer, done.y)?.row.key ?? null;
    if (spot && (event.ctrlKey || event.metaKey)) actions.compare(spot);
    else actions.select(spot);
  };
  canvas.addEventListener('pointerup', end, { signal });
  canvas.addEventListener('pointercancel', end, { signal });

  canvas.addEventListener('pointerleave', () => {
    window.clearTimeout(hoverTimer);
    view.hover.value = null;
    view.pointer.value = null;
  }, { signal });

  canvas.addEventListener('dblclick', (event) => {
    const at = place(event);
    const spot = surface.spotAt(at.x, at.y);
    if (spot) actions.zoomTo(spot);
  }, { signal });

  canvas.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    const at = place(event);
    actions.menu(surface.spotAt(at.x, at.y), placementAt(surface.composer, at.y)?.row.key ?? null, event.clientX, event.clientY);
  }, { signal });

  canvas.addEventListener('wheel', (event) => onWheel(event, place(event), view), { signal, passive: false });
  return () => {
    window.clearTimeout(hoverTimer);
    abort.abort();
  };
}

/** The wheel scrolls, with Ctrl it zooms at the pointer, with Shift or sideways it pans. */
export function onWheel(event: WheelEvent, at: { x: number; y: number }, view: TimelineView): void {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
  const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
  const { width } = view.size.value;
  view.hover.value = null;
  if (event.ctrlKey || event.metaKey) {
    view.zoom(Math.exp(Math.max(-120, Math.min(120, dy)) * 0.004), Math.min(1, Math.max(0, at.x / Math.max(1, width))));
    return;
  }
  const sideways = event.shiftKey ? dy + dx : dx;
  if (sideways !== 0) view.pan((sideways / Math.max(1, width)) * view.window.value.span);
  if (event.shiftKey || dy === 0) return;
  if (at.y < view.pinHeight.value) view.pinScroll.value = Math.max(0, Math.min(view.pinScroll.value + dy, view.pinnedTotal() - view.pinHeight.value));
  else view.scrollTo(view.scroll.value + dy);
}

/** Returns the px of a time. */
export const pxOf = (view: TimelineView, ts: bigint): number => xOf(view.window.value, view.size.value.width, ts);
