/** The keys of the timeline (Appendix A of docs/spec/viewer.md). */
import * as api from '../api/timeline';
import type { Brief } from '../api/timeline';
import { axisFormats, exactTime } from '../lib/axis';
import { eventName } from '../lib/event_extras';
import { shown } from '../lib/text';
import { spanText } from '../lib/units';
import type { Binding } from '../state/keys';
import { route } from '../state/route';
import { saveStateFile } from '../state/share';
import { choose, currentView, search, showEvent, stepHit, surface } from '../state/timeline';
import { spotAt } from '../timeline/hit';
import type { TimelineView } from '../timeline/view';
import type { Row } from '../timeline/rows';
import { focusOmni } from './timeline_omni';
import { boundLook } from './timeline_tree';
import { isTableOpen } from './timeline_table';

const isShown = (): boolean => route.value.page === 'timeline' && currentView.value !== null;

/** Runs with the timeline that is shown. */
const on = (run: (view: TimelineView) => void) => (): void => {
  const view = currentView.value;
  if (view) run(view);
};

const rowOf = (view: TimelineView): Row | undefined => (view.focusedRow.value === null ? undefined : view.rowsByKey.value.get(view.focusedRow.value));

/** Says the selected event to assistive technology. */
export function announce(view: TimelineView, event: Brief): void {
  const node = view.tree.nodes.get(event.node);
  const look = node ? boundLook(node.bound).text : '';
  const length = event.unfinished ? 'did not finish' : event.instant ? 'instant' : spanText(BigInt(event.dur));
  view.announcement.value = `${shown(eventName(event.kind, event.name) || event.kind)}, ${exactTime(BigInt(event.ts), view.format.value, view.origin.value)}, ${length}, on ${shown(node?.title ?? 'a track')}${look === '' ? '' : `, ${look}`}`;
}

async function select(view: TimelineView, event: Brief | null | undefined): Promise<void> {
  if (!event) return;
  announce(view, event);
  await showEvent(view, event);
}

/** Selects the first event in view, if none is selected: of the focused row, else of the first row that has one. */
async function selectFirst(view: TimelineView): Promise<void> {
  const composer = surface.value?.composer;
  if (!composer) return;
  const wanted = view.focusedRow.value;
  const places = composer.placements.slice(0, composer.placementCount);
  for (const at of [...places.filter((p) => p.row.key === wanted), ...places]) {
    for (const layer of at.row.layers) {
      if (layer.mode === 'summary') continue;
      const y = at.y + layer.y + Math.min(layer.lineHeight || layer.height, layer.height) / 2;
      for (let x = 2; x < view.size.value.width; x += 6) {
        const spot = spotAt(view, composer, x, y);
        if (!spot || spot.row.key !== at.row.key) continue;
        const { hit } = await api.hit(view.trace, spot.node.node, spot.line, spot.ts, BigInt(Math.ceil(view.window.value.span)));
        if (hit) return select(view, hit);
      }
    }
  }
}

function stepBy(by: number): () => void {
  return on((view) => {
    const event = view.selection.value;
    if (!event) return void selectFirst(view);
    void api.step(view.trace, event.node, event.row, by).then(({ event: next }) => select(view, next), () => undefined);
  });
}

/** Selects the event of the next line at the middle of the selected one. */
function acrossLines(by: 1 | -1): () => void {
  return on((view) => {
    const event = view.selection.value;
    const composer = surface.value?.composer;
    if (!event || !composer) return void selectFirst(view);
    const places = composer.placements.slice(0, composer.placementCount).filter((p) => !p.isSticky && !p.isPinned);
    const lines = places.flatMap((p) => p.row.layers.filter((l) => l.mode !== 'summary').flatMap((l) => Array.from({ length: l.lines }, (_, line) => ({ node: l.node.node, line }))));
    const at = lines.findIndex((l) => l.node === event.node && l.line === event.line);
    const middle = (BigInt(event.ts) + BigInt(event.end)) / 2n;
    const radius = BigInt(Math.ceil(view.window.value.span / 2));
    void (async () => {
      for (let i = at + by, tries = 0; i >= 0 && i < lines.length && tries < 40; i += by, tries += 1) {
        const line = lines[i];
        if (!line) return;
        const { hit } = await api.hit(view.trace, line.node, line.line, middle, radius);
        if (hit) return select(view, hit);
      }
    })().catch(() => undefined);
  });
}

/** Follows the flow of the selected event; `depth` steps along its whole chain. */
function alongFlow(direction: 'out' | 'in'): () => void {
  return on((view) => {
    const event = view.selection.value;
    if (!event) return;
    const own = (b: Brief | null): boolean => b !== null && b.kind === event.kind && b.row === event.row;
    const flow = view.selectedFlows.value.find((f) => own(direction === 'out' ? f.out : f.in));
    void select(view, direction === 'out' ? flow?.in : flow?.out);
  });
}

const family = (kind: 'parents' | 'children'): (() => void) => on((view) => {
  const event = view.selection.value;
  if (event) void select(view, kind === 'parents' ? event.parents.at(-1) : event.children[0]);
});

/** Shows the selection; the second time, or without one, the whole trace. */
function fit(view: TimelineView): void {
  const event = view.selection.value;
  const range = view.area.value?.range ?? (event ? { from: BigInt(event.ts), to: BigInt(event.end) } : null);
  const before = view.window.value;
  if (range) view.show(range);
  const now = view.window.value;
  if (!range || (now.from === before.from && now.span === before.span)) view.fitTrace();
}

function toMark(digit: number): () => void {
  return on((view) => {
    const mark = view.marks.value.find((m) => m.digit === digit);
    if (mark) view.reveal(mark.ts);
  });
}

const markTime = (view: TimelineView): bigint => (view.pointer.value ? view.timeAt(view.pointer.value.x) : view.selection.value ? BigInt(view.selection.value.ts) : view.timeAt(view.size.value.width / 2));

const setMark = (digit: number, isPinned: boolean): (() => void) => on((view) => {
  const kept = view.marks.value.filter((m) => (digit > 0 ? m.digit !== digit : isPinned || m.isPinned));
  view.marks.value = [...kept, { ts: markTime(view), digit, isPinned }];
});

function allArea(view: TimelineView): void {
  const event = view.selection.value;
  const node = event ? view.tree.nodes.get(event.node) : undefined;
  const isSecond = view.area.value !== null && view.area.value.rows !== null;
  const range = node?.first_ts && node.last_ts && !isSecond ? { from: BigInt(node.first_ts), to: BigInt(node.last_ts) } : view.bounds;
  view.area.value = { range, rows: node && !isSecond ? [view.rowKeyOf(node)] : null };
  view.drawerOpen.value = true;
}

/** Esc closes what is open, then clears the selection. */
export function escapeTimeline(view: TimelineView): void {
  if (view.area.value) view.area.value = null;
  else if (view.selection.value && view.drawerOpen.value) view.drawerOpen.value = false;
  else void view.select(null);
}

const bind = (keys: string[], text: string, run: () => void, isByPosition = false): Binding => ({ keys, text, where: 'timeline', when: isShown, isByPosition, run });
const pan = (share: number): (() => void) => on((view) => view.pan(share * view.window.value.span));
const zoom = (factor: number): (() => void) => on((view) => view.zoom(factor, view.pointer.value ? view.pointer.value.x / Math.max(1, view.size.value.width) : 0.5));
const toggle = (withBelow: boolean): (() => void) => on((view) => {
  const row = rowOf(view);
  if (row?.canOpen) view.toggle(row.key, !row.isOpen, withBelow);
});

export const timelineBindings: readonly Binding[] = [
  bind(['W'], 'zoom in', zoom(0.8), true),
  bind(['S'], 'zoom out', zoom(1.25), true),
  bind(['A'], 'pan to the left', pan(-0.1), true),
  bind(['D'], 'pan to the right', pan(0.1), true),
  bind(['Shift+W'], 'zoom in faster', zoom(0.5), true),
  bind(['Shift+S'], 'zoom out faster', zoom(2), true),
  bind(['Shift+A'], 'pan to the left faster', pan(-0.5), true),
  bind(['Shift+D'], 'pan to the right faster', pan(0.5), true),
  bind(['F'], 'fit the selection; again: the whole trace', on(fit)),
  bind(['ArrowRight', '.'], 'next event of the line', stepBy(1)),
  bind(['ArrowLeft', ','], 'previous event of the line', stepBy(-1), true), // the comma of Dvorak is where W is
  bind(['ArrowDown'], 'event of the next line', acrossLines(1)),
  bind(['ArrowUp'], 'event of the line before', acrossLines(-1)),
  bind(['Enter'], 'select the first event in view', on((view) => void selectFirst(view))),
  bind([']'], 'along the flow that leaves', alongFlow('out')),
  bind(['['], 'back along the flow that arrives', alongFlow('in')),
  bind(['Mod+ArrowUp'], 'parent', family('parents')),
  bind(['Mod+ArrowDown'], 'first child', family('children')),
  bind(['Mod+A'], 'area of all: the selected track; again: all tracks', on(allArea)),
  bind(['R'], 'selection to area', on((view) => {
    const event = view.selection.value;
    if (event) view.area.value = { range: { from: BigInt(event.ts), to: BigInt(event.end) }, rows: null };
  })),
  bind(['M'], 'temporary mark', setMark(0, false)),
  bind(['Shift+M'], 'pinned mark', setMark(0, true)),
  bind(['Delete'], 'delete the mark next to the pointer', on((view) => {
    const time = markTime(view);
    const nearest = [...view.marks.value].sort((a, b) => Math.abs(Number(a.ts - time)) - Math.abs(Number(b.ts - time)))[0];
    view.marks.value = view.marks.value.filter((m) => m !== nearest);
  })),
  bind(['V'], 'order of the selection and the next one; again: end', on((view) => {
    view.drawerOpen.value = true;
    view.order.start(view.order.first.value ? null : view.selection.value);
  })),
  ...Array.from({ length: 9 }, (_, i) => bind([String(i + 1)], `jump to mark ${i + 1}`, toMark(i + 1), true)),
  ...Array.from({ length: 9 }, (_, i) => bind([`Shift+${i + 1}`], `set mark ${i + 1}`, setMark(i + 1, true), true)),
  bind(['/'], 'search', () => focusOmni.value?.(null)),
  bind(['Mod+P'], 'find a track', () => focusOmni.value?.('@')),
  bind([':'], 'SQL in the search field', () => focusOmni.value?.(':')),
  bind(['P'], 'pin or unpin the row', on((view) => view.focusedRow.value !== null && view.togglePin(view.focusedRow.value))),
  bind(['H'], 'hide the row', on((view) => view.focusedRow.value !== null && view.hide(view.focusedRow.value))),
  bind(['Shift+H'], 'show all hidden rows', on((view) => view.anchored(view.focusedRow.value, () => (view.hidden.value = new Set())))),
  bind([' '], 'open or close the row', toggle(false)),
  bind(['Shift+ '], 'open or close it and all below', toggle(true)),
  bind(['Shift+T'], 'close all rows', on((view) => {
    view.remember();
    view.anchored(null, () => (view.open.value = new Set()));
  })),
  bind(['Q'], 'show or hide the details', on((view) => (view.drawerOpen.value = !view.drawerOpen.value)), true), // the Q of AZERTY is where A is
  bind(['T'], 'table of the events in view', () => (isTableOpen.value = !isTableOpen.value)),
  bind(['U'], 'next format of times on the axis', on((view) => {
    const formats = axisFormats.filter((f) => (f !== 'utc' || view.utcOffset.value !== null) && (f !== 'clock' || view.clock.value !== null));
    choose(view, { axis: formats[(formats.indexOf(view.format.value) + 1) % formats.length] ?? 'seconds' });
  })),
  bind(['Mod+S'], 'save the state file', on((view) => saveStateFile(view))),
  bind(['Mod+Z'], 'undo: rows, pins, hidden', on((view) => view.undo())),
  bind(['Mod+Shift+Z'], 'redo', on((view) => view.redo())),
  bind(['N'], 'next hit of the search', on((view) => void (search.value && stepHit(view, 1)))),
];
