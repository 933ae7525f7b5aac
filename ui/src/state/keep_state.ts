/** Keeps the state of each timeline on the server, under a key of the content of its files, and brings it back. */
import { signal } from '@preact/signals';
import * as api from '../api/traces';
import { counted } from '../lib/units';
import type { TimelineView } from '../timeline/view';
import { status } from './app';
import { notify } from './notices';
import { mostBytes, parseState, type SavedInput, type SavedState } from './saved_state';
import { applyState, stateOf, stateSignals } from './view_state';

/** What the state of a timeline belongs to. */
interface Kept {
  view: TimelineView;
  key: string;
  inputs: SavedInput[];
  manifest: string | null;
  timer?: number;
}

const all = new Map<string, Kept>();
/** Traces whose state was looked for. */
export const settled = signal<ReadonlySet<string>>(new Set());

/** Milliseconds between two comparisons. */
const pause = 900;

/** Saves the state from now on. A timer compares it, because an effect would run with each frame of a pan. */
function follow(kept: Kept): void {
  const signals = stateSignals(kept.view);
  let seen = signals.map((each) => each.peek());
  let last = JSON.stringify(stateOf(kept.view, kept.inputs, kept.manifest));
  const save = (): void => {
    if (signals.every((each, i) => each.peek() === seen[i])) return;
    seen = signals.map((each) => each.peek());
    const now = JSON.stringify(stateOf(kept.view, kept.inputs, kept.manifest));
    if (now === last || now.length > mostBytes) return;
    last = now;
    api.saveState(kept.key, now).catch(() => {
      // A server that is gone gets it when it is back.
      last = '';
      seen = [];
    });
  };
  kept.timer = window.setInterval(save, pause);
}

/** Keeps no more changes of a timeline that is dropped. */
export function forgetState(trace: string): void {
  window.clearInterval(all.get(trace)?.timer);
  all.delete(trace);
  const rest = new Set(settled.value);
  if (rest.delete(trace)) settled.value = rest;
}

/** Says what a state names and the trace does not have. */
export function reportMissing(missing: readonly string[]): void {
  if (missing.length === 0) return;
  const shownNames = missing.slice(0, 3).join(', ');
  notify(`${counted(missing.length, 'track or event', 'tracks or events')} of the saved view ${missing.length === 1 ? 'is' : 'are'} not in this trace: ${shownNames}${missing.length > 3 ? ' …' : ''}`);
}

/** Returns the state that the server keeps. A document of another version is kept aside. */
async function load(key: string): Promise<SavedState | null> {
  const document = await api.loadState(key);
  const { state, problem } = parseState(document);
  if (state) return state;
  await api.saveState(`${key}.aside`, JSON.stringify(document));
  notify(`The saved view of this trace cannot be used: ${problem}. It is kept aside.`);
  return null;
}

/** Returns the state of another trace of this page whose files are some of these: of the merge before one was added. */
function ofRelative(kept: Kept): SavedState | null {
  const digests = new Set(kept.inputs.map((i) => i.digest));
  for (const other of [...all.values()].reverse())
    if (other.view !== kept.view && other.inputs.every((i) => digests.has(i.digest))) return stateOf(other.view, other.inputs, other.manifest);
  return null;
}

async function restore(kept: Kept, hasState: boolean): Promise<boolean> {
  const state = (hasState ? await load(kept.key) : null) ?? ofRelative(kept);
  if (!state) return false;
  reportMissing(await applyState(kept.view, state));
  return true;
}

/** Brings back the state of a timeline whose tree is loaded, and keeps it from then on. Returns whether there was one. */
export async function keepState(view: TimelineView): Promise<boolean> {
  const settle = (): void => void (settled.value = new Set([...settled.value, view.trace]));
  if (view.phase.value !== 'ready' || status.peek()?.features.includes('states') !== true) {
    settle();
    return false;
  }
  try {
    const [{ key, inputs, has_state: hasState }, { manifest }] = await Promise.all([api.identityOf(view.trace), api.manifestOf(view.trace)]);
    if (key === null) return false;
    const kept: Kept = { view, key, inputs, manifest };
    const isRestored = await restore(kept, hasState);
    all.delete(view.trace);
    all.set(view.trace, kept);
    follow(kept);
    return isRestored;
  } catch {
    return false; // a server without states, or a lost one: the view begins as it is, and nothing is kept
  } finally {
    settle();
  }
}

/** Returns the state of a timeline as a document; its inputs are empty if the bytes are not from files. */
export function currentState(view: TimelineView): SavedState {
  const kept = all.get(view.trace);
  return stateOf(view, kept?.inputs ?? [], kept?.manifest ?? null);
}
