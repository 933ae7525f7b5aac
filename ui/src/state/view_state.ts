/** Reads the state of a timeline, and applies one: to the same trace, or to one with other files. */
import { batch, type ReadonlySignal } from '@preact/signals';
import { hasCode } from '../api/http';
import * as api from '../api/timeline';
import type { Brief, TreeNode } from '../api/timeline';
import { rangeOf } from '../lib/time_window';
import { hideFlows } from '../timeline/flows';
import { setFilter } from '../timeline/filter_nodes';
import type { TimelineView } from '../timeline/view';
import type { SavedEvent, SavedInput, SavedState } from './saved_state';
import { tabs } from './sql';
import { restoreTabs, savedTabs } from './sql_tabs';

function savedEvent(view: TimelineView, event: Brief): SavedEvent {
  return { kind: event.kind, row: event.row, track: view.tree.nodes.get(event.node)?.key ?? '', line: event.line, ts: event.ts, name: event.name };
}

/** Returns the state of a timeline. */
export function stateOf(view: TimelineView, inputs: SavedInput[], manifest: string | null): SavedState {
  const { from, part, span } = view.window.value;
  const area = view.area.value;
  const filter = view.filter.value;
  const { selection, order } = view;
  return {
    tracebraid_state: 1, inputs, manifest,
    view: {
      from: from.toString(), to: rangeOf(view.window.value).to.toString(), part, span, scroll: view.scroll.value,
      area: area ? { from: area.range.from.toString(), to: area.range.to.toString(), rows: area.rows } : null,
    },
    grouping: view.grouping.value, expanded: [...view.open.value].sort(), pins: [...view.pins.value], hidden: [...view.hidden.value].sort(),
    filters: filter ? { text: filter.text, in_view: filter.inView } : null,
    notes: view.marks.value.map((m) => ({ ts: m.ts.toString(), digit: m.digit, pinned: m.isPinned })),
    selection: selection.value ? savedEvent(view, selection.value) : null,
    formats: {
      times: view.format.value, clock: view.axisClock.value, colours: view.colourMode.value, line_height: view.lineHeight.value, names_width: view.namesWidth.value, busiest_first: view.busiestFirst.value,
      empty: view.showsEmpty.value, flows: view.showsFlows.value, marks: view.own.showsMarks.value,
      sync_points: view.own.showsSync.value, hidden_flows: [...view.own.hiddenFlows.value].sort(),
    },
    queries: savedTabs(),
    tracks: Object.fromEntries([...view.styles.value].sort(([a], [b]) => (a < b ? -1 : 1))),
    compare: order.first.value ? savedEvent(view, order.first.value) : null,
  };
}

/** Returns all that stateOf() depends on. */
export function stateSignals(view: TimelineView): readonly ReadonlySignal<unknown>[] {
  return [view.window, view.scroll, view.area, view.grouping, view.open, view.pins, view.hidden, view.filter, view.marks, view.selection, view.format, view.axisClock, view.colourMode, view.lineHeight, view.namesWidth, view.busiestFirst, view.showsEmpty, view.showsFlows, view.own.showsMarks, view.own.showsSync, view.own.hiddenFlows, view.styles, view.order.first, tabs];
}

/** Returns a node by its key, after loading the tree down to it; null if the trace has no such node. */
async function nodeOf(view: TimelineView, key: string): Promise<TreeNode | null> {
  const known = view.tree.byKey.get(key);
  if (known) return known;
  try {
    const { node } = await api.nodeOf(view.trace, key, view.grouping.value);
    await view.loadPath(node.node);
    return view.tree.byKey.get(key) ?? null;
  } catch (error) {
    if (hasCode(error, 'not_found', 'bad_request')) return null;
    throw error;
  }
}

/** Returns the event that was saved, by its row if that is still the same event, else by its track and start. */
async function eventOf(view: TimelineView, saved: SavedEvent): Promise<Brief | null> {
  const isSame = (event: Brief): boolean => event.ts === saved.ts && event.name === saved.name;
  const node = await nodeOf(view, saved.track);
  try {
    const event = await api.event(view.trace, saved.kind, saved.row);
    if (isSame(event) && (node === null || event.node === node.node)) return event;
  } catch (error) {
    if (!hasCode(error, 'not_found', 'bad_request')) throw error;
  }
  if (node === null || node.kind === null) return null;
  const { hit } = await api.hit(view.trace, node.node, saved.line, BigInt(saved.ts), 0n);
  return hit && isSame(hit) ? hit : null;
}

/** Unknown keys that are looked for on the server one by one; others are not found. */
const mostLookups = 200;

/** Applies a state. Returns what the trace does not have: keys of tracks, names of events. Throws an ApiError. */
export async function applyState(view: TimelineView, state: SavedState): Promise<string[]> {
  const { formats } = state;
  if (view.grouping.value !== state.grouping || view.showsEmpty.value !== formats.empty) {
    view.grouping.value = state.grouping;
    view.showsEmpty.value = formats.empty;
    await view.start();
  }
  const missing = new Set<string>();
  let lookups = 0;
  const isComplete = view.tree.isComplete();
  const find = async (key: string): Promise<TreeNode | null> => {
    const known = view.tree.byKey.get(key);
    if (known) return known;
    lookups += 1;
    const node = isComplete || lookups > mostLookups ? null : await nodeOf(view, key);
    if (node === null) missing.add(key);
    return node;
  };
  // Parents first: opening them loads their children.
  for (const key of [...state.expanded].sort((a, b) => a.length - b.length)) {
    const node = await find(key);
    if (node) await view.tree.open(node);
  }
  for (const key of [...state.pins, ...state.hidden, ...Object.keys(state.tracks), ...(state.view.area?.rows ?? [])]) await find(key);
  const isThere = (key: string): boolean => !missing.has(key);
  const event = async (saved: SavedEvent | null): Promise<Brief | null> => {
    const found = saved ? await eventOf(view, saved) : null;
    if (saved && !found) missing.add(saved.name);
    return found;
  };
  const selection = await event(state.selection);
  const compare = await event(state.compare);
  const { area } = state.view;
  batch(() => {
    view.open.value = new Set(state.expanded.filter(isThere));
    view.hidden.value = new Set(state.hidden.filter(isThere));
    view.pins.value = state.pins.filter(isThere);
    view.styles.value = new Map(Object.entries(state.tracks).filter(([key]) => isThere(key)));
    view.lineHeight.value = formats.line_height;
    view.namesWidth.value = formats.names_width;
    view.format.value = formats.times;
    view.axisClock.value = formats.clock;
    view.colourMode.value = formats.colours;
    view.busiestFirst.value = formats.busiest_first;
    view.showsFlows.value = formats.flows;
    view.own.showsMarks.value = formats.marks;
    view.own.showsSync.value = formats.sync_points;
    hideFlows(view, new Set(formats.hidden_flows));
    view.marks.value = state.notes.map((n) => ({ ts: BigInt(n.ts), digit: n.digit, isPinned: n.pinned }));
    view.area.value = area ? { range: { from: BigInt(area.from), to: BigInt(area.to) }, rows: area.rows === null ? null : area.rows.filter(isThere) } : null;
    view.treeVersion.value += 1;
    view.setWindow({ from: BigInt(state.view.from), part: state.view.part, span: state.view.span });
  });
  setFilter(view, { text: state.filters?.text ?? '', inView: state.filters?.in_view ?? false, withHits: false });
  await view.select(selection);
  view.order.start(compare);
  restoreTabs(state.queries);
  view.scrollTo(state.view.scroll);
  // The details may have taken room from the tracks, so that there is more to scroll.
  requestAnimationFrame(() => requestAnimationFrame(() => view.scrollTo(state.view.scroll)));
  return [...missing];
}
