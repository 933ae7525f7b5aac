/** The timeline: minimap and axis, the tree of tracks beside the canvas, and the details. */
import { effect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import * as api from '../api/timeline';
import { frequencyText, exactTime } from '../lib/axis';
import { shown } from '../lib/text';
import { counted, countText, spanText } from '../lib/units';
import { settings, theme } from '../state/settings';
import { isTimelineDrawn, pageStatus, type StatusWord } from '../state/status';
import { currentView, surface } from '../state/timeline';
import { drawAxis } from '../timeline/axis_canvas';
import { drawBands, drawFrame, type BandsKey } from '../timeline/minimap';
import { clearFilter } from '../timeline/filter_nodes';
import { isWithin } from '../timeline/first_window';
import { followPointer, type PointerActions } from '../timeline/pointer';
import { Surface, type Look } from '../timeline/surface';
import type { TimelineView } from '../timeline/view';
import type { Spot } from '../timeline/view_types';
import { onEscape } from './commands';
import { OrderStrip } from './timeline_clocks';
import { TimelineDetails } from './timeline_details';
import { TimelineHead, type HeadCanvases } from './timeline_head';
import { announce, escapeTimeline } from './timeline_keys';
import { FloatingMenu, openEventMenu } from './timeline_menu';
import { TimelineTable } from './timeline_table';
import { TimelineTip } from './timeline_tip';
import { TimelineTree } from './timeline_tree';

/** Prepares a canvas for drawing in CSS px; returns null while it has no size. */
function fitCanvas(canvas: HTMLCanvasElement | null): { g: CanvasRenderingContext2D; width: number; height: number } | null {
  if (!canvas) return null;
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  if (width < 1 || height < 1) return null;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const g = canvas.getContext('2d');
  g?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return g ? { g, width, height } : null;
}

/** Returns what the canvas does with a spot: exact events are selected, dense ones are zoomed into. */
function actionsOf(view: TimelineView): PointerActions {
  const resolve = async (spot: Spot): Promise<api.Brief | null> => {
    const radius = BigInt(Math.ceil((4 / Math.max(1, view.size.value.width)) * view.window.value.span));
    return (await api.hit(view.trace, spot.node.node, spot.line, spot.ts, radius)).hit;
  };
  const select = (spot: Spot | null): void => {
    if (spot?.kind === 'sync') return;
    if (!spot) return void view.select(null);
    if (spot.eventRow >= 0 && spot.count === 1) return void view.select({ kind: spot.kind, row: spot.eventRow });
    void resolve(spot).then((hit) => hit && (announce(view, hit), view.select(hit)), () => undefined);
  };
  return {
    select,
    compare: (spot) => {
      if (!view.order.first.value) view.order.start(view.selection.value);
      select(spot);
    },
    zoomTo: (spot) => {
      if (spot.kind === 'sync') return;
      if (spot.eventRow >= 0 && spot.count === 1 && Number.isFinite(spot.left) && Number.isFinite(spot.right)) return view.show({ from: view.timeAt(spot.left), to: view.timeAt(spot.right) });
      void resolve(spot).then((hit) => hit && view.show({ from: BigInt(hit.ts), to: BigInt(hit.end) }), () => undefined);
    },
    menu: (spot, rowKey, x, y) => openEventMenu(view, spot, rowKey, x, y),
  };
}

const lookOf = (): Look => ({ isDark: theme.value === 'dark', isForColourBlindness: settings.value.palette === 'blind' });

/** Draws on the canvases while the page is shown. */
function useSurface(view: TimelineView, canvases: HeadCanvases, overlay: { current: HTMLCanvasElement | null }): void {
  const choice = settings.value.renderer;
  // Not useEffect(), which waits for a frame: the tiles are asked for before the names are painted.
  useLayoutEffect(() => {
    if (!overlay.current) return undefined;
    const drawn: BandsKey = { text: '', paint: null };
    const made = new Surface(view, overlay.current, choice, lookOf(), (s) => {
      const [bands, frame, axis] = [fitCanvas(canvases.bands), fitCanvas(canvases.frame), fitCanvas(canvases.axis)];
      if (bands) drawBands(bands.g, view, bands.width, bands.height, s.paint, drawn);
      if (frame) drawFrame(frame.g, view, frame.width, frame.height, s.paint);
      if (axis) drawAxis(axis.g, view, s.ticks, axis.width, axis.height, s.paint);
      if (s.composer.missing === 0 && s.counters.items > 0) isTimelineDrawn.value = true;
    });
    surface.value = made;
    const stopTheme = effect(() => {
      void settings.value.contrast;
      const look = lookOf();
      requestAnimationFrame(() => made.setLook(look));
    });
    const stopPointer = followPointer(overlay.current, view, made, actionsOf(view));
    return () => {
      stopTheme();
      stopPointer();
      made.close();
      surface.value = null;
    };
  }, [view, choice, view.phase.value]);
}

function useSize(view: TimelineView, box: { current: HTMLDivElement | null }): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width === view.size.value.width && height === view.size.value.height) return;
      view.size.value = { width, height };
      view.scrollTo(view.scroll.value);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [view, view.phase.value]);
}

/** Keeps the status bar in step: events, hidden rows, flows. */
function useStatus(view: TimelineView): void {
  useEffect(() => effect(() => {
    const words: StatusWord[] = [];
    if (view.phase.value === 'ready') {
      void view.treeVersion.value;
      const items = view.shownItems.value;
      words.push(`${counted(items, 'item')} in view`);
      const first = view.firstView;
      if (first && isWithin(view.settledWindow.value, first.window)) words.push({ text: `${counted(first.outside, 'track')} outside this part`, action: 'show all', run: () => view.fitTrace() });
      const empty = view.tree.hiddenCount();
      if (empty > 0 && !view.showsEmpty.value) words.push({ text: `${countText(empty)} empty hidden`, action: 'show', run: () => {
        view.showsEmpty.value = true;
        void view.start();
      } });
      if (view.hidden.value.size > 0) words.push({ text: `${countText(view.hidden.value.size)} hidden by you`, action: 'show', run: () => view.anchored(null, () => (view.hidden.value = new Set())) });
      if (view.filter.value) words.push({ text: `filter: ${countText(view.rows.value.length)} rows`, action: 'clear', run: () => clearFilter(view) });
      const { dropped, failed } = view.store.counters;
      if (dropped + failed > 0) words.push(`${counted(dropped + failed, 'tile')} could not be read`);
    }
    pageStatus.value = words;
  }), [view]);
  useEffect(() => () => void (pageStatus.value = []), []);
}

function Splitter({ view }: { view: TimelineView }): JSX.Element {
  const set = (width: number): void => {
    view.namesWidth.value = Math.max(120, Math.min(600, width));
  };
  return (
    <div class="split" role="separator" aria-orientation="vertical" aria-label="Width of the names" aria-valuenow={view.namesWidth.value} aria-valuemin={120} aria-valuemax={600} tabIndex={0}
      style={{ left: `${view.namesWidth.value - 3}px` }}
      onKeyDown={(e) => {
        const step = e.key === 'ArrowLeft' ? -16 : e.key === 'ArrowRight' ? 16 : 0;
        if (step === 0) return;
        e.preventDefault();
        e.stopPropagation();
        set(view.namesWidth.value + step);
      }}
      onPointerDown={(e) => {
        const target = e.currentTarget;
        target.setPointerCapture(e.pointerId);
        const start = e.clientX - view.namesWidth.value;
        const move = (event: PointerEvent): void => set(event.clientX - start);
        target.addEventListener('pointermove', move);
        target.addEventListener('pointerup', () => target.removeEventListener('pointermove', move), { once: true });
      }} />
  );
}

/** The place in the tree, at the right edge; it can be dragged. */
function Thumb({ view }: { view: TimelineView }): JSX.Element | null {
  const visible = Math.max(1, view.size.value.height - view.pinHeight.value);
  const total = view.totalHeight.value;
  if (total <= visible) return null;
  const onDown = (e: PointerEvent): void => {
    const target = e.currentTarget as HTMLElement;
    target.setPointerCapture(e.pointerId);
    const start = e.clientY - (view.scroll.value / total) * visible;
    const move = (event: PointerEvent): void => view.scrollTo(((event.clientY - start) / visible) * total);
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', () => target.removeEventListener('pointermove', move), { once: true });
  };
  return (
    <div class="thumb-box" aria-hidden="true" style={{ top: `${view.pinHeight.value}px` }}>
      <i class="thumb" style={{ top: `${(view.scroll.value / total) * visible}px`, height: `${Math.max(18, (visible / total) * visible)}px` }} onPointerDown={onDown} />
    </div>
  );
}

function Tracks({ view }: { view: TimelineView }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const canvases = useRef<HeadCanvases>({ bands: null, frame: null, axis: null });
  useSize(view, box);
  useSurface(view, canvases.current, overlay);
  useStatus(view);
  useEffect(() => {
    onEscape.value = () => escapeTimeline(view);
    return () => (onEscape.value = null);
  }, [view]);
  // Not a property of the element: the window changes five times a second, and would draw all names again.
  useEffect(() => effect(() => {
    const { from, span } = view.settledWindow.value;
    const shownTime = `${exactTime(from, view.format.value, view.origin.value)}, ${spanText(BigInt(Math.round(span)))} shown`;
    overlay.current?.setAttribute('aria-label', `Timeline, ${shownTime}. Arrow keys move between events, T lists them.`);
  }), [view]);
  return (
    <div class="timeline" style={{ ['--names-w' as string]: `${view.namesWidth.value}px` }}>
      <h1 class="sr">Timeline</h1>
      <TimelineHead view={view} canvases={canvases.current} />
      <div class="tl">
        <TimelineTree view={view} />
        <div class="data" ref={box}>
          <canvas ref={overlay} class="layer" role="application" tabIndex={0} data-testid="canvas" />
          <Thumb view={view} />
          <TimelineTip view={view} />
          <OrderStrip view={view} />
        </div>
        <Splitter view={view} />
      </div>
      <TimelineDetails view={view} />
      <TimelineTable view={view} />
      <FloatingMenu />
      <p class="sr" role="status" aria-live="polite" data-testid="live">{view.announcement.value}</p>
    </div>
  );
}

/** The shown time and the buttons for it, in the bar of the page. */
export function TimelineTime({ view }: { view: TimelineView }): JSX.Element {
  const { from, span } = view.settledWindow.value;
  const length = BigInt(Math.max(1, Math.round(span)));
  return <span class="mono t2 shown-time" title={`From ${exactTime(from, view.format.value, view.origin.value)}; ${frequencyText(span)}`}><span class="t3">showing </span>{spanText(length)}</span>;
}

export function TimelinePage(): JSX.Element {
  const view = currentView.value;
  if (!view || view.phase.value === 'loading') return <div class="timeline" aria-busy="true"><p class="t2 note" role="status">Loading the tracks</p></div>;
  if (view.phase.value === 'failed')
    return (
      <div class="empty" role="alert">
        <p>The tracks could not be loaded: {shown(view.error.value)}</p>
        <button type="button" class="btn" onClick={() => {
          view.phase.value = 'loading';
          void view.start();
        }}>Try again</button>
      </div>
    );
  return <Tracks view={view} />;
}

