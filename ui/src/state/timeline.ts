/** The timelines of the open traces: each keeps its window, rows and selection while other pages are shown. */
import { computed, effect, signal } from '@preact/signals';
import * as api from '../api/timeline';
import { errorText } from '../api/http';
import type { Message } from '../api/socket';
import { bigOrNull } from '../lib/report_types';
import { setFilter } from '../timeline/filter_nodes';
import { TimelineView } from '../timeline/view';
import type { Surface } from '../timeline/surface';
import { current, generation, link, post, receiveTiles, traces } from './app';
import { followClock } from './axis_clock';
import { forgetState, keepState } from './keep_state';
import { change, settings } from './settings';
import { currentReport } from './status';
import { followSyncPoints, loadFacts } from './trace_marks';

const views = new Map<string, TimelineView>();

/** The drawing surface of the shown timeline, for tests and for keys. */
export const surface = signal<Surface | null>(null);

function makeView(trace: string): TimelineView {
  const view = new TimelineView(
    trace,
    (request, search, hidden) => post({
      op: 'tiles', id: request.id, trace, generation: request.generation, level: request.level, tiles: request.tiles, mode: request.mode,
      ...(request.mode === 'hits' && search !== null ? { search } : {}),
      ...(request.mode === 'flows' && hidden.size > 0 ? { without: [...hidden] } : {}),
    }),
    (id) => void post({ op: 'cancel', id }),
  );
  view.namesWidth.value = Math.round(Math.max(236, Math.min(340, window.innerWidth * 0.14)));
  view.lineHeight.value = settings.value.lineHeight;
  view.format.value = settings.value.axis;
  view.colourMode.value = settings.value.colours;
  followClock(view);
  followSyncPoints(view);
  void view.start().then(async () => {
    const facts = view.phase.value === 'ready' ? loadFacts(view) : null;
    const isRestored = await keepState(view);
    if ((await facts)?.isNanoseconds === true && !isRestored && view.format.value === 'seconds') view.format.value = 'raw';
  });
  return view;
}

/** Returns the timeline of a trace; loads its tree the first time. */
export function viewOf(trace: string): TimelineView {
  const known = views.get(trace);
  if (known) return known;
  const made = makeView(trace);
  views.set(trace, made);
  forgetClosed(trace);
  return made;
}

/** Views that are kept of traces that are not open: one that is opened again is as it was. */
const keptViews = 8;

function forgetClosed(shown: string): void {
  const open = new Set(traces.peek().map((t) => t.trace));
  for (const trace of views.keys()) {
    if (views.size <= keptViews) return;
    if (trace === shown || open.has(trace)) continue;
    views.delete(trace);
    forgetState(trace);
  }
}

/** The timeline of the current trace, null while it is not open. */
export const currentView = computed<TimelineView | null>(() => {
  const trace = current.value;
  return trace?.state === 'open' ? viewOf(trace.trace) : null;
});

function onMessage(message: Message): void {
  if (message.op !== 'done') return;
  const errors = Array.isArray(message['errors']) ? (message['errors'] as { node?: number }[]) : [];
  for (const view of views.values()) {
    view.store.done(Number(message['id']), message['cancelled'] === true, errors.map((e) => Number(e.node)));
  }
}

receiveTiles({
  frame: (bytes) => {
    const id = bytes.byteLength < 12 ? 0 : new DataView(bytes).getUint32(8, true);
    const owner = [...views.values()].find((view) => view.store.isWaitingFor(id)) ?? currentView.peek();
    owner?.store.take(bytes);
  },
  message: onMessage,
});

// After a reconnect what was asked for is asked for again.
effect(() => {
  void generation.value;
  if (link.value.kind !== 'open') return;
  for (const view of views.values()) {
    view.store.forgetPending();
    view.texts.retry();
    view.redraw();
  }
});

effect(() => {
  const view = currentView.value;
  const report = currentReport.value;
  if (!view || !report) return;
  const utc = bigOrNull(report.timeline.start_utc_ns);
  const start = bigOrNull(report.timeline.start_ts);
  view.setUtc(utc === null || start === null ? null : utc - start);
});

/** What is chosen for all timelines is kept with the settings. */
export function choose(view: TimelineView, part: { lineHeight?: number; axis?: typeof settings.value.axis; colours?: typeof settings.value.colours }): void {
  if (part.lineHeight !== undefined) view.lineHeight.value = part.lineHeight;
  if (part.axis !== undefined) view.format.value = part.axis;
  if (part.colours !== undefined) view.colourMode.value = part.colours;
  change(part);
}

/** A search: its hits so far, and the one that is shown. */
export interface Search {
  view: TimelineView;
  text: string;
  id: string | null;
  state: api.SearchState['state'];
  hits: number;
  total: number;
  /** The number of the shown hit, -1 before the first. */
  at: number;
  shown: api.Hit | null;
  error: string;
}

export const search = signal<Search | null>(null);
let searchTimer = 0;
/** A step to a hit that was wanted before there was one: it is made when the first is known. */
let wantedStep: 1 | -1 | null = null;

/** Requests of a search that have no answer yet. The server forgets the search only after them: an error would be in the console. */
const asked = new Set<Promise<unknown>>();

/** Keeps the search until a request for it has its answer. */
export function whileSearching<T>(request: Promise<T>): Promise<T> {
  asked.add(request);
  const isDone = (): void => void asked.delete(request);
  request.then(isDone, isDone);
  return request;
}

/** Ends the search and forgets its hits. */
export function clearSearch(): void {
  window.clearTimeout(searchTimer);
  wantedStep = null;
  const old = search.peek();
  if (!old) return;
  const { id } = old;
  if (id) void Promise.allSettled([...asked]).then(() => api.endSearch(old.view.trace, id)).catch(() => undefined);
  search.value = null;
  old.view.searchId.value = null;
  old.view.store.forgetMode('hits');
  if (old.view.filter.value?.withHits) setFilter(old.view, { withHits: false });
  old.view.redraw();
}

// A search belongs to the trace that is shown.
effect(() => {
  const view = currentView.value;
  const of = search.peek()?.view;
  if (view && of && of !== view) clearSearch();
});

/** Starts a search; its hits are counted while they come. */
export async function startSearch(view: TimelineView, text: string): Promise<void> {
  clearSearch();
  if (text.trim() === '') return;
  const mine: Search = { view, text, id: null, state: 'queued', hits: 0, total: 0, at: -1, shown: null, error: '' };
  search.value = mine;
  try {
    const { search: id } = await api.search(view.trace, text);
    if (search.value?.text !== text) return void api.endSearch(view.trace, id).catch(() => undefined);
    search.value = { ...mine, id };
    view.searchId.value = id;
    await follow(view, id);
  } catch (error) {
    if (search.value?.text === text) search.value = { ...mine, state: 'failed', error: errorText(error) };
  }
}

async function follow(view: TimelineView, id: string): Promise<void> {
  const answer = await whileSearching(api.searchState(view.trace, id));
  const now = search.value;
  if (now?.id !== id) return;
  const error = typeof answer.error === 'string' ? answer.error : (answer.error?.detail ?? answer.error?.title ?? '');
  search.value = { ...now, state: answer.state, hits: Number(answer.hits), total: Number(answer.total), error };
  view.store.forgetMode('hits');
  view.redraw();
  const step = wantedStep;
  if (step !== null && search.value.hits > 0) void stepHit(view, step).catch(() => undefined);
  if (view.filter.value?.withHits) await filterByHits(view, true);
  if (answer.state === 'queued' || answer.state === 'running') searchTimer = window.setTimeout(() => void follow(view, id).catch(() => undefined), 200);
}

/** Tracks with hits whose parents are loaded for the filter. */
const mostLoaded = 200;

/** Keeps only the tracks with a hit of the search; without a search none. */
export async function filterByHits(view: TimelineView, withHits: boolean): Promise<void> {
  const id = search.peek()?.id ?? null;
  const { tracks } = withHits && id !== null ? await whileSearching(api.hitTracks(view.trace, id)) : { tracks: [] };
  if (withHits && (search.peek()?.id ?? null) !== id) return;
  for (const track of tracks.filter((t) => !view.tree.nodes.has(t)).slice(0, mostLoaded)) await view.loadPath(track);
  view.hitNodes.value = new Set(tracks);
  setFilter(view, { withHits });
}

/** Shows the next hit, or the one before; the first time the next one in the window. */
export async function stepHit(view: TimelineView, by: 1 | -1): Promise<void> {
  const now = search.value;
  if (!now?.id || now.hits === 0) {
    if (now?.state === 'queued' || now?.state === 'running') wantedStep = by;
    return;
  }
  wantedStep = null;
  const { id } = now;
  let { at } = now;
  if (at < 0) {
    const page = await whileSearching(api.hits(view.trace, id, { ts: view.window.value.from }, 1));
    at = page.hits.length > 0 ? page.offset - by : by > 0 ? -1 : 0;
  }
  const next = (at + by + now.hits) % now.hits;
  const { hits } = await whileSearching(api.hits(view.trace, id, { offset: next }, 1));
  const found = hits[0];
  if (!found || search.value?.id !== id) return;
  search.value = { ...search.value, at: next, shown: found };
  await showEvent(view, found);
}

/** Selects an event, and moves rows and window so that it is seen. */
export async function showEvent(view: TimelineView, event: api.Brief, fit = false): Promise<void> {
  if (!view.tree.nodes.has(event.node)) await view.loadPath(event.node);
  const row = view.revealNode(event.node);
  view.focusedRow.value = row?.key ?? null;
  if (fit) view.show({ from: BigInt(event.ts), to: BigInt(event.end) });
  else view.reveal(BigInt(event.ts));
  if (event.kind === 'track') return;
  await view.select(event);
  // The details may have taken room from the tracks.
  requestAnimationFrame(() => requestAnimationFrame(() => view.revealNode(event.node)));
}
